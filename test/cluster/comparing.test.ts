/** Copies of a shard that came to other outcomes than the others, as no disk or program should let them. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LogMessage } from '../../host/cluster/log.js';
import type { ClusterServices } from '../../host/cluster/services.js';
import { decodeIdRecord, encodeIdRecord, idKey, kindRange } from '../../host/storage/records.js';
import { readingOthers, withOtherNumbers } from './simulation/otherMessages.js';
import { SimulatedCluster } from './simulation/simulatedCluster.js';
import type { SimulatedNode } from './simulation/simulatedNode.js';

const COMPARED_EVERY = 10;

let simulated: SimulatedCluster;
let clock: SimulatedCluster['clock'];
let cluster: SimulatedCluster['cluster'];
let nodes: SimulatedNode[];
let warnings: string[];
let disks: SimulatedCluster['disks'];

function start(id: string): Promise<SimulatedNode> {
  const warn = (message: string) => void warnings.push(`${id}: ${message}`);
  return simulated.start(id, { warn, comparedEvery: COMPARED_EVERY });
}

beforeEach(() => {
  warnings = [];
  simulated = new SimulatedCluster();
  ({ clock, cluster, disks } = simulated);
  nodes = [];
});

afterEach(async () => {
  await simulated.close(nodes);
});

/** Nodes with an index of one shard, of which one counts another version of a document than the others. */
async function differing(ids: readonly string[]): Promise<void> {
  for (const id of ids) nodes.push(await start(id));
  await nodes[0]!.call('PUT', '/books', { settings: { number_of_shards: 1, number_of_replicas: 2 } });
  await nodes[0]!.call('PUT', '/books/book/0', { n: 0 });
  const uid = nodes[0]!.engine.index('books').metadata.shardUids[0]!;
  const storage = disks.get(ids.at(-1)!)!.storage;
  const key = idKey(uid, 'book#0');
  const record = decodeIdRecord(storage.get(key)!);
  await storage.commit([[key, encodeIdRecord({ ...record, version: 7 })]], []);
}

async function write(from: number, to: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = from; i < to; i++)
    statuses.push((await nodes[0]!.call('PUT', `/books/book/${i % 3}`, { n: i })).status);
  return statuses;
}

/** Those of documents that were replaced go when each node has time for it. */
const rows = (id: string) =>
  (['h', 'i'] as const).flatMap((kind) => {
    const uid = nodes[0]!.engine.index('books').metadata.shardUids[0]!;
    return [...disks.get(id)!.storage.range(...kindRange(kind, uid))].map((row) =>
      row.map((bytes) => Buffer.from(bytes).toString('hex')).join(' '),
    );
  });

it('are fetched anew where they are in the minority, with a warning that names the position', async () => {
  await differing(['a', 'b', 'c']);
  await write(1, COMPARED_EVERY + 2);
  await clock.sleep(30_000);
  const told = warnings.filter((text) =>
    /^c: \[books\]\[0\] a copy is fetched .*copies differ since a message at or before the position \d+/.test(
      text,
    ),
  );
  expect(told).toHaveLength(1);
  expect(warnings.filter((text) => /^[ab]: .* in the minority/.test(text)).length).toBeGreaterThan(0);
  await write(20, 25);
  await clock.sleep(5000);
  expect(rows('c')).toEqual(rows('a'));
  expect(rows('b')).toEqual(rows('a'));
  const { body } = await nodes[2]!.call('GET', '/books/book/0');
  expect(body._version).toBe((await nodes[0]!.call('GET', '/books/book/0')).body._version);
  expect((await nodes[0]!.call('GET', '/_cluster/health')).body.status).toBe('green');
});

it('have the index take no writes, and say so, where there are as many of one kind as of the other', async () => {
  await differing(['a', 'b']);
  await write(1, COMPARED_EVERY + 2);
  await clock.sleep(90_000);
  for (const node of nodes) {
    expect((await node.call('GET', '/_cluster/health/books')).body.status).toBe('red');
    const { status, body } = await node.call('PUT', '/books/book/1', { n: 1 });
    expect(status).toBe(503);
    expect(body.error).toMatch(
      /copies differ since a message at or before the position \d+ .* no side has more/,
    );
    await node.call('POST', '/books/_refresh');
    expect((await node.call('GET', '/books/_search')).body.hits.total).toBe(3);
  }
  expect((await nodes[1]!.call('PUT', '/others/x/1', { n: 2 })).status).toBe(201);
  // It isn't forgotten.
  await nodes[1]!.engine.close();
  nodes[1] = await start('b');
  await clock.sleep(90_000);
  expect((await nodes[1]!.call('PUT', '/books/book/1', { n: 1 })).status).toBe(503);
});

it('are equal, and nobody says anything, whatever is written, restarted and caught up with', async () => {
  for (const id of ['a', 'b', 'c']) nodes.push(await start(id));
  await nodes[0]!.call('PUT', '/books', { settings: { number_of_shards: 1, number_of_replicas: 3 } });
  await write(0, 25);
  await nodes[1]!.call('PUT', '/books/book/1?version=1', { n: 1 });
  cluster.kill('b');
  await write(25, 60);
  nodes[1] = await start('b');
  nodes.push(await start('d'));
  await write(60, 75);
  // A new node fetches its copy.
  const isHeld = ({ engine }: SimulatedNode) => engine.index('books').shards[0]!.isHeld;
  while (!nodes.every(isHeld)) await clock.sleep(1000);
  await clock.sleep(30_000);
  expect(rows('b')).toEqual(rows('a'));
  expect(rows('d')).toEqual(rows('a'));
  const { marks } = nodes[0]!.engine.index('books').shards[0]!;
  expect(marks.length).toBe(7);
  for (const node of nodes) expect(node.engine.index('books').shards[0]!.marks).toEqual(marks);
  expect(warnings.filter((text) => /differ|comparing/.test(text))).toEqual([]);
});

