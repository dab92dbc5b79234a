import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import { coreBytes } from '../support/core.js';
import { smallCore } from '../support/smallCore.js';

const wasm = coreBytes();
const MIB = 12;

let storage: MemoryStorage;
let blobs: MemoryBlobs;
let warnings: string[];
let resilin: Resilin;

const open = async (core: BufferSource) => {
  resilin = await createEngine({ wasm: core, storage, blobs, warn: (message) => warnings.push(message) });
};
const call = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);
const total = async (index: string) =>
  ((await call('GET', `/${index}/_search?size=0`)).body as { hits: { total: number } }).hits.total;

let n = 0;
/** Words that occur nowhere else: they need the most memory. */
const text = () => Array.from({ length: 500 }, () => `w${(n++ * 7919).toString(36)}`).join(' ');

/** Writes until a write is refused; the ids of what was acknowledged, and the refusal. */
async function fill(
  index: string,
  from = 0,
): Promise<{ ids: string[]; refusal: { status: number; body: unknown } }> {
  const ids: string[] = [];
  for (let i = from; i < 20_000; i++) {
    const answer = await call('PUT', `/${index}/t/${i}`, { text: text() });
    if (answer.status !== 201) return { ids, refusal: answer };
    ids.push(String(i));
  }
  throw new Error('the memory never ended');
}

beforeEach(async () => {
  storage = new MemoryStorage();
  blobs = new MemoryBlobs();
  warnings = [];
  await open(smallCore(wasm, MIB));
  for (const index of ['a', 'b']) {
    await call('PUT', `/${index}`, { settings: { number_of_shards: 1, refresh_interval: '-1' } });
  }
});
afterEach(() => resilin.close());

describe('a core without memory', () => {
  it('refuses writes, keeps what it acknowledged, and goes on searching', async () => {
    await call('PUT', '/a/t/first?refresh=true', { text: 'fox' });
    const { ids, refusal } = await fill('a');
    expect(refusal).toEqual({
      status: 429,
      body: {
        error: expect.stringMatching(/^EsRejectedExecutionException\[\[a\]\[0\] has no memory/),
        status: 429,
      },
    });
    expect(warnings.join()).toContain('the memory of the core is exhausted');
    for (const id of [ids[0]!, ids.at(-1)!]) expect((await call('GET', `/a/t/${id}`)).status).toBe(200);
    expect((await call('POST', '/a/_refresh')).status).toBe(429);
    expect((await call('POST', '/a/_search', { query: { match: { text: 'fox' } } })).body).toMatchObject({
      hits: { total: 1 },
    });
    expect(await total('a')).toBeLessThan(ids.length + 1);
  });

  it('deletes documents, and has room after a restart', async () => {
    for (let i = 0; i < 50; i++) await call('PUT', `/a/t/${i}`, { text: text() });
    await call('POST', '/a/_refresh');
    const { ids } = await fill('a', 50);
    const lines = `{"delete":{"_id":"${ids[0]}"}}\n{"index":{"_id":"new"}}\n{}\n{"delete":{"_id":"none"}}\n`;
    expect((await call('POST', '/a/t/_bulk', lines)).body).toMatchObject({
      items: [
        { delete: { status: 200, found: true } },
        { index: { status: 429 } },
        { delete: { status: 404, found: false } },
      ],
    });
    for (const id of ids.slice(1, -1))
      expect((await call('DELETE', `/a/t/${id}`)).body).toMatchObject({ found: true, _version: 2 });
    for (let i = 0; i < 50; i++) await call('DELETE', `/a/t/${i}`);
    // What the core holds of them goes with a restart.
    await resilin.close();
    await open(smallCore(wasm, MIB));
    expect(await total('a')).toBe(1);
    expect((await call('PUT', '/a/t/new?refresh=true', { text: 'fox' })).status).toBe(201);
    expect(await total('a')).toBe(2);
  });

  it('indexes what it had no room for as soon as there is some', async () => {
    for (let i = 0; i < 300; i++) await call('PUT', `/b/t/${i}`, { text: text() });
    await call('POST', '/b/_refresh');
    const { ids } = await fill('a');
    await call('DELETE', '/b');
    expect((await call('POST', '/a/_refresh')).status).toBe(200);
    expect(await total('a')).toBe(ids.length);
    expect((await call('PUT', '/a/t/more?refresh=true', { text: 'fox' })).status).toBe(201);
    expect(await total('a')).toBe(ids.length + 1);
    expect(warnings.join()).toContain('has memory again');
  });

  it('leaves checkpoints that a later start completes', async () => {
    for (let i = 0; i < 50; i++) await call('PUT', `/a/t/${i}`, { text: text() });
    await call('POST', '/a/_refresh');
    const { ids } = await fill('a', 50);
    await resilin.close();
    expect(await blobs.list()).not.toEqual([]);
    await open(wasm);
    expect(await total('a')).toBe(50 + ids.length);
    expect((await call('PUT', '/a/t/0', { text: 'again' })).body).toMatchObject({ _version: 2 });
    await call('POST', '/a/_refresh');
    expect(await total('a')).toBe(50 + ids.length);
  });

  it('does not take other indices down when one cannot be opened', async () => {
    await call('PUT', '/b/t/1', { text: 'fox' });
    await resilin.close();
    await open(wasm);
    for (let i = 0; i < 2000; i++) await call('PUT', `/a/t/${i}`, { text: text() });
    await resilin.close();
    await open(smallCore(wasm, MIB / 2));
    expect(warnings.join()).toMatch(/\[a\]\[0\] can't be opened: .*memory of the core is exhausted/);
    expect(await total('b')).toBe(1);
    expect((await call('GET', '/_cluster/health/a')).body).toMatchObject({ status: 'red' });
    expect((await call('GET', '/a/_search')).status).toBe(503);
    expect((await call('PUT', '/a/t/1', { text: 'fox' })).status).toBe(503);
    expect((await call('GET', '/a/t/1')).status).toBe(200);
    await resilin.close();
    await open(wasm);
    expect(await total('a')).toBe(2000);
  });
});
