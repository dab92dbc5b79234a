import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, openApi } from '../support/api.js';

/** Filters that come again are kept as sets; they find the same, whatever becomes of the documents meanwhile. */

let api: Api;

beforeAll(async () => {
  api = await openApi(readFileSync(resolve(import.meta.dirname, '../../build/resilin.wasm')));
  await api.call('PUT', '/a', { settings: { number_of_shards: 1, refresh_interval: '-1' } });
});

afterAll(() => api.close());

function write(from: number, to: number) {
  const line = (i: number) => `{"index":{"_id":"${i}"}}\n{"x":"word${i % 2}","n":${i % 10}}\n`;
  const lines = Array.from({ length: to - from }, (_, i) => line(from + i));
  return api.call('POST', '/a/t/_bulk?refresh=true', lines.join(''));
}

it('finds the same every time', async () => {
  const even = { term: { x: 'word0' } };
  const filter = { bool: { must: [even, { range: { n: { gte: 4 } } }], must_not: { term: { n: 8 } } } };
  const bodies = [
    { query: { filtered: { filter } } },
    { query: { filtered: { query: { match: { x: 'word0 word1' } }, filter: { not: filter } } } },
  ];
  const totals = async () => {
    const found: number[] = [];
    for (const body of bodies) {
      const answer = (await api.call('POST', '/a/_search', body)).body as { hits: { total: number } };
      found.push(answer.hits.total);
    }
    return found;
  };
  await write(0, 100);
  for (let i = 0; i < 4; i++) expect(await totals()).toEqual([20, 80]);
  await write(100, 150);
  for (let i = 0; i < 4; i++) expect(await totals()).toEqual([30, 120]);
  await api.call('DELETE', '/a/t/4?refresh=true');
  for (let i = 0; i < 2; i++) expect(await totals()).toEqual([29, 120]);
  await api.call('POST', '/a/_optimize?max_num_segments=1');
  for (let i = 0; i < 3; i++) expect(await totals()).toEqual([29, 120]);
});

it('keeps ranges and points from the second time on, and terms at once', async () => {
  await api.call('PUT', '/b', {
    settings: { number_of_shards: 1, refresh_interval: '-1' },
    mappings: { t: { properties: { p: { type: 'geo_point' } } } },
  });
  const line = (i: number) => `{"index":{}}\n{"n":${i},"x":"word${i % 2}","p":[${i / 10},${i / 10}]}\n`;
  await api.call('POST', '/b/t/_bulk?refresh=true', Array.from({ length: 300 }, (_, i) => line(i)).join(''));
  const bytes = async () => {
    const { body } = await api.call('GET', '/b/_stats/filter_cache');
    const { _all } = body as {
      _all: { primaries: { filter_cache: { memory_size_in_bytes: number } } };
    };
    return _all.primaries.filter_cache.memory_size_in_bytes;
  };
  const grows = async (filter: unknown) => {
    const before = await bytes();
    await api.call('POST', '/b/_search', {
      query: { filtered: { query: { match: { x: 'word1' } }, filter } },
    });
    return (await bytes()) > before;
  };
  for (const filter of [
    { range: { n: { gte: 20 } } },
    { geo_distance: { distance: '700km', p: [1, 1] } },
    { bool: { must: { terms: { x: ['word0'] } }, must_not: { terms: { n: [1, 2] } } } },
  ]) {
    await grows(filter);
    expect(await grows(filter)).toBe(true);
    expect(await grows(filter)).toBe(false);
  }
  const terms = { terms: { x: ['word0', 'word1', 'word2'] } };
  expect([await grows(terms), await grows(terms)]).toEqual([true, false]);
});
