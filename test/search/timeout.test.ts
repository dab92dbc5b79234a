import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Pace } from '../../host/index/pace.js';
import { type Api, openApi } from '../support/api.js';

/** Searches with a time: they stop in the core, and answer with what they have found. */

const DOCUMENTS = 20_000;
let api: Api;

beforeAll(async () => {
  api = await openApi(readFileSync(resolve(import.meta.dirname, '../../build/resilin.wasm')));
  await api.call('PUT', '/a', { settings: { number_of_shards: 1 } });
  const line = (i: number) => `{"index":{"_id":"${i}"}}\n{"x":"red fox word${i % 700}","n":${i % 50}}\n`;
  await api.call(
    'POST',
    '/a/t/_bulk?refresh=true',
    Array.from({ length: DOCUMENTS }, (_, i) => line(i)).join(''),
  );
});

afterAll(() => api.close());

interface Answer {
  timed_out: boolean;
  hits: { total: number; hits: object[] };
  aggregations?: { n: { buckets: { doc_count: number }[] } };
}

async function search(body: object): Promise<Answer> {
  const answer = await api.call('POST', '/a/_search', body);
  expect(answer.status).toBe(200);
  return answer.body as Answer;
}

const phrase = { match_phrase: { x: 'red fox' } };
const aggs = { n: { terms: { field: 'n', size: 100 } } };

it('stops with what it has found', async () => {
  // What a search of an unknown pace may do in a millisecond is less than this one has to.
  const answer = await search({ query: phrase, timeout: '1ms' });
  expect(answer.timed_out).toBe(true);
  expect(answer.hits.total).toBeGreaterThan(0);
  expect(answer.hits.total).toBeLessThan(DOCUMENTS);
  expect(answer.hits.hits.length).toBe(10);
});

it('finds all in time', async () => {
  for (const timeout of [undefined, '1m', -1, 60_000]) {
    const answer = await search({ query: phrase, aggs, ...(timeout === undefined ? {} : { timeout }) });
    expect(answer.timed_out).toBe(false);
    expect(answer.hits.total).toBe(DOCUMENTS);
    expect(answer.aggregations!.n.buckets.reduce((sum, each) => sum + each.doc_count, 0)).toBe(DOCUMENTS);
  }
  const sorted = await search({ query: phrase, sort: 'n', timeout: '1m', terminate_after: 100 });
  expect(sorted).toMatchObject({ timed_out: false, terminated_early: true, hits: { total: 100 } });
});

it('keeps no filter that it gave up half-way', async () => {
  const query = { filtered: { filter: { prefix: { x: 'word' } } } };
  await search({ query, timeout: '1ms', aggs });
  expect((await search({ query })).hits.total).toBe(DOCUMENTS);
});

/** A plan with a time of so many milliseconds, as far as a pace reads it. */
function planFor(ms: number): Uint8Array {
  const plan = new Uint8Array(16);
  const view = new DataView(plan.buffer);
  view.setUint16(6, 1024, true);
  view.setUint32(12, ms, true);
  return plan;
}

it('makes work of time', () => {
  const pace = new Pace();
  const budgets: number[] = [];
  const run = (plan: Uint8Array) => {
    budgets.push(new DataView(plan.buffer).getUint32(12, true));
    return new Uint8Array(8);
  };
  pace.search(planFor(10), run);
  pace.search(planFor(0xffff_ffff), run);
  expect(budgets).toEqual([500_000, 0xffff_ffff]);
  const without = new Uint8Array(16);
  expect(pace.search(without, (plan) => plan)).toBe(without);
});
