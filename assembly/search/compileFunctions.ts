import { COLUMN_GEO, COLUMN_ORDINAL } from '../columns/column';
import { MATCH_FUNCTION, Matcher } from '../docset/matcher';
import { openProgram, Program } from '../expression/program';
import { requestAlloc } from '../memory/arena';
import { setPointer } from '../memory/pointers';
import {
  FUNCTION_FIELD_VALUE,
  FUNCTION_FREQUENCY,
  FUNCTION_GEO_DECAY,
  FUNCTION_SCRIPT,
  FunctionScore,
  ScoreFunction,
} from '../score/functions';
import { columnMemoryFailed, openColumn } from '../segment/fielddata';
import { OK } from '../status';
import { compileChild, compileFilter, compileStatus, noRoom, pointers, segment, shard } from './compiling';
import { Query } from './query';

/** A query whose score functions change, and perhaps refuse. */
export function compileFunction(query: Query, scoring: bool): Matcher | null {
  const child = compileChild(query.child(0), scoring, false);
  if (child === null) return null;
  if (!scoring) return child;
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
  f.hasMinScore = (query.flags & 4) != 0;
  f.minScore = query.minScore;
  f.segment = segment;
  for (let i: u32 = 0; i < query.partCount; i++) {
    const copy = requestAlloc(offsetof<ScoreFunction>());
    if (!copy) return noRoom();
    memory.copy(copy, load<usize>(query.parts + <usize>i * sizeof<usize>()), offsetof<ScoreFunction>());
    setPointer(functions, i, copy);
    const each = changetype<ScoreFunction>(copy);
    if (each.kind == FUNCTION_SCRIPT) {
      if (!openProgram(changetype<Program>(each.program), segment)) return noRoom();
    } else if (each.kind >= FUNCTION_FIELD_VALUE && each.kind != FUNCTION_FREQUENCY) {
      const column = openColumn(shard, segment, each.field);
      if (columnMemoryFailed) return noRoom();
      const geo = each.kind == FUNCTION_GEO_DECAY;
      if (column !== null && (column.kind == COLUMN_GEO) == geo && column.kind != COLUMN_ORDINAL)
        each.column = changetype<usize>(column);
    }
    if (!each.filterQuery) continue;
    const tested = changetype<Query>(each.filterQuery);
    // A set of documents, which a filter may become, doesn't know frequencies.
    const counts = each.kind == FUNCTION_FREQUENCY;
    const filter = counts ? compileChild(tested, false, false) : compileFilter(tested);
    if (compileStatus != OK) return null;
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
