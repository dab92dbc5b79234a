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
import { f32Next, f64Next, pointers, structNext, u8Next, u16Next, u32Next } from '../../plan/planReader';
import { FUNCTION_MIN_SCORE, Query } from '../../plan/query';
import { fail, requestStatus } from '../../requestStatus';
import { evaluate, matched } from '../../score/evaluate';
import { functionValue } from '../../score/functionScore';
import { openColumn } from '../../segment/fielddata';
import { Compiling } from '../compiling';
import { Search } from '../context';
import { nodeNext } from '../decodeNodes';
import { Decoding } from '../decoding';
import { Explanation } from '../explanation';
import { noRoom, pointerArray } from '../matcherArrays';
import { squareOf, weighAlone } from '../weights';

// A query whose score functions change, and perhaps refuse.

/** Most modifiers and shapes. */
const MODIFIERS: u8 = 10;
const SHAPES: u8 = 3;
const MODES: u8 = 4;

/** Child 0 is the query, behind which the filters of its functions stand. */
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
      node.goesByScores = true;
      d.plan.tested = true;
    }
  }
  node.maxBoost = f32Next();
  node.minScore = f32Next();
  const query = nodeNext(d, depth + 1, scoring);
  const n = <u32>u16Next();
  node.parts = pointers(n, 6);
  node.partCount = n;
  node.children = pointerArray(n + 1);
  if (requestStatus != OK) return;
  setPointer(node.children, node.childCount++, changetype<usize>(query));
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
      f.filterChild = node.childCount;
      setPointer(node.children, node.childCount++, changetype<usize>(filter));
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

export function weighFunctions(search: Search, query: Query): f32 {
  return squareOf(search, query.child(0)) * (query.boost * query.boost);
}

export function compileFunctions(c: Compiling, query: Query, scoring: bool, _bulk: bool): Matcher | null {
  if (scoring) return withFunctions(c, query, c.child(query.child(0), true, false));
  return query.goesByScores ? enough(c, query) : c.child(query.child(0), false, false);
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
    if (!each.filterChild) continue;
    const tested = query.child(each.filterChild);
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

export function explainFunctions(e: Explanation, query: Query, scoring: bool): void {
  if (!e.head(query, scoring, query.flags, false)) return;
  const m = e.matcher;
  const hit = e.hit;
  e.node(query.child(0), scoring);
  e.u16(query.partCount);
  for (let i: u32 = 0; i < query.partCount; i++) {
    const known = m !== null && hit && m.kind == MATCH_FUNCTION;
    e.f64(known ? functionValue(m!.functions, i, e.document) : NaN);
  }
}
