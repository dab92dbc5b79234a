import { OK } from '../../abi/status';
import { DisjunctionOrder } from '../../docset/disjunctionOrder';
import { fill, MATCH_DISMAX, Matcher, windowBytes } from '../../docset/matcher';
import { requestAlloc } from '../../memory/arena';
import { andInto } from '../../memory/bitset';
import { setPointer } from '../../memory/pointers';
import { f32Next, u16Next } from '../../plan/planReader';
import { Query } from '../../plan/query';
import { requestStatus } from '../../requestStatus';
import { Compiling } from '../compiling';
import { Search } from '../context';
import { ANY, childrenNext } from '../decodeNodes';
import { Decoding } from '../decoding';
import { noRoom, pointerArray } from '../matcherArrays';
import { squareOf } from '../weights';

// The best of several queries.

export function decodeDismax(d: Decoding, node: Query, depth: u32, scoring: bool): void {
  node.boost = f32Next();
  node.tieBreaker = f32Next();
  childrenNext(d, node, <u32>u16Next(), depth, scoring, false, ANY);
  if (scoring && node.tieBreaker != 0 && node.childCount > 2) d.plan.tested = true;
}

export function weighDismax(search: Search, query: Query): f32 {
  let best: f32 = 0;
  let sum: f32 = 0;
  for (let i: u32 = 0; i < query.childCount; i++) {
    const square = squareOf(search, query.child(i));
    sum += square;
    if (square > best) best = square;
  }
  const tie = query.tieBreaker;
  return ((sum - best) * tie * tie + best) * query.boost * query.boost;
}

export function compileDismax(c: Compiling, query: Query, scoring: bool, _bulk: bool): Matcher | null {
  const m = Matcher.make(MATCH_DISMAX);
  const array = pointerArray(query.childCount);
  if (m === null || !array) return noRoom();
  m.tieBreaker = query.tieBreaker;
  m.optional = array;
  let cost: u64 = 0;
  for (let i: u32 = 0; i < query.childCount; i++) {
    const child = c.child(query.child(i), scoring, false);
    if (requestStatus != OK) return null;
    if (child === null) continue;
    setPointer(array, m.optionalCount++, changetype<usize>(child));
    cost += child.cost;
  }
  if (!m.optionalCount) return null;
  m.cost = <u32>min<u64>(cost, c.segment.docCount);
  // The sum of two is the same either way.
  if (
    scoring &&
    m.optionalCount > 2 &&
    m.tieBreaker != 0 &&
    !c.search.plan.isExplaining &&
    !orderClauses(c, m)
  )
    return noRoom();
  return m;
}

/** Makes a disjunction maximum add scores in Lucene's order; false without room. */
function orderClauses(c: Compiling, m: Matcher): bool {
  const order = DisjunctionOrder.make(m.optionalCount, c.segment.docCount);
  if (order === null) return false;
  const bytes = windowBytes(c.segment.docCount);
  for (let i: u32 = 0; i < m.optionalCount; i++) {
    const bits = requestAlloc(bytes);
    if (!bits) return false;
    memory.fill(bits, 0, bytes);
    fill(Matcher.at(m.optional, i), 0, c.segment.docCount, bits);
    if (c.accepted) andInto(bits, c.accepted, bytes - 16);
    setPointer(order.sets, i, bits);
  }
  m.order = changetype<usize>(order);
  return true;
}
