import { MUST, MUST_NOT, SHOULD } from '../abi/plan';
import { OK } from '../abi/status';
import { DisjunctionOrder } from '../docset/disjunctionOrder';
import { fill, MATCH_BOOLEAN, MATCH_DISMAX, Matcher, windowBytes } from '../docset/matcher';
import { requestAlloc } from '../memory/arena';
import { andInto } from '../memory/bitset';
import { setPointer } from '../memory/pointers';
import { sortForAddition } from './addition';
import { Compiling, insertByCost, noRoom, pointers } from './compiling';
import { BOOLEAN_BOOSTING, BOOLEAN_NO_COORD, Query } from '../plan/query';
import { requestStatus } from '../requestStatus';
import { isPlainlySummed } from './similarities';

// Compiles what has clauses: booleans, and the best of several.

/**
 * A boolean query. Where `bulk` and all its clauses are optional, they may be summed clause by clause.
 */
export function compileBoolean(c: Compiling, query: Query, scoring: bool, bulk: bool): Matcher | null {
  const n = query.childCount;
  const made = Matcher.make(MATCH_BOOLEAN);
  if (made === null) return noRoom();
  const m = made;
  m.noCoord = (query.flags & BOOLEAN_NO_COORD) != 0 || isPlainlySummed(c.search.plan);
  m.boosting = (query.flags & BOOLEAN_BOOSTING) != 0;
  m.tieBreaker = query.tieBreaker;
  m.required = pointers(n);
  m.optional = pointers(n);
  m.prohibited = pointers(n);
  m.added = pointers(n);
  if (requestStatus != OK) return null;
  let pure = query.minimumShouldMatch <= 1;
  for (let i: u32 = 0; i < n; i++) {
    const occur = query.child(i).occur;
    if (occur == MUST) pure = false;
    if (occur != MUST_NOT) m.maxCoord++;
  }
  m.bulk = bulk && pure;
  let minimum = query.minimumShouldMatch;
  for (let i: u32 = 0; i < n; i++) {
    const child = query.child(i);
    const compiled = c.child(child, scoring && child.occur != MUST_NOT, m.bulk && child.occur == SHOULD);
    if (requestStatus != OK) return null;
    if (compiled === null) {
      if (child.occur == MUST) return null;
      continue;
    }
    if (child.occur == MUST) require(m, compiled);
    else if (child.occur == SHOULD) setPointer(m.optional, m.optionalCount++, changetype<usize>(compiled));
    else setPointer(m.prohibited, m.prohibitedCount++, changetype<usize>(compiled));
  }
  if (m.optionalCount < minimum) return null;
  if (!m.bulk && m.optionalCount == minimum) {
    // As many as are left must match: they are required.
    for (let i: u32 = 0; i < m.optionalCount; i++) require(m, Matcher.at(m.optional, i));
    m.optionalCount = 0;
    minimum = 0;
  }
  if (!m.requiredCount && !m.optionalCount) return null;
  // The sum of two is the same either way.
  if (scoring && m.requiredCount > 2) sortForAddition(m.added, m.requiredCount, c.segment.docCount);
  m.minimum = m.requiredCount ? minimum : max<u32>(minimum, 1);
  if (m.requiredCount) {
    m.cost = Matcher.at(m.required, 0).cost;
  } else {
    let cost: u64 = 0;
    for (let i: u32 = 0; i < m.optionalCount; i++) cost += Matcher.at(m.optional, i).cost;
    m.cost = <u32>min<u64>(cost, c.segment.docCount);
  }
  return m;
}

function require(m: Matcher, clause: Matcher): void {
  setPointer(m.added, m.requiredCount, changetype<usize>(clause));
  insertByCost(m.required, m.requiredCount++, clause);
}

export function compileDismax(c: Compiling, query: Query, scoring: bool): Matcher | null {
  const m = Matcher.make(MATCH_DISMAX);
  const array = pointers(query.childCount);
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
