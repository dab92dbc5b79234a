import { COLUMN_DOUBLE } from '../abi/columns';
import { Double } from '../docvalues/column';
import { Aggregation } from './aggregation';

// Which key of a histogram a value belongs to (README.md, *Rounding*). The last piece is remembered: times that are near each
// other need no calendar.

const DAY: i64 = 86400000;

/** Units of a histogram. */
export const UNIT_FIXED: u8 = 0;
export const UNIT_MONTH: u8 = 1;
export const UNIT_QUARTER: u8 = 2;
export const UNIT_YEAR: u8 = 3;
/** An interval, towards zero. */
export const UNIT_TRUNCATED: u8 = 4;

/** The largest multiple of `step` that is not above `value`; near the least number it wraps around where Java's arithmetic does. */
export function floorTo(value: i64, step: i64): i64 {
  return (value < 0 ? (value - step + 1) / step : value / step) * step;
}

/** The day on which a month begins; months count from January 1970. */
function dayOfMonth(months: i64): i64 {
  const m = months + 1970 * 12;
  let year = floorTo(m, 12) / 12;
  const month = m - year * 12;
  // Years begin in March.
  const shifted = month < 2 ? month + 10 : month - 2;
  if (month < 2) year--;
  const era = floorTo(year, 400) / 400;
  const ofEra = year - era * 400;
  const ofYear = (153 * shifted + 2) / 5;
  return era * 146097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719468;
}

/** The month of a day. */
function monthOf(days: i64): i64 {
  const d = days + 719468;
  const era = floorTo(d, 146097) / 146097;
  const ofEra = d - era * 146097;
  const yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36524 - ofEra / 146096) / 365;
  const ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
  const shifted = (5 * ofYear + 2) / 153;
  const month = shifted < 10 ? shifted + 2 : shifted - 10;
  const year = era * 400 + yearOfEra + (month < 2 ? 1 : 0);
  return year * 12 + month - 1970 * 12;
}

/** Finds the time zone's offset at a time. */
function enterZone(agg: Aggregation, time: i64): void {
  let low: u32 = 0;
  let high = agg.zoneCount;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (load<i64>(agg.zones + ((<usize>middle) << 4)) <= time) low = middle + 1;
    else high = middle;
  }
  // Before the first one stands its offset.
  const i = low ? low - 1 : 0;
  agg.zoneFrom = low ? load<i64>(agg.zones + ((<usize>i) << 4)) : i64.MIN_VALUE;
  agg.zoneEnd = low < agg.zoneCount ? load<i64>(agg.zones + ((<usize>low) << 4)) : i64.MAX_VALUE;
  agg.zoneOffset = load<i64>(agg.zones + ((<usize>i) << 4), 8);
}

/** The key of a time or number. */
export function roundedKey(agg: Aggregation, given: i64): i64 {
  if (given >= agg.pieceFrom && given < agg.pieceEnd) return agg.pieceKey;
  const value = given + agg.before;
  let offset: i64 = 0;
  let from = i64.MIN_VALUE;
  let end = i64.MAX_VALUE;
  if (agg.zoneCount) {
    if (value < agg.zoneFrom || value >= agg.zoneEnd) enterZone(agg, value);
    offset = agg.zoneOffset;
    from = agg.zoneFrom;
    end = agg.zoneEnd;
  }
  const local = value + offset;
  let floor: i64;
  let next: i64;
  if (agg.roundingUnit == UNIT_FIXED) {
    floor = floorTo(local - agg.shift, agg.interval) + agg.shift;
    next = floor + agg.interval;
  } else if (agg.roundingUnit == UNIT_TRUNCATED) {
    const key = (local / agg.interval) * agg.interval;
    floor = key > 0 ? key : key - agg.interval + 1;
    next = key < 0 ? key + 1 : key + agg.interval;
    const goesOn = floor <= local && local < next;
    agg.pieceFrom = goesOn ? floor - agg.before : given;
    agg.pieceEnd = goesOn ? next - agg.before : given;
    agg.pieceKey = key + agg.after;
    return agg.pieceKey;
  } else {
    const step: i64 = agg.roundingUnit == UNIT_MONTH ? 1 : agg.roundingUnit == UNIT_QUARTER ? 3 : 12;
    const month = floorTo(monthOf(floorTo(local, DAY) / DAY), step);
    floor = dayOfMonth(month) * DAY;
    next = dayOfMonth(month + step) * DAY;
  }
  // Near the ends of 64 bits a piece is its value alone.
  const spans = next > floor && floor <= local && local < next;
  agg.pieceFrom = spans ? max(floor - offset, from) - agg.before : given;
  agg.pieceEnd = spans ? min(next - offset, end) - agg.before : given;
  agg.pieceKey = floor - (agg.toUtc ? offset : 0) + agg.after;
  return agg.pieceKey;
}

/** A value of a column as the whole number that is rounded: fractions lose their fraction. */
export function wholeValue(agg: Aggregation, value: i64): i64 {
  return agg.type == COLUMN_DOUBLE ? <i64>Double.fromOrdered(value) : value;
}

/** A value of a column as a number. */
export function numberOf(agg: Aggregation, value: i64): f64 {
  return agg.type == COLUMN_DOUBLE ? Double.fromOrdered(value) : <f64>value;
}
