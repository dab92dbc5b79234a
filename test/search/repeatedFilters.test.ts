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
