/** Lucene 4.10's DefaultSimilarity: the parts that are worked out once per query. */

/** idf of a term, in f32: ln(maxDoc / (df + 1)) + 1, worked out in double. */
export function idf(df: u32, maxDoc: u32): f32 {
  return <f32>(Math.log(<f64>maxDoc / <f64>(<u64>df + 1)) + 1.0);
}

/** The factor that makes scores of different queries alike; 1 where it would not be a number. */
export function queryNorm(sumOfSquaredWeights: f32): f32 {
  const norm = <f32>(1.0 / Math.sqrt(<f64>sumOfSquaredWeights));
  return isFinite<f32>(norm) ? norm : 1;
}

/** The share of a boolean's clauses that match; 1 where there is a single clause. */
export function coord(overlap: u32, clauses: u32): f32 {
  return clauses == 1 ? 1 : <f32>overlap / <f32>clauses;
}
