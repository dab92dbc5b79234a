import { expect, it } from 'vitest';
import { InProcessCluster } from '../../../host/cluster/inProcess/inProcessCluster.js';
import { LogUnavailable } from '../../../host/cluster/errors.js';
import type { Log } from '../../../host/cluster/log.js';
import type { ClusterServices } from '../../../host/cluster/services.js';
import { Random } from '../../torture/random.js';
import { beginFaults, type FaultName } from './faultPlan.js';
import { FaultyNetwork } from './faultyNetwork.js';
import { VirtualClock } from './virtualClock.js';

const NODES = ['a', 'b', 'c'];
const FAULTS_OF_SERVICES: readonly FaultName[] = [
  'kill',
  'killAll',
  'isolate',
  'cut',
  'cutLog',
  'slowLog',
  'weather',
];
const LOGS = ['books', 'people'];
const SEEDS = 30;
const FAULTS_MS = 60_000;

/** What one run has shown. */
interface History {
  /** Position by log and word, for each append that was acknowledged. */
  acknowledged: Map<string, number>;
  /** What each process of a node has read of each log: from where it stopped before. */
  read: Map<string, { position: number; checksum: number; words: string[] }>;
  trace: string[];
}

/** A log, when its servers can be reached. */
async function opened(services: ClusterServices, name: string): Promise<Log> {
  for (;;) {
    try {
      return await services.logs.open(name, { create: true });
    } catch (e) {
      if (!(e instanceof LogUnavailable)) throw e;
    }
  }
}

/** Nodes that append to two logs and read both, under the faults of a seed; then a time without faults. */
async function run(seed: number): Promise<{ history: History; cluster: InProcessCluster }> {
  const random = new Random(seed);
  const clock = new VirtualClock();
  const network = new FaultyNetwork(random, clock);
  const cluster = new InProcessCluster({ clock, network });
  const history: History = { acknowledged: new Map(), read: new Map(), trace: [] };
  const tell = (what: string) => history.trace.push(`${clock.now()} ${what}`);
  let words = 0;
  let writing = true;

  const follow = async (node: string, services: ClusterServices, name: string) => {
    const log = await opened(services, name);
    const key = `${node} ${name}`;
    const read = history.read.get(key) ?? { position: 0, checksum: 0, words: [] };
    history.read.set(key, read);
    const options = read.position ? { checksum: read.checksum } : {};
    for await (const message of log.read(read.position, new AbortController().signal, options)) {
      expect(message.position).toBe(read.position + 1);
      read.position = message.position;
      read.checksum = message.checksum;
      read.words.push(new TextDecoder().decode(message.bytes));
      tell(`${key} ${message.position}`);
    }
  };
  const append = async (node: string, services: ClusterServices, name: string) => {
    const log = await opened(services, name);
    while (writing) {
      const word = `${node}-${++words}`;
      try {
        const position = await log.append('shard.0', new TextEncoder().encode(word), { id: word });
        history.acknowledged.set(`${name} ${word}`, position);
        tell(`${name} ${word} acknowledged at ${position}`);
      } catch (error) {
        tell(`${name} ${word} ${error}`);
      }
      await new Promise<void>((resolve) => services.clock.after(random.below(400), resolve));
    }
  };
  const start = (node: string) => {
    const services = cluster.start(node);
    for (const name of LOGS) {
      const failed = (error: unknown) => tell(`${node} ${name} ${error}`);
      follow(node, services, name).catch(failed);
      append(node, services, name).catch(failed);
    }
  };
  NODES.forEach(start);
  const faulted = {
    network,
    nodes: NODES,
    logs: LOGS,
    kill: (node: string) => cluster.kill(node),
    start,
    restart: () => {},
    refuseWrites: () => {},
  };
  const endFaults = beginFaults(clock, random, { faults: FAULTS_OF_SERVICES, everyMs: 3000 }, faulted, tell);
  clock.after(FAULTS_MS, () => {
    endFaults();
    writing = false;
  });
  clock.after(FAULTS_MS + 60_000, () => clock.stop());
  await clock.run();
  return { history, cluster };
}

it('nothing acknowledged is lost or doubled, and all nodes read the same, whatever happens to them', async () => {
  let acknowledged = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    const { history, cluster } = await run(seed);
    acknowledged += history.acknowledged.size;
    for (const name of LOGS) {
      const stored = cluster.storedLog(name)!;
      const words = history.read.get(`a ${name}`)!.words;
      expect(words.length, `seed ${seed}`).toBe(stored.last);
      expect(new Set(words).size, `seed ${seed}`).toBe(words.length);
      for (const node of NODES)
        expect(history.read.get(`${node} ${name}`)!.words, `seed ${seed}`).toEqual(words);
      for (const [key, position] of history.acknowledged)
        if (key.startsWith(`${name} `)) expect(`${name} ${words[position - 1]}`, `seed ${seed}`).toBe(key);
    }
  }
  expect(acknowledged).toBeGreaterThan(SEEDS * 50);
});

it('a seed gives the same run each time, to the last event', async () => {
  const [first, second, other] = [await run(4711), await run(4711), await run(4712)];
  expect(first.history.trace.length).toBeGreaterThan(500);
  expect(first.history.trace).toEqual(second.history.trace);
  expect(first.history.trace).not.toEqual(other.history.trace);
});

it('servers that forget acknowledged messages are found out by every reader', async () => {
  const clock = new VirtualClock();
  const cluster = new InProcessCluster({ clock });
  const done = (async () => {
    const [a, b] = await Promise.all(
      ['a', 'b'].map((node) => cluster.start(node).logs.open('books', { create: true })),
    );
    const bytes = (word: string) => new TextEncoder().encode(word);
    const failures: unknown[] = [];
    const follow = async (log: typeof a) => {
      for await (const _ of log!.read(0, new AbortController().signal));
    };
    const reading = [a, b].map((log) => follow(log).catch((error) => failures.push(error)));
    for (const word of ['1', '2', '3']) await a!.append('meta', bytes(word));
    await clock.sleep(5000);
    cluster.storedLog('books')!.forget(1);
    // What its writer had read last isn't there any more: whoever reads it knows that something was lost.
    await a!.append('meta', bytes('other'));
    await Promise.all(reading);
    return failures.map(String);
  })();
  let finished = false;
  done.finally(() => (finished = true)).catch(() => {});
  await clock.run(() => finished);
  for (const failure of await done) expect(failure).toMatch(/^LogShortened|^LogDiffers/);
  expect(await done).toHaveLength(2);
});
