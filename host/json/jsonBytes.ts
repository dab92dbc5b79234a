/**
 * Reads JSON from its bytes, value by value. What it takes is JSON and nothing else, and each value is what `JSON.parse` makes of the
 * decoded text; but it doubts easily: whatever is rare, or may be no JSON at all, is {@link BAILOUT}, for others to read again.
 */

import { decodeUtf8 } from '../text/utf8.js';
import { MAX_JSON_DEPTH } from './jsonDepth.js';
import {
  BACKSLASH,
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
} from './jsonSyntax.js';
import { mayRepeatKeys } from './repeatedKeys.js';

/** Thrown where a text must be read by other means. */
export const BAILOUT = Symbol('bailout');

/** Digits of whole numbers that are summed up as they are read. */
const MOST_DIGITS = 15;

/** What a byte is inside a string: plain, or of those that end the run of plain bytes. */
const PLAIN = 0;
const CLASS = new Uint8Array(256).map((_, byte) =>
  byte < 0x20 || byte >= 0x80 || byte === QUOTE || byte === BACKSLASH ? 1 : PLAIN,
);

/** What stands behind a backslash for one unit; 0 for everything else. */
const ESCAPED = new Uint8Array(256);
for (const [name, unit] of ['""', '\\\\', '//', 'b\b', 'f\f', 'n\n', 'r\r', 't\t'])
  ESCAPED[name!.charCodeAt(0)] = unit!.charCodeAt(0);

/** A place in a text. */
export class JsonBytes {
  #bytes: Uint8Array = new Uint8Array(0);
  /** The buffer of the bytes, and where they begin in it. */
  #view: DataView = new DataView(new ArrayBuffer(0));
  #base = 0;
  /** The next byte to read. */
  at = 0;

  /** Begins a text, which may stand within others. */
  start(bytes: Uint8Array, from = 0): void {
    this.#bytes = bytes;
    this.#base = bytes.byteOffset;
    if (this.#view.buffer !== bytes.buffer) this.#view = new DataView(bytes.buffer);
    this.at = from;
  }

  /** How many bytes are left. */
  get left(): number {
    return this.#bytes.length - this.at;
  }

  /** The first byte of the next token, which is not read yet. */
  peek(): number {
    const bytes = this.#bytes;
    let byte = bytes[this.at];
    while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) byte = bytes[++this.at];
    if (byte === undefined) throw BAILOUT;
    return byte;
  }

  /** Reads that byte. */
  expect(byte: number): void {
    if (this.peek() !== byte) throw BAILOUT;
    this.at++;
  }

  /** Begins an object or a list, whose first byte is the next; false if it is empty, and read. */
  open(close: number): boolean {
    this.at++;
    if (this.peek() !== close) return true;
    this.at++;
    return false;
  }

  /** Behind a value of an object or a list: whether another follows. */
  more(close: number): boolean {
    const byte = this.peek();
    this.at++;
    if (byte === COMMA) return true;
    if (byte === close) return false;
    throw BAILOUT;
  }

  /** The text, which ends before `to`, has nothing more. */
  end(to = this.#bytes.length): void {
    const bytes = this.#bytes;
    if (this.at > to) throw BAILOUT;
    for (; this.at < to; this.at++) {
      const byte = bytes[this.at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) throw BAILOUT;
    }
  }

  /** Reads a key that is made of these bytes, and the colon; false if it is another, which is not read. */
  isKey(name: Uint8Array): boolean {
    const bytes = this.#bytes;
    const from = this.at + 1;
    const end = from + name.length;
    if (bytes[this.at] !== QUOTE || bytes[end] !== QUOTE) return false;
    for (let i = 0; i < name.length; i++) if (bytes[from + i] !== name[i]) return false;
    this.at = end + 1;
    this.expect(COLON);
    return true;
  }

