/** A node that comes back, between the moment when others know of it and the one when it has refreshed its copies. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SimulatedCluster } from './simulation/simulatedCluster.js';
import type { SimulatedNode } from './simulation/simulatedNode.js';

let world: SimulatedCluster;
let nodes: Map<string, SimulatedNode>;

beforeEach(async () => {
  world = new SimulatedCluster();
  nodes = new Map();
  for (const id of ['a', 'b', 'client']) nodes.set(id, await world.start(id, { data: id !== 'client' }));
});

afterEach(async () => {
  await world.close(nodes.values());
});

it('is not searched before it shows what was refreshed without it', async () => {
  const client = nodes.get('client')!;
  // Nothing is refreshed by itself.
  const settings = { number_of_shards: 1, number_of_replicas: 1, 'index.refresh_interval': -1 };
  await client.call('PUT', '/books', { settings });
  await nodes.get('b')!.engine.close();
  nodes.delete('b');
  await client.call('PUT', '/books/book/1', { n: 1 });
  expect((await client.call('POST', '/books/_refresh')).body._shards.failed).toBe(0);

  // From the moment on when it is known, it is not told how far its logs are.
  let isCut = true;
  const isKnown = () => client.engine.replication!.nodes.ids.includes('b');
  world.loses = (from, to) => isCut && to === 'b' && from.startsWith('log/') && isKnown();
  const starting = world.start('b');
  while (!isKnown()) await world.clock.sleep(1);
  const index = client.engine.cluster.find('books')!;
  const copies = client.engine.replication!.searchableCopiesOf(index, 0).map(({ id }) => id);
  expect(copies.sort()).toEqual(['a', 'b']);

  const search = () => client.call('GET', '/books/_search?preference=_prefer_node:b');
  expect((await search()).body).toMatchObject({ _shards: { failed: 0 }, hits: { total: 1 } });

  isCut = false;
  nodes.set('b', await starting);
  const alone = await client.call('GET', '/books/_search?preference=_only_node:b');
  expect(alone.body).toMatchObject({ _shards: { failed: 0 }, hits: { total: 1 } });
});
