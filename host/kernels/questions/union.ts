/**
 * How long does it take to count and rank the documents of any of two lists?
 *
 * Measured: plans of two optional terms; the time by the postings of both lists. Each three times: counted alone (k = 0), counted with the
 * ten best hits as searches do it (what cannot be a hit is not scored), and with nothing skipped. Rare is 0.1 % of 200,000
 * documents, frequent 20 % and 50 %. In it: the call, about 1 us, 2.5 ns a posting where both words are rare.
 */
import type { Case } from './case.js';
import type { Question, Subjects } from './question.js';
import type { Word } from './syntheticIndex.js';

const pairs: readonly (readonly [string, readonly Word[]])[] = [
  ['rare or rare', ['thousandth', 'millesimal']],
  ['rare or frequent', ['thousandth', 'half']],
  ['frequent or frequent', ['fifth', 'half']],
];

function cases(subjects: Subjects): Case[] {
  const index = subjects.synthetic();
  return pairs.flatMap(([name, words]) => [
    index.union(`${name}, counted`, words, 0, false),
    index.union(`${name}, ten best`, words, 10, false),
    index.union(`${name}, nothing skipped`, words, 10, true),
  ]);
}

export const union: Question = { title: 'union of two lists', item: 'posting', cases };
