import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Token } from '../../host/analysis/analyzer.js';
import { bestFragments, type Cutting, fragmentsOf } from '../../host/highlight/fragments.js';
import { near, type Span } from '../../host/highlight/termSpans.js';

const WORDS = ['a', 'river', 'mill', 'wheel', 'the'];

/** Words with a blank between them; the tokens are the words. */
function tokensOf(words: readonly string[]): { text: string; tokens: Token[] } {
  let at = 0;
  const tokens = words.map((term, i) => {
    const token = { term, startOffset: at, endOffset: at + term.length, position: i + 1, type: 'word' };
    at += term.length + 1;
    return token;
  });
  return { text: words.join(' '), tokens };
}

const cut = (size: number | undefined, spans: boolean): Cutting => ({
  size,
  spans,
  encode: (text) => text,
  before: '[',
  after: ']',
});

describe('fragments', () => {
  test('together are the whole text, with the terms marked and nothing else', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...WORDS), { maxLength: 60 }),
        fc.uniqueArray(fc.constantFrom(...WORDS)),
        fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined }),
        fc.boolean(),
        (words, wanted, size, spans) => {
          const { text, tokens } = tokensOf(words);
          const terms = new Map(wanted.map((term) => [term, { weight: 1, anywhere: true, spans: [] }]));
          const fragments = fragmentsOf(text, tokens, terms, cut(size, spans));
          const marked = words.map((word) => (wanted.includes(word) ? `[${word}]` : word)).join(' ');
          expect(fragments.map((fragment) => fragment.text).join('')).toBe(marked);
          expect(fragments.map(({ number }) => number)).toEqual(fragments.map((_, i) => i));
          for (const fragment of fragments) {
            const distinct = new Set(fragment.text.match(/\[\w+\]/g) ?? []);
            expect(fragment.score).toBe(distinct.size);
          }
          const best = bestFragments(fragments, 3);
          expect(best.length).toBe(Math.min(3, best.length));
          const scores = best.map(({ score }) => score);
          expect(scores).toEqual([...scores].sort((a, b) => b - a));
          expect(scores.every((score) => score > 0)).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('tokens that overlap are marked as one', () => {
    const tokens = [
      { term: 'wi', startOffset: 0, endOffset: 2, position: 1, type: 'word' },
      { term: 'wifi', startOffset: 0, endOffset: 4, position: 1, type: 'word' },
      { term: 'fi', startOffset: 2, endOffset: 4, position: 2, type: 'word' },
      { term: 'on', startOffset: 5, endOffset: 7, position: 3, type: 'word' },
    ];
    const terms = new Map([['fi', { weight: 1, anywhere: true, spans: [] }]]);
    expect(fragmentsOf('wifi on', tokens, terms, cut(100, true))[0]?.text).toBe('wi[fi] on');
    terms.set('wifi', { weight: 1, anywhere: true, spans: [] });
    expect(fragmentsOf('wifi on', tokens, terms, cut(100, true))[0]?.text).toBe('[wifi] on');
  });
});

/** Whether one position of each part can be chosen, in order, with no more than `slop` others between them. */
function hasOrdered(parts: readonly number[][], slop: number): boolean {
  const walk = (i: number, last: number, gaps: number): boolean =>
    i === parts.length ||
    parts[i]!.some(
      (at) => at > last && gaps + at - last - 1 <= slop && walk(i + 1, at, gaps + at - last - 1),
    );
  return parts[0]!.some((at) => walk(1, at, 0));
}

describe('nearness', () => {
  const places = fc.uniqueArray(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 5 });
  test('in order is what trying all choices finds', () => {
    fc.assert(
      fc.property(
        fc.array(places, { minLength: 2, maxLength: 3 }),
        fc.integer({ min: 0, max: 6 }),
        (parts, slop) => {
          const sorted = parts.map((part) => part.sort((a, b) => a - b));
          const spans = sorted.map((part) => part.map((start): Span => ({ start, end: start + 1 })));
          const found = near(spans, slop, true);
          expect(found.length > 0).toBe(hasOrdered(sorted, slop));
          for (const { start, end } of found) expect(end - start - parts.length).toBeLessThanOrEqual(slop);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('in any order is within the slop', () => {
    const spans = [[3, 9], [4, 20], [1]].map((part) => part.map((start) => ({ start, end: start + 1 })));
    expect(near(spans, 1, false)).toEqual([{ start: 1, end: 5 }]);
    expect(near(spans, 0, false)).toEqual([]);
    expect(near([[], ...spans], 9, false)).toEqual([]);
  });
});
