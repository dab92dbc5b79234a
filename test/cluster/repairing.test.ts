/** Indices whose logs were lost, on three nodes in one process: they are repaired when somebody says so. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runCluster } from '../../host/cli/clusterCommand.js';
import { kindRange } from '../../host/storage/records.js';
import { SimulatedCluster } from './simulation/simulatedCluster.js';
import type { SimulatedNode } from './simulation/simulatedNode.js';

let disks: SimulatedCluster['disks'];
let simulated: SimulatedCluster;
let clock: SimulatedCluster['clock'];
let cluster: SimulatedCluster['cluster'];
let nodes: SimulatedNode[];

const start = (id: string) => simulated.start(id);

beforeEach(async () => {
  simulated = new SimulatedCluster();
  ({ clock, cluster, disks } = simulated);
  nodes = [];
  for (const id of ['a', 'b', 'c']) nodes.push(await start(id));
  await nodes[0]!.call('PUT', '/books', { settings: { number_of_shards: 2, number_of_replicas: 2 } });
  for (let i = 0; i < 12; i++) await nodes[i % 3]!.call('PUT', `/books/book/${i}`, { n: i });
});

afterEach(async () => {
  await simulated.close(nodes);
});

const rowsOf = (id: string) =>
  nodes[0]!.engine
    .index('books')
    .metadata.shardUids.map((uid) =>
      (['d', 'i'] as const).flatMap((kind) =>
        [...disks.get(id)!.storage.range(...kindRange(kind, uid))].map((row) =>
          row.map((bytes) => Buffer.from(bytes).toString('hex')).join(' '),
        ),
      ),
    );

/** Resolves when every node has all copies, searchable. */
async function whole(): Promise<void> {
  for (let i = 0; i < 100; i++) {
    const { body } = await nodes[0]!.call('GET', '/_cluster/health?wait_for_status=green&timeout=1s');
    const isWhole = ({ engine }: SimulatedNode) =>
      engine.index('books').shards.every(({ isHeld, opening }) => isHeld && !opening);
    if (body.status === 'green' && nodes.every(isWhole)) return;
    await clock.sleep(500);
  }
  throw new Error(
    `the cluster is not whole: ${nodes.map(({ engine }) => engine.index('books').shards.map(({ isHeld }) => isHeld))}`,
  );
}

it('an index whose log is gone goes on with the copies that are furthest, and others have them then', async () => {
  const [a, b] = nodes as [SimulatedNode, SimulatedNode];
  cluster.kill('c');
  await clock.sleep(15_000);
  for (let i = 12; i < 20; i++) await a.call('PUT', `/books/book/${i}`, { n: i, more: 'text' });
  await b.call('DELETE', '/books/book/0');
  const { uuid } = a.engine.index('books').metadata;
  cluster.storedLog(`index-${uuid}`)!.delete();
  nodes[2] = await start('c');
  await clock.sleep(30_000);
  expect((await a.call('PUT', '/books/book/1', { n: 2 })).status).toBe(503);
  const { status, body: plan } = await nodes[2]!.call('GET', '/_cluster/repair/books');
  expect(status).toBe(200);
  expect(plan).toMatchObject({ index: 'books', uuid, copies: ['a', 'a'] });
  expect(plan.found).toHaveLength(6);
  const other = { uuid, copies: ['c', 'c'] };
  expect((await b.call('POST', '/_cluster/repair/books', other)).status).toBe(409);
  const done = await nodes[2]!.call('POST', '/_cluster/repair/books', plan);
  expect(done.status).toBe(200);
  await whole();
  for (const node of nodes) {
    await node.call('POST', '/books/_refresh');
    expect((await node.call('GET', '/books/_search?size=0')).body.hits.total).toBe(19);
    expect((await node.call('GET', '/books/book/0')).status).toBe(404);
    expect((await node.call('GET', '/books/book/19')).body._source.more).toBe('text');
  }
  expect((await nodes[2]!.call('PUT', '/books/book/1', { n: 2, later: 1 })).body._version).toBe(2);
  expect((await b.call('PUT', '/books/book/1', { n: 3 })).body._version).toBe(3);
  expect(rowsOf('c')).toEqual(rowsOf('a'));
  expect(rowsOf('b')).toEqual(rowsOf('a'));
  // A node that starts again goes on.
  await nodes[1]!.engine.close();
  nodes[1] = await start('b');
  expect((await nodes[1]!.call('PUT', '/books/book/1', { n: 4 })).body._version).toBe(4);
});

it('a node that was away during the repair drops what it has, and fetches what counts', async () => {
  const [a] = nodes as [SimulatedNode];
  cluster.kill('c');
  await clock.sleep(15_000);
  const { uuid } = a.engine.index('books').metadata;
  cluster.storedLog(`index-${uuid}`)!.delete();
  await clock.sleep(30_000);
  const { body: plan } = await a.call('GET', '/_cluster/repair/books');
  expect((await a.call('POST', '/_cluster/repair/books', plan)).status).toBe(200);
  for (let i = 0; i < 12; i++)
    expect((await a.call('PUT', `/books/book/${i}`, { n: -i })).body._version).toBe(2);
  nodes[2] = await start('c');
  await whole();
  expect(rowsOf('c')).toEqual(rowsOf('a'));
  expect(rowsOf('b')).toEqual(rowsOf('a'));
  expect((await nodes[2]!.call('GET', '/books/book/3')).body._source).toEqual({ n: -3 });
});

