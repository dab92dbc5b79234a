import { requestAllocZeroed } from '../memory/arena';

/** Most clauses of a boolean. */
export const MAX_CLAUSES: u32 = 1024;

/** A query boolean that carries no coord. */
export const BOOLEAN_NO_COORD: u8 = 1;
/** A required and an optional clause: where both match, the score is multiplied by the tie breaker. */
export const BOOLEAN_BOOSTING: u8 = 2;
/** Flag of a function score: documents that score too little don't match. */
export const FUNCTION_MIN_SCORE: u8 = 4;

/** Flag of a join: the inner query decides by scores which documents match. */
export const JOIN_SCORED: u8 = 1;

/** What the inner query of a join has come to, by the numbers of uids. */
@unmanaged
export class Joined {
  /** Bitset of the numbers that are joined. */
  marks: usize;
  /** Numbers met: a join without any has no weight. */
  found: u32;
  /** f32 each; 0 where no scores are wanted. */
  scores: usize;
  /** u32 each: documents of the inner query; 0 where they don't count. */
  counts: usize;
  /** The scores may be negative, enormous or no numbers. */
  unbounded: bool;
}

/** A term of a query with its occurrence in each segment of the shard. */
@unmanaged
export class QueryTerm {
  ptr: usize;
  length: u32;
  /** Position within its phrase; 0 elsewhere. */
  position: u32;
  /** Boost of a term that has its own, and its field. */
  boost: f32;
  field: u32;
  /** Documents of the shard that hold the term, deleted ones included. */
  df: u32;
  /** Per segment: u32 document frequency, u32 offset of the postings. */
  segments: usize;

  @inline dfIn(segment: u32): u32 {
    return load<u32>(this.segments + ((<usize>segment) << 3));
  }
  @inline postingsIn(segment: u32): u32 {
    return load<u32>(this.segments + ((<usize>segment) << 3), 4);
  }
}

/** One node of a decoded plan. Lives in the request arena. */
@unmanaged
export class Query {
  kind: u8;
  /** Of a clause in its boolean parent. */
  occur: u8;
  /** Kind-specific flags as in the plan. */
  flags: u8;
  /** Where scores count for nothing else, it matches by them, and so by the shard. */
  goesByScores: bool;
  field: u16;
  boost: f32;
  /** Minimum number of optional clauses; 0 none set. */
  minimumShouldMatch: u32;
  slop: u32;
  tieBreaker: f32;
  /** Clauses of a boolean, alternatives of a disjunction maximum, child and filter of the wrapping kinds. */
  children: usize;
  childCount: u32;
  /** Terms: one for a term, all of a phrase in the plan's order. Array of QueryTerm pointers. */
  terms: usize;
  termCount: u32;
  /** Number of positions of a phrase that hold more than one term. */
  stacked: u32;
  /** Bytes of the node in the plan: what identifies it as a filter. */
  start: usize;
  end: usize;
  /** Lower and upper bound of a range, prefix bytes (lower), what all terms of an automaton end with (upper). */
  lower: usize;
  lowerLength: u32;
  upper: usize;
  upperLength: u32;

  /** Multi-term queries: which terms match, what they become, and how many of them. */
  matcher: u8;
  rewrite: u8;
  size: u32;
  /** Address of an Automaton. */
  automaton: usize;
  /** Code points of the word of a fuzzy query. */
  codePoints: u32;
  /** Common and blended terms: what divides rare from frequent terms. */
  cutoff: f32;
  lowOccur: u8;
  highOccur: u8;
  /** u16 minimums by number of clauses; of common terms, those of rare terms, then those of frequent ones. */
  minimums: usize;
  /** Spans: how far before and behind, and the end. */
  pre: u32;
  post: u32;
  /** Function score: array of ScoreFunction pointers. More like this: array of LikeGroup pointers. Kept: by segment (filterCache.ts). */
  parts: usize;
  partCount: u32;
  scoreMode: u8;
  boostMode: u8;
  maxBoost: f32;
  minScore: f32;
  /** Most like this: bounds of document frequencies. */
  leastDf: u32;
  mostDf: u32;
  /** A join: the field of the documents that are joined to. */
  outer: u16;
  /** How many documents of the inner query there must be, and at most; 0 at most: any number. */
  least: u32;
  most: u32;
  /** Where only the best are joined: how many for each hit that is wanted, and how many times as many if that is too few; else 0. */
  factor: u32;
  growth: u32;
  /** Address of the Joined that its inner query has come to; 0 before. */
  joined: usize;
  /** A limit: the first document that it doesn't let through, once that is worked out (precomputed.ts). */
  bound: u32;

  // What statistics.ts and weights.ts work out.
  /** Of another similarity than the default, by norm byte (similarities.ts); 0 where that one scores. */
  lengths: usize;
  /** Its terms as a probabilistic model sees them: TermModels one after the other; 0 for BM25. */
  models: usize;
  modelCount: u32;
  idf: f32;
  /** The norm of the whole query times the boosts around this node. */
  norm: f32;
  /** idf * boost, then multiplied by queryNorm and the outer boosts; the score itself for constant scores. */
  weight: f32;
  /** What a posting's sqrt(freq) is multiplied by. */
  value: f32;

  static make(kind: u8): Query | null {
    const ptr = requestAllocZeroed(offsetof<Query>());
    if (!ptr) return null;
    const node = changetype<Query>(ptr);
    node.kind = kind;
    node.boost = 1;
    return node;
  }

  @inline child(i: u32): Query {
    return changetype<Query>(load<usize>(this.children + <usize>i * sizeof<usize>()));
  }
  @inline term(i: u32): QueryTerm {
    return changetype<QueryTerm>(load<usize>(this.terms + <usize>i * sizeof<usize>()));
  }
}
