/** What all shards together know of the terms of a plan. */

/** A term, in how many documents it is, and how often; -1 where that is unknown. */
export interface TermStatistics {
  field: number;
  term: Uint8Array;
  df: number;
  frequency: number;
}
/** A field: the documents of the shards that look for terms of it, and how many terms these have in it; -1 where that is unknown. */
export interface FieldMemoryStats {
  field: number;
  documents: number;
  frequency: number;
}
/** What counts in place of a shard's own statistics (dfs_query_then_fetch). */
export interface Statistics {
  terms: TermStatistics[];
  fields: FieldMemoryStats[];
}