it('a node whose copy counts keeps it where the log of metadata was trimmed past the repair', async () => {
  const [a, b, c] = nodes as [SimulatedNode, SimulatedNode, SimulatedNode];
  const { uuid } = a.engine.index('books').metadata;
  cluster.storedLog(`index-${uuid}`)!.delete();
  await clock.sleep(30_000);
  const { body: plan } = await b.call('GET', '/_cluster/repair/books');
  expect(plan.copies).toEqual(['a', 'a']);
  simulated.loses = (from, to) => [from, to].includes('a') && [from, to].includes('log/metadata');
  const repairing = b.call('POST', '/_cluster/repair/books', plan);
  while ([b, c].some(({ engine }) => engine.index('books').metadata.uuid === uuid)) await clock.sleep(100);
  expect(a.engine.index('books').metadata.uuid).toBe(uuid);
  cluster.kill('a');
  simulated.loses = () => false;
  await repairing;
  const more = { properties: { more: { type: 'string' } } };
  expect((await b.call('PUT', '/books/_mapping/book', more)).status).toBe(200);
  expect((await c.call('PUT', '/books/_alias/works')).status).toBe(200);
  const metadata = cluster.storedLog('metadata')!;
  metadata.trim(metadata.last);
  nodes[0] = await start('a');
  await whole();
  for (const node of nodes) {
    expect((await node.call('GET', '/works/_search?size=0')).body.hits.total).toBe(12);
    expect((await node.call('PUT', '/books/book/1', { n: 2, more: node.id })).status).toBe(200);
  }
  expect(rowsOf('b')).toEqual(rowsOf('a'));
  expect(rowsOf('c')).toEqual(rowsOf('a'));
});

it('what is changed of an index while it is repaired stays', async () => {
  const [a, b] = nodes as [SimulatedNode, SimulatedNode];
  const { uuid } = a.engine.index('books').metadata;
  cluster.storedLog(`index-${uuid}`)!.delete();
  await clock.sleep(30_000);
  const { body: plan } = await b.call('GET', '/_cluster/repair/books');
  simulated.loses = (from, to) => [from, to].includes('b') && [from, to].includes('log/metadata');
  const repaired = b.call('POST', '/_cluster/repair/books', plan);
  await clock.sleep(1000);
  const changed = a.call('PUT', '/books/_alias/works');
  while (a.engine.index('books').aliases.works === undefined) await clock.sleep(10);
  simulated.loses = () => false;
  expect([(await repaired).status, (await changed).status]).toEqual([200, 200]);
  await whole();
  for (const node of nodes) {
    expect(node.engine.index('books').metadata.uuid).not.toBe(uuid);
    expect((await node.call('GET', '/works/_search?size=0')).body.hits.total).toBe(12);
  }
});

it('an index is repaired when all living nodes have said how far their copies are', async () => {
  for (const id of ['b', 'c']) cluster.kill(id);
  await clock.sleep(15_000);
  const [a] = nodes as [SimulatedNode];
  const { uuid } = a.engine.index('books').metadata;
  expect((await a.call('PUT', '/books/book/12?consistency=one', { n: 12 })).status).toBe(201);
  cluster.storedLog(`index-${uuid}`)!.delete();
  nodes[1] = await start('b');
  nodes[2] = await start('c');
  await clock.sleep(30_000);
  const b = nodes[1]!;
  simulated.loses = (from, to) => [from, to].includes('a') && [from, to].includes('b');
  for (const [method, body] of [['GET'], ['POST', { uuid, copies: ['b', 'b'] }]] as const) {
    const refused = await b.call(method, '/_cluster/repair/books', body);
    expect(refused.status).toBe(503);
    expect(refused.body.error).toMatch(/the node \[a\] lives and does not answer/);
  }
  simulated.loses = () => false;
  const { body: plan } = await b.call('GET', '/_cluster/repair/books');
  expect((await b.call('POST', '/_cluster/repair/books', plan)).status).toBe(200);
  await whole();
  for (const node of nodes) expect((await node.call('GET', '/books/book/12')).status).toBe(200);
});

it('resilin cluster repair shows how far the copies are, and asks before it does anything', async () => {
  const [a, b] = nodes as [SimulatedNode, SimulatedNode];
  const { uuid } = a.engine.index('books').metadata;
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += part;
    const { status, body } = await b.call(request.method!, request.url!, text);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const node = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let out = '';
  const write = (text: string) => {
    out += text;
  };
  const terminal = { print: write, complain: write, status: { write: () => true, isTTY: false } as never };
  const run = (args: string[], answer?: (question: string) => Promise<string>) =>
    runCluster(['repair', 'books', '--node', node, ...args], {}, terminal, answer);
  try {
    expect(await run(['--yes'])).toBe(1);
    expect(out).toMatch(/nothing to repair/);
    cluster.storedLog(`index-${uuid}`)!.delete();
    await clock.sleep(30_000);
    out = '';
    expect(await run([], async () => 'no')).toBe(1);
    expect(out).toMatch(/takes no writes: there is no log[\s\S]* 0 {2}a .*counts\n[\s\S]*Nothing was done/);
    expect((await a.call('PUT', '/books/book/1', { n: 2 })).status).toBe(503);
    expect(await run([], async () => 'yes')).toBe(0);
    await whole();
    expect((await a.call('PUT', '/books/book/1', { n: 2 })).body._version).toBe(2);
    expect(await run(['more', '--yes'])).toBe(2);
  } finally {
    server.close();
  }
});

it('an index that takes writes is not touched', async () => {
  const { status, body } = await nodes[0]!.call('GET', '/_cluster/repair/books');
  expect(status).toBe(400);
  expect(body.error).toMatch(/nothing to repair/);
});
