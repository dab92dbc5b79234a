import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

// Facets, which are aggregations in another shape. The shapes, and which of equal terms comes first, are those of 1.7's facets.

let resilin: Resilin;
const call = async (method: string, uri: string, body?: unknown) =>
  (await resilin.request(method, uri, body)).body as Record<string, never>;

beforeAll(async () => {
  resilin = await createEngine();
  const parts = { type: 'nested', properties: { kind: { type: 'string' }, price: { type: 'long' } } };
  await call('PUT', '/shop', {
    settings: { number_of_shards: 2, number_of_replicas: 0 },
    mappings: {
      item: {
        properties: {
          tag: { type: 'string' },
          at: { type: 'date' },
          place: { type: 'geo_point' },
          maker: { properties: { name: { type: 'string' } } },
          parts,
        },
      },
    },
  });
  const items = [
    {
      tag: 'red blue',
      price: 1,
      at: '2014-05-01',
      place: [0, 0],
      parts: [
        { kind: 'lid', price: 2 },
        { kind: 'box', price: 5 },
      ],
    },
    { tag: 'red', price: 3, at: '2014-05-20', place: [0, 0.001], parts: [{ kind: 'lid', price: 4 }] },
    { tag: 'green', price: 12, at: '2014-07-09', place: [20, 20] },
    {},
  ];
  for (const [i, item] of items.entries()) await call('PUT', `/shop/item/${i}`, item);
  await call('POST', '/shop/_refresh');
});
afterAll(() => resilin.close());

async function facet(definition: unknown, query: unknown = { match_all: {} }): Promise<unknown> {
  const { facets, error } = await call('POST', '/shop/_search', {
    query,
    size: 0,
    facets: { f: definition },
  });
  return (facets as { f: unknown } | undefined)?.f ?? error;
}

const counted = (...terms: [string | number, number][]) => terms.map(([term, count]) => ({ term, count }));

describe('terms', () => {
  it('counts them, what is left over, and what has none', async () => {
    expect(await facet({ terms: { field: 'tag', size: 2 } })).toEqual({
      _type: 'terms',
      missing: 1,
      total: 4,
      other: 1,
      terms: counted(['red', 2], ['green', 1]),
    });
  });

  it.each([
    [{ order: 'term' }, counted(['blue', 1], ['green', 1], ['red', 2])],
    [{ order: 'reverse_term' }, counted(['red', 2], ['green', 1], ['blue', 1])],
    [{ order: 'reverse_count' }, counted(['blue', 1], ['green', 1], ['red', 2])],
    [{ exclude: ['red'] }, counted(['green', 1], ['blue', 1])],
    [{ regex: 'R.*', regex_flags: 'CASE_INSENSITIVE' }, counted(['red', 2])],
    [{ field: 'price' }, counted([12, 1], [3, 1], [1, 1])],
    [{ fields: ['tag'], field: undefined, size: 1 }, counted(['red', 2])],
  ])('%j', async (options, terms) => {
    expect(await facet({ terms: { field: 'tag', ...options } })).toMatchObject({ terms });
  });

  it('shows all there are if asked to, and those of everything where the query is not to count', async () => {
    const query = { term: { tag: 'green' } };
    expect(await facet({ terms: { field: 'tag', all_terms: true } }, query)).toMatchObject({
      terms: counted(['green', 1], ['red', 0], ['blue', 0]),
    });
    expect(await facet({ terms: { field: 'tag' }, global: true }, query)).toMatchObject({ total: 4 });
  });
});

it('counts what a filter or a query matches', async () => {
  expect(await facet({ filter: { term: { tag: 'red' } } })).toEqual({ _type: 'filter', count: 2 });
  expect(await facet({ query: { match: { tag: 'blue green' } } })).toEqual({ _type: 'query', count: 2 });
});

const stats = (min: number, max: number, total: number, total_count: number) => ({
  min,
  max,
  total,
  total_count,
  mean: total / total_count,
});

it('describes numbers', async () => {
  expect(await facet({ statistical: { field: 'price' } })).toEqual({
    _type: 'statistical',
    count: 3,
    total: 16,
    min: 1,
    max: 12,
    mean: 16 / 3,
    sum_of_squares: 154,
    variance: (154 - 256 / 3) / 3,
    std_deviation: Math.sqrt((154 - 256 / 3) / 3),
  });
  expect(await facet({ statistical: { field: 'price' } }, { term: { tag: 'none' } })).toMatchObject({
    count: 0,
    min: 'Infinity',
    max: '-Infinity',
    mean: 0,
    variance: 'NaN',
  });
});

it('describes the numbers of each term', async () => {
  const terms = { key_field: 'tag', value_field: 'price', order: 'total' };
  expect(await facet({ terms_stats: terms })).toEqual({
    _type: 'terms_stats',
    missing: 0,
    terms: [
      { term: 'green', count: 1, ...stats(12, 12, 12, 1) },
      { term: 'red', count: 2, ...stats(1, 3, 4, 2) },
      { term: 'blue', count: 1, ...stats(1, 1, 1, 1) },
    ],
  });
});

