import {
  AGG_BOUNDS,
  AGG_CARDINALITY,
  AGG_CHILDREN,
  AGG_COUNT,
  AGG_DISTANCE,
  AGG_DISTANCES,
  AGG_FILTER,
  AGG_FILTERS,
  AGG_FIRST_NUMBERS,
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
import { COLUMN_DOUBLE, COLUMN_LONG, COLUMN_ORDINAL } from '../abi/columns';
import { ERR_LIMIT, ERR_MEMORY, ERR_PLAN, OK } from '../abi/status';
import { FORMULAS } from '../docvalues/geodesy';
import { programNext } from '../expression/program';
import { requestAlloc } from '../memory/arena';
import { setPointer } from '../memory/pointers';
import { fail, requestStatus } from '../requestStatus';
import {
  bytesNext,
  f64Next,
  noteJoin,
  pointers,
  structNext,
  u8Next,
  u16Next,
  u32Next,
} from '../plan/planReader';
import { SortSection, sectionNext } from '../sort/sortKeys';
import { automatonMalformed, openAutomaton } from '../terms/automaton';
import {
  Aggregation,
  BATCH,
  NOT_NESTED,
  ORDER_METRIC,
  Order,
  TERMS_EXCLUDE,
  TERMS_INCLUDE,
} from './aggregation';
import { makeBounds } from './bounds';
import { AggregationContext } from './context';
import { makeHits } from './hits';
import { UNIT_TRUNCATED } from './rounding';
import { Partials } from './partials';
import { Vector, Vectors } from './vector';

// Reads the aggregations of a plan (README.md).

const MAX_DEPTH: u32 = 64;
const MAX_AGGREGATIONS: u32 = 2048;
/** Most hits of a bucket. */
const MAX_HITS: u32 = 1 << 20;
const MAX_PRECISION: u8 = 18;
/** Flag of a precision: the values are hashes. */
const HASHED: u8 = 0x80;
/** Flag of a type: a program follows that makes the values, and the type of the values that it makes them of, 0: of none. */
const SCRIPTED: u8 = 0x80;

function vectorNext(agg: Aggregation): Vector {
  const vector = agg.context.vectors.make();
  if (vector === null) {
    fail(ERR_MEMORY);
    return changetype<Vector>(0);
  }
  return vector;
}

function i64Next(): i64 {
  const at = bytesNext(8);
  return requestStatus == OK ? load<i64>(at) : 0;
}

function filterNext(agg: Aggregation): void {
  if (<u32>u16Next() >= agg.context.filterCount) fail(ERR_PLAN);
}

function rangesNext(agg: Aggregation): void {
  agg.rangeCount = <u32>u16Next();
  agg.ranges = bytesNext((<usize>agg.rangeCount) << 4);
}

/** Where an aggregation orders by is one of those below it, by steps down the tree. */
function targetNext(agg: Aggregation): Aggregation {
  let target = agg;
  const steps = <u32>u8Next();
  for (let i: u32 = 0; i < steps; i++) {
    const step = <u32>u16Next();
    if (requestStatus != OK) return target;
    if (step >= target.childCount || (i > 0 && !target.isSingle)) {
      fail(ERR_PLAN);
      return target;
    }
    target = target.child(step);
  }
  if (!steps || (target.isBuckets && !target.isSingle)) fail(ERR_PLAN);
  return target;
}

/** Orders stand behind the children, which they name. */
function ordersNext(agg: Aggregation): void {
  agg.orderCount = <u32>u8Next();
  agg.orders = pointers(agg.orderCount, 2);
  for (let i: u32 = 0; i < agg.orderCount && requestStatus == OK; i++) {
    const made = structNext(offsetof<Order>());
    if (!made) return;
    const order = changetype<Order>(made);
    store<usize>(agg.orders + <usize>i * sizeof<usize>(), made);
    order.what = u8Next();
    order.ascending = u8Next() != 0;
    if (order.what > ORDER_METRIC) fail(ERR_PLAN);
    if (order.what != ORDER_METRIC) continue;
    order.target = targetNext(agg);
    order.metric = u8Next();
    order.argument = f64Next();
  }
}

/** An automaton of strings, sorted numbers of others, of a length: its address. */
function listNext(agg: Aggregation, length: u32): usize {
  if (agg.type != COLUMN_ORDINAL) return bytesNext(<usize>min<u64>((<u64>length) << 3, u32.MAX_VALUE));
  const bytes = bytesNext(length);
  if (requestStatus != OK) return 0;
  const automaton = openAutomaton(bytes, length);
  if (automaton === null) fail(automatonMalformed ? ERR_PLAN : ERR_MEMORY);
  return changetype<usize>(automaton);
}

function termsNext(agg: Aggregation): void {
  agg.flags = u8Next();
  agg.shardSize = u32Next();
  agg.minimum = u32Next();
  if (agg.flags & TERMS_INCLUDE) {
    agg.includeCount = u32Next();
    agg.include = listNext(agg, agg.includeCount);
  }
  if (agg.flags & TERMS_EXCLUDE) {
    agg.excludeCount = u32Next();
    agg.exclude = listNext(agg, agg.excludeCount);
  }
  agg.segmentTerms = vectorNext(agg);
  agg.termOffsets = vectorNext(agg);
  agg.termBytes = vectorNext(agg);
  agg.termTable = vectorNext(agg);
}

function roundingNext(agg: Aggregation): void {
  agg.roundingUnit = u8Next();
  agg.toUtc = u8Next() != 0;
  agg.interval = i64Next();
  agg.shift = i64Next();
  agg.before = i64Next();
  agg.after = i64Next();
  agg.zoneCount = <u32>u16Next();
  agg.zones = bytesNext((<usize>agg.zoneCount) << 4);
  if (agg.roundingUnit > UNIT_TRUNCATED || agg.interval < 1) fail(ERR_PLAN);
  agg.pieceFrom = i64.MAX_VALUE;
  agg.pieceEnd = i64.MIN_VALUE;
  agg.zoneFrom = i64.MAX_VALUE;
  agg.zoneEnd = i64.MIN_VALUE;
}

function typeNext(agg: Aggregation, strings: bool): void {
  const type = u8Next();
  agg.type = type & ~SCRIPTED;
  if (type & SCRIPTED) {
    agg.script = programNext();
    agg.scriptField = u8Next();
    if (agg.type == COLUMN_ORDINAL || agg.scriptField > <u8>COLUMN_DOUBLE) fail(ERR_PLAN);
  }
  if (agg.type < <u8>COLUMN_LONG || agg.type > <u8>(strings ? COLUMN_ORDINAL : COLUMN_DOUBLE)) fail(ERR_PLAN);
}

/** From where distances are measured, how, and in which unit. */
function originNext(agg: Aggregation): void {
  agg.formula = u8Next();
  agg.unit = f64Next();
  agg.latitude = f64Next();
  agg.longitude = f64Next();
  if (agg.formula >= FORMULAS || !(agg.unit > 0)) fail(ERR_PLAN);
}

function payloadNext(agg: Aggregation): void {
  if (agg.kind >= AGG_MISSING && agg.kind != AGG_HITS && !agg.isJoin) agg.field = u16Next();
  switch (agg.kind) {
    case AGG_FILTER:
      agg.ranges = bytesNext(0);
      filterNext(agg);
      agg.rangeCount = 1;
      break;
    case AGG_FILTERS:
      agg.rangeCount = <u32>u16Next();
      agg.ranges = bytesNext(0);
      for (let i: u32 = 0; i < agg.rangeCount && requestStatus == OK; i++) filterNext(agg);
      break;
    case AGG_NESTED:
    case AGG_REVERSE_NESTED:
      // Filters of the documents that it is about: the nested ones, or those that they are parts of; then, of the former, of the
      // documents above. A number of 0xffff stands for the documents that are not nested.
      agg.rangeCount = agg.kind == AGG_NESTED ? 2 : 1;
      agg.ranges = bytesNext(0);
      for (let i: u32 = 0; i < agg.rangeCount && requestStatus == OK; i++)
        if (
          <u32>u16Next() >= agg.context.filterCount &&
          load<u16>(agg.ranges + ((<usize>i) << 1)) != NOT_NESTED
        )
          fail(ERR_PLAN);
      if (agg.kind == AGG_NESTED && requestStatus == OK && load<u16>(agg.ranges) == NOT_NESTED)
        fail(ERR_PLAN);
      break;
    case AGG_CHILDREN:
      agg.childField = u16Next();
      noteJoin(agg.field, agg.childField);
      agg.rangeCount = 1;
      agg.ranges = bytesNext(0);
      filterNext(agg);
      agg.heads = vectorNext(agg);
      agg.links = vectorNext(agg);
      break;
    case AGG_GLOBAL:
    case AGG_MISSING:
    case AGG_BOUNDS:
      break;
    case AGG_COUNT:
      if (u8Next()) {
        agg.type = <u8>COLUMN_DOUBLE;
        agg.script = programNext();
        agg.scriptField = u8Next();
      }
      break;
    case AGG_TERMS:
      typeNext(agg, true);
      termsNext(agg);
      break;
    case AGG_HISTOGRAM:
      typeNext(agg, false);
      roundingNext(agg);
      break;
    case AGG_RANGE:
      typeNext(agg, false);
      rangesNext(agg);
      break;
    case AGG_DISTANCE:
      originNext(agg);
      rangesNext(agg);
      break;
    case AGG_GEOHASH:
      agg.precision = u8Next();
      agg.shardSize = u32Next();
      if (!agg.precision || agg.precision > 12) fail(ERR_PLAN);
      break;
    case AGG_HITS:
      agg.shardSize = u32Next();
      if (u8Next()) agg.sort = sectionNext();
      if (agg.sort) nestedKeysNext(agg);
      if (!agg.shardSize || agg.shardSize > MAX_HITS) fail(agg.shardSize ? ERR_LIMIT : ERR_PLAN);
      if (!makeHits(agg)) fail(ERR_MEMORY);
      break;
    case AGG_STATS:
      typeNext(agg, false);
      break;
    case AGG_DISTANCES:
      agg.kind = AGG_STATS;
      agg.type = <u8>COLUMN_DOUBLE;
      originNext(agg);
      agg.ranges = bytesNext(16);
      agg.rangeCount = 1;
      break;
    case AGG_FIRST_NUMBERS:
      agg.kind = AGG_STATS;
      typeNext(agg, false);
      agg.ranges = bytesNext(16);
      agg.rangeCount = 1;
      agg.takesFirst = true;
      break;
    case AGG_CARDINALITY:
      typeNext(agg, true);
      agg.precision = u8Next();
      agg.isHashed = (agg.precision & HASHED) != 0;
      agg.precision &= ~HASHED;
      if (agg.precision < 4 || agg.precision > MAX_PRECISION) fail(ERR_PLAN);
      agg.segmentTerms = vectorNext(agg);
      break;
    case AGG_PERCENTILES:
      typeNext(agg, false);
      agg.compression = f64Next();
      agg.log = vectorNext(agg);
      break;
    default:
      fail(ERR_PLAN);
  }
}

/** Room for what happens to a batch. */
function scratch(agg: Aggregation): void {
  agg.counts = vectorNext(agg);
  agg.owners = vectorNext(agg);
  agg.keys = vectorNext(agg);
  agg.table = vectorNext(agg);
  agg.state = vectorNext(agg);
  agg.background = vectorNext(agg);
  agg.pieceStarts = vectorNext(agg);
  agg.pieceKeys = vectorNext(agg);
  agg.pieceSlots = vectorNext(agg);
  agg.localBuckets = vectorNext(agg);
  agg.tally = vectorNext(agg);
  const bytes = requestAlloc(BATCH * 20 + 1024);
  if (!bytes) {
    fail(ERR_MEMORY);
    return;
  }
  agg.values = bytes;
  agg.places = bytes + BATCH * 8;
  agg.outDocs = bytes + BATCH * 12;
  agg.outOwners = bytes + BATCH * 16;
  agg.block = bytes + BATCH * 20;
}

function aggregationNext(context: AggregationContext, depth: u32): usize {
  const made = structNext(offsetof<Aggregation>());
  if (!made || requestStatus != OK) return 0;
  if (depth > MAX_DEPTH || ++context.nodes > MAX_AGGREGATIONS) {
    fail(ERR_LIMIT);
    return 0;
  }
  const agg = changetype<Aggregation>(made);
  agg.context = context;
  agg.kind = u8Next();
  agg.isTop = depth == 1;
  if (agg.kind == AGG_GLOBAL && depth > 1) fail(ERR_PLAN);
  payloadNext(agg);
  scratch(agg);
  agg.childCount = <u32>u16Next();
  if (agg.childCount && !agg.isBuckets) fail(ERR_PLAN);
  agg.children = pointers(agg.childCount, 3);
  for (let i: u32 = 0; i < agg.childCount && requestStatus == OK; i++)
    store<usize>(agg.children + <usize>i * sizeof<usize>(), aggregationNext(context, depth + 1));
  if (agg.kind == AGG_TERMS || agg.kind == AGG_GEOHASH) ordersNext(agg);
  const counted = agg.kind == AGG_RANGE || agg.kind == AGG_DISTANCE;
  if (counted && agg.isTop && !agg.childCount && requestStatus == OK && !makeBounds(agg)) fail(ERR_MEMORY);
  return made;
}

/** Which keys of top hits go by nested documents: the number of the filter that finds these, and 1. */
function nestedKeysNext(agg: Aggregation): void {
  const section = changetype<SortSection>(agg.sort);
  for (let n = u8Next(); n && requestStatus == OK; n--) {
    const number = <u32>u8Next();
    const filter = <u32>u16Next();
    if (number >= section.count || filter >= agg.context.filterCount) fail(ERR_PLAN);
    else section.key(number).nestedQuery = filter + 1;
  }
}

/** Reads the aggregations, whose filters are numbered below `filters`, where the plan's reader stands; null where the request fails. */
export function aggregationsNext(filters: u32): AggregationContext | null {
  const made = structNext(offsetof<AggregationContext>() + offsetof<Vectors>() + offsetof<Partials>());
  if (!made) return null;
  const context = changetype<AggregationContext>(made);
  context.vectors = changetype<Vectors>(made + offsetof<AggregationContext>());
  context.partials = changetype<Partials>(made + offsetof<AggregationContext>() + offsetof<Vectors>());
  context.filterCount = filters;
  context.count = <u32>u16Next();
  context.tops = pointers(context.count, 3);
  for (let i: u32 = 0; i < context.count && requestStatus == OK; i++)
    setPointer(context.tops, i, aggregationNext(context, 1));
  return requestStatus == OK ? context : null;
}
