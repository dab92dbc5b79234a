/** How copies came to be on nodes, as any node tells of all of them. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SimulatedCluster } from './simulation/simulatedCluster.js';
import type { SimulatedNode } from './simulation/simulatedNode.js';

let simulated: SimulatedCluster;
let nodes: Map<string, SimulatedNode>;

async function start(id: string): Promise<void> {
  nodes.set(id, await simulated.start(id));
}

beforeEach(async () => {
  nodes = new Map();
  simulated = new SimulatedCluster();
  for (const id of ['a', 'b', 'c']) await start(id);
});

afterEach(async () => {
  await simulated.close(nodes.values());
});

const any = () => nodes.values().next().value!;

/** Resolves when the copies are where they are to be. */
async function settled(copies: number): Promise<void> {
  for (let i = 0; i < 100; i++) {
    const { body } = await any().call('GET', '/_cluster/health/books');
    if (body.active_shards === copies && body.relocating_shards === 0) return;
    await simulated.clock.sleep(500);
  }
  throw new Error('the copies are not where they are to be');
}

async function primary(): Promise<string> {
  const { body } = await any().call('GET', '/_cluster/state/routing_table/books');
  return body.routing_table.indices.books.shards[0][0].node;
}

async function fill(count: number): Promise<void> {
  const lines = Array.from(
    { length: count },
    (_, i) => `{"index":{"_id":"${i}"}}\n{"n":${i},"text":"word${i % 9}"}\n`,
  );
  await any().call('POST', '/books/doc/_bulk?refresh', lines.join(''));
  await any().call('POST', '/books/_flush');
}

it('are told of by every node alike: replicas that were fetched, and copies that were moved', async () => {
  await any().call('PUT', '/books', { settings: { number_of_shards: 1, number_of_replicas: 0 } });
  await fill(300);
  const first = await primary();
  await any().call('PUT', '/books/_settings', { number_of_replicas: 1 });
  await settled(2);
  const { body: table } = await any().call('GET', '/_cluster/state/routing_table/books');
  const second = table.routing_table.indices.books.shards[0].find(
    ({ node }: { node: string }) => node !== first,
  ).node;
  const third = [...nodes.keys()].find((id) => id !== first && id !== second)!;
  const move = { index: 'books', shard: 0, from_node: first, to_node: third };
  await any().call('POST', '/_cluster/reroute', { commands: [{ move }] });
  await settled(2);
  await simulated.clock.sleep(10_000);
  const all = await Promise.all(
    [...nodes.values()].map(async (node) => (await node.call('GET', '/_recovery?detailed')).body),
  );
  for (const each of all) expect(each).toEqual(all[0]);
  const { shards } = all[0].books;
  expect(
    shards.map(({ id, type, stage, source, target }: Record<string, { id: string }>) => [
      id,
      type,
      stage,
      target!.id,
      source!.id === target!.id,
    ]),
  ).toEqual(
    expect.arrayContaining([
      [0, 'REPLICA', 'DONE', second, false],
      [0, 'RELOCATION', 'DONE', third, false],
    ]),
  );
  expect(shards).toHaveLength(2);
  for (const { source, index, translog, ...rest } of shards) {
    expect(Object.keys(source)).toEqual(['id', 'host', 'transport_address', 'ip', 'name']);
    expect(rest.stop_time_in_millis - rest.start_time_in_millis).toBe(rest.total_time_in_millis);
    expect(index.size.total_in_bytes).toBeGreaterThan(1000);
    expect(index.size).toMatchObject({
      recovered_in_bytes: index.size.total_in_bytes,
      reused_in_bytes: 0,
      percent: '100.0%',
    });
    expect(index.files).toMatchObject({ recovered: index.files.total, reused: 0, percent: '100.0%' });
    expect(index.files.details).toHaveLength(index.files.total);
    const lengths = index.files.details.map((file: { length_in_bytes: number }) => file.length_in_bytes);
    expect(lengths.reduce((a: number, b: number) => a + b, 0)).toBe(index.size.total_in_bytes);
    expect(translog.percent).toBe('100.0%');
  }
  const plain = (await any().call('GET', '/books/_recovery')).body;
  expect(plain.books.shards[0].index.files.details).toBeUndefined();
  expect((await any().call('GET', '/_recovery?active_only')).body).toEqual({});
  const rows = (await any().call('GET', '/_cat/recovery?h=i,s,ty,st,fp,bp&format=json')).body;
  expect(rows).toHaveLength(2);
  for (const row of rows) expect(row).toMatchObject({ st: 'done', fp: '100.0%', bp: '100.0%' });
});

it('are told of while they go on', async () => {
  await any().call('PUT', '/_cluster/settings', {
    transient: { 'indices.recovery.max_bytes_per_sec': '2kb' },
  });
  await any().call('PUT', '/books', { settings: { number_of_shards: 1, number_of_replicas: 0 } });
  await fill(2000);
  await any().call('PUT', '/books/_settings', { number_of_replicas: 1 });
  let shown = { stage: '', percent: '' };
  for (let i = 0; i < 100 && shown.stage !== 'INDEX'; i++) {
    await simulated.clock.sleep(100);
    const { body } = await any().call('GET', '/_recovery?active_only');
    const [recovery] = body.books?.shards ?? [];
    if (recovery !== undefined) shown = { stage: recovery.stage, percent: recovery.index.size.percent };
  }
  expect(shown.stage).toBe('INDEX');
  const [row] = (await any().call('GET', '/_cat/recovery?active_only&format=json')).body;
  expect(row).toMatchObject({ index: 'books', shard: '0', type: 'replica', stage: 'index' });
});

it('are those from the disk when a node is started again', async () => {
  await any().call('PUT', '/books', { settings: { number_of_shards: 2, number_of_replicas: 2 } });
  await fill(50);
  const [[id]] = nodes as unknown as [[string]];
  await nodes.get(id)!.engine.close();
  await start(id);
  const { body } = await nodes.get('b')!.call('GET', '/books/_recovery');
  expect(body.books.shards).toHaveLength(6);
  for (const { type, stage } of body.books.shards) expect([type, stage]).toEqual(['GATEWAY', 'DONE']);
});
