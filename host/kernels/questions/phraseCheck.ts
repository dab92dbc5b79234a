/**
 * How long does it take to see whether two words stand side by side?
 *
 * Measured: plans of a phrase of two words, total alone (k = 0), nothing scored; the time by candidate, a document that has both
 * words. About every second candidate matches; words occur 1.4 times in a document that has them. In it: finding the candidates; a
 * case of its own says what that takes, by the same candidates.
 */
import type { Case } from './case.js';
import type { Question, Subjects } from './question.js';
import type { Word } from './syntheticIndex.js';

const pairs: readonly (readonly [string, Word, Word])[] = [
  ['20 % and 20 %', 'fifth', 'quint'],
  ['1 % and 50 %', 'hundredth', 'half'],
];

function cases(subjects: Subjects): Case[] {
  const index = subjects.synthetic();
  return pairs.flatMap(([name, first, second]) => {
    const intersection = index.intersection(`${name}, candidates alone`, [first, second]);
    const share = index.common(first, second) / Math.min(index.list(first), index.list(second));
    return [
      index.phrase(`${name}, phrase`, first, second),
      { ...intersection, items: intersection.items * share },
    ];
  });
}

export const phraseCheck: Question = { title: 'phrase check, two words', item: 'candidate', cases };
