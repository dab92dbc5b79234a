import { COLUMN_DONE, ColumnBuilder, ColumnSource } from '../columns/builder';
import { Column, columnBytes, COLUMN_ENTRY_BYTES, COLUMN_ORDINAL, ENTRY_KIND } from '../columns/column';
import { requestAlloc } from '../memory/arena';
import { heapAlloc, heapAllocZeroed, heapFree, heapRealloc } from '../memory/heap';
import { Dictionary, TERM_BUFFER_BYTES, TermCursor } from '../terms/dictionary';
import { countFielddata, FieldEntry, findField, mayHaveFielddata, openDictionary, Segment } from './segment';
import { Shard } from './shards';

/**
 * Columns of a segment's fields: those of its image, and those that are made in memory when they are first asked for: ordinals
 * of fields whose values went through an analyzer, and all columns of images of format 1. They stay as long as the segment, or
 * until they are dropped. What searches have asked for is counted as fielddata, wherever it lies, and bounded.
 *
 *     block    | u32 next block | u32 own bytes | 8 bytes unused | the column's entry | what it points to, from the block's start
 */

const BLOCK_HEADER: u32 = 16;
const MAX_BLOCK: u64 = 0xf0000000;

/** Whether the last `openColumn` ran out of memory, or of what searches may need (`refusedFielddata`). */
export let columnMemoryFailed: bool = false;

function entryOf(seg: Segment, field: u32): usize {
  for (let i: u32 = 0; i < seg.columnCount; i++) {
    const entry = seg.columnTable + <usize>i * COLUMN_ENTRY_BYTES;
    if (load<u16>(entry) == field) return entry;
  }
  return 0;
}

function cached(seg: Segment, field: u32): usize {
  for (let block = seg.fielddata; block; block = <usize>load<u32>(block))
    if (load<u16>(block, BLOCK_HEADER) == field) return block;
  return 0;
}

/** Postings of all terms of a dictionary; -1 without memory. */
function countPostings(dict: Dictionary): i64 {
  const at = requestAlloc(offsetof<TermCursor>());
  const buffer = requestAlloc(TERM_BUFFER_BYTES);
  if (!at || !buffer) return -1;
  const terms = changetype<TermCursor>(at);
  TermCursor.init(terms, dict, buffer);
  let sum: i64 = 0;
  while (terms.next()) sum += terms.df;
  return sum;
}

/** Makes the column of a field in memory; 0 without. */
function make(seg: Segment, fieldEntry: usize, kind: u32): usize {
  const sourceAt = requestAlloc(offsetof<ColumnSource>());
  const dictAt = requestAlloc(offsetof<Dictionary>());
  if (!sourceAt || !dictAt) return 0;
  const source = changetype<ColumnSource>(sourceAt);
  const dict = changetype<Dictionary>(dictAt);
  openDictionary(seg, fieldEntry, dict);
  const postings = countPostings(dict);
  if (postings < 0 || postings > <i64>u32.MAX_VALUE) return 0;
  source.kind = kind;
  source.flags = <u8>FieldEntry.flags(fieldEntry);
  source.docCount = seg.docCount;
  source.docs = FieldEntry.docs(fieldEntry);
  source.postingCount = <u32>postings;
  source.dict = dict;
  source.postings = FieldEntry.postings(seg, fieldEntry);
  const bytes = source.bound + BLOCK_HEADER + COLUMN_ENTRY_BYTES;
  if (!mayHaveFielddata(bytes, FieldEntry.field(fieldEntry))) return 0;
  let block: usize = 0;
  if (bytes <= MAX_BLOCK) block = heapAlloc(<u32>bytes);
  const builder = block ? ColumnBuilder.make(source) : null;
  if (!builder) {
    heapFree(block);
    return 0;
  }
  const entry = block + BLOCK_HEADER;
  store<u16>(entry, <u16>FieldEntry.field(fieldEntry));
  builder.start(block, BLOCK_HEADER + COLUMN_ENTRY_BYTES, entry);
  let failed = false;
  while (builder.phase != COLUMN_DONE && !failed) failed = builder.step(u32.MAX_VALUE >> 4) < 0;
  const end = builder.end;
  builder.free();
  if (failed) {
    heapFree(block);
    return 0;
  }
  // Shrinking leaves the block where it is.
  heapRealloc(block, end);
  store<u32>(block, <u32>seg.fielddata);
  store<u32>(block, end, 4);
  seg.fielddata = block;
  countFielddata(end);
  return block;
}

/** Counts a column of the image as one that searches need; false if that would be too much. */
function ask(seg: Segment, entry: usize, field: u32): bool {
  const i = (entry - seg.columnTable) / COLUMN_ENTRY_BYTES;
  if (seg.loaded && load<u8>(seg.loaded + i)) return true;
  const bytes = columnBytes(seg.image, entry, seg.docCount);
  if (!mayHaveFielddata(bytes, field)) return false;
  if (!seg.loaded) seg.loaded = heapAllocZeroed(seg.columnCount);
  if (!seg.loaded) return false;
  store<u8>(seg.loaded + i, 1);
  seg.loadedBytes += bytes;
  countFielddata(bytes);
  return true;
}

/** Bytes of the image's column number i if searches have asked for it, else 0. */
export function askedBytes(seg: Segment, i: u32): u64 {
  if (!seg.loaded || !load<u8>(seg.loaded + i)) return 0;
  return columnBytes(seg.image, seg.columnTable + <usize>i * COLUMN_ENTRY_BYTES, seg.docCount);
}

/** The field of a column made in memory. */
export function blockField(block: usize): u32 {
  return <u32>load<u16>(block, BLOCK_HEADER);
}

/** The kind of the field's column in the image, 0 if it holds none. */
export function columnKindOf(seg: Segment, field: u32): u32 {
  const entry = entryOf(seg, field);
  return entry ? <u32>load<u8>(entry, ENTRY_KIND) : 0;
}

/**
 * The column of a field in a segment, in the request arena; null where no document has a value or, with `columnMemoryFailed`,
 * where there is no memory.
 */
export function openColumn(shard: Shard, seg: Segment, field: u32): Column | null {
  const kind = shard.columnKind(field);
  return openColumnOf(seg, field, kind ? kind : COLUMN_ORDINAL);
}

/** The same where it is known what kind the column is that an image may lack. */
export function openColumnOf(seg: Segment, field: u32, kind: u32): Column | null {
  columnMemoryFailed = false;
  const fieldEntry = findField(seg, field);
  if (!fieldEntry) return null;
  let base = seg.image;
  let entry = entryOf(seg, field);
  if (!entry) {
    base = cached(seg, field);
    if (!base) base = make(seg, fieldEntry, kind);
    entry = base + BLOCK_HEADER;
  } else if (!ask(seg, entry, field)) {
    base = 0;
  }
  return opened(base, entry, seg.docCount);
}

/** The same of a column of the image, for what is nothing to do with sorting, aggregations and scripts: it is not counted. */
export function openImageColumn(seg: Segment, field: u32): Column | null {
  columnMemoryFailed = false;
  const entry = entryOf(seg, field);
  return entry ? opened(seg.image, entry, seg.docCount) : null;
}

/** `base` is 0 where there is no column. */
function opened(base: usize, entry: usize, docCount: u32): Column | null {
  const at = base ? requestAlloc(offsetof<Column>()) : 0;
  if (!at) {
    columnMemoryFailed = true;
    return null;
  }
  const column = changetype<Column>(at);
  column.open(base, entry, docCount);
  return column;
}
