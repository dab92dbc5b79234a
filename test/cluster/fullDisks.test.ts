/** Disks that are above the watermarks of allocation: where copies come to be, and which ones go. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DiskSpace, fullDisk, watermarksOf } from '../../host/replication/diskWatermarks.js';
import { SimulatedCluster } from './simulation/simulatedCluster.js';
import type { SimulatedNode } from './simulation/simulatedNode.js';

const GB = 1024 ** 3;
const DISK = 'cluster.routing.allocation.disk.';

let simulated: SimulatedCluster;
let clock: SimulatedCluster['clock'];
let nodes: Map<string, SimulatedNode>;
/** What is used of the disk of each node, of a hundred gigabytes, beside its copies. */
let used: Record<string, number>;

/** A copy takes so much of a disk. */
const COPY_GB = 4;

function diskOf(id: string): DiskSpace {
  const engine = nodes.get(id)?.engine;
  const copies = engine?.cluster.all().flatMap(({ shards }) => shards.filter(({ isHeld }) => isHeld)) ?? [];
  return { total: 100 * GB, free: (100 - used[id]! - COPY_GB * copies.length) * GB };
}

beforeEach(async () => {
  nodes = new Map();
  used = { a: 10, b: 10, c: 10 };
  simulated = new SimulatedCluster();
  ({ clock } = simulated);
  for (const id of ['a', 'b', 'c'])
    nodes.set(id, await simulated.start(id, { graceMs: 1000, disk: () => diskOf(id) }));
});

afterEach(async () => {
  await simulated.close(nodes.values());
});

const at = (id: string) => nodes.get(id)!;

/** The nodes that have each shard of an index, as every node sees them. */
function placed(name: string): string[][] {
  const all = [...nodes.values()].map(({ engine }) => {
    const index = engine.index(name);
    return index.shards.map(({ number }) =>
      engine
        .replication!.searchableCopiesOf(index, number)
        .map(({ id }) => id)
        .sort(),
    );
  });
  for (const each of all) expect(each).toEqual(all[0]);
  return all[0]!;
}

async function create(name: string, shards: number, replicas: number, more = {}): Promise<void> {
  const settings = { number_of_shards: shards, number_of_replicas: replicas, ...more };
  expect((await at('a').call('PUT', `/${name}`, { settings })).status).toBe(200);
}

async function set(settings: Record<string, string>): Promise<void> {
  expect((await at('b').call('PUT', '/_cluster/settings', { transient: settings })).status).toBe(200);
}

describe('watermarks', () => {
  it('are shares of a disk that may be used, or bytes that must be free', () => {
    expect(watermarksOf({})).toEqual({ low: { percent: 15, bytes: 0 }, high: { percent: 10, bytes: 0 } });
    const given = { [`${DISK}watermark.low`]: '0.7', [`${DISK}watermark.high`]: '5gb' };
    const { low, high } = watermarksOf(given)!;
    expect(low.percent).toBeCloseTo(30);
    expect(high).toEqual({ percent: 0, bytes: 5 * GB });
    expect(watermarksOf({ [`${DISK}threshold_enabled`]: 'false' })).toBeUndefined();
  });

  it('are left no sooner than there is some more room', () => {
    const watermarks = watermarksOf({})!;
    const free = (percent: number) => ({ total: 1000, free: 10 * percent });
    expect(fullDisk(free(15), watermarks, undefined)).toBeUndefined();
    expect(fullDisk(free(14.9), watermarks, undefined)).toBe('low');
    expect(fullDisk(free(15.5), watermarks, 'low')).toBe('low');
    expect(fullDisk(free(16), watermarks, 'low')).toBeUndefined();
    expect(fullDisk(free(9.9), watermarks, 'low')).toBe('high');
    expect(fullDisk(free(10.5), watermarks, 'high')).toBe('high');
    expect(fullDisk(free(11), watermarks, 'high')).toBe('low');
  });
});

