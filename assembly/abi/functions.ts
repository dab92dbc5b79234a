// Made by scripts/generate-constants.mjs from scripts/data/constants.json.

// The numbers of score functions in plans (assembly/search/README.md).

// How a function of a function score makes a number of a document.
export const FUNCTION_ONE: u8 = 0;
export const FUNCTION_RANDOM: u8 = 1;
export const FUNCTION_FIELD_VALUE: u8 = 2;
export const FUNCTION_DECAY: u8 = 3;
export const FUNCTION_GEO_DECAY: u8 = 4;
export const FUNCTION_SCRIPT: u8 = 5;
/** How often the term that is its filter occurs. */
export const FUNCTION_FREQUENCY: u8 = 6;

// How the numbers of several functions become one.
export const SCORE_MULTIPLY: u8 = 0;
export const SCORE_SUM: u8 = 1;
export const SCORE_AVG: u8 = 2;
export const SCORE_MAX: u8 = 3;
export const SCORE_MIN: u8 = 4;
export const SCORE_FIRST: u8 = 5;

// The same, where no request can ask for it.
/** The mean of the weights, each as often as its function says; the query's score is multiplied by it in floats, and no boost. */
export const SCORE_OCCURRENCES: u8 = 6;

// How that and the score of the query become one.
export const BOOST_MULTIPLY: u8 = 0;
export const BOOST_REPLACE: u8 = 1;
export const BOOST_SUM: u8 = 2;
export const BOOST_AVG: u8 = 3;
export const BOOST_MAX: u8 = 4;
export const BOOST_MIN: u8 = 5;
