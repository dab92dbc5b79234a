import { heapAllocZeroed, heapFree } from '../memory/heap';
import { forgetFilter } from './intersectionCache';

// The cached filters of all segments (search/filterCache.ts makes them), in three ways: those of a segment, from an address in the
// segment; all of them by their last use; and by the hash of what they are found by. A filter is a heap block that begins with
//
//     u32 next of the segment | u32 bytes of the block | u32 used before | u32 used after | u32 address of what points to it in its
//     segment: the filter before it or the segment's first | u32 address of the segment's first | u32 next of the same bucket | u32 hash
//     u32 serial: a number that no other filter of the instance has or had

export const FILTER_LINKS: usize = 36;
export const FILTER_SERIAL: usize = 32;

/** Most filters of an instance, twice as many as buckets. */
const MOST_FILTERS: u32 = 1 << 14;
const BUCKETS: usize = 1 << 13;

/** Bytes of all filters. */
export let filterBytes: u32 = 0;
/** How many there are. */
let filterTotal: u32 = 0;
/** The filter whose last use is longest ago; 0: there is none. */
export let oldestFilter: usize = 0;
let newest: usize = 0;
/** u32 each: the first filter of a bucket. */
const buckets: usize = heapAllocZeroed(<u32>(BUCKETS << 2));

function bucketOf(hash: u32): usize {
  return buckets + ((<usize>hash & (BUCKETS - 1)) << 2);
}

function append(filter: usize): void {
  store<u32>(filter, <u32>newest, 8);
  store<u32>(filter, 0, 12);
  if (newest) store<u32>(newest, <u32>filter, 12);
  else oldestFilter = filter;
  newest = filter;
}

function takeOut(filter: usize): void {
  const before = <usize>load<u32>(filter, 8);
  const after = <usize>load<u32>(filter, 12);
  if (before) store<u32>(before, <u32>after, 12);
  else oldestFilter = after;
  if (after) store<u32>(after, <u32>before, 8);
  else newest = before;
}

/** Whether there is room for one more filter. */
export function hasFilterRoom(): bool {
  return buckets != 0 && filterTotal < MOST_FILTERS;
}

/** Adds a filter of `bytes` bytes to the segment whose first filter stands at `head`. */
export function addFilter(head: usize, filter: usize, bytes: u32, hash: u32): void {
  const next = load<u32>(head);
  if (next) store<u32>(<usize>next, <u32>filter, 16);
  store<u32>(filter, next);
  store<u32>(filter, bytes, 4);
  store<u32>(filter, <u32>head, 16);
  store<u32>(filter, <u32>head, 20);
  store<u32>(head, <u32>filter);
  const bucket = bucketOf(hash);
  store<u32>(filter, load<u32>(bucket), 24);
  store<u32>(filter, hash, 28);
  store<u32>(bucket, <u32>filter);
  append(filter);
  filterBytes += bytes;
  filterTotal++;
}

/** The first filter of a hash in the segment whose first filter stands at `head`; 0: there is none. */
export function firstFilter(head: usize, hash: u32): usize {
  return buckets ? sameHash(<usize>load<u32>(bucketOf(hash)), head, hash) : 0;
}

/** The one after it. */
export function nextFilter(filter: usize): usize {
  return sameHash(<usize>load<u32>(filter, 24), headOf(filter), load<u32>(filter, 28));
}

function sameHash(from: usize, head: usize, hash: u32): usize {
  let filter = from;
  while (filter && (load<u32>(filter, 28) != hash || headOf(filter) != head))
    filter = <usize>load<u32>(filter, 24);
  return filter;
}

/** Notes that a filter is used. */
export function touchFilter(filter: usize): void {
  if (filter == newest) return;
  takeOut(filter);
  append(filter);
}

/** Takes a filter out of its segment and frees it. */
export function dropFilter(filter: usize): void {
  const next = load<u32>(filter);
  const link = load<u32>(filter, 16);
  store<u32>(<usize>link, next);
  if (next) store<u32>(<usize>next, link, 16);
  let bucket = bucketOf(load<u32>(filter, 28));
  while (<usize>load<u32>(bucket) != filter) bucket = <usize>load<u32>(bucket) + 24;
  store<u32>(bucket, load<u32>(filter, 24));
  takeOut(filter);
  forgetFilter(load<u32>(filter, FILTER_SERIAL));
  filterBytes -= load<u32>(filter, 4);
  filterTotal--;
  heapFree(filter);
}

/** Where the first filter of the segment stands that a filter belongs to. */
export function headOf(filter: usize): usize {
  return <usize>load<u32>(filter, 20);
}

/** Frees all filters of a segment. */
export function dropFilterList(head: usize): void {
  while (load<u32>(head)) dropFilter(<usize>load<u32>(head));
}
