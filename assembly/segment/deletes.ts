import { Bitset } from '../memory/bitset';
import { clearBlock, reserveVisible, showLive } from './blocks';
import { copyLive, docOfKey, Segment } from './segment';
import { Shard } from './shards';

/**
 * Deletions. They are kept as keys until a refresh ends: then they are entered into copies of the live sets, in slices, and
 * the copies take the place of the sets at once.
 */

/** The segment among whose keys the given one lies, or null. */
function segmentOfKey(shard: Shard, key: u64): Segment | null {
  let low: i32 = 0;
  let high: i32 = <i32>shard.allCount - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const seg = shard.segment(middle);
    if (key < seg.firstKey) high = middle - 1;
    else if (key > seg.lastKey) low = middle + 1;
    else return seg;
  }
  return null;
}

/** Enters the shard's deletions from..end-1 into the sets of the next refresh; the first that is not entered for lack of memory, or `end`. */
export function applyDeletes(shard: Shard, from: u32, end: u32): u32 {
  for (let i = from; i < end; i++) {
    const key = load<u64>(shard.deletes + ((<usize>i) << 3));
    const seg = segmentOfKey(shard, key);
    if (!seg) continue;
    const doc = docOfKey(seg, key);
    if (doc < 0) continue;
    if (!seg.nextLive) {
      if (!seg.isLive(doc)) continue;
      if (!reserveVisible(seg)) return i;
      seg.nextLive = copyLive(seg);
      if (!seg.nextLive) return i;
      seg.nextLiveCount = seg.liveCount;
    }
    if (!Bitset.get(seg.nextLive, doc)) continue;
    Bitset.clear(seg.nextLive, doc);
    seg.nextLiveCount -= 1 + clearBlock(seg, <u32>doc, seg.nextLive);
  }
  return end;
}

/**
 * Ends a refresh: makes all segments visible, and the oldest `count` deletions, which were entered. Segments without live
 * documents go, unless a merge is reading them.
 */
export function showRefresh(shard: Shard, count: u32): void {
  for (let i: u32 = 0; i < shard.allCount; i++) {
    const seg = shard.segment(i);
    if (!seg.nextLive) continue;
    showLive(seg, seg.nextLive);
    seg.liveCount = seg.nextLiveCount;
    seg.nextLive = 0;
  }
  shard.segmentCount = shard.allCount;
  ++shard.changes;
  shard.dropDeletes(count);
  shard.dropEmptySegments();
}
