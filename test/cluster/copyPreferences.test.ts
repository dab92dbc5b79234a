/** `preference` chooses copies for all that reads them, and tables and state tell where copies are as 1.7 does. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SimulatedCluster } from './simulation/simulatedCluster.js';
import type { SimulatedNode } from './simulation/simulatedNode.js';

let simulated: SimulatedCluster;
let nodes: Map<string, SimulatedNode>;
/** The nodes of the primary, of the replica, without a copy, without data. */
let first: SimulatedNode;
let second: SimulatedNode;
let other: SimulatedNode;
let client: SimulatedNode;

beforeEach(async () => {
  nodes = new Map();
  simulated = new SimulatedCluster();
  for (const [id, zone] of [
    ['a', 'x'],
    ['b', 'y'],
    ['c', 'z'],
  ] as const)
    nodes.set(id, await simulated.start(id, { attributes: { zone } }));
  client = await simulated.start('client', { data: false });
  nodes.set('client', client);
  await client.call('PUT', '/books', { settings: { number_of_shards: 1, number_of_replicas: 1 } });
  await client.call('PUT', '/books/.percolator/q', { query: { term: { n: 1 } } });
  await client.call('PUT', '/books/doc/1?refresh', { n: 1 });
  await client.call('GET', '/_cluster/health/books?wait_for_status=green');
  const { body } = await client.call('GET', '/_search_shards');
  const [one, two] = body.shards[0].map(({ node }: { node: string }) => node);
  first = nodes.get(one)!;
  second = nodes.get(two)!;
  other = ['a', 'b', 'c'].flatMap((id) => (id === one || id === two ? [] : nodes.get(id)!))[0]!;
});

afterEach(async () => {
  await simulated.close(nodes.values());
});

describe('a preference', () => {
  it('is what the shards are told by that a search would ask', async () => {
    const asked = async (preference: string, of = client) => {
      const { body } = await of.call('GET', `/books/_search_shards?preference=${preference}`);
      return body.shards[0].map(({ node }: { node: string }) => node);
    };
    expect(await asked('_primary')).toEqual([first.id]);
    expect(await asked('_primary_first')).toEqual([first.id, second.id]);
    expect(await asked(`_prefer_node:${second.id}`)).toEqual([second.id, first.id]);
    expect(await asked(`_only_node:${second.id}`)).toEqual([second.id]);
    expect(await asked('_local', second)).toEqual([second.id, first.id]);
    expect(await asked('_only_local', second)).toEqual([second.id]);
    expect(await asked('_only_local')).toEqual([]);
    expect(await asked('someone')).toEqual(await asked('someone', first));
    const { status, body } = await client.call('GET', '/books/_search_shards?preference=_only_node:x');
    expect([status, body.error]).toEqual([
      400,
      'ElasticsearchIllegalArgumentException[No data node with id[x] found]',
    ]);
  });

  it('holds for percolation, and for whether there is anything', async () => {
    const doc = { doc: { n: 1 } };
    for (const [uri, body] of [
      ['/books/doc/_percolate', doc],
      ['/books/_search/exists', { query: { term: { n: 1 } } }],
    ] as const) {
      const asked: string[] = [];
      const { peers } = client.engine.replication!;
      const ask = peers.ask.bind(peers);
      peers.ask = (node, ...rest) => {
        asked.push(node);
        return ask(node, ...rest);
      };
      const at = uri.includes('?') ? '&' : '?';
      const { status } = await client.call('POST', `${uri}${at}preference=_only_node:${second.id}`, body);
      peers.ask = ask;
      expect([uri, status, [...new Set(asked)]]).toEqual([uri, 200, [second.id]]);
      const wrong = await client.call('POST', `${uri}${at}preference=_only_node:x`, body);
      expect([uri, wrong.status]).toEqual([uri, 400]);
    }
  });
});

it('an explanation names the node of the copy', async () => {
  for (const node of [second, first]) {
    const { body } = await client.call('GET', `/books/_search?explain&preference=_only_node:${node.id}`);
    expect(body.hits.hits[0]._node).toBe(node.id);
  }
});

it('attributes of nodes are shown, and name nodes', async () => {
  const { body: info } = await client.call('GET', '/_nodes');
  const shown = Object.fromEntries(
    Object.entries(info.nodes as Record<string, { attributes?: object }>).map(([id, { attributes }]) => [
      id,
      attributes,
    ]),
  );
  expect(shown).toEqual({
    a: { zone: 'x' },
    b: { zone: 'y' },
    c: { zone: 'z' },
    client: { data: 'false', client: 'true' },
  });
  const named = async (list: string) =>
    Object.keys((await client.call('GET', `/_nodes/${list}/stats/process`)).body.nodes).sort();
  expect(await named('zone:y')).toEqual(['b']);
  expect(await named('zone:*')).toEqual(['a', 'b', 'c']);
  expect(await named('data:false')).toEqual([]);
  expect(await named('data:true')).toEqual(['a', 'b', 'c']);
  const { body: state } = await first.call('GET', '/_cluster/state/nodes');
  expect(state.nodes.c.attributes).toEqual({ zone: 'z' });
  const { body: rows } = await first.call('GET', '/_cat/nodes?h=name,r&format=json');
  expect(rows.map(({ name, r }: { name: string; r: string }) => [name, r]).sort()).toEqual([
    ['a', 'd'],
    ['b', 'd'],
    ['c', 'd'],
    ['client', 'c'],
  ]);
});

