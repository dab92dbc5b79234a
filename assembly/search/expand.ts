import {
  CHILD_NONE,
  MATCHER_PREFIX,
  MUST,
  NODE_BLENDED,
  NODE_BOOLEAN,
  NODE_COMMON,
  NODE_CONSTANT,
  NODE_DISMAX,
  NODE_FUNCTION,
  NODE_FUZZY_LIKE_THIS,
  NODE_JOIN,
  NODE_MORE_LIKE_THIS,
  NODE_MULTI_TERM,
  NODE_NONE,
  NODE_PHRASE,
  NODE_PHRASE_PREFIX,
  NODE_SPAN_MULTI,
  NODE_SPAN_OR,
  NODE_SPAN_TERM,
  NODE_TERM,
  REWRITE_AUTO,
  REWRITE_CONSTANT,
  REWRITE_CONSTANT_BOOLEAN,
  REWRITE_TOP,
  REWRITE_TOP_CONSTANT,
  SHOULD,
} from '../abi/plan';
import { ERR_CLAUSES, ERR_LIMIT, ERR_MEMORY, OK } from '../abi/status';
import { requestAlloc } from '../memory/arena';
import { ScoreFunction } from '../docset/functions';
import { FIELD_FREQS, FieldEntry, findField, openDictionary } from '../segment/segment';
import { Dictionary } from '../terms/dictionary';
import { Search } from './context';
import { frequencySum } from './frequencies';
import { expandFuzzyLike } from './fuzzyLikeThis';
import { expandLike } from './moreLikeThis';
import { BOOLEAN_NO_COORD, JOIN_SCORED, MAX_CLAUSES, Query } from '../plan/query';
import { fail, requestStatus } from '../requestStatus';
import { addChild, collect, make, termNode, unwrapped } from './rewriting';
import { findTerm } from './statistics';
import { TermList } from './termList';
import { TermWalk } from './termWalk';

// Rewrites what depends on the terms of the shard into terms, phrases and booleans, as Lucene's Query.rewrite: multi-term
// queries, phrase prefixes, common and blended terms, more like this.

/** Most terms of a span. */
const MAX_SPAN_TERMS: u32 = 16384;

const dictionary = changetype<Dictionary>(memory.data(offsetof<Dictionary>(), 16));

const BLENDED_DISMAX: u8 = 1;
const BLENDED_CUTOFF: u8 = 2;

function isTop(query: Query): bool {
  return query.rewrite == REWRITE_TOP || query.rewrite == REWRITE_TOP_CONSTANT;
}

function expandMultiTerm(search: Search, query: Query): Query {
  if (query.rewrite == REWRITE_AUTO || query.rewrite == REWRITE_CONSTANT) {
    const constant = make(NODE_CONSTANT, query.boost, 1);
    addChild(constant, query, 0);
    return constant;
  }
  const top = isTop(query);
  const limit = top ? min(query.size, MAX_CLAUSES) : MAX_CLAUSES;
  const list = collect(search, query, limit, top);
  if (list === null) return query;
  if (list.overflow && !top) {
    fail(ERR_CLAUSES);
    return query;
  }
  const outer: f32 = query.rewrite == REWRITE_CONSTANT_BOOLEAN ? 1 : query.boost;
  const node = make(NODE_BOOLEAN, 1, list.count);
  node.flags = BOOLEAN_NO_COORD;
  for (let i: u32 = 0; i < list.count && requestStatus == OK; i++) {
    const term = list.term(i);
    const boost = outer * term.boost;
    if (query.rewrite == REWRITE_TOP_CONSTANT) {
      const constant = make(NODE_CONSTANT, boost, 1);
      addChild(constant, termNode(NODE_TERM, query.field, 1, term), 0);
      addChild(node, constant, SHOULD);
    } else {
      addChild(node, termNode(NODE_TERM, query.field, boost, term), SHOULD);
    }
  }
  if (query.rewrite == REWRITE_CONSTANT_BOOLEAN) {
    // It weighs even where there is no such term.
    const constant = make(NODE_CONSTANT, query.boost, 1);
    addChild(constant, list.count ? node : query, 0);
    return constant;
  }
  return unwrapped(node);
}

