import { describe, expect, test } from 'vitest';
import { compileSearch } from '../../host/searchBody/compile.js';
import { ElasticsearchError } from '../../host/errors.js';
import { contextOf, modelOf } from '../model/support.js';

const model = modelOf({
  t: {
    properties: {
      s: { type: 'string' },
      n: { type: 'long' },
      d: { type: 'date' },
    },
  },
});

function errorOf(body: unknown): string {
  try {
    compileSearch(body, contextOf(model));
  } catch (error) {
    if (error instanceof ElasticsearchError) return `${error.status} ${error.render()}`;
    throw error;
  }
  return 'no error';
}

const parsing = (text: string) => `400 QueryParsingException[[i] ${text}]`;

describe('queries that 1.7 refuses are refused in its words', () => {
  test.each([
    [{ nosuch: {} }, parsing('No query registered for [nosuch]')],
    [{ exists: { field: 's' } }, parsing('No query registered for [exists]')],
    [{}, parsing('[_na] query malformed, no field after start_object')],
    [[], parsing('[_na] query malformed, must start with start_object')],
    [{ match: 'x' }, parsing('[_na] query malformed, no field after start_object')],
    [
      { match_all: {}, match: { s: 'a' } },
      '400 ElasticsearchParseException[Expected field name but got START_OBJECT "match"]',
    ],
    [
      { bool: { must: { match_all: {}, match: { s: 'a' } } } },
      parsing('[_na] query malformed, no field after start_object'),
    ],
    [
      { bool: { should: [{ match_all: {}, match: { s: { query: 'a' } } }] } },
      parsing('No query registered for [s]'),
    ],
    [
      { filtered: { filter: { exists: { field: 's' }, term: { s: 'a' } } } },
      parsing('[_na] filter malformed, no field after start_object'),
    ],
    [
      { constant_score: { filter: { exists: { field: 's' }, range: { n: { gt: 1 } } } } },
      parsing('No filter registered for [n]'),
    ],
    ...(
      [
        [{ bool: { must: { term: { s: 'a' }, boost: 2 } } }, '[bool] query does not support [must]'],
        [
          { bool: { must: [{ term: { s: 'a' }, boost: 2 }] } },
          '[_na] query malformed, must start with start_object',
        ],
        [
          { filtered: { filter: { term: { s: 'a' }, _cache: true } } },
          '[filtered] query does not support [filter]',
        ],
        [
          { filtered: { filter: { bool: { should: { term: { s: 'a' }, x: 1 } } } } },
          '[bool] filter does not support [should]',
        ],
        [
          { filtered: { filter: { and: [{ term: { s: 'a' }, x: 1 }] } } },
          '[_na] filter malformed, must start with start_object',
        ],
        [
          { constant_score: { filter: { term: { s: 'a' }, boost: 2 } } },
          '[constant_score] query does not support [filter]',
        ],
        [
          { function_score: { query: { term: { s: 'a' }, boost: 2 } } },
          '[_na] query malformed, must start with start_object',
        ],
        [
          { function_score: { functions: [{ filter: { term: { s: 'a' }, x: 2 }, weight: 2 }] } },
          '[_na] filter malformed, must start with start_object',
        ],
        [
          { boosting: { positive: { term: { s: 'a' }, x: 2 }, negative: {}, negative_boost: 1 } },
          '[boosting] query does not support [positive]',
        ],
        [
          { constant_score: { filter: { not: { filter: { term: { s: 'a' }, x: 2 } } } } },
          '[not] filter does not support [filter]',
        ],
        [
          { constant_score: { filter: { fquery: { query: { term: { s: 'a' }, x: 2 }, _cache: true } } } },
          '[fquery] filter does not support [query]',
        ],
      ] as const
    ).map(([query, text]): [object, string] => [query, parsing(text)]),
    [{ match_all: { x: 1 } }, parsing('[match_all] query does not support [x]')],
    [{ match: {} }, parsing('[match] query malformed, no field')],
    [{ match: { s: { query: 'a', nosuch: 1 } } }, parsing('[match] query does not support [nosuch]')],
    [{ match: { s: {} } }, parsing('No text specified for text query')],
    [{ match: { s: { text: 'a' } } }, parsing('[match] query does not support [text]')],
    [{ range: { n: { gt: { value: 1 } } } }, parsing('[range] query does not support [value]')],
    [{ indices: { names: ['i'] } }, parsing('[indices] query does not support [names]')],
    [
      { query_string: { query: 'a', locale: 'a_b_c_d' } },
      "400 ElasticsearchIllegalArgumentException[Can't parse locale: [a_b_c_d]]",
    ],
    ...[
      ['exists', { name: 's' }, 'name'],
      ['missing', { name: 's' }, 'name'],
      ['fquery', { match: {} }, 'match'],
      ['indices', { names: [] }, 'names'],
      ['and', { term: { s: 'a' } }, 's'],
      ['or', { all: [], some: 1 }, 'some'],
      ['not', { field: 's' }, 'field'],
    ].map(([name, body, unknown]): [object, string] => [
      { constant_score: { filter: { [name as string]: body } } },
      parsing(`[${name}] filter does not support [${unknown}]`),
    ]),
    [
      { match: { s: { query: 'a', operator: 'xor' } } },
      parsing("text query requires operator to be either 'and' or 'or', not [xor]"),
    ],
    [
      { match: { s: { query: 'a', zero_terms_query: 'some' } } },
      parsing('Unsupported zero_terms_docs value [some]'),
    ],
    [{ match: { n: 'many' } }, '400 NumberFormatException[For input string: "many"]'],
    [{ match: { d: 'not a date' } }, '400 IllegalArgumentException[Invalid format: "not a date"]'],
    [{ multi_match: { query: 'a' } }, parsing('No fields specified for multi_match query')],
    [{ multi_match: { fields: ['s'] } }, parsing('No text specified for multi_match query')],
    [{ multi_match: { query: 'a', fields: ['s^x'] } }, '400 NumberFormatException[For input string: "x"]'],
    [
      { multi_match: { query: 'a', fields: ['s'], type: 'nosuch' } },
      '400 ElasticsearchParseException[No type found for value: nosuch]',
    ],
    [{ term: {} }, parsing('[term] query malformed, no field')],
    [{ term: { n: {} } }, parsing('No value specified for term query')],
    [{ term: { n: '1.5' } }, '400 NumberFormatException[For input string: "1.5"]'],
    [{ terms: { s: 'a' } }, parsing('[terms] query does not support [s]')],
    [{ bool: { filter: {} } }, parsing('[bool] query does not support [filter]')],
    [{ dis_max: {} }, parsing("[dis_max] requires 'queries' field")],
    [{ constant_score: {} }, parsing("[constant_score] requires either 'filter' or 'query' element")],
    [{ filtered: { filter: 'x' } }, parsing('[filtered] query does not support [filter]')],
    [{ filtered: { filter: { match: { s: 'a' } } } }, parsing('No filter registered for [match]')],
    [
      { filtered: { filter: { bool: {} } } },
      parsing('[bool] filter has no inner should/must/must_not elements'),
    ],
    [
      { filtered: { filter: { range: { d: { gte: 'x' } } } } },
      '400 ElasticsearchParseException[failed to parse date field [x], tried both date format [dateOptionalTime], and timestamp number]; nested: IllegalArgumentException[Invalid format: "x"]; ',
    ],
    [{ range: { n: 5 } }, parsing('[range] query malformed, after field missing start object')],
    [{ range: { n: { nosuch: 5 } } }, parsing('[range] query does not support [nosuch]')],
    [
      { range: { n: { gte: 5, time_zone: '+01:00' } } },
      parsing('[range] time_zone can not be applied to non date field [n]'),
    ],
    [{ ids: {} }, parsing('[ids] query, no ids values provided')],
    [{ __proto__: {}, constructor: {} }, parsing('No query registered for [constructor]')],
  ])('%j', (query, error) => expect(errorOf({ query })).toBe(error));
});

