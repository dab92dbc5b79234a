/** Documents that lie on a disk are read by other threads before they are read where everybody waits. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { wallClock } from '../../host/time/clock.js';
import { Engine } from '../../host/engine/engine.js';
import { createRouter } from '../../host/rest/createRouter.js';
import { Principal } from '../../host/security/principal.js';
import { LocalTransport } from '../../host/shard/localShards.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import { WorkLimit } from '../../host/workLimit.js';
import { coreBytes } from '../support/core.js';

/** A store of which nothing is in memory. */
class ColdStorage extends MemoryStorage {
  isCold = true;
  /** Keys that were read ahead and not read yet. */
  readonly ahead = new Set<string>();
  /** Documents that were read without that. */
  waited = 0;
  prefetched = 0;

  prefetch(keys: readonly Uint8Array[]): Promise<void> | undefined {
    if (!this.isCold) return undefined;
    return new Promise((done) =>
      setImmediate(() => {
        for (const key of keys) this.ahead.add(key.join());
        this.prefetched += keys.length;
        done();
      }),
    );
  }

  override get(key: Uint8Array): Uint8Array | undefined {
    if (key[0] === 'd'.charCodeAt(0) && !this.ahead.has(key.join())) this.waited++;
    return super.get(key);
  }
}

interface Answer {
  hits: { total: number; hits: { _id: string }[] };
  _scroll_id: string;
  _source: unknown;
  found: boolean;
}

const storage = new ColdStorage();
let engine: Engine;
let call: (method: string, uri: string, body?: unknown) => Promise<Answer>;

beforeAll(async () => {
  const module = await WebAssembly.compile(coreBytes());
  const transport = new LocalTransport(module);
  engine = await Engine.open({ storage, blobs: new MemoryBlobs(), clock: wallClock, transport, module });
  const router = createRouter(engine, { node: 'n', cluster: 'c', version: '0' });
  call = async (method, uri, body) => {
    const bytes = new TextEncoder().encode(
      typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body),
    );
    const response = await router.handle(method, uri, bytes, Principal.unrestricted, WorkLimit.none);
    return JSON.parse(new TextDecoder().decode(response.body));
  };
  await call('PUT', '/a', { settings: { number_of_shards: 3 } });
  const lines = Array.from({ length: 90 }, (_, i) => `{"index":{"_id":"${i}"}}\n{"n":${i},"t":"word"}\n`);
  await call('POST', '/a/doc/_bulk?refresh=true', lines.join(''));
});
afterAll(() => engine.close());
beforeEach(() => {
  storage.ahead.clear();
  storage.waited = storage.prefetched = 0;
});

const ids = ({ hits }: Answer) => hits.hits.map(({ _id }) => Number(_id));
const from = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i);

it('of a search, those of its page alone', async () => {
  const page = await call('POST', '/a/_search', { sort: ['n'], from: 20, size: 15 });
  expect(ids(page)).toEqual(from(20, 15));
  expect([storage.waited, storage.prefetched]).toEqual([0, 15]);
  storage.prefetched = 0;
  expect((await call('GET', '/a/_search?q=t:word&size=7')).hits.hits).toHaveLength(7);
  expect([storage.waited, storage.prefetched]).toEqual([0, 7]);
  storage.prefetched = 0;
  expect((await call('GET', '/a/_search?search_type=count')).hits.total).toBe(90);
  expect((await call('GET', '/a/_search?size=0')).hits.total).toBe(90);
  expect([storage.waited, storage.prefetched]).toEqual([0, 0]);
});

it('of a scroll, those of each page', async () => {
  let page = await call('GET', '/a/_search?scroll=1m&sort=n&size=40');
  const seen: number[] = [];
  while (ids(page).length > 0) {
    seen.push(...ids(page));
    page = await call('GET', `/_search/scroll?scroll=1m&scroll_id=${page._scroll_id}`);
  }
  expect(seen).toEqual(from(0, 90));
  expect([storage.waited, storage.prefetched]).toEqual([0, 90]);
});

it('of a get, the record of the id and the document', async () => {
  expect((await call('GET', '/a/doc/5'))._source).toEqual({ n: 5, t: 'word' });
  expect(storage.waited).toBe(0);
  expect(storage.prefetched).toBe(2);
  expect((await call('GET', '/a/doc/none')).found).toBe(false);
  expect((await call('GET', `/a/doc/${'x'.repeat(1900)}`)).found).toBe(false);
});

it('none where all is in memory', async () => {
  storage.isCold = false;
  await call('GET', '/a/doc/5');
  await call('GET', '/a/_search');
  expect(storage.prefetched).toBe(0);
  storage.isCold = true;
});