/** The terms of a span over a multi-term query. */
function expandSpanMulti(search: Search, span: Query): Query {
  const query = span.child(0);
  const top = isTop(query);
  const list = collect(search, query, top ? query.size : MAX_SPAN_TERMS, top);
  if (list === null) return span;
  if (list.overflow && !top) {
    fail(ERR_LIMIT);
    return span;
  }
  const node = make(NODE_SPAN_OR, span.boost, list.count);
  for (let i: u32 = 0; i < list.count && requestStatus == OK; i++)
    addChild(node, termNode(NODE_SPAN_TERM, query.field, 1, list.term(i)), 0);
  return node;
}

/** Terms that start with the prefixes of a phrase's last position; stops between prefixes like 1.7. */
function expandPhrasePrefix(search: Search, query: Query): Query {
  const list = TermList.make(u32.MAX_VALUE, false, search.shard.segmentCount);
  const prefix = Query.make(NODE_MULTI_TERM);
  if (list === null || prefix === null) {
    fail(ERR_MEMORY);
    return query;
  }
  prefix.matcher = MATCHER_PREFIX;
  prefix.field = query.field;
  const walk = TermWalk.make(prefix);
  if (walk === null) {
    fail(ERR_MEMORY);
    return query;
  }
  const most = query.codePoints;
  for (let i = query.size; i < query.termCount && list.count <= most; i++) {
    prefix.lower = query.term(i).ptr;
    prefix.lowerLength = query.term(i).length;
    let done = false;
    for (let s: u32 = 0; s < search.shard.segmentCount && !done; s++) {
      const seg = search.shard.segment(s);
      const entry = findField(seg, query.field);
      if (!entry) continue;
      openDictionary(seg, entry, dictionary);
      walk.start(dictionary);
      while (walk.next()) {
        const terms = walk.terms;
        if (!list.add(terms.termPtr, terms.termLength, 1, s, terms.df, terms.postingsOffset)) {
          fail(ERR_MEMORY);
          return query;
        }
        if (list.count >= most) {
          done = true;
          break;
        }
      }
    }
  }
  if (!list.count) return make(NODE_NONE, 1, 0);
  // What a term has in other segments than those walked counts too.
  for (let i: u32 = 0; i < list.count; i++) {
    if (!findTerm(search.shard, query.field, list.term(i))) {
      fail(ERR_MEMORY);
      return query;
    }
  }
  if (!query.size) {
    const any = make(NODE_BOOLEAN, query.boost, list.count);
    any.flags = BOOLEAN_NO_COORD;
    if (list.count > MAX_CLAUSES) fail(ERR_CLAUSES);
    for (let i: u32 = 0; i < list.count && requestStatus == OK; i++)
      addChild(any, termNode(NODE_TERM, query.field, 1, list.term(i)), SHOULD);
    return unwrapped(any);
  }
  const phrase = make(NODE_PHRASE, query.boost, 0);
  phrase.field = query.field;
  phrase.slop = query.slop;
  phrase.termCount = query.size + list.count;
  phrase.terms = requestAlloc(phrase.termCount << 2);
  if (!phrase.terms) {
    fail(ERR_MEMORY);
    return query;
  }
  memory.copy(phrase.terms, query.terms, query.size << 2);
  const position = query.term(query.size).position;
  for (let i: u32 = 0; i < list.count; i++) {
    list.term(i).position = position;
    store<usize>(phrase.terms + ((<usize>(query.size + i)) << 2), changetype<usize>(list.term(i)));
  }
  phrase.stacked = query.stacked - (query.termCount - query.size > 1 ? 1 : 0) + (list.count > 1 ? 1 : 0);
  return phrase;
}

function isFrequent(search: Search, cutoff: f32, df: u32): bool {
  return (cutoff >= 1 && <f32>df > cutoff) || <i32>df > <i32>ceil<f64>(<f64>(cutoff * <f32>search.maxDoc));
}

