import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

let resilin: Resilin;
const call = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);
const find = async (aggs: unknown) => {
  const { body } = await call('POST', '/loaves/_search?search_type=count', { aggs });
  return body as { aggregations?: Record<string, never>; error?: string };
};

beforeAll(async () => {
  resilin = await createEngine();
  await call('PUT', '/loaves', {
    settings: { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1' },
    mappings: { loaf: { properties: { grain: { type: 'string' }, baked: { type: 'date' } } } },
  });
  for (const [id, source] of [
    ['1', { grams: 400, grain: 'rye', baked: '2014-03-01' }],
    ['2', { grams: 650, grain: 'rye', baked: '2014-03-02' }],
    ['3', { grams: 700, grain: 'oat', baked: '2014-04-01' }],
  ] as const)
    await call('PUT', `/loaves/loaf/${id}`, source);
  await call('POST', '/loaves/_refresh');
});
afterAll(() => resilin.close());

describe('an aggregation without values of its own', () => {
  it('takes those of the one above', async () => {
    const sizes = {
      range: { field: 'grams', ranges: [{ to: 500 }, { from: 500 }] },
      aggs: { s: { stats: {} } },
    };
    expect((await find({ sizes })).aggregations).toMatchObject({
      sizes: { buckets: [{ s: { count: 1, sum: 400 } }, { s: { count: 2, min: 650, max: 700 } }] },
    });
  });

  it('may order what is above by what it finds', async () => {
    const histogram = { field: 'grams', interval: 500, order: { 's.min': 'desc' } };
    const { aggregations } = await find({ sizes: { histogram, aggs: { s: { stats: {} } } } });
    expect(aggregations).toMatchObject({ sizes: { buckets: [{ key: 500 }, { key: 0 }] } });
  });

  it('takes them past those that have none, and from the nearest that has any', async () => {
    const inner = {
      filter: { term: { grain: 'rye' } },
      aggs: { most: { max: {} }, kinds: { value_count: {} } },
    };
    const days = {
      date_histogram: { field: 'baked', interval: 'month' },
      aggs: { heavy: { terms: { field: 'grams' }, aggs: { inner } } },
    };
    const { aggregations } = await find({ days });
    expect(aggregations).toMatchObject({
      days: {
        buckets: [
          { heavy: { buckets: [{ inner: { most: { value: 400 } } }, { inner: { most: { value: 650 } } }] } },
          { heavy: { buckets: [{ inner: { doc_count: 0, most: { value: null } } }] } },
        ],
      },
    });
  });

  it('takes what a script makes of them', async () => {
    const range = { lang: 'expression', script: "doc['grams'].value / 100", ranges: [{ from: 5 }] };
    const { aggregations } = await find({ range: { range, aggs: { s: { sum: {} } } } });
    expect(aggregations).toMatchObject({ range: { buckets: [{ s: { value: 13.5 } }] } });
  });

  it('can not do with those of another kind, or with none', async () => {
    const below = { aggs: { s: { avg: {} } } };
    expect((await find({ grains: { terms: { field: 'grain' }, ...below } })).error).toContain(
      'ClassCastException',
    );
    const none = 'could not find the appropriate value context to perform aggregation [s]';
    expect((await find({ all: { global: {}, ...below } })).error).toContain(none);
    const beside = { sizes: { terms: { field: 'grams' } }, s: { avg: {} } };
    expect((await find(beside)).error).toContain(none);
  });
});

it('a score by a field that a document lacks fails as the query is run', async () => {
  await call('PUT', '/loaves/loaf/4?refresh=true', { grain: 'oat' });
  const query = { function_score: { field_value_factor: { field: 'grams' } } };
  const { status, body } = await call('POST', '/loaves/_search', { query });
  expect(status).toBe(500);
  const { error } = body as { error: string };
  expect(error).toContain('[loaves][0]: query[function score (');
  expect(error).toContain(
    'from[0],size[10]: Query Failed [Failed to execute main query]]; nested: ElasticsearchException[Missing value for field [grams]]; ',
  );
});

it.each([
  ['Result of field modification [sqrt(-1.0)] must be a number', [{ n: -1 }, {}]],
  ['Missing value for field [n]', [{}, { n: -1 }]],
])('the first document without a score says why there is none: %s', async (reason, documents) => {
  const settings = { number_of_shards: 1, number_of_replicas: 0 };
  await call('PUT', '/scores', { settings, mappings: { d: { properties: { n: { type: 'long' } } } } });
  for (const [i, source] of documents.entries()) await call('PUT', `/scores/d/${i}`, source);
  await call('POST', '/scores/_refresh');
  const query = { function_score: { field_value_factor: { field: 'n', modifier: 'sqrt' } } };
  const { body } = await call('POST', '/scores/_search', { query });
  expect((body as { error: string }).error).toContain(`ElasticsearchException[${reason}]`);
});
