import { Aggregation } from './aggregation';
import { numberOf } from './rounding';
import { Vector } from './vector';

// Numbers for percentiles: a log of (u64 owner, f64 mean, f64 weight), which is sorted and thinned out to centroids when it is
// full and before it is written. A centroid in the middle stands for more numbers than one at the ends (t-digest).

const ENTRY: u32 = 24;
/** Entries of a log that is thinned out. */
const FULL: u32 = 1 << 20;

function at(log: Vector, i: u32): usize {
  return log.at + <usize>i * ENTRY;
}

function isBefore(a: usize, b: usize): bool {
  const x = load<u64>(a);
  const y = load<u64>(b);
  return x < y || (x == y && load<f64>(a, 8) < load<f64>(b, 8));
}

const held: usize = memory.data(ENTRY, 16);

function sift(log: Vector, from: u32, n: u32): void {
  memory.copy(held, at(log, from), ENTRY);
  let i = from;
  for (let child: u32 = 2 * i + 1; child < n; child = 2 * i + 1) {
    if (child + 1 < n && isBefore(at(log, child), at(log, child + 1))) child++;
    if (!isBefore(held, at(log, child))) break;
    memory.copy(at(log, i), at(log, child), ENTRY);
    i = child;
  }
  memory.copy(at(log, i), held, ENTRY);
}

const swapped: usize = memory.data(ENTRY, 16);

function sort(log: Vector, n: u32): void {
  for (let i = n >> 1; i > 0; i--) sift(log, i - 1, n);
  for (let end = n; end > 1; end--) {
    memory.copy(swapped, at(log, 0), ENTRY);
    memory.copy(at(log, 0), at(log, end - 1), ENTRY);
    memory.copy(at(log, end - 1), swapped, ENTRY);
    sift(log, 0, end - 1);
  }
}

/** Sorts the log by owner and number and joins what may be one centroid. */
export function thinLog(agg: Aggregation): void {
  const log = agg.log;
  const n = agg.logCount;
  sort(log, n);
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
  if (agg.logCount >= FULL) {
    thinLog(agg);
    // What can't be thinned out may grow further: there are that many owners.
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
