/** What a shard is made of, and what is put into it. */

/** A normalization of term frequencies by length; `parameter` is c of h1 and h2 (1), mu of h3 (800), z of z (0.3). */
export interface Normalized {
  normalization: 'no' | 'h1' | 'h2' | 'h3' | 'z';
  parameter?: number;
}

/**
 * A similarity of Lucene 4.10: `TF-IDF` is its default one, `DFR` divergence from randomness, `IB` information-based, `LMDirichlet` and
 * `LMJelinekMercer` language models.
 */
export type Similarity =
  | { type: 'TF-IDF' }
  | { type: 'BM25'; k1?: number; b?: number }
  | ({
      type: 'DFR';
      basicModel: 'be' | 'd' | 'g' | 'if' | 'in' | 'ine' | 'p';
      afterEffect: 'no' | 'b' | 'l';
    } & Normalized)
  | ({ type: 'IB'; distribution: 'll' | 'spl'; lambda: 'df' | 'ttf' } & Normalized)
  | { type: 'LMDirichlet'; mu?: number }
  | { type: 'LMJelinekMercer'; lambda?: number };

/** Text that is cut into terms. */
export interface TextDefinition {
  type: 'text';
  /** The name of an analyzer: one of Elasticsearch 1.7, or one of {@link ShardDefinition.analysis}; `standard` without. */
  analyzer?: string;
  /** Another one for {@link match} and phrases. */
  searchAnalyzer?: string;
  /** What is known of each term: the documents that have it, also how often, also where; `positions` without. */
  index?: 'documents' | 'frequencies' | 'positions';
  /** Whether lengths of fields count in scores; true without. */
  norms?: boolean;
  /** A boost of all values, which norms take in; 1 without. */
  boost?: number;
  /** Positions between the values of one document; 0 without. */
  positionGap?: number;
  /** How it is scored, where that isn't as the shard says. */
  similarity?: Similarity;
}

/** Values that are one term each (`keyword`), or numbers: whole ones of 64 bits (`long`), or fractions (`double`). They can be sorted by. */
export interface ValueDefinition {
  type: 'keyword' | 'long' | 'double';
}

export type FieldDefinition = TextDefinition | ValueDefinition;

/** What a shard is made of. */
export interface ShardDefinition {
  /** The fields by name. */
  fields: Readonly<Record<string, FieldDefinition>>;
  /** Analyzers, tokenizers and filters, as `settings.analysis` of an index in Elasticsearch 1.7. */
  analysis?: object;
  /**
   * How fields are scored, and how clauses are put together: with TF-IDF, Lucene's default, booleans have a coord factor and queries a norm;
   * with any other one they are summed up plainly.
   */
  similarity?: Similarity;
}

/** A value of a field; a whole number may be a bigint. */
export type Value = string | number | bigint;

/** A document: values by the names of their fields. */
export type CoreDocument = Readonly<Record<string, Value | readonly Value[] | null | undefined>>;
