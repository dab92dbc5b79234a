import {
  CHILD_NONE,
  MUST_NOT,
  NODE_ALL,
  NODE_BOOLEAN,
  NODE_CONSTANT,
  NODE_DISMAX,
  NODE_FILTERED,
  NODE_FUNCTION,
  NODE_JOIN,
  NODE_NESTED,
  NODE_PHRASE,
  NODE_SPAN_FIRST,
  NODE_SPAN_MASK,
  NODE_SPAN_NEAR,
  NODE_SPAN_NOT,
  NODE_SPAN_OR,
  NODE_SPAN_TERM,
  NODE_TERM,
} from '../abi/plan';
import { ERR_MEMORY } from '../abi/status';
import { requestAlloc, requestAllocZeroed } from '../memory/arena';
import { ScoreFunction } from '../docset/functions';
import { findField, openDictionary } from '../segment/segment';
import { Shard } from '../segment/shards';
import { idf, queryNorm } from '../similarity/similarity';
import { compareBytes } from '../terms/bytes';
import { Dictionary, foundDf, foundPostings, lookupTerm } from '../terms/dictionary';
import { spend } from '../workLimit';
import { Search } from './context';
import { dfsDf, dfsDocs } from './dfsStatistics';
import { Joined, Query, QueryTerm } from '../plan/query';
import { fail } from '../requestStatus';
import { bm25Idf, boostModels, isBm25, isPlainlySummed, openSimilarity, similarityOf } from './similarities';

// What a query needs to know of the whole shard before any document is looked at: each term's document frequency, and from
// these the weights, as Lucene's createNormalizedWeight works them out: f32, left to right.

const dictionary = changetype<Dictionary>(memory.data(offsetof<Dictionary>(), 16));

/** Weights from here on are enormous. */
const ENORMOUS: f32 = 1e20;

/** Looks a term up in every segment; false without room. */
export function findTerm(shard: Shard, field: u32, term: QueryTerm): bool {
  const n = shard.segmentCount;
  if (!term.segments) term.segments = requestAlloc(n << 3);
  if (!term.segments) return false;
  let total: u32 = 0;
  spend(n << 3);
  for (let i: u32 = 0; i < n; i++) {
    const seg = shard.segment(i);
    const entry = findField(seg, field);
    const at = term.segments + ((<usize>i) << 3);
    store<u64>(at, 0);
    if (!entry) continue;
    openDictionary(seg, entry, dictionary);
    if (!lookupTerm(dictionary, term.ptr, term.length)) continue;
    store<u32>(at, foundDf);
    store<u32>(at, foundPostings, 4);
    total += foundDf;
  }
  term.df = total;
  return true;
}

/** Term number `i` of those that were gathered. */
export function gathered(search: Search, i: u32): QueryTerm {
  return changetype<QueryTerm>(load<usize>(search.terms + ((<usize>i) << 2)));
}

function gather(search: Search, term: QueryTerm): bool {
  const n = search.termCount;
  if (n == search.termRoom) {
    const room = max<u32>(16, n << 1);
    const grown = requestAlloc(room << 2);
    if (!grown) return false;
    memory.copy(grown, search.terms, n << 2);
    search.terms = grown;
    search.termRoom = room;
  }
  store<usize>(search.terms + ((<usize>n) << 2), changetype<usize>(term));
  search.termCount = n + 1;
  return true;
}

/** Gathers the terms that a rewritten query scores by, as Lucene's extractTerms; false without room. */
export function gatherTerms(search: Search, query: Query): bool {
  // The inner query of a join is a search of its own, which knows this shard alone.
  if (query.kind == NODE_JOIN) return true;
  if (query.kind == NODE_TERM || query.kind == NODE_PHRASE || query.kind == NODE_SPAN_TERM) {
    for (let i: u32 = 0; i < query.termCount; i++) {
      query.term(i).field = query.field;
      if (!gather(search, query.term(i))) return false;
    }
  }
  // Behind the first child of these stand filters.
  const wraps = query.kind == NODE_FILTERED || query.kind == NODE_NESTED;
  const n: u32 = wraps ? 1 : query.childCount;
  for (let i: u32 = 0; i < n; i++) {
    const child = query.child(i);
    if (query.kind == NODE_BOOLEAN && child.occur == MUST_NOT) continue;
    if (!gatherTerms(search, child)) return false;
  }
  return true;
}

