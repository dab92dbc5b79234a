import { Aggregation } from './aggregation';

// Buckets found by their owner and key.

/** A mix of 64 bits (the finalizer of MurmurHash3). */
export function mix(value: u64): u64 {
  let x = value;
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccd;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53;
  return x ^ (x >> 33);
}

function place(owner: u32, key: i64, size: u32): u32 {
  return <u32>mix(<u64>key ^ (<u64>owner * 0x9e3779b97f4a7c15)) & (size - 1);
}

function rehash(agg: Aggregation): bool {
  const size: u32 = agg.tableSize ? agg.tableSize << 1 : 64;
  const table = agg.table;
  if (!table.reserve((<u64>size) << 2)) return false;
  memory.fill(table.at, 0, (<usize>size) << 2);
  agg.tableSize = size;
  for (let b: u32 = 0; b < agg.bucketCount; b++) {
    let at = place(agg.owners.u32At(b), agg.keys.i64At(b), size);
    while (table.u32At(at)) at = (at + 1) & (size - 1);
    store<u32>(table.at + ((<usize>at) << 2), b + 1);
  }
  return true;
}

/** Room for the numbers of `n` buckets; false without memory. */
export function reserveBuckets(agg: Aggregation, n: u32): bool {
  return (
    agg.counts.reserve((<u64>n) << 2) && agg.owners.reserve((<u64>n) << 2) && agg.keys.reserve((<u64>n) << 3)
  );
}

/** Most buckets of one aggregation in a shard: what reads them holds each as an object. */
const MAX_BUCKETS: u32 = 1 << 22;

/** Adds a bucket without documents; its number, or -1 without memory or with too many. */
export function addBucket(agg: Aggregation, owner: u32, key: i64): i32 {
  const b = agg.bucketCount;
  if (b >= MAX_BUCKETS || !reserveBuckets(agg, b + 1)) return -1;
  store<u32>(agg.owners.at + ((<usize>b) << 2), owner);
  store<i64>(agg.keys.at + ((<usize>b) << 3), key);
  agg.bucketCount = b + 1;
  return <i32>b;
}

/** The bucket of an owner and key, which is added if it is new; -1 without memory. */
export function bucketOf(agg: Aggregation, owner: u32, key: i64): i32 {
  if (agg.bucketCount && agg.lastKey == key && agg.lastOwner == owner) return <i32>agg.lastBucket;
  if (agg.bucketCount >= agg.tableSize - (agg.tableSize >> 2) && !rehash(agg)) return -1;
  const size = agg.tableSize;
  let at = place(owner, key, size);
  let found: u32 = 0;
  for (;;) {
    found = agg.table.u32At(at);
    if (!found) break;
    if (agg.keys.i64At(found - 1) == key && agg.owners.u32At(found - 1) == owner) break;
    at = (at + 1) & (size - 1);
  }
  let b: i32;
  if (found) b = <i32>(found - 1);
  else {
    b = addBucket(agg, owner, key);
    if (b < 0) return -1;
    store<u32>(agg.table.at + ((<usize>at) << 2), <u32>b + 1);
  }
  agg.lastOwner = owner;
  agg.lastKey = key;
  agg.lastBucket = <u32>b;
  return b;
}

/** Most entries of a table by owner and number within the segment. */
const MAX_LOCALS: u64 = 1 << 20;

/**
 * As `bucketOf`, where within the segment keys have numbers below `agg.locals`: where owners and numbers are few, buckets that have
 * been met are in a table.
 */
export function bucketOfLocal(agg: Aggregation, owner: u32, local: u32, key: i64): i32 {
  const i = <u64>owner * agg.locals + local;
  if (i >= MAX_LOCALS) return bucketOf(agg, owner, key);
  if (!agg.localBuckets.reserve((i + 1) << 2)) return -1;
  const at = agg.localBuckets.at + ((<usize>i) << 2);
  const known = load<u32>(at);
  if (known) return <i32>(known - 1);
  const bucket = bucketOf(agg, owner, key);
  if (bucket >= 0) store<u32>(at, <u32>bucket + 1);
  return bucket;
}

/** Starts a segment in which keys have so many numbers. */
export function startLocals(agg: Aggregation, locals: u32): void {
  agg.locals = locals;
  if (agg.localBuckets.room) memory.fill(agg.localBuckets.at, 0, agg.localBuckets.room);
}

/** Counts a document of a bucket. */
export function countIn(agg: Aggregation, bucket: u32): void {
  const at = agg.counts.at + ((<usize>bucket) << 2);
  store<u32>(at, load<u32>(at) + 1);
}
