/** Nodes in one process whose indices say how many copies there are: copies are made and dropped as nodes and settings change. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { logName, shardSubject } from '../../host/replication/indexLog.js';
import { COPY_BEGIN } from '../../host/replication/copyMessages.js';
import { READ } from '../../host/replication/readAsker.js';
import { hasCopy, isOutdated } from '../../host/shard/shardCopy.js';
import { placeRow, readPlace } from '../../host/storage/logRows.js';
import { kindRange } from '../../host/storage/records.js';
import { SimulatedCluster } from './simulation/simulatedCluster.js';
import type { SimulatedNode } from './simulation/simulatedNode.js';

let simulated: SimulatedCluster;
let clock: SimulatedCluster['clock'];
let cluster: SimulatedCluster['cluster'];
let nodes: Map<string, SimulatedNode>;
let disks: SimulatedCluster['disks'];

async function start(id: string): Promise<SimulatedNode> {
  const node = await simulated.start(id, { graceMs: 1000 });
  nodes.set(id, node);
  return node;
}

function kill(id: string): void {
  cluster.kill(id);
  nodes.delete(id);
}

beforeEach(async () => {
  nodes = new Map();
  simulated = new SimulatedCluster();
  ({ clock, cluster, disks } = simulated);
  for (const id of ['a', 'b', 'c']) await start(id);
});

afterEach(async () => {
  await simulated.close(nodes.values());
});

/** The nodes that have a copy of each shard in their stores. */
function stored(name: string): string[][] {
  const { metadata } = [...nodes.values()][0]!.engine.index(name);
  return metadata.shardUids.map((uid) =>
    [...nodes.keys()].filter((id) => hasCopy(disks.get(id)!.storage, uid)).sort(),
  );
}

/** The nodes that each shard is placed on, and whether all nodes see all of them as searchable. */
function placed(name: string): string[][] {
  const all = [...nodes.values()].map(({ engine }) => {
    const index = engine.index(name);
    return index.shards.map(({ number }) => ({
      placed: engine
        .replication!.placementOf(index, number)
        .map(({ id }) => id)
        .sort(),
      searchable: engine
        .replication!.searchableCopiesOf(index, number)
        .map(({ id }) => id)
        .sort(),
    }));
  });
  for (const each of all) expect(each).toEqual(all[0]);
  for (const shard of all[0]!) expect(shard.searchable).toEqual(shard.placed);
  return all[0]!.map((shard) => shard.placed);
}

/** Resolves when every node has what is placed on it, and nothing else. */
async function settled(name: string): Promise<string[][]> {
  let failure: unknown;
  for (let i = 0; i < 300; i++) {
    await clock.sleep(500);
    try {
      const shards = placed(name);
      expect(stored(name)).toEqual(shards);
      return shards;
    } catch (e) {
      failure = e;
    }
  }
  throw failure;
}

const any = () => nodes.values().next().value!;

async function write(name: string, from: number, to: number): Promise<void> {
  const all = [...nodes.values()];
  for (let i = from; i < to; i++) {
    const { status, body } = await all[i % all.length]!.call('PUT', `/${name}/doc/${i}`, {
      n: i,
      [`f${i % 5}`]: i,
    });
    expect([status, body.error]).toEqual([201, undefined]);
  }
}

/** Every document is in each copy, in the same version. */
async function complete(name: string, count: number): Promise<void> {
  await any().call('POST', `/${name}/_refresh`);
  for (const shard of any().engine.index(name).shards.keys()) {
    const copies = [...nodes.values()].flatMap(({ engine }) => {
      const copy = engine.index(name).shards[shard]!;
      if (!copy.isHeld) return [];
      const ids = [...copy.documents.idsOf('doc')].sort();
      return [ids.map((id) => `${id}:${copy.documents.committed('doc', id)!.version}`)];
    });
    for (const copy of copies) expect(copy).toEqual(copies[0]);
  }
  const ids = new Set(
    [...nodes.values()].flatMap(({ engine }) =>
      engine.index(name).shards.flatMap((shard) => (shard.isHeld ? [...shard.documents.idsOf('doc')] : [])),
    ),
  );
  expect(ids.size).toBe(count);
}

