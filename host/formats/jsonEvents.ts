/** JSON text as events, for writers of other formats: it is read from front to back, and others get their turn meanwhile. */
import { isRawObject, parseRaw, type Raw } from '../json/rawJson.js';
import type { IsDue } from '../passes.js';
import type { Turns } from '../workLimit.js';

/** Is told of a value: containers are opened and closed, and members of objects are named. */
export interface JsonSink {
  open(isObject: boolean): void;
  close(isObject: boolean): void;
  name(name: string): void;
  /** A text with its quotes, a number as it is written, `true`, `false` or `null`. */
  scalar(json: string): void;
  /** What was made of the value. */
  bytes(): Uint8Array;
}

/** What the text isn't strict JSON for; some sources are JSON for 1.7 only. */
class NotStrict extends Error {}

/** Steps of a work limit for an event. */
const EVENT_STEPS = 4;
/** Characters of a text that take a step. */
const CHARACTERS_PER_STEP = 32;
const SCALAR = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const BLANKS = /[ \t\r\n]*/y;

const utf8 = new TextDecoder();

/** What a writer makes of JSON. */
export function* encodeEvents(
  json: Uint8Array,
  make: () => JsonSink,
  isDue: IsDue = () => false,
): Turns<Uint8Array> {
  const text = utf8.decode(json);
  const sink = make();
  try {
    yield* new Teller(text, sink).tell(isDue);
    return sink.bytes();
  } catch (e) {
    if (!(e instanceof NotStrict || e instanceof SyntaxError)) throw e;
  }
  const again = make();
  tellRaw(parseRaw(text), again);
  return again.bytes();
}

/** Tells of a value that has been parsed. */
export function tellRaw(value: Raw, sink: JsonSink): void {
  if (typeof value === 'string') {
    sink.scalar(value);
    return;
  }
  const isObject = isRawObject(value);
  sink.open(isObject);
  if (isObject) {
    for (const [name, each] of value.entries) {
      sink.name(name);
      tellRaw(each, sink);
    }
  } else for (const each of value) tellRaw(each, sink);
  sink.close(isObject);
}

class Teller {
  readonly #text: string;
  readonly #sink: JsonSink;
  #at = 0;

  constructor(text: string, sink: JsonSink) {
    this.#text = text;
    this.#sink = sink;
  }

  *tell(isDue: IsDue): Turns<void> {
    const sink = this.#sink;
    /** Of each open container, whether it is an object. */
    const open: boolean[] = [];
    for (;;) {
      const started = this.#at;
      const c = this.#next();
      if (c === '{' || c === '[') {
        const isObject = c === '{';
        this.#at++;
        sink.open(isObject);
        open.push(isObject);
        if (!this.#closes(isObject)) {
          if (isObject) this.#name();
          continue;
        }
      } else sink.scalar(c === '"' ? this.#string() : this.#scalar());
      // What ends with the value.
      for (;;) {
        const isObject = open.at(-1);
        if (isObject === undefined) {
          if (this.#next() !== undefined) throw new NotStrict();
          return;
        }
        if (!this.#closes(isObject)) {
          if (this.#next() !== ',') throw new NotStrict();
          this.#at++;
          if (isObject) this.#name();
          break;
        }
        sink.close(isObject);
        open.pop();
      }
      if (isDue(EVENT_STEPS + (this.#at - started) / CHARACTERS_PER_STEP)) yield;
    }
  }

  /** The next character that is no blank. */
  #next(): string | undefined {
    BLANKS.lastIndex = this.#at;
    BLANKS.test(this.#text);
    this.#at = BLANKS.lastIndex;
    return this.#text[this.#at];
  }

  #closes(isObject: boolean): boolean {
    if (this.#next() !== (isObject ? '}' : ']')) return false;
    this.#at++;
    return true;
  }

  #name(): void {
    if (this.#next() !== '"') throw new NotStrict();
    this.#sink.name(JSON.parse(this.#string()) as string);
    if (this.#next() !== ':') throw new NotStrict();
    this.#at++;
  }

  #scalar(): string {
    SCALAR.lastIndex = this.#at;
    const found = SCALAR.exec(this.#text);
    if (found === null) throw new NotStrict();
    this.#at = SCALAR.lastIndex;
    return found[0];
  }

  #string(): string {
    const text = this.#text;
    const start = this.#at;
    for (let at = start + 1; ; at++) {
      at = text.indexOf('"', at);
      if (at < 0) throw new NotStrict();
      let before = at - 1;
      while (text[before] === '\\') before--;
      // An even number of backslashes stand for themselves.
      if ((at - before) % 2 === 0) continue;
      this.#at = at + 1;
      return text.slice(start, this.#at);
    }
  }
}
