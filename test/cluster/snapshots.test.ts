/** Snapshots of three nodes in one process, whose repositories are in the same places. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RepositoryLocations } from '../../host/snapshot/locations.js';
import { MemoryBlobs } from '../../host/storage/memory.js';
import { kindRange } from '../../host/storage/records.js';
import type { Blobs } from '../../host/storage/storage.js';
import { coreBytes } from '../support/core.js';
import { SimulatedCluster } from './simulation/simulatedCluster.js';
import { SimulatedNode } from './simulation/simulatedNode.js';

const module = await WebAssembly.compile(coreBytes());

/** Blobs whose writes wait while they are held. */
class HeldBlobs extends MemoryBlobs {
  #held: Promise<void> | undefined;
  release: () => void = () => {};
  /** Called when a write waits. */
  waiting: () => void = () => {};

  hold(): Promise<void> {
    this.#held = new Promise((resolve) => {
      this.release = () => {
        this.#held = undefined;
        resolve();
      };
    });
    return new Promise((resolve) => {
      this.waiting = resolve;
    });
  }

  override async put(name: string, bytes: Uint8Array): Promise<void> {
    if (this.#held !== undefined && name.startsWith('data-')) {
      this.waiting();
      await this.#held;
    }
    return super.put(name, bytes);
  }
}

let simulated: SimulatedCluster;
let clock: SimulatedCluster['clock'];
let cluster: SimulatedCluster['cluster'];
let nodes: SimulatedNode[];
let boxes: Map<string, HeldBlobs>;
let warnings: string[];
let disks: SimulatedCluster['disks'];

const shared: RepositoryLocations = {
  async open(location): Promise<Blobs> {
    const box = boxes.get(location) ?? new HeldBlobs();
    boxes.set(location, box);
    return box;
  },
};

function start(id: string, places = shared, data = true, placed = false): Promise<SimulatedNode> {
  const warn = (message: string) => void warnings.push(`${id}: ${message}`);
  return simulated.start(id, { places, data, warn, placed });
}

beforeEach(async () => {
  boxes = new Map();
  warnings = [];
  simulated = new SimulatedCluster();
  ({ clock, cluster, disks } = simulated);
  nodes = [];
  for (const id of ['a', 'b', 'c']) nodes.push(await start(id));
});

afterEach(async () => {
  await simulated.close(nodes);
});

const box = { type: 'fs', settings: { location: 'box' } };

async function library(node: SimulatedNode): Promise<void> {
  await node.call('PUT', '/books', { settings: { number_of_shards: 3 } });
  for (let i = 0; i < 20; i++)
    expect((await nodes[i % 3]!.call('PUT', `/books/book/${i}`, { n: i, text: `word${i}` })).status).toBe(
      201,
    );
}

