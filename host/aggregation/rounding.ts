/** How times and numbers are rounded down to the keys of a histogram: the core does it for values, this for the gaps between. */

import type { PlanBytes } from '../core/planBytes.js';
import { civil, DAY, daysOf, type Zone } from '../time/calendar.js';

export interface Rounding {
  /** 0 a fixed interval, 1 months, 2 quarters, 3 years, 4 a fixed interval towards zero, which has no gaps filled. */
  unit: 0 | 1 | 2 | 3 | 4;
  /** Of a fixed interval. */
  interval: bigint;
  /** Where one of the fixed intervals begins. */
  shift: bigint;
  /** Added to values before they are rounded, and to keys. */
  before: bigint;
  after: bigint;
  /** Local time that decides; undefined: UTC. */
  zone: Zone | undefined;
  /** Whether keys are times in UTC again. */
  toUtc: boolean;
}

/** Writes it for the core (assembly/aggregation/README.md, *Rounding*). */
export function writeRounding(bytes: PlanBytes, rounding: Rounding): void {
  bytes.u8(rounding.unit);
  bytes.u8(rounding.toUtc ? 1 : 0);
  bytes.i64(rounding.interval);
  bytes.i64(rounding.shift);
  bytes.i64(rounding.before);
  bytes.i64(rounding.after);
  const offsets = rounding.zone === undefined ? [] : offsetsOf(rounding.zone);
  bytes.u16(offsets.length);
  for (const { from, offset } of offsets) {
    bytes.i64(BigInt(from));
    bytes.i64(BigInt(offset));
  }
}

interface Offset {
  from: number;
  offset: number;
}

const FIRST_YEAR = 1900;
const LAST_YEAR = 2100;
const known = new WeakMap<Zone, Offset[]>();

/** When the offset of a zone changes, from 1900 to 2100; before and after it stays. */
function offsetsOf(zone: Zone): Offset[] {
  let offsets = known.get(zone);
  if (offsets !== undefined) return offsets;
  let time = Date.UTC(FIRST_YEAR, 0);
  offsets = [{ from: time, offset: zone.offsetAt(time) }];
  const end = Date.UTC(LAST_YEAR, 0);
  const step = 28 * DAY;
  while (time < end) {
    const { offset } = offsets.at(-1)!;
    const next = time + step;
    if (zone.offsetAt(next) === offset) {
      time = next;
      continue;
    }
    let [low, high] = [time, next];
    while (high - low > 1000) {
      const middle = Math.floor((low + high) / 2000) * 1000;
      if (zone.offsetAt(middle) === offset) low = middle;
      else high = middle;
    }
    offsets.push({ from: high, offset: zone.offsetAt(high) });
    time = high;
  }
  known.set(zone, offsets);
  return offsets;
}

function floorTo(value: bigint, step: bigint): bigint {
  const below = value < 0n ? BigInt.asIntN(64, value - step + 1n) : value;
  return BigInt.asIntN(64, (below / step) * step);
}

/** Offset of the zone at a time in UTC. */
function offsetAt({ zone }: Rounding, time: bigint): bigint {
  return zone === undefined ? 0n : BigInt(zone.offsetAt(Number(time)));
}

/** The first moment of the step of months around a local time, or `more` steps later. */
function monthStart(local: bigint, step: number, more: number): bigint {
  const { year, month } = civil(Math.floor(Number(local) / DAY));
  const months = Math.floor((year * 12 + month - 1) / step) * step + more * step;
  return BigInt(daysOf(Math.floor(months / 12), (((months % 12) + 12) % 12) + 1, 1) * DAY);
}

const STEPS = [0, 1, 3, 12];

/** The key of a value. */
export function roundKey(rounding: Rounding, given: bigint): bigint {
  const { unit, interval, shift, before, after, toUtc } = rounding;
  const value = given + before;
  const offset = offsetAt(rounding, value);
  const local = value + offset;
  const floor = unit === 0 ? floorTo(local - shift, interval) + shift : monthStart(local, STEPS[unit]!, 0);
  return floor - (toUtc ? offset : 0n) + after;
}

/** The key after a key. */
export function nextKey(rounding: Rounding, key: bigint): bigint {
  const { unit, interval, after, toUtc } = rounding;
  const time = key - after;
  const offset = toUtc ? offsetAt(rounding, time) : 0n;
  const local = time + offset;
  const next = unit === 0 ? local + interval : monthStart(local, STEPS[unit]!, 1);
  if (!toUtc) return next + after;
  return next - offsetAt(rounding, next - offset) + after;
}
