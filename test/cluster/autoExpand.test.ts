/** Replicas that follow the number of data nodes: every node shows the same number, and has copies accordingly. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SimulatedCluster } from './simulation/simulatedCluster.js';
import type { SimulatedNode } from './simulation/simulatedNode.js';

let simulated: SimulatedCluster;
let nodes: Map<string, SimulatedNode>;

async function start(id: string, data = true): Promise<void> {
  nodes.set(id, await simulated.start(id, { graceMs: 5000, data }));
}

beforeEach(() => {
  nodes = new Map();
  simulated = new SimulatedCluster();
});

afterEach(async () => {
  await simulated.close(nodes.values());
});

const any = () => nodes.values().next().value!;

/** What each node shows of the replicas of an index. */
async function shown(name: string): Promise<unknown[]> {
  return Promise.all(
    [...nodes.values()].map(async (node) => {
      const { body: settings } = await node.call('GET', `/${name}/_settings?flat_settings`);
      const { body: health } = await node.call('GET', `/_cluster/health/${name}?level=indices`);
      const { body: rows } = await node.call('GET', `/_cat/indices/${name}?h=rep&format=json`);
      const { status, active_shards, unassigned_shards, number_of_replicas } = health.indices[name];
      return {
        settings: Number(settings[name].settings['index.number_of_replicas']),
        health: number_of_replicas,
        cat: Number(rows[0].rep),
        status,
        active: active_shards,
        unassigned: unassigned_shards,
      };
    }),
  );
}

/** Resolves when all nodes show so many replicas, and all of them are there. */
async function settled(name: string, replicas: number): Promise<void> {
  const expected = [...nodes.values()].map(() => ({
    settings: replicas,
    health: replicas,
    cat: replicas,
    status: 'green',
    active: 1 + replicas,
    unassigned: 0,
  }));
  let seen: unknown[] = [];
  for (let i = 0; i < 100; i++) {
    seen = await shown(name);
    if (JSON.stringify(seen) === JSON.stringify(expected)) return;
    await simulated.clock.sleep(500);
  }
  expect(seen).toEqual(expected);
}

const create = (name: string, range: string) =>
  any().call('PUT', `/${name}`, { settings: { number_of_shards: 1, auto_expand_replicas: range } });

it('are as many as there are other data nodes, within the range', async () => {
  await start('a');
  await create('all', '0-all');
  await create('one', '0-1');
  await settled('all', 0);
  await start('b');
  await start('client', false);
  await settled('all', 1);
  await settled('one', 1);
  await start('c');
  await settled('all', 2);
  await settled('one', 1);
  await any().call('PUT', '/all/_settings', { number_of_replicas: 7 });
  await settled('all', 2);
  await any().call('PUT', '/all/_settings', { auto_expand_replicas: false });
  await start('d');
  await settled('all', 2);
});

it('stay while the places of a node that went are kept, and are fewer then', async () => {
  for (const id of ['a', 'b', 'c']) await start(id);
  await create('all', '0-all');
  await settled('all', 2);
  // The nodes have told each other which copies they have.
  await simulated.clock.sleep(100);
  simulated.cluster.kill('c');
  nodes.delete('c');
  // It counts as living for 10 s, and its places are kept for 5 more.
  await simulated.clock.sleep(12_000);
  const kept = { settings: 2, health: 2, cat: 2, status: 'yellow', active: 2, unassigned: 1 };
  expect(await shown('all')).toEqual([kept, kept]);
  await settled('all', 1);
  await start('c');
  await settled('all', 2);
});

it('are at least as many as the range says', async () => {
  await start('a');
  await create('some', '1-5');
  const [each] = await shown('some');
  expect(each).toMatchObject({ settings: 1, status: 'yellow', active: 1, unassigned: 1 });
  await start('b');
  await settled('some', 1);
  await start('c');
  await settled('some', 2);
});
