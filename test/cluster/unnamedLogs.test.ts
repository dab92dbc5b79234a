/** Logs that are made for indices which then do not come about. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { logEndpoint } from '../../host/cluster/inProcess/network.js';
import type { Log } from '../../host/cluster/log.js';
import type { ClusterServices } from '../../host/cluster/services.js';
import { isIndexLog, logName } from '../../host/replication/indexLog.js';
import { METADATA_LOG } from '../../host/replication/metadataLogs.js';
import { openClusterServices } from '../../host/server/cluster/clusterServices.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import { coreBytes } from '../support/core.js';
import { NatsServers, natsVersion } from './harness/natsServers.js';
import { SimulatedCluster } from './simulation/simulatedCluster.js';
import { SimulatedNode } from './simulation/simulatedNode.js';

const module = await WebAssembly.compile(coreBytes());
const MINUTE = 60_000;
/** Nothing of logs stays. */
const NOTHING = { bytes: 0, ms: 0 };
let simulated: SimulatedCluster;
let nodes: Map<string, SimulatedNode>;

beforeEach(async () => {
  simulated = new SimulatedCluster();
  nodes = new Map();
  for (const id of ['a', 'b', 'c']) nodes.set(id, await simulated.start(id));
});

afterEach(async () => {
  await simulated.close(nodes.values());
});

const node = (id: string) => nodes.get(id)!;
const create = (id: string, name: string) => node(id).call('PUT', `/${name}`);

/** The logs of indices that there are. */
async function logs(): Promise<string[]> {
  const stranger = simulated.cluster.start('stranger');
  const all = await stranger.logs.list();
  await stranger.close();
  return all.filter(isIndexLog);
}

/** The logs of the indices that a node knows. */
const named = (id: string) =>
  node(id)
    .engine.cluster.all()
    .map(({ uuid }) => logName(uuid))
    .sort();

/** A node can't reach the log of the metadata any more from when it makes the log of an index. */
function cutOffWhenAnnounced(id: string): void {
  let isAnnounced = false;
  simulated.loses = (from, to) => {
    if (from === id && to.startsWith(logEndpoint(logName('')))) isAnnounced = true;
    return isAnnounced && from === id && to === logEndpoint(METADATA_LOG);
  };
}

/** A node ends when it has made the log of an index, and not told of that. */
async function killWhenAnnounced(id: string): Promise<void> {
  const before = (await logs()).length;
  cutOffWhenAnnounced(id);
  void create(id, 'books');
  await simulated.clock.sleep(1000);
  expect(await logs()).toHaveLength(before + 1);
  simulated.cluster.kill(id);
  nodes.delete(id);
  simulated.loses = () => false;
  await simulated.clock.sleep(15_000);
}

/** Where changes of the metadata wait before they are put into the log. */
class Gate {
  isShut = false;
  readonly reached: Promise<void>;
  readonly opened: Promise<void>;
  open = () => {};
  reach = () => {};

  constructor() {
    this.reached = new Promise((resolve) => {
      this.reach = resolve;
    });
    this.opened = new Promise((resolve) => {
      this.open = resolve;
    });
  }
}

function heldUp(services: ClusterServices, gate: Gate): ClusterServices {
  const { logs, members, peers, clock } = services;
  const open = async (...args: Parameters<typeof logs.open>): Promise<Log> => {
    const log = await logs.open(...args);
    if (log.name !== METADATA_LOG) return log;
    const append = log.append.bind(log);
    log.append = async (...of) => {
      if (gate.isShut) {
        gate.reach();
        await gate.opened;
      }
      return append(...of);
    };
    return log;
  };
  return { members, peers, clock, logs: { open, list: () => logs.list() }, close: () => services.close() };
}

