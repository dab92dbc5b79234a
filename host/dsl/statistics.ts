/** What all shards together know of the terms of a plan. */

/** A term, in how many documents it is, and how often; -1 where that is unknown. */
export interface TermStatistics {
  field: number;
  term: Uint8Array;
  df: number;
  frequency: number;
}
/** Numbers of documents, of all and with each term (dfs_query_then_fetch). */
export interface Statistics {
  maxDoc: number;
  terms: TermStatistics[];
  /** Of fields that another similarity than the default scores: how many terms they have, -1 where that is unknown. */
  fields: { field: number; frequency: number }[];
}