/** Looks up every scored or matched term of the tree that hasn't been; false without room. */
export function findTerms(shard: Shard, query: Query): bool {
  if (query.kind == NODE_TERM || query.kind == NODE_PHRASE || query.kind == NODE_SPAN_TERM) {
    for (let i: u32 = 0; i < query.termCount; i++) {
      const term = query.term(i);
      if (!term.segments && !findTerm(shard, query.field, term)) return false;
    }
  }
  if (query.kind == NODE_FUNCTION) {
    for (let i: u32 = 0; i < query.partCount; i++) {
      const f = changetype<ScoreFunction>(load<usize>(query.parts + <usize>i * sizeof<usize>()));
      if (f.filterQuery && !findTerms(shard, changetype<Query>(f.filterQuery))) return false;
    }
  }
  for (let i: u32 = 0; i < query.childCount; i++) if (!findTerms(shard, query.child(i))) return false;
  return true;
}

/** Terms of a span query, each once, by field and bytes: array of QueryTerm pointers, and their number. */
@unmanaged
class SpanTerms {
  terms: usize;
  count: u32;
}

function gatherSpanTerms(list: SpanTerms, query: Query): void {
  if (query.kind == NODE_SPAN_TERM) {
    const term = query.term(0);
    term.field = query.field;
    const spanTerms = list.terms;
    let k = list.count;
    while (k > 0) {
      const other = changetype<QueryTerm>(load<usize>(spanTerms + ((<usize>(k - 1)) << 2)));
      const order =
        other.field != term.field
          ? <i32>other.field - <i32>term.field
          : compareBytes(other.ptr, other.length, term.ptr, term.length);
      if (order < 0) break;
      if (order == 0) return;
      k--;
    }
    const slot = spanTerms + ((<usize>k) << 2);
    memory.copy(slot + 4, slot, (<usize>(list.count - k)) << 2);
    store<usize>(slot, changetype<usize>(term));
    list.count++;
    return;
  }
  // What is excluded doesn't count.
  const n: u32 = query.kind == NODE_SPAN_NOT ? 1 : query.childCount;
  for (let i: u32 = 0; i < n; i++) gatherSpanTerms(list, query.child(i));
}

function countSpanTerms(query: Query): u32 {
  if (query.kind == NODE_SPAN_TERM) return 1;
  let n: u32 = 0;
  for (let i: u32 = 0; i < query.childCount; i++) n += countSpanTerms(query.child(i));
  return n;
}

/** The terms of a span query; null without room. */
function spanTermsOf(query: Query): SpanTerms | null {
  const at = requestAllocZeroed(offsetof<SpanTerms>());
  const terms = requestAlloc(countSpanTerms(query) << 2);
  if (!at || !terms) return null;
  const list = changetype<SpanTerms>(at);
  list.terms = terms;
  gatherSpanTerms(list, query);
  return list;
}

/** The field whose norms a span query's score goes by. */
export function spanField(query: Query): u32 {
  let q = query;
  while (q.kind != NODE_SPAN_TERM && q.kind != NODE_SPAN_MASK && q.childCount) q = q.child(0);
  return q.field;
}

/** The square of the weight of a query with these terms of a field, an array of QueryTerm pointers. */
function leafSquare(search: Search, query: Query, field: u32, terms: usize, n: u32): f32 {
  const similarity = similarityOf(search.plan, field);
  let maxDoc = search.maxDoc;
  if (!search.localOnly) {
    // What rewriting has put in place of a term's own frequency counts for nothing where those of all shards are known.
    maxDoc = dfsDocs(search.plan, field, maxDoc);
    for (let i: u32 = 0; i < n; i++) {
      const term = changetype<QueryTerm>(load<usize>(terms + ((<usize>i) << 2)));
      term.df = dfsDf(search.plan, field, term, term.df);
    }
  }
  if (similarity && !openSimilarity(search, query, field, maxDoc, similarity, terms, n)) {
    fail(ERR_MEMORY);
    return 0;
  }
  if (query.modelCount) {
    const square = query.boost * query.boost;
    let sum: f32 = 0;
    for (let i: u32 = 0; i < n; i++) sum += square;
    return sum / <f32>n;
  }
  const bm25 = isBm25(similarity);
  let sum: f32 = 0;
  for (let i: u32 = 0; i < n; i++) {
    const df = changetype<QueryTerm>(load<usize>(terms + ((<usize>i) << 2))).df;
    sum += bm25 ? bm25Idf(df, maxDoc) : idf(df, maxDoc);
  }
  query.idf = sum;
  query.weight = sum * query.boost;
  return query.weight * query.weight;
}

