import {
  AGG_BOUNDS,
  AGG_CARDINALITY,
  AGG_COUNT,
  AGG_DISTANCE,
  AGG_FILTERS,
  AGG_GEOHASH,
  AGG_HISTOGRAM,
  AGG_HITS,
  AGG_PERCENTILES,
  AGG_RANGE,
  AGG_STATS,
  AGG_TERMS,
} from '../abi/aggregations';
import { COLUMN_ORDINAL } from '../abi/columns';
import { OK } from '../abi/status';
import { requestStatus } from '../requestStatus';
import { SortSection, writeRank } from '../sort/sortKeys';
import { spend } from '../workLimit';
import { Aggregation, TERMS_BACKGROUND } from './aggregation';
import { hasRegisters } from './cardinality';
import { AggregationContext } from './context';
import { hitBytes, hitCountOf, largestScoreOf, sortedHitsOf } from './hits';
import { entryAt, firstEntry, thinLog } from './percentiles';
import { groupByOwner, selectBuckets } from './select';
import { BOUNDS_BYTES, STATS_BYTES } from './stats';
import { termBytesAt, termLength } from './terms';
import { Vector } from './vector';

// What a shard has found out, written for the reduction over shards (README.md, *Partials*).

/** Takes what is written without room. */
const nowhere: usize = memory.data(64, 16);

/** Partials that are being written. */
@unmanaged
export class Partials {
  out: Vector;
  /** Bytes that have been written. */
  length: u32;

  /** Address of `bytes` more bytes; of nothing that matters without room. */
  next(bytes: u32): usize {
    if (requestStatus != OK || !this.out.reserve(<u64>this.length + bytes)) return nowhere;
    const at = this.out.at + this.length;
    this.length += bytes;
    return at;
  }

  u32(value: u32): void {
    store<u32>(this.next(4), value);
  }
  f64(value: f64): void {
    store<f64>(this.next(8), value);
  }
  bytes(from: usize, n: u32): void {
    const to = this.next(n);
    if (requestStatus == OK) memory.copy(to, from, n);
  }
}

/** The buckets by owner of the aggregations that have keys: pairs of Vector pointers by number of the aggregation. */
function groupsOf(agg: Aggregation): bool {
  return agg.kind == AGG_TERMS || agg.kind == AGG_HISTOGRAM || agg.kind == AGG_GEOHASH;
}

/** Prepares an aggregation and those below for being written; false without memory. */
function prepare(agg: Aggregation, ownerCount: u32): bool {
  if (groupsOf(agg)) {
    const vectors = agg.context.vectors;
    const list = vectors.make();
    const starts = vectors.make();
    if (list === null || starts === null) return false;
    // Its work is done: the hash table gives way to the list.
    agg.table = list;
    if (!groupByOwner(agg, ownerCount, list, starts)) return false;
    agg.log = starts;
    agg.stateCount = ownerCount;
  }
  if (agg.kind == AGG_PERCENTILES) thinLog(agg);
  for (let i: u32 = 0; i < agg.childCount; i++) if (!prepare(agg.child(i), agg.bucketCount)) return false;
  return true;
}

function writeChildren(to: Partials, agg: Aggregation, bucket: u32, docs: u32): void {
  for (let i: u32 = 0; i < agg.childCount; i++) write(to, agg.child(i), bucket, docs);
}

function countOf(agg: Aggregation, bucket: u32): u32 {
  return bucket < agg.bucketCount ? agg.counts.u32At(bucket) : 0;
}

function writeKeyed(to: Partials, agg: Aggregation, owner: u32, ownerDocs: u32): void {
  const known = owner < agg.stateCount;
  const from = known ? agg.log.u32At(owner) : 0;
  const end = known ? agg.log.u32At(owner + 1) : 0;
  const list = agg.table.at + ((<usize>from) << 2);
  let n = end - from;
  const histogram = agg.kind == AGG_HISTOGRAM;
  if (agg.minimum > 0) {
    let kept: u32 = 0;
    for (let i: u32 = 0; i < n; i++) {
      const b = load<u32>(list + ((<usize>i) << 2));
      if (agg.counts.u32At(b) < agg.minimum) continue;
      // What is left out goes behind.
      store<u32>(list + ((<usize>i) << 2), load<u32>(list + ((<usize>kept) << 2)));
      store<u32>(list + ((<usize>kept) << 2), b);
      kept++;
    }
    n = kept;
  }
  let all: f64 = 0;
  for (let i = from; i < end; i++) all += <f64>agg.counts.u32At(agg.table.u32At(i));
  const given = histogram ? selectBuckets(agg, list, n, n) : selectBuckets(agg, list, n, agg.shardSize);
  let told: f64 = 0;
  for (let i: u32 = 0; i < given; i++) told += <f64>agg.counts.u32At(load<u32>(list + ((<usize>i) << 2)));
  const background = (agg.flags & TERMS_BACKGROUND) != 0;
  if (agg.kind == AGG_TERMS) {
    if (background) {
      to.f64(<f64>ownerDocs);
      to.f64(<f64>agg.backgroundDocs);
    } else to.f64(all - told);
  }
  to.u32(given);
  for (let i: u32 = 0; i < given && requestStatus == OK; i++) {
    const b = load<u32>(list + ((<usize>i) << 2));
    const key = agg.keys.i64At(b);
    if (agg.kind == AGG_TERMS && agg.type == COLUMN_ORDINAL) {
      const length = termLength(agg, <u32>key);
      to.u32(length);
      to.bytes(termBytesAt(agg, <u32>key), length);
    } else store<i64>(to.next(8), key);
    const docs = agg.counts.u32At(b);
    spend(2);
    to.u32(docs);
    if (background) to.f64(<f64>agg.background.u32At(b));
    writeChildren(to, agg, b, docs);
  }
}