  /** The key that comes next, which is not read. */
  key(): string {
    const from = this.at;
    if (this.peek() !== QUOTE) throw BAILOUT;
    const key = this.string();
    this.at = from;
    return key;
  }

  /** Any value; one that is nested more deeply than `deepest` is doubtful. */
  value(deepest = MAX_JSON_DEPTH): unknown {
    const first = this.peek();
    return first === OPEN_OBJECT || first === OPEN_LIST ? this.#whole(deepest) : this.scalar();
  }

  /** A value that is no object and no list. */
  scalar(): string | number | boolean | null {
    switch (this.peek()) {
      case QUOTE:
        return this.string();
      case 0x74:
        return this.#literal('true', true);
      case 0x66:
        return this.#literal('false', false);
      case 0x6e:
        return this.#literal('null', null);
      default:
        return this.#number();
    }
  }

  /** A string, whose quote is the next byte. */
  string(): string {
    const bytes = this.#bytes;
    const from = this.at + 1;
    let at = from;
    while (CLASS[bytes[at]!] === PLAIN) at++;
    if (bytes[at] === QUOTE) {
      this.at = at + 1;
      return decodeUtf8(bytes, from, at);
    }
    let isPlain = true;
    for (; bytes[at] !== QUOTE; at++) {
      const byte = bytes[at];
      if (byte === undefined || byte < 0x20) throw BAILOUT;
      if (byte !== BACKSLASH) continue;
      isPlain = false;
      at++;
    }
    this.at = at + 1;
    if (isPlain) return decodeUtf8(bytes, from, at);
    return parse(decodeUtf8(bytes, from - 1, at + 1)) as string;
  }

  /**
   * Copies a string, whose quote is the next byte, as UTF-8; returns where it ends in `into`, which has room for as many bytes as
   * are left of the text, and four more.
   */
  copyString(into: DataView, start: number): number {
    const bytes = this.#bytes;
    const view = this.#view;
    const base = this.#base;
    const lastFour = bytes.length - 4;
    let at = this.at + 1;
    let to = start;
    for (;;) {
      while (at <= lastFour) {
        const four = view.getUint32(base + at, true);
        if (hasSpecial(four)) break;
        into.setUint32(to, four, true);
        at += 4;
        to += 4;
      }
      let byte = bytes[at]!;
      while (CLASS[byte] === PLAIN) {
        into.setUint8(to++, byte);
        byte = bytes[++at]!;
      }
      if (byte === QUOTE) break;
      if (byte === BACKSLASH) {
        const unit = ESCAPED[bytes[at + 1]!]!;
        if (unit > 0) {
          into.setUint8(to++, unit);
          at += 2;
        } else {
          const point = this.#escapedPoint(at);
          at += point > 0xffff ? 12 : 6;
          to = putPoint(into, to, point);
        }
      } else {
        const length = this.#sequence(at);
        for (let i = 0; i < length; i++) into.setUint8(to + i, bytes[at + i]!);
        to += length;
        at += length;
      }
    }
    this.at = at + 1;
    return to;
  }

