/** JSON text that is put together from the values of a binary format. */
import { floatText } from '../mapping/javaNumbers.js';

/** Deeper values are not read. */
const MAX_DEPTH = 1000;
/** Characters; names and texts of some formats are short references to longer ones. */
const MAX_CHARS = 100 * 1024 * 1024;

/** Thrown where bytes are not of the format. */
export class BrokenFormat extends Error {}

/** Text that grows piece by piece. */
export class JsonText {
  #text = '';
  #depth = 0;

  add(piece: string): void {
    this.#text += piece;
    if (this.#text.length > MAX_CHARS) throw new BrokenFormat('too long');
  }

  /** An object or a list; `next` writes one more element, or says that there is none. */
  all(open: '{' | '[', next: () => boolean, separate: () => void): void {
    if (++this.#depth > MAX_DEPTH) throw new BrokenFormat('too deep');
    this.add(open);
    for (let first = true; next(); first = false) {
      if (!first) this.add(',');
      separate();
    }
    this.add(open === '{' ? '}' : ']');
    this.#depth--;
  }

  toString(): string {
    return this.#text;
  }
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
