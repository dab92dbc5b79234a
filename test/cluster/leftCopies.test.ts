/** Copies that a node has in its store and that it isn't to have any more, in whatever state they are then. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Log } from '../../host/cluster/log.js';
import type { ClusterServices } from '../../host/cluster/services.js';
import { isIndexLog } from '../../host/replication/indexLog.js';
import { pause } from '../../host/replication/pause.js';
import { hasCopy } from '../../host/shard/shardCopy.js';
import { shardKey } from '../../host/storage/records.js';
import { SimulatedCluster } from './simulation/simulatedCluster.js';
import type { SimulatedNode } from './simulation/simulatedNode.js';

const EXCLUDED = 'index.routing.allocation.exclude._id';
let simulated: SimulatedCluster;
let nodes: Map<string, SimulatedNode>;

beforeEach(async () => {
  simulated = new SimulatedCluster();
  nodes = new Map();
  nodes.set('a', await simulated.start('a'));
});

afterEach(async () => {
  await simulated.close(nodes.values());
});

const node = (id: string) => nodes.get(id)!;
const storageOf = (id: string) => simulated.disks.get(id)!.storage;
const exclude = (ids: string) => node('a').call('PUT', '/books/_settings', { [EXCLUDED]: ids });
const has = (id: string) => hasCopy(storageOf(id), node('a').engine.index('books').metadata.shardUids[0]!);

/** One shard, whose only copy is on the node a. */
async function make(): Promise<void> {
  const settings = { number_of_shards: 1, number_of_replicas: 1, [EXCLUDED]: 'b' };
  expect((await node('a').call('PUT', '/books', { settings })).status).toBe(200);
  expect((await node('a').call('PUT', '/books/doc/1', { n: 1 })).status).toBe(201);
}

/** Nobody is told where logs of indices end while the gate is shut. */
function heldUp(services: ClusterServices, gate: { isShut: boolean }): ClusterServices {
  const { logs, members, peers, clock } = services;
  const open = async (...args: Parameters<typeof logs.open>): Promise<Log> => {
    const log = await logs.open(...args);
    const lastPosition = log.lastPosition.bind(log);
    log.lastPosition = async (subject) => {
      while (gate.isShut && isIndexLog(log.name) && subject === undefined) await pause(clock, 100);
      return lastPosition(subject);
    };
    return log;
  };
  return { members, peers, clock, logs: { open, list: () => logs.list() }, close: () => services.close() };
}

describe('a copy that is to go', () => {
  it('goes where it was fetched, and had not been caught up with yet', async () => {
    await make();
    const gate = { isShut: false };
    nodes.set('b', await simulated.start('b', { seen: (services) => heldUp(services, gate) }));
    gate.isShut = true;
    await exclude('');
    await simulated.clock.sleep(2000);
    expect(has('b')).toBe(true);
    expect(node('b').engine.index('books').shards[0]!.isHeld).toBe(false);
    await exclude('b');
    gate.isShut = false;
    await simulated.clock.sleep(20_000);
    expect(node('b').engine.index('books').copies).toEqual([]);
    expect(has('b')).toBe(false);
    await exclude('');
    await simulated.clock.sleep(20_000);
    expect(node('b').engine.index('books').shards[0]!.isHeld).toBe(true);
  });

  it('goes where the store could not take that once', async () => {
    await make();
    nodes.set('b', await simulated.start('b'));
    await exclude('');
    await simulated.clock.sleep(20_000);
    expect(has('b')).toBe(true);
    const storage = storageOf('b');
    const commit = storage.commit.bind(storage);
    let failed = 0;
    storage.commit = async (puts, deletes, options) => {
      const isDrop = [...puts].some(([key]) => key[0] === shardKey('g', 0)[0]);
      if (isDrop && failed++ === 0) throw new Error('no room');
      return commit(puts, deletes, options);
    };
    await exclude('b');
    await simulated.clock.sleep(20_000);
    expect(failed).toBeGreaterThan(0);
    expect(has('b')).toBe(false);
  });
});
