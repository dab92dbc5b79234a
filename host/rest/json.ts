/**
 * Writes answers as 1.7 prints them: floats as Java prints floats, sources spliced in as they were sent, and on request
 * pretty: two spaces, `"key" : value`, a line feed at the end.
 */

import {
  BACKSLASH,
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
} from '../json/jsonSyntax.js';
import { Double, doubleText, Float, floatText, MAX_FLOAT_TEXT, writeFloat } from '../numbers/javaNumbers.js';
import { jsonText } from '../json/jsonText.js';
import { RawNumber } from '../json/values.js';

export { Double, Float, floatText };

/** Bytes that are JSON already, in one piece or in several. */
export class Raw {
  readonly pieces: readonly Uint8Array[];

  constructor(...pieces: readonly Uint8Array[]) {
    this.pieces = pieces;
  }
}

/** What can be written. Keys whose value is undefined are left out. */
export type Json =
  | null
  | boolean
  | number
  | bigint
  | string
  | Float
  | Double
  | Raw
  | RawNumber
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };

/** Whether a value is an object with keys. */
export function isJsonObject(value: Json | undefined): value is { readonly [key: string]: Json | undefined } {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Raw) &&
    !(value instanceof RawNumber) &&
    !(value instanceof Float) &&
    !(value instanceof Double)
  );
}

/** The bytes of a JSON value. */
export function writeJson(value: Json, pretty = false): Uint8Array {
  const out = new Writer(pretty);
  out.value(value, 0);
  return out.bytes(pretty ? '\n' : '');
}

/** The bytes of a value at a depth, unless they take more than so many further pages; texts and pieces that are long count like pages. */
export function writeShort(
  value: Json,
  pretty: boolean,
  pages: number,
  depth = 0,
  end = '',
): Uint8Array | undefined {
  const out = new Writer(pretty, pages);
  try {
    out.value(value, depth);
    return out.bytes(end);
  } catch (e) {
    if (e === TOO_LONG) return undefined;
    throw e;
  }
}

/** Elements of a list at a depth as they stand in it, without its ends: in a list they count as one. */
export function writeElements(elements: readonly Json[], pretty: boolean, depth: number): Raw {
  const out = new Writer(pretty);
  out.value(elements, depth);
  const margin = pretty ? 2 : 1;
  const bytes = out.bytes();
  return new Raw(bytes.subarray(margin, bytes.length - margin));
}

/** What a writer throws when it has no more pages. */
export const TOO_LONG: Error = new Error('the value is too long to be written at once');

const utf8 = new TextEncoder();
const PAGE_BYTES = 64 * 1024;
/** Answers are written behind one another, and leave as views when they fit; a page that is full is left to those. */
let page = new Uint8Array(PAGE_BYTES);
let used = 0;
/** With less room than this an answer begins a page of its own. */
const LEAST_ROOM = PAGE_BYTES / 4;
/** Larger pieces are not copied on their way. */
const LARGE_PIECE = PAGE_BYTES / 4;

const SPACE = 0x20;
const LINE_FEED = 0x0a;
const LAST_ASCII = 0x7e;
/** Texts of so many characters are copied one by one, which a call of the encoder costs more than. */
const SHORT_TEXT = 128;

/** Keys as they are written, quotes and all. There are few; what comes after so many is quoted each time. */
const quotedKeys = new Map<string, string>();
const MAX_QUOTED_KEYS = 4096;

/** A key as it is written. */
export function quotedKey(key: string): string {
  let quoted = quotedKeys.get(key);
  if (quoted === undefined) {
    quoted = JSON.stringify(key);
    if (quotedKeys.size < MAX_QUOTED_KEYS && key.length <= 64) quotedKeys.set(key, quoted);
  }
  return quoted;
}

/** Writes a value, or the parts of one. */
export class Writer {
  readonly #pretty: boolean;
  /** What came before the bytes that are in the page, if that is anything. */
  #chunks: Uint8Array[] | undefined;
  /** Where the bytes in the page begin and end. */
  #from: number;
  #at: number;

  /** How many pages may still be begun. */
  #pages: number;

  /** @param pages how many pages may be begun; {@link TOO_LONG} is thrown where there would be more */
  constructor(pretty: boolean, pages = Number.POSITIVE_INFINITY) {
    this.#pretty = pretty;
    this.#pages = pages;
    if (used > PAGE_BYTES - LEAST_ROOM) turnPage();
    this.#from = this.#at = used;
  }

