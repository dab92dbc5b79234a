import {
  AGG_BOUNDS,
  AGG_CARDINALITY,
  AGG_CHILDREN,
  AGG_COUNT,
  AGG_DISTANCE,
  AGG_FILTER,
  AGG_FILTERS,
  AGG_GEOHASH,
  AGG_GLOBAL,
  AGG_HISTOGRAM,
  AGG_HITS,
  AGG_MISSING,
  AGG_NESTED,
  AGG_PERCENTILES,
  AGG_RANGE,
  AGG_REVERSE_NESTED,
  AGG_STATS,
  AGG_TERMS,
} from '../abi/aggregations';
import { COLUMN_GEO, COLUMN_ORDINAL } from '../abi/columns';
import { OK } from '../abi/status';
import { Matcher, matches } from '../docset/matcher';
import { openProgram } from '../expression/program';
import { requestStatus } from '../requestStatus';
import { openColumn } from '../segment/fielddata';
import { Segment } from '../segment/segment';
import { Shard } from '../segment/shards';
import { spend } from '../workLimit';
import { Aggregation } from './aggregation';
import { openBlocks } from './blocks';
import { countIn, startLocals } from './buckets';
import { collectCardinality, startCardinality } from './cardinality';
import { noteParents, openChildren } from './children';
import { collectHits, openHits, startOwners } from './hits';
import { collectNested, collectReverse, openJoin, startJoin } from './join';
import { collectKeys } from './keys';
import { collectPercentiles } from './percentiles';
import { openPieces } from './pieces';
import { collectRange, readNumbers, startRanges } from './ranges';
import { collectBounds, collectCounts, collectStats, reserveStates, STATS_BYTES, startBounds } from './stats';
import { collectTerms, openTerms } from './terms';
import { nextValues, startValues } from './values';

// Documents on their way down the tree, a batch at a time: a batch is numbers of documents, ascending, and of the bucket above
// that each is in.

/** The kind of column that an aggregation reads; 0: any. */
function wantedKind(agg: Aggregation): u32 {
  if (agg.isMeasured || agg.kind == AGG_DISTANCE || agg.kind == AGG_GEOHASH || agg.kind == AGG_BOUNDS)
    return COLUMN_GEO;
  if (agg.script) return agg.scriptField;
  return agg.kind == AGG_MISSING || agg.kind == AGG_COUNT ? 0 : agg.type;
}

/** Prepares an aggregation and those below for a segment; false without memory. `matchers` are the plan's filters. */
export function openAggregation(agg: Aggregation, shard: Shard, seg: Segment, matchers: usize): bool {
  agg.column = 0;
  agg.byBlocks = false;
  agg.matchers = matchers;
  if (agg.kind == AGG_CHILDREN) {
    // Those below see other documents, when all of these have come.
    return openChildren(agg, shard, seg);
  }
  if (agg.isJoin) {
    if (!openJoin(agg, seg)) return false;
  } else if (agg.kind == AGG_HITS) {
    if (!openHits(agg, shard, seg, matchers)) return false;
  } else if (agg.kind >= AGG_MISSING) {
    const column = openColumn(shard, seg, agg.field);
    if (requestStatus != OK) return false;
    if (agg.script && !openProgram(agg.program, seg)) return false;
    const wanted = wantedKind(agg);
    if (column !== null && (!wanted || column.kind == wanted)) agg.column = changetype<usize>(column);
    if (agg.kind == AGG_TERMS && !openTerms(agg, seg)) return false;
    if (agg.kind == AGG_HISTOGRAM && agg.column && !agg.script && !openPieces(agg, agg.opened)) return false;
    startLocals(agg, agg.kind == AGG_TERMS ? agg.ordinals : agg.pieceCount);
    if (agg.isTop && !openBlocks(agg)) return false;
    if (agg.kind == AGG_CARDINALITY && agg.type == COLUMN_ORDINAL && !openHashes(agg, seg)) return false;
  }
  for (let i: u32 = 0; i < agg.childCount; i++)
    if (!openAggregation(agg.child(i), shard, seg, matchers)) return false;
  return true;
}

/** As `openTerms`, with eight bytes a term. */
function openHashes(agg: Aggregation, seg: Segment): bool {
  if (!openTerms(agg, seg)) return false;
  const terms = (<u64>agg.segmentTerms.room) << 1;
  if (!agg.column) return true;
  if (!agg.segmentTerms.reserve(terms)) return false;
  memory.fill(agg.segmentTerms.at, 0, agg.segmentTerms.room);
  return true;
}

/** Counts what a join has put out, and passes it on. */
function takeJoined(agg: Aggregation, n: u32): bool {
  for (let i: usize = 0; i < (<usize>n) << 2; i += 4) countIn(agg, load<u32>(agg.outOwners + i));
  return passOn(agg, n);
}

/** The nested documents of documents, or the other way round, a batch at a time. */
function collectJoin(agg: Aggregation, docs: usize, owners: usize, n: u32): bool {
  if (!agg.roots) return true;
  startJoin(agg);
  for (let more = true; more; ) {
    const nested = agg.kind == AGG_NESTED;
    const out = nested ? collectNested(agg, docs, owners, n) : collectReverse(agg, docs, owners, n);
    more = agg.goesOn;
    if (!takeJoined(agg, out)) return false;
  }
  return true;
}

