/**
 * Sources of documents as LZ4 blocks, made with a dictionary: pieces of 65,536 bytes of the source, and one for the rest.
 *
 *     varint, block    of all pieces but the last: bytes of the block, the block
 *     block            of the last one: it ends where the row does
 */
import { type Dictionary, MOST_TEXT_BYTES } from './dictionary.js';
import { compress, decompress } from './lz4.js';
import { MalformedRow, putVarint, varintAt, varintBytes, varintEnd } from './varints.js';

/** Shorter sources aren't worth a call. */
const LEAST_BYTES = 48;
/** A byte of a block stands for so many of the text at most. */
const MOST_EXPANSION = 255;
/** Sources share their buffers: one of its own costs more than a small source. */
const SLAB_BYTES = 64 * 1024;
const SHARED_BYTES = SLAB_BYTES / 8;

let slab = new ArrayBuffer(0);
let slabUsed = 0;

/** The packed form of a source, valid until the next call; undefined where it takes no less room. */
export function packSource(dictionary: Dictionary, source: Uint8Array): Uint8Array | undefined {
  const { length } = source;
  if (length < LEAST_BYTES) return undefined;
  if (length > MOST_TEXT_BYTES) return packPieces(dictionary, source);
  const block = compress(dictionary, source);
  return block.length < length ? block : undefined;
}

function packPieces(dictionary: Dictionary, source: Uint8Array): Uint8Array | undefined {
  const { length } = source;
  const packed = new Uint8Array(length);
  let at = 0;
  for (let from = 0; from < length; from += MOST_TEXT_BYTES) {
    const block = compress(dictionary, source.subarray(from, from + MOST_TEXT_BYTES));
    if (at + varintBytes(block.length) + block.length >= length) return undefined;
    if (from + MOST_TEXT_BYTES < length) at = putVarint(packed, at, block.length);
    packed.set(block, at);
    at += block.length;
  }
  return packed.subarray(0, at);
}

/** The source of so many bytes that is packed from `at` to the end of a row. Throws {@link MalformedRow} where none is. */
export function unpackSource(
  dictionary: Dictionary,
  row: Uint8Array,
  at: number,
  length: number,
): Uint8Array {
  if (length > MOST_EXPANSION * (row.length - at)) throw malformed();
  const source = roomFor(length);
  if (length <= MOST_TEXT_BYTES) {
    if (!decompress(dictionary, row.subarray(at), source)) throw malformed();
    return source;
  }
  let from = at;
  for (let to = 0; to < length; to += MOST_TEXT_BYTES) {
    let end = row.length;
    if (to + MOST_TEXT_BYTES < length) {
      const bytes = varintAt(row, from);
      from = varintEnd();
      end = from + bytes;
      if (end > row.length) throw malformed();
    }
    if (!decompress(dictionary, row.subarray(from, end), source.subarray(to, to + MOST_TEXT_BYTES)))
      throw malformed();
    from = end;
  }
  return source;
}

function malformed(): MalformedRow {
  return new MalformedRow('the source of a document is not what was packed');
}

function roomFor(length: number): Uint8Array {
  if (length > SHARED_BYTES) return new Uint8Array(length);
  if (slabUsed + length > slab.byteLength) {
    slab = new ArrayBuffer(SLAB_BYTES);
    slabUsed = 0;
  }
  slabUsed += length;
  return new Uint8Array(slab, slabUsed - length, length);
}
