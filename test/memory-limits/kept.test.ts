/** What a server keeps in its memory, whose heap is small: it refuses more than there is room for, and lives. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { serverFile } from '../support/server.js';
import { ServerProcess } from '../torture/serverProcess.js';

const main = await serverFile();
let server: ServerProcess;

beforeAll(async () => {
  server = new ServerProcess(main, ['--data', ':memory:', '--threads', '1'], ['--max-old-space-size=128']);
  await server.ready();
}, 60_000);
afterAll(() => server?.end('SIGKILL'));

interface BulkItem {
  index: { status: number; error?: string };
}

async function bulk(index: string, from: number, count: number): Promise<BulkItem[]> {
  const lines = Array.from({ length: count }, (_, i) => `{"index":{"_id":"${from + i}"}}\n{"n":${i}}\n`);
  const { status, body } = await server.send('POST', `/${index}/t/_bulk`, lines.join(''));
  expect(status).toBe(200);
  return (body as { items: BulkItem[] }).items;
}

it('documents, of which there are many', async () => {
  const AT_ONCE = 5000;
  let kept = 0;
  let refused: BulkItem | undefined;
  for (let from = 0; from < 300_000 && refused === undefined; from += AT_ONCE) {
    const items = await bulk('d', from, AT_ONCE);
    refused = items.find(({ index }) => index.status >= 300);
    kept += items.filter(({ index }) => index.status === 201).length;
  }
  expect(refused?.index).toMatchObject({ status: 503 });
  expect(refused?.index.error).toContain('the memory is full');
  expect(kept).toBeGreaterThan(20_000);
  // What was acknowledged is there, and what makes room goes on.
  await server.send('POST', '/d/_refresh');
  expect((await server.send('GET', '/d/_count')).body).toMatchObject({ count: kept });
  expect((await server.send('DELETE', '/d/t/0')).status).toBe(200);
  expect((await server.send('DELETE', '/d')).status).toBe(200);
  const [again] = await bulk('e', 0, 1);
  expect(again?.index.status).toBe(201);
}, 120_000);

it('mappings of many types, with many fields each', async () => {
  const properties = Object.fromEntries(
    Array.from({ length: 2000 }, (_, i) => [`f${i}`, { type: 'string' }]),
  );
  const made: number[] = [];
  for (let t = 0; t < 60 && (made.at(-1) ?? 200) === 200; t++) {
    const { status } = await server.send('PUT', `/m${t % 3}/_mapping/t${t}`, { [`t${t}`]: { properties } });
    if (status === 404) await server.send('PUT', `/m${t % 3}`);
    else made.push(status);
  }
  expect(made.length).toBeGreaterThan(5);
  expect(made.at(-1)).toBe(500);
  // A field more, in a document or in an index of its own, is refused while there is no room for it.
  const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`g${i}`, 1])));
  expect((await server.send('PUT', '/m0/t0/1', wide)).status).toBe(500);
  for (const index of ['m0', 'm1', 'm2']) expect((await server.send('DELETE', `/${index}`)).status).toBe(200);
  expect((await server.send('PUT', '/m0/t0/1', wide)).status).toBe(201);
}, 120_000);

/** Sends requests of a kind until one is refused; how many were not, and what was said. */
async function untilRefused(
  most: number,
  make: (i: number) => [method: string, path: string, body: unknown],
) {
  for (let i = 0; i < most; i++) {
    const { status, body } = await server.send(...make(i));
    if (status !== 200) return { done: i, status, error: (body as { error: string }).error };
  }
  return { done: most, status: 200, error: '' };
}

const many = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i));
const long = 'x'.repeat(1_000_000);

