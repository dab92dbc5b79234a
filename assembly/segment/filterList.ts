import { heapFree } from '../memory/heap';

// The cached filters of all segments (search/filterCache.ts makes them), in two lists: those of a segment, from an address in the
// segment, and all of them by their last use. A filter is a heap block that begins with
//
//     u32 next of the segment | u32 bytes of the block | u32 used before | u32 used after | u32 address of the segment's first

export const FILTER_LINKS: usize = 20;

/** Bytes of all filters. */
export let filterBytes: u32 = 0;
/** The filter whose last use is longest ago; 0: there is none. */
export let oldestFilter: usize = 0;
let newest: usize = 0;

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

/** Adds a filter of `bytes` bytes to the segment whose first filter stands at `head`. */
export function addFilter(head: usize, filter: usize, bytes: u32): void {
  store<u32>(filter, load<u32>(head));
  store<u32>(filter, bytes, 4);
  store<u32>(filter, <u32>head, 16);
  store<u32>(head, <u32>filter);
  append(filter);
  filterBytes += bytes;
}

/** Notes that a filter is used. */
export function touchFilter(filter: usize): void {
  if (filter == newest) return;
  takeOut(filter);
  append(filter);
}

/** Takes a filter out of its segment and frees it. */
export function dropFilter(filter: usize): void {
  let link = headOf(filter);
  while (<usize>load<u32>(link) != filter) link = <usize>load<u32>(link);
  store<u32>(link, load<u32>(filter));
  takeOut(filter);
  filterBytes -= load<u32>(filter, 4);
  heapFree(filter);
}

/** Where the first filter of the segment stands that a filter belongs to. */
export function headOf(filter: usize): usize {
  return <usize>load<u32>(filter, 16);
}

/** Frees all filters of a segment. */
export function dropFilterList(head: usize): void {
  while (load<u32>(head)) dropFilter(<usize>load<u32>(head));
}