  /** All that was written, with an end. */
  bytes(end = ''): Uint8Array {
    if (end !== '') this.text(end);
    if (this.#chunks === undefined) {
      used = this.#at;
      return page.subarray(this.#from, this.#at);
    }
    const chunks = this.#keep();
    const out = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
    let at = 0;
    for (const chunk of chunks) {
      out.set(chunk, at);
      at += chunk.length;
    }
    return out;
  }

  value(value: Json, depth: number): void {
    if (typeof value === 'string') this.string(value);
    else if (typeof value === 'number') this.text(number(value));
    else if (value === null) this.text('null');
    else if (typeof value === 'boolean') this.text(value ? 'true' : 'false');
    else if (typeof value === 'bigint') this.text(String(value));
    else if (Array.isArray(value)) this.#list(value as readonly Json[], depth);
    else if (value instanceof Raw) for (const piece of value.pieces) this.piece(piece);
    else if (value instanceof Float) this.float(value.value);
    else if (value instanceof Double) this.#double(value.value);
    else if (value instanceof RawNumber) this.text(jsonText(value));
    else this.#object(value as { readonly [key: string]: Json | undefined }, depth);
  }

  #object(object: { readonly [key: string]: Json | undefined }, depth: number): void {
    let first = true;
    this.#byte(OPEN_OBJECT);
    for (const key in object) {
      const each = object[key];
      if (each === undefined) continue;
      if (!first) this.#byte(COMMA);
      first = false;
      if (this.#pretty) this.#line(depth + 1);
      this.text(quotedKey(key));
      // 1.7 splices raw fields in without the blanks around the colon.
      if (this.#pretty && !(each instanceof Raw)) this.text(' : ');
      else this.#byte(COLON);
      this.value(each, depth + 1);
    }
    if (this.#pretty) {
      if (first) this.#byte(SPACE);
      else this.#line(depth);
    }
    this.#byte(CLOSE_OBJECT);
  }

  #list(list: readonly Json[], depth: number): void {
    this.#byte(OPEN_LIST);
    if (this.#pretty) this.#byte(SPACE);
    for (let i = 0; i < list.length; i++) {
      if (i > 0) {
        this.#byte(COMMA);
        if (this.#pretty) this.#byte(SPACE);
      }
      this.value(list[i]!, depth);
    }
    if (this.#pretty && list.length > 0) this.#byte(SPACE);
    this.#byte(CLOSE_LIST);
  }

  #line(depth: number): void {
    this.#byte(LINE_FEED);
    for (let i = 0; i < depth; i++) {
      this.#byte(SPACE);
      this.#byte(SPACE);
    }
  }

  /** A string with its quotes. */
  string(value: string): void {
    const { length } = value;
    if (length > SHORT_TEXT || !this.#hasRoom(length + 2)) {
      this.text(JSON.stringify(value));
      return;
    }
    let at = this.#at;
    page[at++] = QUOTE;
    for (let i = 0; i < length; i++) {
      const c = value.charCodeAt(i);
      if (c < SPACE || c > LAST_ASCII || c === QUOTE || c === BACKSLASH) {
        this.text(JSON.stringify(value));
        return;
      }
      page[at++] = c;
    }
    page[at++] = QUOTE;
    this.#at = at;
  }

  /** A text as it is. */
  text(text: string): void {
    const { length } = text;
    if (length <= SHORT_TEXT && this.#hasRoom(length)) {
      let at = this.#at;
      let i = 0;
      for (; i < length; i++) {
        const c = text.charCodeAt(i);
        if (c > LAST_ASCII) break;
        page[at++] = c;
      }
      if (i === length) {
        this.#at = at;
        return;
      }
    }
    if (length <= LARGE_PIECE && this.#hasRoom(3 * length)) {
      this.#at += utf8.encodeInto(text, page.subarray(this.#at)).written;
      return;
    }
    this.#count(length);
    this.#put(utf8.encode(text));
  }

  /** A 32-bit float. */
  float(value: number): void {
    const end = this.#hasRoom(MAX_FLOAT_TEXT) ? writeFloat(value, page, this.#at) : -1;
    if (end > 0) this.#at = end;
    else this.text(Number.isFinite(value) ? floatText(value) : `"${floatText(value)}"`);
  }

  /** Infinities are texts. */
  #double(value: number): void {
    this.text(Number.isFinite(value) ? doubleText(value) : `"${value}"`);
  }

  #byte(byte: number): void {
    if (this.#at === PAGE_BYTES) this.#turn();
    page[this.#at++] = byte;
  }

  /** Bytes as they are. */
  piece(piece: Uint8Array): void {
    if (piece.length <= LARGE_PIECE && this.#hasRoom(piece.length)) {
      page.set(piece, this.#at);
      this.#at += piece.length;
    } else {
      this.#count(piece.length);
      this.#put(piece);
    }
  }

  /** Makes room for that many bytes; whether there is. */
  #hasRoom(bytes: number): boolean {
    if (this.#at + bytes <= PAGE_BYTES) return true;
    if (bytes > PAGE_BYTES) return false;
    this.#turn();
    return true;
  }

  /** Counts what goes on behind the page, or in a new one. */
  #count(bytes = 0): void {
    this.#pages -= 1 + Math.floor(bytes / PAGE_BYTES);
    if (this.#pages < 0) throw TOO_LONG;
  }

  /** Goes on with a new page. */
  #turn(): void {
    this.#count();
    this.#keep();
    turnPage();
    this.#from = this.#at = 0;
  }

  /** Puts a chunk behind what has been written. */
  #put(chunk: Uint8Array): void {
    this.#keep().push(chunk);
  }

  #keep(): Uint8Array[] {
    this.#chunks ??= [];
    if (this.#at > this.#from) this.#chunks.push(page.subarray(this.#from, this.#at));
    this.#from = this.#at;
    return this.#chunks;
  }
}

function turnPage(): void {
  page = new Uint8Array(PAGE_BYTES);
  used = 0;
}

/** Integers stay integers up to 2^53; the rest prints as JavaScript prints it. */
function number(value: number): string {
  return Number.isFinite(value) ? String(value) : `"${value}"`;
}
