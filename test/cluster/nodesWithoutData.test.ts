/** Two nodes with data and one without, in one process. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SimulatedCluster } from './simulation/simulatedCluster.js';
import type { SimulatedNode } from './simulation/simulatedNode.js';

let simulated: SimulatedCluster;
let cluster: SimulatedCluster['cluster'];
let nodes: SimulatedNode[];

beforeEach(async () => {
  simulated = new SimulatedCluster();
  ({ cluster } = simulated);
  nodes = [];
  for (const id of ['a', 'b', 'c']) nodes.push(await simulated.start(id, { data: id !== 'c' }));
});

afterEach(async () => {
  await simulated.close(nodes);
});

describe('a node without data', () => {
  it('has no copies, and says so', async () => {
    const [a, , c] = nodes as [SimulatedNode, SimulatedNode, SimulatedNode];
    const settings = { number_of_shards: 2, number_of_replicas: 1 };
    expect((await c.call('PUT', '/books', { settings })).status).toBe(200);
    const index = c.engine.index('books');
    expect(index.shards.map(({ isHeld }) => isHeld)).toEqual([false, false]);
    expect(a.engine.index('books').shards.map(({ isHeld }) => isHeld)).toEqual([true, true]);
    const placed = (shard: number) => a.engine.replication!.placementOf(index, shard).map((node) => node.id);
    for (const { engine, id } of nodes) {
      const { replication } = engine;
      const named = engine.index('books');
      expect(replication!.placementOf(named, 1).map((node) => node.id)).toEqual(placed(1));
      const copies = replication!.copiesOf(named, 1).map((node) => node.id);
      expect(copies).toEqual(id === 'c' ? placed(1) : [id, id === 'a' ? 'b' : 'a']);
    }
    const rows = [0, 1].flatMap((shard) =>
      ['a', 'b'].map((id) => `books ${shard} ${placed(shard)[0] === id ? 'p' : 'r'} ${id} \n`),
    );
    rows.sort();
    for (const node of nodes) {
      const { body: health } = await node.call('GET', '/_cluster/health');
      expect(health).toMatchObject({ number_of_nodes: 3, number_of_data_nodes: 2, status: 'green' });
      expect((await node.call('GET', '/_cat/nodes?h=id,node.role')).body).toBe('a d \nb d \nc c \n');
      const { body } = await node.call('GET', '/_cluster/state/nodes');
      expect(body.nodes.c.attributes).toEqual({ data: 'false', client: 'true' });
      expect((await node.call('GET', '/_cat/shards?h=index,shard,prirep,node')).body).toBe(rows.join(''));
    }
  });

  it('follows mappings, and knows those that are there when it comes', async () => {
    const [a, , c] = nodes as [SimulatedNode, SimulatedNode, SimulatedNode];
    expect((await a.call('PUT', '/books/book/1', { year: 1895 })).status).toBe(201);
    const { body } = await c.call('GET', '/books/_mapping');
    expect(body.books.mappings.book.properties.year.type).toBe('long');
    const more = { book: { properties: { title: { type: 'string' } } } };
    expect((await c.call('PUT', '/books/_mapping/book', more)).status).toBe(200);
    expect((await a.call('GET', '/books/_mapping')).body.books.mappings.book.properties.title).toBeDefined();
  });

  it('writes what others carry out, and hears what becomes of it', async () => {
    const [a, b, c] = nodes as [SimulatedNode, SimulatedNode, SimulatedNode];
    const settings = { number_of_shards: 3, number_of_replicas: 1 };
    await c.call('PUT', '/books', { settings });
    const made = await c.call('PUT', '/books/book/1', { title: 'The Time Machine' });
    expect(made).toMatchObject({ status: 201, body: { _version: 1, created: true } });
    expect((await c.call('PUT', '/books/book/1?op_type=create', { title: 'Again' })).status).toBe(409);
    expect((await c.call('PUT', '/books/book/1?version=7', { title: 'Late' })).status).toBe(409);
    const lines = Array.from({ length: 40 }, (_, i) => [
      { index: { _id: `${i}` } },
      { [`field${i % 9}`]: i },
    ]);
    const bulk = lines.flat().map((line) => `${JSON.stringify(line)}\n`);
    const { body } = await c.call('POST', '/books/book/_bulk', bulk.join(''));
    expect(body.errors).toBe(false);
    const updates = Array.from({ length: 12 }, (_, i) =>
      nodes[i % 3]!.call('POST', '/books/book/7/_update', { doc: { tags: { [`t${i}`]: i } } }),
    );
    for (const { status } of await Promise.all(updates)) expect(status).toBe(200);
    const refused = await c.call('PUT', '/books/book/41', { field1: 'no number' });
    expect(refused.status).toBe(400);
    expect(refused.body.error).toMatch(/MapperParsingException/);
    expect((await c.call('DELETE', '/books/book/3')).body).toMatchObject({ found: true, _version: 2 });
    await c.call('POST', '/books/_refresh');
    for (const node of [a, b]) {
      expect((await node.call('GET', '/books/_count')).body.count).toBe(39);
      const found = await node.call('GET', '/books/book/7');
      expect(found.body._version).toBe(13);
      expect(Object.keys(found.body._source.tags)).toHaveLength(12);
      expect((await node.call('GET', '/books/book/3')).status).toBe(404);
    }
  });

  it('goes on writing when a node with data dies', async () => {
    const [a, , c] = nodes as [SimulatedNode, SimulatedNode, SimulatedNode];
    await c.call('PUT', '/books', { settings: { number_of_shards: 2, number_of_replicas: 1 } });
    cluster.kill('b');
    for (let i = 0; i < 6; i++) expect((await c.call('PUT', `/books/book/${i}`, { i })).status).toBe(201);
    for (let i = 0; i < 6; i++) expect((await a.call('GET', `/books/book/${i}`)).body._source).toEqual({ i });
    nodes.splice(1, 1);
  });
});
