/** Numbers and terms, little endian, one after the other: what plans are made of. */

import { ElasticsearchError, illegalArgument } from '../errors.js';

/** Where plans are written: one is used over and over, and what larger plans have made of it goes with them. */
interface Scratch {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly view: DataView<ArrayBuffer>;
}

const SCRATCH_BYTES = 4096;
/** Most bytes of a plan: what shards are asked is copied for each of them. */
const MOST_BYTES = 64 * 1024 * 1024;
/** Nobody writes into it now. */
let spare: Scratch | undefined;

function scratchOf(length: number): Scratch {
  const bytes = new Uint8Array(length);
  return { bytes, view: new DataView(bytes.buffer) };
}

/** Short plans share a buffer with others: one of its own costs more than they do. It is small, so that one that is kept keeps little. */
const SHARED_BYTES = 4096;
const MOST_SHARED = 512;
let shared = new Uint8Array(SHARED_BYTES);
let taken = 0;

function copyOf(bytes: Uint8Array<ArrayBuffer>, length: number): Uint8Array {
  if (length > MOST_SHARED) return bytes.slice(0, length);
  if (taken + length > SHARED_BYTES) {
    shared = new Uint8Array(SHARED_BYTES);
    taken = 0;
  }
  taken += length;
  const copy = shared.subarray(taken - length, taken);
  for (let i = 0; i < length; i++) copy[i] = bytes[i]!;
  return copy;
}

export class PlanBytes {
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView<ArrayBuffer>;
  #length = 0;

  constructor() {
    const { bytes, view } = spare ?? scratchOf(SCRATCH_BYTES);
    spare = undefined;
    this.#bytes = bytes;
    this.#view = view;
  }

  /** How many bytes have been written. */
  get length(): number {
    return this.#length;
  }

  /** What has been written; no more can be. */
  bytes(): Uint8Array {
    const written = copyOf(this.#bytes, this.#length);
    if (this.#bytes.length === SCRATCH_BYTES) spare = { bytes: this.#bytes, view: this.#view };
    return written;
  }

  term(term: Uint8Array): void {
    if (term.length > 0xffff) throw tooComplex('a term of more than 65535 bytes');
    this.u16(term.length);
    this.put(term);
  }

  put(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  u8(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  u16(value: number): void {
    this.#reserve(2);
    this.#view.setUint16(this.#length, value, true);
    this.#length += 2;
  }

  u32(value: number): void {
    this.#reserve(4);
    this.#view.setUint32(this.#length, value, true);
    this.#length += 4;
  }

  /** Writes over four bytes. */
  u32At(at: number, value: number): void {
    this.#view.setUint32(at, value, true);
  }

  f32(value: number): void {
    if (!Number.isFinite(Math.fround(value))) throw illegalArgument(`a boost of [${value}] is too large`);
    this.#reserve(4);
    this.#view.setFloat32(this.#length, value, true);
    this.#length += 4;
  }

  f64(value: number): void {
    this.#reserve(8);
    this.#view.setFloat64(this.#length, value, true);
    this.#length += 8;
  }

  i64(value: bigint): void {
    this.#reserve(8);
    this.#view.setBigInt64(this.#length, value, true);
    this.#length += 8;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    if (this.#length + more > MOST_BYTES) throw tooComplex(`a plan of more than ${MOST_BYTES} bytes`);
    const { bytes, view } = scratchOf(Math.min(MOST_BYTES, 2 * this.#bytes.length + more));
    bytes.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = bytes;
    this.#view = view;
  }
}

/** The length of a list that is written with 16 bits. */
export function count(list: readonly unknown[]): number {
  if (list.length > 0xffff) throw tooComplex('more than 65535 parts in one place');
  return list.length;
}

/** Refuses a plan that the core would refuse. */
export function tooComplex(why: string): ElasticsearchError {
  return new ElasticsearchError('QueryParsingException', `[_na] query is too complex: ${why}`, {
    isLimit: true,
  });
}
