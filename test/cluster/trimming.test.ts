import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SimulatedCluster } from './simulation/simulatedCluster.js';
import type { SimulatedNode } from './simulation/simulatedNode.js';

let simulated: SimulatedCluster;
let clock: SimulatedCluster['clock'];
let cluster: SimulatedCluster['cluster'];
let nodes: SimulatedNode[];
let disks: SimulatedCluster['disks'];
const MINUTE = 60_000;

const start = (id: string) => simulated.start(id, { placed: false });

beforeEach(async () => {
  simulated = new SimulatedCluster();
  ({ clock, cluster, disks } = simulated);
  nodes = [];
  for (const id of ['a', 'b', 'c']) nodes.push(await start(id));
});

afterEach(async () => {
  await simulated.close(nodes);
});

const settings = { number_of_shards: 1 };
const logOf = (name: string) => cluster.storedLog(`index-${nodes[0]!.engine.index(name).metadata.uuid}`)!;
const metadataLog = () => cluster.storedLog('metadata')!;

/** Trims as far as nodes let it: the mapping is put behind first. */
async function trimAll(): Promise<void> {
  for (let i = 0; i < 2; i++) {
    await nodes[0]!.engine.replication!.trim({ bytes: 0, ms: 0 });
    await clock.sleep(1000);
  }
}

async function write(from: number, to: number): Promise<void> {
  for (let i = from; i < to; i++) {
    const { status } = await nodes[i % nodes.length]!.call('PUT', `/books/book/${i}`, { n: i });
    expect(status).toBe(201);
  }
}

describe('logs', () => {
  it('are trimmed by the first node when what they say is old, and all living nodes have it', async () => {
    await nodes[0]!.call('PUT', '/books', { settings });
    await write(0, 30);
    const transient = { 'indices.log.retention.age': '30m' };
    await nodes[1]!.call('PUT', '/_cluster/settings', { transient });
    const { last } = logOf('books');
    await clock.sleep(25 * MINUTE);
    expect(logOf('books').first).toBe(1);
    await clock.sleep(10 * MINUTE);
    // The last mapping stays, wherever it stands.
    const { first } = logOf('books');
    expect(first).toBeGreaterThan(1);
    expect(logOf('books').lastOf('meta')).toBeGreaterThanOrEqual(first);
    await clock.sleep(40 * MINUTE);
    expect(logOf('books').first).toBeGreaterThan(last);
    expect(metadataLog().first).toBe(metadataLog().last);
    // All goes on: documents, mappings and metadata.
    await write(30, 40);
    expect((await nodes[1]!.call('PUT', '/books/book/x', { more: 'fields' })).status).toBe(201);
    expect((await nodes[2]!.call('PUT', '/others', { settings })).status).toBe(200);
    expect((await nodes[1]!.call('PUT', '/others/_alias/them')).status).toBe(200);
    for (const node of nodes) {
      await node.call('POST', '/books/_refresh');
      expect((await node.call('GET', '/books/_search')).body.hits.total).toBe(41);
      expect((await node.call('GET', '/them/_search')).status).toBe(200);
    }
  });

  it('keep what is asked for, in bytes and in time, as cluster settings say', async () => {
    await nodes[0]!.call('PUT', '/books', { settings });
    const text = 'x'.repeat(10_000);
    for (let i = 0; i < 50; i++) await nodes[0]!.call('PUT', `/books/book/${i}`, { text });
    await nodes[1]!.call('PUT', '/_cluster/settings', {
      transient: { 'indices.log.retention.size': '100kb' },
    });
    await clock.sleep(5 * MINUTE);
    expect(logOf('books').first).toBe(1);
    await clock.sleep(20 * MINUTE);
    const { bytes, first } = logOf('books').extent;
    expect(first).toBeGreaterThan(1);
    expect(bytes).toBeGreaterThan(80_000);
    expect(bytes).toBeLessThan(150_000);
    const refused = await nodes[1]!.call('PUT', '/_cluster/settings', {
      transient: { 'indices.log.retention.age': 'long' },
    });
    expect(refused.body.transient).toEqual({});
  });

  it('keep what a living node lacks, and everything where one does not say', async () => {
    await nodes[0]!.call('PUT', '/books', { settings });
    await write(0, 10);
    await trimAll();
    const { first } = logOf('books');
    expect(first).toBeGreaterThan(1);
    const disk = disks.get('b')!.storage;
    const commit = disk.commit.bind(disk);
    disk.commit = () => Promise.reject(new Error('no room'));
    const stuck = Promise.all(
      [nodes[0]!, nodes[2]!].map((node) => node.call('PUT', '/books/book/1', { n: 2 })),
    );
    await clock.sleep(5000);
    const before = logOf('books').last;
    await trimAll();
    expect(logOf('books').first).toBeLessThan(before);
    disk.commit = commit;
    await stuck;
    const now = logOf('books').first;
    cluster.kill('c');
    await trimAll();
    expect(logOf('books').first).toBe(now);
    await clock.sleep(20_000);
    nodes = nodes.slice(0, 2);
    await write(10, 12);
    await trimAll();
    expect(logOf('books').first).toBeGreaterThan(now);
  });

  it('are begun at where they were trimmed after a restart', async () => {
    await nodes[0]!.call('PUT', '/books', { settings });
    await write(0, 10);
    await trimAll();
    expect(logOf('books').first).toBeGreaterThan(9);
    for (const [i, id] of ['a', 'b', 'c'].entries()) {
      await nodes[i]!.engine.close();
      nodes[i] = await start(id);
    }
    await write(10, 20);
    expect((await nodes[1]!.call('PUT', '/books/book/x', { other: 'field' })).status).toBe(201);
    for (const node of nodes) {
      await node.call('POST', '/books/_refresh');
      expect((await node.call('GET', '/books/_search')).body.hits.total).toBe(21);
    }
  });

  it('leave out a change that was made of what is no longer the last', async () => {
    await nodes[0]!.call('PUT', '/books', { settings });
    await write(0, 3);
    await trimAll();
    const stranger = cluster.start('stranger');
    const { uuid } = nodes[0]!.engine.index('books').metadata;
    // As a server takes it that knows only whether what was expected has been followed by something.
    const late = { subject: 'meta', id: 'late', link: undefined, expectLast: undefined };
    const bytes = new TextEncoder().encode('{"format":1,"mapping":{"types":{}}}');
    const log = cluster.storedLog(`index-${uuid}`)!;
    const position = log.append({ ...late, bytes }, clock.now());
    Object.assign(log.after(position - 1, undefined, undefined)[0]!, { after: 1 });
    await clock.sleep(2000);
    expect((await nodes[1]!.call('PUT', '/books/book/x', { field: 'text' })).status).toBe(201);
    const shown = await Promise.all(nodes.map((node) => node.call('GET', '/books/_mapping')));
    for (const { body } of shown)
      expect(Object.keys(body.books.mappings.book.properties).sort()).toEqual(['field', 'n']);
    await stranger.close();
  });
});
