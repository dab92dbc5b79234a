import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileRegex, type Regex } from '../../host/regex/regex.js';

type Case = [pattern: string, text: string, matches: boolean, found: number[][]];

const cases = JSON.parse(
  readFileSync(join(import.meta.dirname, '../fixtures/regex/javaMatches.json'), 'utf8'),
) as Case[];

function found(regex: Regex, text: string): number[][] {
  return [...regex.findAll(text)].map((match) =>
    Array.from({ length: regex.groupCount + 1 }, (_, i) => match.group(i) ?? [-1, -1]).flat(),
  );
}

describe("Java's own matches", () => {
  it('are found, with the same groups', () => {
    expect(cases.length).toBeGreaterThan(800);
    for (const [pattern, text, matches, expected] of cases) {
      const regex = compileRegex(pattern);
      expect([pattern, text, regex.matches(text), found(regex, text)]).toEqual([
        pattern,
        text,
        matches,
        expected,
      ]);
    }
  });
});

/** Whether a pattern takes a text; the answers are those of OpenJDK 17. */
describe('the syntax', () => {
  it.each([
    ['\\u0041\\0101[\\u0042]\\x43\\x{1F600}\\cA', 'AABC\u{1f600}\u0001'],
    ['\\uD83D\\uDE00', '\u{1f600}'],
    ['\\t\\n\\r\\f\\a\\e', '\t\n\r\f\x07\x1b'],
    ['\\s[\\s]\\S', '\v\tx'],
    ['\\h\\v\\H\\V', '\u00a0\u2028ab'],
    ['\\R\\R', '\r\n\n'],
    ['\\p{Alpha}\\P{Alpha}[\\p{Punct}]\\p{IsGreek}\\pL\\p{InCyrillic}\\p{blk=Greek}', 'a1-πéжΩ'],
    ['\\p{javaLowerCase}\\p{IsAlphabetic}\\p{Lu}\\p{gc=Nd}\\p{script=Latn}\\p{LC}\\p{LD}', 'aéÉ1zZ٣'],
    ['\\Q(a\\E(?<name>b)\\Q.', '(ab.'],
    ['[]a]+', ']a'],
    ['[a-c[x-z]&&[^b]]+', 'axc'],
    ['[^a-c&&b-d]+', 'ad'],
    ['[a-z&&[def]&&e]', 'e'],
    ['[a&&[b]c]*', ''],
    ['[\\p{L}&&[^\\p{Lu}]]+', 'éa'],
    ['[a\\-z.$^-]+', '-.$^a'],
    ['a{2,}?\\Z', 'aa'],
    ['a++b*+c?+d{2}+e{1,2}+', 'aaddee'],
    ['(?>abc)(?>a*)b', 'abcaab'],
    ['(?i)É(?u)É(?-i)x', 'Éé' + 'x'],
    ['(?i:a)b|(?i)[x-z]', 'Y'],
    ['(?iu)[α-ω]σ', 'Ας'],
    ['(?x) a b # c\n [x y]', 'aby'],
    ['(?s).(?-s)[^.]', '\n\n'],
    ['(?U)\\w\\d\\b', 'é٣'],
    ['(?m)^a$\\n^b$', 'a\nb'],
    ['x{2}{3}', 'xx'],
    ['a||b', ''],
    ['}]', '}]'],
    ['(?=(a{1,9}))a+', 'aa'],
    ['\\bé\\b', 'é'],
    ['.', '\u{1f600}'],
  ])('%s takes %j', (pattern, text) => {
    expect(compileRegex(pattern).matches(text)).toBe(true);
  });

  it.each([
    ['.', '\u2028'],
    ['(?d)\\R.', '\n\n'],
    ['\\w', 'é'],
    ['(?i)É', 'é'],
    ['a++a', 'aa'],
    ['a{1,3}+a', 'aaa'],
    ['a?+a', 'a'],
    ['(?>a*)a', 'aa'],
    ['[^a[b]]', 'b'],
    ['^', 'x'],
    ['\\P{Alpha}', 'a'],
  ])('%s does not take %j', (pattern, text) => {
    expect(compileRegex(pattern).matches(text)).toBe(false);
  });

  it('has flags by their names', () => {
    expect(compileRegex('.', 'DOTALL').matches('\n')).toBe(true);
    expect(compileRegex('a b # c', 'COMMENTS|CASE_INSENSITIVE').matches('AB')).toBe(true);
    expect(compileRegex('a.', 'literal').matches('ab')).toBe(false);
    expect(compileRegex('É', 'CASE_INSENSITIVE|UNICODE_CASE').matches('é')).toBe(true);
    expect(compileRegex('\\w', 'UNICODE_CHAR_CLASS').matches('é')).toBe(true);
    expect(compileRegex('.', 'UNIX_LINES').matches('\r')).toBe(true);
    expect(compileRegex('^b', 'MULTILINE').exec('a\nb')?.start).toBe(2);
    expect(() => compileRegex('a', 'DOTALL|nosuch')).toThrow('Unknown regex flag [NOSUCH]');
  });

  it('finds line ends where Java does', () => {
    const starts = (pattern: string, text: string) =>
      [...compileRegex(pattern).findAll(text)].map((match) => match.start);
    expect(starts('$', 'a\r\n')).toEqual([1, 3]);
    expect(starts('(?m)$', 'a\r\nb\u0085')).toEqual([1, 4, 5]);
    expect(starts('(?m)^', 'a\r\nb\n')).toEqual([0, 3]);
    expect(starts('(?md)$', 'a\r\n')).toEqual([2, 3]);
    expect(starts('(?m)^', '')).toEqual([]);
    expect(starts('\\b', 'e\u0301 \u0301a')).toEqual([0, 2, 4, 5]);
  });
});