function expandCommon(search: Search, query: Query): Query {
  const n = query.termCount;
  if (!n) return make(NODE_BOOLEAN, 1, 0);
  for (let i: u32 = 0; i < n; i++) {
    if (!findTerm(search.shard, query.field, query.term(i))) {
      fail(ERR_MEMORY);
      return query;
    }
  }
  if (n == 1) return termNode(NODE_TERM, query.field, query.boost, query.term(0));
  const low = make(NODE_BOOLEAN, 1, n);
  const high = make(NODE_BOOLEAN, 1, n);
  low.flags = query.flags & BOOLEAN_NO_COORD;
  high.flags = query.flags & BOOLEAN_NO_COORD;
  for (let i: u32 = 0; i < n && requestStatus == OK; i++) {
    const term = query.term(i);
    const node = termNode(NODE_TERM, query.field, 1, term);
    // A term that is nowhere counts as rare.
    if (term.df && isFrequent(search, query.cutoff, term.df)) addChild(high, node, query.highOccur);
    else addChild(low, node, query.lowOccur);
  }
  if (requestStatus != OK) return query;
  if (query.lowOccur == SHOULD && low.childCount)
    low.minimumShouldMatch = <u32>load<u16>(query.minimums + ((<usize>low.childCount) << 1));
  if (query.highOccur == SHOULD && high.childCount)
    high.minimumShouldMatch = <u32>load<u16>(query.minimums + ((<usize>(n + 1 + high.childCount)) << 1));
  if (!low.childCount) {
    if (!high.minimumShouldMatch && query.highOccur != MUST) {
      for (let i: u32 = 0; i < n; i++) high.child(i).occur = MUST;
    }
    high.boost = query.boost;
    return unwrapped(high);
  }
  if (!high.childCount) {
    low.boost = query.boost;
    return unwrapped(low);
  }
  const both = make(NODE_BOOLEAN, query.boost, 2);
  both.flags = BOOLEAN_NO_COORD;
  addChild(both, unwrapped(high), SHOULD);
  addChild(both, unwrapped(low), MUST);
  return both;
}

/**
 * How many documents the terms of a blend may be in: no more than the shard has, and no more than the field with the fewest words
 * has words. Fields without frequencies bound nothing.
 */
function documentsOfBlend(search: Search, query: Query): u32 {
  let fewest = <f64>search.maxDoc;
  for (let i: u32 = 0; i < query.termCount; i++) {
    const field = query.term(i).field;
    let holders: f64 = 0;
    for (let s: u32 = 0; s < search.shard.segmentCount; s++) {
      const entry = findField(search.shard.segment(s), field);
      if (!entry) continue;
      if (!(FieldEntry.flags(entry) & FIELD_FREQS)) return search.maxDoc;
      holders += <f64>FieldEntry.docs(entry);
    }
    // Each of these has a word at least: only then is it worth counting them.
    if (holders >= fewest) continue;
    let words: f64 = 0;
    for (let s: u32 = 0; s < search.shard.segmentCount; s++) {
      const seg = search.shard.segment(s);
      const entry = findField(seg, field);
      const own: f64 = entry ? frequencySum(seg, entry) : 0;
      if (own < 0) fail(ERR_MEMORY);
      words += own;
    }
    fewest = min(fewest, words);
  }
  return <u32>fewest;
}

/** Gives the terms of a blend one document frequency, growing a little from the most frequent to the rarest. */
function blend(search: Search, query: Query): void {
  const n = query.termCount;
  if (n <= 1) return;
  let most: u32 = 0;
  for (let i: u32 = 0; i < n; i++) most = max(most, query.term(i).df);
  if (!most) return;
  const order = requestAlloc(n << 2);
  if (!order) {
    fail(ERR_MEMORY);
    return;
  }
  // Descending by frequency, equal ones in the order of the query.
  for (let i: u32 = 0; i < n; i++) {
    let k = i;
    while (k > 0 && query.term(load<u32>(order + ((<usize>(k - 1)) << 2))).df < query.term(i).df) {
      store<u32>(order + ((<usize>k) << 2), load<u32>(order + ((<usize>(k - 1)) << 2)));
      k--;
    }
    store<u32>(order + ((<usize>k) << 2), i);
  }
  const documents = documentsOfBlend(search, query);
  let df = min(documents, most);
  let previous = query.term(load<u32>(order)).df;
  for (let k: u32 = 0; k < n; k++) {
    const term = query.term(load<u32>(order + ((<usize>k) << 2)));
    if (!term.df) break;
    if (previous > term.df) df++;
    previous = term.df;
    term.df = min(documents, df);
  }
}

