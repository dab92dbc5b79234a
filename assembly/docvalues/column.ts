import { COLUMN_GEO, COLUMN_LONG, COLUMN_ORDINAL } from '../abi/columns';
import { Bitset, count, sizeInBytes } from '../memory/bitset';
import {
  BLOCK,
  BLOCK_SHIFT,
  blocksOf,
  decodeBlock,
  isPacked,
  Packed,
  packedBytes,
  TABLE_ENTRY,
} from './packed';

/**
 * A column: the values of one field by document. Each document has a set of values, ascending, without repetitions: the terms
 * that its postings say it has. segment/README.md draws the entry and what it points to; a column made in memory
 * (segment/fielddata.ts) looks the same.
 */

/** Bytes of a column's entry. */
export const COLUMN_ENTRY_BYTES: u32 = 64;

// Offsets in an entry.
export const ENTRY_KIND: usize = 2;
export const ENTRY_VALUES: usize = 4;
export const ENTRY_DOCS: usize = 8;
export const ENTRY_PRESENT: usize = 12;
export const ENTRY_STARTS: usize = 16;
export const ENTRY_DATA: usize = 20;
export const ENTRY_LONGITUDES: usize = 24;
export const ENTRY_VECTORS: usize = 28;
export const ENTRY_SMALLEST: usize = 32;
export const ENTRY_LARGEST: usize = 40;
export const ENTRY_DIVISOR: usize = 48;
export const ENTRY_BYTES: usize = 56;

/** Fractions as whole numbers of the same order, and back. */
export class Double {
  @inline static toOrdered(value: f64): i64 {
    const bits = reinterpret<i64>(value);
    return bits ^ ((bits >> 63) & i64.MAX_VALUE);
  }
  /** The same without the sign that arithmetic gives to what is no number, which for Java is one value, above all others. */
  @inline static unsigned(value: f64): f64 {
    return isNaN<f64>(value) ? NaN : value;
  }
  @inline static fromOrdered(ordered: i64): f64 {
    return reinterpret<f64>(ordered ^ ((ordered >> 63) & i64.MAX_VALUE));
  }
}

/** A column opened for reading. */
@unmanaged
export class Column {
  kind: u32;
  docCount: u32;
  /** Numbers that are stored: one a document in the single form, else as many as there are values. */
  valueCount: u32;
  /** Documents that have a value. */
  docs: u32;
  /** Single form: bitset of the documents that have a value; 0 where all have. */
  present: usize;
  /** Several form: packed, docCount + 1 numbers of the first value of each document; 0 in the single form. */
  starts: usize;
  startsData: usize;
  /** Packed values; latitudes (f64) of points. */
  data: usize;
  /** Where the packed values' bits begin. */
  bits: usize;
  divisor: i64;
  /** The bounds of all values. */
  smallest: i64;
  largest: i64;
  longitudes: usize;
  /** Unit vectors of points: all x (f32), all y, all z, `vectorStride` numbers each; NaN where there is no point. */
  vectors: usize;
  vectorStride: u32;
  /** The terms of the field that have a place in it, a bitset by ordinal; 0: all have. */
  kept: usize;

  /** Whether documents may have several values. */
  @inline get isSeveral(): bool {
    return this.starts != 0;
  }

  /** Number of the document's first value; with `end` its values are first..end-1. */
  @inline first(doc: u32): u32 {
    return this.starts ? <u32>Packed.get(this.starts, this.startsData, 1, doc) : doc;
  }
  @inline end(doc: u32): u32 {
    if (this.starts) return <u32>Packed.get(this.starts, this.startsData, 1, doc + 1);
    return this.present && !Bitset.get(this.present, doc) ? doc : doc + 1;
  }

  /** Whether the document has a value. */
  @inline has(doc: u32): bool {
    if (this.starts) return this.first(doc) < this.end(doc);
    return !this.present || Bitset.get(this.present, doc);
  }

  /** Value number i. */
  @inline value(i: u32): i64 {
    return Packed.get(this.data, this.bits, this.divisor, i);
  }

  @inline latitude(i: u32): f64 {
    return load<f64>(this.data + ((<usize>i) << 3));
  }
  @inline longitude(i: u32): f64 {
    return load<f64>(this.longitudes + ((<usize>i) << 3));
  }

  /** Blocks of 128 values. */
  @inline get blocks(): u32 {
    return blocksOf(this.valueCount);
  }

  /** Values of a block. */
  @inline countIn(block: u32): u32 {
    return min(this.valueCount - (block << BLOCK_SHIFT), BLOCK);
  }

  /** The bounds of a block's values; smallest > largest where none of them is there. */
  @inline blockSmallest(block: u32): i64 {
    return Packed.smallest(this.data, block);
  }
  @inline blockLargest(block: u32): i64 {
    return Packed.largest(this.data, block);
  }

  /** Reads a block's values as i64 to `out` (1 KiB); what stands for missing ones means nothing. */
  decode(block: u32, out: usize): void {
    decodeBlock(this.data, this.bits, this.divisor, block, this.countIn(block), out);
  }

