import { xxh64 } from '../codec/xxh64';
import { COLUMN_ENTRY_BYTES, isColumn } from '../docvalues/column';
import { BLOCK_TERMS } from '../terms/dictionary';
import {
  CHECKSUM_FROM,
  FIELD_ENTRY_BYTES,
  FIELD_FREQS,
  FIELD_INVERTED,
  FIELD_NORMS,
  FIELD_POSITIONS,
  FieldEntry,
  FORMAT_VERSION,
  HEADER_BYTES,
  MAGIC,
  OLDEST_VERSION,
} from './segment';

/**
 * Whether bytes are a segment's image: header, checksum, and the bounds of all tables. What the tables point into is checked
 * where it is read.
 */

/** Where the header's zeros begin, in format 1 and since. */
const HEADER_END_1: u32 = 52;
const HEADER_END: u32 = 60;
const MAX_EXCESS_BITS: u32 = 56;
const EXCESS_PADDING: u32 = 8;
const MAX_DOCS: u32 = i32.MAX_VALUE;
const MAX_FIELDS: u32 = 0x10000;

/** Whether `bytes` bytes from `offset` on lie between the header and `end`. */
function isInside(offset: u32, bytes: u64, end: u32): bool {
  return offset >= HEADER_BYTES && offset <= end && bytes <= <u64>(end - offset);
}

/** Whether the offsets of a dictionary's blocks ascend from 0 within the blocks. */
function isIndex(index: usize, blocks: u32, bytes: u32): bool {
  let next: u32 = 0;
  for (let i: u32 = 0; i < blocks; i++) {
    const offset = load<u32>(index + ((<usize>i) << 2));
    if (i ? offset < next : offset != 0) return false;
    if (offset >= bytes) return false;
    next = offset + 1;
  }
  return true;
}

function isField(image: usize, entry: usize, docs: u32, end: u32): bool {
  const flags = <u32>load<u16>(entry, 2);
  const terms = load<u32>(entry, 4);
  const index = load<u32>(entry, 16);
  const blocks = load<u32>(entry, 20);
  if (flags & ~FIELD_INVERTED || (flags & FIELD_POSITIONS && !(flags & FIELD_FREQS))) return false;
  if (!terms || <u64>blocks != (<u64>terms + BLOCK_TERMS - 1) / BLOCK_TERMS) return false;
  if (!isInside(load<u32>(entry, 8), load<u32>(entry, 12), end)) return false;
  if (!isInside(index, (<u64>blocks) << 2, end)) return false;
  if (!isInside(load<u32>(entry, 24), load<u32>(entry, 28), end)) return false;
  if (flags & FIELD_POSITIONS) {
    if (!isInside(load<u32>(entry, 32), load<u32>(entry, 36), end)) return false;
  } else if (load<u64>(entry, 32)) {
    return false;
  }
  if (flags & FIELD_NORMS) {
    if (!isInside(load<u32>(entry, 40), docs, end)) return false;
  } else if (load<u32>(entry, 40)) {
    return false;
  }
  const withTerm = load<u32>(entry, 44);
  if (!withTerm || withTerm > docs) return false;
  return isIndex(image + index, blocks, load<u32>(entry, 12));
}

/** Whether the bytes are an image. Nothing outside of them is read. */
export function isImage(image: usize, length: u32): bool {
  if (length < HEADER_BYTES || load<u32>(image) != MAGIC) return false;
  const version = load<u32>(image, 4);
  if (version < OLDEST_VERSION || version > FORMAT_VERSION) return false;
  if (load<u64>(image, 8) != <u64>length) return false;
  if (load<u64>(image, 16) != xxh64(image + CHECKSUM_FROM, length - CHECKSUM_FROM, 0)) return false;
  for (let i = version == 1 ? HEADER_END_1 : HEADER_END; i < HEADER_BYTES; i++)
    if (load<u8>(image + i)) return false;
  const docs = load<u32>(image, 24);
  const fields = load<u32>(image, 28);
  const bits = load<u32>(image, 44);
  const table = load<u32>(image, 48);
  if (!docs || docs > MAX_DOCS || fields > MAX_FIELDS || bits > MAX_EXCESS_BITS) return false;
  // The table is last: what a reader may look at beyond the end of a section still is in the image.
  if (table < HEADER_BYTES || <u64>table + <u64>fields * FIELD_ENTRY_BYTES != <u64>length) return false;
  if (!isInside(load<u32>(image, 40), ((<u64>docs * bits + 7) >> 3) + EXCESS_PADDING, table)) return false;
  // The last key must not pass the end of the numbers.
  if (load<u64>(image, 32) >> 62) return false;
  let above: i32 = -1;
  for (let i: u32 = 0; i < fields; i++) {
    const entry = image + table + <usize>i * FIELD_ENTRY_BYTES;
    const field = <i32>load<u16>(entry);
    if (field <= above || !isField(image, entry, docs, table)) return false;
    above = field;
  }
  return areColumns(image, docs, fields, table);
}

/** Whether the column table, and the columns, are what they should be. */
function areColumns(image: usize, docs: u32, fields: u32, fieldTable: u32): bool {
  const table = load<u32>(image, 52);
  const columns = load<u32>(image, 56);
  if (!columns) return !table;
  if (columns > fields || !isInside(table, <u64>columns * COLUMN_ENTRY_BYTES, fieldTable)) return false;
  let at = image + fieldTable;
  const end = at + <usize>fields * FIELD_ENTRY_BYTES;
  for (let i: u32 = 0; i < columns; i++) {
    const entry = image + table + <usize>i * COLUMN_ENTRY_BYTES;
    // Both tables ascend by field, and a column's field has terms.
    while (at < end && load<u16>(at) != load<u16>(entry)) at += FIELD_ENTRY_BYTES;
    if (at == end) return false;
    if (!isColumn(image, entry, docs, FieldEntry.terms(at), HEADER_BYTES, table)) return false;
    at += FIELD_ENTRY_BYTES;
  }
  return true;
}
