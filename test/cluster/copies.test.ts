import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasCopy } from '../../host/shard/shardCopy.js';
import { readPlace } from '../../host/storage/logRows.js';
import { shardOfKey } from '../../host/storage/records.js';
import type { Puts } from '../../host/storage/storage.js';
import { DiskFull } from '../../host/storeErrors.js';
import { type Disk, SimulatedCluster } from './simulation/simulatedCluster.js';
import type { SimulatedNode } from './simulation/simulatedNode.js';

let simulated: SimulatedCluster;
let clock: SimulatedCluster['clock'];
let cluster: SimulatedCluster['cluster'];
let nodes: SimulatedNode[];
let disks: SimulatedCluster['disks'];
const never = new AbortController().signal;

async function start(id: string, data = true): Promise<SimulatedNode> {
  const node = await simulated.start(id, { data });
  nodes.push(node);
  return node;
}

beforeEach(() => {
  simulated = new SimulatedCluster();
  ({ clock, cluster, disks } = simulated);
  nodes = [];
});

afterEach(async () => {
  await simulated.close(nodes);
});

/** Documents of several versions, deletions, nested ones, and a mapping that grows. */
async function fill(node: SimulatedNode, count: number): Promise<void> {
  const children = { type: 'nested', properties: { n: { type: 'integer' } } };
  const settings = { number_of_shards: 1, 'index.gc_deletes': '1d' };
  await node.call('PUT', '/books', { settings, mappings: { book: { properties: { children } } } });
  const lines: string[] = [];
  for (let i = 0; i < count; i++) {
    lines.push(JSON.stringify({ index: { _id: String(i) } }));
    lines.push(
      JSON.stringify({ n: i, text: `word${i % 10} `.repeat(20), children: [{ n: i }, { n: i + 1 }] }),
    );
  }
  await node.call('POST', '/books/book/_bulk', `${lines.join('\n')}\n`);
  await node.call('POST', '/books/_flush');
  for (let i = 0; i < count; i += 5)
    await node.call('PUT', `/books/book/${i}`, { n: -i, [`more${i % 3}`]: 'x' });
  for (let i = 1; i < count; i += 7) await node.call('DELETE', `/books/book/${i}`);
}

/** The rows of a shard, with what only a copy has to itself left out: what is deleted lazily, and segments' own rows. */
function rowsOf({ storage }: Disk, uid: number, kinds = 'ditw'): string[] {
  return [...storage.entries()]
    .filter(([key]) => kinds.includes(String.fromCharCode(key[0]!)) && shardOfKey(key) === uid)
    .map(([key, value]) => `${Buffer.from(key).toString('hex')}=${Buffer.from(value).toString('hex')}`)
    .sort();
}

const total = async (node: SimulatedNode, query = '*') =>
  (await node.call('GET', `/books/_search?q=${query}`)).body.hits.total;

const sourceOf = (node: SimulatedNode) => node.engine.replication!.nodes.all.filter(({ id }) => id === 'a');

async function fetchTo(node: SimulatedNode, signal = never) {
  return node.engine.replication!.copies.fetch(node.engine.index('books'), 0, sourceOf(node), 0, signal);
}

