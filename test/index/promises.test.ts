import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Principal } from '../../host/security/principal.js';
import { wallClock } from '../../host/time/clock.js';
import { Engine } from '../../host/engine/engine.js';
import { LocalTransport } from '../../host/shard/localShards.js';
import type { ShardClient } from '../../host/shard/shardClient.js';
import { createEngine } from '../../host/index.js';
import { createRouter } from '../../host/rest/createRouter.js';
import { compactStore } from '../../host/storage/compaction.js';
import { FileBlobs } from '../../host/storage/files.js';
import { LmdbStorage } from '../../host/storage/lmdb.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import { coreBytes } from '../support/core.js';
import { WorkLimit } from '../../host/workLimit.js';

/** What docs/durability.md promises of deletions, seen from outside. */

const wasm = coreBytes();

/** Searches of shards that wait at a gate, before they are carried out or with their results in hand. */
class Gated extends LocalTransport {
  when: 'before' | 'after' | undefined;
  #open: () => void = () => {};
  #gate: Promise<void> = Promise.resolve();
  #arrived: () => void = () => {};

  /** Shuts the gate; resolves when a search has come to it. */
  shut(when: 'before' | 'after'): Promise<void> {
    this.when = when;
    this.#gate = new Promise((done) => {
      this.#open = done;
    });
    return new Promise((done) => {
      this.#arrived = done;
    });
  }

  let(): void {
    this.when = undefined;
    this.#open();
  }

  override async open(): Promise<ShardClient> {
    const client = await super.open();
    const wait = (when: 'before' | 'after'): Promise<void> | undefined => {
      if (this.when !== when) return undefined;
      this.#arrived();
      return this.#gate;
    };
    return {
      ...client,
      search: async (plan, limit) => {
        await wait('before');
        const result = await client.search(plan, limit);
        await wait('after');
        return result;
      },
    };
  }
}

async function gated() {
  const module = await WebAssembly.compile(wasm);
  const transport = new Gated(module);
  const warnings: string[] = [];
  const parts = {
    storage: new MemoryStorage(),
    blobs: new MemoryBlobs(),
    clock: wallClock,
    transport,
    module,
  };
  const engine = await Engine.open({ ...parts, warn: (message) => warnings.push(message) });
  const router = createRouter(engine, { node: 'n', cluster: 'c', version: '0' });
  const call = async (method: string, uri: string, body?: unknown) => {
    const text = body === undefined ? '' : JSON.stringify(body);
    const answer = await router.handle(
      method,
      uri,
      new TextEncoder().encode(text),
      Principal.unrestricted,
      WorkLimit.none,
    );
    return { status: answer.status, body: JSON.parse(new TextDecoder().decode(answer.body)) };
  };
  await call('PUT', '/a', { settings: { number_of_shards: 2, refresh_interval: -1 } });
  for (let i = 0; i < 20; i++) await call('PUT', `/a/t/${i}`, { s: 'red fox', n: i });
  await call('POST', '/a/_refresh');
  return { engine, transport, warnings, call };
}

describe('an index can be deleted while it is searched', () => {
  it.each(['before', 'after'] as const)('%s its shards have answered', async (when) => {
    const { engine, transport, warnings, call } = await gated();
    const scroll = (await call('GET', '/a/_search?scroll=1m&size=3')).body._scroll_id as string;
    const arrived = transport.shut(when);
    const search = call('POST', '/a/_search', { query: { match: { s: 'fox' } }, sort: ['n'] });
    await arrived;
    expect((await call('DELETE', '/a')).status).toBe(200);
    transport.let();
    const { status, body } = await search;
    if (status === 200) expect(body.hits.hits.length).toBeLessThanOrEqual(10);
    else expect([[404, 503], status]).toEqual([[404, 503], expect.toSatisfy((s) => s === 404 || s === 503)]);
    expect((await call('GET', `/_search/scroll?scroll_id=${scroll}`)).status).toBe(404);
    // Nothing of it is left, neither for an index of its name nor in the stats.
    await call('PUT', '/a/t/1?refresh=true', { s: 'fox' });
    expect((await call('GET', '/a/_search')).body.hits.total).toBe(1);
    expect(engine.breakers.stats.request.used).toBe(0);
    expect(warnings).toEqual([]);
    await engine.close();
  });

  it('again and again, by many', async () => {
    const { engine, call } = await gated();
    const answers: Promise<{ status: number }>[] = [];
    for (let round = 0; round < 10; round++) {
      for (let i = 0; i < 10; i++)
        answers.push(call('POST', '/a/_search', { query: { match: { s: 'fox' } } }));
      answers.push(call('DELETE', '/a'));
      answers.push(call('PUT', `/a/t/${round}?refresh=true`, { s: 'fox' }));
    }
    for (const { status } of await Promise.all(answers)) expect([200, 201, 404, 503]).toContain(status);
    expect((await call('GET', '/_cluster/health')).body.status).not.toBe('red');
    await engine.close();
  });
});

describe('the disk space of deleted documents and indices comes back', () => {
  it('of segments at once, of the store with the next start', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'resilin-space-'));
    const [store, segments] = [join(folder, 'store'), join(folder, 'segments')];
    const open = async () =>
      createEngine({ wasm, storage: new LmdbStorage(store), blobs: await FileBlobs.open(segments) });
    const kept = () =>
      readdirSync(segments).reduce((sum, name) => sum + statSync(join(segments, name)).size, 0);
    const rows = () => statSync(join(store, 'data.mdb')).size;
    let resilin = await open();
    const text = (i: number) => Array.from({ length: 400 }, (_, j) => `word${i}x${j}`).join(' ');
    const lines = (from: number, to: number, line: (i: number) => string) =>
      Array.from({ length: to - from }, (_, i) => line(from + i)).join('');
    const bulk = (body: string) => resilin.request('POST', '/_bulk?refresh=true', body);
    for (const index of ['a', 'b']) {
      await resilin.request('PUT', `/${index}`, { settings: { number_of_shards: 1, refresh_interval: -1 } });
      await bulk(
        lines(
          0,
          400,
          (i) => `{"index":{"_index":"${index}","_type":"t","_id":"${i}"}}\n{"s":"${text(i)}"}\n`,
        ),
      );
    }
    await resilin.request('POST', '/_flush');
    const [before, full] = [kept(), rows()];
    // Documents: a merge drops them, and the checkpoint after it their file.
    await bulk(lines(0, 380, (i) => `{"delete":{"_index":"a","_type":"t","_id":"${i}"}}\n`));
    await resilin.request('POST', '/a/_optimize?max_num_segments=1');
    await resilin.request('POST', '/a/_flush');
    const half = kept();
    expect(half).toBeLessThan(0.6 * before);
    // An index: its files go with it.
    await resilin.request('DELETE', '/b');
    expect(kept()).toBeLessThan(0.1 * before);
    await resilin.close();
    expect(await compactStore(store, 64 * 1024)).toBeGreaterThan(full / 2);
    expect(rows()).toBeLessThan(full / 2);
    resilin = await open();
    const { body } = await resilin.request('GET', '/a/_search?q=s:word390x7');
    expect(body).toMatchObject({ hits: { total: 1, hits: [{ _id: '390', _source: { s: text(390) } }] } });
    expect((await resilin.request('HEAD', '/b')).status).toBe(404);
    await resilin.close();
    rmSync(folder, { recursive: true });
  });
});
