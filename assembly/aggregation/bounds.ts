import { AGG_DISTANCE } from '../abi/aggregations';
import { COLUMN_DOUBLE } from '../abi/columns';
import { Column, Double } from '../docvalues/column';
import { distance, PLANE } from '../docvalues/geodesy';
import { chordLimits, possibleSquare, sureSquare } from '../docvalues/geoFilter';
import { requestAlloc } from '../memory/arena';
import { Aggregation } from './aggregation';

// Ranges and rings of a block of 128 documents: for every number that a range begins or ends at, a mask of the documents whose value
// is below it; then a range is the difference of two masks. Squares of chords decide on distances where they can.
//
//     bound   f64 number | f32 square of a chord up to which it is nearer | f32 square above which it isn't | u64 × 2 mask
//     range   u16 bound it begins at | u16 bound it ends at, NO_BOUND: none

const BOUND_BYTES: u32 = 32;
const MAX_BOUNDS: u32 = 64;
const NO_BOUND: u16 = 0xffff;
const RADIANS: f64 = Math.PI / 180;

/** Squares of chords (f32), or numbers (f64), of a block. */
const numbers: usize = memory.data(1024, 16);

function boundAt(agg: Aggregation, i: u32): usize {
  return agg.bounds + <usize>i * BOUND_BYTES;
}

function rangeAt(agg: Aggregation, i: u32): usize {
  return agg.bounds + MAX_BOUNDS * BOUND_BYTES + ((<usize>i) << 2);
}

/** The number of a bound, which is added if it is new; NO_BOUND where there is no room. */
function boundOf(agg: Aggregation, number: f64): u16 {
  for (let i: u32 = 0; i < agg.boundCount; i++) if (load<f64>(boundAt(agg, i)) == number) return <u16>i;
  if (agg.boundCount == MAX_BOUNDS) return NO_BOUND;
  const at = boundAt(agg, agg.boundCount);
  store<f64>(at, number);
  if (agg.kind == AGG_DISTANCE) {
    chordLimits(number * agg.unit);
    store<f32>(at, sureSquare, 8);
    store<f32>(at, possibleSquare, 12);
  }
  agg.boundCount++;
  return <u16>(agg.boundCount - 1);
}

/**
 * Finds the bounds of an aggregation's ranges, once for the request; without any the ranges can't be counted by blocks. False
 * without memory.
 */
export function makeBounds(agg: Aggregation): bool {
  if (agg.kind == AGG_DISTANCE && agg.formula >= PLANE) return true;
  agg.bounds = requestAlloc(MAX_BOUNDS * BOUND_BYTES + (agg.rangeCount << 2));
  if (!agg.bounds) return false;
  for (let r: u32 = 0; r < agg.rangeCount; r++) {
    const from = load<f64>(agg.ranges + ((<usize>r) << 4));
    const to = load<f64>(agg.ranges + ((<usize>r) << 4), 8);
    const open = from == -Infinity;
    const first = open ? NO_BOUND : boundOf(agg, from);
    const second = boundOf(agg, to);
    // Neither is true where one of them is no number.
    const ordered = from <= to || from > to;
    if ((!open && first == NO_BOUND) || second == NO_BOUND || !ordered) {
      agg.boundCount = 0;
      return true;
    }
    store<u16>(rangeAt(agg, r), first);
    store<u16>(rangeAt(agg, r), second, 2);
  }
  return true;
}

