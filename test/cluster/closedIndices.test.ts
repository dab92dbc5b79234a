/** Closed indices on nodes in one process: their copies are looked after, and their documents are there when they are opened again. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LogShortened } from '../../host/cluster/errors.js';
import type { Log } from '../../host/cluster/log.js';
import type { ClusterServices } from '../../host/cluster/services.js';
import { encodeMapping } from '../../host/replication/indexLog.js';
import { hasCopy } from '../../host/shard/shardCopy.js';
import { SimulatedCluster } from './simulation/simulatedCluster.js';
import type { Answer, SimulatedNode } from './simulation/simulatedNode.js';

let simulated: SimulatedCluster;
let clock: SimulatedCluster['clock'];
let nodes: Map<string, SimulatedNode>;

async function start(id: string): Promise<SimulatedNode> {
  const node = await simulated.start(id, { graceMs: 1000 });
  nodes.set(id, node);
  return node;
}

function kill(id: string): void {
  simulated.cluster.kill(id);
  nodes.delete(id);
}

beforeEach(async () => {
  nodes = new Map();
  simulated = new SimulatedCluster();
  ({ clock } = simulated);
  for (const id of ['a', 'b', 'c']) await start(id);
});

afterEach(async () => {
  await simulated.close(nodes.values());
});

const node = (id: string): SimulatedNode => nodes.get(id)!;
const indexAt = (id: string) => node(id).engine.index('books');
const copiesAt = (id: string) => indexAt(id).copies;

/** What a request is answered that must be done. */
async function done(id: string, method: string, uri: string, body?: unknown) {
  const answer = await node(id).call(method, uri, body);
  expect([answer.status, answer.body?.error]).toEqual([expect.toSatisfy((s) => s < 300), undefined]);
  return answer.body;
}

async function make(replicas: number): Promise<void> {
  const settings = { number_of_shards: 2, number_of_replicas: replicas };
  await done('a', 'PUT', '/books', { settings });
}

async function write(from: number, to: number): Promise<void> {
  const all = [...nodes.keys()];
  for (let n = from; n < to; n++)
    await done(all[n % all.length]!, 'PUT', `/books/book/${n}`, { n, text: `Word${n}` });
}

/** Looks now and then until a thing is so. */
async function until(isSo: () => boolean): Promise<void> {
  for (let i = 0; i < 300 && !isSo(); i++) await clock.sleep(500);
  expect(isSo()).toBe(true);
}

/** The nodes that have copies in their stores. */
function stored(): string[] {
  const { shardUids } = [...nodes.values()][0]!.engine.index('books').metadata;
  return [...nodes.keys()].filter((id) =>
    shardUids.some((uid) => hasCopy(simulated.disks.get(id)!.storage, uid)),
  );
}

/** Whether a node's copies rest, and it knows of all that there should be. */
function isResting(id: string): boolean {
  const { replication } = node(id).engine;
  const index = indexAt(id);
  const wanted = Math.min(nodes.size, index.metadata.settings.replicas + 1);
  return index.shards.every(
    ({ number, isHeld, rests }) =>
      isHeld === rests && replication!.searchableCopiesOf(index, number).length === wanted,
  );
}

const rest = () => until(() => [...nodes.keys()].every(isResting));

const logOf = (id = 'a') => simulated.cluster.storedLog(`index-${indexAt(id).metadata.uuid}`)!;

/** What the last message on the mapping says of closing and opening. @param id a node that knows the index */
function lastTurn(id = 'a'): number | undefined {
  const log = logOf(id);
  const [message] = log.after(log.lastOf('meta') - 1, undefined, undefined);
  return JSON.parse(new TextDecoder().decode(message!.bytes)).turn;
}

/** What each node finds when the index is open. */
async function found(): Promise<number[]> {
  await done([...nodes.keys()][0]!, 'POST', '/books/_refresh');
  const all = [...nodes.keys()];
  return Promise.all(all.map(async (id) => (await done(id, 'GET', '/books/_count')).count));
}

