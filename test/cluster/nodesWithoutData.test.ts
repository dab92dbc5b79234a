/** Two nodes with data and one without, in one process. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { InProcessCluster } from '../../host/cluster/inProcess/inProcessCluster.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import { coreBytes } from '../support/core.js';
import { SimulatedNode } from './simulation/simulatedNode.js';
import { VirtualClock } from './simulation/virtualClock.js';

const module = await WebAssembly.compile(coreBytes());
let clock: VirtualClock;
let nodes: SimulatedNode[];
let running: Promise<void>;

beforeEach(async () => {
  clock = new VirtualClock();
  const cluster = new InProcessCluster({ clock });
  running = clock.run();
  nodes = [];
  for (const id of ['a', 'b', 'c']) {
    const disk = { storage: new MemoryStorage(), blobs: new MemoryBlobs() };
    const services = cluster.start(id);
    nodes.push(
      await SimulatedNode.start({ id, incarnation: `${id}-1`, services, module, data: id !== 'c', ...disk }),
    );
  }
});

afterEach(async () => {
  for (const { engine } of nodes) await engine.close();
  clock.stop();
  await running;
});

describe('a node without data', () => {
  it('has no copies, and says so', async () => {
    const [a, , c] = nodes as [SimulatedNode, SimulatedNode, SimulatedNode];
    const settings = { number_of_shards: 2, number_of_replicas: 1 };
    expect((await c.call('PUT', '/books', { settings })).status).toBe(200);
    const index = c.engine.index('books');
    expect(index.shards.map(({ isHeld }) => isHeld)).toEqual([false, false]);
    expect(a.engine.index('books').shards.map(({ isHeld }) => isHeld)).toEqual([true, true]);
    for (const { engine, id } of nodes) {
      const { replication } = engine;
      const named = engine.index('books');
      expect(replication!.placementOf(named, 1).map((node) => node.id)).toEqual(['b', 'a']);
      expect(replication!.copiesOf(named, 1).map((node) => node.id)).toEqual(
        id === 'a' ? ['a', 'b'] : ['b', 'a'],
      );
    }
    for (const node of nodes) {
      const { body: health } = await node.call('GET', '/_cluster/health');
      expect(health).toMatchObject({ number_of_nodes: 3, number_of_data_nodes: 2, status: 'green' });
      expect((await node.call('GET', '/_cat/nodes?h=id,node.role')).body).toBe('a d \nb d \nc c \n');
      const { body } = await node.call('GET', '/_cluster/state/nodes');
      expect(body.nodes.c.attributes).toEqual({ data: 'false', client: 'true' });
      expect((await node.call('GET', '/_cat/shards?h=index,shard,prirep,node')).body).toBe(
        'books 0 p a \nbooks 0 r b \nbooks 1 p b \nbooks 1 r a \n',
      );
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
});