function sumOfSquares(search: Search, query: Query): f32 {
  const boost = query.boost;
  switch (query.kind) {
    case NODE_TERM:
    case NODE_PHRASE:
      return leafSquare(search, query, query.field, query.terms, query.termCount);
    case NODE_BOOLEAN: {
      let sum: f32 = 0;
      for (let i: u32 = 0; i < query.childCount; i++) {
        const child = query.child(i);
        const square = sumOfSquares(search, child);
        if (child.occur != MUST_NOT) sum += square;
      }
      return sum * (boost * boost);
    }
    case NODE_FILTERED:
    case NODE_NESTED:
      return sumOfSquares(search, query.child(0)) * boost * boost;
    case NODE_DISMAX: {
      let best: f32 = 0;
      let sum: f32 = 0;
      for (let i: u32 = 0; i < query.childCount; i++) {
        const square = sumOfSquares(search, query.child(i));
        sum += square;
        if (square > best) best = square;
      }
      const tie = query.tieBreaker;
      return ((sum - best) * tie * tie + best) * boost * boost;
    }
    case NODE_CONSTANT:
    case NODE_ALL:
      query.weight = boost;
      return boost * boost;
    case NODE_JOIN: {
      if (!query.joined || !changetype<Joined>(query.joined).found) return 0;
      query.weight = boost;
      if (query.scoreMode == CHILD_NONE) return boost * boost;
      const around = search.localOnly;
      search.localOnly = true;
      const inner = sumOfSquares(search, query.child(0));
      search.localOnly = around;
      return inner * (boost * boost);
    }
    case NODE_FUNCTION:
      return sumOfSquares(search, query.child(0)) * (boost * boost);
    case NODE_SPAN_TERM:
    case NODE_SPAN_NEAR:
    case NODE_SPAN_OR:
    case NODE_SPAN_NOT:
    case NODE_SPAN_FIRST: {
      // Lucene's weight of spans without a field, and so without statistics.
      if (query.kind == NODE_SPAN_OR && !query.childCount) return 1;
      const list = spanTermsOf(query);
      if (list === null) {
        fail(ERR_MEMORY);
        return 0;
      }
      return leafSquare(search, query, spanField(query), list.terms, list.count);
    }
    case NODE_SPAN_MASK:
      return sumOfSquares(search, query.child(0));
    default:
      return 0;
  }
}

function normalize(search: Search, query: Query, norm: f32, outer: f32): void {
  const boost = query.boost;
  if (!(query.tieBreaker >= 0 && query.tieBreaker < ENORMOUS)) search.unbounded = true;
  switch (query.kind) {
    case NODE_TERM:
    case NODE_PHRASE:
    case NODE_SPAN_TERM:
    case NODE_SPAN_NEAR:
    case NODE_SPAN_OR:
    case NODE_SPAN_NOT:
    case NODE_SPAN_FIRST:
      query.norm = query.lengths ? outer : norm * outer;
      if (query.lengths) {
        // Other similarities take no part in the norm of the query; `value` is BM25's k1 until here.
        boostModels(query, boost * outer);
        query.weight *= outer;
        query.value = query.weight * (query.value + 1);
        return;
      }
      query.weight *= norm * outer;
      query.value = query.weight * query.idf;
      if (!(query.value >= 0 && query.value < ENORMOUS)) search.unbounded = true;
      return;
    case NODE_CONSTANT:
    case NODE_ALL:
      query.norm = norm * outer;
      query.weight *= norm * outer;
      query.value = query.weight;
      if (!(query.value >= 0 && query.value < ENORMOUS)) search.unbounded = true;
      return;
    case NODE_JOIN:
      // Scores of the inner query stay as they are.
      query.norm = norm * outer;
      query.weight *= norm * outer;
      query.value = query.weight;
      if (!(query.value >= 0 && query.value < ENORMOUS)) search.unbounded = true;
      if (query.joined && changetype<Joined>(query.joined).unbounded) search.unbounded = true;
      return;
    case NODE_SPAN_MASK:
      normalize(search, query.child(0), norm, outer);
      return;
    case NODE_FILTERED:
    case NODE_FUNCTION:
    case NODE_NESTED:
      normalize(search, query.child(0), norm, outer * boost);
      return;
    default:
      for (let i: u32 = 0; i < query.childCount; i++) normalize(search, query.child(i), norm, outer * boost);
  }
}

/** Works out the weights of the tree's scoring nodes, and whether they are unbounded; `findTerms` has run. */
export function weigh(search: Search, query: Query): void {
  search.unbounded = false;
  const norm = queryNorm(sumOfSquares(search, query));
  normalize(search, query, isPlainlySummed(search.plan) ? 1 : norm, 1);
}

/** The same for a query that is a search of its own, which knows this shard alone. */
export function weighAlone(search: Search, query: Query): void {
  search.localOnly = true;
  weigh(search, query);
  search.localOnly = false;
}