describe('copies of shards', () => {
  it('are searched without a failure while a node is drained and shut down', async () => {
    const a = nodes.get('a')!;
    await a.call('PUT', '/books', { settings: { number_of_shards: 4, number_of_replicas: 1 } });
    await a.call('PUT', '/notes', { settings: { number_of_shards: 3, number_of_replicas: 0 } });
    for (const name of ['books', 'notes']) await settled(name);
    for (const name of ['books', 'notes']) await write(name, 0, 30);
    await a.call('POST', '/_refresh');
    const failed: unknown[] = [];
    let searches = 0;
    let isOver = false;
    /** Searches that the drained node has been asked for. */
    const running = new Set<Promise<unknown>>();
    const searchOn = async (first: number) => {
      for (let at = first; !isOver; at++) {
        const all = [...nodes.values()];
        const asked = all[at % all.length]!;
        const search = asked.call('POST', '/books,notes/_search?size=100');
        if (asked.id === 'c') running.add(search);
        const { status, body } = await search;
        running.delete(search);
        searches++;
        const { failed: count, successful } = body._shards ?? {};
        if (status !== 200 || count !== 0 || successful !== 7 || body.hits.total !== 60) failed.push(body);
        await clock.sleep(5);
      }
    };
    const searching = [0, 1, 2, 3].map(searchOn);
    const transient = { 'cluster.routing.allocation.exclude._id': 'c' };
    await a.call('PUT', '/_cluster/settings', { transient });
    for (const name of ['books', 'notes'])
      for (const shard of await settled(name)) expect(shard).not.toContain('c');
    const { engine } = nodes.get('c')!;
    // As its server does: it takes no more requests, and answers those it has.
    nodes.delete('c');
    await Promise.all(running);
    await engine.close();
    await clock.sleep(2000);
    isOver = true;
    await Promise.all(searching);
    expect(searches).toBeGreaterThanOrEqual(4);
    expect(failed).toEqual([]);
  });

  it('are kept for searches that are being planned when they are let go of', async () => {
    const a = nodes.get('a')!;
    const on = async (name: string, node: string) => {
      const settings = { 'index.routing.allocation.include._id': node };
      await a.call('PUT', `/${name}/_settings`, settings);
    };
    for (const name of ['books', 'lists']) {
      await a.call('PUT', `/${name}`, { settings: { number_of_shards: 1, number_of_replicas: 0 } });
      await on(name, name === 'books' ? 'a' : 'b');
    }
    expect([await settled('books'), await settled('lists')]).toEqual([[['a']], [['b']]]);
    await a.call('PUT', '/lists/list/1', { numbers: [1, 2] });
    await write('books', 0, 3);
    await a.call('POST', '/_refresh');
    const { peers } = a.engine.replication!;
    const ask = peers.ask.bind(peers);
    let goOn = () => {};
    const may = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    peers.ask = async (node, kind, ...rest) => {
      if (kind === READ) await may;
      return ask(node, kind, ...rest);
    };
    const listed = { index: 'lists', type: 'list', id: '1', path: 'numbers' };
    const search = a.call('POST', '/books/_search', { filter: { terms: { n: listed } } });
    await clock.sleep(100);
    await on('books', 'b');
    while (a.engine.index('books').shards[0]!.isHeld) await clock.sleep(100);
    await clock.sleep(1000);
    goOn();
    const { body } = await search;
    expect([body._shards, body.hits?.total]).toEqual([{ total: 1, successful: 1, failed: 0 }, 2]);
    expect(await settled('books')).toEqual([['b']]);
  });

  it('answer a refresh when a node has a copy again, and nothing is written meanwhile', async () => {
    const a = nodes.get('a')!;
    await a.call('PUT', '/books', { settings: { number_of_shards: 1, number_of_replicas: 2 } });
    const write = (n: number) => a.call('PUT', `/books/doc/${n}`, { n });
    for (let n = 0; n < 5; n++) await write(n);
    const only = (name: string) =>
      a.call('PUT', '/books/_settings', { 'index.routing.allocation.exclude._name': name });
    await only('c');
    expect(await settled('books')).toEqual([['a', 'b']]);
    for (let n = 5; n < 20; n++) await write(n);
    await only('');
    expect(await settled('books')).toEqual([['a', 'b', 'c']]);
    const began = clock.now();
    expect((await a.call('POST', '/books/_refresh')).status).toBe(200);
    expect(clock.now() - began).toBeLessThan(1000);
  });

  it('are as many as an index says, on nodes that all agree on', async () => {
    await any().call('PUT', '/books', { settings: { number_of_shards: 4, number_of_replicas: 1 } });
    const shards = await settled('books');
    for (const ids of shards) expect(ids).toHaveLength(2);
    expect(new Set(shards.flat()).size).toBe(3);
    await write('books', 0, 30);
    await complete('books', 30);
  });

  it('are made and dropped as the number of replicas changes, while it is written', async () => {
    await any().call('PUT', '/books', { settings: { number_of_shards: 3, number_of_replicas: 0 } });
    await write('books', 0, 20);
    await any().call('PUT', '/books/_settings', { number_of_replicas: 2 });
    await write('books', 20, 40);
    for (const ids of await settled('books')) expect(ids).toEqual(['a', 'b', 'c']);
    await complete('books', 40);
    await any().call('PUT', '/books/_settings', { number_of_replicas: 0 });
    await write('books', 40, 60);
    for (const ids of await settled('books')) expect(ids).toHaveLength(1);
    await complete('books', 60);
  });

  it('find in the log what was written while nobody had one, whoever trims it', async () => {
    await any().call('PUT', '/books', { settings: { number_of_shards: 1, number_of_replicas: 0 } });
    await write('books', 0, 1);
    const holder = (await settled('books'))[0]![0]!;
    kill(holder);
    await clock.sleep(20_000);
    // Nobody can say what becomes of it.
    expect((await any().call('PUT', '/books/doc/1', { n: 1 })).status).toBe(503);
    for (let i = 0; i < 3; i++) await any().engine.replication!.trim({ bytes: 0, ms: 0 });
    await start(holder);
    await write('books', 2, 3);
    await settled('books');
    await complete('books', 3);
  });

  it('find it there when their node joins after others were asked how far it may be trimmed', async () => {
    await any().call('PUT', '/books', { settings: { number_of_shards: 1, number_of_replicas: 0 } });
    await write('books', 0, 1);
    const holder = (await settled('books'))[0]![0]!;
    kill(holder);
    await clock.sleep(20_000);
    // The log goes on, and says nothing of the shard: on its disk the copy stays where it is.
    for (const field of ['one', 'two']) {
      const changed = { doc: { properties: { [field]: { type: 'string' } } } };
      expect((await any().call('PUT', '/books/_mapping/doc', changed)).status).toBe(200);
    }
    const { replication } = any().engine;
    const { peers } = replication!;
    const ask = peers.ask.bind(peers);
    const asked: string[] = [];
    peers.ask = async (node, kind, ...rest) => {
      const answer = await ask(node, kind, ...rest);
      if (kind === 'kept') {
        asked.push(node);
        await joined;
      }
      return answer;
    };
    const trimmed = replication!.trim({ bytes: 0, ms: 0 });
    const joined = start(holder);
    await trimmed;
    expect(asked).toHaveLength(1);
    expect(asked).not.toContain(holder);
    kill(holder);
    await clock.sleep(20_000);
    await start(holder);
    await write('books', 1, 3);
    await settled('books');
    await complete('books', 3);
  });

  it('are let go of after a write that never came into the log', async () => {
    await any().call('PUT', '/books', { settings: { number_of_shards: 1, number_of_replicas: 0 } });
    await write('books', 0, 1);
    const holder = (await settled('books'))[0]![0]!;
    const node = nodes.get(holder)!;
    const { uuid } = node.engine.index('books').metadata;
    simulated.loses = (from, to) => from === holder && to === `log/${logName(uuid)}`;
    expect((await node.call('PUT', '/books/doc/1', { n: 1 })).status).toBe(503);
    simulated.loses = () => false;
    await any().call('PUT', '/_cluster/settings', {
      transient: { 'cluster.routing.allocation.exclude._name': holder },
    });
    expect((await settled('books'))[0]).not.toContain(holder);
    await complete('books', 1);
  });

  it('are made elsewhere when a node stays away, and it comes back with what it has', async () => {
    await any().call('PUT', '/books', { settings: { number_of_shards: 3, number_of_replicas: 1 } });
    await write('books', 0, 20);
    await settled('books');
    kill('b');
    await write('books', 20, 30);
    // It counts as living for 10 s, and its places are kept for one more.
    await clock.sleep(15_000);
    for (const ids of await settled('books')) expect(ids).toEqual(['a', 'c']);
    await complete('books', 30);
    await start('b');
    await write('books', 30, 40);
    const shards = await settled('books');
    expect(shards.flat()).toContain('b');
    await complete('books', 40);
  });

  it('leave a node that is drained, and come to one that joins', async () => {
    await any().call('PUT', '/books', { settings: { number_of_shards: 3, number_of_replicas: 1 } });
    await write('books', 0, 20);
    const drained = { transient: { 'cluster.routing.allocation.exclude._name': 'a' } };
    await any().call('PUT', '/_cluster/settings', drained);
    await write('books', 20, 30);
    for (const ids of await settled('books')) expect(ids).toEqual(['b', 'c']);
    kill('a');
    await start('d');
    await write('books', 30, 40);
    expect((await settled('books')).flat()).toContain('d');
    await complete('books', 40);
  });

  it('stay while the only other node with them is being replaced', async () => {
    await any().call('PUT', '/books', { settings: { number_of_shards: 2, number_of_replicas: 0 } });
    await write('books', 0, 20);
    const [[first]] = (await settled('books')) as [[string]];
    const moved = { 'index.routing.allocation.exclude._name': first };
    await any().call('PUT', '/books/_settings', moved);
    const shards = await settled('books');
    expect(shards.flat()).not.toContain(first);
    await complete('books', 20);
  });

  it('are fetched from a node that has let go of other shards of the index', async () => {
    await any().call('PUT', '/books', { settings: { number_of_shards: 3, number_of_replicas: 2 } });
    await write('books', 0, 20);
    for (const number_of_replicas of [0, 2]) {
      await any().call('PUT', '/books/_settings', { number_of_replicas });
      for (const ids of await settled('books')) expect(ids.length).toBe(number_of_replicas + 1);
    }
    await complete('books', 20);
  });

  it('are fetched again where a node ended with one that is behind the mapping it has', async () => {
    await any().call('PUT', '/books', { settings: { number_of_shards: 1, number_of_replicas: 0 } });
    const [[first]] = (await settled('books')) as [[string]];
    const other = ['a', 'b', 'c'].find((id) => id !== first)!;
    // Each document is in the log twice: it is left out until its mapping is there.
    for (const field of ['one', 'two']) await any().call('PUT', '/books/book/1', { [field]: 1 });
    const index = nodes.get(other)!.engine.index('books');
    const uid = index.metadata.shardUids[0]!;
    await clock.sleep(1000);
    kill(other);
    // The copy had been fetched before all of that, and the node ended before it could go on from there.
    const place = { position: 0, checksum: 0, time: 0, horizon: 0 };
    await disks.get(other)!.storage.commit([placeRow(uid, place)], []);
    await start(other);
    await nodes.get(first)!.call('PUT', '/books/_settings', { number_of_replicas: 2 });
    expect((await settled('books')).flat()).toContain(other);
    const { body } = await nodes.get(other)!.call('GET', '/books/book/1');
    expect(body).toMatchObject({ _version: 2, _source: { two: 1 } });
    const { shards } = nodes.get(other)!.engine.index('books');
    expect(shards[0]!.documents.committed('book', '1')!.version).toBe(2);
  });

  it('are made when the mapping rests that changes while they are fetched, which is told of', async () => {
    const settings = { number_of_shards: 1, number_of_replicas: 0 };
    const away = { 'index.routing.allocation.exclude._id': 'd' };
    await any().call('PUT', '/books', { settings: { ...settings, ...away } });
    const [[first]] = (await settled('books')) as [[string]];
    await write('books', 0, 5);
    const warnings: string[] = [];
    const d = await simulated.start('d', { graceMs: 1000, warn: (message) => warnings.push(message) });
    nodes.set('d', d);
    const { peers } = d.engine.replication!;
    const ask = peers.ask.bind(peers);
    let changes = 0;
    peers.ask = async (node, kind, ...rest) => {
      const answer = await ask(node, kind, ...rest);
      if (kind !== COPY_BEGIN || changes === 10) return answer;
      const doc = { properties: { [`more${++changes}`]: { type: 'string' } } };
      const { status } = await nodes.get(first)!.call('PUT', '/books/_mapping/doc', { doc });
      expect(status).toBe(200);
      return answer;
    };
    const moved = {
      'index.routing.allocation.exclude._id': '',
      'index.routing.allocation.include._id': 'd',
    };
    await nodes.get(first)!.call('PUT', '/books/_settings', moved);
    expect(await settled('books')).toEqual([['d']]);
    expect(warnings).toEqual([
      '[books][0] its mapping changed 10 times while a copy was made: it is made again in a moment',
    ]);
    await complete('books', 5);
  });

  it('stay where no other node has one, though they are behind the mapping, until one comes', async () => {
    await any().call('PUT', '/books', { settings: { number_of_shards: 1, number_of_replicas: 1 } });
    const [[first, second]] = (await settled('books')) as [[string, string]];
    for (const field of ['one', 'two']) await any().call('PUT', '/books/book/1', { [field]: 1 });
    const [uid] = any().engine.index('books').metadata.shardUids;
    await clock.sleep(1000);
    for (const id of ['a', 'b', 'c']) kill(id);
    const { storage } = disks.get(first)!;
    const writers = [...storage.range(...kindRange('w', uid!))].map(([key]) => key);
    const place = { position: 0, checksum: 0, time: 0, horizon: 0 };
    await storage.commit([placeRow(uid!, place)], writers);
    // Nobody counts as living any more.
    await clock.sleep(15_000);
    const back = await start(first);
    await clock.sleep(90_000);
    expect((await back.call('GET', '/books/_search?q=two:1')).body.hits.total).toBe(1);
    const refused = await back.call('PUT', '/books/book/2', { one: 1 });
    expect([refused.status, refused.body.error]).toEqual([
      503,
      expect.stringContaining('behind the mapping'),
    ]);
    expect((await back.call('GET', '/_cluster/health')).body.status).toBe('red');
    expect(hasCopy(storage, uid!)).toBe(true);
    await start(second);
    await clock.sleep(10_000);
    await settled('books');
    expect((await back.call('PUT', '/books/book/2', { one: 1 })).status).toBe(201);
    expect(back.engine.index('books').shards[0]!.documents.committed('book', '1')!.version).toBe(2);
  });

  it('are kept where the log has a message twice before a mapping', async () => {
    await any().call('PUT', '/books', { settings: { number_of_shards: 1, number_of_replicas: 0 } });
    await any().call('PUT', '/books/book/1', { one: 1 });
    const log = cluster.storedLog(logName(any().engine.index('books').metadata.uuid))!;
    const written = log
      .after(0, undefined, undefined)
      .findLast(({ subject }) => subject === shardSubject(0))!;
    log.append({ ...written, id: 'sent again', expectLast: undefined }, clock.now());
    const two = { book: { properties: { two: { type: 'string' } } } };
    expect((await any().call('PUT', '/books/_mapping/book', two)).status).toBe(200);
    for (const id of ['a', 'b', 'c']) kill(id);
    await Promise.all(['a', 'b', 'c'].map((id) => start(id)));
    await settled('books');
    expect((await any().call('GET', '/books/book/1')).body).toMatchObject({ _version: 1 });
  });

  it('count no more after a restart where that was found out before', async () => {
    const settings = { number_of_shards: 1, number_of_replicas: 1 };
    await any().call('PUT', '/books', { settings });
    await settled('books');
    await write('books', 0, 20);
    const [[id]] = placed('books') as [[string]];
    const { engine } = nodes.get(id)!;
    const { peers } = engine.replication!;
    const ask = peers.ask.bind(peers);
    // Nobody hands a copy over before the process ends.
    peers.ask = (node, kind, ...rest) =>
      kind === COPY_BEGIN ? Promise.reject(new Error('not now')) : ask(node, kind, ...rest);
    const index = engine.index('books');
    const [uid] = index.metadata.shardUids;
    engine.replication!.renew(index, 0, 'it differs');
    await clock.sleep(2000);
    kill(id);
    expect(hasCopy(disks.get(id)!.storage, uid!)).toBe(false);
    expect(readPlace(disks.get(id)!.storage, uid!)).toBeDefined();
    const back = await start(id);
    expect(back.engine.index('books').shards[0]!.isHeld).toBe(false);
    await settled('books');
    expect(back.engine.index('books').shards[0]!.isHeld).toBe(true);
    expect(isOutdated(disks.get(id)!.storage, uid!)).toBe(false);
    await complete('books', 20);
  });
});
