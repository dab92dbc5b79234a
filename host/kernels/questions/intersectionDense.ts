/**
 * How long does it take to find what two long lists have in common?
 *
 * Measured: plans of two terms that must both match, total alone (k = 0), nothing scored; the time by the postings of the shorter list.
 * In it: the core spreads the longer list into a bitset where that pays, for every search anew. Not measured: scores, hits.
 */
import type { Case } from './case.js';
import type { Question, Subjects } from './question.js';

function cases(subjects: Subjects): Case[] {
  const index = subjects.synthetic();
  return [
    index.intersection('5 % and 50 %', ['twentieth', 'half']),
    index.intersection('20 % and 20 %', ['fifth', 'quint']),
    index.intersection('20 % and 50 %', ['fifth', 'half']),
    index.intersection('33 % and 50 %', ['third', 'half']),
  ];
}

export const intersectionDense: Question = { title: 'intersection, dense and dense', item: 'posting', cases };
