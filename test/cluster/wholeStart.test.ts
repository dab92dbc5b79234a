/** All nodes of a cluster that are started anew: places are kept for those that are later than others. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LogMissing } from '../../host/cluster/errors.js';
import type { Logs } from '../../host/cluster/log.js';
import type { ClusterServices } from '../../host/cluster/services.js';
import { SimulatedCluster } from './simulation/simulatedCluster.js';
import type { SimulatedNode } from './simulation/simulatedNode.js';

const GRACE_MS = 120_000;
let simulated: SimulatedCluster;
let nodes: Map<string, SimulatedNode>;

/** What a clock on the wall is ahead of one that only counts what has passed, as on any machine. */
const skew = { ms: 1_700_000_000_000 };
const start = async (id: string) =>
  void nodes.set(id, await simulated.start(id, { graceMs: GRACE_MS, skew }));

beforeEach(async () => {
  simulated = new SimulatedCluster();
  nodes = new Map();
  for (const id of ['a', 'b', 'c']) await start(id);
  const settings = { number_of_shards: 6, number_of_replicas: 1 };
  await nodes.get('a')!.call('PUT', '/books', { settings });
  await nodes.get('a')!.call('PUT', '/books/book/1', { n: 1 });
});

afterEach(async () => {
  await simulated.close(nodes.values());
});

/** The shards that a node has copies of, or is making some of. */
const copies = (id: string) => {
  const index = nodes.get(id)!.engine.index('books');
  return index.copies.map(({ number }) => number).sort();
};

async function endAll(): Promise<void> {
  for (const id of nodes.keys()) simulated.cluster.kill(id);
  nodes.clear();
  await simulated.clock.sleep(15_000);
}

it('a node starts where the log that another one makes is named before it can be opened', async () => {
  await endAll();
  let missed = 0;
  /** Servers of NATS know the name of a log a moment before they know the log. */
  const seen = (services: ClusterServices): ClusterServices => {
    const { members, peers, clock, logs } = services;
    const open: Logs['open'] = async (name, options) => {
      if (name !== 'metadata' || missed > 0) return logs.open(name, options);
      missed++;
      throw new LogMissing(name);
    };
    return {
      ...{ members, peers, clock, logs: { open, list: () => logs.list() } },
      close: () => services.close(),
    };
  };
  const node = await simulated.start('a', { graceMs: GRACE_MS, seen });
  nodes.set('a', node);
  expect(missed).toBe(1);
  expect((await node.call('PUT', '/_template/t', { template: 't*' })).status).toBe(200);
});

it('no copies are made while a known node is awaited, and none are when it has come', async () => {
  const before = new Map(['a', 'b', 'c'].map((id) => [id, copies(id)]));
  await endAll();
  await start('a');
  await start('b');
  await simulated.clock.sleep(GRACE_MS - 20_000);
  for (const id of ['a', 'b']) expect(copies(id)).toEqual(before.get(id));
  const { body } = await nodes.get('a')!.call('GET', '/_cluster/health');
  expect(body.delayed_unassigned_shards).toBe(before.get('c')!.length);
  const shards = await nodes.get('a')!.call('GET', '/_cat/shards?h=ur,ua&format=json');
  const left = shards.body.filter(({ ur }: { ur: string | null }) => ur === 'NODE_LEFT');
  expect(left).toHaveLength(before.get('c')!.length);
  const now = simulated.clock.now() + skew.ms;
  for (const { ua } of left) expect(now - Date.parse(ua)).toBeLessThan(2 * GRACE_MS);
  await start('c');
  await simulated.clock.sleep(GRACE_MS);
  for (const [id, shards] of before) expect(copies(id)).toEqual(shards);
});

it('copies are made for one that does not come', async () => {
  await endAll();
  await start('a');
  await start('b');
  await simulated.clock.sleep(GRACE_MS + 30_000);
  for (const id of ['a', 'b']) expect(copies(id)).toEqual([0, 1, 2, 3, 4, 5]);
  // It is waited for no more, the next time either.
  await endAll();
  await start('a');
  await start('b');
  expect((await nodes.get('b')!.call('GET', '/_cluster/health')).body.delayed_unassigned_shards).toBe(0);
});
