import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

// Java casts spans of time that are longer than 64 bits of milliseconds to the longest or the shortest one.

let resilin: Resilin;
beforeAll(async () => {
  resilin = await createEngine();
  for (const at of [0, 1_000, 2_000])
    await resilin.request('PUT', `/a/t/${at}?refresh=true`, { at: new Date(at).toISOString() });
});
afterAll(() => resilin.close());

const docs = async (aggregation: unknown) => {
  const { status, body } = await resilin.request('POST', '/a/_search?search_type=count', {
    aggs: { x: { date_histogram: aggregation } },
  });
  expect(status).toBe(200);
  const { buckets } = (body as { aggregations: { x: { buckets: { doc_count: number }[] } } }).aggregations.x;
  return buckets.map(({ doc_count }) => doc_count);
};

test.each(['106751991167d', '106751991168d', '9223372036854775807ms', '1e300d', '1e999d'])(
  'one bucket is as wide as %s',
  async (interval) => {
    expect(await docs({ field: 'at', interval })).toEqual([3]);
    expect(await docs({ field: 'at', interval, time_zone: '+01:00', min_doc_count: 0 })).toEqual([3]);
  },
);

test.each(['106751991168d', '-106751991168d', '1e999d'])('buckets begin %s later', async (offset) => {
  expect(await docs({ field: 'at', interval: '1s', offset })).toEqual([1, 1, 1]);
});
