import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, openApi } from '../support/api.js';
import { coreBytes } from '../support/core.js';
import { index, shared } from './indexed.js';
import { aggregate, type Doc, type Tree } from './naiveAggregations.js';

let api: Api;
beforeAll(async () => {
  api = await openApi(coreBytes());
});
afterAll(() => api.close());

/** Quarters and powers of two add up without rounding, in any order. */
const quarter = fc.integer({ min: -400, max: 400 }).map((n) => n / 4);
const doc: fc.Arbitrary<Doc> = fc.record({
  word: fc.array(fc.constantFrom('a', 'b', 'bb', 'é', '𝄞', 'zebra', '/x'), { maxLength: 3 }),
  whole: fc.array(fc.integer({ min: -50, max: 50 }), { maxLength: 2 }),
  fraction: fc.option(quarter, { nil: undefined }),
  time: fc.integer({ min: -200, max: 800 }).map((hours) => hours * 3_600_000),
  lat: fc.integer({ min: -80, max: 80 }),
  lon: fc.integer({ min: -179, max: 179 }),
});

const metric: fc.Arbitrary<Tree[string]> = fc.oneof(
  fc.constantFrom('whole', 'fraction').map((field) => ({ stats: { field } })),
  fc.constantFrom('word', 'whole', 'fraction').map((field) => ({ value_count: { field } })),
  fc.constantFrom('word', 'whole').map((field) => ({ cardinality: { field, precision_threshold: 1000 } })),
);
// Ranges in the order in which they are shown.
const ranges = [{ to: -10 }, { from: -20, to: 30 }, { from: 0 }, { from: 5, to: 5 }];
const rings = [{ to: 1500 }, {}, { from: 1500, to: 6000 }, { from: 4000 }];
const bucket: fc.Arbitrary<Tree[string]> = fc.oneof(
  fc.constantFrom('word', 'whole', 'fraction').map((field) => ({ terms: { field, size: 0 } })),
  fc.constantFrom('whole', 'fraction').map((field) => ({ histogram: { field, interval: 7 } })),
  fc.constant({ date_histogram: { field: 'time', interval: 'day' } }),
  fc.constantFrom('whole', 'fraction').map((field) => ({ range: { field, ranges } })),
  fc.constant({ geo_distance: { field: 'at', origin: '50,10', unit: 'km', ranges: rings } }),
  fc.constantFrom('word', 'whole', 'fraction').map((field) => ({ missing: { field } })),
);
/** With and without others below. */
const branch: fc.Arbitrary<Tree[string]> = fc.oneof(
  fc.oneof(bucket, metric),
  fc.tuple(bucket, bucket, metric, metric).map(([top, middle, low, side]) => ({
    ...top,
    aggs: { middle: { ...middle, aggs: { low } }, side },
  })),
);
/** Siblings. */
const tree = fc
  .array(branch, { minLength: 1, maxLength: 4 })
  .map((branches): Tree => Object.fromEntries(branches.map((each, i) => [`top${i}`, each])));

/** Indexes them into three shards of two segments. */
function indexHalves(docs: readonly Doc[]): Promise<void> {
  const half = Math.ceil(docs.length / 2);
  return index(api, [docs.slice(0, half), docs.slice(half)]);
}

describe('aggregations against the naive model', () => {
  it('are equal over shards of several segments, with deletions', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(doc, { maxLength: 20 }), { minLength: 1, maxLength: 5 }),
        fc.uniqueArray(fc.nat(80), { maxLength: 12 }),
        fc.integer({ min: 1, max: 3 }),
        fc.array(tree, { minLength: 4, maxLength: 8 }),
        async (segments, deleted, shards, trees) => {
          await index(api, segments, { shards, deleted });
          const docs = segments.flat().filter((_, i) => !deleted.includes(i));
          for (const aggs of trees) {
            const { status, body } = await api.call('POST', '/a/_search?search_type=count', { aggs });
            expect(status, JSON.stringify(body)).toBe(200);
            const wanted = aggregate(aggs, docs);
            expect(shared((body as { aggregations: unknown }).aggregations, wanted)).toEqual(wanted);
          }
        },
      ),
      { numRuns: 20 },
    );
  });

  it('see what the query matches, not what the post filter leaves', async () => {
    const docs = Array.from(
      { length: 30 },
      (_, i): Doc => ({
        word: [i % 2 ? 'odd' : 'even'],
        whole: [i],
        fraction: i / 2,
        time: 0,
        lat: 0,
        lon: i,
      }),
    );
    await indexHalves(docs);
    const { body } = await api.call('POST', '/a/_search', {
      size: 2,
      query: { range: { whole: { gte: 10 } } },
      post_filter: { term: { word: 'odd' } },
      aggs: {
        words: { terms: { field: 'word' } },
        all: { global: {}, aggs: { most: { max: { field: 'whole' } }, least: { min: { field: 'whole' } } } },
      },
    });
    expect(body).toMatchObject({
      hits: { total: 10 },
      aggregations: {
        words: {
          buckets: [
            { key: 'even', doc_count: 10 },
            { key: 'odd', doc_count: 10 },
          ],
        },
        all: { doc_count: 30, most: { value: 29 }, least: { value: 0 } },
      },
    });
  });

  it('estimates many values within a few parts in a hundred', async () => {
    const docs = Array.from(
      { length: 4000 },
      (_, i): Doc => ({ word: [`w${i % 1500}`], whole: [i], fraction: i / 4, time: 0, lat: 0, lon: 0 }),
    );
    await indexHalves(docs);
    const { body } = await api.call('POST', '/a/_search?search_type=count', {
      aggs: {
        exact: { cardinality: { field: 'word' } },
        rough: { cardinality: { field: 'whole', precision_threshold: 300 } },
        p: { percentiles: { field: 'whole', percents: [1, 50, 99] } },
      },
    });
    const { exact, rough, p } = (
      body as { aggregations: Record<string, { value: number; values: Record<string, number> }> }
    ).aggregations;
    expect(exact!.value).toBe(1500);
    expect(Math.abs(rough!.value - 4000)).toBeLessThan(4000 * 0.06);
    expect(Math.abs(p!.values['50.0']! - 2000)).toBeLessThan(40);
    expect(Math.abs(p!.values['1.0']! - 40)).toBeLessThan(10);
    expect(Math.abs(p!.values['99.0']! - 3960)).toBeLessThan(10);
  });
});