it('the bytes of all copies are told, of whatever version', async () => {
  for (const node of nodes.values()) await node.call('POST', '/books/_flush');
  const { body: stats } = await client.call('GET', '/books/_stats/store');
  for (const node of nodes.values()) {
    const { body } = await node.call('GET', '/books/_upgrade');
    expect(body.size_in_bytes).toBe(stats._all.total.store.size_in_bytes);
    expect(body.size_in_bytes).toBeGreaterThan(0);
    expect(body.indices.books.size_to_upgrade_in_bytes).toBe(0);
  }
});

describe('tables', () => {
  const table = async (uri: string, of = client) =>
    (await of.call('GET', `${uri}${uri.includes('?') ? '&' : '?'}format=json`)).body;

  it('tell of copies that move, and health waits for them', async () => {
    await client.call('PUT', '/_cluster/settings', {
      transient: { 'indices.recovery.max_bytes_per_sec': '100b' },
    });
    const move = { index: 'books', shard: 0, from_node: first.id, to_node: other.id };
    await client.call('POST', '/_cluster/reroute', { commands: [{ move }] });
    for (const of of [client, first, other]) {
      expect(await table('/_cat/shards?h=s,p,st,n', of)).toEqual([
        { s: '0', p: 'p', st: 'RELOCATING', n: expect.stringMatching(`^${first.id} -> .* ${other.id}$`) },
        { s: '0', p: 'r', st: 'STARTED', n: second.id },
      ]);
      expect(await table('/_cat/allocation?h=s,n', of)).toEqual([
        { s: '0', n: other.id },
        { s: '1', n: expect.any(String) },
        { s: '1', n: expect.any(String) },
      ]);
      const { body } = await of.call('GET', '/_cluster/health?level=shards');
      expect(body).toMatchObject({
        status: 'green',
        active_shards: 2,
        relocating_shards: 1,
        number_of_nodes: 4,
      });
      expect(body.indices.books.shards).toEqual({
        0: {
          status: 'green',
          primary_active: true,
          active_shards: 2,
          relocating_shards: 1,
          initializing_shards: 0,
          unassigned_shards: 0,
        },
      });
    }
    const waits = async (parameter: string) =>
      (await client.call('GET', `/_cluster/health?timeout=100ms&${parameter}`)).body.timed_out;
    expect(await waits('wait_for_relocating_shards=0')).toBe(true);
    expect(await waits('wait_for_relocating_shards=1')).toBe(false);
    expect(await waits('wait_for_nodes=%3E%3D4')).toBe(false);
    expect(await waits('wait_for_nodes=gt(4)')).toBe(true);
    expect(await waits('wait_for_active_shards=2')).toBe(false);
    expect(await waits('wait_for_active_shards=3')).toBe(true);
    await client.call('PUT', '/_cluster/settings', {
      transient: { 'indices.recovery.max_bytes_per_sec': '40mb' },
    });
    const { body } = await client.call('GET', '/_cluster/health?wait_for_relocating_shards=0&timeout=10m');
    expect(body).toMatchObject({ timed_out: false, relocating_shards: 0, active_shards: 2 });
    expect(await table('/_cat/shards?h=p,st,n')).toEqual([
      { p: 'p', st: 'STARTED', n: other.id },
      { p: 'r', st: 'STARTED', n: second.id },
    ]);
  });

  it('tell of copies that are made, and of those whose node went', async () => {
    await client.call('PUT', '/_cluster/settings', {
      transient: { 'indices.recovery.max_bytes_per_sec': '100b' },
    });
    await client.call('PUT', '/books/_settings', { number_of_replicas: 2 });
    expect(await table('/_cat/shards?h=p,st,n', first)).toContainEqual({
      p: 'r',
      st: 'INITIALIZING',
      n: other.id,
    });
    expect((await client.call('GET', '/_cluster/health')).body).toMatchObject({
      status: 'yellow',
      active_shards: 2,
      initializing_shards: 1,
      unassigned_shards: 0,
    });
    simulated.cluster.kill(second.id);
    nodes.delete(second.id);
    await simulated.clock.sleep(15_000);
    const rows = await table('/_cat/shards?h=p,st,n,ur,ud', first);
    expect(rows).toContainEqual({
      p: 'r',
      st: 'UNASSIGNED',
      n: null,
      ur: 'NODE_LEFT',
      ud: `node_left[${second.id}]`,
    });
    const { body } = await client.call('GET', '/_cluster/state/routing_table');
    expect(body.routing_table.indices.books.shards[0]).toContainEqual(
      expect.objectContaining({
        state: 'UNASSIGNED',
        unassigned_info: expect.objectContaining({ reason: 'NODE_LEFT', details: `node_left[${second.id}]` }),
      }),
    );
    expect((await table('/_cat/allocation?h=s,n')).at(-1)).toEqual({ s: '1', n: 'UNASSIGNED' });
  });
});
