/**
 * What does a posting cost that is decoded, scored, counted and compared with the ten best so far?
 *
 * Measured: plans of one term with the flag by which no block is skipped, ten hits; the time by the postings of the list. Not
 * measured: skipping, which real searches do (topK.ts). `npm run bench:search` measures the same on a real corpus.
 */
import type { Case } from './case.js';
import type { Question, Subjects } from './question.js';

function cases(subjects: Subjects): Case[] {
  const index = subjects.synthetic();
  return [
    index.term('50 % of the documents', 'half', 10, true),
    index.term('20 % of the documents', 'fifth', 10, true),
    index.term('5 % of the documents', 'twentieth', 10, true),
    index.term('1 % of the documents', 'hundredth', 10, true),
  ];
}

export const scoredPosting: Question = { title: 'scoring loop, one term', item: 'posting', cases };
