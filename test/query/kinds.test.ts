import { describe, expect, test } from 'vitest';
import { printed } from './printed.js';

const parsing = (detail: string) => `org.elasticsearch.index.query.QueryParsingException: [i] ${detail}`;
const failing = (name: string, detail: string) => parsing(`Failed to parse; ${name}: ${detail}`);
const a = { span_term: { plain: 'a' } };
const b = { span_term: { plain: { value: 'b', boost: 2 } } };

describe('queries print as Lucene prints them', () => {
  test.each([
    [{ match: { plain: { query: 'abc ab', fuzziness: 'AUTO' } } }, 'plain:abc~1 plain:ab~0'],
    [{ match: { plain: { query: 'Old Mi', type: 'phrase_prefix' } } }, 'plain:"old mi*"'],
    [{ match_phrase_prefix: { nosuch: { query: 'a b', slop: 2 } } }, 'nosuch:"a b*"~2'],
    [{ match: { plain: { query: 'the mill', cutoff_frequency: 0.1 } } }, 'plain:the, plain:mill'],
    [
      { multi_match: { query: 'a b', fields: ['plain', 'other^2'], type: 'cross_fields' } },
      'blended(terms:[other:a, plain:a]) blended(terms:[other:b, plain:b])',
    ],
    [{ term: { n: 5 } }, 'ConstantScore(n:`\b\u0000\u0000\u0000\u0005)'],
    [{ term: { d: 5.5 } }, 'ConstantScore(d: \u0001@\u000b\u0000\u0000\u0000\u0000\u0000\u0000\u0000)'],
    [{ range: { f: { gt: 1.5 } } }, 'f:{1.5 TO *]'],
    [{ range: { at: { gte: '03/02/2014', format: 'dd/MM/yyyy' } } }, 'at:[1391385600000 TO *]'],
    [{ range: { key: { gte: 'a', lt: '*', boost: 2 } } }, 'key:[a TO \\*}^2.0'],
    [{ prefix: { plain: { value: 'ri', boost: 2 } } }, 'plain:ri*^2.0'],
    [{ wildcard: { plain: { wildcard: 'r?v*' } } }, 'plain:r?v*'],
    [{ regexp: { plain: { value: 'r.v', flags: 'NONE' } } }, 'plain:/r.v/'],
    [{ fuzzy: { plain: 'fox' } }, 'plain:fox~1'],
    [{ fuzzy: { n: { value: 25, fuzziness: 2 } } }, 'n:[23 TO 27]'],
    [{ fuzzy: { at: { value: '2014-01-02', fuzziness: '1d' } } }, 'at:[1388534400000 TO 1388707200000]'],
    [
      {
        boosting: {
          positive: { term: { plain: 'a' } },
          negative: { term: { plain: 'b' } },
          negative_boost: 0.2,
        },
      },
      'plain:a/plain:b^0.0',
    ],
    [{ common: { plain: { query: 'the old mill' } } }, 'plain:the, plain:old, plain:mill'],
    [{ span_near: { clauses: [a, b], slop: 2 } }, 'spanNear([plain:a, plain:b^2.0], 2, true)'],
    [{ span_or: { clauses: [a, b] } }, 'spanOr([plain:a, plain:b^2.0])'],
    [{ span_not: { include: a, exclude: b, dist: 1 } }, 'spanNot(plain:a, plain:b^2.0, 1, 1)'],
    [{ span_first: { match: a, end: 3 } }, 'spanFirst(plain:a, 3)'],
    [{ span_multi: { match: { prefix: { plain: 'x' } } } }, 'SpanMultiTermQueryWrapper(plain:x*)'],
    [{ field_masking_span: { query: a, field: 'other' } }, 'mask(plain:a) as other'],
    [{ more_like_this: { fields: ['plain'], like_text: 'a b' } }, 'like:[a b]'],
    [{ indices: { index: 'i', query: { match: { plain: 'x' } } } }, 'plain:x'],
    [
      { indices: { index: 'j', query: { match: { plain: 'x' } }, no_match_query: 'none' } },
      'MatchNoDocsQuery',
    ],
    [{ wrapper: { query: btoa('{"match_all":{}}') } }, 'ConstantScore(*:*)'],
    [{ template: { query: { match: { plain: '{{w}}' } }, params: { w: 'tea' } } }, 'plain:tea'],
    [{ function_score: { query: { term: { plain: 'a' } } } }, 'function score (plain:a,function=null)'],
    [{ bool: { should: [{ simple_query_string: { query: '' } }, { term: { plain: 'a' } }] } }, 'plain:a'],
  ])('%j', (query, expected) => expect(printed(query)).toBe(expected));

  test('types of the URL are a filter', () => {
    expect(printed({ match: { plain: 'x' } }, { types: ['t'] })).toBe('filtered(plain:x)->cache(_type:t)');
    expect(printed({ match_all: {} }, { types: ['t'] })).toBe('ConstantScore(cache(_type:t))');
  });
});

