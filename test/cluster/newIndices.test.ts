/** Indices that are made while a node is away: they have no places on it, however long its other places are kept. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SimulatedCluster } from './simulation/simulatedCluster.js';
import type { SimulatedNode } from './simulation/simulatedNode.js';

const GRACE_MS = 120_000;
let simulated: SimulatedCluster;
let nodes: Map<string, SimulatedNode>;
/** Copies of the index that is there before, on the node that goes. */
let away: number;

const start = async (id: string) => void nodes.set(id, await simulated.start(id, { graceMs: GRACE_MS }));

beforeEach(async () => {
  simulated = new SimulatedCluster();
  nodes = new Map();
  for (const id of ['a', 'b', 'c']) await start(id);
  expect((await create('before', 1)).status).toBe(200);
  // The nodes have told each other which copies they have.
  await simulated.clock.sleep(100);
  away = node('c').engine.index('before').copies.length;
  expect(away).toBeGreaterThan(0);
});

afterEach(async () => {
  await simulated.close(nodes.values());
});

const node = (id: string) => nodes.get(id)!;
const create = (name: string, replicas: number, id = 'a') =>
  node(id).call('PUT', `/${name}`, { settings: { number_of_shards: 6, number_of_replicas: replicas } });
const health = async (name: string) => (await node('a').call('GET', `/_cluster/health/${name}`)).body;

function kill(id: string): void {
  simulated.cluster.kill(id);
  nodes.delete(id);
}

/** Documents of all shards. */
async function fill(name: string): Promise<number[]> {
  const answers = Array.from({ length: 12 }, (_, i) => node('b').call('PUT', `/${name}/doc/${i}`, { n: i }));
  return (await Promise.all(answers)).map(({ status }) => status);
}

describe('a new index', () => {
  it.each([0, 1])('is green at once with %i replicas where a node went before', async (replicas) => {
    await node('c').engine.close();
    nodes.delete('c');
    await create('after', replicas);
    await simulated.clock.sleep(1000);
    expect(await health('after')).toMatchObject({ status: 'green', delayed_unassigned_shards: 0 });
    expect(await health('before')).toMatchObject({ status: 'yellow', delayed_unassigned_shards: away });
    expect(await fill('after')).toEqual(Array(12).fill(201));
    // Its places are elsewhere when the node is there again, which takes its old ones.
    await start('c');
    await simulated.clock.sleep(30_000);
    expect(await health('_all')).toMatchObject({ status: 'green', relocating_shards: 0 });
  });

  it.each([0, 1])(
    'is made elsewhere with %i replicas where a node dies unnoticed before',
    async (replicas) => {
      kill('c');
      await create('after', replicas);
      await simulated.clock.sleep(15_000);
      expect(await health('after')).toMatchObject({ status: 'green', delayed_unassigned_shards: 0 });
      expect(await fill('after')).toEqual(Array(12).fill(201));
    },
  );

  it('has no places on a node that all nodes know from before they were started', async () => {
    for (const id of ['a', 'b', 'c']) kill(id);
    await simulated.clock.sleep(15_000);
    await start('a');
    await start('b');
    await create('after', 1);
    await simulated.clock.sleep(1000);
    expect(await health('after')).toMatchObject({ status: 'green', delayed_unassigned_shards: 0 });
    expect((await health('before')).delayed_unassigned_shards).toBe(away);
  });
});
