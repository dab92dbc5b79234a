import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, openApi } from '../support/api.js';
import { coreBytes } from '../support/core.js';
import { index } from './indexed.js';
import type { Doc } from './naiveAggregations.js';

let api: Api;
beforeAll(async () => {
  api = await openApi(coreBytes());
});
afterAll(() => api.close());

const PERCENTS = [0, 0.1, 1, 5, 25, 50, 75, 95, 99, 99.9, 100];
type Values = { values: { key: number; value: number }[] };

async function indexNumbers(parts: readonly (readonly number[])[], deleted: readonly number[]) {
  const docs = parts.map((part) =>
    part.map((fraction): Doc => ({ word: [], whole: [], fraction, time: 0, lat: 0, lon: 0 })),
  );
  await index(api, docs, { deleted });
  return parts
    .flat()
    .filter((_, i) => !deleted.includes(i))
    .sort((a, b) => a - b);
}

async function ask(values: readonly number[], compression: number) {
  const { status, body } = await api.call('POST', '/a/_search?search_type=count', {
    aggs: {
      quantiles: { percentiles: { field: 'fraction', percents: PERCENTS, compression, keyed: false } },
      ranks: { percentile_ranks: { field: 'fraction', values, compression, keyed: false } },
    },
  });
  expect(status, JSON.stringify(body)).toBe(200);
  return (body as { aggregations: { quantiles: Values; ranks: Values } }).aggregations;
}

/** The number at a place between 0 and the last, on the line between its neighbours. */
function at(sorted: readonly number[], place: number): number {
  const low = Math.floor(place);
  const part = place - low;
  return part === 0 ? sorted[low]! : sorted[low]! * (1 - part) + sorted[low + 1]! * part;
}

/** How many numbers are below, and how many are not above; what differs by rounding only is equal. */
function countsAround(sorted: readonly number[], value: number): [number, number] {
  const rounding = Math.abs(value) * 1e-12;
  return [
    sorted.filter((each) => each < value - rounding).length,
    sorted.filter((each) => each <= value + rounding).length,
  ];
}

const number = fc.oneof(
  fc.integer({ min: -1000, max: 1000 }).map((n) => n / 4),
  fc.integer({ min: -3, max: 3 }),
  fc.double({ min: -1e9, max: 1e9, noNaN: true }),
);

it('percentiles of few numbers are exact, ranks within one number', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(number, { maxLength: 30 }), { minLength: 3, maxLength: 3 }),
      fc.uniqueArray(fc.nat(89), { maxLength: 30 }),
      fc.uniqueArray(number, { minLength: 1, maxLength: 10 }),
      async (parts, deleted, asked) => {
        const sorted = await indexNumbers(parts, deleted);
        const { quantiles, ranks } = await ask(asked, 100);
        expect(quantiles.values.map(({ key }) => key)).toEqual(PERCENTS);
        for (const { key, value } of quantiles.values) {
          if (sorted.length === 0) {
            expect(value).toBe('NaN');
            continue;
          }
          const wanted = at(sorted, (key / 100) * (sorted.length - 1));
          expect(Math.abs(value - wanted)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(wanted)));
        }
        expect(ranks.values.map(({ key }) => key)).toEqual([...asked].sort((a, b) => a - b));
        for (const { key, value } of ranks.values) {
          if (sorted.length === 0) {
            expect(value).toBe('NaN');
            continue;
          }
          const [below, upTo] = countsAround(sorted, key);
          const rank = (value / 100) * sorted.length;
          expect(rank).toBeLessThanOrEqual(upTo + 1.000001);
          // Among the last three numbers 1.7 forgets one, and before the second to last it may fall to 0.
          const isForgotten = below > sorted.length - 3;
          if (!isForgotten) expect(rank).toBeGreaterThanOrEqual(below - 1.000001);
          else if (key >= sorted.at(-1)!) expect(rank).toBeGreaterThanOrEqual(below - 2.000001);
        }
      },
    ),
    { numRuns: 25 },
  );
});

const SHAPES: Record<string, (u: number) => number> = {
  even: (u) => u * 1000,
  exponential: (u) => -Math.log(1 - u),
  peak: (u) => (u - 0.5) ** 9 * 1e6,
  steps: (u) => Math.floor(u * 12),
  tail: (u) => 1 / (1 - u),
};

/** Numbers from 0 up to 1, the same for a seed (a linear congruential generator). */
function randoms(seed: number, n: number): number[] {
  let state = seed;
  return Array.from({ length: n }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  });
}

it('percentiles of many numbers are within what two centroids stand for', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.keys(SHAPES)),
      fc.nat(1e9),
      fc.constantFrom(50, 100, 400),
      fc.boolean(),
      async (shape, seed, compression, ascending) => {
        const numbers = randoms(seed, 2000).map(SHAPES[shape]!);
        if (ascending) numbers.sort((a, b) => a - b);
        const deleted = Array.from({ length: 250 }, (_, i) => i * 7);
        const parts = [numbers.slice(0, 600), numbers.slice(600, 1500), numbers.slice(1500)];
        const sorted = await indexNumbers(parts, deleted);
        const n = sorted.length;
        const places = [0.001, 0.02, 0.3, 0.5, 0.8, 0.99];
        const asked = [...new Set(places.map((q) => at(sorted, Math.floor(q * n))))];
        const { quantiles, ranks } = await ask(asked, compression);
        // A centroid stands for 4 n q (1 - q) / compression numbers at most.
        const allowed = (q: number) => (8 * n * q * (1 - q)) / compression + 3;
        const expectNear = (q: number, value: number) => {
          const [below, upTo] = countsAround(sorted, value);
          expect(q * n).toBeGreaterThanOrEqual(below - allowed(q));
          expect(q * n).toBeLessThanOrEqual(upTo + allowed(q));
        };
        expect(quantiles.values).toHaveLength(PERCENTS.length);
        for (const { key, value } of quantiles.values) expectNear(key / 100, value);
        expect(ranks.values).toHaveLength(asked.length);
        for (const { key, value } of ranks.values) expectNear(value / 100, key);
      },
    ),
    { numRuns: 8 },
  );
});
