import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { InProcessCluster } from '../../host/cluster/inProcess/inProcessCluster.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import { shardOfKey } from '../../host/storage/records.js';
import { coreBytes } from '../support/core.js';
import { SimulatedNode } from './simulation/simulatedNode.js';
import { VirtualClock } from './simulation/virtualClock.js';

interface Disk {
  storage: MemoryStorage;
  blobs: MemoryBlobs;
}

let clock: VirtualClock;
let cluster: InProcessCluster;
let running: Promise<void>;
let nodes: Map<string, SimulatedNode>;
const disks = new Map<string, Disk>();
let processes = 0;
const module = await WebAssembly.compile(coreBytes());

async function start(id: string, placed = false): Promise<SimulatedNode> {
  const disk = disks.get(id) ?? { storage: new MemoryStorage(), blobs: new MemoryBlobs() };
  disks.set(id, disk);
  const services = cluster.start(id);
  const incarnation = `${id}-${++processes}`;
  const node = await SimulatedNode.start({ id, incarnation, services, module, placed, ...disk });
  nodes.set(id, node);
  return node;
}

async function stop(id: string): Promise<void> {
  await nodes.get(id)!.engine.close();
  nodes.delete(id);
}

beforeEach(async () => {
  disks.clear();
  clock = new VirtualClock();
  cluster = new InProcessCluster({ clock });
  running = clock.run();
  nodes = new Map();
  for (const id of ['a', 'b', 'c']) await start(id);
});

afterEach(async () => {
  for (const { engine } of nodes.values()) await engine.close();
  clock.stop();
  await running;
});

const settings = { number_of_shards: 2, 'index.gc_deletes': '1d' };
const node = (id: string) => nodes.get(id)!;

/** Trims as far as nodes let it: the mapping is put behind first. */
async function trim(id = 'a'): Promise<void> {
  for (let i = 0; i < 2; i++) {
    await node(id).engine.replication!.trim({ bytes: 0, ms: 0 });
    await clock.sleep(1000);
  }
}

async function write(from: number, to: number, more: Record<string, unknown> = {}): Promise<void> {
  for (let i = from; i < to; i++) {
    const { status } = await node('a').call('PUT', `/books/book/${i}`, { n: i, ...more });
    expect([200, 201]).toContain(status);
  }
}

function rowsOf({ storage }: Disk, uid: number): string[] {
  return [...storage.entries()]
    .filter(([key]) => 'ditw'.includes(String.fromCharCode(key[0]!)) && shardOfKey(key) === uid)
    .map(([key, value]) => `${Buffer.from(key).toString('hex')}=${Buffer.from(value).toString('hex')}`)
    .sort();
}

/** All nodes have the same rows, and find the same. */
async function areEqual(index = 'books'): Promise<void> {
  await node('a').call('POST', `/${index}/_refresh`);
  await clock.sleep(30_000);
  await node('a').call('POST', `/${index}/_refresh`);
  const { shardUids } = node('a').engine.index(index).metadata;
  const wanted = (await node('a').call('GET', `/${index}/_search?q=n:*`)).body.hits.total;
  for (const [id, each] of nodes) {
    const { shards } = each.engine.index(index);
    expect(shards.map(({ isHeld }) => isHeld)).toEqual(shards.map(() => true));
    expect((await each.call('GET', `/${index}/_search?q=n:*`)).body.hits.total).toBe(wanted);
    for (const uid of shardUids) expect(rowsOf(disks.get(id)!, uid)).toEqual(rowsOf(disks.get('a')!, uid));
    const mappings = await each.call('GET', `/${index}/_mapping`);
    expect(mappings.body).toEqual((await node('a').call('GET', `/${index}/_mapping`)).body);
  }
}

