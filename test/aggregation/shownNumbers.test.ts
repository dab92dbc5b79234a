import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

// The answers are recorded from Elasticsearch 1.7.3.
let resilin: Resilin;
beforeAll(async () => {
  resilin = await createEngine();
  const put = async (index: string, documents: readonly unknown[], mappings?: unknown) => {
    await resilin.request('PUT', `/${index}`, { settings: { number_of_shards: 1 }, mappings });
    for (const document of documents) await resilin.request('POST', `/${index}/t?refresh=true`, document);
  };
  await put('dates', [{ d: '2014-01-01' }, { d: '2011-04-05' }]);
  await put('zero', [{ n: 0 }]);
  await put('ips', [{ a: '10.0.0.1' }], { t: { properties: { a: { type: 'ip' } } } });
});
afterAll(() => resilin.close());

async function aggregate(index: string, aggs: unknown, query?: unknown): Promise<unknown> {
  const { body } = await resilin.request('POST', `/${index}/_search?search_type=count`, { query, aggs });
  const { error, aggregations } = body as { error?: string; aggregations?: unknown };
  return error ?? aggregations;
}

test('statistics of dates beyond all dates are shown as the last one', async () => {
  expect(await aggregate('dates', { a: { extended_stats: { field: 'd' } } })).toMatchObject({
    a: {
      sum_as_string: '2055-04-05T00:00:00.000Z',
      sum_of_squares_as_string: '292278994-08-17T07:12:55.807Z',
      variance_as_string: '292278994-08-17T07:12:55.807Z',
      std_deviation_bounds_as_string: {
        upper: '2015-05-16T23:59:59.999Z',
        lower: '2009-11-20T00:00:00.000Z',
      },
    },
  });
});

test('percentiles of no dates are shown as the epoch', async () => {
  const aggs = {
    a: { percentiles: { field: 'd', percents: [1] } },
    b: { percentile_ranks: { field: 'd', values: [20] } },
  };
  expect(await aggregate('dates', aggs, { term: { x: 'y' } })).toEqual({
    a: { values: { '1.0': 'NaN', '1.0_as_string': '1970-01-01T00:00:00.000Z' } },
    b: { values: { '20.0': 'NaN', '20.0_as_string': '1970-01-01T00:00:00.000Z' } },
  });
});

test('infinite values are shown', async () => {
  const script = (text: string) => ({ script: text, lang: 'expression' });
  const aggs = {
    sum: { sum: script("1 / doc['n'].value") },
    avg: { avg: script("1 / doc['n'].value") },
    stats: { stats: script("-1 / doc['n'].value") },
  };
  expect(await aggregate('zero', aggs)).toEqual({
    sum: { value: 'Infinity' },
    avg: { value: 'Infinity' },
    stats: { count: 1, min: '-Infinity', max: '-Infinity', avg: '-Infinity', sum: '-Infinity' },
  });
});

test('a minimum or a maximum without end is none', async () => {
  const script = { script: "1 / doc['n'].value", lang: 'expression' };
  expect(await aggregate('zero', { min: { min: script }, max: { max: script } })).toEqual({
    min: { value: null },
    max: { value: null },
  });
});

test('what is no number is shown as such', async () => {
  const script = { script: "doc['n'].value % 0", lang: 'expression' };
  expect(await aggregate('zero', { a: { extended_stats: script }, b: { min: script } })).toEqual({
    a: {
      count: 1,
      min: 'NaN',
      max: 'NaN',
      avg: 'NaN',
      sum: 'NaN',
      sum_of_squares: 'NaN',
      variance: 'NaN',
      std_deviation: 'NaN',
      std_deviation_bounds: { upper: 'NaN', lower: 'NaN' },
    },
    b: { value: 'NaN' },
  });
});

test('a number beyond all addresses is shown by its last four bytes', async () => {
  expect(await aggregate('ips', { a: { extended_stats: { field: 'a' } } })).toMatchObject({
    a: { sum_as_string: '10.0.0.1', sum_of_squares_as_string: '20.0.0.0', variance_as_string: '0.0.0.0' },
  });
  const huge = { script: '_value * 1e30', lang: 'expression' };
  expect(await aggregate('ips', { a: { sum: { field: 'a', ...huge } } })).toMatchObject({
    a: { value_as_string: '255.255.255.255' },
  });
});