it('cuts numbers and times into intervals', async () => {
  expect(await facet({ histogram: { field: 'price', interval: 5 } })).toEqual({
    _type: 'histogram',
    entries: [
      { key: 0, count: 2 },
      { key: 10, count: 1 },
    ],
  });
  const day = 86_400_000;
  const [may, first] = [Date.UTC(2014, 4), Date.UTC(2014, 4, 1)];
  const months = { key_field: 'at', value_field: 'price', interval: 'month', order: 'total' };
  expect(await facet({ date_histogram: months })).toEqual({
    _type: 'date_histogram',
    entries: [
      { time: Date.UTC(2014, 6), count: 1, ...stats(12, 12, 12, 1) },
      { time: may, count: 2, ...stats(1, 3, 4, 2) },
    ],
  });
  const days = (await facet({ histogram: { field: 'at', time_interval: '10d' } })) as {
    entries: { key: number }[];
  };
  expect(days.entries[0]!.key).toBe(Math.floor(first / (10 * day)) * 10 * day);
});

it('counts ranges as they are given', async () => {
  const ranges = [{ from: 20 }, { to: 5 }, { from: 2, to: 13 }];
  expect(await facet({ range: { price: ranges } })).toEqual({
    _type: 'range',
    ranges: [
      { from: 20, count: 0, total_count: 0, total: 0, mean: 0 },
      { to: 5, count: 2, ...stats(1, 3, 4, 2) },
      { from: 2, to: 13, count: 2, ...stats(3, 12, 15, 2) },
    ],
  });
  expect(
    await facet({ range: { key_field: 'at', value_field: 'price', ranges: [{ from: '2014-06-01' }] } }),
  ).toEqual({
    _type: 'range',
    ranges: [{ from: Date.UTC(2014, 5), from_str: '2014-06-01', count: 1, ...stats(12, 12, 12, 1) }],
  });
  const near = {
    place: { lat: 0, lon: 0 },
    value_field: 'price',
    unit: 'km',
    ranges: [{ to: 10 }, { from: 10 }],
  };
  expect(await facet({ geo_distance: near })).toEqual({
    _type: 'geo_distance',
    ranges: [
      { to: 10, count: 2, ...stats(1, 3, 4, 2) },
      { from: 10, count: 1, ...stats(12, 12, 12, 1) },
    ],
  });
});

it('looks at several fields as one', async () => {
  const fields = ['tag', 'price'];
  const found = { _type: 'terms', missing: 2, total: 7 };
  expect(await facet({ terms: { fields, size: 3 } })).toEqual({
    ...found,
    other: 3,
    terms: counted(['red', 2], ['green', 1], ['blue', 1]),
  });
  expect(await facet({ terms: { fields, order: 'term', size: 4 } })).toEqual({
    ...found,
    other: 3,
    terms: counted(['1', 1], ['12', 1], ['3', 1], ['blue', 1]),
  });
  expect(
    await facet({ terms: { fields, order: 'reverse_count', exclude: ['blue', '12'], size: 2 } }),
  ).toEqual({
    ...found,
    total: 5,
    other: 3,
    terms: counted(['1', 1], ['3', 1]),
  });
  const price = await facet({ statistical: { fields: ['price', 'price'] } });
  const { sum_of_squares, variance, std_deviation } = price as Record<string, number>;
  expect(price).toMatchObject({ count: 6, total: 32, min: 1, max: 12, mean: 32 / 6, sum_of_squares: 308 });
  expect(variance).toBeCloseTo((sum_of_squares! - 32 ** 2 / 6) / 6, 10);
  expect(std_deviation).toBeCloseTo(Math.sqrt(variance!), 10);
  expect(await facet({ statistical: { fields: ['none', 'neither'] } })).toMatchObject({ count: 0, total: 0 });
});

it('describes what scripts make of documents', async () => {
  const twice = { lang: 'expression', params: { factor: 2 } };
  const script = "doc['price'].value * factor";
  const has = { exists: { field: 'price' } };
  const priced = (definition: object) => facet({ ...definition, facet_filter: has });
  expect(await priced({ statistical: { script, ...twice } })).toMatchObject({ count: 3, total: 32, max: 24 });
  const terms = { key_field: 'tag', script, ...twice };
  expect(await priced({ terms_stats: { ...terms, order: 'term' } })).toMatchObject({
    terms: [
      { term: 'blue', ...stats(2, 2, 2, 1) },
      { term: 'green', ...stats(24, 24, 24, 1) },
      { term: 'red', ...stats(2, 6, 8, 2) },
    ],
  });
  const tens = { value_script: script, interval: 10, ...twice };
  expect(await priced({ histogram: { key_field: 'price', ...tens } })).toMatchObject({
    entries: [
      { key: 0, ...stats(2, 6, 8, 2) },
      { key: 10, ...stats(24, 24, 24, 1) },
    ],
  });
  expect(await priced({ histogram: { key_script: script, ...tens } })).toMatchObject({
    entries: [{ key: 0 }, { key: 20, count: 1 }],
  });
  const range = { key_script: script, value_script: script, ranges: [{ from: 5 }], ...twice };
  expect(await priced({ range })).toMatchObject({ ranges: [{ from: 5, ...stats(6, 24, 30, 2) }] });
  expect(await priced({ terms: { script_field: script, order: 'term', ...twice } })).toMatchObject({
    total: 3,
  });
});

