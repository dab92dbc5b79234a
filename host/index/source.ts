/** Filtering a document's `_source`: only what is kept is written, numbers keep their digits. */
import { parseLax } from './laxJson.js';
import { wildcard } from './names.js';
import { jsonText, numberOfToken, numberText } from '../mapping/jsonText.js';

/** Which parts of a source are wanted; patterns are dotted paths with `*`. */
export interface SourceFilter {
  includes: readonly string[];
  excludes: readonly string[];
}

/** A value of a JSON text: a leaf is its own text. */
export type Raw = string | RawObject | Raw[];
export interface RawObject {
  entries: [key: string, value: Raw][];
}

/** The filtered source, as JSON bytes. Without any pattern it is the source itself. */
export function filterSource(source: Uint8Array, filter: SourceFilter): Uint8Array {
  if (filter.includes.length === 0 && filter.excludes.length === 0) return source;
  const root = parseRaw(new TextDecoder().decode(source));
  const rules = new Rules(filter);
  const kept = isRawObject(root) ? rules.object(root, '', filter.includes.length === 0) : { entries: [] };
  return new TextEncoder().encode(print(kept));
}

/** Sources that only 1.7 takes for JSON are made JSON first. */
export function parseRaw(text: string): Raw {
  try {
    JSON.parse(text);
    return new RawParser(text).parse();
  } catch {
    return new RawParser(jsonText(parseLax(text))).parse();
  }
}

/** A zero with a sign, or a double: its text need not be Java's. */
const MAY_CHANGE = /^-?\d+[.eE]|^-0/;

export const isRawObject = (value: Raw): value is RawObject =>
  typeof value === 'object' && !Array.isArray(value);

class Rules {
  readonly #includes: { text: string; match: (path: string) => boolean }[];
  readonly #excludes: ((path: string) => boolean)[];

  constructor(filter: SourceFilter) {
    this.#includes = filter.includes.map((text) => ({ text, match: wildcard(text) }));
    this.#excludes = filter.excludes.map(wildcard);
  }

  /** What is kept of an object; `all`: its place is included already, only excludes still count. */
  object(object: RawObject, at: string, all: boolean): RawObject {
    const entries: [string, Raw][] = [];
    for (const [key, value] of object.entries) {
      const path = at === '' ? key : `${at}.${key}`;
      if (this.#excludes.some((match) => match(path))) continue;
      const exact = all || this.#includes.some(({ match }) => match(path));
      if (!exact && !this.#mayBelow(path)) continue;
      if (isRawObject(value)) {
        const inner = this.object(value, path, exact);
        if (exact || inner.entries.length > 0) entries.push([key, inner]);
      } else if (Array.isArray(value)) {
        entries.push([key, this.#list(value, path, exact)]);
      } else if (exact) entries.push([key, value]);
    }
    return { entries };
  }

  #list(list: Raw[], path: string, all: boolean): Raw[] {
    if (all && this.#excludes.length === 0) return list;
    const out: Raw[] = [];
    for (const each of list) {
      if (isRawObject(each)) {
        const inner = this.object(each, path, all);
        if (inner.entries.length > 0) out.push(inner);
      } else if (Array.isArray(each)) {
        const inner = this.#list(each, path, all);
        if (inner.length > 0) out.push(inner);
      } else {
        // Where a list may be looked into at all, its scalars are kept, as in 1.7.
        out.push(each);
      }
    }
    return out;
  }

  /** Whether an include may match something below the path. */
  #mayBelow(path: string): boolean {
    return this.#includes.some(({ text }) => text.startsWith('*') || text.startsWith(`${path}.`));
  }
}

/** The text of a value as 1.7 writes it again: without blanks, doubles as Java prints them. */
export function print(value: Raw): string {
  if (typeof value === 'string') return MAY_CHANGE.test(value) ? numberText(numberOfToken(value)) : value;
  if (Array.isArray(value)) return `[${value.map(print).join(',')}]`;
  return `{${value.entries.map(([key, each]) => `${JSON.stringify(key)}:${print(each)}`).join(',')}}`;
}

/** Deeper parts are kept or left out as a whole. */
const MAX_DEPTH = 1000;

/** Reads a text that is known to be JSON. */
class RawParser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse(depth = 0): Raw {
    this.#space();
    const c = this.#text[this.#at];
    if (depth > MAX_DEPTH && (c === '{' || c === '[')) return this.#whole();
    if (c === '{') {
      const entries: [string, Raw][] = [];
      this.#at++;
      this.#space();
      while (this.#text[this.#at] !== '}') {
        const key = JSON.parse(this.#string()) as string;
        this.#space();
        this.#at++;
        entries.push([key, this.parse(depth + 1)]);
        this.#separator();
      }
      this.#at++;
      return { entries };
    }
    if (c === '[') {
      const list: Raw[] = [];
      this.#at++;
      this.#space();
      while (this.#text[this.#at] !== ']') {
        list.push(this.parse(depth + 1));
        this.#separator();
      }
      this.#at++;
      return list;
    }
    if (c === '"') return this.#string();
    const start = this.#at;
    while (this.#at < this.#text.length && !',]} \t\r\n'.includes(this.#text[this.#at]!)) this.#at++;
    if (this.#at === start) throw new Error('not JSON');
    return this.#text.slice(start, this.#at);
  }

  /** The text of an object or a list. */
  #whole(): string {
    const start = this.#at;
    let open = 0;
    do {
      const c = this.#text[this.#at];
      if (c === undefined) throw new Error('not JSON');
      if (c === '"') {
        this.#string();
        continue;
      }
      if (c === '{' || c === '[') open++;
      else if (c === '}' || c === ']') open--;
      this.#at++;
    } while (open > 0);
    return this.#text.slice(start, this.#at);
  }

  #string(): string {
    const start = this.#at++;
    while (this.#text[this.#at] !== '"') {
      if (this.#at >= this.#text.length) throw new Error('not JSON');
      this.#at += this.#text[this.#at] === '\\' ? 2 : 1;
    }
    return this.#text.slice(start, ++this.#at);
  }

  #separator(): void {
    this.#space();
    if (this.#text[this.#at] === ',') {
      this.#at++;
      this.#space();
    } else if (this.#at >= this.#text.length) throw new Error('not JSON');
  }

  #space(): void {
    while (this.#at < this.#text.length && ' \t\r\n'.includes(this.#text[this.#at]!)) this.#at++;
  }
}
