/**
 * How long does it take to find the documents of a short list in a long one?
 *
 * Measured: plans of two terms that must both match, total alone (k = 0), nothing scored; the time by the postings of the short list. Of
 * 200,000 documents the long list has half or a fifth. In it: the call, decoding the plan, looking both terms up (about 1 us
 * together: 5 ns a posting where the short list has 200 documents).
 */
import type { Case } from './case.js';
import type { Question, Subjects } from './question.js';

function cases(subjects: Subjects): Case[] {
  const index = subjects.synthetic();
  return [
    index.intersection('0.1 % and 50 %', ['thousandth', 'half']),
    index.intersection('0.1 % and 20 %', ['thousandth', 'fifth']),
    index.intersection('1 % and 50 %', ['hundredth', 'half']),
    index.intersection('1 % and 20 %', ['hundredth', 'fifth']),
  ];
}

export const intersectionSparse: Question = {
  title: 'intersection, sparse and dense',
  item: 'posting',
  cases,
};