describe('the log of an index that did not come about', () => {
  it('is removed at once where another node was first', async () => {
    const made = await Promise.all(['a', 'b', 'c'].map((id) => create(id, 'books')));
    expect(made.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    await simulated.clock.sleep(1000);
    expect(await logs()).toEqual(named('a'));
    const written = await Promise.all(
      ['a', 'b', 'c'].map((id) => node(id).call('PUT', `/notes/note/${id}`, { text: id })),
    );
    expect(written.map(({ status }) => status)).toEqual([201, 201, 201]);
    await simulated.clock.sleep(1000);
    expect(named('a')).toHaveLength(2);
    expect(await logs()).toEqual(named('a'));
  });

  it('is removed with the next change where it was not known what became of the first', async () => {
    cutOffWhenAnnounced('a');
    expect((await create('a', 'books')).status).toBe(503);
    simulated.loses = () => false;
    expect(await logs()).toHaveLength(1);
    expect((await create('b', 'books')).status).toBe(200);
    expect((await create('a', 'notes')).status).toBe(200);
    await simulated.clock.sleep(1000);
    expect(named('a')).toHaveLength(2);
    expect(await logs()).toEqual(named('a'));
  });

  it('is removed by another node when it is as old as logs are kept', async () => {
    expect((await create('b', 'notes')).status).toBe(200);
    await killWhenAnnounced('a');
    const { clock } = simulated;
    const transient = { 'indices.log.retention.age': '30m' };
    expect((await node('b').call('PUT', '/_cluster/settings', { transient })).status).toBe(200);
    await clock.sleep(29 * MINUTE);
    expect(await logs()).toHaveLength(2);
    await clock.sleep(5 * MINUTE);
    expect(await logs()).toEqual(named('b'));
    expect((await node('c').call('PUT', '/notes/note/1', { text: 'kept' })).status).toBe(201);
    expect((await create('c', 'books')).status).toBe(200);
  });

  it('is removed also where it was the first index of the cluster', async () => {
    await killWhenAnnounced('a');
    await node('b').engine.replication!.trim(NOTHING);
    expect(await logs()).toEqual([]);
  });
});

describe('the log of an index', () => {
  it('that a node is just making is removed only with what that makes', async () => {
    const held = new Gate();
    nodes.set('d', await simulated.start('d', { seen: (services) => heldUp(services, held) }));
    held.isShut = true;
    const creating = create('d', 'books');
    await held.reached;
    expect(await logs()).toHaveLength(1);
    await node('a').engine.replication!.trim(NOTHING);
    expect(await logs()).toEqual([]);
    held.open();
    // What it makes now is made of other metadata: it is made anew, with another log.
    expect((await creating).status).toBe(200);
    expect(await logs()).toEqual(named('a'));
    expect((await node('b').call('PUT', '/books/book/1', { text: 'kept' })).status).toBe(201);
  });

  it('stays where the index comes about when nodes have been asked what they know', async () => {
    const held = new Gate();
    nodes.set('d', await simulated.start('d', { seen: (services) => heldUp(services, held) }));
    held.isShut = true;
    const creating = create('d', 'books');
    await held.reached;
    const replication = node('a').engine.replication!;
    const { peers } = replication;
    const ask = peers.ask.bind(peers);
    let unanswered = 3;
    peers.ask = async (id, kind, ...rest) => {
      const answer = await ask(id, kind, ...rest);
      if (kind === 'kept' && --unanswered === 0) {
        held.open();
        expect((await creating).status).toBe(200);
      }
      return answer;
    };
    await replication.trim(NOTHING);
    expect(unanswered).toBe(0);
    expect(await logs()).toEqual(named('b'));
    expect(await logs()).toHaveLength(1);
  });

  it('stays where the node that looks has not heard of the index', async () => {
    simulated.loses = (from, to) => to === 'a' && from === logEndpoint(METADATA_LOG);
    const creating = create('b', 'books');
    await simulated.clock.sleep(1000);
    expect(await logs()).toEqual(named('b'));
    expect(named('a')).toEqual([]);
    simulated.loses = () => false;
    await node('a').engine.replication!.trim(NOTHING);
    expect((await creating).status).toBe(200);
    expect(await logs()).toEqual(named('a'));
  });

  it('stays where the log of the metadata has forgotten the index, and another node knows it', async () => {
    simulated.loses = (from, to) => to === 'a' && from === logEndpoint(METADATA_LOG);
    void create('b', 'books');
    await simulated.clock.sleep(1000);
    const metadata = simulated.cluster.storedLog(METADATA_LOG)!;
    metadata.forget(metadata.last - 1);
    simulated.loses = () => false;
    await simulated.clock.sleep(1000);
    expect(named('a')).toEqual([]);
    await node('a').engine.replication!.trim(NOTHING);
    expect(await logs()).toEqual(named('b'));
  });

  it('stays where the index is closed, or repaired', async () => {
    expect((await create('a', 'books')).status).toBe(200);
    expect((await create('a', 'notes')).status).toBe(200);
    expect((await node('b').call('POST', '/books/_close')).status).toBe(200);
    simulated.cluster.storedLog(logName(node('a').engine.index('notes').uuid))!.delete();
    await simulated.clock.sleep(20_000);
    const { body } = await node('b').call('GET', '/_cluster/repair/notes');
    expect((await node('b').call('POST', '/_cluster/repair/notes', body)).status).toBe(200);
    await node('a').engine.replication!.trim(NOTHING);
    expect(await logs()).toEqual(named('c'));
    expect(named('c')).toHaveLength(2);
  });
});

describe.skipIf(natsVersion() === undefined)('streams of NATS', () => {
  it('are those of indices, whoever makes one at the same time or ends meanwhile', async () => {
    const nats = await NatsServers.start(1);
    const servers = [`nats://127.0.0.1:${nats.servers[0]!.port}`];
    const started = await Promise.all(
      ['a', 'b', 'c'].map(async (id) => {
        const services = await openClusterServices({ servers, cluster: 'unnamed', node: id });
        const kept = { storage: new MemoryStorage(), blobs: new MemoryBlobs() };
        return {
          services,
          node: await SimulatedNode.start({ id, incarnation: id, services, module, ...kept }),
        };
      }),
    );
    try {
      const all = started.map((each) => each.node);
      const [{ services, node }] = started as [(typeof started)[0]];
      const streams = async () => (await services.logs.list()).filter(isIndexLog);
      const uuids = () => node.engine.cluster.all().map(({ uuid }) => logName(uuid));
      for (const name of ['books', 'notes'])
        await Promise.all(all.map((each) => each.call('PUT', `/${name}/doc/${each.id}`, { by: each.id })));
      await expect.poll(streams).toEqual(uuids().sort());
      expect(await streams()).toHaveLength(2);
      await services.logs.open(logName('of-a-node-that-ended'), { create: true });
      expect(await streams()).toHaveLength(3);
      await node.engine.replication!.trim(NOTHING);
      expect(await streams()).toEqual(uuids().sort());
      for (const each of all) {
        expect((await each.call('PUT', `/books/doc/${each.id}`, { by: each.id })).body._version).toBe(2);
        expect((await each.call('PUT', `/by-${each.id}`)).status).toBe(200);
      }
    } finally {
      for (const each of started) await each.node.engine.close();
      for (const each of started) await each.services.close();
      await nats.close();
    }
  });
});
