import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Api, openApi } from '../support/api.js';
import { coreBytes } from '../support/core.js';

// Ranges of the top are counted by blocks of documents, with bounds that are the same in all segments.

const DAY = 86_400_000;
/** The first segment doesn't know all words, so a query takes less memory there than in the others. */
const doc = (n: number) => ({
  text: n < 20 ? `a${n % 3}` : `a${n % 3} b${n % 5}`,
  whole: n,
  time: n * DAY,
  address: `10.0.0.${n}`,
  at: { lat: 0, lon: n / 10 },
});
const numbers = Array.from({ length: 60 }, (_, n) => n);

const RANGES = {
  whole: { range: { field: 'whole', ranges: [{ to: 50 }, { from: 50 }, { from: 7, to: 33 }] } },
  time: {
    date_range: {
      field: 'time',
      ranges: [{ to: 50 * DAY }, { from: 50 * DAY }, { from: 7 * DAY, to: 33 * DAY }],
    },
  },
  address: {
    ip_range: {
      field: 'address',
      ranges: [{ to: '10.0.0.50' }, { from: '10.0.0.50' }, { from: '10.0.0.7', to: '10.0.0.33' }],
    },
  },
  at: {
    geo_distance: {
      field: 'at',
      origin: '0,0',
      unit: 'km',
      ranges: [{ to: 555 }, { from: 555 }, { from: 70, to: 365 }],
    },
  },
};

let api: Api;
beforeEach(async () => {
  api = await openApi(coreBytes());
  await api.call('PUT', '/a', {
    settings: { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1' },
    mappings: {
      t: { properties: { time: { type: 'date' }, at: { type: 'geo_point' }, address: { type: 'ip' } } },
    },
  });
  for (const segment of [numbers.slice(0, 20), numbers.slice(20, 40), numbers.slice(40)]) {
    const lines = segment.map((n) => `{"index":{"_id":"${n}"}}\n${JSON.stringify(doc(n))}\n`);
    await api.call('POST', '/a/t/_bulk?refresh=true', lines.join(''));
  }
});
afterEach(() => api.close());

interface Answer {
  hits: { total: number };
  aggregations: Record<string, { value?: number; buckets: { key: string; doc_count: number }[] }>;
}

const QUERIES: readonly [name: string, query: unknown, matches: (n: number) => boolean][] = [
  ['all documents', { match_all: {} }, () => true],
  ['a union of words', { match: { text: 'a1 b2' } }, (n) => n % 3 === 1 || (n >= 20 && n % 5 === 2)],
  [
    'a conjunction',
    { bool: { must: [{ term: { text: 'a1' } }, { range: { whole: { gte: 2 } } }] } },
    (n) => n % 3 === 1 && n >= 2,
  ],
];

for (const [name, query, matches] of QUERIES) {
  it.each(Object.keys(RANGES))(
    `ranges of %s count ${name} in all segments, alone and beside others`,
    async (key) => {
      const found = numbers.filter(matches);
      const counts = [
        found.filter((n) => n < 50).length,
        found.filter((n) => n >= 50).length,
        found.filter((n) => n >= 7 && n < 33).length,
      ];
      const range = RANGES[key as keyof typeof RANGES];
      for (const aggs of [
        { [key]: range },
        { [key]: range, count: { value_count: { field: 'whole' } }, sum: { sum: { field: 'whole' } } },
      ]) {
        const { status, body } = await api.call('POST', '/a/_search', { size: 0, query, aggs });
        expect(status, JSON.stringify(body)).toBe(200);
        const answer = body as Answer;
        const buckets = answer.aggregations[key]!.buckets;
        expect(answer.hits.total).toBe(found.length);
        expect(buckets.map(({ doc_count }) => doc_count).sort()).toEqual(counts.toSorted());
        if (!('sum' in aggs)) continue;
        expect(answer.aggregations.count).toEqual({ value: found.length });
        expect(answer.aggregations.sum).toEqual({ value: found.reduce((total, n) => total + n, 0) });
      }
    },
  );
}

it('terms of numbers without documents have buckets, whichever segments these and the buckets above are in', async () => {
  const every = { terms: { field: 'whole', min_doc_count: 0, size: 0 } };
  const { body } = await api.call('POST', '/a/_search', {
    size: 0,
    query: { term: { text: 'b2' } },
    aggs: { every, words: { terms: { field: 'text' }, aggs: { every } } },
  });
  const { aggregations } = body as { aggregations: Record<string, { buckets: Record<string, unknown>[] }> };
  const keysOf = (found: unknown) =>
    (found as { buckets: { key: number }[] }).buckets.map(({ key }) => key).toSorted((a, b) => a - b);
  expect(keysOf(aggregations.every)).toEqual(numbers);
  expect(aggregations.words!.buckets.length).toBe(4);
  for (const bucket of aggregations.words!.buckets) expect(keysOf(bucket.every)).toEqual(numbers);
});

it('a search that ends early aggregates one document fewer, also in a later segment', async () => {
  for (const [after, seen] of [
    [1, 0],
    [20, 19],
    [21, 20],
    [60, 59],
    [61, 60],
  ]) {
    const { body } = await api.call('POST', `/a/_search?search_type=count&terminate_after=${after}`, {
      aggs: { n: { value_count: { field: 'whole' } } },
    });
    const { hits, aggregations } = body as Answer;
    expect([hits.total, aggregations.n!.value]).toEqual([Math.min(after!, 60), seen]);
  }
});

it('a search that ends early counts what passes its post filter, and aggregates what does not pass up to there', async () => {
  for (const [after, from, seen, ended] of [
    [5, 50, 54, true],
    [5, 10, 14, true],
    [5, 58, 60, false],
    [5, 100, 60, false],
    [51, 0, 50, true],
  ] as const) {
    const { body } = await api.call('POST', '/a/_search', {
      size: 1,
      terminate_after: after,
      post_filter: { range: { whole: { gte: from } } },
      aggs: { n: { value_count: { field: 'whole' } } },
    });
    const { aggregations, terminated_early: early } = body as Answer & { terminated_early: boolean };
    expect([aggregations.n!.value, early]).toEqual([seen, ended]);
  }
});
