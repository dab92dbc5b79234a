import { Aggregation } from './aggregation';
import { numberOf } from './rounding';

// Numbers about numbers, and the bounds of points. A state of numbers: f64 count, sum, smallest, largest, sum of squares.

export const STATS_BYTES: u32 = 40;
/** A state of points: f64 top, bottom, then the smallest and largest of the longitudes from 0 on, and of those below; NaN: none. */
export const BOUNDS_BYTES: u32 = 48;

/** Room for the states of `n` owners; false without memory. */
export function reserveStates(agg: Aggregation, n: u32, bytes: u32): bool {
  if (!agg.state.reserve(<u64>n * bytes)) return false;
  agg.stateCount = max(agg.stateCount, n);
  return true;
}

export function collectStats(agg: Aggregation, owners: usize, m: u32): void {
  for (let i: u32 = 0; i < m; i++) {
    const number = numberOf(agg, load<i64>(agg.values + ((<usize>i) << 3)));
    const owner = load<u32>(owners + ((<usize>load<u32>(agg.places + ((<usize>i) << 2))) << 2));
    const state = agg.state.at + <usize>owner * STATS_BYTES;
    const count = load<f64>(state);
    store<f64>(state, count + 1);
    store<f64>(state, load<f64>(state, 8) + number, 8);
    if (count == 0) {
      store<f64>(state, number, 16);
      store<f64>(state, number, 24);
    } else {
      if (number < load<f64>(state, 16)) store<f64>(state, number, 16);
      if (number > load<f64>(state, 24)) store<f64>(state, number, 24);
    }
    store<f64>(state, load<f64>(state, 32) + number * number, 32);
  }
}

export function collectCounts(agg: Aggregation, owners: usize, m: u32): void {
  for (let i: u32 = 0; i < m; i++) {
    const owner = load<u32>(owners + ((<usize>load<u32>(agg.places + ((<usize>i) << 2))) << 2));
    const state = agg.state.at + ((<usize>owner) << 3);
    store<f64>(state, load<f64>(state) + 1);
  }
}

/** Widens the pair of bounds at `at` so that they hold a number. */
function widen(at: usize, number: f64): void {
  if (!(load<f64>(at) <= number)) store<f64>(at, number);
  if (!(load<f64>(at, 8) >= number)) store<f64>(at, number, 8);
}

/** Bounds of a new state, which is zero bytes, are marked by NaN first. */
export function startBounds(agg: Aggregation, n: u32): bool {
  const had = agg.stateCount;
  if (!reserveStates(agg, n, BOUNDS_BYTES)) return false;
  for (let at = had * 6; at < agg.stateCount * 6; at++) store<f64>(agg.state.at + ((<usize>at) << 3), NaN);
  return true;
}

export function collectBounds(agg: Aggregation, owners: usize, m: u32): void {
  const column = agg.opened;
  for (let i: u32 = 0; i < m; i++) {
    const point = <u32>load<i64>(agg.values + ((<usize>i) << 3));
    const owner = load<u32>(owners + ((<usize>load<u32>(agg.places + ((<usize>i) << 2))) << 2));
    const state = agg.state.at + <usize>owner * BOUNDS_BYTES;
    const longitude = column.longitude(point);
    widen(state, column.latitude(point));
    widen(state + (longitude >= 0 ? 16 : 32), longitude);
  }
}
