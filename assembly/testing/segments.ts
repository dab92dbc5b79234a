/** Segments and dictionaries without the rest of the core, for the tests under test/segment, test/terms and test/postings. */
import { COLUMN_GEO } from '../abi/columns';
import { setResult } from '../result';
import { heapAlloc, heapAllocZeroed, heapFree } from '../memory/heap';
import {
  Dictionary,
  foundDf,
  foundPostings,
  lookupTerm,
  TERM_BUFFER_BYTES,
  TermCursor,
} from '../terms/dictionary';
import { xxh64 } from '../codec/xxh64';
import { CHECKSUM_FROM, docOfKey, findField, keyOf, openDictionary } from '../segment/segment';
import { getShard } from '../segment/shards';
import { openColumn } from '../segment/fielddata';

/** Values of one block of a column. */
const blockBuffer: usize = memory.data(1024, 16);

export { heapAlloc, heapFree, heapUsed } from '../memory/heap';
export { requestReset } from '../memory/arena';
export { resultLength, resultPtr } from '../result';
export {
  applyBatch,
  fieldDefine,
  segmentCount,
  segmentImage,
  segmentInfo,
  segmentLive,
  segmentLoad,
  segmentSetLive,
  shardCreate,
  shardDrop,
  shardForceMerge,
  shardRefresh,
  shardWork,
} from '../segment/shard';
export { shardInfo } from '../segment/stats';

/** The checksum of an image's bytes. */
export function imageChecksum(ptr: usize, length: u32): u64 {
  return xxh64(ptr + CHECKSUM_FROM, length - CHECKSUM_FROM, 0);
}

/** Opens the dictionary of a field in a segment; 0 if there is none. Freed with `heapFree`. */
export function dictionaryOpen(handle: u32, segment: u32, field: u32): usize {
  const shard = getShard(handle);
  if (!shard || segment >= shard.segmentCount) return 0;
  const seg = shard.segment(segment);
  const entry = findField(seg, field);
  if (!entry) return 0;
  const dict = heapAllocZeroed(offsetof<Dictionary>());
  openDictionary(seg, entry, changetype<Dictionary>(dict));
  return dict;
}

/** Document frequency of a term, 0 if there is none. */
export function dictionaryLookup(dict: usize, ptr: usize, length: u32): u32 {
  return lookupTerm(changetype<Dictionary>(dict), ptr, length) ? foundDf : 0;
}

/** Postings offset of the term found last. */
export function dictionaryPostings(): u32 {
  return foundPostings;
}

/** A cursor; its buffer is freed with `cursorFree`. */
export function cursorMake(dict: usize): usize {
  const cursor = heapAllocZeroed(offsetof<TermCursor>());
  TermCursor.init(changetype<TermCursor>(cursor), changetype<Dictionary>(dict), heapAlloc(TERM_BUFFER_BYTES));
  return cursor;
}

export function cursorFree(cursor: usize): void {
  heapFree(changetype<TermCursor>(cursor).termPtr);
  heapFree(cursor);
}

function publish(cursor: usize, found: bool): bool {
  const c = changetype<TermCursor>(cursor);
  setResult(c.termPtr, c.termLength);
  return found;
}

export function cursorNext(cursor: usize): bool {
  return publish(cursor, changetype<TermCursor>(cursor).next());
}

export function cursorSeekCeil(cursor: usize, ptr: usize, length: u32): bool {
  return publish(cursor, changetype<TermCursor>(cursor).seekCeil(ptr, length));
}

export function cursorSeekExact(cursor: usize, ptr: usize, length: u32): bool {
  return publish(cursor, changetype<TermCursor>(cursor).seekExact(ptr, length));
}

export function cursorDf(cursor: usize): u32 {
  return changetype<TermCursor>(cursor).df;
}

export function cursorPostings(cursor: usize): u32 {
  return changetype<TermCursor>(cursor).postingsOffset;
}

/** Document of a key in a segment, or -1. */
export function segmentDocOfKey(handle: u32, segment: u32, key: u64): i32 {
  return docOfKey(getShard(handle)!.segment(segment), key);
}

/** Key of a document in a segment. */
export function segmentKeyOf(handle: u32, segment: u32, doc: u32): u64 {
  return keyOf(getShard(handle)!.segment(segment), doc);
}

/** Reads all of a field's column, made in memory if the image has none; a sum that depends on every value, -1 without column. */
export function columnSum(handle: u32, segment: u32, field: u32): f64 {
  const shard = getShard(handle);
  if (!shard || segment >= shard.segmentCount) return -1;
  const seg = shard.segment(segment);
  const opened = openColumn(shard, seg, field);
  if (opened === null) return -1;
  const column = opened;
  let sum: f64 = 0;
  for (let doc: u32 = 0; doc < seg.docCount; doc++) {
    const first = column.first(doc);
    for (let i = first; i < column.end(doc); i++) {
      if (column.kind == COLUMN_GEO) sum += column.latitude(i) + column.longitude(i) * 3;
      else sum += <f64>column.value(i) * <f64>(doc + 1);
    }
  }
  for (let block: u32 = 0; column.kind != COLUMN_GEO && block < column.blocks; block++) {
    column.decode(block, blockBuffer);
    for (let i: u32 = 0; i < column.countIn(block); i++) {
      const at = (block << 7) + i;
      const same = load<i64>(blockBuffer + ((<usize>i) << 3)) == column.value(at);
      if (!same) return NaN;
    }
  }
  return sum;
}
