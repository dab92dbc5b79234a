import { ERR_ARGUMENT, ERR_IMAGE, ERR_MEMORY, OK } from '../abi/status';
import { heapAlloc, heapFree } from '../memory/heap';
import { count, sizeInBytes } from '../memory/bitset';
import { setResult } from '../result';
import { findBlocks, reserveVisible, showLive } from './blocks';
import { freeSegment, openSegment } from './segment';
import { getShard, Shard } from './shards';
import { isImage } from './verify';
import { applyToShard, forceMergeShard, refreshShard, workOnShard } from './work';

/** The calls of the ABI that concern a shard's documents and segments; assembly/README.md says what each means. */

export { shardCreate, shardDrop } from './shards';

const SEGMENT_INFO_BYTES: u32 = 40;
const segmentInfoBlock: usize = memory.data(40, 16);

export function fieldDefine(
  handle: u32,
  field: u32,
  flags: u32,
  analyzer: u32,
  boost: f32,
  positionGap: u32,
): i32 {
  const shard = getShard(handle);
  if (!shard) return ERR_ARGUMENT;
  return shard.define(field, flags, analyzer, boost, positionGap);
}

export function fieldFilter(handle: u32, field: u32, ptr: usize, length: u32): i32 {
  const shard = getShard(handle);
  if (!shard) return ERR_ARGUMENT;
  return shard.filterTerms(field, ptr, length);
}

export function applyBatch(handle: u32, ptr: usize, length: u32): i32 {
  const shard = getShard(handle);
  if (!shard) return ERR_ARGUMENT;
  return applyToShard(shard, ptr, length);
}

export function shardRefresh(handle: u32): i32 {
  const shard = getShard(handle);
  if (!shard) return ERR_ARGUMENT;
  return refreshShard(shard);
}

export function shardWork(handle: u32, budget: u32): i32 {
  const shard = getShard(handle);
  if (!shard) return ERR_ARGUMENT;
  return workOnShard(shard, budget);
}

export function shardForceMerge(handle: u32, segments: u32): i32 {
  const shard = getShard(handle);
  if (!shard) return ERR_ARGUMENT;
  forceMergeShard(shard, segments);
  return OK;
}

/** Number of segments that searches see. */
export function segmentCount(handle: u32): i32 {
  const shard = getShard(handle);
  if (!shard) return ERR_ARGUMENT;
  return <i32>shard.segmentCount;
}

export function segmentInfo(handle: u32, i: u32): i32 {
  const shard = getShard(handle);
  if (!shard || i >= shard.segmentCount) return ERR_ARGUMENT;
  const seg = shard.segment(i);
  store<u64>(segmentInfoBlock, seg.length);
  store<u64>(segmentInfoBlock, seg.firstKey, 8);
  store<u64>(segmentInfoBlock, seg.lastKey, 16);
  store<u32>(segmentInfoBlock, seg.docCount, 24);
  store<u32>(segmentInfoBlock, seg.liveCount, 28);
  store<u32>(segmentInfoBlock, seg.fieldCount, 32);
  store<u32>(segmentInfoBlock, seg.id, 36);
  setResult(segmentInfoBlock, SEGMENT_INFO_BYTES);
  return OK;
}

export function segmentImage(handle: u32, i: u32): i32 {
  const shard = getShard(handle);
  if (!shard || i >= shard.segmentCount) return ERR_ARGUMENT;
  const seg = shard.segment(i);
  setResult(seg.image, seg.length);
  return OK;
}

/** Where a segment with these keys belongs among the visible ones, or -1 if it overlaps with what is there. */
function placeOf(shard: Shard, firstKey: u64, lastKey: u64): i32 {
  let at: u32 = 0;
  while (at < shard.segmentCount && shard.segment(at).lastKey < firstKey) ++at;
  if (at < shard.allCount) return lastKey < shard.segment(at).firstKey ? <i32>at : -1;
  // Documents without a segment have the highest keys.
  return shard.buffer || shard.flush ? -1 : <i32>at;
}

