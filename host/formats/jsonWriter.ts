/** JSON text that is put together from the values of a binary format. */
import { floatText } from '../numbers/javaNumbers.js';
import { MAX_JSON_DEPTH } from '../json/jsonDepth.js';
import type { IsDue } from '../passes.js';
import type { Turns } from '../workLimit.js';

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
export class JsonWriter {
  readonly #weigh: Weigh;
  #text = '';
  readonly #pieces: Uint8Array[] = [];
  #length = 0;

  constructor(weigh: Weigh = () => {}) {
    this.#weigh = weigh;
  }

  add(piece: string): void {
    this.#text += piece;
    if (this.#text.length >= PIECE) this.#keep();
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

/** A list or an object of a binary format. */
export interface Container {
  isObject: boolean;
  /** Whether there is one more element; called before each, and once behind the last. */
  hasNext: () => boolean;
}

/** Reads a binary format from front to back. */
export interface BinaryReader {
  /** The text of the value that begins here, or the container of which the elements follow. */
  value(): string | Container;
  /** The text of the name that begins here. */
  name(): string;
}

/** Steps of a work limit for a value. */
const VALUE_STEPS = 3;

/** The value that a reader has before it, as JSON. */
export function* jsonOf(reader: BinaryReader, weigh?: Weigh, isDue: IsDue = () => false): Turns<Uint8Array> {
  const out = new JsonWriter(weigh);
  const open: { container: Container; isFirst: boolean }[] = [];
  for (;;) {
    const value = reader.value();
    if (typeof value === 'string') out.add(value);
    else {
      if (open.push({ container: value, isFirst: true }) > MAX_JSON_DEPTH) throw new BrokenFormat('too deep');
      out.add(value.isObject ? '{' : '[');
    }
    for (;;) {
      const around = open.at(-1);
      if (around === undefined) return out.bytes();
      const { isObject, hasNext } = around.container;
      if (hasNext()) {
        if (!around.isFirst) out.add(',');
        around.isFirst = false;
        if (isObject) out.add(`${reader.name()}:`);
        break;
      }
      out.add(isObject ? '}' : ']');
      open.pop();
    }
    if (isDue(VALUE_STEPS)) yield;
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
