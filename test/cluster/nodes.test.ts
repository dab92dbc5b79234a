/** Three nodes in one process: what one of them is told, all of them know. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NEWEST_FORMAT } from '../../host/replication/formats.js';
import { LogUnavailable } from '../../host/cluster/errors.js';
import { NodeLog } from '../../host/cluster/inProcess/nodeLog.js';
import { SimulatedCluster } from './simulation/simulatedCluster.js';
import type { SimulatedNode } from './simulation/simulatedNode.js';

let simulated: SimulatedCluster;
let clock: SimulatedCluster['clock'];
let cluster: SimulatedCluster['cluster'];
let nodes: SimulatedNode[];

const start = (id: string) => simulated.start(id);

beforeEach(async () => {
  simulated = new SimulatedCluster();
  ({ clock, cluster } = simulated);
  nodes = [];
  for (const id of ['a', 'b', 'c']) nodes.push(await start(id));
});

afterEach(async () => {
  await simulated.close(nodes);
});

const total = (node: SimulatedNode, path: string) =>
  node.call('GET', `${path}/_search`).then(({ body }) => body.hits.total);

describe('a cluster of three nodes', () => {
  it('finds on every node what was written to one', async () => {
    const [a, b, c] = nodes as [SimulatedNode, SimulatedNode, SimulatedNode];
    expect((await a.call('PUT', '/books', { settings: { number_of_shards: 2 } })).status).toBe(200);
    const made = await b.call('PUT', '/books/book/1?refresh=true', { title: 'The Time Machine', year: 1895 });
    expect(made).toMatchObject({ status: 201, body: { _version: 1, created: true } });
    for (const node of nodes) {
      expect(await total(node, '/books')).toBe(1);
      expect((await node.call('GET', '/books/book/1')).body._source.year).toBe(1895);
    }
    expect((await c.call('PUT', '/books/book/1', { title: 'Again' })).body._version).toBe(2);
    expect((await a.call('PUT', '/books/book/1?version=1', { title: 'Late' })).status).toBe(409);
    expect((await a.call('DELETE', '/books/book/1')).body).toMatchObject({ found: true, _version: 3 });
    expect((await b.call('GET', '/books/book/1')).status).toBe(404);
  });

  it('parses documents alike on all nodes, whichever brings a field first', async () => {
    await nodes[0]!.call('PUT', '/books', { settings: { number_of_shards: 3 } });
    const writes = Array.from({ length: 30 }, (_, i) =>
      nodes[i % 3]!.call('PUT', `/books/book/${i}`, { [`field${i % 7}`]: i, text: `word${i}` }),
    );
    for (const { status } of await Promise.all(writes)) expect(status).toBe(201);
    expect((await nodes[1]!.call('POST', '/books/_refresh')).status).toBe(200);
    const mappings = await Promise.all(nodes.map((node) => node.call('GET', '/books/_mapping')));
    expect(mappings[1]!.body).toEqual(mappings[0]!.body);
    expect(mappings[2]!.body).toEqual(mappings[0]!.body);
    for (const node of nodes) {
      expect(await total(node, '/books')).toBe(30);
      const found = await node.call('GET', '/books/_search?q=field3:17');
      expect(found.body.hits.hits.map(({ _id }: { _id: string }) => _id)).toEqual(['17']);
    }
    const explicit = { book: { properties: { field3: { type: 'string' } } } };
    expect((await nodes[2]!.call('PUT', '/books/_mapping/book', explicit)).status).toBe(400);
    const more = { book: { properties: { color: { type: 'string', index: 'not_analyzed' } } } };
    expect((await nodes[2]!.call('PUT', '/books/_mapping/book', more)).status).toBe(200);
    for (const node of nodes) {
      const { body } = await node.call('GET', '/books/_mapping');
      expect(body.books.mappings.book.properties.color.index).toBe('not_analyzed');
    }
  });

  it('refuses a document on all nodes for the same reason', async () => {
    await nodes[0]!.call('PUT', '/books', {
      mappings: { book: { properties: { year: { type: 'integer' } } } },
    });
    const refused = await nodes[1]!.call('PUT', '/books/book/1', { year: 'soon', more: 1 });
    expect(refused.status).toBe(400);
    expect(refused.body.error).toMatch(/MapperParsingException/);
    await nodes[0]!.call('PUT', '/dull', { settings: { 'index.mapper.dynamic': false } });
    const untyped = await nodes[2]!.call('PUT', '/dull/thing/1', { a: 1 });
    expect(untyped.status).toBe(404);
    for (const node of nodes) expect((await node.call('GET', '/books/book/1')).status).toBe(404);
  });

  it('changes aliases, templates, settings and indices everywhere, one change after the other', async () => {
    const [a, b, c] = nodes as [SimulatedNode, SimulatedNode, SimulatedNode];
    await Promise.all([a.call('PUT', '/one'), b.call('PUT', '/two'), c.call('PUT', '/one')]);
    const actions = [{ add: { index: 'one', alias: 'all' } }, { add: { index: 'two', alias: 'all' } }];
    expect((await c.call('POST', '/_aliases', { actions })).status).toBe(200);
    await a.call('PUT', '/_template/t', { template: 'log*', settings: { number_of_shards: 1 } });
    await b.call('PUT', '/_cluster/settings', { transient: { 'indices.ttl.interval': '30s' } });
    for (const node of nodes) {
      expect((await node.call('GET', '/all/_search')).body._shards.total).toBe(10);
      expect((await node.call('GET', '/_template/t')).body.t.template).toBe('log*');
      const { body } = await node.call('GET', '/_cluster/settings?flat_settings=true');
      expect(body.transient['indices.ttl.interval']).toBe('30s');
    }
    expect((await b.call('POST', '/two/_close')).status).toBe(200);
    expect((await c.call('PUT', '/two/x/1', {})).status).toBe(403);
    expect((await c.call('POST', '/two/_open')).status).toBe(200);
    expect((await a.call('PUT', '/two/x/1', { n: 1 })).status).toBe(201);
    expect((await b.call('DELETE', '/two')).status).toBe(200);
    for (const node of nodes) expect((await node.call('GET', '/two/x/1')).status).toBe(404);
    expect((await c.call('PUT', '/two/x/1', { n: 'text' })).body._version).toBe(1);
    expect((await a.call('GET', '/two/x/1')).body._source).toEqual({ n: 'text' });
  });

  it('applies concurrent updates of one document one after the other', async () => {
    const [a] = nodes as [SimulatedNode, SimulatedNode, SimulatedNode];
    await a.call('PUT', '/counts/count/1', { tags: {} });
    const updates = Array.from({ length: 12 }, (_, i) =>
      nodes[i % 3]!.call('POST', '/counts/count/1/_update', { doc: { tags: { [`t${i}`]: i } } }),
    );
    const done = await Promise.all(updates);
    expect(done.map(({ status }) => status)).toEqual(done.map(() => 200));
    expect(new Set(done.map(({ body }) => body._version)).size).toBe(12);
    for (const node of nodes) {
      const { body } = await node.call('GET', '/counts/count/1');
      expect(body._version).toBe(13);
      expect(Object.keys(body._source.tags)).toHaveLength(12);
    }
  });

  it('carries out what it missed when a node comes back', async () => {
    const [a, , c] = nodes as [SimulatedNode, SimulatedNode, SimulatedNode];
    await a.call('PUT', '/books/book/1', { n: 1 });
    cluster.kill('b');
    // Until it counts as gone, writes wait for a majority, which goes on.
    expect((await c.call('PUT', '/books/book/1', { n: 2, more: 'text' })).status).toBe(200);
    await a.call('PUT', '/books/book/2', { n: 3 });
    await a.call('PUT', '/later/book/1', { n: 4 });
    const back = await start('b');
    nodes[1] = back;
    expect((await back.call('GET', '/books/book/1')).body).toMatchObject({ _version: 2, _source: { n: 2 } });
    await back.call('POST', '/_refresh');
    expect(await total(back, '/books')).toBe(2);
    expect(await total(back, '/later')).toBe(1);
    expect((await back.call('PUT', '/books/book/1', { n: 5 })).body._version).toBe(3);
  });

  it('takes writes half a second after a node died, when the others still list it', async () => {
    const settings = { number_of_shards: 6, number_of_replicas: 1 };
    await nodes[0]!.call('PUT', '/books', { settings });
    await nodes[0]!.call('GET', '/_cluster/health?wait_for_status=green');
    cluster.kill('b');
    const others = [nodes[0]!, nodes[2]!];
    const began = clock.now();
    // The first to each shard is the one that finds out.
    for (let i = 0; i < 24; i++)
      expect((await others[i % 2]!.call('PUT', `/books/book/${i}`, { n: i })).status).toBe(201);
    expect(clock.now() - began).toBeLessThan(1000);
    expect(others.map(({ engine }) => engine.replication!.nodes.ids)).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
    ]);
    nodes[1] = await start('b');
    const beganAgain = clock.now();
    for (let i = 0; i < 24; i++)
      expect((await nodes[i % 3]!.call('PUT', `/books/book/${i}?consistency=all`, { n: i })).status).toBe(
        200,
      );
    expect(clock.now() - beganAgain).toBeLessThan(1000);
    await nodes[1]!.call('POST', '/_refresh');
    for (const node of nodes) expect(await total(node, '/books')).toBe(24);
  });

  it('tells the same of itself whoever is asked', async () => {
    await nodes[0]!.call('PUT', '/books', { settings: { number_of_shards: 2, number_of_replicas: 2 } });
    const { replication } = nodes[0]!.engine;
    const books = nodes[0]!.engine.index('books');
    const placed = (shard: number) => replication!.placementOf(books, shard).map(({ id }) => id);
    await nodes[0]!.call('PUT', '/more', { settings: { number_of_shards: 1, number_of_replicas: 3 } });
    for (const node of nodes) {
      const { body: health } = await node.call('GET', '/_cluster/health?level=indices&wait_for_nodes=3');
      expect(health).toMatchObject({
        number_of_nodes: 3,
        timed_out: false,
        status: 'yellow',
        active_primary_shards: 3,
        active_shards: 9,
        unassigned_shards: 1,
        indices: { books: { status: 'green' }, more: { status: 'yellow' } },
      });
      const { body: state } = await node.call('GET', '/_cluster/state');
      expect(Object.keys(state.nodes)).toEqual(['a', 'b', 'c']);
      expect(state.master_node).toBe('a');
      const copies = state.routing_table.indices.books.shards['1'];
      const first = (shard: number) => placed(shard)[0];
      expect(copies.map((copy: { node: string }) => copy.node)).toEqual(placed(1));
      expect((await node.call('GET', '/_cat/nodes?h=id,name,master')).body).toBe('a a * \nb b m \nc c m \n');
      const shards = (await node.call('GET', '/_cat/shards/books?h=index,shard,prirep,state,node')).body;
      expect(shards).toBe(
        [0, 1]
          .flatMap((shard) => [
            `books ${shard} p STARTED ${first(shard)} \n`,
            ...['a', 'b', 'c']
              .filter((id) => id !== first(shard))
              .map((id) => `books ${shard} r STARTED ${id} \n`),
          ])
          .join(''),
      );
      expect(Object.keys((await node.call('GET', '/_nodes')).body.nodes).sort()).toEqual(['a', 'b', 'c']);
      expect(Object.keys((await node.call('GET', '/_nodes/_local/stats')).body.nodes)).toEqual([node.id]);
      expect(Object.keys((await node.call('GET', '/_nodes/c/stats/indices')).body.nodes)).toEqual(['c']);
    }
  });

  it('goes on with words of several boosts, whose fields no mapping shows', async () => {
    const s = { type: 'string', boost: 2 };
    await nodes[0]!.call('PUT', '/books', { mappings: { book: { properties: { s } } } });
    for (const [i, node] of nodes.entries())
      expect((await node.call('PUT', `/books/book/${i}`, { s: 'heavy', t: 'light' })).status).toBe(201);
  });

  it('shows in red that the log of an index is gone, and goes on reading it', async () => {
    const [a, b, c] = nodes as [SimulatedNode, SimulatedNode, SimulatedNode];
    await a.call('PUT', '/books/book/1?refresh=true', { n: 1 });
    const { uuid } = b.engine.index('books').metadata;
    cluster.storedLog(`index-${uuid}`)!.delete();
    await clock.sleep(30_000);
    expect((await c.call('GET', '/_cluster/health/books')).body.status).toBe('red');
    expect((await c.call('PUT', '/books/book/1', { n: 2 })).status).toBe(503);
    expect(await total(c, '/books')).toBe(1);
    cluster.kill('b');
    nodes[1] = await start('b');
    expect((await nodes[1]!.call('GET', '/books/book/1')).body._source).toEqual({ n: 1 });
    expect((await c.call('PUT', '/others/x/1', { n: 2 })).status).toBe(201);
  });

  it('says 503 where a log does not answer', async () => {
    const [a] = nodes as [SimulatedNode, SimulatedNode, SimulatedNode];
    await a.call('PUT', '/books', { settings: { number_of_shards: 1 } });
    const answering = NodeLog.prototype.lastPosition;
    NodeLog.prototype.lastPosition = async () => {
      throw new LogUnavailable('books', 'nobody leads it');
    };
    try {
      for (const path of ['/books/_refresh', '/books/_flush', '/books/_optimize'])
        expect(await a.call('POST', path)).toMatchObject({
          status: 503,
          body: { error: expect.stringContaining('nobody leads it') },
        });
    } finally {
      NodeLog.prototype.lastPosition = answering;
    }
    expect((await a.call('POST', '/books/_refresh')).status).toBe(200);
  });

  it('is red while a log does not answer', async () => {
    const [a] = nodes as [SimulatedNode, SimulatedNode, SimulatedNode];
    await a.call('PUT', '/books', { settings: { number_of_shards: 1, number_of_replicas: 2 } });
    expect((await a.call('GET', '/_cluster/health?wait_for_status=green')).body.status).toBe('green');
    const trouble = { configurable: true, get: () => 'the log is not available: nobody leads it' };
    Object.defineProperty(NodeLog.prototype, 'trouble', trouble);
    try {
      expect((await a.call('GET', '/_cluster/health')).body.status).toBe('red');
    } finally {
      Reflect.deleteProperty(NodeLog.prototype, 'trouble');
    }
    expect((await a.call('GET', '/_cluster/health')).body.status).toBe('green');
  });

  it('takes no writes for an index whose log has lost messages', async () => {
    const [a, , c] = nodes as [SimulatedNode, SimulatedNode, SimulatedNode];
    await a.call('PUT', '/books/book/1', { n: 1 });
    await a.call('PUT', '/books/book/2', { n: 1 });
    const { uuid } = a.engine.index('books').metadata;
    cluster.storedLog(`index-${uuid}`)!.forget(1);
    await clock.sleep(30_000);
    expect((await c.call('PUT', '/books/book/3', { n: 2 })).status).toBe(503);
    expect((await c.call('GET', '/_cluster/health')).body.status).toBe('red');
    expect((await a.call('GET', '/books/book/2')).status).toBe(200);
  });

  it('lets a node of an older version go no further than it understands', async () => {
    await nodes[0]!.call('PUT', '/books', { settings: { number_of_replicas: 2 } });
    await nodes[0]!.call('PUT', '/books/book/1', { n: 1 });
    const { uuid } = nodes[0]!.engine.index('books').metadata;
    const newer = new TextEncoder().encode(`{"format":${NEWEST_FORMAT + 1}}`);
    const whole = new Uint8Array(4 + newer.length);
    whole[3] = newer.length;
    whole.set(newer, 4);
    const stranger = cluster.start('stranger');
    await (await stranger.logs.open(`index-${uuid}`)).append('shard.0', whole);
    await (await stranger.logs.open('metadata')).append(
      'meta',
      Uint8Array.of(0, 0, 0, NEWEST_FORMAT + 1, 0, 0, 0, 0, 0, 0, 0, 0),
    );
    await clock.sleep(5000);
    const refused = await nodes[1]!.call('PUT', '/books/book/2', { n: 2 });
    expect(refused.status).toBe(503);
    expect(refused.body.error).toMatch(/newer version/);
    expect((await nodes[1]!.call('PUT', '/more')).body.error).toMatch(/newer version/);
    cluster.kill('c');
    await expect(start('c')).rejects.toThrow(/newer version/);
    nodes.pop();
  });

  it('goes on with a scroll and lets go of it at any node', async () => {
    const [a, b, c] = nodes as [SimulatedNode, SimulatedNode, SimulatedNode];
    for (let i = 0; i < 5; i++) await a.call('PUT', `/books/book/${i}`, { n: i });
    await a.call('POST', '/_refresh');
    const first = await a.call('GET', '/books/_search?scroll=1m&size=2&sort=n');
    const shown = first.body.hits.hits.map(({ _id }: { _id: string }) => _id);
    let id = first.body._scroll_id;
    for (const node of [b, c]) {
      const next = await node.call('GET', `/_search/scroll?scroll=1m&scroll_id=${encodeURIComponent(id)}`);
      expect(next.status).toBe(200);
      shown.push(...next.body.hits.hits.map(({ _id }: { _id: string }) => _id));
      id = next.body._scroll_id;
    }
    expect(shown).toEqual(['0', '1', '2', '3', '4']);
    expect((await b.call('DELETE', '/_search/scroll', id)).status).toBe(200);
    expect((await c.call('GET', '/_search/scroll?scroll=1m', id)).status).toBe(404);
    const other = (await c.call('GET', '/books/_search?scroll=1m&size=2')).body._scroll_id;
    expect((await a.call('DELETE', '/_search/scroll/_all')).status).toBe(200);
    expect((await c.call('GET', '/_search/scroll?scroll=1m', other)).status).toBe(404);
    cluster.kill('a');
    nodes.shift();
    const gone = (await c.call('GET', '/_search/scroll?scroll=1m', id)).status;
    expect(gone).toBe(503);
  });
});