function expandBlended(search: Search, query: Query): Query {
  const n = query.termCount;
  const dfs = requestAlloc(n << 2);
  if (!dfs) {
    fail(ERR_MEMORY);
    return query;
  }
  for (let i: u32 = 0; i < n; i++) {
    const term = query.term(i);
    if (!findTerm(search.shard, term.field, term)) {
      fail(ERR_MEMORY);
      return query;
    }
    store<u32>(dfs + ((<usize>i) << 2), term.df);
  }
  blend(search, query);
  const dismax = (query.flags & BLENDED_DISMAX) != 0;
  if (query.flags & BLENDED_CUTOFF) {
    const low = make(NODE_BOOLEAN, 1, n);
    const high = make(NODE_BOOLEAN, 1, n);
    for (let i: u32 = 0; i < n && requestStatus == OK; i++) {
      const term = query.term(i);
      const node = termNode(NODE_TERM, term.field, term.boost, term);
      if (isFrequent(search, query.cutoff, load<u32>(dfs + ((<usize>i) << 2)))) addChild(high, node, SHOULD);
      else addChild(low, node, SHOULD);
    }
    if (requestStatus != OK) return query;
    if (!low.childCount) {
      for (let i: u32 = 0; i < high.childCount; i++) high.child(i).occur = MUST;
      high.boost = query.boost;
      return unwrapped(high);
    }
    if (!high.childCount) {
      low.boost = query.boost;
      return unwrapped(low);
    }
    const both = make(NODE_BOOLEAN, query.boost, 2);
    both.flags = BOOLEAN_NO_COORD;
    addChild(both, unwrapped(high), SHOULD);
    addChild(both, unwrapped(low), MUST);
    return both;
  }
  const node = make(dismax ? NODE_DISMAX : NODE_BOOLEAN, query.boost, n);
  node.tieBreaker = query.tieBreaker;
  if (!dismax) node.flags = BOOLEAN_NO_COORD;
  for (let i: u32 = 0; i < n && requestStatus == OK; i++) {
    const term = query.term(i);
    addChild(node, termNode(NODE_TERM, term.field, term.boost, term), SHOULD);
  }
  return unwrapped(node);
}

/** Rewrites a node; what is made of it remembers where it stood in the plan. */
function expandNode(search: Search, query: Query, scoring: bool): Query {
  const made = rewriteNode(search, query, scoring);
  if (!made.start) made.start = query.start;
  return made;
}

/** Whether the inner query of a join scores. */
export function innerScores(join: Query): bool {
  return join.scoreMode != CHILD_NONE || (join.flags & JOIN_SCORED) != 0;
}

/** `scoring`: the node scores, else its terms stay a set. */
function rewriteNode(search: Search, query: Query, scoring: bool): Query {
  if (requestStatus != OK) return query;
  switch (query.kind) {
    case NODE_MULTI_TERM:
      return scoring || isTop(query) ? expandMultiTerm(search, query) : query;
    case NODE_SPAN_MULTI:
      return expandSpanMulti(search, query);
    case NODE_PHRASE_PREFIX:
      return expandPhrasePrefix(search, query);
    case NODE_COMMON:
      return expandCommon(search, query);
    case NODE_BLENDED:
      return expandBlended(search, query);
    case NODE_MORE_LIKE_THIS:
      return expandLike(search, query);
    case NODE_FUZZY_LIKE_THIS:
      return expandFuzzyLike(search, query);
  }
  for (let i: u32 = 0; i < query.childCount && requestStatus == OK; i++) {
    const child = query.child(i);
    const inner =
      (query.kind == NODE_JOIN ? innerScores(query) : scoring) &&
      query.kind != NODE_CONSTANT &&
      !(query.kind == NODE_BOOLEAN && child.occur > SHOULD) &&
      !(query.kind != NODE_BOOLEAN && query.kind != NODE_DISMAX && i > 0);
    const occur = child.occur;
    const made = expandNode(search, child, inner);
    made.occur = occur;
    store<usize>(query.children + <usize>i * sizeof<usize>(), changetype<usize>(made));
  }
  if (query.kind == NODE_FUNCTION) {
    for (let i: u32 = 0; i < query.partCount && requestStatus == OK; i++) {
      const f = changetype<ScoreFunction>(load<usize>(query.parts + <usize>i * sizeof<usize>()));
      if (f.filterQuery)
        f.filterQuery = changetype<usize>(expandNode(search, changetype<Query>(f.filterQuery), false));
    }
  }
  return query;
}

/** Rewrites `query` for the shard; `scoring` is false for what only matches. */
export function expand(search: Search, query: Query, scoring: bool): Query {
  return expandNode(search, query, scoring);
}
