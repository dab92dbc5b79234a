import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

// Values are read a batch at a time: a document counts once in a bucket wherever in batches its values lie.

const COUNT = 700;
const PLACES = [
  { lat: 52.5, lon: 13.4 },
  { lat: 52.4, lon: 13.3 },
  { lat: 48.8, lon: 2.3 },
];
/** More than two batches. */
const LONG = 2500;

let resilin: Resilin;
const call = async (method: string, uri: string, body?: unknown) =>
  (await resilin.request(method, uri, body)).body as Record<string, never>;
const bulk = async (index: string, lines: readonly unknown[]) => {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const { status } = await resilin.handle(
    'POST',
    `/${index}/t/_bulk?refresh=true`,
    new TextEncoder().encode(text),
  );
  expect(status).toBe(200);
};

beforeAll(async () => {
  resilin = await createEngine();
  for (const [index, refreshAt, shards] of [
    ['one', COUNT + 1, 1],
    ['several', 200, 1],
    ['shards', COUNT + 1, 3],
  ] as const) {
    const settings = { number_of_shards: shards, number_of_replicas: 0, refresh_interval: '-1' };
    const properties = { spot: { type: 'geo_point' }, n: { type: 'long' }, k: { type: 'integer' } };
    await call('PUT', `/${index}`, { settings, mappings: { t: { properties } } });
    const lines: unknown[] = [];
    for (let i = 0; i < COUNT; i++) {
      const source = { spot: PLACES, n: [1, 2, 13], k: i % 2 };
      lines.push({ index: { _id: String(i) } }, source);
      if (i % refreshAt !== refreshAt - 1) continue;
      await bulk(index, lines.splice(0));
    }
    const spot = Array.from({ length: LONG }, (_, i) => PLACES[i % 2 === 0 ? 0 : 2]!);
    const n = Array.from({ length: LONG }, (_, i) => i);
    lines.push({ index: { _id: 'long' } }, { spot, n, k: 0 });
    lines.push({ index: { _id: 'last' } }, { spot: PLACES, n: [1, 2, 13], k: 1 });
    await bulk(index, lines);
  }
}, 60_000);
afterAll(() => resilin.close());

it.each(['one', 'several', 'shards'])(
  'a document with many values counts once in a bucket, in %s',
  async (index) => {
    const below = { k: { terms: { field: 'k' } } };
    const { aggregations } = await call('POST', `/${index}/_search`, {
      size: 0,
      aggs: {
        cells: { geohash_grid: { field: 'spot', precision: 1 }, aggs: below },
        tens: { histogram: { field: 'n', interval: 10 } },
        halves: { terms: { script: '_value * 0 + 7', field: 'n', lang: 'expression', size: 0 } },
        below: {
          ...below.k,
          terms: { field: 'k' },
          aggs: { tens: { histogram: { field: 'n', interval: 1000 } } },
        },
      },
    });
    const of = (name: string) =>
      (aggregations as never as Record<string, { buckets: { key: unknown; doc_count: number }[] }>)[name]!
        .buckets;
    const counts = (name: string) => of(name).map(({ key, doc_count }) => [key, doc_count]);
    const all = COUNT + 2;
    expect(counts('cells')).toEqual([['u', all]]);
    expect(of('cells')[0]).toMatchObject({
      k: {
        buckets: [
          { key: 0, doc_count: all / 2 },
          { key: 1, doc_count: all / 2 },
        ],
      },
    });
    const tens = counts('tens');
    expect(tens).toHaveLength(LONG / 10);
    expect(tens.slice(0, 3)).toEqual([
      [0, all],
      [10, all],
      [20, 1],
    ]);
    expect(tens.slice(2).every(([, count]) => count === 1)).toBe(true);
    expect(counts('halves')).toEqual([[7, all]]);
    expect(of('below')).toMatchObject([
      {
        key: 0,
        tens: {
          buckets: [
            { key: 0, doc_count: all / 2 },
            { key: 1000, doc_count: 1 },
            { key: 2000, doc_count: 1 },
          ],
        },
      },
      { key: 1, tens: { buckets: [{ key: 0, doc_count: all / 2 }] } },
    ]);
  },
);
