import { requestAlloc } from '../memory/arena';
import { idf, queryNorm } from '../score/similarity';
import { findField, openDictionary } from '../segment/segment';
import { Shard } from '../segment/shards';
import { Dictionary, foundDf, foundPostings, lookupTerm } from '../terms/dictionary';
import {
  MUST_NOT,
  NODE_ALL,
  NODE_BOOLEAN,
  NODE_CONSTANT,
  NODE_DISMAX,
  NODE_FILTERED,
  NODE_PHRASE,
  NODE_TERM,
  Query,
  QueryTerm,
} from './query';

// What a query needs to know of the whole shard before any document is looked at: each term's document frequency, and from
// these the weights, as Lucene's createNormalizedWeight works them out: f32, left to right.

const dictionary = changetype<Dictionary>(memory.data(offsetof<Dictionary>(), 16));

/** A weight is negative, enormous or no number: bounds don't hold, nothing may be skipped. */
export let unboundedWeights: bool = false;
/** Weights from here on are enormous. */
const ENORMOUS: f32 = 1e20;

/** Looks a term up in every segment; false without room. */
function findTerm(shard: Shard, field: u32, term: QueryTerm): bool {
  const n = shard.segmentCount;
  term.segments = requestAlloc(n << 3);
  if (!term.segments) return false;
  let total: u32 = 0;
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

/** Looks up every scored or matched term of the tree; false without room. */
export function findTerms(shard: Shard, query: Query): bool {
  if (query.kind == NODE_TERM || query.kind == NODE_PHRASE) {
    for (let i: u32 = 0; i < query.termCount; i++) {
      if (!findTerm(shard, query.field, query.term(i))) return false;
    }
  }
  for (let i: u32 = 0; i < query.childCount; i++) {
    if (!findTerms(shard, query.child(i))) return false;
  }
  return true;
}

function sumOfSquares(query: Query, maxDoc: u32): f32 {
  const boost = query.boost;
  switch (query.kind) {
    case NODE_TERM:
    case NODE_PHRASE: {
      let sum: f32 = 0;
      for (let i: u32 = 0; i < query.termCount; i++) sum += idf(query.term(i).df, maxDoc);
      query.idf = sum;
      query.weight = sum * boost;
      return query.weight * query.weight;
    }
    case NODE_BOOLEAN: {
      let sum: f32 = 0;
      for (let i: u32 = 0; i < query.childCount; i++) {
        const child = query.child(i);
        const square = sumOfSquares(child, maxDoc);
        if (child.occur != MUST_NOT) sum += square;
      }
      return sum * (boost * boost);
    }
    case NODE_FILTERED:
      return sumOfSquares(query.child(0), maxDoc) * boost * boost;
    case NODE_DISMAX: {
      let best: f32 = 0;
      let sum: f32 = 0;
      for (let i: u32 = 0; i < query.childCount; i++) {
        const square = sumOfSquares(query.child(i), maxDoc);
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
    default:
      return 0;
  }
}

function normalize(query: Query, norm: f32, outer: f32): void {
  const boost = query.boost;
  if (!(query.tieBreaker >= 0 && query.tieBreaker < ENORMOUS)) unboundedWeights = true;
  switch (query.kind) {
    case NODE_TERM:
    case NODE_PHRASE:
      query.weight *= norm * outer;
      query.value = query.weight * query.idf;
      if (!(query.value >= 0 && query.value < ENORMOUS)) unboundedWeights = true;
      return;
    case NODE_CONSTANT:
    case NODE_ALL:
      query.weight *= norm * outer;
      query.value = query.weight;
      if (!(query.value >= 0 && query.value < ENORMOUS)) unboundedWeights = true;
      return;
    case NODE_FILTERED:
      normalize(query.child(0), norm, outer * boost);
      return;
    default:
      for (let i: u32 = 0; i < query.childCount; i++) normalize(query.child(i), norm, outer * boost);
  }
}

/** Works out the weights of the tree's scoring nodes; `findTerms` has run. `maxDoc` counts deleted documents too. */
export function weigh(query: Query, maxDoc: u32): void {
  unboundedWeights = false;
  normalize(query, queryNorm(sumOfSquares(query, maxDoc)), 1);
}
