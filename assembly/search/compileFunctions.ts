import { COLUMN_GEO, COLUMN_ORDINAL } from '../abi/columns';
import {
  FUNCTION_FIELD_VALUE,
  FUNCTION_FREQUENCY,
  FUNCTION_GEO_DECAY,
  FUNCTION_SCRIPT,
} from '../abi/functions';
import { OK } from '../abi/status';
import { bitsOf, MATCH_FUNCTION, MATCH_SET, Matcher, windowBytes } from '../docset/matcher';
import { openProgram, Program } from '../expression/program';
import { requestAlloc } from '../memory/arena';
import { andInto } from '../memory/bitset';
import { setPointer } from '../memory/pointers';
import { evaluate, matched } from '../score/evaluate';
import { FunctionScore, ScoreFunction } from '../docset/functions';
import { openColumn } from '../segment/fielddata';
import { Compiling, noRoom, pointers } from './compiling';
import { FUNCTION_ALONE, FUNCTION_MIN_SCORE, Query } from '../plan/query';
import { requestStatus } from '../requestStatus';
import { weighAlone } from './statistics';

/** A query whose score functions change, and perhaps refuse. */
export function compileFunction(c: Compiling, query: Query, scoring: bool): Matcher | null {
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
  const array = pointers(1);
  const at = requestAlloc(offsetof<FunctionScore>());
  const functions = pointers(query.partCount);
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
