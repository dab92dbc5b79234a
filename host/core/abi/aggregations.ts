// Made by scripts/generate-constants.mjs from scripts/data/constants.json.

/** The numbers of aggregations in plans (assembly/aggregation/README.md). */

/** What an aggregation is. */
export const AggregationKind = {
  filter: 1,
  filters: 2,
  global: 3,
  missing: 4,
  terms: 5,
  histogram: 6,
  range: 7,
  distance: 8,
  geohash: 9,
  /** Nested documents of a bucket's documents; documents that a bucket's nested ones are parts of. */
  nested: 10,
  reverseNested: 11,
  /** Children of a bucket's documents. */
  children: 12,
  stats: 20,
  count: 21,
  cardinality: 22,
  percentiles: 23,
  bounds: 24,
  hits: 25,
  /** Numbers that are distances: once read, AGG_STATS. */
  distances: 26,
  /** Of each document the first number in a range: once read, AGG_STATS. */
  firstNumbers: 27,
} as const;
export type AggregationKind = (typeof AggregationKind)[keyof typeof AggregationKind];