describe('a copy that is fetched from another node', () => {
  it('has all that makes the shard, and goes on with its log', async () => {
    const a = await start('a');
    const b = await start('b', false);
    await fill(a, 300);
    const { place, mapping } = await fetchTo(b);
    const [uid] = a.engine.index('books').metadata.shardUids;
    expect(rowsOf(disks.get('b')!, uid!, 'bcdiktwz')).toEqual(rowsOf(disks.get('a')!, uid!, 'bcdiktwz'));
    expect(await disks.get('b')!.blobs.list()).toEqual(await disks.get('a')!.blobs.list());
    expect(hasCopy(disks.get('b')!.storage, uid!)).toBe(true);
    expect(readPlace(disks.get('b')!.storage, uid!)).toEqual(place);
    expect(place.position).toBe(await cluster.storedLog(`index-${mapping!.uuid}`)!.last);
    expect(b.engine.replication!.copies.progress).toMatchObject([
      { index: 'books', shard: 0, stage: 'DONE', source: { id: 'a' }, rows: { copied: expect.any(Number) } },
    ]);
    await b.engine.close();
    nodes.pop();
    await a.call('PUT', '/books/book/new', { n: 1 });
    const back = await start('b');
    await back.call('POST', '/books/_refresh');
    expect(await total(back)).toBe(await total(a));
    expect(await total(back, 'text:word3')).toBe(await total(a, 'text:word3'));
    // The next version of a deleted document is known to both.
    const again = await back.call('PUT', '/books/book/1', { n: 1 });
    expect(again.body._version).toBe(3);
    expect(rowsOf(disks.get('b')!, uid!)).toEqual(rowsOf(disks.get('a')!, uid!));
  });

  it('is of one moment, while writes go on', async () => {
    const a = await start('a');
    const b = await start('b', false);
    await fill(a, 100);
    const writing = Promise.all(
      Array.from({ length: 60 }, (_, i) => a.call('PUT', `/books/book/${i}`, { n: i, [`field${i % 9}`]: i })),
    );
    await fetchTo(b);
    await writing;
    await b.engine.close();
    nodes.pop();
    const back = await start('b');
    // It may be behind a mapping that came meanwhile: then it is fetched once more.
    while (!back.engine.index('books').shards[0]!.isHeld) await clock.sleep(1000);
    const [uid] = a.engine.index('books').metadata.shardUids;
    for (const node of nodes) await node.call('POST', '/books/_refresh');
    expect(rowsOf(disks.get('b')!, uid!)).toEqual(rowsOf(disks.get('a')!, uid!));
  });

  /** Runs `then` before documents are written on a node's disk, and gives back what ends that. */
  function whenWritten(id: string, then: () => void): () => void {
    const { storage } = disks.get(id)!;
    const commit = storage.commit.bind(storage);
    storage.commit = async (puts, deletes, options) => {
      const isOfDocuments = [...(puts as Puts)].some(([key]) => String.fromCharCode(key[0]!) === 'd');
      if (isOfDocuments) then();
      await commit(puts, deletes, options);
    };
    return () => {
      storage.commit = commit;
    };
  }

  it('does not count where the disk is full', async () => {
    const a = await start('a');
    const b = await start('b', false);
    await fill(a, 300);
    const [uid] = a.engine.index('books').metadata.shardUids;
    const full = () => {
      throw new DiskFull('no room');
    };
    const mended = whenWritten('b', full);
    await expect(fetchTo(b)).rejects.toThrow('no room');
    mended();
    const disk = disks.get('b')!;
    expect(hasCopy(disk.storage, uid!)).toBe(false);
    expect(rowsOf(disk, uid!, 'bcdikgptwz')).toEqual([]);
    expect(await disk.blobs.list()).toEqual([]);
    await fetchTo(b);
    expect(hasCopy(disk.storage, uid!)).toBe(true);
  });

  it('does not count where the source dies half-way', async () => {
    const a = await start('a');
    const b = await start('b', false);
    await fill(a, 300);
    const [uid] = a.engine.index('books').metadata.shardUids;
    const disk = disks.get('b')!;
    const put = disk.blobs.put.bind(disk.blobs);
    disk.blobs.put = async (name, bytes) => {
      cluster.kill('a');
      await put(name, bytes);
    };
    await expect(fetchTo(b)).rejects.toThrow(/reached/);
    disk.blobs.put = put;
    expect(hasCopy(disk.storage, uid!)).toBe(false);
    expect(rowsOf(disk, uid!, 'bcdikgptwz')).toEqual([]);
    nodes = [b];
    await start('a');
    await fetchTo(b);
    expect(hasCopy(disk.storage, uid!)).toBe(true);
  });

  it('does not count where the target dies half-way', async () => {
    const a = await start('a');
    const b = await start('b', false);
    await fill(a, 300);
    const [uid] = a.engine.index('books').metadata.shardUids;
    const disk = disks.get('b')!;
    const put = disk.blobs.put.bind(disk.blobs);
    disk.blobs.put = async (name, bytes) => {
      await put(name, bytes);
      cluster.kill('b');
    };
    void fetchTo(b).catch(() => {});
    await clock.sleep(30_000);
    disk.blobs.put = put;
    expect(await disk.blobs.list()).toHaveLength(1);
    nodes = [a];
    expect(hasCopy(disks.get('b')!.storage, uid!)).toBe(false);
    const again = await start('b', false);
    expect(rowsOf(disk, uid!, 'bcdikgptwz')).toEqual([]);
    expect(await disk.blobs.list()).toEqual([]);
    await fetchTo(again);
    expect(rowsOf(disks.get('b')!, uid!)).toEqual(rowsOf(disks.get('a')!, uid!));
  });

  it('is given up where nobody asks on, and where it is wanted no more', async () => {
    const a = await start('a');
    const b = await start('b', false);
    await fill(a, 50);
    const stop = new AbortController();
    const ask = b.engine.replication!.peers.ask.bind(b.engine.replication!.peers);
    b.engine.replication!.peers.ask = (node, kind, bytes, signal) => {
      if (kind === 'copyPiece') stop.abort(new Error('moved on'));
      return ask(node, kind, bytes, signal);
    };
    await expect(fetchTo(b, stop.signal)).rejects.toThrow('moved on');
    b.engine.replication!.peers.ask = ask;
    await expect(
      b.engine.replication!.copies.fetch(b.engine.index('books'), 0, [], 0, never),
    ).rejects.toThrow('no node has a copy');
    // What the source holds for others doesn't keep it from writing checkpoints; files that go with them stay for a while.
    await a.call('PUT', '/books/book/1', { n: 1 });
    const before = clock.now();
    expect((await a.call('POST', '/books/_optimize?max_num_segments=1')).status).toBe(200);
    expect((await a.call('POST', '/books/_flush')).status).toBe(200);
    expect(clock.now() - before).toBeLessThan(1000);
    await clock.sleep(120_000);
    expect(await disks.get('a')!.blobs.list()).toHaveLength(1);
    expect((await fetchTo(b)).place.position).toBeGreaterThan(0);
  });

  it('comes no faster than it may', async () => {
    const a = await start('a');
    const b = await start('b', false);
    await fill(a, 400);
    await a.call('PUT', '/_cluster/settings', {
      transient: { 'indices.recovery.max_bytes_per_sec': '10kb' },
    });
    const began = clock.now();
    await fetchTo(b);
    const { files, rows } = b.engine.replication!.copies.progress[0]!;
    const [uid] = a.engine.index('books').metadata.shardUids;
    expect(rows.copied).toBe(rowsOf(disks.get('b')!, uid!, 'd').length);
    expect(files.copied).toBeGreaterThan(0);
    expect(clock.now() - began).toBeGreaterThanOrEqual((1000 * files.copiedBytes) / 10_240);
  });
});
