/** What a node of a cluster tells Prometheus. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { NO_PLATFORM } from '../../host/rest/cluster/node.js';
import { Metrics } from '../../host/server/metrics.js';
import { SimulatedCluster } from './simulation/simulatedCluster.js';
import type { SimulatedNode } from './simulation/simulatedNode.js';

let simulated: SimulatedCluster;
let nodes: SimulatedNode[];

beforeEach(async () => {
  simulated = new SimulatedCluster();
  nodes = [];
  for (const id of ['a', 'b', 'c']) nodes.push(await simulated.start(id, { data: id !== 'c' }));
});
afterEach(async () => {
  await simulated.close(nodes);
});

it('are labelled with the node, and tell of nodes, copies and logs', async () => {
  const [a, , c] = nodes as [SimulatedNode, SimulatedNode, SimulatedNode];
  await a.call('PUT', '/books', { settings: { number_of_shards: 2, number_of_replicas: 1 } });
  for (let i = 0; i < 5; i++) await c.call('PUT', `/books/book/${i}`, { n: 1 });
  await c.call('POST', '/_refresh');
  const meters = nodes.map(
    ({ id, engine }) => new Metrics(engine, '0', NO_PLATFORM, { cluster: 'simulated', node: id }),
  );
  const told = async (at: number) => {
    const lines = (await meters[at]!.text()).split('\n');
    const label = `cluster="simulated",node="${nodes[at]!.id}"`;
    for (const line of lines) if (/^resilin/.test(line)) expect(line).toContain(label);
    return (name: string) =>
      lines
        .find((line) => line.startsWith(name) && line.includes(label))
        ?.split(' ')
        .pop();
  };
  const [ofA, ofC] = [await told(0), await told(2)];
  expect(ofA('resilin_cluster_nodes{role="data"')).toBe('2');
  expect(ofA('resilin_cluster_nodes{role="client"')).toBe('1');
  expect(ofC('resilin_cluster_member')).toBe('1');
  expect(ofA('resilin_copies{state="searchable"')).toBe('2');
  expect(ofC('resilin_copies{state="searchable"')).toBe('0');
  for (const of of [ofA, ofC]) {
    expect(of('resilin_metadata_failed')).toBe('0');
    expect(of('resilin_log_lag{index="books"')).toBe('0');
    expect(of('resilin_log_failed{index="books"')).toBe('0');
  }
  // One that brought new fields was appended again behind them.
  expect(Number(ofC('resilin_log_appends_total'))).toBeGreaterThanOrEqual(5);
  expect(Number(ofA('resilin_log_operations_total'))).toBeGreaterThanOrEqual(5);
  expect(ofC('resilin_log_operations_total')).toBe('0');
  await a.call('DELETE', '/books');
  expect((await told(0))('resilin_log_lag{index="books"')).toBeUndefined();
});
