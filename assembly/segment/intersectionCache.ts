import { heapAllocZeroed, heapFree } from '../memory/heap';
import { isNested } from '../nesting';

// What is remembered of a term's list and a filter of the cache that met in a search: how many documents they have in common and,
// from the second time on, what these reach at most block by block. So a frequent term is searched within a filter that comes
// again as it is without one: its list need not be counted, and blocks that hold no hit are passed over unread. An entry is of
// one state of the segment's deletions (`view`). The table is of a fixed size: sets of four, of which the one that has not been used
// for longest makes room.
//
//     u32 number of the filter, 0: free | u32 address of the list | u32 view | u32 documents in common
//     u32 address of the maxima, 0: none | u32 bytes of them | u32 last use | u32 1 while the maxima are being found
//
// Maxima are a byte a block, padded to 16 with zeros: 0 where the block has no document in common, else what the documents reach of
// sqrt(freq) * norm, in 255ths of the list's largest, rounded up. The 16 bytes before them are the largest ones, descending.

const ENTRY: usize = 32;
const WAYS: usize = 4;
const SETS: usize = 256;
const LARGEST: u32 = 16;
const BEING_FOUND: usize = 28;
/** All maxima of an instance take no more than this. */
const MAX_BYTES: u32 = 4 << 20;

const table: usize = heapAllocZeroed(<u32>(ENTRY * WAYS * SETS));
let clock: u32 = 0;
let maximaBytes: u32 = 0;

/** What `recall` found. */
export let intersectionCount: u32 = 0;
export let intersectionMaxima: usize = 0;

function setOf(serial: u32, list: usize): usize {
  const hash = (serial * 0x9e3779b1) ^ (<u32>list * 0x85ebca6b);
  return table + ((<usize>hash >> 16) & (SETS - 1)) * WAYS * ENTRY;
}

function find(serial: u32, list: usize, view: u32): usize {
  const first = setOf(serial, list);
  for (let at = first; at < first + WAYS * ENTRY; at += ENTRY)
    if (load<u32>(at) == serial && load<u32>(at, 4) == <u32>list && load<u32>(at, 8) == view) return at;
  return 0;
}

function dropMaxima(entry: usize): void {
  heapFree(<usize>load<u32>(entry, 16));
  maximaBytes -= load<u32>(entry, 20);
  store<u64>(entry, 0, 16);
}

/** Whether it is known what a list has in common with a filter: `intersectionCount` documents, with `intersectionMaxima` if these are known. */
export function recall(serial: u32, list: usize, view: u32): bool {
  if (!table) return false;
  const at = find(serial, list, view);
  if (!at) return false;
  store<u32>(at, ++clock, 24);
  intersectionCount = load<u32>(at, 12);
  const block = load<u32>(at, BEING_FOUND) ? 0 : <usize>load<u32>(at, 16);
  intersectionMaxima = block ? block + LARGEST : 0;
  return true;
}

/** Remembers how many documents they have in common; not in a nested call, as the other one may be using what would be dropped. */
export function remember(serial: u32, list: usize, view: u32, count: u32): void {
  if (!table || isNested()) return;
  const first = setOf(serial, list);
  let at = first;
  for (let other = first + ENTRY; other < first + WAYS * ENTRY; other += ENTRY)
    if (load<u32>(other, 24) < load<u32>(at, 24)) at = other;
  dropMaxima(at);
  store<u32>(at, serial);
  store<u32>(at, <u32>list, 4);
  store<u32>(at, view, 8);
  store<u32>(at, count, 12);
  store<u32>(at, ++clock, 24);
}

/** Forgets a filter, which is gone. */
export function forgetFilter(serial: u32): void {
  if (!maximaBytes) return;
  for (let at = table; at < table + ENTRY * WAYS * SETS; at += ENTRY)
    if (load<u32>(at) == serial && load<u32>(at, 16)) dropMaxima(at);
}

/** Makes room for the maxima of two that met before, cleared, where they are few enough; 0 if not. */
export function makeMaxima(serial: u32, list: usize, view: u32, blocks: u32): usize {
  const entry = find(serial, list, view);
  const bytes = LARGEST + ((blocks + 15) & ~15);
  if (!entry || bytes > MAX_BYTES >> 4 || isNested()) return 0;
  while (maximaBytes + bytes > MAX_BYTES) {
    let oldest: usize = 0;
    for (let at = table; at < table + ENTRY * WAYS * SETS; at += ENTRY)
      if (load<u32>(at, 16) && (!oldest || load<u32>(at, 24) < load<u32>(oldest, 24))) oldest = at;
    dropMaxima(oldest);
  }
  const maxima = heapAllocZeroed(bytes);
  if (!maxima) return 0;
  maximaBytes += bytes;
  store<u32>(entry, <u32>maxima, 16);
  store<u32>(entry, bytes, 20);
  store<u32>(entry, 1, BEING_FOUND);
  return maxima + LARGEST;
}

/** Lets other searches have the maxima of two, which are complete. */
export function completeMaxima(serial: u32, list: usize, view: u32): void {
  const entry = find(serial, list, view);
  if (entry) store<u32>(entry, 0, BEING_FOUND);
}

/** Puts the largest maxima in order, once all are known. */
export function orderLargest(maxima: usize, blocks: u32): void {
  const largest = maxima - LARGEST;
  for (let block: u32 = 0; block < blocks; block++) {
    const value = load<u8>(maxima + block);
    let k = LARGEST;
    for (; k > 0 && load<u8>(largest + k - 1) < value; k--)
      if (k < LARGEST) store<u8>(largest + k, load<u8>(largest + k - 1));
    if (k < LARGEST) store<u8>(largest + k, value);
  }
}

/** What the maxima of `n` blocks lie at or above, and a document of each reaches; at least 1. */
export function largestOf(maxima: usize, n: u32): f32 {
  if (n - 1 >= LARGEST) return 1;
  return max<f32>(1, <f32>load<u8>(maxima - LARGEST + n - 1) - 1);
}

/** Forgets the maxima of two, which were not completed. */
export function forgetMaxima(serial: u32, list: usize, view: u32): void {
  const entry = find(serial, list, view);
  if (entry) dropMaxima(entry);
}