describe('copies of a closed index', () => {
  it('let go of their cores, and have them again when it is opened', async () => {
    await make(1);
    await write(0, 12);
    await done('b', 'POST', '/books/_close');
    for (const id of nodes.keys()) expect((await node(id).call('GET', '/books/book/1')).status).toBe(403);
    await rest();
    await done('c', 'POST', '/books/_open');
    for (const id of nodes.keys()) for (const copy of copiesAt(id)) expect(copy.rests).toBe(false);
    expect(await found()).toEqual([12, 12, 12]);
    await write(12, 20);
    expect(await found()).toEqual([20, 20, 20]);
  });

  it('leave a node that is drained', async () => {
    await make(1);
    await write(0, 12);
    await done('a', 'POST', '/books/_close');
    await rest();
    await done('a', 'PUT', '/_cluster/settings', {
      transient: { 'cluster.routing.allocation.exclude._name': 'b' },
    });
    await until(() => stored().join() === 'a,c');
    await rest();
    expect(copiesAt('b')).toEqual([]);
    kill('b');
    await done('a', 'POST', '/books/_open');
    expect(await found()).toEqual([12, 12]);
  });

  it('are made for a node that is gone', async () => {
    await make(1);
    await write(0, 12);
    await done('a', 'POST', '/books/_close');
    kill('b');
    await until(() => copiesAt('a').length === 2 && copiesAt('c').length === 2);
    await rest();
    kill('a');
    await until(() => node('c').engine.replication!.nodes.ids.length === 1);
    await done('c', 'POST', '/books/_open');
    expect(await found()).toEqual([12]);
  });

  it('catch up with what their node missed, and those too whose log was trimmed meanwhile', async () => {
    await make(2);
    await write(0, 6);
    kill('c');
    await until(() => node('a').engine.replication!.nodes.ids.length === 2);
    await write(6, 12);
    await done('a', 'POST', '/books/_close');
    await start('c');
    await rest();
    for (const copy of copiesAt('c'))
      expect([...copy.documents.idsOf('book')].length).toBe(
        [...indexAt('a').copyOf(copy.number)!.documents.idsOf('book')].length,
      );
    kill('c');
    await until(() => node('a').engine.replication!.nodes.ids.length === 2);
    await done('a', 'POST', '/books/_open');
    await write(12, 18);
    await done('a', 'POST', '/books/_close');
    await clock.sleep(20 * 60_000);
    for (const { engine } of nodes.values()) await engine.replication!.trim({ bytes: 0, ms: 0 });
    const log = simulated.cluster.storedLog(`index-${indexAt('a').metadata.uuid}`)!;
    expect(log.first).toBeGreaterThan(18);
    await start('c');
    await until(() => copiesAt('c').length === 2);
    await rest();
    kill('a');
    kill('b');
    await until(() => node('c').engine.replication!.nodes.ids.length === 1);
    await done('c', 'POST', '/books/_open');
    expect(await found()).toEqual([18]);
  });

  it('are there after all nodes were started again, and go with the index', async () => {
    await make(1);
    await write(0, 12);
    await done('a', 'POST', '/books/_close');
    const all = [...nodes.keys()];
    for (const id of all) kill(id);
    await Promise.all(all.map((id) => start(id)));
    expect(indexAt('a').closed).toBe(true);
    await rest();
    await done('a', 'POST', '/books/_open');
    expect(await found()).toEqual([12, 12, 12]);
    await done('b', 'POST', '/books/_close');
    await rest();
    const { shardUids } = indexAt('a').metadata;
    await done('b', 'DELETE', '/books');
    for (const [, { storage }] of simulated.disks)
      for (const uid of shardUids) expect(hasCopy(storage, uid)).toBe(false);
  });
});

