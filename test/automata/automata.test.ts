import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { MAX_CODE_POINT, utf8Ranges } from '../../host/automata/dfa.js';
import { Nfa } from '../../host/automata/nfa.js';
import { RecentAutomata } from '../../host/automata/recent.js';
import { RegexpFlag } from '../../host/automata/regexp.js';
import { fuzzyMatcher, regexpMatcher, wildcardMatcher } from '../../host/query/term/termMatchers.js';
import type { TermMatcher } from '../../host/plan/termMatcher.js';
import { accepts } from './run.js';

function matches(matcher: TermMatcher, word: string): number {
  if (!('automaton' in matcher)) throw new Error('no automaton');
  return accepts(matcher.automaton, word);
}

const letters = fc.constantFrom('a', 'b', 'c', 'é', '猫', '😀');
const words = fc.array(letters, { maxLength: 6 }).map((list) => list.join(''));

/** Optimal string alignment distance, over code points. */
function distance(a: string, b: string, transpositions: boolean): number {
  const [x, y] = [[...a], [...b]];
  const d = Array.from({ length: x.length + 1 }, (_, i) =>
    Array.from({ length: y.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  for (let i = 1; i <= x.length; i++)
    for (let j = 1; j <= y.length; j++) {
      d[i]![j] = Math.min(
        d[i - 1]![j]! + 1,
        d[i]![j - 1]! + 1,
        d[i - 1]![j - 1]! + (x[i - 1] === y[j - 1] ? 0 : 1),
      );
      if (transpositions && i > 1 && j > 1 && x[i - 1] === y[j - 2] && x[i - 2] === y[j - 1])
        d[i]![j] = Math.min(d[i]![j]!, d[i - 2]![j - 2]! + 1);
    }
  return d[x.length]![y.length]!;
}

describe('fuzzy automata', () => {
  it('accept the words within so many edits, with their number', () => {
    fc.assert(
      fc.property(
        words,
        words,
        fc.nat({ max: 2 }),
        fc.nat({ max: 3 }),
        fc.boolean(),
        (a, b, edits, prefix, swaps) => {
          const got = matches(fuzzyMatcher(a, edits, prefix, swaps), b);
          const head = [...a].slice(0, prefix).join('');
          const rest = (word: string) => [...word].slice([...head].length).join('');
          const most = prefix >= a.length ? 0 : edits;
          const away = b.startsWith(head) ? distance(rest(a), rest(b), swaps) : Number.POSITIVE_INFINITY;
          expect(got).toBe(away <= most ? 1 + away : 0);
        },
      ),
      { seed: 21, numRuns: 2000 },
    );
  });

  it('of long words stay in proportion', () => {
    const matcher = fuzzyMatcher('abcdefghij'.repeat(30), 2);
    expect('automaton' in matcher && matcher.automaton.length).toBeLessThan(4_000_000);
    expect(matches(matcher, 'abcdefghij'.repeat(30).replace('ef', 'fe'))).toBe(2);
    expect(() => fuzzyMatcher('a'.repeat(1001), 2)).toThrow('TooComplexToDeterminizeException');
  });
});

describe('wildcards', () => {
  it('match like the regular expressions that they stand for', () => {
    const pattern = fc.array(fc.constantFrom('a', 'b', 'é', '😀', '*', '?', '\\*', '\\?'), { maxLength: 5 });
    fc.assert(
      fc.property(
        pattern,
        fc.array(fc.constantFrom('a', 'b', 'é', '😀', '*', '?'), { maxLength: 6 }),
        (parts, word) => {
          const source = parts
            .map((p) => (p === '*' ? '.*' : p === '?' ? '.' : p.replace(/^[*?]/, '\\$&')))
            .join('');
          // As Lucene's: no part at all matches nothing, not even the empty word.
          const want = parts.length > 0 && new RegExp(`^${source}$`, 'su').test(word.join(''));
          expect(matches(wildcardMatcher(parts.join('')), word.join('')) !== 0).toBe(want);
        },
      ),
      { seed: 22, numRuns: 1500 },
    );
    expect(matches(wildcardMatcher('a\\'), 'a\\')).toBe(1);
  });
});

describe('regular expressions', () => {
  it('match like those of JavaScript where both have the operator', () => {
    const atom = fc.constantFrom('a', 'b', 'é', '😀', '.', '[ab]', '[^aé]', '[a-c]');
    const expression: fc.Arbitrary<string> = fc.letrec<{ e: string }>((tie) => ({
      e: fc.oneof(
        { maxDepth: 3 },
        atom,
        fc.tuple(tie('e'), tie('e')).map(([a, b]) => a + b),
        fc.tuple(tie('e'), tie('e')).map(([a, b]) => `(${a}|${b})`),
        fc
          .tuple(tie('e'), fc.constantFrom('?', '*', '+', '{2}', '{1,}', '{0,2}'))
          .map(([a, op]) => `(${a})${op}`),
      ),
    })).e;
    fc.assert(
      fc.property(expression, words, (source, word) => {
        const want = new RegExp(`^(?:${source})$`, 'su').test(word);
        expect(matches(regexpMatcher(source), word) !== 0).toBe(want);
      }),
      { seed: 23, numRuns: 1500 },
    );
  });

  it('have the optional operators of Lucene', () => {
    const yes = (pattern: string, word: string, flags?: number) =>
      expect([pattern, word, matches(regexpMatcher(pattern, flags), word)]).toEqual([pattern, word, 1]);
    const no = (pattern: string, word: string, flags?: number) =>
      expect([pattern, word, matches(regexpMatcher(pattern, flags), word)]).toEqual([pattern, word, 0]);
    yes('~(ab*)', 'ac');
    no('~(ab*)', 'abb');
    yes('a.*&.*b', 'axb');
    no('a.*&.*b', 'ax');
    yes('@', 'anything');
    no('#', '');
    yes('"a.b"', 'a.b');
    no('"a.b"', 'axb');
    yes('()', '');
    yes('\\*', '*');
    yes('*', '*');
    yes('a@', 'a@', RegexpFlag.none);
    for (let n = 0; n < 130; n++) {
      (n >= 7 && n <= 113 ? yes : no)('n<7-113>', `n${n}`);
      (n >= 7 && n <= 113 ? yes : no)('n<007-113>', `n${`${n}`.padStart(3, '0')}`);
    }
    yes('<7-113>', '00009');
    no('<007-113>', '9');
    no('a{2,1}', 'aa');
  });

  it('fail with the texts of Lucene', () => {
    const cases: [string, string][] = [
      ['(', 'unexpected end-of-string'],
      ['a)', 'end-of-string expected at position 1'],
      ['[', 'unexpected end-of-string'],
      ['[a', "expected ']' at position 2"],
      ['a{', 'integer expected at position 2'],
      ['a{1', "expected '}' at position 3"],
      ['<1-', "expected '>' at position 3"],
      ['<1-x>', 'interval syntax error at position 4'],
      ['<name>', "'name' not found"],
      ['"', `expected '"' at position 1`],
      ['[b-a]', 'invalid range: from (98) cannot be > to (97)'],
    ];
    for (const [pattern, text] of cases)
      expect(() => regexpMatcher(pattern)).toThrow(`IllegalArgumentException[${text}]`);
  });

  it('are bounded in states, depth and time', () => {
    const hostile = [
      '(a|b)*a(a|b){30}',
      `${'('.repeat(100_000)}`,
      '(((a{1000}){1000}){1000})',
      `${'~'.repeat(5000)}a`,
      '(.*a){5000}',
      `${'a?'.repeat(20_000)}`,
    ];
    for (const pattern of hostile) {
      const start = Date.now();
      expect(() => regexpMatcher(pattern)).toThrow();
      expect(Date.now() - start).toBeLessThan(10_000);
    }
  });
});

describe('UTF-8 ranges', () => {
  it('cover the code points of a range and no others', () => {
    const point = fc.oneof(
      fc.nat({ max: 0x900 }),
      fc.nat({ max: MAX_CODE_POINT }),
      fc.constantFrom(0x7f, 0x80, 0x7ff, 0x800, 0xffff, 0x10000),
    );
    const encoder = new TextEncoder();
    fc.assert(
      fc.property(point, point, fc.array(point, { maxLength: 20 }), (a, b, probes) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        const ranges = utf8Ranges(low, high);
        for (const c of [...probes, low, high, low - 1, high + 1]) {
          if (c < 0 || c > MAX_CODE_POINT || (c >= 0xd800 && c <= 0xdfff)) continue;
          const bytes = encoder.encode(String.fromCodePoint(c));
          const inside = ranges.some(
            (r) => r.length === bytes.length && r.every(([x, y], i) => bytes[i]! >= x && bytes[i]! <= y),
          );
          expect(inside).toBe(c >= low && c <= high);
        }
      }),
      { seed: 24, numRuns: 500 },
    );
  });
});

describe('automata made lately', () => {
  it('are kept within a bound, those used last the longest', () => {
    const recent = new RecentAutomata(800);
    let made = 0;
    const get = (key: string) =>
      recent.get(key, () => {
        made++;
        return new Uint8Array(96);
      });
    for (const key of ['a', 'b', 'a', 'b']) expect(get(key).length).toBe(96);
    expect(made).toBe(2);
    for (const key of ['c', 'd', 'e', 'f', 'g', 'h', 'a', 'i']) get(key);
    expect(made).toBe(9);
    get('b');
    expect(made).toBe(10);
    get('a');
    expect(made).toBe(10);
    // One too large for its share is made again each time.
    let large = 0;
    for (let i = 0; i < 2; i++) recent.get('x', () => new Uint8Array(100 + large++));
    expect(large).toBe(2);
  });
});

describe('repetitions', () => {
  it('of up to so many take a state each', () => {
    const matcher = regexpMatcher('[ab]{0,900}');
    // Two states for each letter at most, with two transitions: eight bytes each.
    if ('automaton' in matcher) expect(matcher.automaton.length).toBeLessThan(900 * 2 * 20);
    for (const length of [0, 1, 899, 900, 901])
      expect(matches(matcher, 'ab'.repeat(length).slice(0, length))).toBe(length <= 900 ? 1 : 0);
  });

  it('of repetitions match what the same expression of JavaScript does', () => {
    for (const pattern of [
      '((a|b){2}c?){1,3}',
      '(a{0,2}b){0,2}',
      '(a*b){0,2}',
      '(a{1,}){0,3}c',
      '((a?){0,2}){0,2}',
      '(a|(b{0,2}c){1,2}){2}',
      '(a{0,0}b){1,1}',
    ]) {
      const expected = new RegExp(`^(?:${pattern})$`);
      fc.assert(
        fc.property(fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 9 }), (list) => {
          const word = list.join('');
          expect([pattern, word, matches(regexpMatcher(pattern), word)]).toEqual([
            pattern,
            word,
            expected.test(word) ? 1 : 0,
          ]);
        }),
        { numRuns: 300 },
      );
    }
  });

  it('that take too many states are refused again without being tried', () => {
    const pattern = '.*a.{30}';
    const errors = Array.from({ length: 3 }, () => {
      try {
        return regexpMatcher(pattern);
      } catch (e) {
        return e instanceof Error ? e.message : e;
      }
    });
    expect(errors[0]).toContain('would result in more than 10000 states');
    expect(new Set(errors).size).toBe(1);
    const made = vi.spyOn(Nfa.prototype, 'deterministic');
    expect(() => regexpMatcher(pattern)).toThrow('more than 10000 states');
    expect(made).not.toHaveBeenCalled();
    made.mockRestore();
  });
});
