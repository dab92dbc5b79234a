import { MUST, MUST_NOT, NODE_BOOLEAN, SHOULD } from '../../abi/plan';
import { ERR_PLAN, OK } from '../../abi/status';
import { MATCH_BOOLEAN, Matcher } from '../../docset/matcher';
import { setPointer } from '../../memory/pointers';
import { f32Next, u8Next, u16Next } from '../../plan/planReader';
import { BOOLEAN_BOOSTING, BOOLEAN_NO_COORD, Query } from '../../plan/query';
import { fail, requestStatus } from '../../requestStatus';
import { sortForAddition } from '../addition';
import { Compiling } from '../compiling';
import { Search } from '../context';
import { ANY, childrenNext } from '../decodeNodes';
import { Decoding } from '../decoding';
import { insertByCost, noRoom, pointerArray } from '../matcherArrays';
import { isPlainlySummed } from '../similarities';
import { squareOf } from '../weights';

// Clauses that must match, may match or must not; and boosting queries, which are booleans of two clauses.

export function decodeBoolean(d: Decoding, node: Query, depth: u32, scoring: bool): void {
  node.flags = u8Next();
  if (node.flags > BOOLEAN_NO_COORD) fail(ERR_PLAN);
  node.boost = f32Next();
  node.minimumShouldMatch = <u32>u16Next();
  childrenNext(d, node, <u32>u16Next(), depth, scoring, true, ANY);
}

/** A boosting query is a boolean whose clauses that match decide on the factor; the plan gives the negative part no boost. */
export function decodeBoosting(d: Decoding, node: Query, depth: u32, scoring: bool): void {
  node.tieBreaker = f32Next();
  childrenNext(d, node, 2, depth, scoring, false, ANY);
  if (requestStatus != OK) return;
  node.kind = NODE_BOOLEAN;
  node.flags = BOOLEAN_BOOSTING;
  node.child(0).occur = MUST;
  node.child(1).occur = SHOULD;
}

/** What must not match is weighed too, and counts for nothing. */
export function weighBoolean(search: Search, query: Query): f32 {
  let sum: f32 = 0;
  for (let i: u32 = 0; i < query.childCount; i++) {
    const child = query.child(i);
    const square = squareOf(search, child);
    if (child.occur != MUST_NOT) sum += square;
  }
  return sum * (query.boost * query.boost);
}

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
  m.required = pointerArray(n);
  m.optional = pointerArray(n);
  m.prohibited = pointerArray(n);
  m.added = pointerArray(n);
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
