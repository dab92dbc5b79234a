/**
 * What do more hits cost?
 *
 * Measured: plans of one term in half of 200,000 documents for 1, 10, 100 and 1000 hits; the time by the postings of the list, with nothing
 * skipped (the loop and the heap), then as searches do it (blocks that hold no hit are not read). In it: sorting the
 * hits and copying them out. Scores come in no order and are often equal: there are few lengths that norms tell apart.
 */
import type { Case } from './case.js';
import type { Question, Subjects } from './question.js';

const COUNTS = [1, 10, 100, 1000];

function cases(subjects: Subjects): Case[] {
  const index = subjects.synthetic();
  return [
    ...COUNTS.map((k) => index.term(`k = ${k}, nothing skipped`, 'half', k, true)),
    ...COUNTS.map((k) => index.term(`k = ${k}, as searches do it`, 'half', k, false)),
  ];
}

export const topK: Question = { title: 'top k of one term', item: 'posting', cases };
