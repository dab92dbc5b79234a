/**
 * Templates as the search templates of 1.x have them: `{{name}}` and `{{a.b}}` put in values, escaped for a JSON text,
 * `{{{name}}}` as they are, `{{#name}}…{{/name}}` repeats or leaves out, `{{^name}}…{{/name}}` stands in for what is missing.
 */
import { ElasticsearchError } from '../errors.js';
import { isObject } from '../mapping/values.js';

type Part =
  | string
  | { kind: 'value'; name: string; raw: boolean }
  | { kind: 'section' | 'inverted'; name: string; parts: Part[] };

const MAX_DEPTH = 32;
/** A template may grow to that many characters. */
const MAX_LENGTH = 10_000_000;

/** A template, read. */
export class Mustache {
  readonly #parts: Part[];

  /** Throws a `MustacheException` where a tag is not closed. */
  constructor(text: string) {
    const tags = [...text.matchAll(/\{\{\{\s*([^{}]*?)\s*\}\}\}|\{\{([#^/!&]?)\s*([^{}]*?)\s*\}\}/g)];
    let at = 0;
    let next = 0;
    const read = (until: string | undefined, depth: number): Part[] => {
      const parts: Part[] = [];
      if (depth > MAX_DEPTH) throw failed(`sections are more than ${MAX_DEPTH} levels deep`);
      while (next < tags.length) {
        const tag = tags[next++]!;
        const [whole, raw, sign, name = ''] = tag;
        parts.push(text.slice(at, tag.index));
        at = tag.index + whole.length;
        if (raw !== undefined) parts.push({ kind: 'value', name: raw, raw: true });
        else if (sign === '#' || sign === '^') {
          const kind = sign === '#' ? 'section' : 'inverted';
          parts.push({ kind, name, parts: read(name, depth + 1) });
        } else if (sign === '/') {
          if (name === until) return parts;
          throw failed(`Mismatched start/end tags: ${until} != ${name} in query-template`);
        } else if (sign !== '!') parts.push({ kind: 'value', name, raw: sign === '&' });
      }
      if (until !== undefined) throw failed(`Failed to close '${until}' tag at line ${lineOf(text, at)}`);
      parts.push(text.slice(at));
      return parts;
    };
    this.#parts = read(undefined, 0);
  }

  /** The text with the parameters in their places; what has no value is left out. */
  render(params: unknown): string {
    let out = '';
    const write = (parts: readonly Part[], scopes: readonly unknown[]): void => {
      for (const part of parts) {
        if (typeof part === 'string') out += part;
        else if (part.kind === 'value') {
          const value = textOf(lookUp(scopes, part.name));
          out += part.raw ? value : JSON.stringify(value).slice(1, -1);
        } else {
          const value = lookUp(scopes, part.name);
          const empty =
            value === undefined ||
            value === null ||
            value === false ||
            (Array.isArray(value) && value.length === 0);
          if (part.kind === 'inverted') {
            if (empty) write(part.parts, scopes);
          } else if (Array.isArray(value)) {
            for (const each of value) write(part.parts, [...scopes, each]);
          } else if (!empty) write(part.parts, [...scopes, value]);
        }
        if (out.length > MAX_LENGTH) throw failed('the result is too long');
      }
    };
    write(this.#parts, [params]);
    return out;
  }
}

/** The value of a name in the innermost scope that has it; `.` is that scope itself. */
function lookUp(scopes: readonly unknown[], name: string): unknown {
  if (name === '.') return scopes.at(-1);
  const [first = '', ...rest] = name.split('.');
  for (const scope of [...scopes].reverse()) {
    if (!isObject(scope) || !Object.hasOwn(scope, first)) continue;
    return rest.reduce<unknown>(
      (value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
      scope[first],
    );
  }
  return undefined;
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}

function failed(detail: string): ElasticsearchError {
  return new ElasticsearchError('MustacheException', detail, { status: 400 });
}
