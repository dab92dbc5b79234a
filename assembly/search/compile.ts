import {
  NODE_ALL,
  NODE_BOOLEAN,
  NODE_CONSTANT,
  NODE_DISMAX,
  NODE_FILTERED,
  NODE_FUNCTION,
  NODE_JOIN,
  NODE_KEPT,
  NODE_LIMIT,
  NODE_MULTI_TERM,
  NODE_NESTED,
  NODE_NONE,
  NODE_PARTS,
  NODE_PHRASE,
  NODE_RANGE,
  NODE_SPAN_FIRST,
  NODE_SPAN_MASK,
  NODE_SPAN_NEAR,
  NODE_SPAN_NOT,
  NODE_SPAN_OR,
  NODE_SPAN_TERM,
  NODE_TERM,
  NODE_TERMS,
} from '../abi/plan';
import { OK } from '../abi/status';
import {
  MATCH_ALL,
  MATCH_CONSTANT,
  MATCH_FILTERED,
  MATCH_SET,
  MATCH_SIMILARITY,
  MATCH_SPAN,
  Matcher,
} from '../docset/matcher';
import { Positional } from '../docset/positional';
import { setPointer } from '../memory/pointers';
import { FieldEntry, findField, Segment } from '../segment/segment';
import { spend } from '../workLimit';
import { compileBoolean, compileDismax } from './compileBoolean';
import { compileFunction } from './compileFunctions';
import { compileJoin, compileLimit, compileNested, compileParts } from './compileJoins';
import { compileSet, compileTermFilter, keepMatches, keepsWhole, keptMatcher } from './compileSets';
import { compileSpans } from './compileSpans';
import { compilePhrase, compileTerm } from './compileTerms';
import { Compiling, noRoom, pointers } from './compiling';
import { isRepeated, keptOf } from './filterCache';
import { Query } from '../plan/query';
import { requestStatus } from '../requestStatus';
import { Search } from './context';
import { spanField } from './statistics';

// Compiles a query for one segment. Null where nothing in the segment can match, which the parent takes into account
// as Lucene's weights do with a null scorer: a boolean loses the clause, and what is left may become a conjunction.

/** Constant scores and filtered queries: `optional` holds the child, `required` the filter. */
function compileWrapped(c: Compiling, query: Query, scoring: bool): Matcher | null {
  const filtered = query.kind == NODE_FILTERED;
  const inner = query.child(0);
  let filter: Matcher | null = null;
  let child: Matcher | null;
  if (filtered && c.search.plan.tested) {
    filter = c.filter(query.child(1));
    if (filter === null) return null;
    child = c.within(inner, filter, scoring);
  } else if (filtered) {
    child = c.child(inner, scoring, false);
  } else {
    // What a query was expanded to stands nowhere in the plan.
    child = c.unscored(inner, query.end != 0);
  }
  if (child === null) return null;
  const m = Matcher.make(filtered ? MATCH_FILTERED : MATCH_CONSTANT);
  const array = pointers(2);
  if (m === null || !array) return noRoom();
  m.value = query.value;
  m.cost = child.cost;
  m.optional = array;
  m.optionalCount = 1;
  setPointer(array, 0, changetype<usize>(child));
  m.whole = !filtered && isWhole(c, inner.kind, child);
  if (filtered) {
    if (filter === null) filter = c.filter(query.child(1));
    if (filter === null) return null;
    if (filter.exact && filter.cost == c.segment.docCount) return child;
    m.required = array + sizeof<usize>();
    m.requiredCount = 1;
    setPointer(array, 1, changetype<usize>(filter));
    m.cost = min(m.cost, filter.cost);
  }
  return m;
}

/** Whether Lucene has a bitset of the segment for a node: for filters, and for patterns unless they find next to nothing. */
function isWhole(c: Compiling, kind: u8, compiled: Matcher): bool {
  if (kind >= NODE_TERMS && kind <= NODE_RANGE) return true;
  if (compiled.kind != MATCH_SET) return false;
  return kind != NODE_MULTI_TERM || compiled.cost >= c.segment.docCount / 1000;
}

function compileSpan(c: Compiling, outer: Query, scoring: bool): Matcher | null {
  let query = outer;
  while (query.kind == NODE_SPAN_MASK) query = query.child(0);
  const compiled = compileSpans(c, query);
  if (compiled === null) return null;
  const m = Matcher.make(MATCH_SPAN);
  const array = pointers(1);
  const entry = findField(c.segment, spanField(query));
  const norms = scoring && entry ? FieldEntry.norms(c.segment, entry) : 0;
  const score = Positional.ofSpans(compiled.spans, query.value, norms);
  if (m === null || !array || score === null) return noRoom();
  setPointer(array, 0, changetype<usize>(compiled.documents));
  m.optional = array;
  m.optionalCount = 1;
  m.spans = compiled.spans;
  m.value = query.value;
  m.positional = score;
  m.cost = compiled.documents.cost;
  return m;
}

