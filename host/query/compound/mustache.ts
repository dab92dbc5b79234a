/**
 * Templates as the search templates of 1.x have them: `{{name}}` and `{{a.b}}` put in values, escaped for a JSON text,
 * `{{{name}}}` and `{{&name}}` as they are, `{{#name}}…{{/name}}` repeats or leaves out, `{{^name}}…{{/name}}` stands in
 * for what is missing, `{{$name}}…{{/name}}` is a part with a name, `{{!…}}` says nothing, `{{=<% %>=}}` sets other marks.
 * The errors are those of mustache.java 0.8.13.
 */
import { ElasticsearchError } from '../../errors.js';
import { isObject, javaText } from '../../json/values.js';

type Part =
  | string
  | { kind: 'value'; name: string; raw: boolean }
  | { kind: 'section' | 'inverted' | 'named'; name: string; parts: Part[] };

const SECTIONS = { '#': 'section', '^': 'inverted', $: 'named' } as const;

const MAX_DEPTH = 32;
/** A template may grow to that many characters, by so many parts that are written. */
const MAX_LENGTH = 10_000_000;
const MAX_WRITTEN = 200_000;

/** Reads a template from its first character to its last. */
class Reader {
  readonly #text: string;
  #at = 0;
  #open = '{{';
  #close = '}}';

  constructor(text: string) {
    this.#text = text;
  }

  /** The parts up to the end of the section of that name, or to the end of the text. */
  read(until: string | undefined, depth: number): Part[] {
    if (depth > MAX_DEPTH) throw failed(`sections are more than ${MAX_DEPTH} levels deep`);
    const parts: Part[] = [];
    for (;;) {
      const start = this.#text.indexOf(this.#open, this.#at);
      if (start < 0) break;
      parts.push(this.#text.slice(this.#at, start));
      const { tag, closed } = this.#tag(start + this.#open.length);
      const sign = tag[0];
      const name = tag.slice(1).trim();
      if (sign === undefined) throw outOfRange();
      if (sign === '#' || sign === '^' || sign === '$')
        parts.push({ kind: SECTIONS[sign], name, parts: this.read(name, depth + 1) });
      else if (sign === '/') {
        if (name === until) return parts;
        throw failed(`Mismatched start/end tags: ${until ?? null} != ${name} in ${this.#place()}`);
      } else if (sign === '>' || sign === '<') throw failed(`Template '${name}' not found`);
      else if (sign === '{') parts.push({ kind: 'value', name: this.#unescaped(name), raw: true });
      else if (sign === '&') parts.push({ kind: 'value', name, raw: true });
      else if (sign === '=') this.#marks(tag.replace(/\s+/g, ''));
      else if (sign !== '!' && sign !== '%') {
        if (!closed) throw this.#notClosed();
        parts.push({ kind: 'value', name: tag.trim(), raw: false });
      }
    }
    if (until !== undefined) throw failed(`Failed to close '${until}' tag at line ${this.#line(this.#at)}`);
    parts.push(this.#text.slice(this.#at));
    return parts;
  }

  /** What stands between the marks, and whether the second of them is there. */
  #tag(from: number): { tag: string; closed: boolean } {
    const end = this.#text.indexOf(this.#close, from);
    this.#at = end < 0 ? this.#text.length : end + this.#close.length;
    return { tag: this.#text.slice(from, end < 0 ? undefined : end), closed: end >= 0 };
  }

  /** The name within three braces: the third closes it, before the mark's own or, with other marks, within them. */
  #unescaped(name: string): string {
    if (this.#close !== '}}') return name.slice(0, -1).trim();
    if (this.#text[this.#at] !== '}') throw this.#notClosed();
    this.#at++;
    return name;
  }

  /** Other marks, between two signs of equality. */
  #marks(tag: string): void {
    if (tag.length > 6 || tag.length % 2 !== 0 || tag.length < 4) throw failed('Invalid delimiter string');
    this.#open = tag.slice(1, tag.length / 2);
    this.#close = tag.slice(tag.length / 2, -1);
  }

  #notClosed(): ElasticsearchError {
    return failed(`Improperly closed variable in ${this.#place()}`);
  }

  #place(): string {
    return `query-template:${this.#line(this.#at)}`;
  }

  #line(at: number): number {
    return this.#text.slice(0, at).split('\n').length;
  }
}

/** A template, read. */
export class Mustache {
  readonly #parts: Part[];

  /** Throws a `MustacheException` where a tag is not closed. */
  constructor(text: string) {
    this.#parts = new Reader(text).read(undefined, 0);
  }

  /** The text with the parameters in their places; what has no value is left out. */
  render(params: unknown): string {
    let out = '';
    let written = 0;
    const write = (parts: readonly Part[], scopes: readonly unknown[]): void => {
      for (const part of parts) {
        if (++written > MAX_WRITTEN) throw failed(`more than ${MAX_WRITTEN} parts would be written`);
        if (typeof part === 'string') out += part;
        else if (part.kind === 'value') {
          const value = textOf(lookUp(scopes, part.name));
          out += part.raw ? value : JSON.stringify(value).slice(1, -1);
        } else if (part.kind === 'named') write(part.parts, scopes);
        else {
          const value = lookUp(scopes, part.name);
          const empty =
            value === undefined ||
            value === null ||
            value === false ||
            value === '' ||
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

/** A value as Java prints it: lists and maps are no JSON. */
function textOf(value: unknown): string {
  return value === undefined || value === null ? '' : javaText(value);
}

function failed(detail: string): ElasticsearchError {
  return new ElasticsearchError('MustacheException', detail, { status: 500 });
}

/** A tag with nothing in it. */
function outOfRange(): ElasticsearchError {
  return new ElasticsearchError('StringIndexOutOfBoundsException', 'String index out of range: 0', {
    status: 500,
  });
}