  /** The code point of an escape, or of two that are halves of one. */
  #escapedPoint(at: number): number {
    const unit = this.#escapedUnit(at);
    if (unit < 0xd800 || unit > 0xdfff) return unit;
    const low = unit < 0xdc00 ? this.#escapedUnit(at + 6) : 0;
    if (low < 0xdc00 || low > 0xdfff) throw BAILOUT;
    return 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
  }

  #escapedUnit(at: number): number {
    const bytes = this.#bytes;
    if (bytes[at] !== BACKSLASH || bytes[at + 1] !== 0x75) throw BAILOUT;
    let unit = 0;
    for (let i = at + 2; i < at + 6; i++) unit = unit * 16 + hexOf(bytes[i]!);
    return unit;
  }

  /** How many bytes a code point beyond ASCII has, which must be UTF-8 as it should be. */
  #sequence(at: number): number {
    const bytes = this.#bytes;
    const first = bytes[at];
    const second = bytes[at + 1]!;
    if (first === undefined || first < 0xc2 || first > 0xf4) throw BAILOUT;
    const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
    const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
    if (!(second >= low && second <= high)) throw BAILOUT;
    for (let i = 2; i < length; i++) if ((bytes[at + i]! & 0xc0) !== 0x80) throw BAILOUT;
    return length;
  }

  #literal<T>(text: string, value: T): T {
    for (let i = 0; i < text.length; i++) if (this.#bytes[this.at + i] !== text.charCodeAt(i)) throw BAILOUT;
    this.at += text.length;
    return value;
  }

  #number(): number {
    const bytes = this.#bytes;
    const from = this.at;
    let at = from;
    let value = 0;
    let digit = bytes[at]! - 0x30;
    while (digit >= 0 && digit <= 9) {
      value = 10 * value + digit;
      digit = bytes[++at]! - 0x30;
    }
    const isLeadingZero = bytes[from] === 0x30 && at - from > 1;
    if (at > from && at - from <= MOST_DIGITS && !isLeadingZero && isBehindNumber(bytes[at])) {
      this.at = at;
      return value;
    }
    while (!isBehindNumber(bytes[at])) at++;
    const text = decodeUtf8(bytes, from, at);
    if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(text)) throw BAILOUT;
    this.at = at;
    return Number(text);
  }

  /** An object or a list, whose bracket is the next byte. */
  #whole(deepest: number): unknown {
    const bytes = this.#bytes;
    const from = this.at;
    let depth = 0;
    let at = from;
    do {
      const byte = bytes[at];
      if (byte === undefined) throw BAILOUT;
      if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        if (++depth > deepest) throw BAILOUT;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) depth--;
      else if (byte === QUOTE) {
        for (at++; bytes[at] !== QUOTE; at++) {
          if (bytes[at] === undefined) throw BAILOUT;
          if (bytes[at] === BACKSLASH) at++;
        }
      }
      at++;
    } while (depth > 0);
    this.at = at;
    const text = decodeUtf8(bytes, from, at);
    const value = parse(text);
    if (mayRepeatKeys(text, value)) throw BAILOUT;
    return value;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw BAILOUT;
  }
}

function hexOf(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const low = byte | 0x20;
  if (low >= 0x61 && low <= 0x66) return low - 0x57;
  throw BAILOUT;
}

function putPoint(into: DataView, at: number, point: number): number {
  let to = at;
  if (point < 0x80) {
    into.setUint8(to++, point);
    return to;
  }
  if (point < 0x800) into.setUint8(to++, 0xc0 | (point >> 6));
  else {
    if (point < 0x10000) into.setUint8(to++, 0xe0 | (point >> 12));
    else {
      into.setUint8(to++, 0xf0 | (point >> 18));
      into.setUint8(to++, 0x80 | ((point >> 12) & 0x3f));
    }
    into.setUint8(to++, 0x80 | ((point >> 6) & 0x3f));
  }
  into.setUint8(to++, 0x80 | (point & 0x3f));
  return to;
}

/** Whether one of four bytes is not plain. */
function hasSpecial(four: number): boolean {
  const quotes = four ^ 0x22222222;
  const backslashes = four ^ 0x5c5c5c5c;
  const found =
    ((quotes - 0x01010101) & ~quotes) |
    ((backslashes - 0x01010101) & ~backslashes) |
    ((four - 0x20202020) & ~four) |
    four;
  return (found & 0x80808080) !== 0;
}

/** Whether a byte may stand behind a number; also the end of the text. */
function isBehindNumber(byte: number | undefined): boolean {
  switch (byte) {
    case undefined:
    case COMMA:
    case CLOSE_OBJECT:
    case CLOSE_LIST:
    case 0x20:
    case 0x0a:
    case 0x0d:
    case 0x09:
      return true;
    default:
      return false;
  }
}