it('describes how far points are away: of several, the first within the range', async () => {
  const at = (ranges: unknown, more = {}) =>
    facet({ geo_distance: { place: { lat: 0, lon: 0 }, unit: 'km', ranges, ...more } });
  const { ranges } = (await at([{ to: 10 }, { from: 10 }, { from: 1, to: 2 }])) as {
    ranges: Record<string, number>[];
  };
  expect(ranges[0]).toMatchObject({ to: 10, count: 2, total_count: 2, min: 0 });
  expect(ranges[0]!.max).toBeCloseTo(0.111, 3);
  expect(ranges[0]!.mean).toBe(ranges[0]!.total! / 2);
  expect(ranges[1]!.min).toBeCloseTo(3115.6, 1);
  const none = { count: 0, min: 'Infinity', max: '-Infinity', total_count: 0, total: 0, mean: 0 };
  expect(ranges[2]).toEqual({ from: 1, to: 2, ...none });
  const point = { type: 'geo_point' };
  await call('PUT', '/ways', { mappings: { way: { properties: { via: point } } } });
  await call('PUT', '/ways/way/1', { via: ['0,3', '0,1', '0,2'] });
  await call('PUT', '/ways/way/2', { via: '0,1' });
  await call('POST', '/ways/_refresh');
  const geo_distance = { via: '0,0', distance_type: 'plane', ranges: [{ from: 200_000 }, {}] };
  const { facets } = (await call('POST', '/ways/_search', {
    size: 0,
    facets: { f: { geo_distance } },
  })) as never as {
    facets: { f: { ranges: Record<string, number>[] } };
  };
  const [far, all] = facets.f.ranges;
  expect(far).toMatchObject({ count: 1, total: far!.min, max: far!.min });
  expect([2, 3]).toContain(Math.round(far!.min! / 111_195));
  expect(all).toMatchObject({ count: 2 });
});

it('looks at filtered documents, or at parts of documents', async () => {
  const prices = { statistical: { field: 'parts.price' }, nested: 'parts' };
  expect(await facet({ terms: { field: 'tag' }, facet_filter: { term: { tag: 'blue' } } })).toMatchObject({
    total: 2,
  });
  expect(await facet(prices)).toMatchObject({ count: 3, total: 11 });
  const lids = { nested: { path: 'parts', join: false, filter: { term: { 'parts.kind': 'lid' } } } };
  expect(await facet({ ...prices, facet_filter: lids })).toMatchObject({ count: 2, total: 6 });
});

it('stands beside aggregations', async () => {
  const search = {
    size: 0,
    facets: { f: { filter: { match_all: {} } } },
    aggs: { most: { max: { field: 'price' } } },
  };
  expect(await call('POST', '/shop/_search', search)).toMatchObject({
    facets: { f: { count: 4 } },
    aggregations: { most: { value: 12 } },
  });
});

it.each([
  [{}, 'no facet type found for facet named [f]'],
  [{ what: {} }, 'No facet type found for [what]'],
  [{ terms: {} }, 'terms facet [f] must have a field, fields or script parameter'],
  [{ terms: { field: 'tag', order: 'up' } }, 'No type argument match for terms facet comparator [up]'],
  [{ histogram: { field: 'price' } }, 'Facet [f]: [interval] is required to be set for histogram facet'],
  [{ range: { field: 'price', ranges: [] } }, 'Facet [f]: no ranges defined for range facet'],
  [{ terms: { field: 'tag' }, scope: 's' }, 'the [scope] support in facets have been removed'],
  [
    { terms: { fields: ['tag', 'price'], script: '1' } },
    'scripts of type [inline], operation [aggs] and lang [groovy] are disabled',
  ],
  [
    { terms: { field: 'tag', script: '1' } },
    'scripts of type [inline], operation [aggs] and lang [groovy] are disabled',
  ],
  [{ statistical: { field: 'price' }, nested: 'tags' }, 'facet nested path [tags] not found'],
  [{ statistical: { field: 'price' }, nested: 'maker' }, 'facet nested path [maker] is not nested'],
  [{ statistical: {} }, 'statistical facet requires either [script] or [field] to be set'],
])('refuses %j', async (definition, text) => expect(await facet(definition)).toContain(text));
