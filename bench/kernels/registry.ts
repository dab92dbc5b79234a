import { analyzeEnglish, analyzeOthers } from './analyze.js';
import { bitsetAnd } from './bitsetAnd.js';
import { columnSort } from './columnSort.js';
import { gapDecode } from './gapDecode.js';
import { geoFilter } from './geoFilter.js';
import { haversine } from './haversine.js';
import { intersectionDense } from './intersectionDense.js';
import { intersectionSparse } from './intersectionSparse.js';
import { phraseCheck } from './phraseCheck.js';
import type { Question } from './question.js';
import { scoredPosting } from './scoredPosting.js';
import { topK } from './topK.js';
import { union } from './union.js';
import { unpack } from './unpack.js';

/** Every kernel bench, in the order of the report. A new kernel: a file of its own here, and a line in this list. */
export const questions: readonly Question[] = [
  gapDecode,
  unpack,
  bitsetAnd,
  intersectionSparse,
  intersectionDense,
  union,
  phraseCheck,
  scoredPosting,
  topK,
  columnSort,
  geoFilter,
  haversine,
  analyzeEnglish,
  analyzeOthers,
];
