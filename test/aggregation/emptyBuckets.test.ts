import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

// Buckets without documents (`min_doc_count` 0), where the terms are in other segments than the buckets that they belong to.

let resilin: Resilin;
beforeAll(async () => {
  resilin = await createEngine();
  const properties = { k: { type: 'string', index: 'not_analyzed' } };
  await resilin.request('PUT', '/a', {
    settings: { number_of_shards: 1, refresh_interval: '-1' },
    mappings: { t: { properties }, u: { _parent: { type: 't' }, properties } },
  });
  const put = (uri: string, k: string) => resilin.request('PUT', `/a/${uri}refresh=true`, { k });
  await put('t/1?', 'x');
  await put('t/2?', 'y');
  await put('u/3?parent=2&', 'v');
  await put('t/4?', 'z');
});
afterAll(() => resilin.close());

const empty = { terms: { field: 'k', min_doc_count: 0, order: { _term: 'asc' } } };
interface Terms {
  buckets: { key: string; doc_count: number; below: Terms }[];
}
const counts = ({ buckets }: Terms) => buckets.map(({ key, doc_count }) => `${key}${doc_count}`).join(' ');

async function aggregate(type: string, aggs: unknown): Promise<Record<string, Terms & { below: Terms }>> {
  const { body } = await resilin.request('POST', `/a/${type}/_search?search_type=count`, { aggs });
  return (body as { aggregations: Record<string, Terms & { below: Terms }> }).aggregations;
}

test('each bucket has all terms of all segments', async () => {
  const { keys } = await aggregate('t', { keys: { terms: { field: 'k' }, aggs: { below: empty } } });
  expect(keys!.buckets.map(({ key, below }) => `${key}: ${counts(below)}`)).toEqual([
    'x: v0 x1 y0 z0',
    'y: v0 x0 y1 z0',
    'z: v0 x0 y0 z1',
  ]);
});

test('a bucket without documents has none below', async () => {
  const { keys } = await aggregate('u', { keys: { ...empty, aggs: { below: empty } } });
  expect(keys!.buckets.map(({ key, below }) => `${key}: ${counts(below)}`)).toEqual([
    'v: v1 x0 y0 z0',
    'x: ',
    'y: ',
    'z: ',
  ]);
});

test('children have the terms of segments without children as well', async () => {
  const { all } = await aggregate('t', { all: { children: { type: 'u' }, aggs: { below: empty } } });
  expect(counts(all!.below)).toBe('v1 x0 y0 z0');
});
