/** The kinds of stages in a chain's definition; `assembly/analysis/kinds.ts` names the same numbers. */
export const Kind = {
  mapping: 1,
  htmlStrip: 2,
  standard: 32,
  keyword: 33,
  whitespace: 34,
  letter: 35,
  ngramTokenizer: 36,
  edgeNgramTokenizer: 37,
  pathHierarchy: 38,
  classic: 39,
  uaxUrlEmail: 40,
  given: 41,
  lowercase: 64,
  stop: 65,
  stem: 66,
  keywordMarker: 67,
} as const;
