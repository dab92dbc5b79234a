/** What a bucket is called, and the filter that finds its documents. */
import { isObject, type Json, type JsonObject, LosslessNumber } from '../../api/json';

const MS = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const;
const UNITS: Readonly<Record<string, string>> = {
  '1s': 'second',
  '1m': 'minute',
  '1h': 'hour',
  '1d': 'day',
  '1w': 'week',
  '1M': 'month',
  '1q': 'quarter',
  '1y': 'year',
};
const SUFFIXES: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: MS.hour,
  d: MS.day,
  w: MS.week,
};
/** Digits of an ISO date that say all there is to say of a calendar's interval. */
const DIGITS: Readonly<Record<string, number>> = { year: 4, quarter: 7, month: 7, week: 10, day: 10 };

/** @param key of the bucket: with all its digits */
export function labelOf(kind: string, body: JsonObject, key: Json, bucket: JsonObject): string {
  const text = bucket.key_as_string;
  if (kind === 'date_histogram' && typeof text === 'string') {
    const digits = DIGITS[unitOf(body.interval)];
    if (body.format !== undefined || !/^\d{4}-\d\d-\d\dT/.test(text)) return text;
    return digits === undefined ? text.replace('T', ' ').replace(/(:00)?\.000Z$/, '') : text.slice(0, digits);
  }
  if (typeof key === 'string') return key === '' ? '(empty)' : key;
  if (typeof text === 'string') return text;
  return key instanceof LosslessNumber ? key.value : String(key);
}

/** @param index of the bucket among its siblings */
export function bucketFilter(
  kind: string,
  body: JsonObject,
  key: Json,
  bucket: JsonObject,
  index: number,
): Json | undefined {
  const { field } = body;
  if (kind === 'filters')
    return isObject(body.filters) ? body.filters[String(key)] : listed(body.filters, index);
  if (kind === 'filter') return body;
  if (typeof field !== 'string') return undefined;
  switch (kind) {
    case 'terms':
    case 'significant_terms':
      return { term: { [field]: key } };
    case 'histogram':
      return rangeFilter(field, key, plus(key, body.interval));
    case 'date_histogram':
      return typeof key === 'number' ? rangeFilter(field, key, dateEnd(key, body)) : undefined;
    case 'range':
    case 'date_range':
    case 'ip_range':
      return rangeFilter(field, bucket.from, bucket.to);
    case 'geohash_grid':
      return typeof key === 'string' ? geohashFilter(field, key) : undefined;
    case 'missing':
      return { missing: { field } };
    default:
      return undefined;
  }
}

/** The box of a geohash: west, south, east and north in degrees. */
export function geohashBox(hash: string): [number, number, number, number] {
  const lon = [-180, 180];
  const lat = [-90, 90];
  let isLon = true;
  for (const letter of hash) {
    const bits = '0123456789bcdefghjkmnpqrstuvwxyz'.indexOf(letter);
    for (let bit = 16; bit > 0; bit >>= 1) {
      const range = isLon ? lon : lat;
      range[bits & bit ? 0 : 1] = (range[0]! + range[1]!) / 2;
      isLon = !isLon;
    }
  }
  return [lon[0]!, lat[0]!, lon[1]!, lat[1]!];
}

function geohashFilter(field: string, hash: string): Json {
  const [left, bottom, right, top] = geohashBox(hash);
  return {
    geo_bounding_box: {
      [field]: { top_left: { lat: top, lon: left }, bottom_right: { lat: bottom, lon: right } },
    },
  };
}

function rangeFilter(field: string, from: Json | undefined, to: Json | undefined): Json | undefined {
  if (from === undefined && to === undefined) return undefined;
  const range: JsonObject = {};
  if (from !== undefined) range.gte = from;
  if (to !== undefined) range.lt = to;
  return { range: { [field]: range } };
}

function listed(filters: Json | undefined, index: number): Json | undefined {
  return Array.isArray(filters) ? filters[index] : undefined;
}

function plus(key: Json, interval: Json | undefined): Json | undefined {
  return typeof key === 'number' && typeof interval === 'number' ? key + interval : undefined;
}

function unitOf(interval: Json | undefined): string {
  const text = String(interval ?? '');
  return UNITS[text] ?? text;
}

/** Where a date's bucket ends, in milliseconds. Undefined where its time zone makes days of different lengths. */
function dateEnd(start: number, { interval, time_zone: zone }: JsonObject): number | undefined {
  const unit = unitOf(interval);
  const fixed = unit in MS ? MS[unit as keyof typeof MS] : fixedMs(unit);
  if (fixed !== undefined) return start + fixed;
  const months = { month: 1, quarter: 3, year: 12 }[unit];
  const shift = offsetMs(zone);
  if (months === undefined || shift === undefined) return undefined;
  const date = new Date(start + shift);
  date.setUTCMonth(date.getUTCMonth() + months);
  return date.getTime() - shift;
}

function fixedMs(text: string): number | undefined {
  const [, digits = '', suffix = ''] = /^(\d+(?:\.\d+)?)(ms|[smhdw])$/.exec(text) ?? [];
  const ms = Number(digits) * (SUFFIXES[suffix] ?? Number.NaN);
  return ms > 0 ? ms : undefined;
}

/** Of `+02:00`, `-5`; other names of zones are unknown here. */
function offsetMs(zone: Json | undefined): number | undefined {
  if (zone === undefined || zone === 'UTC') return 0;
  const [, sign, hours = '', minutes = '0'] = /^([+-]?)(\d{1,2})(?::?(\d\d))?$/.exec(String(zone)) ?? [];
  if (hours === '') return undefined;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}