/** A term, phrase or span that another similarity than the default scores. */
function compileSimilarity(c: Compiling, query: Query, inner: Matcher | null, field: u32): Matcher | null {
  if (inner === null) return null;
  const m = Matcher.make(MATCH_SIMILARITY);
  const array = pointers(1);
  if (m === null || !array) return noRoom();
  const entry = findField(c.segment, field);
  setPointer(array, 0, changetype<usize>(inner));
  m.optional = array;
  m.optionalCount = 1;
  m.cost = inner.cost;
  m.value = query.value;
  m.lengths = query.lengths;
  m.models = query.models;
  m.modelCount = query.modelCount;
  m.norms = entry ? FieldEntry.norms(c.segment, entry) : 0;
  return m;
}

/** A filter that comes again is kept as a set, and found again as such. */
function compile(c: Compiling, query: Query, scoring: bool, bulk: bool): Matcher | null {
  if (!keepsWhole(c, query)) return compileNode(c, query, scoring, bulk);
  const known = keptOf(c.segment, query);
  if (known) return keptMatcher(c, known);
  const repeated = isRepeated(c.segment, query);
  const m = compileNode(c, query, false, false);
  return repeated && requestStatus == OK ? keepMatches(c, query, m) : m;
}

function compileNode(c: Compiling, query: Query, scoring: bool, bulk: bool): Matcher | null {
  spend(16);
  switch (query.kind) {
    case NODE_NONE:
      return null;
    case NODE_ALL: {
      const m = Matcher.make(MATCH_ALL);
      if (m === null) return noRoom();
      m.value = query.value;
      m.cost = c.segment.docCount;
      return m;
    }
    case NODE_TERM:
      // What was expanded has no bytes in the plan that it would be known by.
      if (c.filterDepth && query.end) return compileTermFilter(c, query);
      if (scoring && query.lengths)
        return compileSimilarity(c, query, compileTerm(c, query, false), query.field);
      return compileTerm(c, query, scoring);
    case NODE_BOOLEAN:
      return compileBoolean(c, query, scoring, bulk);
    case NODE_CONSTANT:
    case NODE_FILTERED:
      return compileWrapped(c, query, scoring);
    case NODE_PHRASE:
      if (scoring && query.lengths)
        return compileSimilarity(c, query, compilePhrase(c, query, false), query.field);
      return compilePhrase(c, query, scoring);
    case NODE_NESTED:
      return compileNested(c, query, scoring);
    case NODE_PARTS:
      return compileParts(c, query);
    case NODE_DISMAX:
      return compileDismax(c, query, scoring);
    case NODE_LIMIT:
      return compileLimit(c, query);
    case NODE_JOIN:
      return compileJoin(c, query, scoring);
    case NODE_FUNCTION:
      return compileFunction(c, query, scoring);
    case NODE_SPAN_TERM:
    case NODE_SPAN_NEAR:
    case NODE_SPAN_OR:
    case NODE_SPAN_NOT:
    case NODE_SPAN_FIRST:
    case NODE_SPAN_MASK:
      if (scoring && query.lengths)
        return compileSimilarity(c, query, compileSpan(c, query, false), spanField(query));
      return compileSpan(c, query, scoring);
    case NODE_KEPT:
      return keptMatcher(c, load<usize>(query.parts + ((<usize>c.ordinal) << 2)));
    default:
      return compileSet(c, query);
  }
}

/**
 * Compiles `query` for segment number `index` of the shard. Of others than the `visible` documents (0: all) it may say anything.
 * `bulk` allows a boolean of optional clauses on top to be summed clause by clause. Null where nothing matches, or where the request fails.
 */
export function compileQuery(
  search: Search,
  seg: Segment,
  index: u32,
  visible: usize,
  query: Query,
  scoring: bool,
  bulk: bool,
): Matcher | null {
  const c = Compiling.make(search, seg, index, visible, compile);
  return c === null ? null : compile(c, query, scoring, bulk);
}

/** The same of a filter: what is met again is kept for the next search. */
export function compileFiltering(
  search: Search,
  seg: Segment,
  index: u32,
  visible: usize,
  query: Query,
): Matcher | null {
  const c = Compiling.make(search, seg, index, visible, compile);
  return c === null ? null : c.filter(query);
}