describe('filters print as 1.7 prints them', () => {
  test.each([
    [{ term: { key: 'a' } }, 'cache(key:a)'],
    [{ term: { key: 'a', _cache: false } }, 'key:a'],
    [{ terms: { key: ['b', 'a'] } }, 'cache(key:a key:b)'],
    [{ and: [{ term: { key: 'a' } }, { type: { value: 't' } }] }, '+cache(key:a) +cache(_type:t)'],
    [{ or: [{ prefix: { key: 'a' } }] }, 'cache(PrefixFilter(key:a))'],
    [{ not: { exists: { field: 'key' } } }, 'NotFilter(cache(BooleanFilter(_field_names:key)))'],
    [
      { bool: { must_not: { term: { key: 'a' } }, must: { range: { n: { gt: 1 } } } } },
      'BooleanFilter(-cache(key:a) +cache(n:{1 TO *]))',
    ],
    [{ query: { match: { plain: 'a b' } } }, 'QueryWrapperFilter(plain:a plain:b)'],
    [{ regexp: { key: 'a.' } }, 'cache(key:a.)'],
    [{ ids: { values: ['1'] } }, '_uid:t#1'],
    [{ match_all: {} }, '*:*'],
  ])('%j', (filter, expected) => {
    expect(printed({ filtered: { filter } })).toBe(`ConstantScore(${expected})`);
  });
});

describe('what 1.7 refuses', () => {
  const illegal = (detail: string) =>
    failing('org.elasticsearch.ElasticsearchIllegalArgumentException', detail);
  const unparsed = (detail: string) => failing('org.elasticsearch.ElasticsearchParseException', detail);
  const score = (body: object) => ({ function_score: { query: { match_all: {} }, ...body } });
  test.each([
    [{ match: { plain: { query: 'x', type: 'y' } } }, parsing('[match] query does not support type y')],
    [{ match: { plain: { query: 'x', fuzzy_rewrite: 'y' } } }, illegal('Failed to parse rewrite_method [y]')],
    [{ regexp: { plain: { value: 'a', flags: 'x' } } }, illegal('Unknown regexp flag [x]')],
    [{ common: {} }, parsing('[common] query malformed, no field')],
    [
      { span_near: { clauses: [{ term: { plain: 'a' } }], slop: 1 } },
      parsing('spanNear [clauses] must be of type span query'),
    ],
    [{ span_or: { clauses: [] } }, parsing('spanOr must include [clauses]')],
    [
      { span_multi: { match: { match: { plain: 'a' } } } },
      parsing('spanMultiTerm [match] must be of type multi term query'),
    ],
    [
      { more_like_this: { fields: ['n'], like_text: '5' } },
      illegal("more_like_this doesn't support binary/numeric fields: [n]"),
    ],
    [
      { more_like_this: {} },
      parsing("more_like_this requires at least 'like_text' or 'ids/docs' to be specified"),
    ],
    [score({ bell: {} }), parsing('No function with the name [bell] is registered.')],
    [score({ boost_mode: 'x', weight: 1 }), parsing('function_score illegal boost_mode [x]')],
    [
      score({ gauss: { n: { scale: 10 } } }),
      unparsed('Both scale and origin must be set for numeric fields.'),
    ],
    [score({ gauss: { n: { origin: 1, scale: 0 } } }), illegal('function_score : scale must be > 0.0.')],
    [score({ gauss: { nosuch: { origin: 1, scale: 1 } } }), parsing('Unknown field [nosuch]')],
    [
      score({ random_score: { seed: 7.5 } }),
      parsing("random_score seed must be an int, long or string, not 'VALUE_NUMBER'"),
    ],
    [{ nested: { path: 'x', query: {} } }, parsing('[nested] failed to find nested object under path [x]')],
    [
      { has_child: { type: 'x', query: { match_all: {} } } },
      parsing('[has_child] No mapping for for type [x]'),
    ],
  ])('%j', (query, expected) => expect(printed(query)).toBe(expected));
});

test('terms are looked up in another document', () => {
  const source = (index: string, type: string, id: string) =>
    `${index}/${type}/${id}` === 'u/user/2' ? { follows: [{ name: 'b' }, { name: 'a' }] } : undefined;
  const lookup = { index: 'u', type: 'user', id: '2', path: 'follows.name' };
  const query = { filtered: { filter: { terms: { key: lookup } } } };
  expect(printed(query, { source })).toBe('ConstantScore(cache(key:a key:b))');
  expect(printed({ filtered: { filter: { terms: { key: { ...lookup, id: '3' } } } } }, { source })).toBe(
    'ConstantScore(MatchNoDocsQuery)',
  );
});
