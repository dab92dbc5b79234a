/** Copies that go while a node without data searches them. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { InProcessCluster } from '../../host/cluster/inProcess/inProcessCluster.js';
import { PeerRejected, PeerUnreachable } from '../../host/cluster/errors.js';
import { type Peers, QUESTIONS_FULL } from '../../host/cluster/peers.js';
import { READ } from '../../host/replication/readAsker.js';
import { decodeQuestions } from '../../host/replication/readMessages.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import { coreBytes } from '../support/core.js';
import { SimulatedNode } from './simulation/simulatedNode.js';
import { VirtualClock } from './simulation/virtualClock.js';

const module = await WebAssembly.compile(coreBytes());
let clock: VirtualClock;
let cluster: InProcessCluster;
let running: Promise<void>;
/** Two nodes with data, one without. */
let nodes: SimulatedNode[];
let c: SimulatedNode;
/** Questions of the node without data. */
let asked: { node: string; kind: string }[];
/** Called before a question of it, and before its answer is told. */
let before: (node: string, kind: string, signal: AbortSignal) => Promise<void>;
let after: (node: string, kind: string) => Promise<void>;
const killed = new Set<string>();

beforeEach(async () => {
  clock = new VirtualClock();
  cluster = new InProcessCluster({ clock });
  running = clock.run();
  nodes = [];
  killed.clear();
  asked = [];
  before = after = async () => {};
  for (const id of ['a', 'b', 'c']) {
    const services = cluster.start(id);
    const { logs, members } = services;
    const peers: Peers = {
      serve: (handler) => services.peers.serve(handler),
      ask: async (node, kind, bytes, signal) => {
        // Not those that only tell that searches are over.
        if (kind !== READ || decodeQuestions(bytes).items.length > 0) asked.push({ node, kind });
        await before(node, kind, signal);
        const answer = await services.peers.ask(node, kind, bytes, signal);
        await after(node, kind);
        return answer;
      },
    };
    nodes.push(
      await SimulatedNode.start({
        id,
        incarnation: `${id}-1`,
        services: id === 'c' ? { clock, logs, members, peers, close: () => services.close() } : services,
        module,
        data: id !== 'c',
        storage: new MemoryStorage(),
        blobs: new MemoryBlobs(),
      }),
    );
  }
  c = nodes[2]!;
  const settings = { number_of_shards: 2, number_of_replicas: 1, refresh_interval: -1 };
  await c.call('PUT', '/books', { settings });
  for (let i = 0; i < 20; i++) await c.call('PUT', `/books/book/${i}`, { title: `word ${i}`, n: i });
  await c.call('POST', '/books/_refresh');
  asked = [];
});

afterEach(async () => {
  for (const { engine, id } of nodes) if (!killed.has(id)) await engine.close();
  clock.stop();
  await running;
});

function kill(node: string): void {
  killed.add(node);
  cluster.kill(node);
}

/** Documents that are too long to come with what is found. */
async function fillMore(): Promise<void> {
  const long = 'long '.repeat(2000);
  for (let i = 20; i < 60; i++) await c.call('PUT', `/books/book/${i}`, { title: long, n: i });
  await c.call('POST', '/books/_refresh');
}

const reads = () => asked.filter(({ kind }) => kind === 'read');
const search = (query = '') => c.call('POST', `/books/_search?sort=n&size=20${query}`);
const ids = (body: { hits: { hits: { _id: string }[] } }) => body.hits.hits.map(({ _id }) => Number(_id));
const all = Array.from({ length: 20 }, (_, i) => i);

