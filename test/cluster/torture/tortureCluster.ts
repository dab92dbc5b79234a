/** A cluster that loses nodes, servers and links again and again while it is written to, and is compared with what it acknowledged. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHANGES } from '../../torture/load.js';
import { Random } from '../../torture/random.js';
import { TestCluster } from '../harness/testCluster.js';
import { type Clients, runClients } from './clients.js';
import { compareNodes, createIndices, untilGreen } from './compare.js';
import { diagnose } from './diagnosis.js';
import { type BegunFault, beginFault, healFaults } from './faults.js';
import { History, Values } from './history.js';
import { SearchTally } from './searches.js';

/** Changes of metadata that clients make. */
const CHANGED = ['aliases', 'mapping', 'settings', 'template'];
/** Chance of a second fault while the first lasts. */
const SECOND = 0.25;
/** Chance of faults that last until nodes count as gone, and until servers have elected others. */
const LONG = 0.1;
const LONG_MS = 14_000;
/** How long places of nodes that went are kept: not much longer, so that copies move while faults last. */
const GRACE = '1s';
/** Documents whose writes are told when something is wrong. */
const MOST_DESCRIBED = 10;

export interface TortureOptions {
  /** The compiled command line. */
  main: string;
  natsServers: number;
  nodes: number;
  rounds: number;
  seed: number;
  /** Milliseconds that a fault lasts, about. */
  ms: number;
  writers: number;
  /** With users, passwords and TLS. */
  secured?: boolean;
  /** Whether some faults last for {@link LONG_MS}. */
  long?: boolean;
  /** The names of the kinds of faults that come; all without. */
  faults?: readonly string[];
  log?: (line: string) => void;
}

export interface TortureResult {
  rounds: number;
  /** How many faults of each kind there were. */
  faults: Readonly<Record<string, number>>;
  acknowledged: number;
  refused: number;
  unanswered: number;
  searches: number;
  /** Searches that failed while some node could be reached, the first of them in words. */
  failedSearches: number;
  searchFailures: readonly string[];
  /** Searches for which no node could be reached. */
  unreachable: number;
  /** Tries at one node, by what they came to. */
  tries: Readonly<Record<string, number>>;
  /** Milliseconds until all was green again, at most. */
  slowestGreen: number;
  /** Milliseconds from the end of a fault to the first acknowledged write, at most. */
  slowestWrite: number;
  problems: string[];
  /** Where the data are, when there are problems. */
  folder: string;
}

/** Resolves with what was found; rounds end with the first one that finds anything wrong. */
export async function tortureCluster(options: TortureOptions): Promise<TortureResult> {
  const { rounds, seed, ms, writers, log = () => {} } = options;
  const random = new Random(seed);
  const long = options.long ? LONG : 0;
  const args = ['--threads', '1,1', '--grace', GRACE];
  const cluster = await TestCluster.start({ ...options, args, clocks: true });
  const history = new History();
  const values = new Map(
    CHANGES.filter(({ register }) => CHANGED.includes(register)).map(({ register, initial }) => [
      register,
      new Values(register, initial),
    ]),
  );
  const searches = new SearchTally();
  const result: TortureResult = {
    ...{ rounds: 0, faults: {}, acknowledged: 0, refused: 0, unanswered: 0, searches: 0, failedSearches: 0 },
    ...{ searchFailures: searches.failures, unreachable: 0, tries: {} },
    ...{ slowestGreen: 0, slowestWrite: 0, problems: history.problems, folder: cluster.folder },
  };
  const kinds = new Map<string, number>();
  const begin = async (faults: BegunFault[]) => {
    const fault = await beginFault(cluster, random, faults, options.faults);
    if (fault === undefined) return;
    kinds.set(fault.kind, (kinds.get(fault.kind) ?? 0) + 1);
    faults.push(fault);
  };
  let lasting: readonly BegunFault[] = [];
  try {
    await untilGreen(cluster, 0);
    const copies = await createIndices(cluster);
    for (let round = 0; round < rounds && history.problems.length === 0; round++) {
      const started = performance.now();
      const stop = new AbortController();
      const clients: Clients = {
        ...{
          nodes: cluster.nodes,
          peers: cluster.nodes,
          history,
          values,
          stop: stop.signal,
          searches,
          faultAt: 0,
        },
      };
      const running = runClients(clients, writers, random, round);
      await pause(random.below(ms));
      clients.faultAt = performance.now();
      const faults: BegunFault[] = [];
      lasting = faults;
      await begin(faults);
      await pause(random.below(ms));
      if (random.chance(SECOND)) await begin(faults);
      await pause(random.chance(long) ? LONG_MS : random.below(ms));
      await inTime(healFaults(faults));
      const write = await firstWrite(history);
      stop.abort();
      await running;
      const green = await untilGreen(cluster, copies);
      if (typeof green === 'string') history.problems.push(green);
      else result.slowestGreen = Math.max(result.slowestGreen, green);
      result.slowestWrite = Math.max(result.slowestWrite, write);
      await compareNodes(cluster, history, values);
      result.rounds++;
      log(
        `${round}: ${faults.map(({ name }) => name).join('; ')}: first write ${write} ms, green ${green} ms, ${Math.round(performance.now() - started)} ms in all`,
      );
    }
  } catch (error) {
    log(`round ${result.rounds} ended in: ${lasting.map(({ name }) => name).join('; ')}`);
    history.problems.push(String(error instanceof Error ? error.stack : error));
  }
  const { acknowledged, refused, unanswered, problems } = history;
  if (problems.length > 0) await describe(cluster, history);
  await cluster.close(problems.length > 0);
  return {
    ...result,
    faults: Object.fromEntries(kinds),
    ...{ acknowledged, refused, unanswered, searches: searches.asked, failedSearches: searches.failed },
    ...{ unreachable: searches.unreachable, tries: Object.fromEntries(searches.tries) },
  };
}

/** Writes down what is known of what is wrong. */
async function describe(cluster: TestCluster, history: History): Promise<void> {
  const keys = new Set(history.problems.flatMap((problem) => /^[a-z-]+\/\d+(?=: )/.exec(problem) ?? []));
  const documents = [...keys].slice(0, MOST_DESCRIBED).flatMap((key) => [key, ...history.describe(key)]);
  const lines = [...history.problems, ...documents, ...(await diagnose(cluster))];
  writeFileSync(join(cluster.folder, 'problems'), `${lines.join('\n')}\n`);
}

/** Milliseconds until another write is acknowledged; a minute when none is. */
async function firstWrite(history: History): Promise<number> {
  const started = performance.now();
  const before = history.acknowledged;
  while (history.acknowledged === before && performance.now() - started < 60_000) await pause(10);
  return Math.round(performance.now() - started);
}

/** What is dead has to run again within two minutes. */
async function inTime(healing: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('a node does not start')), 120_000);
  });
  await Promise.race([healing, late]).finally(() => clearTimeout(timer));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
