import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Principal } from '../../host/security/principal.js';
import type { Clock } from '../../host/time/clock.js';
import { createEngine, type Resilin } from '../../host/index.js';
import { CoreError, CoreTrap, Status } from '../../host/core/status.js';
import { Engine } from '../../host/engine/engine.js';
import { LocalTransport } from '../../host/shard/localShards.js';
import { type ShardClient, ShardLost, type ShardTransport } from '../../host/shard/shardClient.js';
import { createRouter } from '../../host/rest/createRouter.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import { coreBytes } from '../support/core.js';
import { WorkLimit } from '../../host/workLimit.js';

const wasm = coreBytes();

/** A clock that stands still until it is turned. */
class HandClock implements Clock {
  #now = 1_000_000;
  #timers: { at: number; callback: () => void }[] = [];
  now(): number {
    return this.#now;
  }
  after(ms: number, callback: () => void): () => void {
    const timer = { at: this.#now + ms, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((each) => each !== timer);
    };
  }
  turn(ms: number): void {
    this.#now += ms;
    const due = this.#timers.filter((timer) => timer.at <= this.#now);
    this.#timers = this.#timers.filter((timer) => timer.at > this.#now);
    for (const { callback } of due) callback();
  }
}

let storage: MemoryStorage;
let blobs: MemoryBlobs;
let clock: HandClock;
let warnings: string[];
let resilin: Resilin;

const open = async () => {
  resilin = await createEngine({ wasm, storage, blobs, clock, warn: (message) => warnings.push(message) });
};
const call = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);
const found = async (word: string) => {
  const { body } = await call('POST', '/a/_search', { query: { match: { title: word } }, size: 1000 });
  const { hits } = body as { hits: { hits: { _id: string; _score: number }[] } };
  return hits.hits.map((hit) => `${hit._id} ${hit._score}`);
};

beforeEach(async () => {
  storage = new MemoryStorage();
  blobs = new MemoryBlobs();
  clock = new HandClock();
  warnings = [];
  await open();
  await call('PUT', '/a', { settings: { number_of_shards: 2, refresh_interval: '-1' } });
  for (let i = 0; i < 50; i++) await call('PUT', `/a/t/${i}`, { title: `fox number ${i}` });
});
afterEach(() => resilin.close());

describe('a restart', () => {
  it('after a clean end finds the same, from segments', async () => {
    await call('POST', '/a/_refresh');
    const before = await found('fox');
    await resilin.close();
    expect(await blobs.list()).not.toEqual([]);
    await open();
    expect(await found('fox')).toEqual(before);
    expect(before).toHaveLength(50);
    expect(warnings).toEqual([]);
  });

  it('without an end finds everything acknowledged, from documents', async () => {
    await open();
    expect(await found('fox')).toHaveLength(50);
    expect((await call('PUT', '/a/t/3', { title: 'hen' })).body).toMatchObject({
      _version: 2,
      created: false,
    });
  });

  it('replays what came after the checkpoint, deletions and replacements included', async () => {
    await call('POST', '/a/_refresh');
    for (const index of [resilin.engine.index('a')]) {
      for (const shard of index.shards) await shard.checkpoint();
    }
    await call('PUT', '/a/t/1', { title: 'hen' });
    await call('DELETE', '/a/t/2');
    await call('PUT', '/a/t/99', { title: 'fox', fresh: 'field' });
    await open();
    expect(await found('fox')).toHaveLength(49);
    expect(await found('hen')).toHaveLength(1);
    expect((await call('GET', '/a/t/2')).status).toBe(404);
    expect((await call('GET', '/a/_mapping')).body).toMatchObject({
      a: { mappings: { t: { properties: { fresh: {} } } } },
    });
    await resilin.close();
    await open();
    expect(await found('fox')).toHaveLength(49);
  });

  it.each(['damaged', 'missing'])('rebuilds a shard whose segment is %s', async (kind) => {
    await call('POST', '/a/_refresh');
    await call('PUT', '/a/t/1', { title: 'hen' });
    await resilin.close();
    const [name] = await blobs.list();
    const image = (await blobs.get(name!))!.slice();
    image[image.length >> 1]! ^= 1;
    if (kind === 'missing') await blobs.delete(name!);
    else await blobs.put(name!, image);
    await open();
    expect(await found('fox')).toHaveLength(49);
    expect(await found('hen')).toHaveLength(1);
    expect(warnings.join()).toContain('rebuilt from its documents');
  });

  it('leaves nothing of a deleted index', async () => {
    await call('DELETE', '/a');
    await open();
    expect((await call('HEAD', '/a')).status).toBe(404);
    expect(await blobs.list()).toEqual([]);
    expect(
      [...storage.range(new Uint8Array([0]), new Uint8Array([255]))].map(([key]) =>
        new TextDecoder().decode(key),
      ),
    ).toEqual(['mn']);
  });
});

