// Made by scripts/generate-constants.mjs from scripts/data/constants.json.

// The numbers of plans (assembly/search/README.md draws their bytes).

// Which parts a plan has.
export const PLAN_POST_FILTER: u8 = 1;
export const PLAN_IN_ORDER: u8 = 2;
export const PLAN_EXHAUSTIVE: u8 = 4;
export const PLAN_SORT: u8 = 8;
export const PLAN_AGGREGATIONS: u8 = 16;

// Which of the optional parts a plan has.
export const OPTION_MIN_SCORE: u16 = 1;
export const OPTION_RESCORE: u16 = 2;
export const OPTION_STATISTICS: u16 = 4;
export const OPTION_NAMED: u16 = 8;
export const OPTION_EXPLAIN: u16 = 16;
export const OPTION_TERMINATE: u16 = 32;
export const OPTION_GATHER: u16 = 128;
export const OPTION_SIMILARITIES: u16 = 256;
export const OPTION_NESTED_SORT: u16 = 512;
/** A search that is stopped answers with what it has found, and tells so. */
export const OPTION_PARTIAL: u16 = 1024;
export const OPTION_NESTED: u16 = 2048;

// Kinds of plan nodes.
/** Kinds of plan nodes; the numbers are those of the plan format in README.md. */
export const NODE_NONE: u8 = 0;
export const NODE_ALL: u8 = 1;
export const NODE_TERM: u8 = 2;
export const NODE_BOOLEAN: u8 = 3;
export const NODE_CONSTANT: u8 = 4;
export const NODE_FILTERED: u8 = 5;
export const NODE_PHRASE: u8 = 6;
export const NODE_TERMS: u8 = 7;
export const NODE_PREFIX: u8 = 8;
export const NODE_RANGE: u8 = 9;
export const NODE_DISMAX: u8 = 10;
export const NODE_KEYS: u8 = 11;
export const NODE_EXISTS: u8 = 12;
export const NODE_MULTI_TERM: u8 = 13;
export const NODE_PHRASE_PREFIX: u8 = 14;
export const NODE_BOOSTING: u8 = 15;
export const NODE_FUNCTION: u8 = 16;
export const NODE_COMMON: u8 = 17;
export const NODE_BLENDED: u8 = 18;
export const NODE_SPAN_TERM: u8 = 19;
export const NODE_SPAN_NEAR: u8 = 20;
export const NODE_SPAN_OR: u8 = 21;
export const NODE_SPAN_NOT: u8 = 22;
export const NODE_SPAN_FIRST: u8 = 23;
export const NODE_SPAN_MULTI: u8 = 24;
export const NODE_SPAN_MASK: u8 = 25;
export const NODE_MORE_LIKE_THIS: u8 = 26;
/** A filter of which something may be kept. */
export const NODE_KEPT: u8 = 27;
export const NODE_NESTED: u8 = 32;
export const NODE_JOIN: u8 = 33;
export const NODE_LIMIT: u8 = 34;
export const NODE_PARTS: u8 = 35;
export const NODE_FUZZY_LIKE_THIS: u8 = 36;
export const NODE_GEO_DISTANCE: u8 = 40;
export const NODE_GEO_BOX: u8 = 41;
export const NODE_GEO_POLYGON: u8 = 42;
export const NODE_EXPRESSION: u8 = 43;

// Which terms a matcher accepts; `field`, which no plan has, stands for all of the field.
/** Which terms a matcher accepts; MATCHER_FIELD, which no plan has, stands for all of the field. */
export const MATCHER_PREFIX: u8 = 0;
export const MATCHER_RANGE: u8 = 1;
export const MATCHER_AUTOMATON: u8 = 2;
export const MATCHER_FUZZY: u8 = 3;
export const MATCHER_FIELD: u8 = 4;
export const MATCHER_ENDING: u8 = 5;

// What a multi-term query becomes.
export const REWRITE_CONSTANT: u8 = 0;
export const REWRITE_AUTO: u8 = 1;
export const REWRITE_SCORING: u8 = 2;
export const REWRITE_CONSTANT_BOOLEAN: u8 = 3;
export const REWRITE_TOP: u8 = 4;
export const REWRITE_TOP_CONSTANT: u8 = 5;

// How a clause of a boolean query takes part.
export const MUST: u8 = 0;
export const SHOULD: u8 = 1;
export const MUST_NOT: u8 = 2;

// Which bounds a range has.
export const RANGE_LOWER: u8 = 1;
export const RANGE_LOWER_INCLUDED: u8 = 2;
export const RANGE_UPPER: u8 = 4;
export const RANGE_UPPER_INCLUDED: u8 = 8;

// What a join makes of the scores of several documents.
export const CHILD_NONE: u8 = 0;
export const CHILD_MIN: u8 = 1;
export const CHILD_MAX: u8 = 2;
export const CHILD_SUM: u8 = 3;
export const CHILD_AVERAGE: u8 = 4;

// What a document scores by the scores of its nested ones.
/** What becomes of the scores of several nested documents. */
export const JOIN_NONE: u8 = 0;
export const JOIN_AVERAGE: u8 = 1;
export const JOIN_MAX: u8 = 2;
export const JOIN_TOTAL: u8 = 3;

// What a key of a sort is taken from.
/** What a key is taken from. */
export const KEY_SCORE: u8 = 0;
export const KEY_DOC: u8 = 1;
export const KEY_COLUMN: u8 = 2;
export const KEY_DISTANCE: u8 = 3;
export const KEY_SCRIPT: u8 = 4;
