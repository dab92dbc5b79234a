import { ERR_ARGUMENT, ERR_MEMORY, OK } from '../abi/status';
import { sizeInBytes } from '../memory/bitset';
import { heapUsed } from '../memory/heap';
import { requestAlloc } from '../memory/arena';
import { setResult } from '../result';
import { COLUMN_ENTRY_BYTES } from '../docvalues/column';
import { askedBytes, blockField } from './fielddata';
import {
  dropColumns,
  dropParentOrdinals,
  dropFilters,
  dropUids,
  FieldEntry,
  findField,
  Segment,
} from './segment';
import { getShard } from './shards';
import { UIDS_FIELD } from './uids';
import { lastCost } from './work';

/** What a shard tells of itself, and what of it can be dropped without loss; README.md draws the results. */

const SHARD_INFO_BYTES: u32 = 136;
const shardInfoBlock: usize = memory.data(136, 16);
const FIELDDATA_BYTES: u32 = 16;

/** Whose bytes a record of `shardFielddata` has. */
const COLUMNS: u32 = 0;
const PARENT_ORDINALS: u32 = 1;
const UIDS: u32 = 2;

/** What `shardClear` drops. */
const CLEAR_FILTERS: u32 = 1;
const CLEAR_FIELDDATA: u32 = 2;
const CLEAR_PARENT_ORDINALS: u32 = 4;

/** Bytes of the blocks of a list that begin with u32 next block, u32 own size. */
function listBytes(list: usize): u64 {
  let sum: u64 = 0;
  for (let block = list; block; block = <usize>load<u32>(block)) sum += load<u32>(block, 4);
  return sum;
}

/** Counters of a shard. */
export function shardInfo(handle: u32): i32 {
  const shard = getShard(handle);
  if (!shard) return ERR_ARGUMENT;
  let bytes: u64 = 0;
  let docs: u32 = 0;
  let live: u32 = 0;
  let filters: u64 = 0;
  let evictions = shard.filterEvictions;
  let hiding: u64 = 0;
  for (let i: u32 = 0; i < shard.allCount; i++) {
    const seg = shard.segment(i);
    bytes += seg.length;
    filters += listBytes(seg.filters);
    evictions += seg.filterEvictions;
    if (seg.parents) hiding += sizeInBytes(seg.docCount);
    if (i >= shard.segmentCount) continue;
    docs += seg.docCount;
    live += seg.liveCount;
  }
  const buffer = shard.buffer;
  const flush = shard.flush;
  const merge = shard.merge;
  store<u64>(shardInfoBlock, bytes);
  store<u64>(shardInfoBlock, buffer ? buffer.bytes : 0, 8);
  store<u64>(shardInfoBlock, heapUsed(), 16);
  store<u64>(shardInfoBlock, shard.nextKey, 24);
  store<u64>(shardInfoBlock, lastCost, 32);
  store<u32>(shardInfoBlock, shard.segmentCount, 40);
  store<u32>(shardInfoBlock, shard.allCount - shard.segmentCount, 44);
  store<u32>(shardInfoBlock, docs, 48);
  store<u32>(shardInfoBlock, live, 52);
  store<u32>(shardInfoBlock, buffer ? buffer.docCount : 0, 56);
  store<u32>(shardInfoBlock, flush ? flush.bufferedDocs : 0, 60);
  store<u32>(shardInfoBlock, shard.deleteCount, 64);
  store<u32>(shardInfoBlock, (flush ? 1 : 0) | (merge ? 2 : 0), 68);
  store<u32>(shardInfoBlock, shard.fieldCount, 72);
  store<u32>(shardInfoBlock, shard.mergeCount, 76);
  store<u64>(shardInfoBlock, shard.mergedDocs, 80);
  store<u64>(shardInfoBlock, shard.mergedBytes, 88);
  store<u64>(shardInfoBlock, merge ? merge.sourceDocs : 0, 96);
  store<u64>(shardInfoBlock, merge ? merge.sourceBytes : 0, 104);
  store<u64>(shardInfoBlock, filters, 112);
  store<u64>(shardInfoBlock, evictions, 120);
  store<u64>(shardInfoBlock, hiding, 128);
  setResult(shardInfoBlock, SHARD_INFO_BYTES);
  return OK;
}

/** Records of a segment's fielddata. */
function recordCount(seg: Segment): u32 {
  let count = seg.columnCount + u32(seg.uids != 0);
  for (let block = seg.fielddata; block; block = <usize>load<u32>(block)) ++count;
  for (let block = seg.parentOrdinals; block; block = <usize>load<u32>(block)) ++count;
  return count;
}

function putRecord(at: usize, kind: u32, field: u32, bytes: u64): usize {
  store<u32>(at, kind);
  store<u32>(at, field, 4);
  store<u64>(at, bytes, 8);
  return at + FIELDDATA_BYTES;
}

/** What searches have needed of fields' values. */
export function shardFielddata(handle: u32): i32 {
  const shard = getShard(handle);
  if (!shard) return ERR_ARGUMENT;
  let count: u32 = 0;
  for (let i: u32 = 0; i < shard.allCount; i++) count += recordCount(shard.segment(i));
  const out = requestAlloc(count * FIELDDATA_BYTES);
  if (!out) return ERR_MEMORY;
  let at = out;
  for (let i: u32 = 0; i < shard.allCount; i++) {
    const seg = shard.segment(i);
    for (let c: u32 = 0; c < seg.columnCount; c++) {
      const bytes = askedBytes(seg, c);
      const field = <u32>load<u16>(seg.columnTable + <usize>c * COLUMN_ENTRY_BYTES);
      if (bytes) at = putRecord(at, COLUMNS, field, bytes);
    }
    for (let block = seg.fielddata; block; block = <usize>load<u32>(block))
      at = putRecord(at, COLUMNS, blockField(block), load<u32>(block, 4));
    for (let block = seg.parentOrdinals; block; block = <usize>load<u32>(block))
      at = putRecord(at, PARENT_ORDINALS, load<u32>(block, 8), load<u32>(block, 4));
    if (seg.uids) at = putRecord(at, UIDS, UIDS_FIELD, load<u32>(seg.uids));
  }
  setResult(out, <u32>(at - out));
  return OK;
}

/** Bytes of a field's terms, postings, positions and norms in the segments that searches see: one f64. */
export function shardFieldBytes(handle: u32, field: u32): i32 {
  const shard = getShard(handle);
  if (!shard) return ERR_ARGUMENT;
  let sum: u64 = 0;
  for (let i: u32 = 0; i < shard.segmentCount; i++) {
    const entry = findField(shard.segment(i), field);
    if (entry) sum += FieldEntry.bytes(entry);
  }
  store<f64>(shardInfoBlock, <f64>sum);
  setResult(shardInfoBlock, 8);
  return OK;
}

/** Drops what is made again when it is needed. */
export function shardClear(handle: u32, what: u32): i32 {
  const shard = getShard(handle);
  if (!shard) return ERR_ARGUMENT;
  for (let i: u32 = 0; i < shard.allCount; i++) clear(shard.segment(i), what);
  return OK;
}

function clear(seg: Segment, what: u32): void {
  if (what & CLEAR_FILTERS) dropFilters(seg);
  if (what & CLEAR_FIELDDATA) {
    dropColumns(seg);
    dropUids(seg);
  }
  if (what & CLEAR_PARENT_ORDINALS) dropParentOrdinals(seg);
}