/** Masks of the points of a block that are nearer than the bounds. */
function maskDistances(agg: Aggregation, column: Column, block: u32): void {
  const lat = agg.latitude * RADIANS;
  const lon = agg.longitude * RADIANS;
  const px = f32x4.splat(<f32>(Math.cos(lat) * Math.cos(lon)));
  const py = f32x4.splat(<f32>(Math.cos(lat) * Math.sin(lon)));
  const pz = f32x4.splat(<f32>Math.sin(lat));
  const stride = (<usize>column.vectorStride) << 2;
  const from = column.vectors + ((<usize>block) << 9);
  const end = ((<usize>column.countIn(block) + 3) & ~3) << 2;
  for (let at: usize = 0; at < end; at += 16) {
    const dx = f32x4.sub(v128.load(from + at), px);
    const dy = f32x4.sub(v128.load(from + at + stride), py);
    const dz = f32x4.sub(v128.load(from + at + 2 * stride), pz);
    const square = f32x4.add(f32x4.add(f32x4.mul(dx, dx), f32x4.mul(dy, dy)), f32x4.mul(dz, dz));
    v128.store(numbers + at, square);
  }
  for (let b: u32 = 0; b < agg.boundCount; b++) {
    const bound = boundAt(agg, b);
    const sure = f32x4.splat(load<f32>(bound, 8));
    const possible = f32x4.splat(load<f32>(bound, 12));
    for (let half: usize = 0; half < 512; half += 256) {
      let certain: u64 = 0;
      let doubtful: u64 = 0;
      const last = min(end, half + 256);
      for (let at = half; at < last; at += 16) {
        const square = v128.load(numbers + at);
        const bit = <u64>((at - half) >> 2);
        certain |= (<u64>i32x4.bitmask(f32x4.le(square, sure))) << bit;
        doubtful |= (<u64>i32x4.bitmask(f32x4.le(square, possible))) << bit;
      }
      for (let word = doubtful & ~certain; word; word &= word - 1) {
        const i = (block << 7) + <u32>(half >> 2) + <u32>ctz<u64>(word);
        const metres = distance(
          agg.formula,
          agg.latitude,
          agg.longitude,
          column.latitude(i),
          column.longitude(i),
        );
        if (metres / agg.unit < load<f64>(bound)) certain |= word & (0 - word);
      }
      store<u64>(bound + (half >> 5), certain, 16);
    }
  }
}

/** Masks of the values of a block that are below the bounds. */
function maskNumbers(agg: Aggregation, column: Column, block: u32): void {
  column.decode(block, numbers);
  const end = (<usize>column.countIn(block)) << 3;
  if (column.kind == COLUMN_DOUBLE) {
    for (let at: usize = 0; at < end; at += 8)
      store<f64>(numbers + at, Double.fromOrdered(load<i64>(numbers + at)));
  } else {
    for (let at: usize = 0; at < end; at += 8) store<f64>(numbers + at, <f64>load<i64>(numbers + at));
  }
  for (let b: u32 = 0; b < agg.boundCount; b++) {
    const bound = boundAt(agg, b);
    const number = f64x2.splat(load<f64>(bound));
    for (let half: usize = 0; half < 1024; half += 512) {
      let below: u64 = 0;
      for (let at: usize = 0; at < 512; at += 16) {
        const less = f64x2.lt(v128.load(numbers + half + at), number);
        below |= (<u64>i64x2.bitmask(less)) << (<u64>(at >> 3));
      }
      store<u64>(bound + (half >> 6), below, 16);
    }
  }
}

/** Counts the documents of a block that are set in two words. */
export function countRanges(agg: Aggregation, column: Column, block: u32, low: u64, high: u64): void {
  if (agg.kind == AGG_DISTANCE) maskDistances(agg, column, block);
  else maskNumbers(agg, column, block);
  for (let r: u32 = 0; r < agg.rangeCount; r++) {
    const from = load<u16>(rangeAt(agg, r));
    const to = boundAt(agg, load<u16>(rangeAt(agg, r), 2));
    let first = load<u64>(to, 16) & low;
    let second = load<u64>(to, 24) & high;
    if (from != NO_BOUND) {
      const begin = boundAt(agg, from);
      first &= ~load<u64>(begin, 16);
      second &= ~load<u64>(begin, 24);
    }
    const at = agg.counts.at + ((<usize>r) << 2);
    store<u32>(at, load<u32>(at) + <u32>(popcnt<u64>(first) + popcnt<u64>(second)));
  }
}
