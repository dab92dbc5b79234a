import { COLUMN_ORDINAL } from '../abi/columns';
import { ERR_MEMORY } from '../abi/status';
import { COLUMN_DONE, ColumnBuilder, ColumnSource } from '../docvalues/builder';
import { COLUMN_ENTRY_BYTES, Column, columnBytes, ENTRY_KIND } from '../docvalues/column';
import { requestAlloc } from '../memory/arena';
import { Bitset, sizeInBytes } from '../memory/bitset';
import { heapAlloc, heapAllocZeroed, heapFree, heapRealloc } from '../memory/heap';
import { fail } from '../requestStatus';
import { Automaton, openAutomaton } from '../terms/automaton';
import { Dictionary, TERM_BUFFER_BYTES, TermCursor } from '../terms/dictionary';
import { countFielddata, FieldEntry, findField, mayHaveFielddata, openDictionary, Segment } from './segment';
import { FILTER_BYTES, Shard } from './shards';

/**
 * Columns of a segment's fields: those of its image, and those that are made in memory when they are first asked for: ordinals
 * of fields whose values went through an analyzer, and all columns of images of format 1. They stay as long as the segment, or
 * until they are dropped. What searches have asked for is counted as fielddata, wherever it lies, and bounded.
 *
 *     block    | u32 next block | u32 own bytes | u32 offset of the kept terms, 0: all are | 4 bytes unused | the column's entry |
 *              | kept terms: a bitset by ordinal | what the entry points to, from the block's start
 *
 * A field whose shard knows a filter for it (`fieldFilter`) has a column of the terms that the filter keeps in the segment, made
 * in memory. As in Elasticsearch 1.7 a new filter counts for what is made from then on.
 */

const BLOCK_HEADER: u32 = 16;
const KEPT_OFFSET: usize = 8;
const MAX_BLOCK: u64 = 0xf0000000;

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

// A filter's bytes: f64 least and most document frequency, up to 1 as parts of the documents that have a term (NaN: no limit),
// u32 documents up to which a segment's terms are all kept, then the automaton that accepts the terms to keep, or nothing.
const FILTER_MOST: usize = 8;
const FILTER_SMALL: usize = 16;

/** A limit of document frequencies, with the fraction cut off. */
function frequencyOf(limit: f64, docs: u32): i64 {
  return <i64>(limit > 1 ? limit : limit * <f64>docs);
}

/** Postings of the terms that are kept, whose bits are set at `kept` where it isn't 0; -1 without memory. */
function countPostings(dict: Dictionary, docs: u32, filter: usize, filterLength: u32, kept: usize): i64 {
  const at = requestAlloc(offsetof<TermCursor>());
  const buffer = requestAlloc(TERM_BUFFER_BYTES);
  if (!at || !buffer) return -1;
  const terms = changetype<TermCursor>(at);
  TermCursor.init(terms, dict, buffer);
  let least: i64 = 0;
  let most: i64 = i64.MAX_VALUE;
  let automaton: Automaton | null = null;
  if (filter) {
    if (load<u32>(filter, FILTER_SMALL) < docs) {
      least = frequencyOf(load<f64>(filter), docs);
      const limit = load<f64>(filter, FILTER_MOST);
      if (!isNaN(limit)) most = frequencyOf(limit, docs);
    }
    if (filterLength > FILTER_BYTES) {
      automaton = openAutomaton(filter + FILTER_BYTES, filterLength - FILTER_BYTES);
      if (automaton === null) return -1;
    }
  }
  let sum: i64 = 0;
  while (terms.next()) {
    if (<i64>terms.df < least || <i64>terms.df > most) continue;
    if (automaton !== null && !automaton.accepts(terms.termPtr, terms.termLength)) continue;
    if (kept) Bitset.set(kept, terms.ordinal - 1);
    sum += terms.df;
  }
  return sum;
}