describe('a search through a node without data', () => {
  it('asks a node once for a short page, and once more for documents that are not with it', async () => {
    expect(ids((await search('&preference=_prefer_node:a')).body)).toEqual(all);
    expect(reads().map(({ node }) => node)).toEqual(['a']);
    await fillMore();
    asked = [];
    expect((await search('&size=60&preference=_prefer_node:a')).body.hits.hits.length).toBe(60);
    expect(reads().map(({ node }) => node)).toEqual(['a', 'a']);
  });

  it('asks the other copy when a node is dead, soon', async () => {
    kill('a');
    // Long before its time to live is over.
    const began = clock.now();
    const { body } = await search('&preference=_prefer_node:a');
    expect(body._shards).toEqual({ total: 2, successful: 2, failed: 0 });
    expect(ids(body)).toEqual(all);
    expect(clock.now() - began).toBeLessThan(5000);
  });

  it('asks the other copy when a node is shut down that is searching', async () => {
    const a = nodes[0]!;
    for (const { searches } of a.engine.index('books').copies) {
      const query = searches.query.bind(searches);
      searches.query = async (...asked) => {
        killed.add('a');
        await a.engine.close();
        return query(...asked);
      };
    }
    const { body } = await search('&preference=_prefer_node:a');
    expect([...killed]).toEqual(['a']);
    expect(body._shards).toEqual({ total: 2, successful: 2, failed: 0 });
    expect(ids(body)).toEqual(all);
  });

  it('is carried out again when a copy dies between finding and reading', async () => {
    await fillMore();
    after = async (node, kind) => {
      if (kind === 'read' && !killed.has(node)) kill(node);
      after = async () => {};
    };
    const { body } = await search('&size=60');
    expect(killed.size).toBe(1);
    expect(body._shards).toEqual({ total: 2, successful: 2, failed: 0 });
    expect(ids(body)).toEqual(Array.from({ length: 60 }, (_, i) => i));
  });

  it('says soon which shards have no copy that answers', async () => {
    kill('a');
    kill('b');
    // Long before its time to live is over.
    const began = clock.now();
    const { status, body } = await search();
    expect(status).toBe(503);
    expect(body.error).toMatch(
      /^SearchPhaseExecutionException\[Failed to execute phase \[query\], all shards failed/,
    );
    expect(body.error).toMatch(/NoShardAvailableActionException\[\[books\]\[0\] no copy answers: /);
    expect(clock.now() - began).toBeLessThan(5000);
    expect((await c.call('GET', '/books/book/1')).status).toBe(503);
  });

  it('waits for a slow search of a node that lives', async () => {
    before = (_node, kind) =>
      kind === 'read' ? new Promise((resolve) => void clock.after(20_000, resolve)) : Promise.resolve();
    const { body } = await search('&preference=_prefer_node:b');
    expect(ids(body)).toEqual(all);
    expect(reads().map(({ node }) => node)).toEqual(['b']);
  });

  it('asks a node again that showed no life for seconds, where nobody else has the copy', async () => {
    const busyUntil = clock.now() + 8000;
    before = (_node, _kind, signal) =>
      new Promise((resolve, reject) => {
        clock.after(Math.max(0, busyUntil - clock.now()), resolve);
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    const { body } = await search('&preference=_only_node:b');
    expect(body._shards).toEqual({ total: 2, successful: 2, failed: 0 });
    expect(ids(body)).toEqual(all);
  });

  it('asks the other copy where a node has too much to do, and is told 429 where all have', async () => {
    const full = new Set(['a']);
    before = async (node, kind) => {
      if (full.has(node) && (kind === READ || kind === 'document'))
        throw new PeerRejected(node, QUESTIONS_FULL);
    };
    const { body } = await search('&preference=_prefer_node:a');
    expect(body._shards).toEqual({ total: 2, successful: 2, failed: 0 });
    expect(ids(body)).toEqual(all);
    full.add('b');
    const began = clock.now();
    const refused = await search();
    expect(refused.status).toBe(429);
    expect(refused.body.error).toContain(`EsRejectedExecutionException[${QUESTIONS_FULL}]`);
    expect((await c.call('GET', '/books/book/1')).status).toBe(429);
    const lines = [{ update: { _id: '1' } }, { doc: { n: 100 } }, { index: { _id: '2' } }, { n: 2 }];
    const bulk = await c.call(
      'POST',
      '/books/book/_bulk',
      lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    );
    expect(bulk.body.items[0].update).toMatchObject({
      status: 429,
      error: `EsRejectedExecutionException[${QUESTIONS_FULL}]`,
    });
    expect(bulk.body.items[1].index.status).toBe(200);
    expect(clock.now() - began).toBeLessThan(1000);
    full.clear();
    expect((await c.call('POST', '/books/book/1/_update', { doc: { n: 100 } })).status).toBe(200);
  });

  it('asks the copies that a preference chooses', async () => {
    const nodesOf = async (preference: string) => {
      asked = [];
      const { status } = await search(`&preference=${preference}`);
      expect(status).toBe(200);
      return [...new Set(reads().map(({ node }) => node))].sort().join();
    };
    expect(await nodesOf('_only_node:b')).toBe('b');
    expect(await nodesOf('_only_node:a')).toBe('a');
    expect(await nodesOf('_prefer_node:a')).toBe('a');
    const { replication } = c.engine;
    const primaries = [0, 1].map(
      (shard) => replication!.searchableCopiesOf(c.engine.index('books'), shard)[0]!.id,
    );
    expect(await nodesOf('_primary')).toBe([...new Set(primaries)].sort().join());
    const mine = await nodesOf('mine');
    for (let i = 0; i < 3; i++) expect(await nodesOf('mine')).toBe(mine);
    expect((await search('&preference=_only_node:x')).body.error).toMatch(/No data node with id\[x\] found/);
    expect((await search('&preference=_only_local')).status).toBe(503);
  });

  it('keeps what a scroll has found at its copy, and tells which shards went with it', async () => {
    const { body } = await c.call('POST', '/books/_search?scroll=1m&size=5&sort=n&preference=_only_node:a');
    expect(ids(body)).toEqual([0, 1, 2, 3, 4]);
    await c.call('DELETE', '/books/book/7?refresh=true');
    const second = await c.call('POST', '/_search/scroll?scroll=1m', body._scroll_id);
    expect(ids(second.body)).toEqual([5, 6, 7, 8, 9]);
    await new Promise<void>((resolve) => void clock.after(200_000, resolve));
    const third = await c.call('POST', '/_search/scroll?scroll=10m', body._scroll_id);
    expect(third.status).toBe(404);
  });

  it('lets go of what a scroll of a node that has died has found, so that the copy can go', async () => {
    await c.call('POST', '/books/_search?scroll=10m&size=5&sort=n&preference=_only_node:a');
    let left = 0;
    for (const shard of nodes[0]!.engine.index('books').shards) {
      left++;
      void shard.released().then(() => left--);
    }
    await clock.sleep(5000);
    expect(left).toBeGreaterThan(0);
    cluster.kill('c');
    killed.add('c');
    await clock.sleep(15_000);
    expect(left).toBe(0);
  });

  it('lets go of searches whose answers got lost, so that the copy can go', async () => {
    let [lost, untold] = [0, 0];
    after = async (node, kind) => {
      if (kind !== READ || node !== 'a' || lost > 0) return;
      lost++;
      throw new PeerUnreachable(node, 'lost');
    };
    // What tells that they are over gets lost too.
    before = async (node, kind) => {
      if (kind !== READ || node !== 'a' || lost === 0 || untold === 3) return;
      untold++;
      throw new PeerUnreachable(node, 'lost');
    };
    const { body } = await search('&preference=_prefer_node:a');
    expect(body._shards).toEqual({ total: 2, successful: 2, failed: 0 });
    let left = 0;
    for (const shard of nodes[0]!.engine.index('books').shards) {
      left++;
      void shard.released().then(() => left--);
    }
    await clock.sleep(1000);
    expect(left).toBeGreaterThan(0);
    await clock.sleep(5000);
    expect([lost, untold, left]).toEqual([1, 3, 0]);
  });

  it('tells of the shards of a scroll whose copy has gone', async () => {
    const { body } = await c.call('POST', '/books/_search?scroll=1m&size=5&sort=n&preference=_only_node:a');
    kill('a');
    const next = await c.call('POST', '/_search/scroll?scroll=1m', body._scroll_id);
    expect(next.body._shards.failed).toBe(2);
    expect(next.body._shards.failures[0].reason).toMatch(/the copy of this search has gone/);
    expect(next.body.hits.hits).toEqual([]);
  });
});
