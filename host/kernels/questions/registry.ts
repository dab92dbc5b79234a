import { analyzeEnglish, analyzeOthers } from './analyze.js';
import { bitsetAnd } from './bitsetAnd.js';
import { columnSort } from './columnSort.js';
import { fuzzyTerms } from './fuzzyTerms.js';
import { gapDecode } from './gapDecode.js';
import { geoFilter } from './geoFilter.js';
import { hashing } from './hashing.js';
import { haversine } from './haversine.js';
import { intersectionDense } from './intersectionDense.js';
import { intersectionSparse } from './intersectionSparse.js';
import { norms } from './norms.js';
import { phraseCheck } from './phraseCheck.js';
import type { Question } from './question.js';
import { scoredPosting } from './scoredPosting.js';
import { topHeap } from './topHeap.js';
import { topK } from './topK.js';
import { union } from './union.js';
import { unpack } from './unpack.js';
import { vints } from './vints.js';

/** Every question, in the order of the report; those that need an index come last. A new one: a file of its own here, and a line in this list. */
export const questions: readonly Question[] = [
  gapDecode,
  unpack,
  vints,
  norms,
  bitsetAnd,
  hashing,
  topHeap,
  fuzzyTerms,
  haversine,
  analyzeEnglish,
  analyzeOthers,
  intersectionSparse,
  intersectionDense,
  union,
  phraseCheck,
  scoredPosting,
  topK,
  columnSort,
  geoFilter,
];