describe('a store of a newer format', () => {
  it('is refused by name, and left as it is', async () => {
    await resilin.close();
    const key = new TextEncoder().encode('mn');
    const node = JSON.parse(new TextDecoder().decode(storage.get(key))) as object;
    expect(node).toMatchObject({ format: 4 });
    await storage.commit([[key, new TextEncoder().encode(JSON.stringify({ ...node, format: 5 }))]], []);
    await expect(open()).rejects.toThrow('the store has the format 5, and this version knows those up to 4');
  });
});

describe('a store of an older format', () => {
  it('is read: one that says nothing is of the first', async () => {
    await resilin.close();
    const key = new TextEncoder().encode('mn');
    await storage.commit([[key, new TextEncoder().encode(JSON.stringify({ nextShard: 9 }))]], []);
    await open();
    await call('POST', '/a/_refresh');
    expect(await found('fox')).toHaveLength(50);
  });

  it('is of the newest as soon as it is open', async () => {
    await resilin.close();
    const key = new TextEncoder().encode('mn');
    await storage.commit([[key, new TextEncoder().encode(JSON.stringify({ nextShard: 9, format: 1 }))]], []);
    await open();
    expect(JSON.parse(new TextDecoder().decode(storage.get(key)))).toEqual({ nextShard: 9, format: 4 });
  });
});

describe('time', () => {
  it('refreshes by itself after the interval', async () => {
    await call('PUT', '/b/t/1', { title: 'fox' });
    const total = async () =>
      ((await call('GET', '/b/_search')).body as { hits: { total: number } }).hits.total;
    expect(await total()).toBe(0);
    clock.turn(1000);
    await resilin.engine.refresh(resilin.engine.resolve('b'));
    expect(await total()).toBe(1);
  });

  it('forgets the version of a deletion after a minute', async () => {
    await call('DELETE', '/a/t/1');
    expect((await call('PUT', '/a/t/1', { title: 'x' })).body).toMatchObject({ _version: 3 });
    await call('DELETE', '/a/t/1');
    clock.turn(60_001);
    expect((await call('PUT', '/a/t/1', { title: 'x' })).body).toMatchObject({ _version: 1 });
  });
});

