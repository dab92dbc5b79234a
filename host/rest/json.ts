/**
 * Writes answers as 1.7 prints them: floats as Java prints floats, sources spliced in as they were sent, and on request
 * pretty: two spaces, `"key" : value`, a line feed at the end.
 */

import { floatText } from '../mapping/javaNumbers.js';

export { floatText };

/** A 32-bit float; prints its shortest digits, always with a fraction: `1.0`, `1.0781991`. */
export class Float {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

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
  | string
  | Float
  | Raw
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };

/** The bytes of a JSON value. */
export function writeJson(value: Json, pretty = false): Uint8Array {
  const out = new Writer(pretty);
  out.value(value, 0);
  return out.bytes(pretty ? '\n' : '');
}

const utf8 = new TextEncoder();
/** Text is turned into bytes when there is this much of it. */
const CHUNK_CHARS = 64 * 1024;

class Writer {
  readonly #pretty: boolean;
  readonly #chunks: Uint8Array[] = [];
  #text = '';

  constructor(pretty: boolean) {
    this.#pretty = pretty;
  }

  bytes(end: string): Uint8Array {
    this.#text += end;
    if (this.#chunks.length === 0) return utf8.encode(this.#text);
    this.#flush();
    const out = new Uint8Array(this.#chunks.reduce((sum, chunk) => sum + chunk.length, 0));
    let at = 0;
    for (const chunk of this.#chunks) {
      out.set(chunk, at);
      at += chunk.length;
    }
    return out;
  }

  value(value: Json, depth: number): void {
    if (value === null) this.#text += 'null';
    else if (typeof value === 'string') this.#text += JSON.stringify(value);
    else if (typeof value === 'number') this.#text += number(value);
    else if (typeof value === 'boolean') this.#text += value ? 'true' : 'false';
    else if (value instanceof Float)
      this.#text += Number.isFinite(value.value) ? floatText(value.value) : `"${floatText(value.value)}"`;
    else if (value instanceof Raw) this.#raw(value.pieces);
    else if (Array.isArray(value)) this.#list(value as readonly Json[], depth);
    else this.#object(value as { readonly [key: string]: Json | undefined }, depth);
  }

  #object(object: { readonly [key: string]: Json | undefined }, depth: number): void {
    let first = true;
    this.#text += '{';
    for (const key in object) {
      const each = object[key];
      if (each === undefined) continue;
      if (!first) this.#text += ',';
      first = false;
      if (this.#pretty) this.#line(depth + 1);
      this.#text += JSON.stringify(key);
      // 1.7 splices raw fields in without the blanks around the colon.
      this.#text += this.#pretty && !(each instanceof Raw) ? ' : ' : ':';
      this.value(each, depth + 1);
    }
    if (this.#pretty) {
      if (first) this.#text += ' ';
      else this.#line(depth);
    }
    this.#text += '}';
  }

  #list(list: readonly Json[], depth: number): void {
    const blank = this.#pretty ? ' ' : '';
    this.#text += `[${blank}`;
    list.forEach((each, i) => {
      if (i > 0) this.#text += `,${blank}`;
      this.value(each, depth);
      this.#relieve();
    });
    this.#text += list.length > 0 ? `${blank}]` : ']';
  }

  /** A text that is put together of many pieces takes far more than its bytes. */
  #relieve(): void {
    if (this.#text.length > CHUNK_CHARS) this.#flush();
  }

  #line(depth: number): void {
    this.#text += `\n${'  '.repeat(depth)}`;
  }

  #raw(pieces: readonly Uint8Array[]): void {
    this.#flush();
    for (const piece of pieces) this.#chunks.push(piece);
  }

  #flush(): void {
    if (this.#text !== '') this.#chunks.push(utf8.encode(this.#text));
    this.#text = '';
  }
}

/** Integers stay integers up to 2^53; the rest prints as JavaScript prints it. */
function number(value: number): string {
  return Number.isFinite(value) ? String(value) : `"${value}"`;
}
