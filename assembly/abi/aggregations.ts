// Made by scripts/generate-constants.mjs from scripts/data/constants.json.

// The numbers of aggregations in plans (assembly/aggregation/README.md).

// What an aggregation is.
export const AGG_FILTER: u8 = 1;
export const AGG_FILTERS: u8 = 2;
export const AGG_GLOBAL: u8 = 3;
export const AGG_MISSING: u8 = 4;
export const AGG_TERMS: u8 = 5;
export const AGG_HISTOGRAM: u8 = 6;
export const AGG_RANGE: u8 = 7;
export const AGG_DISTANCE: u8 = 8;
export const AGG_GEOHASH: u8 = 9;
/** Nested documents of a bucket's documents; documents that a bucket's nested ones are parts of. */
export const AGG_NESTED: u8 = 10;
export const AGG_REVERSE_NESTED: u8 = 11;
/** Children of a bucket's documents. */
export const AGG_CHILDREN: u8 = 12;
export const AGG_STATS: u8 = 20;
export const AGG_COUNT: u8 = 21;
export const AGG_CARDINALITY: u8 = 22;
export const AGG_PERCENTILES: u8 = 23;
export const AGG_BOUNDS: u8 = 24;
export const AGG_HITS: u8 = 25;
/** Numbers that are distances: once read, AGG_STATS. */
export const AGG_DISTANCES: u8 = 26;
/** Of each document the first number in a range: once read, AGG_STATS. */
export const AGG_FIRST_NUMBERS: u8 = 27;
