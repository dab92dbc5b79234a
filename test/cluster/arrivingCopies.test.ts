/** What is read of a copy that arrives meanwhile, all that was acknowledged before, and what it confirms. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Log, LogMessage } from '../../host/cluster/log.js';
import type { ClusterServices } from '../../host/cluster/services.js';
import { NodeQuestions } from '../../host/replication/nodeQuestions.js';
import { encodeJson } from '../../host/storage/records.js';
import { SimulatedCluster } from './simulation/simulatedCluster.js';
import type { SimulatedNode } from './simulation/simulatedNode.js';

let simulated: SimulatedCluster;
let nodes: SimulatedNode[];

beforeEach(() => {
  simulated = new SimulatedCluster();
  nodes = [];
});

afterEach(async () => {
  await simulated.close(nodes);
});

/** Something that is waited for until it is let go. */
class Gate {
  readonly opened: Promise<void>;
  readonly reached: Promise<void>;
  open = () => {};
  #reach = () => {};

  constructor() {
    this.opened = new Promise((resolve) => {
      this.open = resolve;
    });
    this.reached = new Promise((resolve) => {
      this.#reach = resolve;
    });
  }

  pass(): Promise<void> {
    this.#reach();
    return this.opened;
  }
}

/** What a node waits for before it is given what it asks of a log of an index. */
interface Held {
  /** The last position of all. */
  end(): Promise<void>;
  message(message: LogMessage): Promise<void>;
}

function heldUp(services: ClusterServices, held: Held): ClusterServices {
  const { logs, members, peers, clock } = services;
  const open = async (...args: Parameters<typeof logs.open>): Promise<Log> => {
    const log = await logs.open(...args);
    if (!log.name.startsWith('index-')) return log;
    const lastPosition = log.lastPosition.bind(log);
    const read = log.read.bind(log);
    log.lastPosition = async (subject) => {
      const position = await lastPosition(subject);
      if (subject === undefined) await held.end();
      return position;
    };
    log.read = async function* (...of) {
      for await (const message of read(...of)) {
        await held.message(message);
        yield message;
      }
    };
    return log;
  };
  return { members, peers, clock, logs: { open, list: () => logs.list() }, close: () => services.close() };
}

describe('a copy that arrives', () => {
  it('is read with all that was acknowledged before, by whoever began when it had not arrived', async () => {
    const a = await simulated.start('a');
    nodes.push(a);
    const excluded = 'index.routing.allocation.exclude._id';
    const settings = { number_of_shards: 1, number_of_replicas: 0, [excluded]: 'b' };
    await a.call('PUT', '/books', { settings });
    await a.call('PUT', '/books/doc/1', { n: 1 });
    const last = simulated.cluster.storedLog(`index-${a.engine.index('books').uuid}`)!.last;

    const [end, message, disk] = [new Gate(), new Gate(), new Gate()];
    let b: SimulatedNode | undefined;
    const isArriving = () => {
      const index = b?.engine.cluster.find('books');
      return index?.copyOf(0) !== undefined && !index.shards[0]!.isHeld;
    };
    // The first question is for where it takes part in what is asked of all copies, the second for where it arrives.
    let questions = 0;
    const held: Held = {
      end: async () => {
        if (isArriving() && ++questions === 2) await end.pass();
      },
      message: async ({ position }) => {
        if (position > last) await message.pass();
      },
    };
    b = await simulated.start('b', { seen: (services) => heldUp(services, held) });
    nodes.push(b);
    await a.call('PUT', '/books/_settings', { number_of_replicas: 1, [excluded]: '' });
    await end.reached;

    expect((await a.call('PUT', '/books/doc/1', { n: 2 })).body._version).toBe(2);
    let isRead = false;
    const reading = b.call('GET', '/books/doc/1').finally(() => {
      isRead = true;
    });
    await message.reached;
    await simulated.clock.sleep(100);
    end.open();
    await simulated.clock.sleep(100);
    expect(b.engine.index('books').shards[0]!.isHeld).toBe(true);
    expect(isRead).toBe(false);
    // Now it reads what was acknowledged, and has it on its disk a while later.
    const { storage } = simulated.disks.get('b')!;
    const commit = storage.commit.bind(storage);
    storage.commit = async (puts, deletes, options) => {
      await disk.pass();
      await commit(puts, deletes, options);
    };
    message.open();
    await disk.reached;
    await simulated.clock.sleep(100);
    disk.open();
    expect((await reading).body).toMatchObject({ _version: 2, _source: { n: 2 } });
  });

  it('counts when the mapping is known that its documents were parsed by', async () => {
    const a = await simulated.start('a');
    nodes.push(a);
    const excluded = 'index.routing.allocation.exclude._id';
    const settings = { number_of_shards: 1, number_of_replicas: 0, [excluded]: 'b' };
    await a.call('PUT', '/books', { settings });
    const message = new Gate();
    const held: Held = { end: async () => {}, message: () => message.pass() };
    const b = await simulated.start('b', { seen: (services) => heldUp(services, held) });
    await a.call('PUT', '/books/doc/1', { later: 1 });
    await message.reached;

    // All of the copy has come, and nothing of the log: then the node is killed.
    await a.call('PUT', '/books/_settings', { number_of_replicas: 1, [excluded]: '' });
    while (b.engine.replication!.copies.progress[0]?.rows.copied !== 1) await simulated.clock.sleep(10);
    await simulated.clock.sleep(1000);
    simulated.cluster.kill('b');
    const again = await simulated.start('b');
    nodes.push(again);
    while (!again.engine.index('books').shards[0]!.isHeld) await simulated.clock.sleep(10);
    const [here, there] = await Promise.all(nodes.map((node) => node.call('GET', '/books/_mapping')));
    expect(here!.body).toEqual(there!.body);
    const { body } = await again.call('GET', '/books/_search?q=later:1&preference=_local');
    expect(body.hits.total).toBe(1);
  });

  it('confirms nothing that the copy was asked for in whose place it comes', async () => {
    const register = vi.spyOn(NodeQuestions.prototype, 'register');
    for (const id of ['a', 'b']) nodes.push(await simulated.start(id));
    const [a, b] = nodes as [SimulatedNode, SimulatedNode];
    const confirm = register.mock.calls.findLast(([kind]) => kind === 'reached')![1];
    register.mockRestore();
    await a.call('PUT', '/books', { settings: { number_of_shards: 1, number_of_replicas: 1 } });
    await a.call('PUT', '/books/doc/1', { n: 1 });
    const index = b.engine.index('books');
    const { name, uuid } = index;
    const log = simulated.cluster.storedLog(`index-${uuid}`)!;
    const asked = (position: number) =>
      confirm(encodeJson({ place: { name, uuid, position }, shard: 0 }), new AbortController().signal);
    await asked(log.last);

    // The copy that is fetched has as much as the other node, and not what is written next.
    const told = expect(asked(log.last + 1)).rejects.toThrow('it has no copy of the shard any more');
    await simulated.clock.sleep(10);
    simulated.loses = (from, to) => from === `log/index-${uuid}` && to === 'b';
    const before = index.copyOf(0);
    b.engine.replication!.renew(index, 0, 'another one is to be made');
    while (index.copyOf(0) === undefined || index.copyOf(0) === before) await simulated.clock.sleep(10);
    await told;
    simulated.loses = () => false;
  });
});