/** Passes what a bucket aggregation has put out on to the children. */
export function passOn(agg: Aggregation, n: u32): bool {
  for (let i: u32 = 0; i < agg.childCount && n; i++)
    if (!collect(agg.child(i), agg.outDocs, agg.outOwners, n, agg.bucketCount)) return false;
  return true;
}

/** Documents that a filter matches, or that have no value; bucket `owner * step + offset`. */
function collectMatching(
  agg: Aggregation,
  matcher: usize,
  docs: usize,
  owners: usize,
  n: u32,
  step: u32,
  offset: u32,
): bool {
  let out: u32 = 0;
  const missing = agg.kind == AGG_MISSING;
  const all = agg.kind == AGG_GLOBAL;
  if (!matcher && !missing && !all) return true;
  for (let i: usize = 0; i < (<usize>n) << 2; i += 4) {
    const doc = load<u32>(docs + i);
    if (missing) {
      if (agg.column && agg.opened.has(doc)) continue;
    } else if (!all && !matches(changetype<Matcher>(matcher), doc)) continue;
    const bucket = load<u32>(owners + i) * step + offset;
    const count = agg.counts.at + ((<usize>bucket) << 2);
    store<u32>(count, load<u32>(count) + 1);
    store<u32>(agg.outDocs + ((<usize>out) << 2), doc);
    store<u32>(agg.outOwners + ((<usize>out) << 2), bucket);
    out++;
  }
  return passOn(agg, out);
}

function matcherOf(agg: Aggregation, i: u32): usize {
  const number = <usize>load<u16>(agg.ranges + ((<usize>i) << 1));
  return load<usize>(agg.matchers + number * sizeof<usize>());
}

function reserveCounts(agg: Aggregation, n: u64): bool {
  if (n > 0x10000000 || !agg.counts.reserve(n << 2)) return false;
  agg.bucketCount = max(agg.bucketCount, <u32>n);
  return true;
}

/** Prepares an aggregation for a batch whose owners are below `ownerCount`. */
function start(agg: Aggregation, ownerCount: u32): bool {
  switch (agg.kind) {
    case AGG_FILTER:
    case AGG_GLOBAL:
    case AGG_MISSING:
      return reserveCounts(agg, ownerCount);
    case AGG_NESTED:
    case AGG_CHILDREN:
      return reserveCounts(agg, ownerCount);
    case AGG_REVERSE_NESTED:
      return reserveCounts(agg, ownerCount) && agg.state.reserve((<u64>ownerCount) << 2);
    case AGG_FILTERS:
      return reserveCounts(agg, <u64>ownerCount * agg.rangeCount);
    case AGG_RANGE:
    case AGG_DISTANCE:
      return startRanges(agg, ownerCount);
    case AGG_HITS:
      return startOwners(agg, ownerCount);
    case AGG_STATS:
      return reserveStates(agg, ownerCount, STATS_BYTES);
    case AGG_COUNT:
      return reserveStates(agg, ownerCount, 8);
    case AGG_CARDINALITY:
      return startCardinality(agg, ownerCount);
    case AGG_BOUNDS:
      return startBounds(agg, ownerCount);
    default:
      return true;
  }
}

/** Aggregates `n` documents, at most BATCH; false without memory. */
export function collect(agg: Aggregation, docs: usize, owners: usize, n: u32, ownerCount: u32): bool {
  if (!start(agg, ownerCount)) return false;
  spend(n);
  if (agg.isJoin) return collectJoin(agg, docs, owners, n);
  if (agg.kind == AGG_CHILDREN) return noteParents(agg, docs, owners, n);
  if (agg.isSingle)
    return collectMatching(agg, agg.kind == AGG_FILTER ? matcherOf(agg, 0) : 0, docs, owners, n, 1, 0);
  if (agg.kind == AGG_FILTERS) {
    for (let i: u32 = 0; i < agg.rangeCount && spend(n); i++)
      if (!collectMatching(agg, matcherOf(agg, i), docs, owners, n, agg.rangeCount, i)) return false;
    return true;
  }
  if (agg.kind == AGG_HITS) return collectHits(agg, docs, owners, n);
  startValues(agg);
  for (let m = nextValues(agg, docs, n); m; m = nextValues(agg, docs, n)) {
    let out: i32 = 0;
    switch (agg.kind) {
      case AGG_TERMS:
        out =
          agg.type == COLUMN_ORDINAL ? collectTerms(agg, docs, owners, m) : collectKeys(agg, docs, owners, m);
        break;
      case AGG_HISTOGRAM:
      case AGG_GEOHASH:
        out = collectKeys(agg, docs, owners, m);
        break;
      case AGG_RANGE:
      case AGG_DISTANCE:
        readNumbers(agg, m);
        for (let r: u32 = 0; r < agg.rangeCount && spend(m >> 1); r++)
          if (!passOn(agg, collectRange(agg, docs, owners, m, r))) return false;
        break;
      case AGG_STATS:
        collectStats(agg, owners, m);
        break;
      case AGG_COUNT:
        collectCounts(agg, owners, m);
        break;
      case AGG_CARDINALITY:
        collectCardinality(agg, owners, m);
        break;
      case AGG_PERCENTILES:
        if (!collectPercentiles(agg, owners, m)) return false;
        break;
      case AGG_BOUNDS:
        collectBounds(agg, owners, m);
        break;
    }
    if (out < 0 || !passOn(agg, <u32>out)) return false;
  }
  return true;
}
