/**
 * Checksums of rows, which the store on disk puts behind their values: four bytes, little endian, the XXH32 of the value with the
 * FNV-1a of the key as its seed and the two topmost bits set. Rows of older servers have none, but for kind z, which these don't know. They
 * are told apart by what no row with a checksum has:
 *
 *     d        the first byte is 1, not 2 or 3
 *     i        6 or 24 bytes, not 10 or 28
 *     k b g    a length that is a multiple of 8, not 4 more than that
 *     c t m    the last byte is one that ends a text in UTF-8: it is below 192
 *
 * The node's metadata never has one: older servers read from it that they can't read the rest.
 */

import { CHECKED_FORMAT, FORMAT } from './documentFormat.js';
import { DamagedRow } from './storage.js';
import { xxh32 } from './xxh32.js';

/** The length of a checksum. */
export const CHECKSUM_BYTES = 4;

const TOP_BITS = 0xc000_0000 | 0;
/** Bytes that end a text in UTF-8 are below. */
const FIRST_OF_SEVERAL = 0xc0;
const FNV_OFFSET = 0x811c9dc5 | 0;
const FNV_PRIME = 0x01000193;

const [D, I, K, B, G, C, T, Z, M, N] = Array.from('dikbgctzmn', (kind) => kind.charCodeAt(0));

/** Whether rows of a key have a checksum now, `length` bytes from `at` on. */
function isChecked(key: Uint8Array, at: number, length: number): boolean {
  switch (key[at]) {
    case D:
    case I:
    case K:
    case B:
    case G:
    case C:
    case T:
    case Z:
      return true;
    case M:
      return length !== 2 || key[at + 1] !== N;
    default:
      return false;
  }
}

/** Whether a row is one of an older server's. */
function isOld(kind: number, bytes: Uint8Array, at: number, length: number): boolean {
  switch (kind) {
    case D:
      return bytes[at] === FORMAT;
    case I:
      return length === 6 || length === 24;
    case K:
    case B:
    case G:
      return length % 8 === 0;
    case Z:
      return false;
    default:
      return length > 0 && bytes[at + length - 1]! < FIRST_OF_SEVERAL;
  }
}

/** Writes the checksum of a row behind its value, where there is room for it; returns where the row ends then. */
export function putChecksum(
  bytes: Uint8Array,
  view: DataView,
  keyAt: number,
  valueAt: number,
  end: number,
): number {
  if (!isChecked(bytes, keyAt, valueAt - keyAt)) return end;
  if (bytes[keyAt] === D && bytes[valueAt] === FORMAT) bytes[valueAt] = CHECKED_FORMAT;
  view.setInt32(end, xxh32(view, valueAt, end, seedOf(bytes, keyAt, valueAt)) | TOP_BITS, true);
  return end + CHECKSUM_BYTES;
}

/** A seed that is another for other keys; they are short. */
function seedOf(key: Uint8Array, from: number, to: number): number {
  let hash = FNV_OFFSET;
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ key[i]!, FNV_PRIME);
  return hash;
}

/**
 * The length of the value of a row that was read, without its checksum if it has one.
 * @param view of the same buffer as `bytes`, from its beginning
 * @throws DamagedRow if the checksum is another
 */
export function checkedLength(key: Uint8Array, bytes: Uint8Array, view: DataView): number {
  const { byteOffset: at, length } = bytes;
  if (!isChecked(key, 0, key.length) || isOld(key[0]!, bytes, 0, length)) return length;
  const end = at + length - CHECKSUM_BYTES;
  const isSound =
    end >= at && view.getInt32(end, true) === (xxh32(view, at, end, seedOf(key, 0, key.length)) | TOP_BITS);
  if (!isSound) throw new DamagedRow(key, bytes);
  return length - CHECKSUM_BYTES;
}

/** Makes a value whose row was checked what was put. */
export function asPut(key: Uint8Array, value: Uint8Array): Uint8Array {
  if (key[0] === D && value[0] === CHECKED_FORMAT) value[0] = FORMAT;
  return value;
}
