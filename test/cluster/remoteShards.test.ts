/** A node without data answers as those do that have the copies. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { InProcessCluster } from '../../host/cluster/inProcess/inProcessCluster.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import { coreBytes } from '../support/core.js';
import { SimulatedNode } from './simulation/simulatedNode.js';
import { VirtualClock } from './simulation/virtualClock.js';

const module = await WebAssembly.compile(coreBytes());
let clock: VirtualClock;
let cluster: InProcessCluster;
let running: Promise<void>;
/** With data, and without. */
let a: SimulatedNode;
let c: SimulatedNode;

beforeEach(async () => {
  clock = new VirtualClock();
  cluster = new InProcessCluster({ clock });
  running = clock.run();
  const start = (id: string, data: boolean) =>
    SimulatedNode.start({
      id,
      incarnation: `${id}-1`,
      services: cluster.start(id),
      module,
      data,
      storage: new MemoryStorage(),
      blobs: new MemoryBlobs(),
    });
  a = await start('a', true);
  c = await start('c', false);
});

afterEach(async () => {
  for (const { engine } of [a, c]) await engine.close();
  clock.stop();
  await running;
});

/** What both answer, which is the same but for how long it took. */
async function same(method: string, uri: string, body?: unknown) {
  const [own, other] = [await a.call(method, uri, body), await c.call(method, uri, body)];
  for (const each of [own, other]) if (typeof each.body === 'object') delete each.body.took;
  // Whose copy it was.
  other.body = JSON.parse(JSON.stringify(other.body).replaceAll('"_node":"c"', '"_node":"a"'));
  expect(other).toEqual(own);
  return own;
}

async function books(settings: Record<string, unknown> = { number_of_shards: 3 }) {
  await a.call('PUT', '/books', {
    settings,
    mappings: {
      book: { properties: { year: { type: 'integer' }, color: { type: 'string', index: 'not_analyzed' } } },
    },
  });
  for (let i = 0; i < 40; i++) {
    const doc = { title: `word${i % 4} common ${i}`, year: 1900 + i, color: ['red', 'blue', 'green'][i % 3] };
    expect((await a.call('PUT', `/books/book/${i}`, doc)).status).toBe(201);
  }
  for (const i of [3, 13, 23]) await a.call('DELETE', `/books/book/${i}`);
  await a.call('POST', '/books/_refresh');
}

describe('a search through a node without data', () => {
  it('finds what is found on the node that has the shards', async () => {
    await books();
    const found = await same('POST', '/books/_search', { query: { match: { title: 'word1' } }, size: 20 });
    expect(found.body.hits.total).toBe(9);
    await same('POST', '/books/_search', { sort: [{ year: 'desc' }], from: 5, size: 7, version: true });
    await same('POST', '/books/_search', { query: { ids: { values: ['1', '2', '13', 'x'] } } });
    await same('POST', '/books/_search?search_type=dfs_query_then_fetch&explain=true', {
      query: { match: { title: 'word1' } },
    });
    await same('POST', '/books/_search', {
      aggs: {
        colors: {
          terms: { field: 'color' },
          aggs: { best: { top_hits: { size: 2, sort: { year: 'asc' } } } },
        },
      },
      highlight: { fields: { title: {} } },
      query: { match: { title: 'common' } },
    });
    expect((await same('GET', '/books/_count?q=common')).body.count).toBe(37);
    await same('POST', '/books/_search', { query: { prefix: { _uid: 'book#1' } }, size: 50 });
  });
});
