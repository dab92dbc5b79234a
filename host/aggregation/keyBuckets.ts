/** Buckets that whole numbers are the keys of, and buckets of all shards by their keys. */
import type { Turns } from '../workLimit.js';
import {
  type Aggregation,
  type Bucket,
  isDueForRead,
  mergeBuckets,
  NOTHING_BELOW,
  readBelow,
} from './aggregation.js';
import type { PartialReader } from './reader.js';
import type { Reduction } from './reduction.js';

export interface KeyBucket extends Bucket {
  key: bigint;
}

/** Reads so many buckets of a shard: of each the key, its documents, what the aggregations below have. */
export function* readKeyBuckets(
  count: number,
  children: readonly Aggregation[],
  reader: PartialReader,
  work: Reduction,
): Turns<KeyBucket[]> {
  const buckets: KeyBucket[] = [];
  const isLeaf = children.length === 0;
  for (let n = count; n > 0; n--) {
    const key = reader.i64();
    const docs = reader.u32();
    if (isLeaf && isDueForRead(work)) yield;
    const below = isLeaf ? NOTHING_BELOW : yield* readBelow(children, reader, work);
    buckets.push({ key, docs, below });
  }
  return buckets;
}

/** The buckets of all shards, one for each key. */
export function* reduceByKey(
  children: readonly Aggregation[],
  lists: readonly KeyBucket[][],
  work: Reduction,
): Turns<KeyBucket[]> {
  if (lists.length === 1 && children.length === 0) return lists[0]!;
  const buckets: KeyBucket[] = [];
  for (const group of yield* groupByKey(lists, work)) {
    const { key } = group[0]!;
    const { docs, below } = yield* mergeBuckets(children, group, work);
    buckets.push({ key, docs, below });
  }
  return buckets;
}

/** Buckets of several shards by their keys. */
export function* groupByKey<B extends { key: unknown }>(
  lists: readonly (readonly B[])[],
  work: Reduction,
): Turns<B[][]> {
  const groups = new Map<B['key'], B[]>();
  for (const list of lists) {
    for (const bucket of list) {
      if (work.isDue()) yield;
      const group = groups.get(bucket.key);
      if (group === undefined) groups.set(bucket.key, [bucket]);
      else group.push(bucket);
    }
  }
  return [...groups.values()];
}
