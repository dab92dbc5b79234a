import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileRegex, type Match, STEPS_AT_ONCE } from '../../host/regex/regex.js';
import { Replacement } from '../../host/regex/replacement.js';
import { atOnce } from '../../host/workLimit.js';

/** Patterns that Java and JavaScript read alike; no loop is over what may be empty, where they differ. */
const { pattern: patterns } = fc.letrec<{ atom: string; turn: string; sequence: string; pattern: string }>(
  (tie) => ({
    atom: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      fc.constantFrom('a', 'b', 'c', '.', '[ab]', '[^a]', '\\w', '\\s'),
      fc.constantFrom('\\b', '\\B', '^', '$', '(?=a)', '(?<!b)', '(?<=[ab])', '(?!c)'),
      tie('pattern').map((inner) => `(?:${inner})`),
      tie('pattern').map((inner) => `(${inner})`),
      tie('pattern').map((inner) => `(?=${inner})`.replace(/\((?!\?)/g, '(?:')),
      tie('pattern').map((inner) => `(?!${inner})`.replace(/\((?!\?)/g, '(?:')),
      fc.constantFrom('(?<=ab|c)', '(?<!a.b)', '(?<=\\ba)'),
    ),
    turn: fc
      .tuple(
        fc.constantFrom('a', 'b', '.', '[^c]', '(?:a|bc)', '(?:ab?|b)', '(?:a+|b)'),
        fc.constantFrom('*', '+', '?', '*?', '+?', '??', '{2}', '{1,2}', '{0,2}?', '{2,}'),
      )
      .map(([item, quantifier]) => item + quantifier),
    sequence: fc.array(fc.oneof(tie('atom'), tie('turn')), { maxLength: 4 }).map((parts) => parts.join('')),
    pattern: fc.array(tie('sequence'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('|')),
  }),
);

describe("JavaScript's own expressions", () => {
  it('find the same', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' ', 'x'), maxLength: 10 });
    fc.assert(
      fc.property(patterns, texts, (pattern, text) => {
        const expected = [...text.matchAll(new RegExp(pattern, 'gd'))].map(({ indices }) =>
          Array.from(indices!, (span) => span ?? null),
        );
        const regex = compileRegex(pattern);
        const found = [...regex.findAll(text)].map((match) =>
          Array.from({ length: regex.groupCount + 1 }, (_, i) => match.group(i) ?? null),
        );
        expect(found).toEqual(expected);
      }),
      { numRuns: 2000, seed: 17 },
    );
  });

  it('find the same in long texts, in turns', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' ', 'x'), minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(patterns, texts, (pattern, piece) => {
        const regex = compileRegex(pattern);
        const text = piece.repeat(Math.ceil(STEPS_AT_ONCE / piece.length));
        const groups = (match: Match) =>
          Array.from({ length: regex.groupCount + 1 }, (_, i) => match.group(i));
        const inTurns = [...regex.findAllInTurns(text)];
        expect(inTurns.filter((match) => match !== undefined).map(groups)).toEqual(
          [...regex.findAll(text)].map(groups),
        );
      }),
      { numRuns: 60, seed: 19 },
    );
  });
});

it('others may use a pattern between the turns of a search, which has none for short texts', () => {
  const regex = compileRegex('(a+)(?=(b))');
  const text = `${'x'.repeat(100_000)}aab`;
  const search = regex.findAllInTurns(text);
  let turns = 0;
  let found = search.next();
  for (; found.value === undefined; found = search.next()) {
    turns++;
    expect(regex.exec('ab')?.group(2)).toEqual([1, 2]);
  }
  expect(turns).toBeGreaterThan(20);
  expect(found.value.group(1)).toEqual([100_000, 100_002]);
  expect([...regex.findAllInTurns('aab')].length).toBe(1);
});

