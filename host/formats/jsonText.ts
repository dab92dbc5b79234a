/** JSON text that is put together from the values of a binary format. */
import { floatText } from '../numbers/javaNumbers.js';
import { MAX_JSON_DEPTH } from '../json/jsonDepth.js';

/** Bytes of the text; names and texts of some formats are short references to longer ones. */
const MAX_BYTES = 100 * 1024 * 1024;
/** Characters that are encoded together. */
const PIECE = 16 * 1024;
const utf8 = new TextEncoder();

/** Thrown where bytes are not of the format. */
export class BrokenFormat extends Error {}

/** Told of bytes that are about to be kept; throws when that is too much. */
export type Weigh = (bytes: number) => void;

/** Text that grows piece by piece. What has been written is kept as bytes, which a string of many pieces takes a multiple of. */
export class JsonText {
  readonly #weigh: Weigh;
  #text = '';
  readonly #pieces: Uint8Array[] = [];
  #length = 0;
  #depth = 0;

  constructor(weigh: Weigh = () => {}) {
    this.#weigh = weigh;
  }

  add(piece: string): void {
    this.#text += piece;
    if (this.#text.length >= PIECE) this.#keep();
  }

  /** An object or a list; `next` writes one more element, or says that there is none. */
  all(open: '{' | '[', next: () => boolean, separate: () => void): void {
    if (++this.#depth > MAX_JSON_DEPTH) throw new BrokenFormat('too deep');
    this.add(open);
    for (let first = true; next(); first = false) {
      if (!first) this.add(',');
      separate();
    }
    this.add(open === '{' ? '}' : ']');
    this.#depth--;
  }

  /** All of it. */
  bytes(): Uint8Array {
    this.#keep();
    return joined(this.#pieces);
  }

  /** Makes bytes of what is still text. */
  #keep(): void {
    const piece = utf8.encode(this.#text);
    this.#text = '';
    this.#length += piece.length;
    if (this.#length > MAX_BYTES) throw new BrokenFormat('too long');
    // The piece, and its place in the whole.
    this.#weigh(2 * piece.length);
    this.#pieces.push(piece);
  }
}

/** Bytes one after the other. */
export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    out.set(piece, at);
    at += piece.length;
  }
  return out;
}

/** A double, which stays one; what JSON has no number for is a string, as in 1.7. */
export function doubleText(value: number): string {
  if (!Number.isFinite(value)) return `"${value}"`;
  if (Object.is(value, -0)) return '-0.0';
  return Number.isInteger(value) && Math.abs(value) < 1e21 ? value.toFixed(1) : String(value);
}

/** The same of a 32-bit float. */
export function singleText(value: number): string {
  return Number.isFinite(value) ? floatText(value) : `"${value}"`;
}

/** Bytes as a string of their base 64. */
export function base64Text(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return `"${btoa(binary)}"`;
}

/** A whole number of any size, its most significant byte first. */
export function wholeOf(bytes: Uint8Array): bigint {
  let hex = '0x0';
  for (const byte of bytes) hex += byte.toString(16).padStart(2, '0');
  return BigInt(hex);
}
