/** A log of metadata that was lost, on three nodes in one process: it is repaired when somebody says so. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runCluster } from '../../host/cli/clusterCommand.js';
import type { Log, Logs } from '../../host/cluster/log.js';
import type { ClusterServices } from '../../host/cluster/services.js';
import { SimulatedCluster, type StartOptions } from './simulation/simulatedCluster.js';
import type { SimulatedNode } from './simulation/simulatedNode.js';

let simulated: SimulatedCluster;
let clock: SimulatedCluster['clock'];
let cluster: SimulatedCluster['cluster'];
let nodes: SimulatedNode[];
let warnings: string[];

const start = (id: string, options: StartOptions = {}) =>
  simulated.start(id, { warn: (message) => void warnings.push(`${id}: ${message}`), ...options });
const settings = { number_of_shards: 1, number_of_replicas: 2 };
const log = (number = 0) => cluster.storedLog(number === 0 ? 'metadata' : `metadata-${number}`)!;
/** What nodes take to notice, and to say so. */
const noticed = () => clock.sleep(20_000);

beforeEach(async () => {
  simulated = new SimulatedCluster();
  ({ clock, cluster } = simulated);
  warnings = [];
  nodes = [];
  for (const id of ['a', 'b', 'c']) nodes.push(await start(id));
  await nodes[0]!.call('PUT', '/books', { settings });
  for (let i = 0; i < 6; i++) await nodes[i % 3]!.call('PUT', `/books/book/${i}`, { n: i });
});

afterEach(async () => {
  await simulated.close(nodes);
});

/** Every node has the same indices, makes changes, and writes documents of any of them. */
async function demandWhole(names: readonly string[]): Promise<void> {
  for (const [i, node] of nodes.entries()) {
    expect((await node.call('PUT', `/made-${i}`, { settings })).status).toBe(200);
    for (const name of names) {
      const { status } = await node.call('PUT', `/${name}/book/of-${i}`, { n: i });
      expect(status, `${name} by way of ${node.id}`).toBe(201);
    }
  }
  const expected = [...names, ...nodes.map((_, i) => `made-${i}`)].sort();
  for (const node of nodes) {
    expect(Object.keys((await node.call('GET', '/_aliases')).body).sort()).toEqual(expected);
    expect((await node.call('GET', '/_cluster/health?wait_for_status=green&timeout=60s')).body.status).toBe(
      'green',
    );
    for (const name of names) {
      await node.call('POST', `/${name}/_refresh`);
      for (let i = 0; i < 3; i++) expect((await node.call('GET', `/${name}/book/of-${i}`)).status).toBe(200);
    }
  }
}

it('metadata whose log is gone go on with the node that is furthest', async () => {
  const [a, b] = nodes as [SimulatedNode, SimulatedNode];
  cluster.kill('c');
  await clock.sleep(15_000);
  await a.call('PUT', '/later', { settings });
  log().delete();
  nodes[2] = await start('c');
  await noticed();
  for (const node of nodes) {
    const refused = await node.call('PUT', '/more');
    expect(refused.status).toBe(503);
    expect(refused.body.error).toMatch(
      /the metadata of the cluster can't be changed now: there is no log \[metadata\]/,
    );
    const { status, reasons } = (await node.call('GET', '/_cluster/health')).body;
    expect([status, reasons]).toEqual(['red', ["the metadata can't be changed: there is no log [metadata]"]]);
    // What doesn't need that log goes on.
    expect((await node.call('PUT', '/books/book/1', { n: 1 })).status).toBe(200);
  }
  // One that starts meanwhile is as the others.
  await b.engine.close();
  nodes[1] = await start('b');
  expect((await nodes[1]!.call('PUT', '/more')).status).toBe(503);
  expect((await nodes[1]!.call('GET', '/books/book/1')).status).toBe(200);

  const { body } = await nodes[2]!.call('GET', '/_cluster/repair');
  expect(body.metadata).toMatchObject({ reason: 'there is no log [metadata]', from: 'a', split: false });
  expect(body.metadata.found.map(({ node }: { node: string }) => node)).toEqual(['a', 'b', 'c']);
  const stale = { from: 'a', position: 1 };
  expect((await nodes[1]!.call('POST', '/_cluster/repair', stale)).status).toBe(409);
  const done = await nodes[2]!.call('POST', '/_cluster/repair', body.metadata);
  expect(done.body).toEqual({ acknowledged: true, taken: ['a', 'b', 'c'], missing: [] });
  expect(log(1).last).toBe(1);
  await demandWhole(['books', 'later']);
  expect((await nodes[0]!.call('GET', '/_cluster/repair')).body).toEqual({ indices: [] });
  expect((await nodes[0]!.call('POST', '/_cluster/repair', body.metadata)).status).toBe(400);
});