  /** Makes the column the view of an entry whose offsets count from `base`. */
  open(base: usize, entry: usize, docCount: u32): void {
    this.kind = <u32>load<u8>(entry, ENTRY_KIND);
    this.docCount = docCount;
    this.valueCount = load<u32>(entry, ENTRY_VALUES);
    this.docs = load<u32>(entry, ENTRY_DOCS);
    const present = load<u32>(entry, ENTRY_PRESENT);
    this.present = present ? base + present : 0;
    const starts = load<u32>(entry, ENTRY_STARTS);
    this.starts = starts ? base + starts : 0;
    this.startsData = this.starts + <usize>blocksOf(docCount + 1) * TABLE_ENTRY;
    this.data = base + load<u32>(entry, ENTRY_DATA);
    this.bits = this.data + <usize>blocksOf(this.valueCount) * TABLE_ENTRY;
    this.divisor = load<i64>(entry, ENTRY_DIVISOR);
    this.smallest = load<i64>(entry, ENTRY_SMALLEST);
    this.largest = load<i64>(entry, ENTRY_LARGEST);
    this.longitudes = base + load<u32>(entry, ENTRY_LONGITUDES);
    this.vectors = base + load<u32>(entry, ENTRY_VECTORS);
    this.vectorStride = vectorStride(this.valueCount);
  }
}

/** Bytes of the column of an entry whose offsets count from `base`. */
export function columnBytes(base: usize, entry: usize, docCount: u32): u64 {
  const values = load<u32>(entry, ENTRY_VALUES);
  const starts = load<u32>(entry, ENTRY_STARTS);
  let bytes: u64 = COLUMN_ENTRY_BYTES;
  if (load<u32>(entry, ENTRY_PRESENT)) bytes += sizeInBytes(docCount);
  if (starts) bytes += packedBytes(base + starts, docCount + 1);
  if (load<u8>(entry, ENTRY_KIND) == COLUMN_GEO)
    return bytes + ((<u64>values) << 4) + <u64>vectorStride(values) * 12;
  return bytes + packedBytes(base + load<u32>(entry, ENTRY_DATA), values);
}

/** Numbers of one coordinate of `n` unit vectors: whole vectors of four. */
export function vectorStride(n: u32): u32 {
  return (n + 3) & ~3;
}

/** Whether `bytes` bytes from `offset` on lie between `from` and `end`. */
function isInside(offset: u32, bytes: u64, from: u32, end: u32): bool {
  return offset >= from && offset <= end && bytes <= <u64>(end - offset);
}

/**
 * Whether an entry of an image's column table, and all that it points to between `from` and `end`, can be read safely and is
 * what it should be. `terms` is the number of terms of its field.
 */
export function isColumn(image: usize, entry: usize, docCount: u32, terms: u32, from: u32, end: u32): bool {
  const kind = <u32>load<u8>(entry, ENTRY_KIND);
  const values = load<u32>(entry, ENTRY_VALUES);
  const docs = load<u32>(entry, ENTRY_DOCS);
  const present = load<u32>(entry, ENTRY_PRESENT);
  const starts = load<u32>(entry, ENTRY_STARTS);
  const data = load<u32>(entry, ENTRY_DATA);
  const divisor = load<i64>(entry, ENTRY_DIVISOR);
  if (kind < COLUMN_LONG || kind > COLUMN_GEO || load<u8>(entry, 3) || load<u64>(entry, ENTRY_BYTES))
    return false;
  if (!docs || docs > docCount || divisor < 1 || (kind == COLUMN_ORDINAL && divisor != 1)) return false;
  if (starts) {
    if (present || values < docs || !isInside(starts, 0, from, end)) return false;
    const n = docCount + 1;
    if (!isPacked(image + starts, end - starts, n, 1, 0, values)) return false;
    if (!ascends(image + starts, n, values, docs)) return false;
  } else {
    if (values != docCount || (present != 0) != docs < docCount) return false;
    if (present) {
      const bytes = sizeInBytes(docCount);
      if (!isInside(present, bytes, from, end) || count(image + present, bytes) != docs) return false;
      const tail = docCount & 63;
      const word = present + ((docCount >> 6) << 3);
      if (tail && load<u64>(image + word) >> <u64>tail) return false;
      for (let at = word + (tail ? 8 : 0); at < present + bytes; at += 8)
        if (load<u64>(image + at)) return false;
    }
  }
  if (kind == COLUMN_GEO) {
    const bytes = (<u64>values) << 3;
    return (
      isInside(data, bytes, from, end) &&
      isInside(load<u32>(entry, ENTRY_LONGITUDES), bytes, from, end) &&
      isInside(load<u32>(entry, ENTRY_VECTORS), <u64>vectorStride(values) * 12, from, end)
    );
  }
  if (load<u64>(entry, ENTRY_LONGITUDES) || !isInside(data, 0, from, end)) return false;
  const smallest = load<i64>(entry, ENTRY_SMALLEST);
  const largest = load<i64>(entry, ENTRY_LARGEST);
  if (kind == COLUMN_ORDINAL) {
    return isPacked(image + data, end - data, values, divisor, 0, <i64>terms - 1);
  }
  return (
    isPacked(image + data, end - data, values, divisor, i64.MIN_VALUE, i64.MAX_VALUE) && smallest <= largest
  );
}

/** Whether packed numbers ascend from 0 to `last` and differ from the one before in `steps` places. */
function ascends(table: usize, n: u32, last: u32, steps: u32): bool {
  const data = table + <usize>blocksOf(n) * TABLE_ENTRY;
  let previous: i64 = 0;
  let differing: u32 = 0;
  for (let i: u32 = 0; i < n; i++) {
    const value = Packed.get(table, data, 1, i);
    if (i ? value < previous : value != 0) return false;
    differing += u32(value != previous);
    previous = value;
  }
  return previous == <i64>last && differing == steps;
}