/** Shards that are lost on command, as when their core traps. */
class Fragile implements ShardTransport {
  readonly #inner: LocalTransport;
  fail: Partial<Record<keyof ShardClient, Error>> = {};
  /** Plans that contain this text make the core trap. */
  deadly: string | undefined;
  opened = 0;
  searches = 0;
  /** New shards wait for it. */
  gate: Promise<void> = Promise.resolve();
  constructor(module: WebAssembly.Module) {
    this.#inner = new LocalTransport(module);
  }
  async open(): Promise<ShardClient> {
    this.opened++;
    await this.gate;
    const client = await this.#inner.open();
    const { search, terms } = client;
    client.search = async (plan, limit) => {
      this.searches++;
      if (this.deadly !== undefined && Buffer.from(plan).includes(this.deadly))
        throw new CoreTrap('search', new Error('unreachable'));
      return search(plan, limit);
    };
    client.terms = async (request, limit) => {
      if (this.deadly !== undefined && Buffer.from(request).includes(this.deadly))
        throw new CoreTrap('terms', new Error('unreachable'));
      return terms(request, limit);
    };
    return new Proxy(client, {
      get: (target, name: keyof ShardClient) => {
        const error = this.fail[name];
        if (error === undefined) return target[name];
        delete this.fail[name];
        return () => Promise.reject(error);
      },
    });
  }
  get fielddata(): number {
    return this.#inner.fielddata;
  }
  limitFielddata(bytes: number): void {
    this.#inner.limitFielddata(bytes);
  }
  close(): Promise<void> {
    return this.#inner.close();
  }
}

