import { Aggregation } from './aggregation';
import { numberOf } from './rounding';
import { Vector } from './vector';

// Numbers for percentiles: a log of (u64 owner, f64 mean, f64 weight), which is sorted and thinned out to centroids when it is
// full and before it is written. A centroid in the middle stands for more numbers than one at the ends (t-digest).

const ENTRY: u32 = 24;
/** Entries of a log that is thinned out the first time: few enough to stay near the processor. */
const FULL: u32 = 1 << 14;

function at(log: Vector, i: u32): usize {
  return log.at + <usize>i * ENTRY;
}

/** Copies an entry: three words, which a call of memory.copy costs more than. */
function put(to: usize, from: usize): void {
  store<u64>(to, load<u64>(from));
  store<u64>(to, load<u64>(from, 8), 8);
  store<u64>(to, load<u64>(from, 16), 16);
}

function isBefore(a: usize, b: usize): bool {
  const x = load<u64>(a);
  const y = load<u64>(b);
  return x < y || (x == y && load<f64>(a, 8) < load<f64>(b, 8));
}

const moved: usize = memory.data(ENTRY, 16);
/** Shorter runs are sorted by insertion. */
const SHORT: u32 = 24;

function swap(log: Vector, i: u32, j: u32): void {
  put(moved, at(log, i));
  put(at(log, i), at(log, j));
  put(at(log, j), moved);
}

function sortShort(log: Vector, from: u32, end: u32): void {
  for (let i = from + 1; i < end; i++) {
    if (!isBefore(at(log, i), at(log, i - 1))) continue;
    put(moved, at(log, i));
    let j = i;
    for (; j > from && isBefore(moved, at(log, j - 1)); j--) put(at(log, j), at(log, j - 1));
    put(at(log, j), moved);
  }
}

function sift(log: Vector, base: u32, from: u32, n: u32): void {
  let i = from;
  for (let child: u32 = 2 * i + 1; child < n; child = 2 * i + 1) {
    if (child + 1 < n && isBefore(at(log, base + child), at(log, base + child + 1))) child++;
    if (!isBefore(at(log, base + i), at(log, base + child))) return;
    swap(log, base + i, base + child);
    i = child;
  }
}

function heapSort(log: Vector, from: u32, end: u32): void {
  const n = end - from;
  for (let i = n >> 1; i > 0; i--) sift(log, from, i - 1, n);
  for (let last = n; last > 1; last--) {
    swap(log, from, from + last - 1);
    sift(log, from, 0, last - 1);
  }
}

const pivot: usize = memory.data(ENTRY, 16);

/** Quicksort by the median of three; parts that go too deep are left to a heap. */
function sort(log: Vector, first: u32, last: u32, most: u32): void {
  let from = first;
  let end = last;
  let depth = most;
  while (end - from > SHORT) {
    if (!depth--) {
      heapSort(log, from, end);
      return;
    }
    const middle = from + ((end - from) >> 1);
    if (isBefore(at(log, middle), at(log, from))) swap(log, middle, from);
    if (isBefore(at(log, end - 1), at(log, middle))) {
      swap(log, end - 1, middle);
      if (isBefore(at(log, middle), at(log, from))) swap(log, middle, from);
    }
    put(pivot, at(log, middle));
    let i = from;
    // One behind, so that it never falls below 0.
    let j = end;
    while (i < j) {
      while (isBefore(at(log, i), pivot)) i++;
      while (isBefore(pivot, at(log, j - 1))) j--;
      if (i >= j) break;
      if (i < j - 1) swap(log, i, j - 1);
      i++;
      j--;
    }
    // The shorter part first: the stack stays flat.
    if (j - from < end - i) {
      sort(log, from, j, depth);
      from = i;
    } else {
      sort(log, i, end, depth);
      end = j;
    }
  }
  sortShort(log, from, end);
}

/** Sorts the log by owner and number and joins what may be one centroid. */
export function thinLog(agg: Aggregation): void {
  const log = agg.log;
  const n = agg.logCount;
  sort(log, 0, n, 64);
  let out: u32 = 0;
  let i: u32 = 0;
  while (i < n) {
    const owner = load<u64>(at(log, i));
    let end = i;
    let total: f64 = 0;
    for (; end < n && load<u64>(at(log, end)) == owner; end++) total += load<f64>(at(log, end), 16);
    let before: f64 = 0;
    let mean = load<f64>(at(log, i), 8);
    let weight = load<f64>(at(log, i), 16);
    for (i++; i <= end; i++) {
      const more = i < end ? load<f64>(at(log, i), 16) : 0;
      const q = (before + (weight + more) / 2) / total;
      const most = (4 * total * q * (1 - q)) / agg.compression;
      if (i < end && weight + more <= most) {
        weight += more;
        mean += ((load<f64>(at(log, i), 8) - mean) * more) / weight;
        continue;
      }
      const to = at(log, out++);
      store<u64>(to, owner);
      store<f64>(to, mean, 8);
      store<f64>(to, weight, 16);
      before += weight;
      if (i < end) {
        mean = load<f64>(at(log, i), 8);
        weight = more;
      }
    }
    i = end;
  }
  agg.logCount = out;
}

/** Adds a batch of values; false without memory. */
export function collectPercentiles(agg: Aggregation, owners: usize, m: u32): bool {
  if (agg.logCount >= max(FULL, agg.logFull)) {
    thinLog(agg);
    // Where there are many owners, much stays; sorting it over and over would not pay.
    agg.logFull = agg.logCount << 1;
  }
  if (!agg.log.reserve(<u64>(agg.logCount + m) * ENTRY)) return false;
  for (let i: u32 = 0; i < m; i++) {
    const to = at(agg.log, agg.logCount++);
    const owner = load<u32>(owners + ((<usize>load<u32>(agg.places + ((<usize>i) << 2))) << 2));
    store<u64>(to, <u64>owner);
    store<f64>(to, numberOf(agg, load<i64>(agg.values + ((<usize>i) << 3))), 8);
    store<f64>(to, 1, 16);
  }
  return true;
}

/** The first entry of an owner in the sorted log, or of the next one. */
export function firstEntry(agg: Aggregation, owner: u64): u32 {
  let low: u32 = 0;
  let high = agg.logCount;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (load<u64>(at(agg.log, middle)) < owner) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Address of an entry: u64 owner, f64 mean, f64 weight. */
export function entryAt(agg: Aggregation, i: u32): usize {
  return at(agg.log, i);
}
