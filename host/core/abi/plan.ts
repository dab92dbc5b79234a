// Made by scripts/generate-constants.mjs from scripts/data/constants.json.

/** The numbers of plans (assembly/search/README.md draws their bytes). */

/** Which parts a plan has. */
export const PlanFlag = {
  postFilter: 1,
  inOrder: 2,
  exhaustive: 4,
  sort: 8,
  aggregations: 16,
} as const;
export type PlanFlag = (typeof PlanFlag)[keyof typeof PlanFlag];

/** Which of the optional parts a plan has. */
export const PlanOption = {
  minScore: 1,
  rescore: 2,
  statistics: 4,
  named: 8,
  explain: 16,
  terminate: 32,
  gather: 128,
  similarities: 256,
  nestedSort: 512,
  /** A search that is stopped answers with what it has found, and tells so. */
  partial: 1024,
  nested: 2048,
} as const;
export type PlanOption = (typeof PlanOption)[keyof typeof PlanOption];

/** Kinds of plan nodes. */
export const NodeCode = {
  /** Kinds of plan nodes; the numbers are those of the plan format in README.md. */
  none: 0,
  all: 1,
  term: 2,
  boolean: 3,
  constant: 4,
  filtered: 5,
  phrase: 6,
  terms: 7,
  prefix: 8,
  range: 9,
  disMax: 10,
  keys: 11,
  exists: 12,
  multiTerm: 13,
  phrasePrefix: 14,
  boosting: 15,
  functionScore: 16,
  commonTerms: 17,
  blended: 18,
  spanTerm: 19,
  spanNear: 20,
  spanOr: 21,
  spanNot: 22,
  spanFirst: 23,
  spanMulti: 24,
  spanMask: 25,
  moreLikeThis: 26,
  /** A filter of which something may be kept. */
  kept: 27,
  nested: 32,
  join: 33,
  limit: 34,
  parts: 35,
  fuzzyLikeThis: 36,
  geoDistance: 40,
  geoBox: 41,
  geoPolygon: 42,
  expression: 43,
} as const;
export type NodeCode = (typeof NodeCode)[keyof typeof NodeCode];

/** Which terms a matcher accepts; `field`, which no plan has, stands for all of the field. */
export const MatcherCode = {
  /** Which terms a matcher accepts; MATCHER_FIELD, which no plan has, stands for all of the field. */
  prefix: 0,
  range: 1,
  automaton: 2,
  fuzzy: 3,
  field: 4,
  ending: 5,
} as const;
export type MatcherCode = (typeof MatcherCode)[keyof typeof MatcherCode];

/** What a multi-term query becomes. */
export const Rewrite = {
  constantFilter: 0,
  constantAuto: 1,
  scoringBoolean: 2,
  constantBoolean: 3,
  topTerms: 4,
  topTermsBoost: 5,
} as const;
export type Rewrite = (typeof Rewrite)[keyof typeof Rewrite];

/** How a clause of a boolean query takes part. */
export const Occur = {
  Must: 0,
  Should: 1,
  MustNot: 2,
} as const;
export type Occur = (typeof Occur)[keyof typeof Occur];

/** Which bounds a range has. */
export const RangeFlag = {
  lower: 1,
  lowerIncluded: 2,
  upper: 4,
  upperIncluded: 8,
} as const;
export type RangeFlag = (typeof RangeFlag)[keyof typeof RangeFlag];

/** What a join makes of the scores of several documents. */
export const ChildScore = {
  none: 0,
  min: 1,
  max: 2,
  sum: 3,
  avg: 4,
} as const;
export type ChildScore = (typeof ChildScore)[keyof typeof ChildScore];

/** What a document scores by the scores of its nested ones. */
export const JoinMode = {
  /** What becomes of the scores of several nested documents. */
  none: 0,
  avg: 1,
  max: 2,
  total: 3,
} as const;
export type JoinMode = (typeof JoinMode)[keyof typeof JoinMode];

/** What a key of a sort is taken from. */
export const SortSource = {
  /** What a key is taken from. */
  score: 0,
  document: 1,
  column: 2,
  distance: 3,
  script: 4,
} as const;
export type SortSource = (typeof SortSource)[keyof typeof SortSource];
