import { describe, expect, test } from 'vitest';
import { printed } from './printed.js';

const parsed = (query: string, more: object = {}) =>
  printed({ query_string: { query, default_field: 'plain', ...more } });

describe('the classic syntax', () => {
  test.each([
    ['red fox', 'plain:red plain:fox'],
    ['red AND fox', '+plain:red +plain:fox'],
    ['red && fox', '+plain:red +plain:fox'],
    ['red OR fox', 'plain:red plain:fox'],
    ['red || fox AND mill', 'plain:red +plain:fox +plain:mill'],
    ['red AND fox OR mill', '+plain:red +plain:fox plain:mill'],
    ['+red -fox !mill', '+plain:red -plain:fox -plain:mill'],
    ['red NOT fox', 'plain:red -plain:fox'],
    ['NOT red', '-plain:red +ConstantScore(*:*)'],
    ['(red OR old) AND mill', '+(plain:red plain:old) +plain:mill'],
    ['((red))', 'plain:red'],
    ['(red fox)^2', '(plain:red plain:fox)^2.0'],
    ['other:red plain', 'other:red plain:plain'],
    ['other:(red fox)', 'other:red other:fox'],
    ['nosuch:red', 'nosuch:red'],
    ['"red fox"', '(plain:"red fox")'],
    ['"red fox"~2^3', '(plain:"red fox"~2)^3.0'],
    ['"red fox"~1.9', '(plain:"red fox"~1)'],
    ['fox^0.5', 'plain:fox^0.5'],
    ['ri?er', 'plain:ri?er'],
    ['RIV*', 'plain:riv*'],
    ['*iver', 'plain:*iver'],
    ['*', 'ConstantScore(cache(BooleanFilter(_field_names:plain)))'],
    ['*:*', 'ConstantScore(*:*)'],
    ['_exists_:other', 'ConstantScore(cache(BooleanFilter(_field_names:other)))'],
    ['_missing_:other', 'ConstantScore(cache(NotFilter(cache(BooleanFilter(_field_names:other)))))'],
    ['/R.ver/', 'plain:/r.ver/'],
    ['//', 'plain://'],
    ['/a\\/b/', 'plain:/a\\/b/'],
    ['fox~ mill~1 hen~0.5', 'plain:fox~2 plain:mill~1 plain:hen~1'],
    ['n:[1 TO 5}', 'n:[1 TO 5}'],
    ['n:{1 5]', 'n:{1 TO 5]'],
    ['d:[* TO 2]', 'd:[* TO 2.0]'],
    ['n:>=3', 'n:[3 TO *]'],
    ['n:<3', 'n:[* TO 3}'],
    ['n:(+>5 +<7)', '+n:{5 TO *] +n:[* TO 7}'],
    ['at:[2014-01-01 TO 2014-01-02]', 'at:[1388534400000 TO 1388707199999]'],
    ['key:["A B" TO B]', 'key:[a b TO b]'],
    ['red\\ fox', 'plain:red plain:fox'],
    ['\\(red\\)', 'plain:red'],
    ['\\u0072ed', 'plain:red'],
    ['red and fox', 'plain:red plain:and plain:fox'],
    ['+ red', 'plain:red'],
    ['a-b', 'plain:a plain:b'],
    ['', 'MatchNoDocsQuery'],
    ['  ', 'MatchNoDocsQuery'],
  ])('%s', (query, expected) => expect(parsed(query)).toBe(expected));

  test.each([
    ['red fox', { default_operator: 'and' }, '+plain:red +plain:fox'],
    ['red OR fox mill', { default_operator: 'AND' }, 'plain:red plain:fox +plain:mill'],
    ['a b c', { minimum_should_match: '70%' }, '(plain:a plain:b plain:c)~2'],
    ['a-b', { auto_generate_phrase_queries: true, phrase_slop: 2 }, 'plain:"a b"~2'],
    ['RIV*', { lowercase_expanded_terms: false }, 'plain:RIV*'],
    ['Foo-B*r', { analyze_wildcard: true }, 'plain:foo*r'],
    ['a b', { escape: true, boost: 2 }, '(plain:a plain:b)^2.0'],
    ['(a', { escape: true }, 'plain:a'],
    ['n:x', { lenient: true }, ''],
    ['red', { fields: ['plain', 'other^3'] }, '(plain:red | other:red^3.0)'],
    ['ri*', { fields: ['plain', 'other'], tie_breaker: 0.5 }, '(plain:ri* | other:ri*)~0.5'],
    ['red', { fields: ['plain', 'other'], use_dis_max: false }, 'plain:red other:red'],
    ['red', { fields: ['oth*'] }, 'other:red'],
    ['"a b" c', { analyzer: 'keyword' }, '(plain:a b) plain:c'],
    ['foo~', { fuzziness: 1, fuzzy_prefix_length: 1 }, 'plain:foo~0'],
  ])('%s with %j', (query, options, expected) => expect(parsed(query, options)).toBe(expected));
});

describe('texts that are no query', () => {
  const starts =
    '<BAREOPER> ...|"(" ...|"*" ...|<QUOTED> ...|<TERM> ...|<PREFIXTERM> ...|<WILDTERM> ...|<REGEXPTERM> ...|"[" ...|"{" ...|<NUMBER> ...';
  const modified = `<NOT> ...|"+" ...|"-" ...|${starts}|<TERM> ...|"*" ...`;
  const list = (kinds: string) => `${kinds.replaceAll('|', '\n    ')}\n    `;

  test.each([
    ['a AND', `Encountered "<EOF>" at line 1, column 5.\nWas expecting one of:\n    ${list(modified)}`],
    ['AND', `Encountered " <AND> "AND "" at line 1, column 0.\nWas expecting one of:\n    ${list(modified)}`],
    [
      '++red',
      `Encountered " "+" "+ "" at line 1, column 1.\nWas expecting one of:\n    ${list(`${starts}|<TERM> ...|"*" ...`)}`,
    ],
    ['/unclosed', 'Lexical error at line 1, column 10.  Encountered: <EOF> after : "/unclosed"'],
    ['a/b', 'Lexical error at line 1, column 4.  Encountered: <EOF> after : "/b"'],
    ['a^x b', 'Lexical error at line 1, column 3.  Encountered: "x" (120), after : ""'],
    ['a\\', 'Lexical error at line 1, column 3.  Encountered: <EOF> after : ""'],
    ['\\uzzzz', 'Non-hex character in Unicode escape sequence: z'],
    ['\\u00', 'Truncated unicode escape sequence.'],
  ])('%s', (query, message) => {
    expect(parsed(query)).toBe(
      `org.elasticsearch.index.query.QueryParsingException: [i] Failed to parse query [${query}]; org.apache.lucene.queryparser.classic.ParseException: Cannot parse '${query}': ${message}`,
    );
  });

  test.each(['(a', 'a)', '[a TO', 'a:b:c', '"a', 'x ]', '"a"~x"', 'a^', '{1 TO 2'])('%s', (query) => {
    expect(parsed(query)).toContain('ParseException: Cannot parse');
  });

  test('parentheses have a depth', () => {
    expect(parsed(`${'('.repeat(5000)}a${')'.repeat(5000)}`)).toContain('Cannot parse');
  });

  test('leading wildcards may be refused', () => {
    expect(parsed('*ill', { allow_leading_wildcard: false })).toContain(
      "Cannot parse '*ill': '*' or '?' not allowed as first character in WildcardQuery",
    );
  });
});
