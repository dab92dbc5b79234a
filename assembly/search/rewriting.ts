import { MATCHER_FUZZY, MUST_NOT } from '../abi/plan';
import { ERR_MEMORY, OK } from '../abi/status';
import { requestAlloc } from '../memory/arena';
import { Query, QueryTerm } from '../plan/query';
import { fail, requestStatus } from '../requestStatus';
import { findField, openDictionary } from '../segment/segment';
import { Dictionary } from '../terms/dictionary';
import { Search } from './context';
import { FIRST_SCORES, kindOf } from './kind';
import { TermList } from './termList';
import { TermWalk } from './termWalk';

// Rewrites what depends on the terms of the shard into terms, phrases and booleans, as Lucene's Query.rewrite; and what every rewriting
// needs: the nodes that it makes, and the terms that a matcher accepts.

const dictionary = changetype<Dictionary>(memory.data(offsetof<Dictionary>(), 16));

/** Rewrites a node for the shard; `scoring` is false for what only matches. */
export type Expand = (search: Search, query: Query, scoring: bool) => Query;

/** Rewrites a node of any kind; what is made of it remembers where it stood in the plan. */
export function expand(search: Search, query: Query, scoring: bool): Query {
  if (requestStatus != OK) return query;
  const index = kindOf(query.kind).expand;
  const made = index
    ? call_indirect<Query>(index, search, query, scoring)
    : expandBelow(search, query, scoring);
  if (!made.start) made.start = query.start;
  return made;
}

function expandChild(search: Search, query: Query, i: u32, scoring: bool): void {
  const child = query.child(i);
  const occur = child.occur;
  const made = expand(search, child, scoring);
  made.occur = occur;
  store<usize>(query.children + <usize>i * sizeof<usize>(), changetype<usize>(made));
}

/** Rewrites the children: of a node that scores, those that do. */
export function expandBelow(search: Search, query: Query, scoring: bool): Query {
  const wraps = (kindOf(query.kind).traits & FIRST_SCORES) != 0;
  for (let i: u32 = 0; i < query.childCount && requestStatus == OK; i++)
    expandChild(search, query, i, scoring && (wraps ? !i : query.child(i).occur != MUST_NOT));
  return query;
}

/** Rewrites children of which none scores. */
export function expandFilters(search: Search, query: Query, _scoring: bool): Query {
  return expandBelow(search, query, false);
}

/** A node with room for children. */
export function make(kind: u8, boost: f32, children: u32): Query {
  const made = Query.make(kind);
  const array = requestAlloc(max<u32>(children, 1) * <u32>sizeof<usize>());
  if (made === null || !array) {
    fail(ERR_MEMORY);
    return spare;
  }
  made.boost = boost;
  made.children = array;
  return made;
}

/** Stands for nodes that there was no room for. */
const spare = changetype<Query>(memory.data(offsetof<Query>(), 16));

/** Puts a child behind those that the node has. */
export function addChild(node: Query, child: Query, occur: u8): void {
  if (requestStatus != OK) return;
  child.occur = occur;
  store<usize>(node.children + <usize>node.childCount * sizeof<usize>(), changetype<usize>(child));
  node.childCount++;
}

/** A term, of `kind` term or span term. */
export function termNode(kind: u8, field: u32, boost: f32, term: QueryTerm): Query {
  const node = make(kind, boost, 0);
  node.field = <u16>field;
  node.terms = requestAlloc(<u32>sizeof<usize>());
  if (!node.terms) {
    fail(ERR_MEMORY);
    return node;
  }
  store<usize>(node.terms, changetype<usize>(term));
  node.termCount = 1;
  return node;
}

/** A boolean without a minimum that has a single clause is that clause, the boosts multiplied. */
export function unwrapped(node: Query): Query {
  if (requestStatus != OK || node.childCount != 1 || node.minimumShouldMatch) return node;
  const child = node.child(0);
  if (node.boost != 1) child.boost *= node.boost;
  return child;
}

/** Collects the terms of a multi-term query from all segments. */
export function collect(search: Search, query: Query, limit: u32, keepBest: bool): TermList | null {
  const shard = search.shard;
  const list = TermList.make(limit, keepBest, shard.segmentCount);
  const walk = TermWalk.make(query);
  if (list === null || walk === null) {
    fail(ERR_MEMORY);
    return null;
  }
  const fuzzy = query.matcher == MATCHER_FUZZY;
  for (let s: u32 = 0; s < shard.segmentCount; s++) {
    const seg = shard.segment(s);
    const entry = findField(seg, query.field);
    if (!entry) continue;
    openDictionary(seg, entry, dictionary);
    walk.start(dictionary);
    // A term of the first segment that has any stands behind all those in the list: it must have a higher boost. Of a later segment
    // it may have the same, and stand before them.
    const first = !list.count;
    if (fuzzy && keepBest && list.isFull()) walk.passOverUpTo(list.leastBoost(), false);
    while (walk.next()) {
      const terms = walk.terms;
      if (!fuzzy && keepBest && list.excludes(terms.termPtr, terms.termLength)) {
        // All boosts are alike: those after it are dropped too.
        break;
      }
      if (!list.add(terms.termPtr, terms.termLength, walk.boost, s, terms.df, terms.postingsOffset)) {
        fail(ERR_MEMORY);
        return null;
      }
      if (list.overflow) return list;
      if (fuzzy && keepBest && list.isFull()) walk.passOverUpTo(list.leastBoost(), first);
    }
  }
  return list;
}
