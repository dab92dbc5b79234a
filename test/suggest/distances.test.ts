import { describe, expect, it } from 'vitest';
import { bigrams, damerauLevenshtein, jaroWinkler, levenshtein } from '../../host/suggest/distances.js';

// Figures are those of Lucene's string distances: Winkler's own examples, and edits counted by hand.
describe('string distances', () => {
  it('measures edits against the longer word', () => {
    expect(levenshtein('alu', 'aluminium')).toBeCloseTo(1 / 3, 6);
    expect(levenshtein('kettle', 'kettel')).toBeCloseTo(4 / 6, 6);
    expect(levenshtein('same', 'same')).toBe(1);
    expect(levenshtein('', 'a')).toBe(0);
  });

  it('takes two neighbours swapped for one edit, against the shorter word', () => {
    expect(damerauLevenshtein('kettle', 'kettel')).toBeCloseTo(5 / 6, 6);
    expect(damerauLevenshtein('ab', 'ba')).toBeCloseTo(1 / 2, 6);
    expect(damerauLevenshtein('😀b', '😀c')).toBeCloseTo(1 / 2, 6);
  });

  it('counts common letters near each other, and a common beginning', () => {
    expect(jaroWinkler('martha', 'marhta')).toBeCloseTo(0.9611111, 6);
    expect(jaroWinkler('jones', 'johnson')).toBeCloseTo(0.8323809, 5);
    expect(jaroWinkler('dwayne', 'duane')).toBeCloseTo(0.84, 6);
    expect(jaroWinkler('ab', 'cd')).toBe(0);
  });

  it('counts pairs of letters', () => {
    expect(bigrams('same', 'same')).toBe(1);
    expect(bigrams('abcd', 'wxyz')).toBe(0);
    expect(bigrams('a', 'b')).toBe(0);
    expect(bigrams('natural', 'contrary')).toBeCloseTo(0.25, 6);
  });
});
