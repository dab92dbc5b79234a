/**
 * What documents are looked for and scored by: Lucene's queries as plain objects, and a function that makes each. Fields are named; what
 * they are to the core, a shard finds out when it makes a plan ({@link nodes.ts}).
 */
import type { Value } from './definitions.js';

/** A factor of the scores, a 32-bit float; 1 without. */
interface Scored {
  boost?: number | undefined;
}

/** What a query for many terms becomes. */
export interface ManyTerms extends Scored {
  /**
   * `constant`: every document with one of the terms scores alike. `scoring`: a boolean of the terms; more than 1,024 are refused. `top`:
   * the same of the `size` terms of the highest boost (50), then the first; `topConstant`: with the boosts of the terms as their scores.
   */
  rewrite?: 'constant' | 'scoring' | 'top' | 'topConstant' | undefined;
  size?: number | undefined;
}

/** The bounds of a range; one that isn't given is open. */
export interface Bounds {
  gt?: Value | undefined;
  gte?: Value | undefined;
  lt?: Value | undefined;
  lte?: Value | undefined;
}

/** How a text becomes a query. */
export interface MatchOptions extends Scored {
  /** Whether all words must be there, or any; `or` without. */
  operator?: 'or' | 'and' | undefined;
  /** How many words must be there at least, where any may. */
  minimum?: number | undefined;
}

/** Words between which there may be other ones. */
export interface PhraseOptions extends Scored {
  /** By how many places words may be moved, in all; 0 without. */
  slop?: number | undefined;
}

export interface FuzzyOptions extends ManyTerms {
  /** Letters that may be changed, added, left out: 0, 1 or 2; 2 without. */
  edits?: 0 | 1 | 2 | undefined;
  /** Letters at the beginning that must be the same; 0 without. */
  prefixLength?: number | undefined;
  /** Whether letters that have changed places count as one edit; true without. */
  transpositions?: boolean | undefined;
}

/** Clauses of a boolean. */
export interface Clauses extends Scored {
  must?: readonly Query[] | undefined;
  should?: readonly Query[] | undefined;
  mustNot?: readonly Query[] | undefined;
  /** How many of `should` must match; none without, and one where there is no `must`. */
  minimum?: number | undefined;
  /** Whether documents that match more clauses score more by that (TF-IDF alone); true without. */
  coord?: boolean | undefined;
}

/** How a function makes a number of a document. */
export type ScoreFunction = {
  /** Documents that it is for; all without. */
  filter?: Query | undefined;
  /** A factor of the number, or the number itself where there is nothing else. */
  weight?: number | undefined;
} & (
  | { field?: undefined; script?: undefined }
  | {
      /** A field of numbers. */
      field: string;
      factor?: number | undefined;
      modifier?: keyof typeof MODIFIERS | undefined;
      /** For documents without a value, which fail the search otherwise. */
      missing?: number | undefined;
      script?: undefined;
    }
  | {
      /** An expression of Lucene: arithmetic, functions such as `ln` and `pow`, `_score`, and `doc['year'].value` of fields of numbers. */
      script: string;
      field?: undefined;
    }
);

/** What is done to a field's value; the names of function_score in Elasticsearch. */
export const MODIFIERS = {
  none: 0,
  log: 1,
  log1p: 2,
  log2p: 3,
  ln: 4,
  ln1p: 5,
  ln2p: 6,
  square: 7,
  sqrt: 8,
  reciprocal: 9,
} as const;

export interface FunctionScoreOptions extends Scored {
  /** How the numbers of several functions become one; `multiply` without. */
  scoreMode?: 'multiply' | 'sum' | 'avg' | 'max' | 'min' | 'first' | undefined;
  /** How that and the score of the query become one; `multiply` without. */
  boostMode?: 'multiply' | 'replace' | 'sum' | 'avg' | 'max' | 'min' | undefined;
  /** The largest number of all functions together. */
  maxBoost?: number | undefined;
}

/** Where words stand to each other; only the outermost scores. */
export type SpanQuery =
  | ({ kind: 'spanTerm'; field: string; term: string } & Scored)
  | ({ kind: 'spanNear'; spans: readonly SpanQuery[]; slop: number; inOrder: boolean } & Scored)
  | ({ kind: 'spanOr'; spans: readonly SpanQuery[] } & Scored)
  | ({ kind: 'spanNot'; include: SpanQuery; exclude: SpanQuery; before: number; after: number } & Scored)
  | ({ kind: 'spanFirst'; span: SpanQuery; end: number } & Scored);

/** A query. The functions of this module make them, and tell what each is. */
export type Query =
  | ({ kind: 'all' } & Scored)
  | { kind: 'none' }
  | ({ kind: 'keys'; keys: readonly number[] } & Scored)
  | ({ kind: 'term'; field: string; value: Value } & Scored)
  | ({ kind: 'terms'; field: string; values: readonly Value[] } & Scored)
  | ({ kind: 'match'; field: string; text: string } & MatchOptions)
  | ({
      kind: 'phrase';
      field: string;
      words: string | readonly (string | readonly string[] | null)[];
    } & PhraseOptions)
  | ({ kind: 'prefix'; field: string; prefix: string } & ManyTerms)
  | ({ kind: 'wildcard'; field: string; pattern: string } & ManyTerms)
  | ({ kind: 'regexp'; field: string; pattern: string } & ManyTerms)
  | ({ kind: 'fuzzy'; field: string; term: string } & FuzzyOptions)
  | ({ kind: 'range'; field: string } & Bounds & Scored)
  | ({ kind: 'exists'; field: string } & Scored)
  | ({ kind: 'bool' } & Clauses)
  | ({ kind: 'constant'; filter: Query } & Scored)
  | ({ kind: 'filtered'; query: Query; filter: Query } & Scored)
  | ({ kind: 'disMax'; queries: readonly Query[]; tieBreaker?: number | undefined } & Scored)
  | { kind: 'demoting'; positive: Query; negative: Query; factor: number }
  | ({ kind: 'functionScore'; query: Query; functions: readonly ScoreFunction[] } & FunctionScoreOptions)
  | SpanQuery;

