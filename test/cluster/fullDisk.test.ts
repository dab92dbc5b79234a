/** A node in a cluster whose disk is full: the others go on without its copies, and it comes back by itself. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { METADATA_PLACE_KEY } from '../../host/storage/records.js';
import { compareBytes } from '../../host/storage/storage.js';
import { DiskFull } from '../../host/storeErrors.js';
import { CrashDisk } from '../support/crashDisk.js';
import { Random } from '../torture/random.js';
import { SimulatedCluster } from './simulation/simulatedCluster.js';
import type { Answer, SimulatedNode } from './simulation/simulatedNode.js';

const FULL = new DiskFull('the disk is full: 10.0mb are free and 64.0mb must be');
let simulated: SimulatedCluster;
let clock: SimulatedCluster['clock'];
let nodes: Map<string, SimulatedNode>;
let disks: Map<string, CrashDisk>;

async function start(id: string): Promise<SimulatedNode> {
  const disk = disks.get(id) ?? (await new CrashDisk(new Random(1), async () => {}).open());
  disks.set(id, disk);
  const { storage, blobs } = disk;
  const node = await simulated.start(id, { storage, blobs, graceMs: 1000 });
  nodes.set(id, node);
  return node;
}

beforeEach(() => {
  simulated = new SimulatedCluster();
  ({ clock } = simulated);
  nodes = new Map();
  disks = new Map();
});

afterEach(async () => {
  for (const disk of disks.values()) disk.failure = undefined;
  await simulated.close(nodes.values());
});

/** What a call comes to, and how many milliseconds it took. */
async function timed(call: Promise<Answer>): Promise<Answer & { ms: number }> {
  const began = clock.now();
  const answer = await call;
  return { ...answer, ms: clock.now() - began };
}