describe('a repository of a cluster', () => {
  it('is known to all nodes, and tried by all', async () => {
    const [a, b, c] = nodes as [SimulatedNode, SimulatedNode, SimulatedNode];
    expect((await a.call('PUT', '/_snapshot/box', box)).status).toBe(200);
    for (const node of nodes) expect((await node.call('GET', '/_snapshot')).body).toEqual({ box });
    expect((await b.call('POST', '/_snapshot/box/_verify')).body).toEqual({
      nodes: { a: { name: 'a' }, b: { name: 'b' }, c: { name: 'c' } },
    });
    expect(await boxes.get('box')!.list()).toEqual([]);
    expect((await c.call('DELETE', '/_snapshot/box')).status).toBe(200);
    for (const node of nodes) expect((await node.call('GET', '/_snapshot')).body).toEqual({});
  });

  it('names the nodes for which it is elsewhere', async () => {
    await nodes[2]!.engine.close();
    const own = new MemoryBlobs();
    nodes[2] = await start('c', { open: async () => own });
    const refused = await nodes[0]!.call('PUT', '/_snapshot/box', box);
    expect(refused.status).toBe(500);
    expect(refused.body.error).toMatch(/^RepositoryVerificationException\[\[box\] \[\[c, '.*isn't shared/);
    const { status, body } = await nodes[1]!.call('POST', '/_snapshot/box/_verify');
    expect(status).toBe(500);
    expect(body.error).toMatch(/\[c, '/);
    expect(await own.list()).toEqual([]);
  });

  it('has no credentials in its settings, which all nodes would keep', async () => {
    const settings = { bucket: 'b', access_key: 'me', secret_key: 'mine' };
    const { status, body } = await nodes[0]!.call('PUT', '/_snapshot/box', { type: 's3', settings });
    expect(status).toBe(400);
    expect(body.error).toMatch(/\[access_key\] would be kept .*AWS_ACCESS_KEY_ID/);
    expect(body.error).not.toMatch(/mine/);
    for (const node of nodes) expect((await node.call('GET', '/_snapshot')).body).toEqual({});
  });
});

describe('a snapshot of a cluster', () => {
  beforeEach(async () => {
    await library(nodes[0]!);
    await nodes[0]!.call('PUT', '/_snapshot/box', box);
  });

  it('has all that was acknowledged, whichever node was told, and is there for all', async () => {
    const { status, body } = await nodes[1]!.call('PUT', '/_snapshot/box/one?wait_for_completion=true');
    expect(status).toBe(200);
    expect(body.snapshot).toMatchObject({
      state: 'SUCCESS',
      indices: ['books'],
      shards: { total: 3, failed: 0, successful: 3 },
    });
    for (const node of nodes) {
      const { body: found } = await node.call('GET', '/_snapshot/box/_all');
      expect(found.snapshots.map(({ snapshot }: { snapshot: string }) => snapshot)).toEqual(['one']);
    }
    const record = JSON.parse(
      new TextDecoder().decode((await boxes.get('box')!.get('snapshot-one'))!.subarray(65)),
    );
    const documents = record.indices[0].shards.map((shard: { documents: number }) => shard.documents);
    expect(documents.reduce((sum: number, each: number) => sum + each, 0)).toBe(20);
    expect((await nodes[2]!.call('DELETE', '/_snapshot/box/one')).status).toBe(200);
    expect(await boxes.get('box')!.list()).toEqual([]);
  });

  it('is the only one at a time, and is told of and given up at any node', async () => {
    const [a, b, c] = nodes as [SimulatedNode, SimulatedNode, SimulatedNode];
    const held = boxes.get('box')!.hold();
    const making = a.call('PUT', '/_snapshot/box/one?wait_for_completion=true');
    await held;
    for (const node of nodes) {
      const status = await node.call('GET', '/_snapshot/_status');
      expect(status.body.snapshots).toMatchObject([{ snapshot: 'one', state: 'STARTED' }]);
      expect((await node.call('GET', '/_snapshot/box/one')).body.snapshots[0].state).toBe('IN_PROGRESS');
    }
    for (const node of [b, c]) {
      const second = await node.call('PUT', '/_snapshot/box/two');
      expect(second.status).toBe(503);
      expect(second.body.error).toMatch(/ConcurrentSnapshotExecutionException.*already running/);
    }
    const deleted = c.call('DELETE', '/_snapshot/box/one');
    await clock.sleep(100);
    boxes.get('box')!.release();
    expect((await deleted).status).toBe(200);
    expect((await making).status).not.toBe(200);
    for (const node of nodes)
      expect((await node.call('GET', '/_snapshot/_status')).body.snapshots).toEqual([]);
    expect((await b.call('PUT', '/_snapshot/box/two?wait_for_completion=true')).body.snapshot.state).toBe(
      'SUCCESS',
    );
    // What another node was writing just then goes with the next one that is deleted.
    expect((await a.call('DELETE', '/_snapshot/box/two')).status).toBe(200);
    expect(await boxes.get('box')!.list()).toEqual([]);
  });

  it('of two that begin at once one is made', async () => {
    const made = await Promise.all(
      nodes.map((node, i) => node.call('PUT', `/_snapshot/box/n${i}?wait_for_completion=true`)),
    );
    expect(made.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(1);
    for (const { status } of made) expect([200, 503]).toContain(status);
    const { body } = await nodes[0]!.call('GET', '/_snapshot/box/_all');
    expect(body.snapshots).toHaveLength(made.filter(({ status }) => status === 200).length);
  });

  it('has shards from another copy where one fails, and is partial where all do', async () => {
    await nodes[0]!.engine.close();
    let fails = true;
    const broken = (id: string): RepositoryLocations => ({
      open: (location) =>
        fails || id === 'a' ? Promise.reject(new Error('no such disk')) : shared.open(location),
    });
    nodes[0] = await start('a', broken('a'));
    for (const [i, id] of ['b', 'c'].entries()) {
      await nodes[i + 1]!.engine.close();
      nodes[i + 1] = await start(id, broken(id));
    }
    nodes.push(await start('d', shared, false));
    const failed = await nodes[3]!.call('PUT', '/_snapshot/box/none?wait_for_completion=true', {
      partial: true,
    });
    expect(failed.body.snapshot).toMatchObject({ state: 'FAILED', shards: { failed: 3 } });
    expect(failed.body.snapshot.failures[0].reason).toMatch(/no such disk/);
    fails = false;
    const made = await nodes[3]!.call('PUT', '/_snapshot/box/all?wait_for_completion=true');
    expect(made.body.snapshot).toMatchObject({ state: 'SUCCESS', shards: { successful: 3 } });
  });

  it('whose node dies blocks no other one', async () => {
    const held = boxes.get('box')!.hold();
    void nodes[0]!.call('PUT', '/_snapshot/box/one?wait_for_completion=true').catch(() => {});
    await held;
    cluster.kill('a');
    boxes.get('box')!.release();
    await clock.sleep(15_000);
    const [, b] = nodes as [SimulatedNode, SimulatedNode, SimulatedNode];
    expect((await b.call('GET', '/_snapshot/_status')).body.snapshots).toEqual([]);
    expect((await b.call('PUT', '/_snapshot/box/two?wait_for_completion=true')).body.snapshot.state).toBe(
      'SUCCESS',
    );
    nodes[0] = await start('a');
    expect((await nodes[0]!.call('DELETE', '/_snapshot/box/two')).status).toBe(200);
    expect(await boxes.get('box')!.list()).toEqual([]);
  });
});

describe('restoring into a cluster', () => {
  const restored = (node: SimulatedNode, body: object) =>
    node.call('POST', '/_snapshot/box/one/_restore?wait_for_completion=true', body);
  const rename = { rename_pattern: 'books', rename_replacement: 'copy' };

  beforeEach(async () => {
    await library(nodes[0]!);
    await nodes[0]!.call('PUT', '/books/book/0', { n: 0, text: 'again' });
    await nodes[1]!.call('DELETE', '/books/book/1');
    await nodes[0]!.call('PUT', '/_snapshot/box', box);
    await nodes[1]!.call('PUT', '/_snapshot/box/one?wait_for_completion=true');
  });

  const turn = () => new Promise((resolve) => setImmediate(resolve));

  /** Resolves when all nodes have their shards of an index. */
  async function opened(index: string): Promise<void> {
    const opening = ({ engine }: SimulatedNode) => engine.index(index).shards.some((shard) => shard.opening);
    while (nodes.some(opening)) await turn();
  }

  /** The rows of the documents of an index, by shard, as a node has them. */
  function rowsOf(id: string, index: string): string[] {
    const { shardUids } = nodes.find((node) => node.id === id)!.engine.index(index).metadata;
    const { storage } = disks.get(id)!;
    return shardUids.map((uid) =>
      (['d', 'i', 'k', 'z'] as const)
        .flatMap((kind) => [...storage.range(...kindRange(kind, uid))])
        .map(([key, value]) => `${Buffer.from(key).toString('hex')} ${Buffer.from(value).toString('hex')}`)
        .join('\n'),
    );
  }

  it('brings an index back on all nodes alike, and goes on with its versions', async () => {
    const [a, b, c] = nodes as [SimulatedNode, SimulatedNode, SimulatedNode];
    const { status, body } = await restored(c, rename);
    expect([status, body.snapshot]).toEqual([
      200,
      { snapshot: 'one', indices: ['copy'], shards: { total: 3, failed: 0, successful: 3 } },
    ]);
    await opened('copy');
    for (const node of nodes) {
      expect((await node.call('GET', '/copy/_search?size=0')).body.hits.total).toBe(19);
      expect((await node.call('GET', '/copy/book/0')).body).toMatchObject({
        _version: 2,
        _source: { text: 'again' },
      });
      expect((await node.call('GET', '/copy/book/1')).status).toBe(404);
    }
    expect((await a.call('PUT', '/copy/book/0', { text: 'more', added: 1 })).body._version).toBe(3);
    expect((await b.call('PUT', '/copy/book/1', { text: 'new' })).body._version).toBe(1);
    expect((await c.call('POST', '/copy/_refresh')).status).toBe(200);
    for (const node of nodes)
      expect((await node.call('GET', '/copy/_search?q=text:more')).body.hits.total).toBe(1);
    expect(rowsOf('b', 'copy')).toEqual(rowsOf('a', 'copy'));
    expect(rowsOf('c', 'copy')).toEqual(rowsOf('a', 'copy'));
    const { body: recovery } = await b.call('GET', '/copy/_recovery');
    expect(recovery.copy.shards[0]).toMatchObject({
      type: 'SNAPSHOT',
      stage: 'DONE',
      source: { repository: 'box', snapshot: 'one', index: 'books' },
    });
    expect(warnings).toEqual([]);
  });

  it('takes the place of a closed index, with its aliases, settings and templates', async () => {
    const [a, b, c] = nodes as [SimulatedNode, SimulatedNode, SimulatedNode];
    expect((await b.call('POST', '/_snapshot/box/one/_restore', {})).body.error).toMatch(/because it's open/);
    const { uuid } = a.engine.index('books').metadata;
    await a.call('PUT', '/books/book/0', { n: 7, text: 'later' });
    await a.call('POST', '/books/_close');
    const { status } = await restored(b, { index_settings: { 'index.number_of_replicas': 2 } });
    expect(status).toBe(200);
    await opened('books');
    for (const node of nodes) {
      expect((await node.call('GET', '/books/book/0')).body._source.text).toBe('again');
      expect(node.engine.index('books').metadata.uuid).not.toBe(uuid);
      expect(
        (await node.call('GET', '/books/_settings?flat_settings=true')).body.books.settings,
      ).toMatchObject({
        'index.number_of_replicas': '2',
      });
    }
    expect(cluster.storedLog(`index-${uuid}`)!.deleted).toBe(true);
    expect((await c.call('PUT', '/books/book/99', { n: 1 })).status).toBe(201);
    for (const { storage } of disks.values()) expect([...storage.range(...kindRange('g', 0))].length).toBe(0);
  });

  it('goes on after restarts, and begins anew where a node died in the middle', async () => {
    await restored(nodes[0]!, rename);
    await opened('copy');
    await nodes[0]!.call('PUT', '/copy/book/new', { n: 5 });
    for (const [i, id] of ['a', 'b', 'c'].entries()) {
      await nodes[i]!.engine.close();
      nodes[i] = await start(id);
    }
    cluster.kill('b');
    // As a restore that was cut off leaves it.
    const { storage } = disks.get('b')!;
    for (const uid of nodes[0]!.engine.index('copy').metadata.shardUids)
      for (const kind of ['c', 'p', 'w'] as const)
        await storage.commit(
          [],
          [...storage.range(...kindRange(kind, uid))].map(([key]) => key),
        );
    nodes[1] = await start('b');
    await opened('copy');
    for (const node of nodes) {
      await node.call('POST', '/copy/_refresh');
      expect((await node.call('GET', '/copy/_search?size=0')).body.hits.total).toBe(20);
    }
    expect(rowsOf('b', 'copy')).toEqual(rowsOf('a', 'copy'));
  });

  it('waits where a repository can not be read, and goes on when it can', async () => {
    await nodes[2]!.engine.close();
    let fails = true;
    nodes[2] = await start('c', {
      open: (location) => (fails ? Promise.reject(new Error('no such disk')) : shared.open(location)),
    });
    const { status } = await restored(nodes[0]!, rename);
    expect(status).toBe(200);
    const failed = () =>
      warnings.filter((text) =>
        /c: \[copy\]\[\d\] can't be restored for now: [\s\S]*no such disk/.test(text),
      );
    while (failed().length < 3) await turn();
    // Other changes don't wait for it.
    expect((await nodes[1]!.call('PUT', '/_snapshot/box/more?wait_for_completion=true')).status).toBe(200);
    expect((await nodes[2]!.call('PUT', '/other/x/1', { a: 1 })).status).toBe(201);
    fails = false;
    await opened('copy');
    expect(rowsOf('c', 'copy')).toEqual(rowsOf('a', 'copy'));
    expect((await nodes[2]!.call('GET', '/copy/_search?size=0')).body.hits.total).toBe(19);
  });

  it('begins a copy anew where its node died reading it, while much was written to others', async () => {
    for (const { engine } of nodes) await engine.close();
    let reading = Promise.resolve();
    let begun = () => {};
    const blobs = boxes.get('box')!;
    const slow: RepositoryLocations = {
      open: async () => ({
        list: () => blobs.list(),
        put: (name, bytes) => blobs.put(name, bytes),
        delete: (name) => blobs.delete(name),
        get: async (name) => {
          begun();
          await reading;
          return blobs.get(name);
        },
      }),
    };
    nodes = [await start('a', shared, true, true), await start('b', slow, true, true)];
    const [a, b] = nodes as [SimulatedNode, SimulatedNode];
    const most = 'index.routing.allocation.total_shards_per_node';
    const body = { ...rename, index_settings: { 'index.number_of_replicas': 0, [most]: 2 } };
    expect((await restored(a, body)).status).toBe(200);
    await opened('copy');
    const raw = { book: { properties: { raw: { type: 'string', index: 'no' } } } };
    await a.call('PUT', '/copy/_mapping/book', raw);
    const before = b.engine.index('copy').shards.filter(({ isHeld }) => isHeld);
    expect([1, 2]).toContain(before.length);

    const isReading = new Promise<void>((resolve) => {
      begun = resolve;
    });
    reading = new Promise(() => {});
    await a.call('PUT', '/copy/_settings', { number_of_replicas: 1, [most]: -1 });
    await isReading;
    const index = b.engine.index('copy');
    const ids = Array.from({ length: 100 }, (_, i) => `new-${i}`);
    const id = ids.find((each) => index.shardFor(each) === before[0])!;
    for (let i = 0; i < 40; i++) {
      const { status } = await b.call('PUT', `/copy/book/${id}`, { raw: 'x'.repeat(1 << 20) });
      expect(status).toBeLessThan(300);
    }
    await clock.sleep(1000);
    cluster.kill('b');
    nodes[1] = await start('b', shared, true, true);
    while (nodes[1]!.engine.index('copy').shards.some(({ isHeld }) => !isHeld)) await turn();
    await a.call('POST', '/copy/_refresh');
    const totals = nodes.map(async (node) => {
      const { body: found } = await node.call('GET', '/copy/_search?size=0&preference=_only_local');
      return [found._shards.successful, found.hits.total];
    });
    expect(await Promise.all(totals)).toEqual(Array(2).fill([3, 20]));
  });

  it('of a snapshot of a single node, and of one of a cluster by a single node, is the same', async () => {
    const alone = await SimulatedNode.alone({ module, clock, places: shared });
    try {
      const request = async (method: string, path: string, body?: object) => alone.call(method, path, body);
      await request('PUT', '/_snapshot/box', box);
      expect((await request('POST', '/_snapshot/box/one/_restore?wait_for_completion=true', {})).status).toBe(
        200,
      );
      expect((await request('GET', '/books/book/0')).body._version).toBe(2);
      expect((await request('GET', '/books/_search?size=0')).body.hits.total).toBe(19);
      await request('PUT', '/books/book/0', { text: 'alone' });
      await request('PUT', '/_snapshot/box/two?wait_for_completion=true');
    } finally {
      await alone.engine.close();
    }
    const back = await nodes[0]!.call('POST', '/_snapshot/box/two/_restore?wait_for_completion=true', rename);
    expect(back.status).toBe(200);
    await opened('copy');
    for (const node of nodes) expect((await node.call('GET', '/copy/book/0')).body._version).toBe(3);
  });

  it('puts copies where they are placed, and is asked for at any node', async () => {
    for (const [i, id] of ['a', 'b', 'c'].entries()) {
      await nodes[i]!.engine.close();
      nodes[i] = await start(id, shared, true, true);
    }
    nodes.push(await start('d', shared, false, true));
    const d = nodes[3]!;
    const body = { ...rename, index_settings: { 'index.number_of_replicas': 0 } };
    expect((await restored(d, body)).status).toBe(200);
    await d.call('GET', '/_cluster/health/copy?wait_for_status=green&timeout=30s');
    const holding = (node: SimulatedNode) =>
      node.engine.index('copy').shards.filter(({ isHeld }) => isHeld).length;
    expect(nodes.map(holding).reduce((sum, each) => sum + each, 0)).toBe(3);
    for (const node of nodes) {
      expect((await node.call('GET', '/copy/_search?size=0')).body.hits.total).toBe(19);
      expect((await node.call('GET', '/copy/book/0')).body._version).toBe(2);
    }
    expect((await d.call('PUT', '/copy/_settings', { number_of_replicas: 1 })).status).toBe(200);
    await d.call('GET', '/_cluster/health/copy?wait_for_status=green&timeout=30s');
    expect((await d.call('PUT', '/copy/book/0', { n: 1 })).body._version).toBe(3);
    const made = await d.call('PUT', '/_snapshot/box/two?wait_for_completion=true', { indices: 'copy' });
    expect(made.body.snapshot).toMatchObject({ state: 'SUCCESS', shards: { successful: 3 } });
  });
});
