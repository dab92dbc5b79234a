import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, openApi } from '../support/api.js';
import { coreBytes } from '../support/core.js';
import { index, shared } from './indexed.js';
import { aggregate, type Doc, type Filter, matches, type Tree } from './naiveAggregations.js';

let api: Api;
beforeAll(async () => {
  api = await openApi(coreBytes());
});
afterAll(() => api.close());

const HOUR = 3_600_000;
// Many coordinates are on borders of cells of a geohash: those are halves of halves of 180.
const latitude = fc.oneof(
  fc.integer({ min: -359, max: 359 }).map((n) => n / 4),
  fc.constantFrom(0, 45, -45, 22.5, -67.5),
);
const longitude = fc.oneof(
  fc.integer({ min: -719, max: 719 }).map((n) => n / 4),
  fc.constantFrom(0, 90, -90, 45, -135, 11.25),
);
const doc: fc.Arbitrary<Doc> = fc.record({
  word: fc.array(fc.constantFrom('a', 'b', 'bb', 'é', '𝄞'), { maxLength: 3 }),
  whole: fc.array(fc.integer({ min: -20, max: 20 }), { maxLength: 2 }),
  fraction: fc.option(
    fc.integer({ min: -80, max: 80 }).map((n) => n / 4),
    { nil: undefined },
  ),
  time: fc.integer({ min: -60, max: 120 }).map((hours) => hours * HOUR),
  lat: latitude,
  lon: longitude,
  address: fc.option(
    fc
      .tuple(fc.constantFrom(0, 10, 127, 128, 192, 255), fc.integer({ min: 0, max: 3 }), fc.nat(255))
      .map(([a, b, c]) => `${a}.${b}.0.${c}`),
    { nil: undefined },
  ),
  places: fc.array(fc.record({ lat: latitude, lon: longitude }), { maxLength: 3 }),
});

const filter: fc.Arbitrary<Filter> = fc.letrec<{ any: Filter; leaf: Filter }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 1 },
    tie('leaf'),
    tie('any').map((not) => ({ not })),
    fc.array(tie('leaf'), { minLength: 1, maxLength: 3 }).map((and) => ({ and })),
    fc.array(tie('leaf'), { minLength: 1, maxLength: 3 }).map((or) => ({ or })),
  ),
  leaf: fc.oneof(
    fc.constantFrom('a', 'bb', 'é').map((word) => ({ term: { word } })),
    fc.integer({ min: -20, max: 20 }).map((whole) => ({ term: { whole } })),
    fc
      .tuple(fc.constantFrom('whole', 'fraction'), fc.integer({ min: -20, max: 20 }), fc.nat(20))
      .map(([field, gte, width]) => ({ range: { [field]: { gte, lt: gte + width } } })),
    fc.constantFrom('word', 'whole', 'fraction', 'address').map((field) => ({ missing: { field } })),
  ),
})).any;

// Ranges in the order in which they are shown.
const times = [
  { to: '1970-01-01' },
  { from: '1969-12-31', to: '1970-01-02' },
  { from: 0, to: 36 * HOUR },
  { from: '1970-01-02T12:00:00.000Z' },
];
const addresses = [
  { to: '10.0.0.0' },
  { from: '10.0.0.0', to: '10.1.0.0' },
  { from: '10.0.0.9', to: '128.0.0.1' },
  { from: '192.0.0.0' },
];

const metric: fc.Arbitrary<Tree[string]> = fc.oneof(
  fc.boolean().map((wrap_longitude) => ({ geo_bounds: { field: 'places', wrap_longitude } })),
  fc.constant({ stats: { field: 'whole' } }),
  fc.constant({ value_count: { field: 'address' } }),
);
const grid = fc
  .integer({ min: 1, max: 12 })
  .map((precision) => ({ geohash_grid: { field: 'places', precision } }));
const bucket: fc.Arbitrary<Tree[string]> = fc.oneof(
  grid,
  grid,
  fc.constant({ date_range: { field: 'time', ranges: times } }),
  fc.constant({ ip_range: { field: 'address', ranges: addresses } }),
  filter.map((each) => ({ filter: each })),
  fc.array(filter, { minLength: 1, maxLength: 3 }).map((filters) => ({ filters: { filters } })),
  fc.tuple(filter, filter).map(([one, other]) => ({ filters: { filters: { one, other } } })),
  fc.constantFrom('word', 'fraction', 'address').map((field) => ({ missing: { field } })),
  fc.constant({ terms: { field: 'word', size: 0 } }),
);
/** One to three levels. */
const branch: fc.Arbitrary<Tree[string]> = fc.oneof(
  metric,
  fc.tuple(bucket, metric, metric).map(([top, a, b]) => ({ ...top, aggs: { a, b } })),
  fc
    .tuple(bucket, bucket, metric, metric)
    .map(([top, next, low, side]) => ({ ...top, aggs: { next: { ...next, aggs: { low } }, side } })),
);
const tree: fc.Arbitrary<Tree> = fc
  .tuple(fc.array(branch, { minLength: 1, maxLength: 3 }), fc.option(branch))
  .map(([branches, all]) => ({
    ...Object.fromEntries(branches.map((each, i) => [`top${i}`, each])),
    ...(all === null ? {} : { everything: { global: {}, aggs: { all } } }),
  }));

it('buckets equal those of the naive model over three shards of three segments with deletions', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(doc, { maxLength: 15 }), { minLength: 3, maxLength: 3 }),
      fc.uniqueArray(fc.nat(44), { maxLength: 15 }),
      fc.array(fc.tuple(tree, fc.option(filter)), { minLength: 4, maxLength: 8 }),
      async (segments, deleted, searches) => {
        await index(api, segments, { deleted });
        const live = segments.flat().filter((_, i) => !deleted.includes(i));
        for (const [aggs, query] of searches) {
          const found = query === null ? live : live.filter((each) => matches(query, each));
          const { status, body } = await api.call('POST', '/a/_search?search_type=count', {
            query: { filtered: query === null ? {} : { filter: query } },
            aggs,
          });
          expect(status, JSON.stringify(body)).toBe(200);
          const wanted = aggregate(aggs, found, live);
          expect(shared((body as { aggregations: unknown }).aggregations, wanted)).toEqual(wanted);
        }
      },
    ),
    { numRuns: 20 },
  );
});