function writeCardinality(to: Partials, agg: Aggregation, owner: u32): void {
  if (owner >= agg.stateCount) {
    to.u32(0);
    return;
  }
  const bytes: u32 = 1 << agg.precision;
  const state = agg.state.at + <usize>owner * bytes;
  if (hasRegisters(agg, owner)) {
    to.u32(u32.MAX_VALUE);
    to.bytes(state, bytes);
    return;
  }
  to.u32(agg.counts.u32At(owner));
  for (let at: u32 = 0; at < bytes; at += 4) {
    const hash = load<u32>(state + at);
    if (hash) to.u32(hash);
  }
}

function writePercentiles(to: Partials, agg: Aggregation, owner: u32): void {
  const from = firstEntry(agg, <u64>owner);
  const end = firstEntry(agg, <u64>owner + 1);
  to.u32(end - from);
  for (let i = from; i < end; i++) to.bytes(entryAt(agg, i) + 8, 16);
}

function writeStates(to: Partials, agg: Aggregation, owner: u32, bytes: u32, empty: f64): void {
  if (owner < agg.stateCount) to.bytes(agg.state.at + <usize>owner * bytes, bytes);
  else for (let i: u32 = 0; i < bytes; i += 8) to.f64(empty);
}

function writeHits(to: Partials, agg: Aggregation, owner: u32): void {
  to.u32(owner < agg.stateCount ? agg.counts.u32At(owner) : 0);
  store<f32>(to.next(4), largestScoreOf(agg, owner));
  const hits = sortedHitsOf(agg, owner);
  const n = hitCountOf(agg, owner);
  to.u32(n);
  for (let i: u32 = 0; i < n && requestStatus == OK; i++) {
    const hit = hits + <usize>i * hitBytes(agg);
    to.bytes(hit, 12);
    if (!agg.sort) continue;
    const section = changetype<SortSection>(agg.sort);
    for (let k: u32 = 0; k < section.count; k++) {
      const key = section.key(k);
      const value = load<i64>(hit + ((<usize>k) << 3), 16);
      if (!key.isString) {
        writeRank(key, value, to.next(8));
        continue;
      }
      // A negative number stands for no string.
      const length = value < 0 ? 0 : termLength(agg, <u32>value);
      to.u32(value < 0 ? u32.MAX_VALUE : length);
      if (length) to.bytes(termBytesAt(agg, <u32>value), length);
    }
  }
}

/** Writes what an aggregation has for an owner that has so many documents. */
function write(to: Partials, agg: Aggregation, owner: u32, ownerDocs: u32): void {
  switch (agg.kind) {
    case AGG_TERMS:
    case AGG_HISTOGRAM:
    case AGG_GEOHASH:
      writeKeyed(to, agg, owner, ownerDocs);
      break;
    case AGG_FILTERS:
    case AGG_RANGE:
    case AGG_DISTANCE:
      for (let r: u32 = 0; r < agg.rangeCount && requestStatus == OK; r++) {
        const b = owner * agg.rangeCount + r;
        const docs = countOf(agg, b);
        to.u32(docs);
        writeChildren(to, agg, b, docs);
      }
      break;
    case AGG_STATS:
      writeStates(to, agg, owner, STATS_BYTES, 0);
      break;
    case AGG_COUNT:
      writeStates(to, agg, owner, 8, 0);
      break;
    case AGG_BOUNDS:
      writeStates(to, agg, owner, BOUNDS_BYTES, NaN);
      break;
    case AGG_CARDINALITY:
      writeCardinality(to, agg, owner);
      break;
    case AGG_HITS:
      writeHits(to, agg, owner);
      break;
    case AGG_PERCENTILES:
      writePercentiles(to, agg, owner);
      break;
    default: {
      const docs = countOf(agg, owner);
      to.u32(docs);
      writeChildren(to, agg, owner, docs);
    }
  }
}

/** Starts to write; false without memory. */
export function startPartials(context: AggregationContext): bool {
  const made = context.vectors.make();
  if (made === null) return false;
  context.partials.out = made;
  return true;
}

/** Writes the partials of an aggregation of the top, whose documents number `docs`; false without memory. */
export function writePartials(agg: Aggregation, docs: u32): bool {
  if (!prepare(agg, 1)) return false;
  write(agg.context.partials, agg, 0, docs);
  return requestStatus == OK;
}
