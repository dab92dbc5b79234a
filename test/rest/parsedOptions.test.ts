import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

/** How the parsers of queries and filters go through their options. Expectations are those of Elasticsearch 1.7.3. */

let resilin: Resilin;
const call = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);
/** The ids that are found, or what is wrong. */
const asked = async (query: unknown) => {
  const { status, body } = await call('POST', '/i/_search', { query, sort: '_uid' });
  if (status !== 200) return /nested: (.*); }\]$/.exec((body as { error: string }).error)?.[1];
  return (body as { hits: { hits: { _id: string }[] } }).hits.hits.map(({ _id }) => _id).join();
};
const filtered = (filter: unknown) => asked({ filtered: { filter } });
const refused = (detail: string) => `QueryParsingException[[i] ${detail}]`;
const named = async (query: unknown) => {
  const { body } = await call('POST', '/i/_search', { query });
  return (body as { hits: { hits: { matched_queries?: string[] }[] } }).hits.hits.map(
    (hit) => hit.matched_queries,
  );
};
const ALL = { match_all: {} };

beforeAll(async () => {
  resilin = await createEngine();
  const settings = { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1' };
  const n = { type: 'integer' };
  await call('PUT', '/i', { settings, mappings: { t: { properties: { n } } } });
  await call('PUT', '/i/t/1', { title: 'quick fox', n: 1 });
  await call('PUT', '/i/t/2?refresh=true', { title: 'lazy dog', n: 2 });
});
afterAll(() => resilin.close());

describe('lists where scalars or objects belong', () => {
  it('are looked through by most parsers, to the last value', async () => {
    expect(await asked({ match: { title: { query: ['lazy', ['quick']] } } })).toBe('1');
    expect(await filtered({ exists: { field: ['title'] } })).toBe('1,2');
    expect(await asked({ filtered: { query: [] } })).toBe('1,2');
    expect(await asked({ filtered: { query: [{ term: { title: 'fox' } }] } })).toBe('1');
    expect(await filtered({ term: { title: [['dog']] } })).toBe('2');
    expect(await filtered({ range: { n: [{ gte: 2 }] } })).toBe('2');
    expect(await filtered({ prefix: { title: ['qui'] } })).toBe('1');
    expect(await asked({ has_child: { type: 't', query: ALL, nosuch: [] } })).toBe(
      refused('[has_child]  Type [t] does not have parent mapping'),
    );
  });

  it('are refused by those that look for lists', async () => {
    expect(await asked({ bool: { must: ALL, boost: [1] } })).toBe(
      refused('bool query does not support [boost]'),
    );
    expect(await asked({ ids: { values: ['1'], boost: [1] } })).toBe(
      refused('[ids] query does not support [boost]'),
    );
    expect(await asked({ query_string: { query: ['fox'] } })).toBe(
      refused('[query_string] query does not support [query]'),
    );
    expect(await asked({ simple_query_string: { query: ['fox'] } })).toBe(
      refused('[simple_query_string] query does not support [query]'),
    );
    expect(await asked({ prefix: { title: { value: ['qui'] } } })).toBe(
      refused('[prefix] query does not support [value]'),
    );
  });

  it('are brackets to those that take whatever comes', async () => {
    expect(await asked({ term: { title: { value: ['fox'] } } })).toBe('');
    expect(await asked({ term: { n: { value: [1] } } })).toBe('NumberFormatException[For input string: "]"]');
    expect(await asked({ wildcard: { title: { value: ['*'] } } })).toBe('');
    expect(await asked({ term: { title: ['fox'] } })).toContain(
      'Expected field name but got END_ARRAY "title"',
    );
  });
});

describe('nulls', () => {
  it('are read over by most parsers', async () => {
    expect(await asked({ bool: { should: null } })).toBe('1,2');
    expect(await asked({ bool: { nosuch: null, must: { term: { n: 1 } } } })).toBe('1');
    expect(await filtered({ terms: { title: ['fox'], _cache: null, nosuch: null } })).toBe('1');
    expect(await asked({ query_string: { query: 'fox', fields: null, nosuch: null } })).toBe('1');
  });

  it('are texts to those that take whatever comes', async () => {
    expect(await asked({ term: { title: null } })).toBe('');
    expect(await asked({ term: { title: { value: null } } })).toBe(
      refused('No value specified for term query'),
    );
    expect(await asked({ wildcard: { title: null } })).toBe('');
    expect(await asked({ prefix: { title: { value: 'f', nosuch: null } } })).toBe(
      refused('[prefix] query does not support [nosuch]'),
    );
  });

  it('are read over ahead of a query or filter in a list', async () => {
    const fox = { term: { title: 'fox' } };
    expect(await asked({ bool: { should: [null, fox] } })).toBe('1');
    expect(await asked({ bool: { must: [[fox], 'x', { term: { n: 1 } }] } })).toBe('1');
    expect(await filtered({ and: [5, fox] })).toBe('1');
    expect(await filtered({ bool: { must_not: [null, fox] } })).toBe('2');
    expect(await asked({ bool: { should: [fox, null] } })).toBe(
      refused('[_na] query malformed, must start with start_object'),
    );
    expect(await asked({ dis_max: { queries: [null, fox] } })).toBe(
      refused('[_na] query malformed, must start with start_object'),
    );
  });
});

describe('options', () => {
  it('that name or cache are taken by some and refused by others', async () => {
    const name = { _name: 'n' };
    expect(await asked({ match_all: name })).toBe(refused('[match_all] query does not support [_name]'));
    expect(await asked({ constant_score: { query: ALL, ...name } })).toBe(
      refused('[constant_score] query does not support [_name]'),
    );
    expect(await asked({ constant_score: { filter: ALL, _cache: true } })).toBe('1,2');
    expect(await asked({ boosting: { positive: ALL, negative: ALL, negative_boost: 1, ...name } })).toBe(
      refused('[boosting] query does not support [_name]'),
    );
    expect(await asked({ function_score: name })).toBe(
      refused('No function with the name [_name] is registered.'),
    );
    expect(await asked({ bool: { must: ALL, _cache: true } })).toBe(
      refused('[bool] query does not support [_cache]'),
    );
    for (const kind of ['exists', 'missing'])
      expect(await filtered({ [kind]: { field: 'n', _cache: true } })).toBe(
        refused(`[${kind}] filter does not support [_cache]`),
      );
    expect(await filtered({ ids: { values: ['1'], _cache: true } })).toBe(
      refused('[ids] filter does not support [_cache]'),
    );
    expect(await filtered({ limit: { value: 5, ...name } })).toBe(
      refused('[limit] filter does not support [_name]'),
    );
    expect(await filtered({ and: { filters: [ALL], ...name, _cache: true } })).toBe('1,2');
  });

  it('that are unknown are read over by prefix and regexp', async () => {
    expect(await asked({ prefix: { title: { value: 'qui', nosuch: 1 } } })).toBe('1');
    expect(await asked({ regexp: { title: { value: 'qui.*', nosuch: 1 } } })).toBe('1');
    expect(await asked({ wildcard: { title: { value: 'qui*', nosuch: 1 } } })).toBe(
      refused('[wildcard] query does not support [nosuch]'),
    );
  });

  it('of later versions are refused', async () => {
    expect(await asked({ simple_query_string: { query: 'fox', boost: 2 } })).toBe(
      refused('[simple_query_string] unsupported field [boost]'),
    );
    expect(await asked({ more_like_this: { fields: ['title'], like: 'fox' } })).toBe(
      refused('[mlt] query does not support [like]'),
    );
    expect(await asked({ indices: { indices: 'i', query: ALL } })).toBe(
      refused('[indices] query does not support [indices]'),
    );
    expect(await asked({ indices: { index: ['i'], query: ALL } })).toBe(
      refused('[indices] query does not support [index]'),
    );
  });

  it('beside the one field of a query are no options', async () => {
    expect(await asked({ term: { title: 'fox', n: 1 } })).toContain(
      'Expected field name but got VALUE_NUMBER',
    );
    expect(await asked({ match: { title: 'fox', _name: 'n' } })).toContain(
      '[match] query parsed in simplified form',
    );
    expect(await asked({ terms: { title: ['fox'], n: [1] } })).toBe(
      refused('[terms] query does not support multiple fields'),
    );
  });
});

describe('names', () => {
  it('are told of filtered queries that stay ones', async () => {
    const filter = { exists: { field: 'n' } };
    const fox = { term: { title: 'fox' } };
    expect(await named({ filtered: { filter, _name: 'n' } })).toEqual([undefined, undefined]);
    expect(await named({ filtered: { query: fox, filter, _name: 'n' } })).toEqual([['n']]);
    expect(await named({ filtered: { query: fox, _name: 'n' } })).toEqual([undefined]);
  });
});

describe('function_score', () => {
  it('takes one weight of a function', async () => {
    expect(await asked({ function_score: { functions: [{ weight: 2, boost_factor: 3 }] } })).toBe(
      "ElasticsearchIllegalArgumentException['boost_factor' and 'weight' cannot be used together. Use 'weight'.]",
    );
  });

  it('keeps its boost and the least score without a function', async () => {
    const scored = async (rest: object) => {
      const query = { function_score: { query: { term: { title: 'fox' } }, ...rest } };
      const { body } = await call('POST', '/i/_search', { query });
      return (body as { hits: { total: number } }).hits.total;
    };
    expect(await scored({})).toBe(1);
    expect(await scored({ min_score: 100 })).toBe(0);
    expect(await scored({ functions: [], min_score: 0 })).toBe(1);
  });
});
