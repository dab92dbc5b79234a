import { NODE_CONSTANT, NODE_MULTI_TERM, NODE_RANGE, NODE_TERMS } from '../../abi/plan';
import { MATCH_CONSTANT, MATCH_SET, Matcher } from '../../docset/matcher';
import { setPointer } from '../../memory/pointers';
import { f32Next } from '../../plan/planReader';
import { Query } from '../../plan/query';
import { Compiling } from '../compiling';
import { wrappedNext } from '../decodeNodes';
import { Decoding } from '../decoding';
import { Explanation } from '../explanation';
import { noRoom, pointerArray } from '../matcherArrays';
import { hasNoTerms } from './multiTerm';

// What all score the same for.

export function decodeConstant(d: Decoding, node: Query, depth: u32, scoring: bool): void {
  node.boost = f32Next();
  wrappedNext(d, node, depth, false, scoring);
}

/** `optional` holds the child. */
export function compileConstant(c: Compiling, query: Query, _scoring: bool, _bulk: bool): Matcher | null {
  const inner = query.child(0);
  // What a query was expanded to stands nowhere in the plan.
  const child = c.unscored(inner, query.end != 0);
  if (child === null) return null;
  const m = Matcher.make(MATCH_CONSTANT);
  const array = pointerArray(1);
  if (m === null || !array) return noRoom();
  m.value = query.value;
  m.cost = child.cost;
  m.optional = array;
  m.optionalCount = 1;
  setPointer(array, 0, changetype<usize>(child));
  m.whole = isWhole(c, inner.kind, child);
  return m;
}

/** Lucene rewrites a constant multi-term query without a term in the shard to one of no clauses. Of such a query that stands as it is, too. */
export function explainConstant(e: Explanation, query: Query, scoring: bool): void {
  const inner = query.kind == NODE_CONSTANT ? query.child(0) : query;
  e.constant(query, scoring, inner.kind == NODE_MULTI_TERM && hasNoTerms(e.search, inner));
}

/** Whether Lucene has a bitset of the segment for a node: for filters, and for patterns unless they find next to nothing. */
function isWhole(c: Compiling, kind: u8, compiled: Matcher): bool {
  if (kind >= NODE_TERMS && kind <= NODE_RANGE) return true;
  if (compiled.kind != MATCH_SET) return false;
  return kind != NODE_MULTI_TERM || compiled.cost >= c.segment.docCount / 1000;
}