it('a node that was away takes what counts, and drops the rest', async () => {
  const [, b] = nodes as [SimulatedNode, SimulatedNode];
  await b.call('PUT', '/going', { settings });
  await b.call('PUT', '/going/book/1', { n: 1 });
  cluster.kill('c');
  await clock.sleep(15_000);
  await b.call('DELETE', '/going');
  log().delete();
  await noticed();
  const { body } = await b.call('GET', '/_cluster/repair');
  expect((await b.call('POST', '/_cluster/repair', body.metadata)).body.taken).toEqual(['a', 'b']);
  await b.call('PUT', '/since', { settings });
  nodes[2] = await start('c');
  await demandWhole(['books', 'since']);
  expect(warnings.filter((each) => /^c: the metadata were repaired/.test(each))).toHaveLength(1);
  // A second time.
  log(1).delete();
  await noticed();
  const again = (await nodes[2]!.call('GET', '/_cluster/repair')).body.metadata;
  expect((await nodes[2]!.call('POST', '/_cluster/repair', again)).body.missing).toEqual([]);
  expect(log(2).last).toBe(1);
  expect((await nodes[0]!.call('DELETE', '/made-0')).status).toBe(200);
});

it('where a log has forgotten what some nodes know, somebody says whose metadata count', async () => {
  const [a] = nodes as [SimulatedNode];
  for (const id of ['b', 'c']) cluster.kill(id);
  await clock.sleep(15_000);
  await a.call('PUT', '/known-to-a', { settings });
  cluster.kill('a');
  log().forget(log().last - 1);
  nodes[1] = await start('b');
  nodes[2] = await start('c');
  await clock.sleep(15_000);
  expect((await nodes[1]!.call('PUT', '/known-to-b', { settings })).status).toBe(200);
  nodes[0] = await start('a');
  await noticed();
  const refused = await nodes[0]!.call('PUT', '/more');
  expect(refused.body.error).toMatch(/has lost messages/);
  // Others have heard of it.
  expect((await nodes[1]!.call('GET', '/_cluster/health')).body.status).toBe('red');
  const plan = (await nodes[1]!.call('GET', '/_cluster/repair')).body.metadata;
  expect(plan.split).toBe(true);

  let out = '';
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += part;
    const { status, body } = await nodes[2]!.call(request.method!, request.url!, text);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const print = (text: string) => {
    out += text;
  };
  const terminal = { print, complain: print, status: { write: () => true, isTTY: false } as never };
  const run = (args: string[], answer?: () => Promise<string>) => {
    out = '';
    return runCluster(['repair', '--node', url, ...args], {}, terminal, answer);
  };
  try {
    expect(await run(['--yes'])).toBe(1);
    expect(out).toMatch(/say --from NODE/);
    expect(await run(['--from', 'nobody'])).toBe(1);
    expect(out).toMatch(/no living node is \[nobody\]/);
    expect(await run(['--from', 'b', '--dry-run'])).toBe(0);
    expect(out).toMatch(/a new log begins with the metadata of \[b\]/);
    expect(out).toMatch(
      /\[a\] drops, since \[b\] doesn't have them: known-to-a\nNothing was done: this is a dry run/,
    );
    expect(await run(['--from', 'b'])).toBe(1);
    expect(out).toMatch(/say --yes/);
    expect(await run(['--from', 'b'], async () => 'no')).toBe(1);
    expect(log(1)).toBeUndefined();
    expect(await run(['--from', 'b'], async () => 'yes')).toBe(0);
    expect(out).toMatch(/they are on a, b, c\n$/);
    expect(await run([])).toBe(0);
    expect(out).toBe('There is nothing to repair.\n');
    expect(await run(['books', '--from', 'b'])).toBe(2);
  } finally {
    server.close();
  }
  await demandWhole(['books', 'known-to-b']);
});

