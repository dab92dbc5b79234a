/** Documents that expire in a cluster: one node deletes those of a shard, whichever nodes have data. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { logName } from '../../host/replication/indexLog.js';
import { SimulatedCluster } from './simulation/simulatedCluster.js';
import type { SimulatedNode } from './simulation/simulatedNode.js';

let simulated: SimulatedCluster;
let nodes: Map<string, SimulatedNode>;

beforeEach(async () => {
  simulated = new SimulatedCluster();
  nodes = new Map();
  // The first of all nodes has no data.
  for (const id of ['a', 'b', 'c'])
    nodes.set(id, await simulated.start(id, { data: id !== 'a', graceMs: 1000 }));
});

afterEach(async () => {
  await simulated.close(nodes.values());
});

const at = (id: string) => nodes.get(id)!;
const mapping = { book: { _ttl: { enabled: true }, properties: { n: { type: 'long' } } } };

/** Messages of the log of the index. */
const messages = () => {
  const log = simulated.cluster.storedLog(logName(at('a').engine.index('books').metadata.uuid))!;
  return log.last + 1 - log.first;
};

it('are deleted once, by the node with the first copy of their shard', async () => {
  await at('a').call('PUT', '/_cluster/settings', { persistent: { 'indices.ttl.interval': '5s' } });
  const settings = { number_of_shards: 4, number_of_replicas: 1 };
  await at('a').call('PUT', '/books', { settings, mappings: mapping });
  for (let i = 0; i < 24; i++)
    expect(
      (await at('a').call('PUT', `/books/book/${i}?ttl=${i < 20 ? '20s' : '1d'}`, { n: i })).status,
    ).toBe(201);
  await at('a').call('POST', '/books/_refresh');
  const written = messages();
  await simulated.clock.sleep(60_000);
  await at('a').call('POST', '/books/_refresh');
  expect((await at('a').call('GET', '/books/_count')).body.count).toBe(4);
  // A message for each shard, no more.
  expect(messages() - written).toBeLessThanOrEqual(4);
});

it('are deleted where a copy came with documents, and the mapping later than the index', async () => {
  await at('a').call('PUT', '/_cluster/settings', { persistent: { 'indices.ttl.interval': '5s' } });
  const settings = { number_of_shards: 1, number_of_replicas: 0 };
  await at('a').call('PUT', '/books', { settings });
  const holder = () => ['b', 'c'].filter((id) => at(id).engine.index('books').shards[0]!.isHeld).join();
  const first = holder();
  await at('a').call('PUT', '/books/_mapping/book', mapping);
  await at('a').call('PUT', '/books/book/1?ttl=60s', { n: 1 });
  await at('a').call('PUT', '/books/_settings', { 'index.routing.allocation.exclude._id': first });
  for (let i = 0; i < 50 && (holder() === first || holder().length > 1); i++)
    await simulated.clock.sleep(1000);
  expect(holder()).toBe(first === 'b' ? 'c' : 'b');
  await simulated.clock.sleep(120_000);
  await at('a').call('POST', '/books/_refresh');
  expect((await at('a').call('GET', '/books/_count')).body.count).toBe(0);
});