/** Every document; each scores alike. */
export const all = (): Query => ({ kind: 'all' });

/** No document. */
export const none = (): Query => ({ kind: 'none' });

/** Documents by the keys that {@link Shard.add} gave; each scores alike. */
export const keys = (...wanted: readonly number[]): Query => ({ kind: 'keys', keys: wanted });

/** Documents with a term, as it stands in the index: nothing is analyzed. Of a field of numbers, documents with the number, which score alike. */
export const term = (field: string, value: Value): Query => ({ kind: 'term', field, value });

/** Documents with any of these terms; each scores alike. */
export const terms = (field: string, values: readonly Value[]): Query => ({ kind: 'terms', field, values });

/** Documents with the words of a text, as the field's analyzer cuts it. */
export const match = (field: string, text: string, options: MatchOptions = {}): Query => ({
  kind: 'match',
  field,
  text,
  ...options,
});

/**
 * Documents with words one after the other. A string is cut by the field's analyzer; of a list, each entry is the term of a place, several
 * terms that may stand there, or null for whatever stands there.
 */
export const phrase = (
  field: string,
  words: string | readonly (string | readonly string[] | null)[],
  options: PhraseOptions = {},
): Query => ({ kind: 'phrase', field, words, ...options });

/** Documents with a term that begins so. */
export const prefix = (field: string, start: string, options: ManyTerms = {}): Query => ({
  kind: 'prefix',
  field,
  prefix: start,
  ...options,
});

/** Documents with a term of the pattern: `*` any letters, `?` one, `\` takes the next letter as it is. */
export const wildcard = (field: string, pattern: string, options: ManyTerms = {}): Query => ({
  kind: 'wildcard',
  field,
  pattern,
  ...options,
});

/** Documents with a term that a regular expression of Lucene matches as a whole. */
export const regexp = (field: string, pattern: string, options: ManyTerms = {}): Query => ({
  kind: 'regexp',
  field,
  pattern,
  ...options,
});

/** Documents with a term that is a few edits away; those that are closer score more. */
export const fuzzy = (field: string, word: string, options: FuzzyOptions = {}): Query => ({
  kind: 'fuzzy',
  field,
  term: word,
  ...options,
});

/** Documents with a term or a number within bounds; each scores alike. */
export const range = (field: string, bounds: Bounds): Query => ({ kind: 'range', field, ...bounds });

/** Documents with any term in a field; each scores alike. */
export const exists = (field: string): Query => ({ kind: 'exists', field });

/** Documents by clauses. As in Lucene, `mustNot` alone matches nothing: give it `must: [all()]`. */
export const bool = (clauses: Clauses): Query => ({ kind: 'bool', ...clauses });

/** What a query matches; each document scores alike. */
export const constant = (filter: Query): Query => ({ kind: 'constant', filter });

/** What a query matches and a filter too; the query scores. */
export const filtered = (query: Query, filter: Query): Query => ({ kind: 'filtered', query, filter });

/** The best of several scores, and the others times the tie breaker (0). */
export const disMax = (queries: readonly Query[], tieBreaker = 0): Query => ({
  kind: 'disMax',
  queries,
  tieBreaker,
});

/** What a query matches; what the negative one matches too scores less, by the factor. */
export const demoting = (positive: Query, negative: Query, factor: number): Query => ({
  kind: 'demoting',
  positive,
  negative,
  factor,
});

/** What a query matches, with scores that functions change. */
export const functionScore = (
  query: Query,
  functions: readonly ScoreFunction[],
  options: FunctionScoreOptions = {},
): Query => ({ kind: 'functionScore', query, functions, ...options });

/** Where a term stands. */
export const spanTerm = (field: string, word: string): SpanQuery => ({ kind: 'spanTerm', field, term: word });

/** Spans with at most so many places between them; `inOrder` (true): one behind the other as they are listed. */
export const spanNear = (
  spans: readonly SpanQuery[],
  { slop = 0, inOrder = true }: { slop?: number; inOrder?: boolean } = {},
): SpanQuery => ({ kind: 'spanNear', spans, slop, inOrder });

/** Any of these spans. */
export const spanOr = (spans: readonly SpanQuery[]): SpanQuery => ({ kind: 'spanOr', spans });

/** Spans that no excluded one overlaps, nor stands so many places before or after. */
export const spanNot = (
  include: SpanQuery,
  exclude: SpanQuery,
  { before = 0, after = 0 }: { before?: number; after?: number } = {},
): SpanQuery => ({ kind: 'spanNot', include, exclude, before, after });

/** Spans that end within so many places from the beginning. */
export const spanFirst = (span: SpanQuery, end: number): SpanQuery => ({ kind: 'spanFirst', span, end });

/** The same query with its scores multiplied, in place of the boost that it had; of {@link demoting}, those of its positive query. */
export function boosted(query: SpanQuery, boost: number): SpanQuery;
export function boosted(query: Query, boost: number): Query;
export function boosted(query: Query, boost: number): Query {
  if (query.kind === 'none') return query;
  if (query.kind === 'demoting') return { ...query, positive: boosted(query.positive, boost) };
  return { ...query, boost };
}
