import { requestAlloc } from '../memory/arena';
import { compareTerms, SortSection, termOfRank, writeRank } from '../sort/sortKeys';

// The best k documents by the sort keys. Those of a segment are in a heap whose root is the worst, compared by ranks; at the
// segment's end they are merged with the best of the segments before, compared by what is the same in all segments:
//
//     hit    | u32 document in the shard | f32 score | n × 8 bytes: i64 rank, or the address of a string (0: none) |

// Globals, as the best hits by score are (score/topHits.ts): one search collects at a time, and these are read for every document.

/** The keys that they go by. */
let sort: SortSection = changetype<SortSection>(0);
let stride: u32 = 0;
let capacity: u32 = 0;
/** The heap, and how many it holds. */
let heap: usize = 0;
let size: u32 = 0;
/** The best of the segments so far, best first; a second list of that size to merge into. */
let best: usize = 0;
let bestCount: u32 = 0;
let other: usize = 0;
/** The hit being offered, and one being moved. */
let candidate: usize = 0;
let moved: usize = 0;
/** First rank that a document must not exceed, and whether it must be below. */
export let bound: i64 = i64.MAX_VALUE;
/** The bound that the segments before have set. */
let outerBound: i64 = i64.MAX_VALUE;

/** Starts over with room for `k` hits by some keys; false without room. */
export function sortedStart(keys: SortSection, k: u32): bool {
  sort = keys;
  stride = 8 + (sort.count << 3);
  capacity = k;
  size = 0;
  bestCount = 0;
  outerBound = i64.MAX_VALUE;
  bound = outerBound;
  const bytes = <u64>(k + 1) * stride;
  if (bytes > 0x40000000) return false;
  heap = requestAlloc(<u32>bytes);
  best = requestAlloc(<u32>bytes);
  other = requestAlloc(<u32>bytes);
  candidate = requestAlloc(stride);
  moved = requestAlloc(stride);
  return heap != 0 && best != 0 && other != 0 && candidate != 0 && moved != 0;
}

export class Offered {
  /** The hit that `offerSorted` takes. */
  @inline static put(doc: u32, score: f32): void {
    store<u32>(candidate, doc);
    store<f32>(candidate, score, 4);
  }
  @inline static rank(i: u32, rank: i64): void {
    store<i64>(candidate + ((<usize>i) << 3), rank, 8);
  }
}

/** Whether hit `a` comes after `b` by their ranks. */
function isWorse(a: usize, b: usize): bool {
  for (let i: u32 = 8; i < stride; i += 8) {
    const x = load<i64>(a + i);
    const y = load<i64>(b + i);
    if (x != y) return x > y;
  }
  return load<u32>(a) > load<u32>(b);
}

function at(i: u32): usize {
  return heap + <usize>i * stride;
}

/** Puts a hit in the place of the root, and where it belongs. */
function siftDown(hit: usize): void {
  let i: u32 = 0;
  for (;;) {
    let child = i * 2 + 1;
    if (child >= size) break;
    if (child + 1 < size && isWorse(at(child + 1), at(child))) child++;
    if (!isWorse(at(child), hit)) break;
    memory.copy(at(i), at(child), stride);
    i = child;
  }
  memory.copy(at(i), hit, stride);
}

/** Takes the candidate in if it is among the best of the segment. */
export function offerSorted(): void {
  if (size == capacity) {
    if (!isWorse(heap, candidate)) return;
    siftDown(candidate);
  } else {
    let i = size++;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (!isWorse(candidate, at(parent))) break;
      memory.copy(at(i), at(parent), stride);
      i = parent;
    }
    memory.copy(at(i), candidate, stride);
  }
  if (size == capacity) bound = min(outerBound, load<i64>(heap, 8));
}

/** Compares two hits of different segments: whether `a` comes before `b`, whose segment is a later one. */
function isBefore(a: usize, b: usize): bool {
  for (let k: u32 = 0; k < sort.count; k++) {
    const key = sort.key(k);
    const offset = (<usize>k) << 3;
    if (key.isString) {
      const order = compareTerms(key, <usize>load<u64>(a + offset, 8), <usize>load<u64>(b + offset, 8));
      if (order != 0) return order < 0;
    } else {
      const x = load<i64>(a + offset, 8);
      const y = load<i64>(b + offset, 8);
      if (x != y) return x < y;
    }
  }
  return true;
}

/** Replaces the ranks of strings by the strings. */
function resolve(hit: usize): void {
  for (let k: u32 = 0; k < sort.count; k++) {
    const key = sort.key(k);
    const place = hit + ((<usize>k) << 3);
    if (key.isString) store<u64>(place, <u64>termOfRank(key, load<i64>(place, 8)), 8);
  }
}

/** Merges the best of the segment, whose keys are still open, with those before. */
export function endSortedSegment(): void {
  const found = size;
  // Heap sort: the worst goes to the end.
  while (size > 1) {
    const last = at(--size);
    memory.copy(moved, last, stride);
    memory.copy(last, heap, stride);
    siftDown(moved);
  }
  size = 0;
  let a: u32 = 0;
  let b: u32 = 0;
  let n: u32 = 0;
  let resolved: u32 = 0;
  for (; n < capacity && (a < bestCount || b < found); n++) {
    const mine = best + <usize>a * stride;
    const its = at(b);
    if (b < found && resolved == b) {
      resolve(its);
      resolved++;
    }
    const first = b == found || (a < bestCount && isBefore(mine, its));
    memory.copy(other + <usize>n * stride, first ? mine : its, stride);
    if (first) a++;
    else b++;
  }
  const swapped = best;
  best = other;
  other = swapped;
  bestCount = n;
  // What is as good as the worst in the first key may be better in the next.
  if (n == capacity && n && !sort.key(0).isString) outerBound = load<i64>(best + <usize>(n - 1) * stride, 8);
  bound = outerBound;
}

/** Number of hits. */
export function sortedSize(): u32 {
  return bestCount;
}

/** The i-th hit, best first: its number in the shard and its score. */
export function sortedDoc(i: u32): u32 {
  return load<u32>(best + <usize>i * stride);
}
export function sortedScore(i: u32): f32 {
  return load<f32>(best + <usize>i * stride, 4);
}

/** Bytes that the i-th hit's sort values take in the result. */
export function sortValuesBytes(i: u32): u32 {
  const hit = best + <usize>i * stride;
  let bytes: u32 = 0;
  for (let k: u32 = 0; k < sort.count; k++) {
    if (!sort.key(k).isString) {
      bytes += 8;
      continue;
    }
    const text = <usize>load<u64>(hit + ((<usize>k) << 3), 8);
    bytes += 4 + (text ? load<u32>(text) : 0);
  }
  return bytes;
}

/** Writes the i-th hit's sort values (README.md) and returns the address after them. */
export function writeSortValues(i: u32, to: usize): usize {
  const hit = best + <usize>i * stride;
  let out = to;
  for (let k: u32 = 0; k < sort.count; k++) {
    const key = sort.key(k);
    const value = load<i64>(hit + ((<usize>k) << 3), 8);
    if (key.isString) {
      const text = <usize>(<u64>value);
      const length = text ? load<u32>(text) : 0;
      store<u32>(out, text ? length : u32.MAX_VALUE);
      memory.copy(out + 4, text + 4, length);
      out += 4 + length;
      continue;
    }
    writeRank(key, value, out);
    out += 8;
  }
  return out;
}
