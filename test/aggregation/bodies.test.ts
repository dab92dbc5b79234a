import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

let resilin: Resilin;
beforeAll(async () => {
  resilin = await createEngine();
  const index = (type: string) => ({
    settings: { number_of_shards: 1 },
    mappings: { t: { properties: { n: { type } } } },
  });
  for (const type of ['long', 'double']) await resilin.request('PUT', `/${type}`, index(type));
  for (const n of [1, 2, 2, 2]) await resilin.request('POST', '/long/t?refresh=true', { n });
  for (const n of [2, 2.5]) await resilin.request('POST', '/double/t?refresh=true', { n });
});
afterAll(() => resilin.close());

async function aggregate(indices: string, a: unknown): Promise<unknown> {
  const { body } = await resilin.request('POST', `/${indices}/_search?search_type=count`, { aggs: { a } });
  const { error, aggregations } = body as { error?: string; aggregations?: { a: unknown } };
  return error ?? aggregations!.a;
}

test.each([
  [{ min: { field: 'n', foo: 1 } }, 'Unexpected token VALUE_NUMBER in [a].'],
  [{ missing: { foo: 'x' } }, 'Unexpected token VALUE_STRING in [a].'],
  [{ nested: { path: 1 } }, 'Unexpected token VALUE_NUMBER in [a].'],
  [{ nested: { foo: 'x' } }, 'Unknown key for a VALUE_STRING in [a]: [foo].'],
  [{ geo_bounds: { foo: 1 } }, 'Unknown key for a VALUE_NUMBER in aggregation [a]: [foo].'],
  [{ extended_stats: { field: 'n', sigma: -1 } }, '[sigma] must not be negative. Value provided was-1.0'],
  [{ percentiles: { field: 'n', percents: ['x'] } }, 'NumberFormatException[For input string: "x"]'],
  [{ percentiles: { field: 'n', foo: 1 } }, 'Unknown key for a VALUE_NUMBER in [a]: [foo].'],
  [{ range: { field: 'n', ranges: {} } }, 'Unexpected token START_OBJECT in [a].'],
  [{ histogram: { field: 'n', interval: 'x' } }, 'NumberFormatException[For input string: "x"]'],
  [
    { histogram: { field: 'n', interval: 1, extended_bounds: { least: 1 } } },
    'Unknown extended_bounds key for a VALUE_NUMBER in aggregation [a]: [least].',
  ],
  [
    { histogram: { field: 'n', interval: 1, extended_bounds: { min: 3, max: 2 } } },
    '[extended_bounds.min][3] cannot be greater than [extended_bounds.max][2] for histogram aggregation [a]',
  ],
  [{ terms: { field: 'n', collect_mode: 'x' } }, 'No collect_mode found for value [x]'],
  [{ global: { x: [] } }, 'Expected [FIELD_NAME] under a [START_OBJECT], but got a [START_ARRAY] in [a]'],
])('%j is refused', async (body, detail) => {
  expect(await aggregate('long', body)).toContain(detail);
});

test('numbers may be given as texts, and a threshold below zero is none', async () => {
  expect(await aggregate('long', { histogram: { field: 'n', interval: '2', keyed: 'true' } })).toEqual({
    buckets: { 0: { key: 0, doc_count: 1 }, 2: { key: 2, doc_count: 3 } },
  });
  expect(await aggregate('long', { cardinality: { field: 'n', precision_threshold: -1 } })).toEqual({
    value: 2,
  });
});

test('a range of dates that no mapping knows is shown as dates all the same', async () => {
  expect(await aggregate('long', { date_range: { field: 'x', ranges: [{ to: '2014' }] } })).toMatchObject({
    buckets: [{ key: '*-2014-01-01T00:00:00.000Z', to: 1388534400000, doc_count: 0 }],
  });
});

test('terms of a field that is of two types in two indices are no answer', async () => {
  expect(await aggregate('long,double', { terms: { field: 'n' } })).toMatch(/^ClassCastException\[/);
});