/** An engine over fragile shards, with one index of one shard and three documents. */
async function fragile() {
  const module = await WebAssembly.compile(wasm);
  const transport = new Fragile(module);
  const [kept, files] = [new MemoryStorage(), new MemoryBlobs()];
  const engine = await Engine.open({ storage: kept, blobs: files, clock, transport, module });
  const router = createRouter(engine, { node: 'n', cluster: 'c', version: '0' });
  const send = async (method: string, uri: string, body: unknown = '') => {
    const bytes = new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
    const answer = await router.handle(method, uri, bytes, Principal.unrestricted, WorkLimit.none);
    return { status: answer.status, text: new TextDecoder().decode(answer.body) };
  };
  const settings = { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1' };
  await send('PUT', '/a', { settings });
  // Several segments, and one document that was replaced.
  for (const id of [1, 2, 3, 1]) await send('PUT', `/a/t/${id}?refresh=true`, { title: `fox ${id}` });
  return { engine, transport, send };
}

describe('a core that refuses what is stored', () => {
  it('is brought back from the store, and takes further writes', async () => {
    const { engine, transport, send } = await fragile();
    transport.fail.apply = new CoreError(Status.batch, 'apply');
    const writes = await Promise.all([4, 5, 6].map((id) => send('PUT', `/a/t/${id}`, { title: 'more' })));
    expect(writes.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect((await send('PUT', '/a/t/7?refresh=true', { title: 'more' })).status).toBe(201);
    expect((await send('GET', '/a/_search?_source=false')).text).toContain('"total":7');
    expect(transport.opened).toBe(2);
    await engine.close();
  });

  it('answers why, where it refuses that again', async () => {
    const { engine, transport, send } = await fragile();
    transport.fail.apply = new CoreError(Status.batch, 'apply');
    transport.fail.define = new CoreError(Status.limit, 'define');
    const refused = await send('PUT', '/a/t/4', { title: 'more' });
    expect(refused.status).toBe(500);
    expect(refused.text).toContain('define: the request exceeds a bound of the core');
    await engine.close();
  });
});

describe('a core that traps', () => {
  const search = (title: string) => ({ query: { match: { title } }, _source: false });

  it('is red in the health until the shard is back, and searches wait for it', async () => {
    const { engine, transport, send } = await fragile();
    let open!: () => void;
    transport.gate = new Promise((resolve) => {
      open = resolve;
    });
    transport.deadly = 'badger';
    const health = async (level = 'cluster') =>
      JSON.parse((await send('GET', `/_cluster/health?level=${level}`)).text) as Record<string, never>;
    expect(await health()).toMatchObject({ status: 'green', active_shards: 1 });
    const trapped = send('POST', '/a/_search', search('badger'));
    const waiting = send('POST', '/a/_search', search('fox'));
    while (transport.opened < 2) await new Promise(setImmediate);
    expect(await health('shards')).toMatchObject({
      status: 'red',
      active_shards: 0,
      initializing_shards: 1,
      indices: { a: { shards: { 0: { status: 'red', primary_active: false, initializing_shards: 1 } } } },
    });
    expect((await send('GET', '/_cat/shards?h=state')).text.trim()).toBe('INITIALIZING');
    open();
    expect((await trapped).status).toBe(500);
    expect((await waiting).text).toContain('"total":3');
    expect(await health()).toMatchObject({ status: 'green', active_shards: 1, initializing_shards: 0 });
    await engine.close();
  });

  it('refuses a request that has made it trap twice, and no other', async () => {
    const { engine, transport, send } = await fragile();
    transport.deadly = 'badger';
    for (let i = 0; i < 2; i++) {
      const { status, text } = await send('POST', '/a/_search', search('badger'));
      expect([status, text]).toEqual([500, expect.stringContaining('CoreTrap[')]);
    }
    expect(transport.opened).toBe(3);
    const before = transport.searches;
    for (let i = 0; i < 2; i++) {
      const { status, text } = await send('POST', '/a/_search', search('badger'));
      const said = '[a][0] the request has made the core of the shard trap 2 times, and is refused';
      expect([status, text]).toEqual([500, expect.stringContaining(said)]);
    }
    expect([transport.opened, transport.searches]).toEqual([3, before]);
    expect((await send('POST', '/a/_search', search('fox'))).text).toContain('"total":3');
    // Another request with the same word may try.
    await send('POST', '/a/_search', { ...search('badger'), size: 3 });
    expect(transport.opened).toBe(4);
    await engine.close();
  });

  it('remembers the requests that trapped it last', async () => {
    const { engine, transport, send } = await fragile();
    transport.deadly = 'badger';
    const trap = (i: number) => send('POST', '/a/_search', search(`badger${i}`));
    await trap(1);
    await trap(1);
    for (let i = 2; i < 66; i++) await trap(i);
    expect((await trap(65)).text).toContain('CoreTrap[');
    expect((await trap(65)).text).toContain('is refused');
    expect((await trap(1)).text).toContain('CoreTrap[');
    await engine.close();
  });
  it('costs no document, and the shard comes back', async () => {
    const module = await WebAssembly.compile(wasm);
    const transport = new Fragile(module);
    const engine = await Engine.open({
      storage: new MemoryStorage(),
      blobs: new MemoryBlobs(),
      clock,
      transport,
      module,
    });
    const router = createRouter(engine, { node: 'n', cluster: 'c', version: '0' });
    const send = async (method: string, uri: string, body = '') => {
      const answer = await router.handle(
        method,
        uri,
        new TextEncoder().encode(body),
        Principal.unrestricted,
        WorkLimit.none,
      );
      return { status: answer.status, text: new TextDecoder().decode(answer.body) };
    };
    await send('PUT', '/a', '{"settings":{"number_of_shards":1,"refresh_interval":"-1"}}');
    await send('PUT', '/a/t/1?refresh=true', '{"title":"one"}');
    transport.fail.apply = new CoreTrap('apply', new Error('unreachable'));
    const writes = await Promise.all([2, 3, 4, 5].map((id) => send('PUT', `/a/t/${id}`, '{"title":"more"}')));
    expect(writes.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    transport.fail.search = new CoreTrap('search', new Error('unreachable'));
    expect((await send('GET', '/a/_search')).status).toBe(500);
    transport.fail.search = new ShardLost('gone');
    expect((await send('GET', '/a/_search?_source=false')).text).toContain('"total":5');
    await send('DELETE', '/a/t/1?refresh=true');
    expect((await send('GET', '/a/_search?_source=false')).text).toContain('"total":4');
    transport.fail.checkpoint = new ShardLost('gone');
    expect((await send('POST', '/a/_flush')).text).toContain('"successful":1');
    expect((await send('GET', '/a/_search?_source=false')).text).toContain('"total":4');
    expect(transport.opened).toBe(5);
    expect((await send('GET', '/_cluster/health')).text).toContain('"status":"yellow"');
    await engine.close();
  });
});