describe('a copy that has read another message, which comes to the same', () => {
  /** A node that reads another message than the rest where the document `other` is written. */
  const reading = (id: string) => {
    let isDone = false;
    const instead = (message: LogMessage) => {
      if (isDone || !new TextDecoder().decode(message.bytes).includes('"id":"other"')) return message;
      isDone = true;
      return withOtherNumbers(message)!;
    };
    const warn = (message: string) => void warnings.push(`${id}: ${message}`);
    const seen = (services: ClusterServices) => readingOthers(services, instead);
    return simulated.start(id, { warn, comparedEvery: COMPARED_EVERY, seen });
  };
  const create = (replicas: number) =>
    nodes[0]!.call('PUT', '/books', { settings: { number_of_shards: 1, number_of_replicas: replicas } });
  /** A write is acknowledged when most have confirmed it: who would do so later isn't waited for. */
  const confirmingLast = (id: string) => {
    simulated.delay = (from) => (from === id ? 10 : 0);
  };
  /** It is found by what confirms the write, long before the next mark. */
  const isMended = async () => {
    await clock.sleep(10_000);
    const told = warnings.filter((text) => /^c: \[books\]\[0\] a copy is fetched .*copies differ/.test(text));
    expect(told).toHaveLength(1);
    expect(warnings.filter((text) => /^[ab]: .* in the minority/.test(text)).length).toBeGreaterThan(0);
    for (const node of nodes) {
      await node.call('POST', '/books/_refresh');
      const { body } = await node.call('GET', '/books/_search?q=n:100&preference=_local');
      expect(body.hits.total).toBe(1);
    }
    expect(rows('c')).toEqual(rows('a'));
    expect((await nodes[0]!.call('GET', '/_cluster/health')).body.status).toBe('green');
  };

  it.each(['b', 'c'])(
    'is fetched anew as soon as it has carried that out: %s is there last',
    async (last) => {
      nodes.push(await start('a'), await start('b'), await reading('c'));
      await create(2);
      await write(0, 3);
      confirmingLast(last);
      expect((await nodes[0]!.call('PUT', '/books/book/other', { n: 100 })).status).toBe(201);
      await isMended();
    },
  );

  it('acknowledges nothing: what is written at its node is in doubt, and written again', async () => {
    nodes.push(await start('a'), await start('b'), await reading('c'));
    await create(2);
    await write(0, 3);
    const began = clock.now();
    const { status, body } = await nodes[2]!.call('PUT', '/books/book/other', { n: 100 });
    expect(status).toBe(503);
    expect(body.error).toMatch(/not known whether the operations are carried out: the copies differ/);
    expect(clock.now() - began).toBeLessThan(5000);
    await isMended();
    expect((await nodes[2]!.call('PUT', '/books/book/other', { n: 100 })).body._version).toBe(2);
  });

  it('is found by a node that has no copy', async () => {
    nodes.push(await start('a'), await start('b'), await reading('c'));
    const client = await simulated.start('d', { data: false });
    await create(2);
    nodes.push(client);
    await client.call('PUT', '/books/book/1', { n: 0 });
    const { status } = await client.call('PUT', '/books/book/other', { n: 100 });
    // It is in doubt where the copy that was asked for the outcome is the one.
    expect([201, 503]).toContain(status);
    await isMended();
  });

  it('is one of two: the index takes no writes at once', async () => {
    nodes.push(await start('a'), await reading('c'));
    await create(1);
    await write(0, 3);
    expect((await nodes[0]!.call('PUT', '/books/book/other', { n: 100 })).status).toBe(503);
    await clock.sleep(10_000);
    for (const node of nodes) {
      const { status, body } = await node.call('PUT', '/books/book/1', { n: 1 });
      expect(status).toBe(503);
      expect(body.error).toMatch(/copies differ since a message at or before .* no side has more/);
    }
  });

  it('is found later where nobody asked it meanwhile', async () => {
    nodes.push(await start('a'), await start('b'), await reading('c'));
    await create(2);
    await write(0, 3);
    simulated.loses = (from, to) => [from, to].includes('c') && !/^log\//.test(from) && !/^log\//.test(to);
    expect((await nodes[0]!.call('PUT', '/books/book/other', { n: 100 })).status).toBe(201);
    await write(3, 3 + 3 * COMPARED_EVERY);
    simulated.loses = () => false;
    await clock.sleep(10_000);
    expect(warnings.filter((text) => /differ/.test(text))).toEqual([]);
    await write(1, 3);
    await isMended();
  });

  it('is not looked for while a node of an older version lives, and from then on by what is written', async () => {
    nodes.push(await start('a'), await start('b'), await reading('c'));
    const older = await simulated.start('d', { data: false, formats: { oldest: 1, newest: 2 } });
    await create(2);
    await nodes[0]!.call('PUT', '/books/book/other', { n: 100 });
    await write(0, COMPARED_EVERY);
    await clock.sleep(10_000);
    expect(warnings.filter((text) => /differ/.test(text))).toEqual([]);
    await older.engine.close();
    await clock.sleep(10_000);
    await write(0, COMPARED_EVERY);
    await clock.sleep(10_000);
    expect(warnings.filter((text) => /differ/.test(text))).toEqual([]);
    const formats = simulated.cluster.storedLog(`index-${nodes[0]!.engine.index('books').metadata.uuid}`)!;
    const read = formats.after(0, undefined, 'shard.0').map(({ bytes }) => {
      return /"format":(\d+)/.exec(new TextDecoder().decode(bytes))![1];
    });
    expect([...new Set(read)]).toEqual(['1', '3']);
  });
});