describe('metadata, of which there are many:', () => {
  const ensureIndex = () =>
    server.send('PUT', '/k', { mappings: { t: { properties: { a: { type: 'string' } } } } });
  beforeEach(ensureIndex);
  afterAll(() => server.send('DELETE', '/k*'));

  it.each<[string, (i: number) => [string, string, unknown], [string, string]]>([
    [
      'templates',
      (i) => ['PUT', `/_template/k${i}`, { template: 'none', mappings: { t: { _meta: { i, long } } } }],
      ['DELETE', '/_template/k*'],
    ],
    [
      'templates with many small objects',
      (i) => {
        const _meta = Object.fromEntries(many(20_000, (j) => [`${i}_${j}`, {}]));
        return ['PUT', `/_template/k${i}`, { template: 'none', mappings: { t: { _meta } } }];
      },
      ['DELETE', '/_template/k*'],
    ],
    [
      '_meta of mappings',
      (i) => ['PUT', `/k/_mapping/t${i}`, { [`t${i}`]: { _meta: { i, long } } }],
      ['DELETE', '/k'],
    ],
    [
      'settings of indices',
      (i) => ['PUT', `/k${i}`, { settings: { number_of_shards: 1, 'index.some.text': `${i}${long}` } }],
      ['DELETE', '/k*'],
    ],
    [
      'synonyms',
      (i) => {
        const filter = { s: { type: 'synonym', synonyms: many(20_000, (j) => `w${i}_${j} => v${j}`) } };
        const analyzer = { a: { tokenizer: 'standard', filter: ['s'] } };
        return ['PUT', `/k${i}`, { settings: { number_of_shards: 1, analysis: { filter, analyzer } } }];
      },
      ['DELETE', '/k*'],
    ],
    [
      'aliases',
      (i) => {
        const routing = 'r'.repeat(3000);
        const actions = many(500, (j) => ({ add: { index: 'k', alias: `k${i}_${j}`, routing } }));
        return ['POST', '/_aliases', { actions }];
      },
      ['DELETE', '/k'],
    ],
    [
      'filters of aliases',
      (i) => {
        const filter = { terms: { a: many(20_000, (j) => `v${i}_${j}`) } };
        return ['POST', '/_aliases', { actions: [{ add: { index: 'k', alias: `k${i}`, filter } }] }];
      },
      ['DELETE', '/k'],
    ],
    [
      'warmers',
      (i) => {
        const filter = { terms: { a: many(20_000, (j) => `v${i}_${j}`) } };
        return ['PUT', `/k/_warmer/w${i}`, { query: { filtered: { filter } } }];
      },
      ['DELETE', '/k'],
    ],
  ])(
    '%s',
    async (_, make, remove) => {
      const { done, status, error } = await untilRefused(100, make);
      expect([status, error]).toEqual([500, expect.stringMatching(/^CircuitBreakingException.*<metadata>/)]);
      expect(done).toBeGreaterThan(0);
      // As long as nothing is removed; a refused change has left nothing behind.
      expect((await server.send(...make(done))).status).toBe(500);
      expect((await server.send(...remove)).status).toBe(200);
      await ensureIndex();
      expect((await server.send(...make(done))).status).toBe(200);
      await server.send(...remove);
    },
    120_000,
  );
});

it('registered queries, of which there are many', async () => {
  await server.send('PUT', '/p', { mappings: { t: { properties: { a: { type: 'string' } } } } });
  const percolate = () => server.send('GET', '/p/t/_percolate', { doc: { a: 'w' } });
  expect((await percolate()).status).toBe(200);
  let refused: BulkItem | undefined;
  let kept = 0;
  for (let i = 0; i < 100 && refused === undefined; i++) {
    const lines = many(100, (j) => {
      const should = many(100, (k) => ({ term: { a: `w${i}_${j}_${k}` } }));
      return `{"index":{"_id":"${i}_${j}"}}\n${JSON.stringify({ query: { bool: { should } } })}\n`;
    });
    const { body } = await server.send('POST', '/p/.percolator/_bulk', lines.join(''));
    const { items } = body as { items: BulkItem[] };
    refused = items.find(({ index }) => index.status >= 300);
    kept += items.filter(({ index }) => index.status === 201).length;
  }
  expect(refused?.index.error).toMatch(/CircuitBreakingException.*<percolator>/);
  expect(refused?.index.status).toBe(500);
  expect(kept).toBeGreaterThan(50);
  // Those that are there go on.
  const { body } = await server.send('GET', '/p/t/_percolate', { doc: { a: 'w0_0_0' } });
  expect(body).toMatchObject({ total: 1, _shards: { failed: 0 } });
  expect((await server.send('DELETE', '/p')).status).toBe(200);
}, 120_000);