describe('the time', () => {
  const A = 'a'.repeat(100_000);
  it.each([
    ['(a*)*b', A],
    ['(a|aa)+$', `${A}!`],
    ['(x+x+)+y', 'x'.repeat(100_000)],
    ['(?=(?:a|aa)+b)a', A],
    ['(?<=b(?:a|aa)?a{1,50})c', `${A}c`],
    ['\\b', '\u0301'.repeat(100_000)],
  ])('of %s is linear in the text', (pattern, text) => {
    const started = performance.now();
    expect(compileRegex(pattern).exec(text)).toBeUndefined();
    // An engine that tries one way after the other would not end.
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe('a match', () => {
  it('tells its groups by number and by name', () => {
    const match = compileRegex('(?<year>\\d+)-(x)?(?<month>\\d+)').exec('in 2014-07', 0)!;
    expect([match.start, match.end]).toEqual([3, 10]);
    expect([match.group('year'), match.group(2), match.group('month'), match.group('day')]).toEqual([
      [3, 7],
      undefined,
      [8, 10],
      undefined,
    ]);
  });

  it('may begin behind an offset, with what stands before it in sight', () => {
    expect(compileRegex('(?<=a)b').exec('ab', 1)?.start).toBe(1);
    expect(compileRegex('\\Gb').exec('ab', 1)?.start).toBe(1);
    expect(compileRegex('^b').exec('ab', 1)).toBeUndefined();
  });

  it('has groups that look-aheads captured', () => {
    const groups = (pattern: string, text: string) => {
      const regex = compileRegex(pattern);
      return [...regex.findAll(text)].map((match) => {
        const span = match.group(1);
        return span && text.slice(...span);
      });
    };
    expect(groups('(?=(\\w{3}))', 'abcde')).toEqual(['abc', 'bcd', 'cde']);
    expect(groups('a(?=b(?=(c)))', 'abc')).toEqual(['c']);
    expect(groups('a(?!(b))', 'ac')).toEqual([undefined]);
  });

  it('does not divide characters beyond the first plane', () => {
    expect([...compileRegex('').findAll('\u{1f600}x')].map((match) => match.start)).toEqual([0, 2, 3]);
    expect([...compileRegex('[^a]').findAll('\u{1f600}\ud83d')].map((match) => match.end)).toEqual([2, 3]);
  });
});

describe('a replacement', () => {
  const replace = (pattern: string, replacement: string, text: string, all?: boolean) =>
    atOnce(new Replacement(replacement, compileRegex(pattern)).apply(text, all));

  it('has groups, names and escaped characters', () => {
    expect(replace('(a)(?<n>b)', '$12\\$${n}$0\\\\', 'xaby')).toBe('xa2$bab\\y');
    expect(replace('(a)|(b)', '<$1|$2>', 'ab')).toBe('<a|><|b>');
    expect(replace('(\\d+)-(?=\\d)', '$1_', '123-456-789')).toBe('123_456_789');
    expect(replace('o', '0', 'foo', false)).toBe('f0o');
    expect(replace('a*', '-', 'baac')).toBe('-b--c-');
  });

  it('tells what it replaces', () => {
    const pieces = new Replacement('$1$1', compileRegex('(b+)')).pieces('abbab');
    expect([...pieces]).toEqual([
      { start: 1, end: 3, text: 'bbbb' },
      { start: 4, end: 5, text: 'bb' },
    ]);
  });

  it.each([
    ['$2', 'No group 2'],
    ['$', 'Illegal group reference: group index is missing'],
    ['$x', 'Illegal group reference'],
    ['\\', 'character to be escaped is missing'],
    ['\u0024{x}', 'No group with name {x}'],
    ['\u0024{1}', 'capturing group name {1} starts with digit character'],
    ['${n', "named capturing group is missing trailing '}'"],
  ])('%s is refused', (replacement, message) => {
    expect(() => new Replacement(replacement, compileRegex('(?<n>a)'))).toThrow(message);
  });
});

/** The answers are those of OpenJDK 17. */
describe('canonical equivalence', () => {
  it.each([
    ['caf\u00e9', 'cafe\u0301', true],
    ['cafe\u0301', 'caf\u00e9', true],
    ['\u1ed5x', 'o\u0302\u0309x', true],
    ['a\u0323\u0301', 'a\u0301\u0323', true],
    ['a\u0323\u0301', '\u1ea1\u0301', true],
    ['a\u0323\u0301', '\u00e1\u0323', true],
    ['\u00e9+', 'e\u0301\u00e9', true],
    ['\uac00', '\u1100\u1161', true],
    ['e', '\u00e9', false],
    ['a\u0301\u0300', 'a\u0300\u0301', false],
  ])('%s matches %s: %s', (pattern, text, matches) => {
    expect(compileRegex(pattern, 'CANON_EQ').matches(text)).toBe(matches);
    expect(compileRegex(pattern).matches(text)).toBe(false);
  });

  it('goes with the case of letters as the other flags say', () => {
    const e = '\u00c9';
    expect(compileRegex(e, 'CANON_EQ|CASE_INSENSITIVE|UNICODE_CASE').matches('e\u0301')).toBe(true);
    expect(compileRegex(e, 'CANON_EQ|CASE_INSENSITIVE').matches('e\u0301')).toBe(true);
    expect(compileRegex(e, 'CANON_EQ|CASE_INSENSITIVE').matches('\u00e9')).toBe(false);
  });
});
