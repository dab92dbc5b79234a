/** Nodes without a copy of any shard of an index: of its log they read changes of the mapping alone. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { logName, MAPPING, shardSubject } from '../../host/replication/indexLog.js';
import { SimulatedCluster } from './simulation/simulatedCluster.js';
import type { SimulatedNode } from './simulation/simulatedNode.js';

let simulated: SimulatedCluster;
let nodes: Map<string, SimulatedNode>;

async function start(id: string): Promise<SimulatedNode> {
  const node = await simulated.start(id, { data: id !== 'c', graceMs: 1000 });
  nodes.set(id, node);
  return node;
}

beforeEach(async () => {
  simulated = new SimulatedCluster();
  nodes = new Map();
  for (const id of ['a', 'b', 'c']) await start(id);
});

afterEach(async () => {
  await simulated.close(nodes.values());
});

const at = (id: string) => nodes.get(id)!;
const logOf = (name: string) =>
  simulated.cluster.storedLog(logName(at('a').engine.index(name).metadata.uuid))!;

/** How many readers were given messages of shards since, and how many of mappings alone. */
function watched(name: string) {
  const after = vi.spyOn(logOf(name), 'after');
  return () => {
    const asked = after.mock.calls.map(([, , subject], i) => ({ subject, given: after.mock.results[i]! }));
    const whole = asked.filter(({ subject }) => subject === undefined).length;
    const ofMapping = asked.filter(({ subject }) => subject === MAPPING);
    const given = ofMapping.flatMap(({ given: { value } }) => value as { subject: string }[]);
    expect(given.every(({ subject }) => subject === MAPPING)).toBe(true);
    return { whole, ofMapping: ofMapping.length };
  };
}

/** Resolves when the condition holds, in virtual time. */
async function until(condition: () => boolean): Promise<void> {
  for (let i = 0; i < 200 && !condition(); i++) await simulated.clock.sleep(500);
  expect(condition()).toBe(true);
}

const write = async (from: SimulatedNode, count: number) => {
  for (let i = 0; i < count; i++)
    expect((await from.call('PUT', `/books/book/${i}`, { n: i })).status).toBeLessThan(300);
};

it('wait for no documents, and are behind by none', async () => {
  const settings = { number_of_shards: 2, number_of_replicas: 1 };
  await at('c').call('PUT', '/books', { settings });
  const readers = watched('books');
  await write(at('c'), 20);
  expect((await at('c').call('POST', '/books/_refresh')).status).toBe(200);
  const { body } = await at('c').call('GET', '/books/_search');
  expect(body.hits.total).toBe(20);
  expect((await at('c').call('GET', '/books/book/7')).body.found).toBe(true);
  expect(await at('c').engine.replication!.lags()).toEqual(new Map([['books', 0]]));
  expect(await at('a').engine.replication!.lags()).toEqual(new Map([['books', 0]]));
  const { whole, ofMapping } = readers();
  expect([whole > 0, ofMapping > 0]).toEqual([true, true]);
});

it('read the whole log again with the first copy, and the mapping alone when the last has gone', async () => {
  const settings = { number_of_shards: 1, number_of_replicas: 0 };
  await at('c').call('PUT', '/books', { settings });
  await write(at('c'), 5);
  const holders = () => ['a', 'b'].filter((id) => at(id).engine.index('books').shards[0]!.isHeld);
  const [first] = holders() as [string];
  const other = first === 'a' ? 'b' : 'a';
  await at(first).call('PUT', '/books/_settings', { number_of_replicas: 1 });
  await until(() => holders().length === 2);
  await write(at('c'), 10);
  for (const id of ['a', 'b'])
    expect((await at(id).call('GET', '/books/book/9?preference=_local')).body).toMatchObject({ found: true });
  // Moves to the other node alone.
  await at('c').call('PUT', '/books/_settings', { 'index.routing.allocation.exclude._id': first });
  await at('c').call('PUT', '/books/_settings', { number_of_replicas: 0 });
  await until(() => holders().join() === other);
  const waiting = at(first).call('POST', '/books/_refresh');
  await write(at(first), 12);
  expect((await waiting).status).toBe(200);
  const readers = watched('books');
  expect((await at(first).call('PUT', '/books/book/new', { other: 'field' })).status).toBe(201);
  await at(first).call('POST', '/books/_refresh');
  await simulated.clock.sleep(3000);
  const { body } = await at(first).call('GET', '/books/_mapping');
  expect(body.books.mappings.book.properties.other.type).toBe('string');
  expect(readers().ofMapping).toBeGreaterThanOrEqual(2);
  expect((await at(first).call('GET', '/books/_count')).body.count).toBe(13);
});

it('go on where documents were trimmed, and take another mapping where changes were', async () => {
  const settings = { number_of_shards: 1, number_of_replicas: 1 };
  await at('c').call('PUT', '/books', { settings });
  await write(at('c'), 5);
  simulated.cluster.kill('c');
  nodes.delete('c');
  await write(at('a'), 40);
  const trim = async () => {
    // The last change of the mapping is put behind first.
    for (let i = 0; i < 2; i++) {
      for (const id of ['a', 'b']) await at(id).call('POST', '/books/_flush');
      await at('a').engine.replication!.trim({ bytes: 0, ms: 0 });
      await simulated.clock.sleep(1000);
    }
  };
  await trim();
  const log = logOf('books');
  expect(log.first).toBeGreaterThan(5);
  const c = await start('c');
  expect((await c.call('PUT', '/books/book/x', { later: true })).status).toBe(201);
  expect((await c.call('POST', '/books/_refresh')).status).toBe(200);
  expect((await c.call('GET', '/books/_count')).body.count).toBe(41);
  expect((await c.call('GET', '/_cluster/health')).body.status).toBe('green');
  const last = log.lastOf(MAPPING);
  expect(log.lastOf(shardSubject(0))).toBeGreaterThan(last);
});

it('a change of the mapping is carried out where the last copy goes meanwhile', async () => {
  await at('a').call('PUT', '/books', { settings: { number_of_shards: 1, number_of_replicas: 1 } });
  await write(at('a'), 3);
  const index = at('b').engine.index('books');
  const [shard] = index.copies;
  vi.spyOn(shard!, 'tellFields').mockImplementationOnce(async () => {
    index.leave(0);
    await shard!.close(false);
    throw new Error('the copy has gone');
  });
  const mapping = { properties: { title: { type: 'string' } } };
  const { status, body } = await at('a').call('PUT', '/books/_mapping/book', mapping);
  expect({ status, body }).toEqual({ status: 200, body: { acknowledged: true } });
  // Of what it reads from now on nothing waits for the copy.
  expect((await at('b').call('GET', '/books/book/1')).status).toBe(200);
});