describe('a node whose logs have been trimmed', () => {
  it('fetches copies and mappings when it was away for long', async () => {
    await node('a').call('PUT', '/books', { settings });
    await write(0, 20);
    await stop('c');
    await write(10, 30, { later: 'field' });
    await node('b').call('DELETE', '/books/book/3');
    await trim();
    await write(30, 35);
    const { first } = cluster.storedLog(`index-${node('a').engine.index('books').metadata.uuid}`)!;
    expect(first).toBeGreaterThan(30);
    const c = await start('c');
    expect((await c.call('PUT', '/books/book/3', { n: 3 })).body._version).toBe(3);
    await areEqual();
    expect((await c.call('PUT', '/books/book/x', { n: 1, another: 'field' })).status).toBe(201);
    await areEqual();
    expect((await c.call('GET', '/_cluster/health')).body.status).toBe('green');
  });

  it('fetches all where it is new, or where its data are gone', async () => {
    await node('a').call('PUT', '/books', { settings });
    await write(0, 30, { word: 'text' });
    await node('a').call('PUT', '/books/_alias/library');
    await node('a').call('PUT', '/_template/t', { template: 'log*', settings: { number_of_shards: 1 } });
    await stop('c');
    disks.delete('c');
    await node('a').call('PUT', '/_cluster/settings', { persistent: { 'indices.ttl.interval': '30s' } });
    await trim();
    await trim();
    expect(cluster.storedLog('metadata')!.first).toBeGreaterThan(3);
    for (const id of ['c', 'd']) {
      const fresh = await start(id);
      expect((await fresh.call('GET', '/_template/t')).body.t.template).toBe('log*');
      const stored = await fresh.call('GET', '/_cluster/settings?flat_settings=true');
      expect(stored.body.persistent['indices.ttl.interval']).toBe('30s');
      expect((await fresh.call('PUT', '/_template/u', { template: `u${id}*` })).status).toBe(200);
    }
    await write(25, 40);
    await areEqual();
    expect((await node('d').call('GET', '/library/_search?size=0')).body.hits.total).toBe(40);
  });

  it('goes on looking for nodes to fetch from, and says meanwhile what is wrong', async () => {
    await node('a').call('PUT', '/books', { settings });
    await write(0, 20);
    await stop('c');
    await write(10, 30, { later: 'field' });
    await trim();
    for (const id of ['a', 'b']) await stop(id);
    const c = await start('c');
    await clock.sleep(120_000);
    const { body: health } = await c.call('GET', '/_cluster/health');
    expect(health.status).toBe('red');
    const index = c.engine.index('books');
    expect(c.engine.replication!.failureOf(index)).toMatch(/has been trimmed/);
    expect((await c.call('PUT', '/books/book/x', { n: 1 })).status).toBe(503);
    for (const id of ['a', 'b']) await start(id);
    await clock.sleep(30_000);
    expect(c.engine.replication!.failureOf(index)).toBeUndefined();
    expect((await c.call('PUT', '/books/book/x', { n: 1 })).status).toBe(201);
    await areEqual();
    expect((await node('a').call('GET', '/_cluster/health')).body.status).toBe('green');
  });

  it('finds indices deleted, made anew, closed and opened while it was away', async () => {
    for (const index of ['books', 'old', 'again', 'shut'])
      await node('a').call('PUT', `/${index}`, { settings: { number_of_shards: 1 } });
    await node('a').call('PUT', '/again/doc/1', { n: 'a text' });
    await node('a').call('PUT', '/old/doc/1', { n: 1 });
    await node('a').call('PUT', '/_template/t', { template: 'log*' });
    await stop('c');
    await node('a').call('DELETE', '/old');
    await node('a').call('DELETE', '/again');
    await node('a').call('DELETE', '/_template/t');
    await node('a').call('PUT', '/again', { settings: { number_of_shards: 1 } });
    await node('a').call('PUT', '/again/doc/2', { n: 2, more: true });
    await node('a').call('POST', '/shut/_close');
    await node('a').call('PUT', '/new', { settings: { number_of_shards: 1 } });
    await node('a').call('PUT', '/new/doc/1', { n: 1 });
    await write(0, 3);
    await trim();
    await trim();
    const c = await start('c');
    expect((await c.call('GET', '/old/_search')).status).toBe(404);
    expect((await c.call('GET', '/_template/t')).status).toBe(404);
    expect((await c.call('PUT', '/shut/doc/1', {})).status).toBe(403);
    for (const index of ['books', 'again', 'new']) await areEqual(index);
    expect((await c.call('GET', '/again/doc/2')).body._source).toEqual({ n: 2, more: true });
    expect((await c.call('POST', '/shut/_open')).status).toBe(200);
    expect((await c.call('PUT', '/shut/doc/1', { n: 1 })).status).toBe(201);
    await areEqual('shut');
  });

  it('goes on with another node where the first one dies half-way', async () => {
    await node('a').call('PUT', '/books', { settings });
    await write(0, 40);
    await node('a').call('POST', '/books/_flush');
    await stop('c');
    await write(20, 50);
    await trim();
    await trim();
    disks.delete('c');
    const disk = { storage: new MemoryStorage(), blobs: new MemoryBlobs() };
    disks.set('c', disk);
    const put = disk.blobs.put.bind(disk.blobs);
    let isKilled = false;
    disk.blobs.put = async (name, bytes) => {
      if (!isKilled) cluster.kill('a');
      isKilled = true;
      await put(name, bytes);
    };
    const c = await start('c');
    await clock.sleep(60_000);
    nodes.delete('a');
    expect(isKilled).toBe(true);
    await start('a');
    await areEqual();
    expect((await c.call('GET', '/_cluster/health')).body.status).toBe('green');
  });

  it('has the copies that are placed on it then, and needs no more of the log than they do', async () => {
    for (const id of ['a', 'b', 'c']) {
      await stop(id);
      disks.delete(id);
    }
    cluster = new InProcessCluster({ clock });
    for (const id of ['a', 'b', 'c']) await start(id, true);
    await node('a').call('PUT', '/books', { settings: { number_of_shards: 4, number_of_replicas: 1 } });
    await write(0, 30);
    await clock.sleep(20_000);
    await stop('c');
    // Others make the copies that it had.
    await clock.sleep(120_000);
    await write(20, 50);
    await trim();
    await trim();
    const log = cluster.storedLog(`index-${node('a').engine.index('books').metadata.uuid}`)!;
    const { first } = log;
    expect(first).toBeGreaterThan(30);
    await start('c', true);
    await write(50, 60);
    await clock.sleep(60_000);
    await trim();
    await trim();
    expect(log.first).toBeGreaterThan(first);
    await node('c').call('POST', '/books/_refresh');
    for (const each of nodes.values())
      expect((await each.call('GET', '/books/_search?size=0')).body.hits.total).toBe(60);
    const { body } = await node('c').call('GET', '/_cluster/health');
    expect(body).toMatchObject({ status: 'green', active_shards: 8 });
    // Each shard is in two stores, and in no third one.
    for (const uid of node('a').engine.index('books').metadata.shardUids)
      expect([...disks.values()].filter((disk) => rowsOf(disk, uid).length > 0)).toHaveLength(2);
  });

  it('keeps what nobody else has, and says so', async () => {
    await node('a').call('PUT', '/books', { settings });
    await write(0, 10);
    await stop('c');
    await write(10, 20);
    await trim();
    await trim();
    for (const id of ['a', 'b']) await stop(id);
    const c = await start('c');
    expect((await c.call('GET', '/books/_search')).body.hits.total).toBe(10);
    const refused = await c.call('PUT', '/books/book/1', { n: 1 });
    expect(refused.status).toBe(503);
    expect(refused.body.error).toMatch(/begins at/);
    await start('a');
    await stop('c');
    await start('c');
    await areEqual();
  });
});
