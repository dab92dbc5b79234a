import { AGG_GEOHASH, AGG_HISTOGRAM } from '../abi/aggregations';
import { Aggregation, TERMS_EXCLUDE, TERMS_INCLUDE } from './aggregation';
import { bucketOf, bucketOfLocal, countIn } from './buckets';
import { pieceOf } from './pieces';
import { roundedKey, wholeValue } from './rounding';
import { intern } from './terms';

// Buckets by a whole number: values themselves, histograms, cells of a grid.

/** Whether a sorted array of i64 holds a number. */
function holds(array: usize, n: u32, value: i64): bool {
  let low: u32 = 0;
  let high = n;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (load<i64>(array + ((<usize>middle) << 3)) < value) low = middle + 1;
    else high = middle;
  }
  return low < n && load<i64>(array + ((<usize>low) << 3)) == value;
}

/** Every other bit of a coordinate's place in its range, from the most significant on. */
function spread(bits: u32): u64 {
  let x = <u64>bits;
  x = (x | (x << 16)) & 0x0000ffff0000ffff;
  x = (x | (x << 8)) & 0x00ff00ff00ff00ff;
  x = (x | (x << 4)) & 0x0f0f0f0f0f0f0f0f;
  x = (x | (x << 2)) & 0x3333333333333333;
  return (x | (x << 1)) & 0x5555555555555555;
}

/**
 * Which of the 2^n parts of [-bound, bound] a coordinate lies in; what lies on a border belongs to the lower one. Borders have few
 * enough bits to be exact.
 */
function partOf(value: f64, bound: f64, n: u32): u32 {
  const parts = <f64>((<u64>1) << (<u64>n));
  const width = (2 * bound) / parts;
  let part = Math.min(Math.max(Math.floor((value + bound) / width), 0), parts - 1);
  if (part > 0 && value <= part * width - bound) part -= 1;
  else if (part < parts - 1 && value > (part + 1) * width - bound) part += 1;
  return <u32>part;
}

/** The geohash of a point: five bits a character, longitude first. */
function geohash(latitude: f64, longitude: f64, precision: u32): i64 {
  const bits = precision * 5;
  const lon = partOf(longitude, 180, (bits + 1) >> 1);
  const lat = partOf(latitude, 90, bits >> 1);
  return <i64>(bits & 1 ? spread(lon) | (spread(lat) << 1) : (spread(lon) << 1) | spread(lat));
}

function keyOf(agg: Aggregation, value: i64): i64 {
  if (agg.kind == AGG_HISTOGRAM) return roundedKey(agg, wholeValue(agg, value));
  if (agg.kind != AGG_GEOHASH) return value;
  const column = agg.opened;
  const i = <u32>value;
  return geohash(column.latitude(i), column.longitude(i), agg.precision);
}

/** Whether a document of the batch has had a value with this key already. */
function isRepeated(agg: Aggregation, i: u32, place: u32, key: i64): bool {
  for (let j = i; j > 0 && load<u32>(agg.places + ((<usize>(j - 1)) << 2)) == place; j--)
    if (load<i64>(agg.values + ((<usize>(j - 1)) << 3)) == key) return true;
  return false;
}

/** The number, from 1 on, of the document with more values than a batch whose values come first in this one; 0: none's do. */
function longDocument(agg: Aggregation): u32 {
  const goesOn = agg.readValue != 0;
  if (goesOn && !agg.readsLong) agg.longCount++;
  const long = goesOn || agg.readsLong ? agg.longCount : 0;
  agg.readsLong = goesOn;
  return long;
}

/** Whether a value may have a bucket. */
function isWanted(agg: Aggregation, key: i64): bool {
  if (agg.flags & TERMS_INCLUDE && !holds(agg.include, agg.includeCount, key)) return false;
  return !(agg.flags & TERMS_EXCLUDE) || !holds(agg.exclude, agg.excludeCount, key);
}

/** Numbers the `m` values of a batch, which gives them buckets where there is one owner; false without memory. */
export function numberKeys(agg: Aggregation, m: u32): bool {
  for (let i: u32 = 0; i < m; i++) {
    const at = agg.values + ((<usize>i) << 3);
    const key = load<i64>(at);
    if (!isWanted(agg, key)) continue;
    if ((agg.isTop ? bucketOf(agg, 0, key) : intern(agg, at, 8)) < 0) return false;
  }
  return true;
}

/** Puts a batch of values into buckets; how many documents go down, or -1 without memory. */
export function collectKeys(agg: Aggregation, docs: usize, owners: usize, m: u32): i32 {
  // A document's values are different; what is made of them need not be.
  const rounds = agg.kind == AGG_HISTOGRAM || agg.kind == AGG_GEOHASH || agg.script != 0;
  const several = rounds && agg.column != 0 && agg.opened.isSeveral;
  const passes = agg.childCount != 0;
  const pieces = agg.kind == AGG_HISTOGRAM && agg.pieceCount != 0;
  const long = several ? longDocument(agg) : 0;
  const longPlace = load<u32>(agg.places);
  let out: u32 = 0;
  for (let i: u32 = 0; i < m; i++) {
    const at = agg.values + ((<usize>i) << 3);
    const value = load<i64>(at);
    const piece = pieces ? pieceOf(agg, value) : 0;
    const key = pieces ? agg.pieceKeys.i64At(piece) : keyOf(agg, value);
    const place = load<u32>(agg.places + ((<usize>i) << 2));
    const ofLong = long != 0 && place == longPlace;
    if (several && !ofLong) {
      store<i64>(at, key);
      if (isRepeated(agg, i, place, key)) continue;
    }
    if (!isWanted(agg, key)) continue;
    const owner = load<u32>(owners + ((<usize>place) << 2));
    const bucket = pieces ? bucketOfLocal(agg, owner, piece, key) : bucketOf(agg, owner, key);
    if (bucket < 0) return -1;
    if (ofLong) {
      if (!agg.state.reserve((<u64>bucket + 1) << 2)) return -1;
      const last = agg.state.at + ((<usize>bucket) << 2);
      if (load<u32>(last) == long) continue;
      store<u32>(last, long);
    }
    countIn(agg, <u32>bucket);
    if (!passes) continue;
    store<u32>(agg.outDocs + ((<usize>out) << 2), load<u32>(docs + ((<usize>place) << 2)));
    store<u32>(agg.outOwners + ((<usize>out) << 2), <u32>bucket);
    out++;
  }
  return <i32>out;
}
