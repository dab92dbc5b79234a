import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Principal } from '../../host/security/principal.js';
import { wallClock } from '../../host/time/clock.js';
import { Engine } from '../../host/engine/engine.js';
import { LocalTransport } from '../../host/shard/localShards.js';
import type { ShardClient, ShardTransport } from '../../host/shard/shardClient.js';
import { createRouter } from '../../host/rest/createRouter.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import { coreBytes } from '../support/core.js';
import { WorkLimit } from '../../host/workLimit.js';

const wasm = coreBytes();

/** Shards that open when the gate does. */
class Gate implements ShardTransport {
  readonly #inner: LocalTransport;
  open_!: () => void;
  readonly #open = new Promise<void>((done) => {
    this.open_ = done;
  });
  constructor(module: WebAssembly.Module) {
    this.#inner = new LocalTransport(module);
  }
  async open(): Promise<ShardClient> {
    await this.#open;
    return this.#inner.open();
  }
  readonly fielddata = 0;
  limitFielddata(): void {}
  close(): Promise<void> {
    return this.#inner.close();
  }
}

let storage: MemoryStorage;
let blobs: MemoryBlobs;
let engine: Engine;
let gate: Gate;
let call: (method: string, uri: string, body?: string) => Promise<{ status: number; body: never }>;

const open = async (shut: boolean) => {
  const module = await WebAssembly.compile(wasm);
  gate = new Gate(module);
  if (!shut) gate.open_();
  engine = await Engine.open({ storage, blobs, clock: wallClock, transport: gate, module, background: true });
  const router = createRouter(engine, { node: 'n', cluster: 'c', version: '0' });
  call = async (method, uri, body = '') => {
    const answer = await router.handle(
      method,
      uri,
      new TextEncoder().encode(body),
      Principal.unrestricted,
      WorkLimit.none,
    );
    return { status: answer.status, body: JSON.parse(new TextDecoder().decode(answer.body)) as never };
  };
};

beforeEach(async () => {
  storage = new MemoryStorage();
  blobs = new MemoryBlobs();
  await open(false);
  await call('PUT', '/a', '{"settings":{"number_of_shards":2,"number_of_replicas":0}}');
  await call('PUT', '/a/t/1', '{"title":"fox"}');
  await open(true);
});
afterEach(async () => {
  gate.open_();
  await engine.close();
});

describe('a node whose shards are being opened', () => {
  it('tells so, reads documents by their ids, and lets searches and writes wait', async () => {
    expect((await call('GET', '/_cluster/health')).body).toMatchObject({
      status: 'red',
      initializing_shards: 2,
      active_shards: 0,
      unassigned_shards: 0,
    });
    expect((await call('GET', '/_recovery?active_only=true')).body).toMatchObject({
      a: { shards: [{ stage: 'INDEX' }, { stage: 'INDEX' }] },
    });
    expect((await call('GET', '/_stats')).status).toBe(200);
    expect((await call('GET', '/a/t/1')).body).toMatchObject({ found: true });
    const early = await call('GET', '/_cluster/health?wait_for_status=green&timeout=1ms');
    expect(early.body).toMatchObject({ timed_out: true, status: 'red' });
    const waiting = [
      call('GET', '/a/_search'),
      call('PUT', '/a/t/1', '{"title":"fox"}'),
      call('POST', '/_bulk', '{"index":{"_index":"a","_type":"t","_id":"2"}}\n{}\n'),
      call('GET', '/_cluster/health/a?wait_for_status=green'),
      call('PUT', '/b', '{"settings":{"number_of_shards":1}}'),
    ];
    let answered = 0;
    for (const each of waiting) void each.then(() => answered++);
    await new Promise((done) => setImmediate(done));
    expect(answered).toBe(0);
    gate.open_();
    const [search, put, bulk, health, create] = await Promise.all(waiting);
    expect(search!.body).toMatchObject({ hits: { total: 1 } });
    expect(put!.body).toMatchObject({ _version: 2 });
    expect(bulk!.body).toMatchObject({ errors: false });
    expect(health!.body).toMatchObject({ timed_out: false, status: 'green' });
    expect(create!.status).toBe(200);
    expect((await call('GET', '/_recovery?active_only=true')).body).toEqual({});
    expect((await call('GET', '/a/_recovery')).body).toMatchObject({
      a: { shards: [{ stage: 'DONE' }, { stage: 'DONE' }] },
    });
  });

  it('can be ended', async () => {
    const closing = engine.close();
    gate.open_();
    await closing;
    await open(false);
    expect((await call('GET', '/a/_count')).body).toMatchObject({ count: 1 });
  });
});
