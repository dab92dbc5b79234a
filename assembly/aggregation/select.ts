import { AGG_TERMS } from '../abi/aggregations';
import { COLUMN_ORDINAL } from '../abi/columns';
import { compareBytes } from '../terms/bytes';
import { exhausted, spend } from '../workLimit';
import { Aggregation, ORDER_COUNT, ORDER_KEY } from './aggregation';
import { metricOf } from './metrics';
import { termBytesAt, termLength } from './terms';
import { Vector } from './vector';

// Which buckets of an owner a shard gives, and in which order.

/** What putting a bucket into its order counts for. */
const SIFT_UNITS: u32 = 8;

/** Compares two buckets by their keys. */
export function compareKeys(agg: Aggregation, a: u32, b: u32): i32 {
  const x = agg.keys.i64At(a);
  const y = agg.keys.i64At(b);
  if (agg.kind != AGG_TERMS || agg.type != COLUMN_ORDINAL) return x < y ? -1 : x > y ? 1 : 0;
  const s = <u32>x;
  const t = <u32>y;
  return compareBytes(termBytesAt(agg, s), termLength(agg, s), termBytesAt(agg, t), termLength(agg, t));
}

/** Compares two buckets by the orders of their aggregation: negative if `a` comes first. */
function compareBuckets(agg: Aggregation, a: u32, b: u32): i32 {
  for (let i: u32 = 0; i < agg.orderCount; i++) {
    const order = agg.order(i);
    let result: i32 = 0;
    if (order.what == ORDER_COUNT) {
      const x = agg.counts.u32At(a);
      const y = agg.counts.u32At(b);
      result = x < y ? -1 : x > y ? 1 : 0;
    } else if (order.what == ORDER_KEY) {
      result = compareKeys(agg, a, b);
    } else {
      const x = metricOf(order.target, a, order.metric);
      const y = metricOf(order.target, b, order.metric);
      // What is no number comes last in any order.
      const hasX = x >= -Infinity;
      const hasY = y >= -Infinity;
      if (!hasX || !hasY) {
        if (hasX) return -1;
        if (hasY) return 1;
        continue;
      }
      result = x < y ? -1 : x > y ? 1 : 0;
    }
    if (result) return order.ascending ? result : -result;
  }
  return compareKeys(agg, a, b);
}

function numberAt(list: usize, i: u32): u32 {
  return load<u32>(list + ((<usize>i) << 2));
}

/** Keeps the last of all at the root of the heap of `n` buckets. */
function sift(agg: Aggregation, list: usize, from: u32, n: u32): void {
  const held = numberAt(list, from);
  let i = from;
  for (let child: u32 = 2 * i + 1; child < n; child = 2 * i + 1) {
    if (child + 1 < n && compareBuckets(agg, numberAt(list, child + 1), numberAt(list, child)) > 0) child++;
    if (compareBuckets(agg, numberAt(list, child), held) <= 0) break;
    store<u32>(list + ((<usize>i) << 2), numberAt(list, child));
    i = child;
  }
  store<u32>(list + ((<usize>i) << 2), held);
}

/** Puts the best `most` of the `n` bucket numbers at `list` in front, in their order; how many: none where the call has been stopped. */
export function selectBuckets(agg: Aggregation, list: usize, n: u32, most: u32): u32 {
  const kept = min(n, most);
  if (!kept) return 0;
  for (let i = kept >> 1; i > 0 && spend(SIFT_UNITS); i--) sift(agg, list, i - 1, kept);
  for (let i = kept; i < n && spend(1); i++) {
    const b = numberAt(list, i);
    if (compareBuckets(agg, b, numberAt(list, 0)) >= 0) continue;
    store<u32>(list, b);
    sift(agg, list, 0, kept);
  }
  for (let end = kept; end > 1 && spend(SIFT_UNITS); end--) {
    const last = numberAt(list, end - 1);
    store<u32>(list + ((<usize>(end - 1)) << 2), numberAt(list, 0));
    store<u32>(list, last);
    sift(agg, list, 0, end - 1);
  }
  return exhausted ? 0 : kept;
}

/**
 * Lists bucket numbers owner by owner: `list` holds them, `starts` where each owner's begin (ownerCount + 1 numbers). False
 * without memory.
 */
export function groupByOwner(agg: Aggregation, ownerCount: u32, list: Vector, starts: Vector): bool {
  const n = agg.bucketCount;
  if (!list.reserve((<u64>n) << 2) || !starts.reserve((<u64>ownerCount + 2) << 2)) return false;
  spend((n >> 1) + (ownerCount >> 2));
  memory.fill(starts.at, 0, (<usize>ownerCount + 2) << 2);
  for (let b: u32 = 0; b < n; b++) {
    const at = starts.at + ((<usize>agg.owners.u32At(b) + 2) << 2);
    store<u32>(at, load<u32>(at) + 1);
  }
  for (let o: u32 = 1; o < ownerCount + 2; o++)
    store<u32>(starts.at + ((<usize>o) << 2), starts.u32At(o) + starts.u32At(o - 1));
  for (let b: u32 = 0; b < n; b++) {
    const at = starts.at + ((<usize>agg.owners.u32At(b) + 1) << 2);
    const to = load<u32>(at);
    store<u32>(list.at + ((<usize>to) << 2), b);
    store<u32>(at, to + 1);
  }
  return true;
}