/** Makes the column of a field in memory; 0 without. */
function make(seg: Segment, fieldEntry: usize, kind: u32, filter: usize, filterLength: u32): usize {
  const sourceAt = requestAlloc(offsetof<ColumnSource>());
  const dictAt = requestAlloc(offsetof<Dictionary>());
  if (!sourceAt || !dictAt) return 0;
  const source = changetype<ColumnSource>(sourceAt);
  const dict = changetype<Dictionary>(dictAt);
  openDictionary(seg, fieldEntry, dict);
  const keptBytes: u32 = filter ? sizeInBytes(dict.termCount) : 0;
  const kept: usize = filter ? requestAlloc(keptBytes) : 0;
  if (filter && !kept) return 0;
  memory.fill(kept, 0, keptBytes);
  const postings = countPostings(dict, FieldEntry.docs(fieldEntry), filter, filterLength, kept);
  if (postings < 0 || postings > <i64>u32.MAX_VALUE) return 0;
  source.kind = kind;
  source.flags = <u8>FieldEntry.flags(fieldEntry);
  source.docCount = seg.docCount;
  source.docs = FieldEntry.docs(fieldEntry);
  source.postingCount = <u32>postings;
  source.dict = dict;
  source.postings = FieldEntry.postings(seg, fieldEntry);
  source.kept = kept;
  const bytes = source.bound + BLOCK_HEADER + COLUMN_ENTRY_BYTES + keptBytes;
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
  memory.copy(entry + COLUMN_ENTRY_BYTES, kept, keptBytes);
  store<u32>(block, kept ? BLOCK_HEADER + COLUMN_ENTRY_BYTES : 0, KEPT_OFFSET);
  builder.start(block, BLOCK_HEADER + COLUMN_ENTRY_BYTES + keptBytes, entry);
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

/** Whether searches have asked for a column of the image before. */
function isAsked(seg: Segment, entry: usize): bool {
  return seg.loaded != 0 && load<u8>(seg.loaded + (entry - seg.columnTable) / COLUMN_ENTRY_BYTES) != 0;
}

/** Counts a column of the image as one that searches need; false if that would be too much. */
function ask(seg: Segment, entry: usize, field: u32): bool {
  if (isAsked(seg, entry)) return true;
  const i = (entry - seg.columnTable) / COLUMN_ENTRY_BYTES;
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
 * The column of a field in a segment, in the request arena; null where no document has a value or, when the
 * request fails, where there is no memory.
 */
export function openColumn(shard: Shard, seg: Segment, field: u32): Column | null {
  const known = shard.columnKind(field);
  const kind = known ? known : COLUMN_ORDINAL;
  const definition = kind == COLUMN_ORDINAL ? shard.definition(field) : null;
  if (definition === null || !definition.filter) return openColumnOf(seg, field, kind);
  return openKept(seg, field, kind, definition.filter, definition.filterLength);
}

/** The same where it is known what kind the column is that an image may lack, of a field that is not filtered. */
export function openColumnOf(seg: Segment, field: u32, kind: u32): Column | null {
  return openKept(seg, field, kind, 0, 0);
}

function openKept(seg: Segment, field: u32, kind: u32, filter: usize, filterLength: u32): Column | null {
  const fieldEntry = findField(seg, field);
  if (!fieldEntry) return null;
  let base = cached(seg, field);
  let entry: usize = base ? 0 : entryOf(seg, field);
  if (entry && (!filter || isAsked(seg, entry))) {
    base = ask(seg, entry, field) ? seg.image : 0;
    return opened(base, entry, seg.docCount, 0);
  }
  if (!base) base = make(seg, fieldEntry, kind, filter, filterLength);
  entry = base + BLOCK_HEADER;
  const kept: u32 = base ? load<u32>(base, KEPT_OFFSET) : 0;
  return opened(base, entry, seg.docCount, kept ? base + kept : 0);
}

/** The same of a column of the image, for what is nothing to do with sorting, aggregations and scripts: it is not counted. */
export function openImageColumn(seg: Segment, field: u32): Column | null {
  const entry = entryOf(seg, field);
  return entry ? opened(seg.image, entry, seg.docCount, 0) : null;
}

/** `base` is 0 where there is no column. */
function opened(base: usize, entry: usize, docCount: u32, kept: usize): Column | null {
  const at = base ? requestAlloc(offsetof<Column>()) : 0;
  if (!at) {
    fail(ERR_MEMORY);
    return null;
  }
  const column = changetype<Column>(at);
  column.open(base, entry, docCount);
  column.kept = kept;
  return column;
}