describe('what is wrong with a pattern', () => {
  it.each([
    ['(', 'Unclosed group near index 1\n('],
    ['a)', "Unmatched closing ')' near index 0\na)\n^"],
    [')', "Unmatched closing ')'\n)"],
    ['*', "Dangling meta character '*' near index 0\n*\n^"],
    ['a**', "Dangling meta character '*' near index 2\na**\n  ^"],
    ['[a', 'Unclosed character class near index 1\n[a\n ^'],
    ['[b-a]', 'Illegal character range near index 3\n[b-a]\n   ^'],
    ['a{x', 'Illegal repetition near index 2\na{x\n  ^'],
    ['a{1', 'Unclosed counted closure near index 3\na{1'],
    ['a{2,1}', 'Illegal repetition range near index 5\na{2,1}\n     ^'],
    ['\\y', 'Illegal/unsupported escape sequence near index 1\n\\y\n ^'],
    ['a\\', 'Unexpected internal error near index 2\na\\'],
    ['\\p{Foo}', 'Unknown character property name {Foo} near index 6\n\\p{Foo}\n      ^'],
    ['\\p{', 'Unclosed character family near index 3\n\\p{'],
    ['\\u12', 'Illegal Unicode escape sequence near index 4\n\\u12'],
    ['(?<n>a)(?<n>b)', /^Named capturing group <n> is already defined near index 11\n/],
    ['(?z)', 'Unknown inline modifier near index 2\n(?z)\n  ^'],
    ['(?<=(a|b){1,3})c', /^Look-behind group does not have an obvious maximum length near index 13\n/],
    ['\\k<a>', /^named capturing group <a> does not exist near index 4\n/],
  ])('%s', (pattern, detail) => {
    expect(() => compileRegex(pattern)).toThrow(
      expect.objectContaining({
        exception: 'PatternSyntaxException',
        detail: detail instanceof RegExp ? expect.stringMatching(detail) : detail,
      }),
    );
  });

  it.each(['(a)\\1', '(?<n>a)\\k<n>', '(?>a|ab)', '(?:ab)*+', '(?<=(a))b', '(?=.*(a))', '\\X'])(
    '%s is refused',
    (pattern) => {
      expect(() => compileRegex(pattern)).toThrow(/is not supported/);
    },
  );

  it.each(['(a{1000}){1000}', 'a'.repeat(40_000), '('.repeat(300) + ')'.repeat(300), '(a)'.repeat(2000)])(
    'what is too large is refused',
    (pattern) => {
      expect(() => compileRegex(pattern)).toThrow(/is too large/);
    },
  );
});