it('metadata are repaired when all living nodes have said how far they are', async () => {
  for (const id of ['b', 'c']) cluster.kill(id);
  await clock.sleep(15_000);
  await nodes[0]!.call('PUT', '/later', { settings });
  log().delete();
  nodes[1] = await start('b');
  nodes[2] = await start('c');
  await noticed();
  const b = nodes[1]!;
  const { position } = (await b.call('GET', '/_cluster/repair?from=b')).body.metadata;
  simulated.loses = (from, to) => [from, to].includes('a') && [from, to].includes('b');
  for (const [method, body] of [['GET'], ['POST', { from: 'b', position }]] as const) {
    const refused = await b.call(method, '/_cluster/repair', body);
    expect(refused.status).toBe(503);
    expect(refused.body.error).toMatch(/the node \[a\] lives and does not answer/);
  }
  simulated.loses = () => false;
  const { body } = await b.call('GET', '/_cluster/repair');
  expect((await b.call('POST', '/_cluster/repair', body.metadata)).body.missing).toEqual([]);
  await demandWhole(['books', 'later']);
});

it('a new node makes no log of its own where others live without one', async () => {
  log().delete();
  await expect(start('d')).rejects.toThrow(
    /the log of the metadata of this cluster is gone: .*resilin cluster repair/,
  );
  await noticed();
  const plan = (await nodes[0]!.call('GET', '/_cluster/repair')).body.metadata;
  expect((await nodes[0]!.call('POST', '/_cluster/repair', plan)).status).toBe(200);
  nodes.push(await start('d'));
  expect(Object.keys((await nodes[3]!.call('GET', '/_aliases')).body)).toEqual(['books']);
});

it('the first message of a repaired log may be trimmed: nodes that come later fetch the metadata', async () => {
  const [a] = nodes as [SimulatedNode];
  cluster.kill('c');
  await clock.sleep(15_000);
  log().delete();
  await noticed();
  const { body } = await a.call('GET', '/_cluster/repair');
  await a.call('POST', '/_cluster/repair', body.metadata);
  for (let i = 0; i < 4; i++) await a.call('PUT', `/_template/t${i}`, { template: `t${i}-*` });
  log(1).trim(log(1).last);
  nodes[2] = await start('c');
  nodes.push(await start('d'));
  for (const node of nodes)
    expect(Object.keys((await node.call('GET', '/_template')).body).sort()).toEqual(['t0', 't1', 't2', 't3']);
  await demandWhole(['books']);
});

/** The log forgets what node a knows, and the others go on with it. */
async function split(options: StartOptions = {}): Promise<void> {
  for (const id of ['b', 'c']) cluster.kill(id);
  await clock.sleep(15_000);
  await nodes[0]!.call('PUT', '/known-to-a', { settings });
  cluster.kill('a');
  log().forget(log().last - 1);
  nodes[1] = await start('b', options);
  nodes[2] = await start('c');
  nodes[0] = await start('a');
  await noticed();
}

/** Has a node repair with its metadata, and loses all that it sends to one of the logs when the new one is there. */
async function beginOnly(
  node: SimulatedNode,
  lost: string,
): Promise<{ done: ReturnType<SimulatedNode['call']> }> {
  simulated.loses = (from, to) => from === node.id && to === `log/${lost}` && log(1) !== undefined;
  const plan = (await node.call('GET', `/_cluster/repair?from=${node.id}`)).body.metadata;
  const done = node.call('POST', '/_cluster/repair', plan);
  while (log(1) === undefined) await clock.sleep(10);
  await clock.sleep(1000);
  return { done };
}

/** Ends a node while it repairs. */
async function cutOff(node: SimulatedNode, lost: string): Promise<void> {
  await beginOnly(node, lost);
  cluster.kill(node.id);
  simulated.loses = () => false;
}

