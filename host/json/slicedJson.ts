/**
 * Strict JSON parsed in turns: one scan finds where containers and their elements begin and end, and runs of whole elements are parsed
 * by the platform's parser, a piece at a time. A container that is longer than a piece is made here, and filled from its pieces.
 */
import { MAX_JSON_DEPTH } from './jsonDepth.js';
import { putOwn } from '../ownNames.js';
import { repeatKey, valuesUnder } from './repeatedKeys.js';
import { isObject, type JsonObject } from './values.js';
import type { Turns, WorkLimit } from '../workLimit.js';

/** Characters that are parsed at a time: about a millisecond. */
const PIECE = 32 * 1024;
/** Characters without structure that are scanned at a time, and what that costs in steps of a work limit. */
const SCANNED = 64 * 1024;
const SCAN_STEPS = 1024;
/** Strings of more pieces are parsed in pieces. */
const LONG_STRING = 16;
/** What parsing a piece costs. */
const PIECE_STEPS = 4096;

const [QUOTE, COMMA, OPEN_LIST, BACKSLASH, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [
  0x22, 0x2c, 0x5b, 0x5c, 0x5d, 0x7b, 0x7d,
];
const BLANK = /^[ \t\r\n]*$/;

/** The text isn't strict JSON. */
export class NotStrict extends Error {}

/** A container that is filled piece by piece. */
interface Made {
  readonly value: unknown[] | JsonObject;
  /** What the container around has it under. */
  readonly key: string;
  /** Where the elements begin that haven't been parsed. */
  from: number;
  /** The last element has been put in; only blanks may follow before the next comma. */
  isTaken: boolean;
  /** A comma came last, so that an element has to follow. */
  isOpen: boolean;
}

/**
 * The value of a text; throws {@link NotStrict}.
 * @param parse parses a piece, and throws where that isn't strict JSON
 * @param piece characters that are parsed at a time, more than an escape has
 */
export function strictInTurns(
  text: string,
  work: WorkLimit,
  parse: (piece: string) => unknown,
  piece = PIECE,
): Turns<unknown> {
  return new SlicedParser(text, work, parse, piece).run();
}

class SlicedParser {
  readonly #text: string;
  readonly #work: WorkLimit;
  readonly #parse: (piece: string) => unknown;
  readonly #piece: number;
  /** The containers that are open and filled here: the outermost of all that are open. */
  readonly #made: Made[] = [];
  /** Where the containers begin that are open, and their last commas stand. */
  readonly #starts: number[] = [];
  readonly #commas: number[] = [];
  #root: unknown;

  constructor(text: string, work: WorkLimit, parse: (piece: string) => unknown, piece: number) {
    this.#text = text;
    this.#work = work;
    this.#parse = parse;
    this.#piece = piece;
  }

  *run(): Turns<unknown> {
    const text = this.#text;
    const { length } = text;
    const starts = this.#starts;
    const made = this.#made;
    let at = 0;
    while (at < length) {
      const c = text.charCodeAt(at);
      if (c === QUOTE) {
        const end = this.#endOfString(at);
        if (end - at > LONG_STRING * this.#piece) yield* this.#longString(at, end);
        at = end - 1;
      } else if (c === OPEN_LIST || c === OPEN_OBJECT) {
        if (starts.push(at) > MAX_JSON_DEPTH) throw new NotStrict();
        this.#commas.push(at);
      } else if (c === CLOSE_LIST || c === CLOSE_OBJECT) {
        if (starts.length === 0) throw new NotStrict();
        if (made.length === starts.length) {
          this.#close(at);
          if (made.length === 0) return this.#ended(at + 1);
        } else if (starts.length === 1) {
          // The whole text is no longer than a piece.
          this.#ended(at + 1);
          return this.#whole(text);
        }
        starts.pop();
        this.#commas.pop();
      } else if (c === COMMA && starts.length > 0) {
        this.#commas[starts.length - 1] = at;
        const top = made.length === starts.length ? made[made.length - 1] : undefined;
        if (top?.isTaken === true) {
          this.#blank(top.from, at);
          top.from = at + 1;
          top.isTaken = false;
          top.isOpen = true;
        }
      } else {
        if (++at % SCANNED === 0 && this.#work.isDue(SCAN_STEPS)) yield;
        continue;
      }
      at++;
      if (starts.length > 0 && at - (made[made.length - 1]?.from ?? 0) > this.#piece && this.#cut()) {
        if (this.#work.isDue(PIECE_STEPS)) yield;
      }
    }
    throw new NotStrict();
  }

  #ended(at: number): unknown {
    this.#blank(at, this.#text.length);
    return this.#root;
  }

  /** Parses the elements before the last comma of the innermost container that is made, or makes the one within; whether there was any. */
  #cut(): boolean {
    const level = this.#made.length;
    const top = this.#made[level - 1];
    if (top !== undefined && !top.isTaken) {
      const comma = this.#commas[level - 1]!;
      if (comma >= top.from) {
        this.#take(top, comma);
        top.from = comma + 1;
        top.isOpen = true;
        return true;
      }
    }
    if (level === this.#starts.length) return false;
    this.#make(level);
    return true;
  }

  /** Makes the container of a level; all elements before it are in those around it. */
  #make(level: number): void {
    const start = this.#starts[level]!;
    const top = this.#made[level - 1];
    const key = top === undefined ? '' : this.#keyBefore(top, start);
    if (top === undefined) this.#blank(0, start);
    const value = this.#text.charCodeAt(start) === OPEN_LIST ? [] : {};
    this.#made.push({ value, key, from: start + 1, isTaken: false, isOpen: false });
  }

  /** The key that stands before a value in a container; of a list none may. */
  #keyBefore(top: Made, at: number): string {
    if (top.isTaken) throw new NotStrict();
    const before = this.#text.slice(top.from, at);
    if (Array.isArray(top.value)) {
      if (!BLANK.test(before)) throw new NotStrict();
      return '';
    }
    const [key, second] = Object.keys(this.#whole(`{${before}[]}`) as object);
    if (key === undefined || second !== undefined) throw new NotStrict();
    return key;
  }

  #close(at: number): void {
    const top = this.#made.pop()!;
    const isList = this.#text.charCodeAt(at) === CLOSE_LIST;
    if (isList !== Array.isArray(top.value)) throw new NotStrict();
    if (top.isTaken) this.#blank(top.from, at);
    else if (top.isOpen || !BLANK.test(this.#text.slice(top.from, at))) this.#take(top, at);
    this.#put(top.key, top.value, at + 1);
  }

  /** Puts a value into the innermost container that is made; what follows it begins at `next`. */
  #put(key: string, value: unknown, next: number): void {
    const around = this.#made[this.#made.length - 1];
    if (around === undefined) {
      this.#root = value;
      return;
    }
    if (Array.isArray(around.value)) around.value.push(value);
    else putKey(around.value, key, [value]);
    around.from = next;
    around.isTaken = true;
  }

  /** Parses the elements up to a place, of which there must be some. */
  #take(top: Made, to: number): void {
    const piece = this.#text.slice(top.from, to);
    if (Array.isArray(top.value)) {
      const values = this.#whole(`[${piece}]`) as unknown[];
      if (values.length === 0) throw new NotStrict();
      for (const value of values) top.value.push(value);
      return;
    }
    const members = this.#whole(`{${piece}}`);
    if (!isObject(members)) throw new NotStrict();
    const keys = Object.keys(members);
    if (keys.length === 0) throw new NotStrict();
    for (const key of keys) putKey(top.value, key, valuesUnder(members, key));
  }

  #whole(piece: string): unknown {
    try {
      return this.#parse(piece);
    } catch {
      throw new NotStrict();
    }
  }

  #blank(from: number, to: number): void {
    if (!BLANK.test(this.#text.slice(from, to))) throw new NotStrict();
  }

  /** Where a string ends, behind its quote. */
  #endOfString(start: number): number {
    const text = this.#text;
    for (let at = start + 1; ; at++) {
      at = text.indexOf('"', at);
      if (at < 0) throw new NotStrict();
      let before = at - 1;
      while (text.charCodeAt(before) === BACKSLASH) before--;
      if ((at - before) % 2 === 1) return at + 1;
    }
  }

  /** Parses a long string in pieces if it is a value; one that is a key or all there is stays. */
  *#longString(start: number, end: number): Turns<void> {
    const text = this.#text;
    if (this.#starts.length === 0 || /^[ \t\r\n]*:/.test(text.slice(end, end + 100))) return;
    while (this.#made.length < this.#starts.length) this.#cut();
    const top = this.#made[this.#made.length - 1]!;
    if (this.#commas[this.#made.length - 1]! >= top.from) this.#cut();
    const key = this.#keyBefore(top, start);
    const pieces: string[] = [];
    for (let at = start + 1; at < end - 1; ) {
      const to = this.#pieceEnd(at, end - 1);
      pieces.push(this.#whole(`"${text.slice(at, to)}"`) as string);
      at = to;
      if (this.#work.isDue(PIECE_STEPS)) yield;
    }
    this.#put(key, pieces.join(''), end);
  }

  /** Where a piece of a string ends, which is not within an escape. */
  #pieceEnd(from: number, last: number): number {
    const to = Math.min(from + this.#piece, last);
    if (to === last) return to;
    for (let at = to - 1; at > to - 6; at--) {
      if (this.#text.charCodeAt(at) !== BACKSLASH) continue;
      let before = at;
      while (before > from && this.#text.charCodeAt(before - 1) === BACKSLASH) before--;
      // An even number of them stand for themselves.
      return (at - before) % 2 === 1 ? to : at;
    }
    return to;
  }
}

function putKey(object: JsonObject, key: string, values: readonly unknown[]): void {
  for (const value of values) {
    if (Object.hasOwn(object, key)) repeatKey(object, key, value);
    else putOwn(object, key, value);
  }
}
