import { MATCH_FILTERED, Matcher } from '../../docset/matcher';
import { setPointer } from '../../memory/pointers';
import { f32Next } from '../../plan/planReader';
import { Query } from '../../plan/query';
import { Compiling } from '../compiling';
import { wrappedNext } from '../decodeNodes';
import { Decoding } from '../decoding';
import { Explanation } from '../explanation';
import { noRoom, pointerArray } from '../matcherArrays';

// A query among the documents that a filter lets through.

export function decodeFiltered(d: Decoding, node: Query, depth: u32, scoring: bool): void {
  node.boost = f32Next();
  wrappedNext(d, node, depth, true, scoring);
}

/** `optional` holds the child, `required` the filter. */
export function compileFiltered(c: Compiling, query: Query, scoring: bool, _bulk: bool): Matcher | null {
  const tested = c.search.plan.tested;
  let filter: Matcher | null = null;
  let child: Matcher | null;
  if (tested) {
    filter = c.filter(query.child(1));
    if (filter === null) return null;
    child = c.within(query.child(0), filter, scoring);
  } else {
    child = c.child(query.child(0), scoring, false);
  }
  if (child === null) return null;
  const m = Matcher.make(MATCH_FILTERED);
  const array = pointerArray(2);
  if (m === null || !array) return noRoom();
  m.value = query.value;
  m.optional = array;
  m.optionalCount = 1;
  setPointer(array, 0, changetype<usize>(child));
  if (filter === null) filter = c.filter(query.child(1));
  if (filter === null) return null;
  if (filter.exact && filter.cost == c.segment.docCount) return child;
  m.required = array + sizeof<usize>();
  m.requiredCount = 1;
  setPointer(array, 1, changetype<usize>(filter));
  m.cost = min(child.cost, filter.cost);
  return m;
}

export function explainFiltered(e: Explanation, query: Query, scoring: bool): void {
  if (!e.head(query, scoring, query.flags, false)) return;
  e.node(query.child(0), scoring);
  e.node(query.child(1), false);
}