it('a repair that was cut off before its log had anything goes on, also when all nodes have been started again', async () => {
  log().delete();
  await noticed();
  await cutOff(nodes[0]!, 'metadata-1');
  expect(log(1).last).toBe(0);
  for (const id of ['b', 'c']) cluster.kill(id);
  await clock.sleep(15_000);
  await expect(start('d')).rejects.toThrow(/the log of the metadata of this cluster is gone/);
  nodes = await Promise.all(['a', 'b', 'c'].map((id) => start(id)));
  const { body } = await nodes[1]!.call('GET', '/_cluster/repair');
  expect(body.metadata).toMatchObject({ reason: 'there is no log [metadata]', from: 'a', split: false });
  const done = await nodes[1]!.call('POST', '/_cluster/repair', body.metadata);
  expect(done.body).toEqual({ acknowledged: true, taken: ['a', 'b', 'c'], missing: [] });
  await demandWhole(['books']);
});

it('nodes go on with their log where a repair was cut off before that was deleted', async () => {
  await split();
  await cutOff(nodes[0]!, 'metadata');
  expect((await nodes[1]!.call('PUT', '/made-by-b', { settings })).status).toBe(200);
  nodes[0] = await start('a');
  await noticed();
  await nodes[1]!.engine.close();
  nodes[1] = await start('b');
  expect((await nodes[2]!.call('PUT', '/made-by-c', { settings })).status).toBe(200);
  const plan = (await nodes[0]!.call('GET', '/_cluster/repair?from=b')).body.metadata;
  expect(plan).toMatchObject({ reason: expect.stringMatching(/has lost messages/), from: 'b', split: true });
  const done = await nodes[0]!.call('POST', '/_cluster/repair', plan);
  expect(done.body.missing).toEqual([]);
  await demandWhole(['books', 'made-by-b', 'made-by-c']);
});

it('a node that starts while a repair is made takes the metadata when they are there', async () => {
  log().delete();
  await noticed();
  await nodes[1]!.engine.close();
  const { done } = await beginOnly(nodes[0]!, 'metadata-1');
  nodes[1] = await start('b');
  expect((await nodes[1]!.call('PUT', '/more')).status).toBe(503);
  simulated.loses = () => false;
  expect((await done).body).toEqual({ acknowledged: true, taken: ['a', 'b', 'c'], missing: [] });
  expect([log(1).last, log(2)]).toEqual([1, undefined]);
  await demandWhole(['books']);
});

it('what is changed until the log of before is deleted is among the metadata that count', async () => {
  let deleting = () => {};
  const isDeleting = new Promise<void>((resolve) => {
    deleting = resolve;
  });
  let remove = () => {};
  const isHeld = new Promise<void>((resolve) => {
    remove = resolve;
  });
  await split({ seen: (services) => deletingLate(services, deleting, isHeld) });
  const [, b, c] = nodes as [SimulatedNode, SimulatedNode, SimulatedNode];
  const plan = (await b.call('GET', '/_cluster/repair?from=b')).body.metadata;
  const done = b.call('POST', '/_cluster/repair', plan);
  await isDeleting;
  expect((await c.call('PUT', '/later', { settings })).status).toBe(200);
  expect((await c.call('PUT', '/later/book/1', { n: 1 })).status).toBe(201);
  remove();
  expect((await done).body.missing).toEqual([]);
  await demandWhole(['books', 'later']);
  expect((await c.call('GET', '/later/book/1')).status).toBe(200);
});

/** The services of a node that deletes the first log of metadata when it may. */
function deletingLate(services: ClusterServices, deleting: () => void, may: Promise<void>): ClusterServices {
  const { logs, members, peers, clock } = services;
  const open: Logs['open'] = async (name, options) => {
    const log = await logs.open(name, options);
    if (name !== 'metadata') return log;
    const remove = async () => {
      deleting();
      await may;
      await log.delete();
    };
    return new Proxy(log, {
      get: (_, key: keyof Log) => {
        if (key === 'delete') return remove;
        const value = log[key];
        return typeof value === 'function' ? value.bind(log) : value;
      },
    });
  };
  return {
    ...{ members, peers, clock },
    logs: { open, list: () => logs.list() },
    close: () => services.close(),
  };
}