describe('a node whose disk is above the low watermark', () => {
  it('gets no copies of new indices nor of more replicas, and keeps those that it has', async () => {
    await create('old', 2, 2);
    await clock.sleep(2000);
    expect(placed('old')).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
    ]);
    used.c = 80;
    await clock.sleep(40_000);
    await create('new', 3, 1);
    await create('more', 1, 0);
    await clock.sleep(2000);
    expect(placed('new').flat()).not.toContain('c');
    await at('a').call('PUT', '/more/_settings', { number_of_replicas: 2 });
    await clock.sleep(10_000);
    expect(placed('more')).toEqual([['a', 'b']]);
    expect((await at('a').call('GET', '/_cluster/health/more')).body.status).toBe('yellow');
    expect(placed('old')).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
    ]);
    // There is room again.
    used.c = 10;
    await clock.sleep(60_000);
    expect(placed('more')).toEqual([['a', 'b', 'c']]);
  });

  it('is named by its decider, with what its disk has', async () => {
    await create('books', 1, 0);
    const [holder] = placed('books')[0]!;
    used = { a: 89, b: 89, c: 89, [holder!]: 10 };
    await clock.sleep(40_000);
    const other = ['a', 'b', 'c'].find((id) => id !== holder)!;
    const move = { index: 'books', shard: 0, from_node: holder, to_node: other };
    const { body } = await at('a').call('POST', '/_cluster/reroute?explain&dry_run', {
      commands: [{ move }],
    });
    expect(body.explanations[0].decisions).toContainEqual({
      decider: 'disk_threshold',
      decision: 'NO',
      explanation: 'more than allowed [85.0%] used disk on node, free: [11.0%]',
    });
    await set({ [`${DISK}threshold_enabled`]: 'false' });
    const off = await at('a').call('POST', '/_cluster/reroute?explain&dry_run', { commands: [{ move }] });
    expect(off.body.explanations[0].decisions).toContainEqual({
      decider: 'disk_threshold',
      decision: 'YES',
      explanation: 'disk threshold decider disabled',
    });
  });
});

describe('a node whose disk is above the high watermark', () => {
  it('has copies go until it is below, and they do not come back', async () => {
    await create('books', 6, 0);
    await clock.sleep(2000);
    for (let i = 0; i < 20; i++) await at('b').call('PUT', `/books/book/${i}`, { n: i });
    const before = placed('books');
    expect(before.flat().filter((id) => id === 'c')).toHaveLength(2);
    // Two copies take 8 GB: one of them has to go, so that 12 are free.
    used.c = 84;
    const seen = new Set<string>();
    for (let i = 0; i < 40; i++) {
      await clock.sleep(30_000);
      seen.add(JSON.stringify(placed('books')));
    }
    const after = placed('books');
    expect(after.flat().filter((id) => id === 'c')).toHaveLength(1);
    expect(after.flat()).toHaveLength(6);
    expect(seen.size).toBeLessThanOrEqual(2);
    // There is room, and what has gone stays where it is.
    used.c = 10;
    await clock.sleep(300_000);
    const gone = before.findIndex(([id], shard) => id === 'c' && after[shard]![0] !== 'c');
    expect(placed('books')[gone]).toEqual(after[gone]);
    const last = placed('books');
    await clock.sleep(300_000);
    expect(placed('books')).toEqual(last);
    await at('a').call('POST', '/books/_refresh');
    expect((await at('a').call('GET', '/books/_count')).body).toMatchObject({ count: 20 });
  });

  it('keeps its copies where no other node has room for them', async () => {
    await create('books', 3, 0);
    await clock.sleep(2000);
    const before = placed('books');
    // Above the low watermark, as all know, and then above the high one.
    used = { a: 84, b: 84, c: 84 };
    await clock.sleep(60_000);
    used = { a: 90, b: 90, c: 90 };
    await clock.sleep(200_000);
    expect(placed('books')).toEqual(before);
  });
});

describe('index.routing.allocation.total_shards_per_node', () => {
  it('bounds the copies of an index on a node, and moves them when it changes', async () => {
    const limit = 'index.routing.allocation.total_shards_per_node';
    await create('books', 3, 1, { [limit]: 1 });
    await clock.sleep(5000);
    const loads = () =>
      ['a', 'b', 'c'].map(
        (id) =>
          placed('books')
            .flat()
            .filter((each) => each === id).length,
      );
    expect(loads()).toEqual([1, 1, 1]);
    expect((await at('a').call('GET', '/_cluster/health/books')).body).toMatchObject({
      unassigned_shards: 3,
    });
    await at('a').call('PUT', '/books/_settings', { [limit]: 2 });
    await clock.sleep(10_000);
    expect(loads()).toEqual([2, 2, 2]);
    await set({ 'cluster.routing.allocation.exclude._id': 'c' });
    await clock.sleep(20_000);
    // Two nodes may have four copies alone; the others stay where they are.
    expect(placed('books').every((ids) => ids.length > 0)).toBe(true);
  });
});
