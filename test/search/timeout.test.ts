/** Searches that are stopped: they answer with what they have found, and tell so. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Principal } from '../../host/security/principal.js';
import { wallClock } from '../../host/time/clock.js';
import { Engine } from '../../host/engine/engine.js';
import { LocalTransport } from '../../host/shard/localShards.js';
import type { Router } from '../../host/rest/router.js';
import { createRouter } from '../../host/rest/createRouter.js';
import { compileCore } from '../../host/server/wasm.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import { WorkLimit } from '../../host/workLimit.js';

const DOCUMENTS = 60_000;
let engine: Engine;
let router: Router;

beforeAll(async () => {
  const module = await compileCore();
  const parts = { storage: new MemoryStorage(), blobs: new MemoryBlobs(), clock: wallClock };
  engine = await Engine.open({ ...parts, transport: new LocalTransport(module), module });
  router = createRouter(engine, { node: 'n', cluster: 'c', version: '0' });
  await call('PUT', '/a', { settings: { number_of_shards: 1 } });
  const line = (i: number) => `{"index":{"_id":"${i}"}}\n{"x":"red fox word${i % 700}","n":${i % 50}}\n`;
  // Three segments.
  for (let third = 0; third < 3; third++)
    await call(
      'POST',
      '/a/t/_bulk?refresh=true',
      Array.from({ length: DOCUMENTS / 3 }, (_, i) => line(third * 20_000 + i)).join(''),
    );
});
afterAll(() => engine.close());

/** @param asks how often the core may ask whether to go on before it is told to stop */
async function call(method: string, uri: string, body: unknown, asks?: number) {
  let asked = 0;
  const limit = WorkLimit.of(Number.POSITIVE_INFINITY);
  if (asks !== undefined) endWhen(limit, () => asked++ >= asks);
  const bytes = new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
  const answer = await router.handle(method, uri, bytes, Principal.unrestricted, limit);
  return { status: answer.status, body: JSON.parse(new TextDecoder().decode(answer.body)) as unknown };
}

/** Says when the time of a limit is over, and of those made from it. */
function endWhen(limit: WorkLimit, isLate: () => boolean): WorkLimit {
  const [within, lasting] = [limit.within.bind(limit), limit.lasting.bind(limit)];
  Object.defineProperty(limit, 'late', { get: isLate });
  return Object.assign(limit, {
    within: (ms: number) => endWhen(within(ms), isLate),
    lasting: (ms: number) => endWhen(lasting(ms), isLate),
  });
}

interface Answer {
  timed_out: boolean;
  hits: { total: number; hits: object[] };
  aggregations?: { n: { buckets: { doc_count: number }[] } };
}

async function search(body: object, asks?: number): Promise<Answer> {
  const answer = await call('POST', '/a/_search', body, asks);
  expect(answer.status).toBe(200);
  return answer.body as Answer;
}

const phrase = { match_phrase: { x: 'red fox' } };
const aggs = { n: { terms: { field: 'n', size: 100 } } };

it.each([
  ['a phrase', { query: phrase }],
  ['a phrase with aggregations', { query: phrase, aggs }],
  ['a union', { query: { bool: { should: [phrase, { match: { x: 'word1' } }] } } }],
  ['a sort', { query: phrase, sort: 'n' }],
  ['all, sorted', { sort: [{ n: 'desc' }] }],
  [
    'a script',
    {
      query: {
        function_score: { script_score: { script: "doc['n'].value + 1", lang: 'expression' } },
      },
    },
  ],
])('%s stops with what it has found', async (_name, body) => {
  const first = await search(body, 0);
  expect(first.timed_out).toBe(true);
  expect(first.hits.total).toBeLessThan(DOCUMENTS);
  let before = first.hits.total;
  // With more time it finds more, and all in the end.
  for (let asks = 1; ; asks++) {
    const { timed_out, hits } = await search(body, asks);
    expect(hits.total).toBeGreaterThanOrEqual(before);
    before = hits.total;
    if (!timed_out) break;
    expect(asks).toBeLessThan(1000);
  }
  expect(before).toBe(DOCUMENTS);
});

it('the time of all reads has a limit, which is a setting', async () => {
  await call('PUT', '/_cluster/settings', { transient: { 'search.default_search_timeout': '0ms' } });
  try {
    const answer = await search({ query: phrase });
    expect(answer.timed_out).toBe(true);
    expect(answer.hits.total).toBeLessThan(DOCUMENTS);
  } finally {
    await call('PUT', '/_cluster/settings', { transient: { 'search.default_search_timeout': '60s' } });
  }
  expect((await search({ query: phrase })).timed_out).toBe(false);
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
  expect((await search({ query, aggs }, 0)).timed_out).toBe(true);
  expect((await search({ query })).hits.total).toBe(DOCUMENTS);
});