describe('the mapping of a closed index', () => {
  it('is changed on all nodes', async () => {
    await make(1);
    await write(0, 4);
    await done('a', 'POST', '/books/_close');
    await rest();
    await done('b', 'PUT', '/books/_mapping/book', {
      properties: { title: { type: 'string', analyzer: 'whitespace' } },
    });
    for (const id of nodes.keys()) {
      const { books } = await done(id, 'GET', '/books/_mapping');
      expect(books.mappings.book.properties.title).toEqual({ type: 'string', analyzer: 'whitespace' });
    }
    await done('c', 'POST', '/books/_open');
    await done('a', 'PUT', '/books/book/x?refresh=true', { title: 'A-B c' });
    expect((await done('b', 'GET', '/books/_count?q=title:A-B')).count).toBe(1);
  });
});

describe('closing', () => {
  it('is in an order with writes: those before are there when it is opened, those behind are refused', async () => {
    await make(1);
    let isGoing = true;
    let hasClosed = false;
    const kept: string[] = [];
    const late: string[] = [];
    const writer = async (id: string) => {
      for (let n = 0; isGoing; n++) {
        const began = hasClosed;
        const uri = `/books/book/${id}${n}`;
        const { status } = await node(id).call('PUT', uri, { n });
        expect([201, 403]).toContain(status);
        if (status === 201) kept.push(uri);
        if (status === 201 && began) late.push(uri);
        await clock.sleep(1);
      }
    };
    const writers = ['a', 'b', 'c'].map(writer);
    await clock.sleep(20);
    await done('b', 'POST', '/books/_close');
    hasClosed = true;
    await clock.sleep(20);
    isGoing = false;
    await Promise.all(writers);
    expect(kept.length).toBeGreaterThan(10);
    expect(late).toEqual([]);
    await rest();
    await done('a', 'POST', '/books/_open');
    expect(await found()).toEqual([kept.length, kept.length, kept.length]);
    for (const uri of kept) expect((await node('c').call('GET', uri)).status).toBe(200);
  });

  it('refuses what a node writes that has not heard of it', async () => {
    await make(1);
    await write(0, 3);
    simulated.loses = (from, to) => [from, to].includes('log/metadata') && [from, to].includes('c');
    await done('a', 'POST', '/books/_close');
    expect(indexAt('c').closed).toBe(false);
    const refused = await node('c').call('PUT', '/books/book/late', { n: 1 });
    expect([refused.status, refused.body.error]).toEqual([403, 'IndexClosedException[[books] closed]']);
    simulated.loses = () => false;
    await until(() => indexAt('c').closed);
    await done('c', 'POST', '/books/_open');
    await write(3, 5);
    expect(await found()).toEqual([5, 5, 5]);
  });

  it('is over where its node is cut off from the log: another one puts the mark', async () => {
    await make(1);
    await write(0, 3);
    const log = `log/index-${indexAt('a').metadata.uuid}`;
    simulated.loses = (from, to) => from === 'a' && to === log;
    await done('a', 'POST', '/books/_close');
    expect(lastTurn()).toBe(1);
    simulated.loses = () => false;
    for (const id of nodes.keys()) expect(indexAt(id).closed).toBe(true);
    await done('b', 'POST', '/books/_close');
    expect(lastTurn()).toBe(1);
    await done('c', 'POST', '/books/_open');
    expect(lastTurn()).toBe(2);
    await write(3, 6);
    expect(await found()).toEqual([6, 6, 6]);
  });

  it('is over where no node reaches the log, which is told later: by others, and when all were started again', async () => {
    for (const isStartedAgain of [false, true]) {
      await make(1);
      await write(0, 3);
      const log = `log/index-${indexAt('a').metadata.uuid}`;
      simulated.loses = (_, to) => to === log;
      await done('a', 'POST', '/books/_close');
      expect(lastTurn()).toBe(undefined);
      for (const id of nodes.keys()) expect(indexAt(id).closed).toBe(true);
      const refused = await node('b').call('POST', '/books/_open');
      expect([refused.status, refused.body.error]).toEqual([
        503,
        expect.stringContaining('[books] stays closed'),
      ]);
      for (const id of nodes.keys()) expect(indexAt(id).closed).toBe(true);
      simulated.loses = () => false;
      const all = [...nodes.keys()];
      if (isStartedAgain) {
        for (const id of all) kill(id);
        await Promise.all(all.map((id) => start(id)));
      } else kill('a');
      await until(() => lastTurn('b') === 1);
      if (!isStartedAgain) await start('a');
      await done('b', 'POST', '/books/_open');
      await write(3, 6);
      expect(await found()).toEqual([6, 6, 6]);
      await done('b', 'DELETE', '/books');
    }
  });

  it('is followed by no opening of an index that is deleted meanwhile', async () => {
    await make(1);
    await done('a', 'POST', '/books/_close');
    const log = `log/${logOf().name}`;
    simulated.loses = (from, to) => from === 'a' && to === log;
    const opening = node('a').call('POST', '/books/_open');
    await clock.sleep(100);
    await done('b', 'DELETE', '/books');
    expect((await opening).status).toBe(404);
  });

  it('does nothing where it comes behind the next opening', async () => {
    await make(1);
    await done('a', 'POST', '/books/_close');
    await done('b', 'POST', '/books/_open');
    const bytes = encodeMapping({ mapping: indexAt('a').model.save(), turn: 1 });
    const log = logOf();
    log.append({ subject: 'meta', id: 'late', bytes, link: undefined, expectLast: log.lastOf('meta') }, 0);
    await write(0, 6);
    expect(await found()).toEqual([6, 6, 6]);
  });

  it('is as before while a node lives that knows no marks; settings can not be changed then', async () => {
    await make(2);
    await write(0, 3);
    await node('c').engine.close();
    nodes.delete('c');
    nodes.set('c', await simulated.start('c', { formats: { oldest: 1, newest: 1 }, graceMs: 1000 }));
    await done('a', 'POST', '/books/_close');
    expect(lastTurn()).toBe(undefined);
    expect((await node('c').call('PUT', '/books/book/x', { n: 1 })).status).toBe(403);
    const refused = await node('a').call('PUT', '/books/_settings', {
      'index.analysis.analyzer.default.type': 'keyword',
    });
    expect(refused.status).toBe(400);
    await done('b', 'POST', '/books/_open');
    await write(3, 6);
    expect(await found()).toEqual([6, 6, 6]);
    expect(lastTurn()).toBe(undefined);
  });
});

