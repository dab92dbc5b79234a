/** Snapshots of three nodes in one process, whose repositories are in the same places. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { InProcessCluster } from '../../host/cluster/inProcess/inProcessCluster.js';
import type { RepositoryLocations } from '../../host/snapshot/locations.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import type { Blobs } from '../../host/storage/storage.js';
import { coreBytes } from '../support/core.js';
import { SimulatedNode } from './simulation/simulatedNode.js';
import { VirtualClock } from './simulation/virtualClock.js';

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

let clock: VirtualClock;
let cluster: InProcessCluster;
let nodes: SimulatedNode[];
let running: Promise<void>;
let boxes: Map<string, HeldBlobs>;
let warnings: string[];
const disks = new Map<string, { storage: MemoryStorage; blobs: MemoryBlobs }>();
let processes = 0;

const shared: RepositoryLocations = {
  async open(location): Promise<Blobs> {
    const box = boxes.get(location) ?? new HeldBlobs();
    boxes.set(location, box);
    return box;
  },
};

async function start(id: string, places = shared, data = true): Promise<SimulatedNode> {
  const disk = disks.get(id) ?? { storage: new MemoryStorage(), blobs: new MemoryBlobs() };
  disks.set(id, disk);
  const services = cluster.start(id);
  const incarnation = `${id}-${++processes}`;
  const warn = (message: string) => void warnings.push(`${id}: ${message}`);
  return SimulatedNode.start({ id, incarnation, services, module, places, data, warn, ...disk });
}

beforeEach(async () => {
  disks.clear();
  boxes = new Map();
  warnings = [];
  clock = new VirtualClock();
  cluster = new InProcessCluster({ clock });
  running = clock.run();
  nodes = [];
  for (const id of ['a', 'b', 'c']) nodes.push(await start(id));
});

afterEach(async () => {
  for (const { engine } of nodes) await engine.close();
  clock.stop();
  await running;
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
    expect(await boxes.get('box')!.list()).toEqual([]);
    for (const node of nodes)
      expect((await node.call('GET', '/_snapshot/_status')).body.snapshots).toEqual([]);
    expect((await b.call('PUT', '/_snapshot/box/two?wait_for_completion=true')).body.snapshot.state).toBe(
      'SUCCESS',
    );
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
