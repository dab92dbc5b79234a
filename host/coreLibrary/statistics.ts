/** What scores go by: how many documents have a term, and how often it occurs; of one shard, or of several together. */

/** A term as a shard knows it. */
export interface TermCounts {
  field: string;
  term: string;
  /** Documents that have it, deleted ones too until their segment is merged. */
  documents: number;
  /** How often it occurs in them; -1 where that is unknown, as it is of fields that are scored by TF-IDF. */
  occurrences: number;
}

/** A field as a shard knows it: the documents that are counted, and all occurrences of its terms. */
export interface FieldCounts {
  field: string;
  documents: number;
  /** -1 where that is unknown. */
  occurrences: number;
}

/** What a plan is scored by. */
export interface ScoringStatistics {
  terms: readonly TermCounts[];
  fields: readonly FieldCounts[];
}

/**
 * The statistics of several shards together, for the plans of each: {@link Shard.statistics} gives those of one. Searched with these, shards
 * score as one shard with all documents does.
 */
export function sumStatistics(parts: readonly ScoringStatistics[]): ScoringStatistics {
  const terms = new Map<string, TermCounts>();
  const fields = new Map<string, FieldCounts>();
  for (const part of parts) {
    for (const each of part.terms) add(terms, JSON.stringify([each.field, each.term]), each);
    for (const each of part.fields) add(fields, each.field, each);
  }
  return { terms: [...terms.values()], fields: [...fields.values()] };
}

function add<C extends { documents: number; occurrences: number }>(
  sums: Map<string, C>,
  key: string,
  more: C,
): void {
  const sum = sums.get(key);
  if (sum === undefined) {
    sums.set(key, { ...more });
    return;
  }
  sum.documents += more.documents;
  sum.occurrences = sum.occurrences < 0 || more.occurrences < 0 ? -1 : sum.occurrences + more.occurrences;
}