describe('opening at a node that can not follow the log', () => {
  /** A process of `a` whose server has forgotten the log of the index. */
  async function startWithoutLog(): Promise<void> {
    const lost = logOf('b').name;
    const withoutRead = (log: Log) =>
      new Proxy(log, {
        get(target, property) {
          if (property === 'read')
            return () => {
              throw new LogShortened(lost, 1, 0);
            };
          const value = Reflect.get(target, property);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
    const seen = (services: ClusterServices): ClusterServices => ({
      ...{ members: services.members, peers: services.peers, clock: services.clock },
      logs: {
        open: async (name, options) => {
          const log = await services.logs.open(name, options);
          return name === lost ? withoutRead(log) : log;
        },
        list: () => services.logs.list(),
      },
      close: () => services.close(),
    });
    kill('a');
    nodes.set('a', await simulated.start('a', { graceMs: 1000, seen }));
    const { uuid } = indexAt('a').metadata;
    const self = () => node('b').engine.replication!.nodes.all.find(({ id }) => id === 'a');
    await until(() => self()?.failures?.[uuid]?.includes('has lost messages') === true);
  }

  beforeEach(async () => {
    await make(2);
    await write(0, 3);
    await done('a', 'POST', '/books/_close');
    await startWithoutLog();
  });

  it('has another node put the mark', async () => {
    await done('a', 'POST', '/books/_open');
    expect(lastTurn()).toBe(2);
    for (const id of ['b', 'c']) await done(id, 'PUT', `/books/book/${id}`, {});
    expect((await node('a').call('PUT', '/books/book/a', {})).status).toBe(503);
  });

  it('has one put it later, where none can: writes are refused until then', async () => {
    const log = `log/${logOf().name}`;
    simulated.loses = (_, to) => to === log;
    await done('a', 'POST', '/books/_open');
    expect(lastTurn()).toBe(1);
    expect((await node('a').call('GET', '/books/book/1')).status).toBe(200);
    simulated.loses = () => false;
    await until(() => lastTurn() === 2);
    for (const id of ['b', 'c']) await done(id, 'PUT', `/books/book/${id}`, {});
  });
});

describe('searches of an index that is opened', () => {
  const total = async (id: string, of = '_local') =>
    (await done(id, 'GET', `/books/_search?preference=${of}`)).hits.total;
  let letGo: (() => void)[];

  /** Closes it with documents that no refresh has shown, while something holds its copies: they keep their cores. */
  beforeEach(async () => {
    const settings = { number_of_shards: 2, number_of_replicas: 2, refresh_interval: -1 };
    await done('a', 'PUT', '/books', { settings });
    await write(0, 6);
    await done('a', 'POST', '/books/_refresh');
    await write(6, 12);
    letGo = [...nodes.keys()].flatMap((id) => copiesAt(id).map((copy) => copy.hold()));
    await done('b', 'POST', '/books/_close');
  });

  afterEach(() => {
    for (const each of letGo) each();
  });

  /** Has `a` open it, while `c` hears nothing of that; resolves when it is open at `a`. */
  async function openUnheard(): Promise<{ answer: Promise<Answer> }> {
    simulated.loses = (from, to) => [from, to].includes('log/metadata') && [from, to].includes('c');
    const answer = node('a').call('POST', '/books/_open');
    await until(() => !indexAt('a').closed);
    expect(indexAt('c').closed).toBe(true);
    return { answer };
  }

  async function hear({ answer }: { answer: Promise<Answer> }): Promise<void> {
    simulated.loses = () => false;
    expect((await answer).status).toBe(200);
  }

  it('show what was written before it was closed, without a refresh', async () => {
    expect(copiesAt('a').every(({ dirty, rests }) => dirty && !rests)).toBe(true);
    await done('c', 'POST', '/_refresh');
    await done('c', 'POST', '/books/_open');
    for (const id of nodes.keys()) expect(await total(id)).toBe(12);
  });

  it('show it on copies too whose node has not heard of the opening', async () => {
    const opening = await openUnheard();
    expect(await total('a', '_only_node:c')).toBe(12);
    await hear(opening);
  });

  it('show what was written since, when a refresh is over: at nodes that had not heard of the opening, by nodes that had not', async () => {
    const opening = await openUnheard();
    await done('a', 'PUT', '/books/book/new', { n: 12 });
    await done('a', 'POST', '/books/_refresh');
    expect(await total('a', '_only_node:c')).toBe(13);
    await done('a', 'PUT', '/books/book/newer', { n: 13 });
    const refreshed = node('c').call('POST', '/_refresh');
    await hear(opening);
    const { status, body } = await refreshed;
    expect([status, body._shards.total]).toEqual([200, 6]);
    for (const id of nodes.keys()) expect(await total(id)).toBe(14);
  });

  it('show it when a refresh is over, too, of a node on a full disk that has not heard of the opening', async () => {
    await done('a', 'PUT', '/more', { settings: { number_of_shards: 1, number_of_replicas: 2 } });
    const { storage } = simulated.disks.get('c')!;
    const full = vi.spyOn(storage, 'commit').mockRejectedValue(new Error('no room'));
    await done('a', 'PUT', '/more/book/1', {});
    await done('a', 'POST', '/books/_open');
    await done('a', 'PUT', '/books/book/new', { n: 12 });
    await done('c', 'POST', '/_refresh');
    expect(indexAt('c').closed).toBe(true);
    for (const id of ['a', 'b']) expect(await total(id)).toBe(13);
    full.mockRestore();
    await until(() => !indexAt('c').closed);
  });
});

describe('analyzers that are changed while an index is closed', () => {
  const analyzer = (type: string) => ({ 'index.analysis.analyzer.default.type': type });
  const counts = async (id: string) =>
    Promise.all(
      ['A-b', 'a'].map(async (term) => {
        const query = { query: { term: { text: term } } };
        return (await done(id, 'POST', '/books/_search', query)).hits.total;
      }),
    );
  const add = (id: string, doc: string) => done(id, 'PUT', `/books/book/${doc}`, { text: 'A-b' });

  beforeEach(async () => {
    await done('a', 'PUT', '/books', {
      settings: { number_of_shards: 1, number_of_replicas: 2, ...analyzer('whitespace') },
      mappings: { book: { properties: { text: { type: 'string' } } } },
    });
    await add('a', '1');
  });

  it('parse what is written when it is open again, on all nodes', async () => {
    await done('a', 'POST', '/books/_close');
    await rest();
    await done('b', 'PUT', '/books/_settings', {
      ...analyzer('simple'),
      'index.analysis.analyzer.own.type': 'keyword',
    });
    await done('c', 'PUT', '/books/_mapping/book', {
      properties: { name: { type: 'string', analyzer: 'own' } },
    });
    for (const id of nodes.keys()) {
      const { books } = await done(id, 'GET', '/books/_settings');
      expect(books.settings.index.analysis.analyzer.default.type).toBe('simple');
    }
    await done('a', 'POST', '/books/_open');
    await add('b', '2');
    await done('c', 'PUT', '/books/book/3', { name: 'A-b' });
    await done('a', 'POST', '/books/_refresh');
    for (const id of nodes.keys()) expect(await counts(id)).toEqual([1, 1]);
    expect((await done('b', 'GET', '/books/_analyze?text=A-b')).tokens.length).toBe(2);
  });

  it('parse nothing that was written before, where a node reads it afterwards', async () => {
    kill('c');
    await until(() => node('a').engine.replication!.nodes.ids.length === 2);
    await add('a', '2');
    await done('a', 'POST', '/books/_close');
    await done('b', 'PUT', '/books/_settings', analyzer('simple'));
    await done('a', 'POST', '/books/_open');
    await add('b', '3');
    await done('a', 'POST', '/books/_close');
    await done('b', 'PUT', '/books/_settings', analyzer('keyword'));
    await start('c');
    await until(() => copiesAt('c').length === 1);
    await rest();
    // As they are read from the store, half-way between two settings.
    kill('b');
    await start('b');
    await done('c', 'POST', '/books/_open');
    await add('c', '4');
    await done('a', 'POST', '/books/_refresh');
    for (const id of nodes.keys()) expect(await counts(id)).toEqual([3, 1]);
    // A new log begins with what there is.
    for (const id of nodes.keys()) expect(indexAt(id).metadata.begun).toEqual(analyzer('whitespace'));
  });

  it('are refused where they do not fit', async () => {
    await done('a', 'POST', '/books/_close');
    const wrong = { 'index.analysis.analyzer.default.type': 'nosuch' };
    expect((await node('a').call('PUT', '/books/_settings', wrong)).status).toBe(400);
    const replicas = await node('a').call('PUT', '/books/_settings', { number_of_replicas: 1 });
    expect(replicas.body.error).toMatch(/can leave index in an unopenable state/);
    await done('a', 'POST', '/books/_open');
    await add('b', '2');
  });
});
