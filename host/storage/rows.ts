/**
 * Rows on their way to the store, all in one buffer: a bulk brings thousands at a time, and an object for every key and every value
 * costs more than to fill them in.
 *
 *     bytes    key value checksum  key value checksum  ...     one row behind the other; there is room for checksums, which the store puts
 *     bounds   u32 where the key begins, u32 where the value begins; of each row. It ends where the next one begins
 */
import { CHECKSUM_BYTES } from './rowChecksums.js';
import type { Entry, Puts } from './storage.js';

const FIRST_BYTES = 1024;
const FIRST_ROWS = 8;
/** Buffers that are used again: at most so many, and none that is larger. */
const MOST_SPARE = 4;
const SPARE_BYTES = 16 * 1024 * 1024;
/** Smaller ones are made faster than they are kept. */
const LEAST_SPARE_BYTES = 256 * 1024;

const spare: Uint8Array<ArrayBuffer>[] = [];

/** Rows that are added one by one, and then written. */
export class Rows implements Puts {
  #bytes: Uint8Array<ArrayBuffer> = new Uint8Array(FIRST_BYTES);
  #view = new DataView(this.#bytes.buffer);
  #bounds = new Uint32Array(2 * FIRST_ROWS + 1);
  #length = 0;
  #end = 0;
  #longestKey = 0;

  /** Rows as they are given. */
  static of(entries: Iterable<Entry>): Rows {
    const rows = new Rows();
    for (const [key, value] of entries) rows.push(key, value);
    return rows;
  }

  /** How many rows there are. */
  get length(): number {
    return this.#length;
  }

  /** Of all keys and values together. */
  get byteLength(): number {
    return this.#end;
  }

  get longestKey(): number {
    return this.#longestKey;
  }

  /** Where the rows are; it is another one after a row was added. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes;
  }

  get view(): DataView {
    return this.#view;
  }

  /** Where the key of a row begins. */
  keyAt(row: number): number {
    return this.#bounds[2 * row]!;
  }

  /** Where its value begins, behind its key. */
  valueAt(row: number): number {
    return this.#bounds[2 * row + 1]!;
  }

  /** Where its value ends; behind that is room for a checksum. */
  endOf(row: number): number {
    return this.#bounds[2 * row + 2]! - CHECKSUM_BYTES;
  }

  /** Adds a row, whose bytes the caller fills in; returns where its key begins. */
  add(keyBytes: number, valueBytes: number): number {
    const at = this.#end;
    const value = at + keyBytes;
    const end = value + valueBytes + CHECKSUM_BYTES;
    const row = 2 * this.#length;
    if (end > this.#bytes.length) this.#grow(end);
    if (row + 2 >= this.#bounds.length) this.#growBounds();
    this.#bounds[row + 1] = value;
    this.#bounds[row + 2] = end;
    this.#length++;
    this.#end = end;
    if (keyBytes > this.#longestKey) this.#longestKey = keyBytes;
    return at;
  }

  /** Adds a row that there is already. */
  push(key: Uint8Array, value: Uint8Array): void {
    const at = this.add(key.length, value.length);
    this.#bytes.set(key, at);
    this.#bytes.set(value, at + key.length);
  }

  /** The value of a row, whoever has the rows. */
  valueOf(row: number): Uint8Array {
    return this.#bytes.slice(this.valueAt(row), this.endOf(row));
  }

  *[Symbol.iterator](): Generator<Entry, void, undefined> {
    for (let row = 0; row < this.#length; row++)
      yield [this.#bytes.slice(this.keyAt(row), this.valueAt(row)), this.valueOf(row)];
  }

  /** Gives the memory to rows to come; nobody may read these any more. */
  release(): void {
    const { length } = this.#bytes;
    if (spare.length < MOST_SPARE && length >= LEAST_SPARE_BYTES && length <= SPARE_BYTES)
      spare.push(this.#bytes);
    this.#bytes = new Uint8Array(0);
    this.#length = this.#end = 0;
  }

  #grow(needed: number): void {
    const bytes = roomFor(Math.max(needed, 2 * this.#bytes.length));
    bytes.set(this.#bytes.subarray(0, this.#end));
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
  }

  #growBounds(): void {
    const bounds = new Uint32Array(2 * this.#bounds.length);
    bounds.set(this.#bounds);
    this.#bounds = bounds;
  }
}

/** A buffer of that many bytes or more; rows that have come to so many soon have more. */
function roomFor(bytes: number): Uint8Array<ArrayBuffer> {
  const at = bytes < LEAST_SPARE_BYTES ? -1 : spare.findIndex(({ length }) => length >= bytes);
  return at < 0 ? new Uint8Array(bytes) : spare.splice(at, 1)[0]!;
}
