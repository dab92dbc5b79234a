import { CHILD_AVERAGE, CHILD_NONE } from '../../abi/plan';
import { ERR_PLAN } from '../../abi/status';
import { MATCH_CONSTANT, MATCH_JOIN, MATCH_SET, Matcher, windowBytes } from '../../docset/matcher';
import { requestAlloc } from '../../memory/arena';
import { Bitset } from '../../memory/bitset';
import { setPointer } from '../../memory/pointers';
import { f32Next, noteJoin, u8Next, u16Next, u32Next } from '../../plan/planReader';
import { JOIN_SCORED, Joined, Query } from '../../plan/query';
import { fail } from '../../requestStatus';
import { NO_NUMBER, parentOrdinals } from '../../segment/parentOrdinals';
import { Compiling } from '../compiling';
import { Search } from '../context';
import { ANY, childrenNext } from '../decodeNodes';
import { Decoding } from '../decoding';
import { noRoom, pointerArray } from '../matcherArrays';
import { expandBelow } from '../rewriting';
import { normalizeConstant, squareOf } from '../weights';

// From parents to children, and back.

/** Child 0 is the inner query, a search of its own. */
export function decodeJoin(d: Decoding, node: Query, depth: u32, _scoring: bool): void {
  node.boost = f32Next();
  node.scoreMode = u8Next();
  node.field = u16Next();
  node.outer = u16Next();
  noteJoin(node.field, node.outer);
  node.least = u32Next();
  node.most = u32Next();
  node.factor = u32Next();
  node.growth = u32Next();
  if (node.scoreMode > CHILD_AVERAGE || (node.factor && node.scoreMode == CHILD_NONE)) fail(ERR_PLAN);
  const scored = d.swapScored(false);
  childrenNext(d, node, 1, depth, true, false, ANY);
  if (d.swapScored(scored)) node.flags = JOIN_SCORED;
  d.plan.joins = true;
}

/** Its inner query is a search of its own, and scores where the join needs scores. */
export function expandJoin(search: Search, query: Query, _scoring: bool): Query {
  return expandBelow(search, query, query.scoreMode != CHILD_NONE || (query.flags & JOIN_SCORED) != 0);
}

/** A join that has found nothing has no weight. */
export function weighJoin(search: Search, query: Query): f32 {
  if (!query.joined || !changetype<Joined>(query.joined).found) return 0;
  query.weight = query.boost;
  const square = query.boost * query.boost;
  if (query.scoreMode == CHILD_NONE) return square;
  const around = search.localOnly;
  search.localOnly = true;
  const inner = squareOf(search, query.child(0));
  search.localOnly = around;
  return inner * square;
}

/** Scores of the inner query stay as they are. */
export function normalizeJoin(search: Search, query: Query, norm: f32, outer: f32): void {
  normalizeConstant(search, query, norm, outer);
  if (query.joined && changetype<Joined>(query.joined).unbounded) search.unbounded = true;
}

/** The documents that a join has joined to. */
export function compileJoin(c: Compiling, query: Query, scoring: bool, _bulk: bool): Matcher | null {
  const joined = changetype<Joined>(query.joined);
  const numbers = parentOrdinals(c.segment, query.outer);
  if (!query.joined || !joined.found || !numbers) return null;
  const bits = requestAlloc(windowBytes(c.segment.docCount));
  const m = Matcher.make(MATCH_SET);
  if (!bits || m === null) return noRoom();
  memory.fill(bits, 0, windowBytes(c.segment.docCount));
  for (let doc: u32 = 0; doc < c.segment.docCount; doc++) {
    const number = load<u32>(numbers + ((<usize>doc) << 2));
    if (number == NO_NUMBER || !Bitset.get(joined.marks, number)) continue;
    Bitset.set(bits, doc);
    m.cost++;
  }
  if (!m.cost) return null;
  m.bits = bits;
  if (!scoring) return m;
  if (query.scoreMode != CHILD_NONE) {
    m.kind = MATCH_JOIN;
    m.numbers = numbers;
    m.scores = joined.scores;
    return m;
  }
  const constant = Matcher.make(MATCH_CONSTANT);
  const array = pointerArray(1);
  if (constant === null || !array) return noRoom();
  setPointer(array, 0, changetype<usize>(m));
  constant.optional = array;
  constant.optionalCount = 1;
  constant.value = query.value;
  constant.cost = m.cost;
  return constant;
}
