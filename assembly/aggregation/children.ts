import { AGG_CHILDREN } from '../abi/aggregations';
import { parentOrdinals, NO_NUMBER, assignParentOrdinals } from '../segment/parentOrdinals';
import { Segment } from '../segment/segment';
import { Shard } from '../segment/shards';
import { Aggregation, BATCH } from './aggregation';
import { countIn } from './buckets';

/**
 * From parents to their children, which may be in any segment: while documents come, the buckets that parents are in are noted by the
 * number of the parent's uid (segment/families.ts); when all have come, the children of the shard are gone through once, and those
 * with a noted number go down to the aggregations below.
 *
 *     heads    u32 by number: 1 + the place of the bucket noted last
 *     links    of each place: u32 bucket, u32 head before
 */

/** Prepares the numbers of a segment; false without memory. */
export function openChildren(agg: Aggregation, shard: Shard, seg: Segment): bool {
  if (!assignParentOrdinals(shard, agg.field, agg.childField)) return false;
  agg.numbers = parentOrdinals(seg, agg.field);
  return agg.heads.reserve((<u64>shard.familyCount) << 2);
}

/** Notes the buckets of a batch of parents; false without memory. */
export function noteParents(agg: Aggregation, docs: usize, owners: usize, n: u32): bool {
  const numbers = agg.numbers;
  if (!numbers) return true;
  if (!agg.links.reserve((<u64>(agg.linkCount + n)) << 3)) return false;
  for (let i: usize = 0; i < (<usize>n) << 2; i += 4) {
    const number = load<u32>(numbers + ((<usize>load<u32>(docs + i)) << 2));
    if (number == NO_NUMBER) continue;
    const head = agg.heads.at + ((<usize>number) << 2);
    const link = agg.links.at + ((<usize>agg.linkCount) << 3);
    store<u32>(link, load<u32>(owners + i));
    store<u32>(link, load<u32>(head), 4);
    agg.linkCount++;
    store<u32>(head, agg.linkCount);
  }
  return true;
}

/** The link that a child is at, 0 where its parent is in no bucket. `numbers`: those of the children's segment by their parents. */
export function linkOf(agg: Aggregation, numbers: usize, doc: u32): u32 {
  const number = load<u32>(numbers + ((<usize>doc) << 2));
  return number == NO_NUMBER ? 0 : load<u32>(agg.heads.at + ((<usize>number) << 2));
}

/** Puts a child out into the bucket of a link; returns the next link. There must be room. */
export function putChild(agg: Aggregation, doc: u32, link: u32): u32 {
  const at = agg.links.at + ((<usize>(link - 1)) << 3);
  const bucket = load<u32>(at);
  countIn(agg, bucket);
  const out = (<usize>agg.readPart) << 2;
  store<u32>(agg.outDocs + out, doc);
  store<u32>(agg.outOwners + out, bucket);
  agg.readPart++;
  return load<u32>(at, 4);
}

/** Whether a batch is full. */
export function isFull(agg: Aggregation): bool {
  return agg.readPart == BATCH;
}

/** Whether there are such aggregations in the tree. */
export function hasChildren(agg: Aggregation): bool {
  if (agg.kind == AGG_CHILDREN) return true;
  for (let i: u32 = 0; i < agg.childCount; i++) if (hasChildren(agg.child(i))) return true;
  return false;
}
