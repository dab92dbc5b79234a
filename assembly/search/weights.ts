import { ERR_MEMORY } from '../abi/status';
import { Query, QueryTerm } from '../plan/query';
import { fail } from '../requestStatus';
import { idf, queryNorm } from '../similarity/similarity';
import { Search } from './context';
import { dfsDf, dfsDocs } from './dfsStatistics';
import { FIRST_SCORES, kindOf } from './kind';
import { bm25Idf, boostModels, isBm25, isPlainlySummed, openSimilarity, similarityOf } from './similarities';

// The weights of a query's nodes, as Lucene's createNormalizedWeight works them out: f32, left to right. What a kind of node does by itself is
// in its file; here is what several do.

/** Weighs a node by its boost and its terms; the square of the weight, which becomes part of the norm. */
export type Weigh = (search: Search, query: Query) => f32;

/** Gives a node that has been weighed its weight by the norm of the whole query, and by the boosts around it (`outer`). */
export type Normalize = (search: Search, query: Query, norm: f32, outer: f32) => void;

/** Weights from here on are enormous. */
const ENORMOUS: f32 = 1e20;

/** The square of the weight of a node of any kind; 0 of one that has no score of its own. */
export function squareOf(search: Search, query: Query): f32 {
  const index = kindOf(query.kind).weigh;
  return index ? call_indirect<f32>(index, search, query) : 0;
}

/** Normalizes a node of any kind: what has no weight of its own hands the norm on to what scores below it. */
export function normalize(search: Search, query: Query, norm: f32, outer: f32): void {
  if (!(query.tieBreaker >= 0 && query.tieBreaker < ENORMOUS)) search.unbounded = true;
  const kind = kindOf(query.kind);
  if (kind.normalize) {
    call_indirect<void>(kind.normalize, search, query, norm, outer);
    return;
  }
  const n: u32 = kind.traits & FIRST_SCORES ? 1 : query.childCount;
  const boost = query.boost;
  for (let i: u32 = 0; i < n; i++) normalize(search, query.child(i), norm, outer * boost);
}

/** The query of a query with a filter. */
export function weighFirst(search: Search, query: Query): f32 {
  return squareOf(search, query.child(0)) * query.boost * query.boost;
}

/** What all its documents score the same for. */
export function weighConstant(_search: Search, query: Query): f32 {
  query.weight = query.boost;
  return query.boost * query.boost;
}

export function normalizeConstant(search: Search, query: Query, norm: f32, outer: f32): void {
  query.norm = norm * outer;
  query.weight *= norm * outer;
  query.value = query.weight;
  if (!(query.value >= 0 && query.value < ENORMOUS)) search.unbounded = true;
}

/** The terms of a term or a phrase. */
export function weighTerms(search: Search, query: Query): f32 {
  return squareOfTerms(search, query, query.field, query.terms, query.termCount);
}

/** The square of the weight of a node with these terms of a field, an array of QueryTerm pointers. */
export function squareOfTerms(search: Search, query: Query, field: u32, terms: usize, n: u32): f32 {
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

/** What scores by terms. */
export function normalizeTerms(search: Search, query: Query, norm: f32, outer: f32): void {
  query.norm = query.lengths ? outer : norm * outer;
  if (query.lengths) {
    // Other similarities take no part in the norm of the query; `value` is BM25's k1 until here.
    boostModels(query, query.boost * outer);
    query.weight *= outer;
    query.value = query.weight * (query.value + 1);
    return;
  }
  query.weight *= norm * outer;
  query.value = query.weight * query.idf;
  if (!(query.value >= 0 && query.value < ENORMOUS)) search.unbounded = true;
}

/** Works out the weights of the tree's scoring nodes, and whether they are unbounded; `findTerms` has run. */
export function weigh(search: Search, query: Query): void {
  search.unbounded = false;
  const norm = queryNorm(squareOf(search, query));
  normalize(search, query, isPlainlySummed(search.plan) ? 1 : norm, 1);
}

/** The same for a query that is a search of its own, which knows this shard alone. */
export function weighAlone(search: Search, query: Query): void {
  search.localOnly = true;
  weigh(search, query);
  search.localOnly = false;
}
