// Made by scripts/generate-constants.mjs from scripts/data/constants.json.

/** The numbers of score functions in plans (assembly/search/README.md). */

/** How a function of a function score makes a number of a document. */
export const FunctionCode = {
  one: 0,
  random: 1,
  fieldValue: 2,
  decay: 3,
  geoDecay: 4,
  script: 5,
  /** How often the term that is its filter occurs. */
  frequency: 6,
} as const;
export type FunctionCode = (typeof FunctionCode)[keyof typeof FunctionCode];

/** How the numbers of several functions become one. */
export const ScoreMode = {
  multiply: 0,
  sum: 1,
  avg: 2,
  max: 3,
  min: 4,
  first: 5,
} as const;
export type ScoreMode = (typeof ScoreMode)[keyof typeof ScoreMode];

/** The same, where no request can ask for it. */
export const OwnScoreMode = {
  /** The mean of the weights, each as often as its function says; the query's score is multiplied by it in floats, and no boost. */
  occurrences: 6,
} as const;
export type OwnScoreMode = (typeof OwnScoreMode)[keyof typeof OwnScoreMode];

/** How that and the score of the query become one. */
export const BoostMode = {
  multiply: 0,
  replace: 1,
  sum: 2,
  avg: 3,
  max: 4,
  min: 5,
} as const;
export type BoostMode = (typeof BoostMode)[keyof typeof BoostMode];