/** Waits until that is so. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 100; i++) {
    if (await holds()) return;
    await clock.sleep(200);
  }
  throw new Error('it never came to that');
}

const healthOf = async (node: SimulatedNode) => (await node.call('GET', '/_cluster/health')).body;
const isGreen = async (node: SimulatedNode) => (await healthOf(node)).status === 'green';
const title = (answer: Answer) => answer.body._source?.title;

async function create(node: SimulatedNode, replicas: number): Promise<void> {
  const settings = { number_of_shards: 1, number_of_replicas: replicas, refresh_interval: -1 };
  const mappings = { book: { properties: { title: { type: 'string' } } } };
  await node.call('PUT', '/books', { settings, mappings });
  await until(() => isGreen(node));
  for (let i = 0; i < 3; i++) await node.call('PUT', `/books/book/${i}`, { title: `first ${i}` });
  await node.call('POST', '/books/_refresh');
  // What is loaded late takes no time of the clock.
  await node.call('PUT', '/books/_alias/shelf');
  await node.call('POST', '/books/_flush');
}

describe('one of two copies', () => {
  let a: SimulatedNode;
  let b: SimulatedNode;
  let c: SimulatedNode;

  beforeEach(async () => {
    for (const id of ['a', 'b', 'c']) await start(id);
    [a, b, c] = ['a', 'b', 'c'].map((id) => nodes.get(id)!) as [SimulatedNode, SimulatedNode, SimulatedNode];
    await create(a, 1);
    const placed = a.engine.replication!.placementOf(a.engine.index('books'), 0).map(({ id }) => id);
    // `a` and `b` have copies, `c` has none.
    const other = ['a', 'b', 'c'].find((id) => !placed.includes(id))!;
    [a, b, c] = [...placed, other].map((id) => nodes.get(id)!) as [
      SimulatedNode,
      SimulatedNode,
      SimulatedNode,
    ];
    disks.get(b.id)!.failure = FULL;
  });

  it('is not waited for: writes are acknowledged by the other', async () => {
    const first = await timed(a.call('PUT', '/books/book/0', { title: 'second' }));
    expect([first.status, first.ms < 1000]).toEqual([200, true]);
    const second = await timed(c.call('PUT', '/books/book/1?refresh=true', { title: 'second' }));
    expect([second.status, second.ms < 1000]).toEqual([200, true]);
    const { status, reasons } = await healthOf(a);
    expect([status, reasons]).toEqual([
      'yellow',
      [`the node [${b.id}] takes no writes now: ${FULL.message}`],
    ]);
    for (const node of [a, b, c]) {
      const { body } = await node.call('GET', '/_cat/shards?h=prirep,state,node');
      expect(body).toBe(`p STARTED      ${a.id} \nr INITIALIZING ${b.id} \n`);
    }
  });

  it('is not read: its node has what was acknowledged from the other', async () => {
    await a.call('PUT', '/books/book/0?refresh=true', { title: 'second' });
    for (const node of [a, b, c]) {
      const got = await timed(node.call('GET', '/books/book/0'));
      expect([title(got), got.ms < 1000]).toEqual(['second', true]);
      const found = await node.call('GET', '/books/_search?q=title:second');
      expect(found.body.hits.total).toBe(1);
    }
  });

  it('takes writes at its own node, which has the other copy carry them out', async () => {
    // It finds out by that one, of which it isn't known what became of it.
    const first = await timed(b.call('PUT', '/books/book/0', { title: 'second' }));
    expect([first.status, first.ms < 1000]).toEqual([503, true]);
    expect(first.body.error).toContain('the disk is full');
    const second = await timed(b.call('PUT', '/books/book/1', { title: 'second' }));
    expect([second.status, second.ms < 1000]).toEqual([200, true]);
    expect(title(await b.call('GET', '/books/book/1'))).toBe('second');
    // A mapping is made of the one before, which it may not have.
    const third = await timed(b.call('PUT', '/books/book/2', { other: 'field' }));
    expect([third.status, third.ms < 1000]).toEqual([503, true]);
  });

  it('is counted for `consistency=all`, which is refused at once', async () => {
    await a.call('PUT', '/books/book/0', { title: 'second' });
    const refused = await timed(a.call('PUT', '/books/book/1?consistency=all', { title: 'second' }));
    expect([refused.status, refused.ms < 1000]).toEqual([503, true]);
  });

  it('keeps no refresh waiting, nor a change of mappings or aliases', async () => {
    await a.call('PUT', '/books/book/0', { title: 'second' });
    // Metadata and mappings are small: there is a reserve for them.
    const disk = disks.get(b.id)!;
    disk.isFull = true;
    disk.failure = undefined;
    for (const [method, uri, body] of [
      ['POST', '/books/_refresh', undefined],
      ['POST', '/books/_flush', undefined],
      ['PUT', '/books/_mapping/book', { book: { properties: { more: { type: 'long' } } } }],
      ['PUT', '/books/_alias/library', undefined],
    ] as const) {
      const answer = await timed(a.call(method, uri, body));
      expect([uri, answer.status, answer.ms < 3000]).toEqual([uri, 200, true]);
    }
  });

  it('comes back when there is room', async () => {
    for (let i = 0; i < 100; i++) await a.call('PUT', `/books/book/${i}`, { title: 'second' });
    expect(await isGreen(a)).toBe(false);
    disks.get(b.id)!.failure = undefined;
    await until(() => isGreen(a));
    expect(await healthOf(a)).not.toHaveProperty('reasons');
    simulated.cluster.kill(a.id);
    nodes.delete(a.id);
    await until(async () => (await b.call('GET', '/books/_count')).body.count === 100);
    expect(title(await b.call('GET', '/books/book/99'))).toBe('second');
  });

  it('keeps its node neither from ending nor from starting', async () => {
    await a.call('PUT', '/books/book/0', { title: 'second' });
    await b.engine.close();
    nodes.delete(b.id);
    const again = await timed(start(b.id).then(() => ({ status: 200, body: '' })));
    expect(again.ms < 10_000).toBe(true);
    expect(title(await nodes.get(b.id)!.call('GET', '/books/book/0'))).toBe('second');
    disks.get(b.id)!.failure = undefined;
    await until(() => isGreen(a));
  });

  it('has the index closed by its node, which another opens', async () => {
    await a.call('PUT', '/books/book/0', { title: 'second' });
    expect((await b.call('PUT', '/books/book/1', { title: 'second' })).status).toBe(200);
    // The metadata have a reserve.
    const disk = disks.get(b.id)!;
    await until(async () => (await healthOf(a)).reasons?.[0]?.includes('the disk is full') === true);
    disk.isFull = true;
    disk.failure = undefined;
    const closed = await timed(b.call('POST', '/books/_close'));
    expect([closed.status, closed.ms < 3000]).toEqual([200, true]);
    for (const node of [a, b, c]) expect((await node.call('GET', '/books/book/0')).status).toBe(403);
    const refused = await timed(b.call('POST', '/books/_open'));
    expect([refused.status, refused.ms < 3000]).toEqual([503, true]);
    expect(refused.body.error).toMatch(
      /\[books\] stays closed; open it later, or at another node: .*the disk is full/,
    );
    for (const node of [a, b, c]) expect((await node.call('GET', '/books/book/0')).status).toBe(403);
    expect((await a.call('POST', '/books/_open')).status).toBe(200);
    for (const node of [a, b, c]) expect(title(await node.call('GET', '/books/book/1'))).toBe('second');
    disk.isFull = false;
    await until(() => isGreen(a));
    expect((await b.call('PUT', '/books/book/2', { title: 'third' })).status).toBe(200);
  });

  it('goes with its index, so that there is room', async () => {
    await a.call('PUT', '/books/book/0', { title: 'second' });
    // What makes room has a reserve.
    const disk = disks.get(b.id)!;
    disk.failure = undefined;
    disk.isFull = true;
    const gone = await timed(c.call('DELETE', '/books'));
    expect([gone.status, gone.ms < 3000]).toEqual([200, true]);
    await until(async () => (await b.call('HEAD', '/books')).status === 404);
  });
});

describe('all copies', () => {
  it('are read still, and written no more', async () => {
    for (const id of ['a', 'b']) await start(id);
    const [a, b] = [...nodes.values()] as [SimulatedNode, SimulatedNode];
    await create(a, 1);
    for (const disk of disks.values()) disk.failure = FULL;
    await a.call('PUT', '/books/book/0', { title: 'second' });
    await until(async () => (await a.call('GET', '/books/_search')).body.hits?.total === 3);
    for (const node of [a, b]) {
      const refused = await timed(node.call('PUT', '/books/book/1', { title: 'second' }));
      expect([refused.status, refused.ms < 1000]).toEqual([503, true]);
      expect(refused.body.error).toContain('the disk is full');
      const got = await timed(node.call('GET', '/books/book/1'));
      expect([title(got), got.ms < 1000]).toEqual(['first 1', true]);
      const health = await healthOf(node);
      expect(health.status).toBe('red');
    }
    for (const disk of disks.values()) disk.failure = undefined;
    await until(() => isGreen(a));
    expect((await b.call('PUT', '/books/book/1', { title: 'third' })).status).toBe(200);
  });

  it('show what was written before, when a refresh came while none of them was read', async () => {
    for (const id of ['a', 'b']) await start(id);
    const [a] = [...nodes.values()] as [SimulatedNode];
    await create(a, 1);
    expect((await a.call('PUT', '/books/book/3', { title: 'shown' })).status).toBe(201);
    for (const disk of disks.values()) disk.failure = FULL;
    const index = a.engine.index('books');
    const searchable = () => a.engine.replication!.searchableCopiesOf(index, 0).length;
    const writing = a.call('PUT', '/books/book/0', { title: 'second' });
    while (searchable() > 0) await clock.sleep(0);
    expect((await a.call('POST', '/books/_refresh')).status).toBe(200);
    await until(async () => searchable() > 0);
    expect((await a.call('GET', '/books/_search?q=title:shown')).body.hits.total).toBe(1);
    await writing;
  });

  it('are closed, also over a start of all nodes, and opened when there is room', async () => {
    for (const id of ['a', 'b']) await start(id);
    const [a, b] = [...nodes.values()] as [SimulatedNode, SimulatedNode];
    await create(a, 1);
    for (const disk of disks.values()) disk.failure = FULL;
    await a.call('PUT', '/books/book/0', { title: 'second' });
    await until(async () => (await b.call('PUT', '/books/book/1', { title: 'never' })).status === 503);
    for (const disk of disks.values()) {
      disk.isFull = true;
      disk.failure = undefined;
    }
    const closed = await timed(b.call('POST', '/books/_close'));
    expect([closed.status, closed.ms < 3000]).toEqual([200, true]);
    for (const { id } of [a, b]) simulated.cluster.kill(id);
    nodes.clear();
    await Promise.all(['a', 'b'].map(start));
    for (const node of nodes.values()) expect((await node.call('GET', '/books/book/0')).status).toBe(403);
    for (const disk of disks.values()) disk.isFull = false;
    const first = nodes.get('a')!;
    await until(async () => (await first.call('POST', '/books/_open')).status === 200);
    await until(() => isGreen(first));
    for (const node of nodes.values()) expect(title(await node.call('GET', '/books/book/0'))).toBe('second');
    expect((await nodes.get('b')!.call('PUT', '/books/book/1', { title: 'third' })).status).toBe(200);
  });

  it('are one copy: the only one is read still', async () => {
    for (const id of ['a', 'b']) await start(id);
    const [a, b] = [...nodes.values()] as [SimulatedNode, SimulatedNode];
    await create(a, 0);
    for (const disk of disks.values()) disk.failure = FULL;
    await b.call('PUT', '/books/book/0', { title: 'second' });
    for (const node of [a, b]) {
      const refused = await timed(node.call('PUT', '/books/book/1', { title: 'second' }));
      expect([refused.status, refused.ms < 1000]).toEqual([503, true]);
      expect(title(await node.call('GET', '/books/book/1'))).toBe('first 1');
      expect((await node.call('GET', '/books/_search?q=title:first')).body.hits.total).toBe(3);
    }
    expect((await healthOf(a)).status).toBe('red');
  });

  it('are one copy, whose node ends with a write before a mapping: it has both when there is room', async () => {
    for (const id of ['a', 'b']) await start(id);
    await create(nodes.get('a')!, 0);
    const isHolder = ({ engine }: SimulatedNode) => engine.index('books').shards[0]!.isHeld;
    const holder = [...nodes.values()].find(isHolder)!;
    const other = [...nodes.values()].find((node) => node !== holder)!;
    const disk = disks.get(holder.id)!;
    disk.isFull = true;
    expect((await other.call('PUT', '/books/book/0', { title: 'second' })).status).toBe(503);
    const more = { book: { properties: { more: { type: 'long' } } } };
    expect((await other.call('PUT', '/books/_mapping/book', more)).status).toBe(200);
    // A change of the metadata takes a while, and so does the end of the node.
    const { storage } = disk;
    const commit = storage.commit.bind(storage);
    storage.commit = async (puts, ...rest) => {
      if (Array.from(puts).some(([key]) => compareBytes(key, METADATA_PLACE_KEY) === 0))
        await clock.sleep(1000);
      await commit(puts, ...rest);
    };
    const aliased = other.call('PUT', '/books/_alias/late');
    await clock.sleep(500);
    await holder.engine.close();
    nodes.delete(holder.id);
    storage.commit = commit;
    disk.isFull = false;
    await start(holder.id);
    expect((await aliased).status).toBe(200);
    await until(() => isGreen(other));
    expect(title(await other.call('GET', '/books/book/0'))).toBe('second');
    expect((await other.call('GET', '/books/_mapping')).body.books.mappings.book.properties).toHaveProperty(
      'more',
    );
  });
});
