import { AGG_DISTANCE } from '../abi/aggregations';
import { distance, PLANE } from '../docvalues/geodesy';
import { Aggregation } from './aggregation';
import { numberOf } from './rounding';

// Ranges of numbers and rings of distance. A document is counted once in each range that one of its values is in.

const RADIANS: f64 = Math.PI / 180;
/** The largest and the smallest radius of the earth in metres: no formula takes another. */
const EQUATOR: f64 = 6378137;
const POLE: f64 = 6356752;
/** How far the square of a chord made of 32-bit unit vectors may be off. */
const SLACK: f64 = 2e-6;

/** What of [from, end) the squares of chords say for sure: below `near` a point is nearer than `bound`, above `far` it isn't. */
function chordOf(metres: f64, radius: f64): f64 {
  const angle = metres / (2 * radius);
  if (angle >= Math.PI / 2) return 4 + SLACK * 4;
  const sine = Math.sin(angle);
  return 4 * sine * sine;
}

/** Replaces the numbers of points by their distances as f64, or by what is as far from every bound of the ranges. */
export function measure(agg: Aggregation, m: u32): void {
  const column = agg.opened;
  const values = agg.values;
  const sure = agg.formula < PLANE && agg.rangeCount <= 16;
  const boundCount: u32 = sure ? prepareBounds(agg) : 0;
  const lat = agg.latitude * RADIANS;
  const lon = agg.longitude * RADIANS;
  const originX = Math.cos(lat) * Math.cos(lon);
  const originY = Math.cos(lat) * Math.sin(lon);
  const originZ = Math.sin(lat);
  for (let i: u32 = 0; i < m; i++) {
    const at = values + ((<usize>i) << 3);
    const v = <u32>load<i64>(at);
    if (sure) {
      const stride = (<usize>column.vectorStride) << 2;
      const vector = column.vectors + ((<usize>v) << 2);
      const x = <f64>load<f32>(vector) - originX;
      const y = <f64>load<f32>(vector + stride) - originY;
      const z = <f64>load<f32>(vector + stride + stride) - originZ;
      const known = between(x * x + y * y + z * z, boundCount);
      if (known >= 0) {
        store<f64>(at, known);
        continue;
      }
    }
    store<f64>(
      at,
      distance(agg.formula, agg.latitude, agg.longitude, column.latitude(v), column.longitude(v)) / agg.unit,
    );
  }
}

/** Bounds of the ranges, ascending: (f64 square of the chord below which it is nearer, that above which it isn't, the bound). */
const bounds: usize = memory.data(33 * 24, 16);

/** Adds a bound to `boundCount` others; how many there are then. */
function addBound(agg: Aggregation, boundCount: u32, bound: f64): u32 {
  if (!(bound > 0) || bound == Infinity) return boundCount;
  const metres = bound * agg.unit;
  let i = boundCount;
  while (i > 0 && load<f64>(bounds + <usize>(i - 1) * 24, 16) >= bound) {
    if (load<f64>(bounds + <usize>(i - 1) * 24, 16) == bound) return boundCount;
    i--;
  }
  memory.copy(bounds + <usize>(i + 1) * 24, bounds + <usize>i * 24, <usize>(boundCount - i) * 24);
  const at = bounds + <usize>i * 24;
  store<f64>(at, chordOf(metres * 0.999999, EQUATOR) - SLACK);
  store<f64>(at, chordOf(metres * 1.000001, POLE) + SLACK, 8);
  store<f64>(at, bound, 16);
  return boundCount + 1;
}

/** Finds the bounds of the ranges; how many there are. */
function prepareBounds(agg: Aggregation): u32 {
  let n: u32 = 0;
  for (let r: u32 = 0; r < agg.rangeCount; r++) {
    const range = agg.ranges + ((<usize>r) << 4);
    n = addBound(agg, n, load<f64>(range));
    n = addBound(agg, n, load<f64>(range, 8));
  }
  return n;
}

/** A number that lies between the same bounds as the distance of this chord; -1 where that isn't sure. */
function between(square: f64, boundCount: u32): f64 {
  let before: f64 = 0;
  for (let i: u32 = 0; i < boundCount; i++) {
    const at = bounds + <usize>i * 24;
    const bound = load<f64>(at, 16);
    if (square < load<f64>(at)) return (before + bound) / 2;
    if (!(square > load<f64>(at, 8))) return -1;
    before = bound;
  }
  return before * 2 + 1;
}

/** Makes numbers of the values that were read. */
export function readNumbers(agg: Aggregation, m: u32): void {
  if (agg.kind == AGG_DISTANCE) {
    measure(agg, m);
    return;
  }
  for (let i: u32 = 0; i < m; i++) {
    const at = agg.values + ((<usize>i) << 3);
    store<f64>(at, numberOf(agg, load<i64>(at)));
  }
}

/**
 * Puts a batch of numbers into the buckets of range `r`; how many documents go down, which are those of the batch that are in
 * it. `agg.state` remembers which document of the batch each range has had last.
 */
export function collectRange(agg: Aggregation, docs: usize, owners: usize, m: u32, r: u32): u32 {
  const range = agg.ranges + ((<usize>r) << 4);
  const from = load<f64>(range);
  const to = load<f64>(range, 8);
  const seen = agg.state.at + ((<usize>r) << 2);
  let last = load<u32>(seen);
  let out: u32 = 0;
  for (let i: u32 = 0; i < m; i++) {
    const number = load<f64>(agg.values + ((<usize>i) << 3));
    if (!(number >= from && number < to)) continue;
    const place = load<u32>(agg.places + ((<usize>i) << 2));
    if (last == place + 1) continue;
    last = place + 1;
    const bucket = load<u32>(owners + ((<usize>place) << 2)) * agg.rangeCount + r;
    const count = agg.counts.at + ((<usize>bucket) << 2);
    store<u32>(count, load<u32>(count) + 1);
    store<u32>(agg.outDocs + ((<usize>out) << 2), load<u32>(docs + ((<usize>place) << 2)));
    store<u32>(agg.outOwners + ((<usize>out) << 2), bucket);
    out++;
  }
  store<u32>(seen, last);
  return out;
}

/** Prepares for a batch of documents whose owners are below `ownerCount`; false without memory. */
export function startRanges(agg: Aggregation, ownerCount: u32): bool {
  const buckets = <u64>ownerCount * agg.rangeCount;
  if (buckets > 0x10000000 || !agg.counts.reserve(buckets << 2)) return false;
  if (!agg.state.reserve((<u64>agg.rangeCount) << 2)) return false;
  memory.fill(agg.state.at, 0, (<usize>agg.rangeCount) << 2);
  agg.bucketCount = max(agg.bucketCount, <u32>buckets);
  return true;
}
