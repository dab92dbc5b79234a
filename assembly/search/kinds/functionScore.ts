import { COLUMN_GEO, COLUMN_ORDINAL } from '../../abi/columns';
import {
  BOOST_MIN,
  FUNCTION_DECAY,
  FUNCTION_FIELD_VALUE,
  FUNCTION_FREQUENCY,
  FUNCTION_GEO_DECAY,
  FUNCTION_RANDOM,
  FUNCTION_SCRIPT,
  SCORE_OCCURRENCES,
} from '../../abi/functions';
import { ERR_PLAN, OK } from '../../abi/status';
import { FunctionScore, ScoreFunction } from '../../docset/functions';
import { bitsOf, MATCH_FUNCTION, MATCH_SET, Matcher, windowBytes } from '../../docset/matcher';
import { openProgram, Program, programNext } from '../../expression/program';
import { requestAlloc } from '../../memory/arena';
import { andInto } from '../../memory/bitset';
import { setPointer } from '../../memory/pointers';
import { f32Next, f64Next, pointers, structNext, u16Next, u32Next, u8Next } from '../../plan/planReader';
import { FUNCTION_ALONE, FUNCTION_MIN_SCORE, Query } from '../../plan/query';
import { fail, requestStatus } from '../../requestStatus';
import { evaluate, matched } from '../../score/evaluate';
import { openColumn } from '../../segment/fielddata';
import { Compiling } from '../compiling';
import { Search } from '../context';
import { ANY, childrenNext, nodeNext } from '../decodeNodes';
import { Decoding } from '../decoding';
import { noRoom, pointerArray } from '../matcherArrays';
import { expand, expandBelow } from '../rewriting';
import { weighAlone } from '../statistics';

// A query whose score functions change, and perhaps refuse.

/** Most modifiers and shapes. */
const MODIFIERS: u8 = 10;
const SHAPES: u8 = 3;
const MODES: u8 = 4;

export function decodeFunctions(d: Decoding, node: Query, depth: u32, scoring: bool): void {
  node.boost = f32Next();
  node.flags = u8Next();
  node.scoreMode = u8Next();
  node.boostMode = u8Next();
  if (node.scoreMode > SCORE_OCCURRENCES || node.boostMode > BOOST_MIN) fail(ERR_PLAN);
  if (node.flags > 7) fail(ERR_PLAN);
  if (node.flags & FUNCTION_MIN_SCORE) {
    if (scoring) d.swapScored(true);
    else {
      node.flags |= FUNCTION_ALONE;
      d.plan.tested = true;
    }
  }
  node.maxBoost = f32Next();
  node.minScore = f32Next();
  childrenNext(d, node, 1, depth, scoring, false, ANY);
  const n = <u32>u16Next();
  node.parts = pointers(n, 6);
  node.partCount = n;
  for (let i: u32 = 0; i < n && requestStatus == OK; i++) {
    const made = structNext(offsetof<ScoreFunction>());
    if (!made) return;
    const f = changetype<ScoreFunction>(made);
    setPointer(node.parts, i, made);
    const flags = u8Next();
    f.hasWeight = (flags & 2) != 0;
    f.weight = f32Next();
    functionNext(d, f);
    if (flags & 1) {
      const filter = nodeNext(d, depth + 1, false);
      if (requestStatus == OK) f.filterQuery = changetype<usize>(filter);
    }
  }
}

/** A function of a function score but for its filter. */
function functionNext(d: Decoding, f: ScoreFunction): void {
  f.kind = u8Next();
  if (f.kind == FUNCTION_RANDOM) {
    f.seed = u32Next();
    d.plan.needsUids = true;
  } else if (f.kind == FUNCTION_FIELD_VALUE) {
    f.field = <u32>u16Next();
    f.factor = f32Next();
    f.modifier = u8Next();
    f.hasMissing = u8Next() != 0;
    f.missing = f64Next();
    if (f.modifier >= MODIFIERS) fail(ERR_PLAN);
  } else if (f.kind == FUNCTION_DECAY || f.kind == FUNCTION_GEO_DECAY) {
    f.field = <u32>u16Next();
    f.shape = u8Next();
    f.mode = u8Next();
    f.origin = f64Next();
    if (f.kind == FUNCTION_GEO_DECAY) f.longitude = f64Next();
    f.scale = f64Next();
    f.offset = f64Next();
    if (f.shape >= SHAPES || f.mode >= MODES) fail(ERR_PLAN);
  } else if (f.kind == FUNCTION_SCRIPT) {
    f.program = programNext();
  } else if (f.kind && f.kind != FUNCTION_FREQUENCY) fail(ERR_PLAN);
}

