import { normTable } from '../codec/norm';
import { requestAlloc } from '../memory/arena';
import { MODEL_BM25, TermModel } from '../similarity/probability';
import { fieldFrequency, NO_ROOM, termFrequency } from './collection';
import { Search } from './context';
import { SIMILARITY_BYTES } from './decode';
import { Plan } from './plan';
import { dfsFieldFrequency, dfsTermFrequency, NOT_GIVEN } from './dfsStatistics';
import { Query, QueryTerm } from '../plan/query';

// What fields need that another similarity than the default scores: the parameters from the plan, how long a document is by
// its norm byte, and the terms as a probabilistic model sees them.

/** Address of the similarity of a field; 0 for the default. */
export function similarityOf(plan: Plan, field: u32): usize {
  for (let i: u32 = 0; i < plan.similarityCount; i++) {
    const at = plan.similarities + <usize>(i * SIMILARITY_BYTES);
    if (<u32>load<u16>(at) == field) return at;
  }
  return 0;
}

/** Stands for what joins fields. */
const BASE_FIELD: u32 = 0xffff;

/** Whether booleans have no coord, and queries no norm. */
export function isPlainlySummed(plan: Plan): bool {
  return similarityOf(plan, BASE_FIELD) != 0;
}

/** Whether a similarity is BM25, which alone among the others has an idf. */
export function isBm25(similarity: usize): bool {
  return similarity != 0 && load<u8>(similarity, 2) == MODEL_BM25;
}

/** Its first parameter: k1 of BM25. */
export function firstParameter(similarity: usize): f32 {
  return load<f32>(similarity, 6);
}

/** The idf of BM25. */
export function bm25Idf(df: u32, maxDoc: u32): f32 {
  const n = <f64>maxDoc;
  return <f32>Math.log(1 + (n - <f64>df + 0.5) / (<f64>df + 0.5));
}

/** How many terms the documents have in a field, of all shards where the plan says so; -1 where that is unknown. */
function tokensOf(search: Search, field: u32): f64 {
  const given = dfsFieldFrequency(search.plan, field);
  return given == NOT_GIVEN ? fieldFrequency(search.shard, field) : given;
}

/** Where the table of lengths keeps k1 of BM25 (1 for the others: a document without norm), b, and the average length. */
export const WITHOUT_NORM: usize = 256 << 2;
export const LENGTH_B: usize = 257 << 2;
export const LENGTH_AVERAGE: usize = 258 << 2;

/**
 * By norm byte: what BM25 adds to a frequency, or for the other models the document's length. 259 f32 in the arena; 0 without
 * room.
 */
function lengths(similarity: usize, average: f32): usize {
  const out = requestAlloc(259 << 2);
  if (!out) return 0;
  const bm25 = isBm25(similarity);
  const k1 = firstParameter(similarity);
  const b = load<f32>(similarity, 10);
  for (let i: usize = 0; i < 256; i++) {
    const norm = load<f32>(normTable() + (i << 2));
    const length = <f32>1 / (norm * norm);
    store<f32>(out + (i << 2), bm25 ? k1 * (<f32>1 - b + (b * length) / average) : length);
  }
  store<f32>(out + WITHOUT_NORM, bm25 ? k1 : 1);
  store<f32>(out + LENGTH_B, b);
  store<f32>(out + LENGTH_AVERAGE, average);
  return out;
}

/** Prepares a query with these terms of a field, whose boost is settled later; false without room. */
export function openSimilarity(
  search: Search,
  query: Query,
  field: u32,
  maxDoc: u32,
  similarity: usize,
  terms: usize,
  n: u32,
): bool {
  const tokens = tokensOf(search, field);
  if (tokens == NO_ROOM) return false;
  const docs = <f64>maxDoc;
  query.value = firstParameter(similarity);
  if (isBm25(similarity)) {
    query.lengths = lengths(similarity, tokens > 0 ? <f32>(tokens / docs) : 1);
    return query.lengths != 0;
  }
  const average: f32 = tokens > 0 ? <f32>tokens / <f32>docs : 1;
  query.lengths = lengths(similarity, average);
  query.models = requestAlloc(n * offsetof<TermModel>());
  query.modelCount = n;
  if (!query.lengths || !query.models) return false;
  for (let i: u32 = 0; i < n; i++) {
    const term = changetype<QueryTerm>(load<usize>(terms + <usize>i * sizeof<usize>()));
    const model = TermModel.at(query.models, i);
    model.kind = load<u8>(similarity, 2);
    model.basic = load<u8>(similarity, 3);
    model.effect = load<u8>(similarity, 4);
    model.normalization = load<u8>(similarity, 5);
    model.parameter = firstParameter(similarity);
    model.docs = docs;
    model.df = <f64>term.df;
    const given = dfsTermFrequency(search.plan, field, term);
    model.ttf = given == NOT_GIVEN ? termFrequency(search.shard, field, term) : given;
    if (model.ttf == NO_ROOM) return false;
    if (model.ttf < 0) model.ttf = model.df;
    model.tokens = tokens > 0 ? tokens : model.df;
    model.average = average;
  }
  return true;
}

/** The boost of a query, once those around it are known. */
export function boostModels(query: Query, boost: f32): void {
  for (let i: u32 = 0; i < query.modelCount; i++) TermModel.at(query.models, i).boost = boost;
}
