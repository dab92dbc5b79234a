/** Statistics of a cluster: whoever is asked tells of the copies on all nodes, each once. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readStatsMessage, statsMessage } from '../../host/engine/statsMessage.js';
import { nothing } from '../../host/engine/stats.js';
import { Principal } from '../../host/security/principal.js';
import { SimulatedCluster } from './simulation/simulatedCluster.js';
import type { SimulatedNode } from './simulation/simulatedNode.js';

const ids = ['a', 'b', 'c'];
let simulated: SimulatedCluster;
let nodes: SimulatedNode[];

beforeEach(async () => {
  simulated = new SimulatedCluster();
  nodes = [];
  for (const id of ids) nodes.push(await simulated.start(id, { data: id !== 'c' }));
  await nodes[0]!.call('PUT', '/books', { settings: { number_of_shards: 2, number_of_replicas: 1 } });
  for (let i = 0; i < 7; i++) await nodes[i % 2]!.call('PUT', `/books/book/${i}`, { n: i, word: `w${i}` });
  await nodes[0]!.call('POST', '/_refresh');
});

afterEach(async () => {
  await simulated.close(nodes);
});

/** What a node tells of indices, as far as it is looked at. */
interface Told {
  docs: { count: number };
  search: { fetch_total: number; query_total: number };
  indices: { books: { search: { fetch_total: number } } };
}

const get = async (node: SimulatedNode, uri: string) => {
  const { status, body } = await node.call('GET', uri);
  expect(status).toBe(200);
  return body;
};

describe('statistics of a cluster', () => {
  it('count documents of primaries once, and those of all copies as often as there are copies', async () => {
    for (const node of nodes) {
      const { _shards, _all, indices } = await get(node, '/_stats?level=shards');
      expect(_shards).toEqual({ total: 4, successful: 4, failed: 0 });
      expect(_all.primaries.docs.count).toBe(7);
      expect(_all.total.docs.count).toBe(14);
      expect(_all.total.indexing.index_total).toBe(14);
      const copies = Object.values(indices.books.shards).flat() as {
        routing: { primary: boolean; node: string };
      }[];
      expect(copies.map(({ routing }) => routing.node).sort()).toEqual(['a', 'a', 'b', 'b']);
      expect(copies.filter(({ routing }) => routing.primary)).toHaveLength(2);
    }
  });

  it('show segments and the state of every copy', async () => {
    for (const node of nodes) {
      const { indices } = await get(node, '/books/_segments');
      for (const copies of Object.values(indices.books.shards) as { routing: { node: string } }[][])
        expect(copies.map(({ routing }) => routing.node).sort()).toEqual(['a', 'b']);
      const status = (await get(node, '/books/_status')).indices.books;
      expect(status.docs.num_docs).toBe(7);
      expect(status.index.size_in_bytes).toBeGreaterThanOrEqual(status.index.primary_size_in_bytes);
    }
  });

  it('are the same in tables', async () => {
    for (const node of nodes) {
      const [row] = await get(
        node,
        '/_cat/indices?format=json&h=docs.count,pri.indexing.index_total,indexing.index_total',
      );
      expect(row).toEqual({
        'docs.count': '7',
        'pri.indexing.index_total': '7',
        'indexing.index_total': '14',
      });
      expect((await get(node, '/_cat/segments?h=id,shard&format=json')).length).toBeGreaterThanOrEqual(4);
      expect(await get(node, '/_cat/thread_pool?format=json')).toHaveLength(3);
      expect(
        (await get(node, '/_cat/fielddata?format=json')).map((each: { node: string }) => each.node),
      ).toEqual(ids);
    }
  });

  it('sum up nodes', async () => {
    for (const node of nodes) {
      const stats = await get(node, '/_cluster/stats');
      expect(stats.indices).toMatchObject({ count: 1, docs: { count: 7 } });
      expect(stats.nodes.count).toEqual({
        total: 3,
        master_only: 0,
        data_only: 0,
        master_data: 2,
        client: 1,
      });
      expect(stats.nodes.jvm.versions).toMatchObject([{ count: 3 }]);
    }
  });

  it('are told of the nodes that a path names, in any form', async () => {
    const [a, b] = nodes as [SimulatedNode, SimulatedNode, SimulatedNode];
    const named = async (node: SimulatedNode, filter: string) =>
      Object.keys((await get(node, `/_nodes/${filter}/stats`)).nodes).sort();
    expect(await named(a, 'b,c')).toEqual(['b', 'c']);
    expect(await named(b, '_local')).toEqual(['b']);
    expect(await named(b, '_local,c')).toEqual(['b', 'c']);
    expect(await named(b, '_master')).toEqual(['a']);
    expect(await named(b, 'data:true')).toEqual(['a', 'b']);
    expect(await named(b, '_all,data:false')).toEqual(['c']);
    expect(await named(b, 'client:t*')).toEqual(['c']);
    expect(await named(b, 'x*')).toEqual([]);
    expect((await b.call('GET', '/_nodes/stats?format=yaml')).body).toMatch(/\bc:/);
    expect((await b.call('GET', '/_nodes/hot_threads')).body.match(/^:::/gm)).toHaveLength(3);
  });

  it('tell a user of the indices that are granted alone', async () => {
    await nodes[0]!.call('PUT', '/secret', {});
    const ann = new Principal('user', 'ann', {
      grants: [{ indices: ['books'], access: 'read' }],
      cluster: 'none',
    });
    for (const node of nodes)
      for (const table of ['shards', 'recovery', 'segments', 'indices']) {
        const { status, body } = await node.call('GET', `/_cat/${table}?format=json`, undefined, ann);
        expect(status).toBe(200);
        expect(new Set(body.map(({ index }: { index: string }) => index))).toEqual(new Set(['books']));
      }
  });

  it('are read with suspicion from other nodes', () => {
    const stats = nothing();
    stats.documents = 3;
    stats.fielddata.set('f', 12);
    stats.counters.writing([{ kind: 'index', type: 't' }], 1);
    stats.segments.push({ id: 1, documents: 3, deleted: 0, bytes: 90 });
    const sent = JSON.parse(JSON.stringify(statsMessage(stats)));
    expect(readStatsMessage(sent)).toEqual(stats);
    for (const broken of [
      [],
      { ...sent, documents: 'many' },
      { ...sent, segments: 7 },
      { ...sent, fielddata: [[1, 2]] },
      { ...sent, counters: null },
    ])
      expect(() => readStatsMessage(broken)).toThrow(/^stats have/);
  });

  it('of a node tell of what it did for shards that others have', async () => {
    const c = nodes[2]!;
    const own = async (uri: string) =>
      (Object.values((await get(c, `/_nodes/_local/stats/indices${uri}`)).nodes) as { indices: Told }[])[0]!
        .indices;
    expect((await own('')).search.fetch_total).toBe(0);
    const { status, body } = await c.call('POST', '/books/_search', { query: { match_all: {} } });
    expect([status, body.hits.hits.length]).toEqual([200, 7]);
    const { docs, search } = await own('');
    expect(search.fetch_total).toBeGreaterThan(0);
    // Documents and finding are the copies'.
    expect([docs.count, search.query_total]).toEqual([0, 0]);
    expect((await own('?level=indices')).indices.books.search.fetch_total).toBe(search.fetch_total);
    // Nothing counts twice where all nodes are asked for their copies.
    const { _all } = await get(c, '/_stats/search');
    expect(_all.total.search.fetch_total).toBe(search.fetch_total);
  });
});