/** Whether a merge reads segments on both sides of a place. */
function splitsMerge(shard: Shard, at: u32): bool {
  return at > 0 && at < shard.allCount && shard.segment(at - 1).refs > 0 && shard.segment(at).refs > 0;
}

export function segmentLoad(handle: u32, ptr: usize, length: u32): i32 {
  const shard = getShard(handle);
  if (!shard || !ptr) return ERR_ARGUMENT;
  if (!isImage(ptr, length)) return ERR_IMAGE;
  if (!shard.reserveSegment()) return ERR_MEMORY;
  const seg = openSegment(ptr, length, shard.newId());
  if (!seg) return ERR_MEMORY;
  if (!findBlocks(shard, seg)) {
    seg.image = 0;
    freeSegment(seg);
    return ERR_MEMORY;
  }
  const at = placeOf(shard, seg.firstKey, seg.lastKey);
  if (at < 0 || splitsMerge(shard, at)) {
    seg.image = 0;
    freeSegment(seg);
    return ERR_ARGUMENT;
  }
  const visible = shard.segmentCount;
  shard.insertSegment(at, seg);
  shard.segmentCount = visible + 1;
  ++shard.changes;
  shard.nextKey = max(shard.nextKey, seg.lastKey + 1);
  return OK;
}

/** Takes a segment out; one that a job is reading stays. */
export function segmentDrop(handle: u32, i: u32): i32 {
  const shard = getShard(handle);
  if (!shard || i >= shard.segmentCount || shard.flush || shard.segment(i).refs) return ERR_ARGUMENT;
  shard.removeSegments(i, 1);
  return OK;
}

/** Gives a segment the id that it had in another instance; ids given from now on are larger. */
export function segmentRename(handle: u32, i: u32, id: u32): i32 {
  const shard = getShard(handle);
  if (!shard || i >= shard.segmentCount) return ERR_ARGUMENT;
  shard.segment(i).id = id;
  shard.usedId(id);
  return OK;
}

/** How often what searches see of a shard has changed, in 31 bits. */
export function shardChanges(handle: u32): i32 {
  const shard = getShard(handle);
  if (!shard) return ERR_ARGUMENT;
  return <i32>(shard.changes & 0x7fffffff);
}

export function segmentLive(handle: u32, i: u32): i32 {
  const shard = getShard(handle);
  if (!shard || i >= shard.segmentCount) return ERR_ARGUMENT;
  const seg = shard.segment(i);
  setResult(seg.live, seg.live ? sizeInBytes(seg.docCount) : 0);
  return OK;
}

/** Sets the live documents of a segment; while a refresh is on its way this is refused. */
export function segmentSetLive(handle: u32, i: u32, ptr: usize, length: u32): i32 {
  const shard = getShard(handle);
  if (!shard || i >= shard.segmentCount) return ERR_ARGUMENT;
  const seg = shard.segment(i);
  if (shard.flush || seg.refs) return ERR_ARGUMENT;
  ++shard.changes;
  if (!length) {
    showLive(seg, 0);
    seg.liveCount = seg.docCount;
    return OK;
  }
  const used = (seg.docCount + 7) >> 3;
  if (length < used) return ERR_ARGUMENT;
  const bytes = sizeInBytes(seg.docCount);
  const live = heapAlloc(bytes);
  if (!live || !reserveVisible(seg)) {
    heapFree(live);
    return ERR_MEMORY;
  }
  memory.fill(live, 0, bytes);
  memory.copy(live, ptr, used);
  const last = live + used - 1;
  if (seg.docCount & 7) store<u8>(last, <u32>load<u8>(last) & ((1 << (seg.docCount & 7)) - 1));
  showLive(seg, live);
  seg.liveCount = count(live, bytes);
  return OK;
}
