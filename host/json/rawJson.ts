/** Filtering a document's `_source`: only what is kept is written, numbers keep their digits. */
import { MAX_JSON_DEPTH } from './jsonDepth.js';
import { parseLax } from './laxJson.js';
import { illegalArgument } from '../errors.js';
import { wildcard } from '../text/wildcard.js';
import { jsonText, numberOfToken, numberText } from './jsonText.js';

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
  const rules = rulesOf(filter);
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

/** Patterns with `*` of one filter; each is tried on every path. */
const MAX_PATTERNS = 1000;
/** Paths that are remembered of a filter; documents of an index have few in all. */
const MAX_PATHS = 10_000;

/** What patterns are made into, for as long as the hits of one search need it. */
const known = new WeakMap<SourceFilter, Rules>();

function rulesOf(filter: SourceFilter): Rules {
  let rules = known.get(filter);
  if (rules === undefined) {
    rules = new Rules(filter);
    known.set(filter, rules);
  }
  return rules;
}

/** Names and patterns: names are looked up, patterns are tried. */
class Patterns {
  readonly #names: Set<string>;
  /** Names of objects in which one of the names stands. */
  readonly #around = new Set<string>();
  readonly #patterns: { text: string; match: (path: string) => boolean }[];

  constructor(texts: readonly string[]) {
    const patterns = texts.filter((text) => text.includes('*'));
    if (patterns.length > MAX_PATTERNS)
      throw illegalArgument(
        `a source may be filtered by at most ${MAX_PATTERNS} patterns, this one has ${patterns.length}`,
      );
    this.#patterns = patterns.map((text) => ({ text, match: wildcard(text) }));
    this.#names = new Set(texts.filter((text) => !text.includes('*')));
    for (const name of this.#names)
      for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1))
        this.#around.add(name.slice(0, dot));
  }

  match(path: string): boolean {
    return this.#names.has(path) || this.#patterns.some(({ match }) => match(path));
  }

  /** Whether one of them may match something below the path. */
  mayBelow(path: string): boolean {
    if (this.#around.has(path)) return true;
    return this.#patterns.some(({ text }) => text.startsWith('*') || text.startsWith(`${path}.`));
  }
}

/** What becomes of a path: it is kept but for what is excluded, or may have something below it that is, or is left out. */
type Fate = 'none' | 'below' | 'kept';

class Rules {
  readonly #includes: Patterns;
  readonly #excludes: Patterns;
  readonly #hasExcludes: boolean;
  readonly #fates = new Map<string, Fate>();
  readonly #withinFates = new Map<string, Fate>();

  constructor({ includes, excludes }: SourceFilter) {
    this.#includes = new Patterns(includes);
    this.#excludes = new Patterns(excludes);
    this.#hasExcludes = excludes.length > 0;
  }

  /** `all`: the place around the path is kept. */
  #fateOf(path: string, all: boolean): Fate {
    const fates = all ? this.#withinFates : this.#fates;
    let fate = fates.get(path);
    if (fate === undefined) {
      fate = this.#excludes.match(path)
        ? 'none'
        : all || this.#includes.match(path)
          ? 'kept'
          : this.#includes.mayBelow(path)
            ? 'below'
            : 'none';
      if (fates.size < MAX_PATHS) fates.set(path, fate);
    }
    return fate;
  }

  /** What is kept of an object; `all`: its place is included already, only excludes still count. */
  object(object: RawObject, at: string, all: boolean): RawObject {
    const entries: [string, Raw][] = [];
    for (const [key, value] of object.entries) {
      const path = at === '' ? key : `${at}.${key}`;
      const fate = this.#fateOf(path, all);
      if (fate === 'none') continue;
      const exact = fate === 'kept';
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
    if (all && !this.#hasExcludes) return list;
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
}

/** The text of a value as 1.7 writes it again: without blanks, doubles as Java prints them. */
export function print(value: Raw): string {
  if (typeof value === 'string') return MAY_CHANGE.test(value) ? numberText(numberOfToken(value)) : value;
  if (Array.isArray(value)) return `[${value.map(print).join(',')}]`;
  return `{${value.entries.map(([key, each]) => `${JSON.stringify(key)}:${print(each)}`).join(',')}}`;
}

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
    // Deeper parts are kept or left out as a whole.
    if (depth > MAX_JSON_DEPTH && (c === '{' || c === '[')) return this.#whole();
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
    const start = this.#at;
    for (let at = start + 1; ; at++) {
      at = this.#text.indexOf('"', at);
      if (at < 0) throw new Error('not JSON');
      let before = at - 1;
      while (this.#text[before] === '\\') before--;
      // An even number of backslashes stand for themselves.
      if ((at - before) % 2 === 0) continue;
      this.#at = at + 1;
      return this.#text.slice(start, this.#at);
    }
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
