/** What is wrong with a text that is no JSON, in the words of 1.7's parser. */
import { ElasticsearchError } from '../errors.js';

/** 400: a text that is no JSON. */
export class BrokenJson extends ElasticsearchError {
  /** Where a string is broken that is a value: the names around it, outermost first. */
  readonly inString: readonly string[] | undefined;
  /** What had been read of the outermost object: the fields that are whole. */
  readonly before: Record<string, unknown> | undefined;
  /** The field of the outermost object whose own object or list had been begun, and was still open. */
  readonly within: string | undefined;

  constructor(
    detail: string,
    inString: readonly string[] | undefined,
    before: Record<string, unknown> | undefined,
    within?: string,
  ) {
    super('JsonParseException', detail, { status: 400 });
    this.inString = inString;
    this.before = before;
    this.within = within;
  }
}

/** A character as the parser's errors print it. */
export function described(c: string): string {
  const code = c.charCodeAt(0);
  if (code < 32) return `(CTRL-CHAR, code ${code})`;
  return `'${c}' (code ${code}${code > 255 ? ` / 0x${code.toString(16)}` : ''})`;
}

export function between(kind: string): string {
  return `Unexpected end-of-input within/between ${kind} entries`;
}

export function badNumber(c: string, why: string): string {
  return `Unexpected character (${described(c)}) in numeric value: ${why}`;
}