describe('bounds', () => {
  const term = { term: { s: 'a' } };
  const tooMany = '400 TooManyClauses[maxClauseCount is set to 1024]';
  test('1024 clauses', () => {
    const list = (n: number) => Array.from({ length: n }, () => term);
    expect(errorOf({ query: { bool: { should: list(1024) } } })).toBe('no error');
    expect(errorOf({ query: { bool: { should: list(1025) } } })).toBe(tooMany);
    expect(errorOf({ query: { terms: { s: Array(1025).fill('a') } } })).toBe(tooMany);
    expect(errorOf({ query: { match: { s: Array(1025).fill('a').join(' ') } } })).toBe(tooMany);
    expect(errorOf({ query: { constant_score: { filter: { terms: { s: Array(2000).fill('a') } } } } })).toBe(
      'no error',
    );
  });

  test('depth and size', () => {
    let deep: unknown = term;
    for (let i = 0; i < 63; i++) deep = { bool: { must: [deep], must_not: [term] } };
    expect(errorOf({ query: deep })).toBe('no error');
    expect(errorOf({ query: { bool: { must: deep } } })).toContain('levels deep');
    for (let i = 0; i < 10_000; i++) deep = { bool: { must: deep } };
    expect(errorOf({ query: deep })).toContain('levels deep');
    const wide = { bool: { should: Array(1000).fill({ bool: { should: Array(20).fill(term) } }) } };
    expect(errorOf({ query: wide })).toContain('too complex');
  });
});

describe('the search body', () => {
  test('from, size, _source, version', () => {
    const search = compileSearch(
      { from: '5', size: 20, _source: { include: ['a.*'], exclude: 'b' }, version: true },
      contextOf(model),
    );
    expect(search).toMatchObject({
      from: 5,
      size: 20,
      k: 25,
      version: true,
      perShard: false,
      source: { enabled: true, includes: ['a.*'], excludes: ['b'] },
    });
    expect(compileSearch(undefined, contextOf(model))).toMatchObject({
      from: 0,
      size: 10,
      tree: { root: { kind: 'all' } },
    });
    expect(compileSearch({ _source: false }, contextOf(model)).source.enabled).toBe(false);
  });

  test('plans with ids are made for each shard', () => {
    const search = compileSearch({ query: { ids: { values: ['b', 'a', 'x'] } } }, contextOf(model));
    expect(search.perShard).toBe(true);
    const keys = new Map([
      ['t#a', 3],
      ['t#b', 9],
    ]);
    const bytes = search.plan({
      number: 0,
      documents: { visibleKey: (uid) => keys.get(uid), visibleKeys: () => [] },
    });
    expect([...bytes.slice(-16)]).toEqual([3, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0]);
  });

  test.each([
    [{ nosuch: 1 }, '400 SearchParseException[No parser for element [nosuch]]'],
    [
      { size: -1 },
      '400 SearchParseException[size is set to [-1] and is expected to be higher or equal to 0]',
    ],
    [
      { from: -1 },
      '400 SearchParseException[from is set to [-1] and is expected to be higher or equal to 0]',
    ],
    [{ size: 'a' }, '400 NumberFormatException[For input string: "a"]'],
    [
      { timeout: 'x' },
      '400 ElasticsearchParseException[Failed to parse [x]]; nested: NumberFormatException[For input string: "x"]; ',
    ],
    [{ _source: { x: 1 } }, '400 ElasticsearchParseException[Source definition may not contain x]'],
  ])('%j', (body, error) => expect(errorOf(body)).toBe(error));
});