/** A query whose score functions change, and perhaps refuse. */
export function compileFunctions(c: Compiling, query: Query, scoring: bool, _bulk: bool): Matcher | null {
  if (scoring) return withFunctions(c, query, c.child(query.child(0), true, false));
  return query.flags & FUNCTION_ALONE ? enough(c, query) : c.child(query.child(0), false, false);
}

/** The documents that score enough, of a query that stands where scores count for nothing else: it is weighed as one of its own. */
function enough(c: Compiling, query: Query): Matcher | null {
  const unbounded = c.search.unbounded;
  weighAlone(c.search, query);
  c.search.unbounded = unbounded;
  if (requestStatus != OK) return null;
  const scored = withFunctions(c, query, c.alone(query.child(0)));
  if (scored === null) return null;
  const bits = bitsOf(scored, c.segment.docCount);
  if (!bits) return noRoom();
  // A function may refuse a document that it has no value of: only those that are searched are scored.
  if (c.accepted) andInto(bits, c.accepted, windowBytes(c.segment.docCount) - 16);
  for (let word: u32 = 0; word < (c.segment.docCount + 63) >> 6; word++) {
    const at = bits + ((<usize>word) << 3);
    let left = load<u64>(at);
    for (; left; left &= left - 1) {
      evaluate(scored, (word << 6) + <u32>ctz<u64>(left));
      if (!matched) store<u64>(at, load<u64>(at) & ~(left & (0 - left)));
    }
  }
  const m = Matcher.make(MATCH_SET);
  if (m === null) return noRoom();
  m.bits = bits;
  // As long as Lucene takes it to be.
  m.cost = scored.cost;
  return m;
}

function withFunctions(c: Compiling, query: Query, child: Matcher | null): Matcher | null {
  if (child === null) return null;
  const m = Matcher.make(MATCH_FUNCTION);
  const array = pointerArray(1);
  const at = requestAlloc(offsetof<FunctionScore>());
  const functions = pointerArray(query.partCount);
  if (m === null || !array || !at || !functions) return noRoom();
  memory.fill(at, 0, offsetof<FunctionScore>());
  const f = changetype<FunctionScore>(at);
  f.functions = functions;
  f.count = query.partCount;
  f.single = (query.flags & 1) != 0;
  f.scoreMode = query.scoreMode;
  f.boostMode = query.boostMode;
  f.boost = query.boost;
  f.maxBoost = query.flags & 2 ? query.maxBoost : f32.MAX_VALUE;
  f.hasMinScore = (query.flags & FUNCTION_MIN_SCORE) != 0;
  f.minScore = query.minScore;
  f.segment = c.segment;
  for (let i: u32 = 0; i < query.partCount; i++) {
    const copy = requestAlloc(offsetof<ScoreFunction>());
    if (!copy) return noRoom();
    memory.copy(copy, load<usize>(query.parts + <usize>i * sizeof<usize>()), offsetof<ScoreFunction>());
    setPointer(functions, i, copy);
    const each = changetype<ScoreFunction>(copy);
    if (each.kind == FUNCTION_SCRIPT) {
      if (!openProgram(changetype<Program>(each.program), c.segment)) return noRoom();
    } else if (each.kind >= FUNCTION_FIELD_VALUE && each.kind != FUNCTION_FREQUENCY) {
      const column = openColumn(c.search.shard, c.segment, each.field);
      if (requestStatus != OK) return null;
      const geo = each.kind == FUNCTION_GEO_DECAY;
      if (column !== null && (column.kind == COLUMN_GEO) == geo && column.kind != COLUMN_ORDINAL)
        each.column = changetype<usize>(column);
    }
    if (!each.filterQuery) continue;
    const tested = changetype<Query>(each.filterQuery);
    // A set of documents, which a filter may become, doesn't know frequencies.
    const counts = each.kind == FUNCTION_FREQUENCY;
    const filter = counts ? c.child(tested, false, false) : c.filter(tested);
    if (requestStatus != OK) return null;
    each.filter = changetype<usize>(filter);
    each.never = filter === null;
  }
  setPointer(array, 0, changetype<usize>(child));
  m.optional = array;
  m.optionalCount = 1;
  m.functions = f;
  m.cost = child.cost;
  return m;
}

/** What its functions are filtered by is rewritten too. */
export function expandFunctions(search: Search, query: Query, scoring: bool): Query {
  expandBelow(search, query, scoring);
  for (let i: u32 = 0; i < query.partCount && requestStatus == OK; i++) {
    const f = changetype<ScoreFunction>(load<usize>(query.parts + <usize>i * sizeof<usize>()));
    if (f.filterQuery)
      f.filterQuery = changetype<usize>(expand(search, changetype<Query>(f.filterQuery), false));
  }
  return query;
}
