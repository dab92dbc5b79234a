import { MAX_SOURCES } from './termMerger';
import { Shard } from './shards';

/**
 * Which adjacent segments to merge. Segments are of one tier when their sizes are within a factor of about six; a run of ten of
 * a tier is merged, the largest tier first, as Lucene's LogMergePolicy does. So a shard has at most nine segments a tier, and
 * a document is copied about once per factor of ten that the shard grows by.
 */

/** Segments of a merge. */
const MERGE_FACTOR: u32 = 10;
/**
 * Segments below this many bytes are of the lowest tier. A higher floor leaves fewer segments, but one that grows under it is
 * copied by every merge: with a refresh per document of 1.5 KB, 32 KB cost 30 us of merging a document, 256 KB up to 300 us.
 */
const FLOOR_BYTES: f64 = 32 * 1024;
/** Width of a tier, in powers of MERGE_FACTOR. */
const TIER_WIDTH: f64 = 0.75;
/** Most live bytes that a merge reads, so that old and new segments fit in memory. */
const MAX_MERGE_BYTES: f64 = 1073741824;
/**
 * A segment is rewritten when more than this part of its documents is dead; one of the lowest tier only when all are: its dead
 * cost little, and count in scores until the tier is merged, as they do with Lucene's TieredMergePolicy.
 */
const MAX_DEAD: f64 = 0.33;

/** The run that `chooseMerge` has found. */
export let mergeFirst: u32 = 0;
export let mergeCount: u32 = 0;

/** Bytes of a segment that belong to live documents. */
function liveBytes(shard: Shard, i: u32): f64 {
  const seg = shard.segment(i);
  return (<f64>seg.length * <f64>seg.liveCount) / <f64>seg.docCount;
}

function level(shard: Shard, i: u32): f64 {
  return Math.log(max(liveBytes(shard, i), FLOOR_BYTES)) / Math.log(<f64>MERGE_FACTOR);
}

/** Sets the run, unless it is too large. */
function offer(shard: Shard, first: u32, count: u32): bool {
  let bytes: f64 = 0;
  for (let i = first; i < first + count; i++) bytes += liveBytes(shard, i);
  if (bytes > MAX_MERGE_BYTES) return false;
  mergeFirst = first;
  mergeCount = count;
  return true;
}

/** Finds a run by tiers among the segments from..end-1. */
function chooseTier(shard: Shard, from: u32, end: u32): bool {
  let start = from;
  while (start < end) {
    let highest: f64 = 0;
    for (let i = start; i < end; i++) highest = max(highest, level(shard, i));
    // The tier reaches to its last segment; smaller ones in between go along.
    let stop = end;
    while (level(shard, stop - 1) < highest - TIER_WIDTH) --stop;
    for (let first = start; first + MERGE_FACTOR <= stop; first += MERGE_FACTOR) {
      if (offer(shard, first, MERGE_FACTOR)) return true;
    }
    start = stop;
  }
  return false;
}

/** Finds a segment with many deletions. */
function chooseDead(shard: Shard): bool {
  for (let i: u32 = 0; i < shard.allCount; i++) {
    const seg = shard.segment(i);
    if (seg.liveCount && <f64>seg.length < FLOOR_BYTES) continue;
    if (<f64>(seg.docCount - seg.liveCount) > <f64>seg.docCount * MAX_DEAD && offer(shard, i, 1)) return true;
  }
  return false;
}

/** Finds the run that brings a forced merge nearer to its end; false when the end is reached. */
function chooseForced(shard: Shard): bool {
  const count = shard.segmentCount;
  if (count <= shard.forceTo) {
    if (count != 1) return false;
    const seg = shard.segment(0);
    mergeFirst = 0;
    mergeCount = 1;
    return seg.liveCount < seg.docCount;
  }
  // The cheapest run that does all there is to do.
  const wanted = min(count - shard.forceTo + 1, MAX_SOURCES);
  let least: f64 = Infinity;
  for (let first: u32 = 0; first + wanted <= count; first++) {
    let bytes: f64 = 0;
    for (let i = first; i < first + wanted; i++) bytes += liveBytes(shard, i);
    if (bytes < least) {
      least = bytes;
      mergeFirst = first;
    }
  }
  mergeCount = wanted;
  return true;
}

/** Chooses a merge; false when none is due. Visible segments are never merged with others. */
export function chooseMerge(shard: Shard): bool {
  if (shard.forceTo) {
    if (chooseForced(shard)) return true;
    shard.forceTo = 0;
  }
  return (
    chooseTier(shard, 0, shard.segmentCount) ||
    chooseTier(shard, shard.segmentCount, shard.allCount) ||
    chooseDead(shard)
  );
}
