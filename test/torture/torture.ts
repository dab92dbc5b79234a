/** Rounds of load, death and comparison on one data folder. */
import { statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Ledger, Register } from './ledger.js';
import { CHANGES, runLoad } from './load.js';
import { Random } from './random.js';
import { Unanswered } from './peer.js';
import { ServerProcess } from './serverProcess.js';
import { prepare, verify } from './verify.js';

/** How long, how hard and on what. */
export interface TortureOptions {
  /** The compiled command line of the server. */
  main: string;
  /** A folder that is empty or not there. */
  data: string;
  rounds: number;
  seed: number;
  /** The longest load of a round, in milliseconds. */
  ms: number;
  writers: number;
  /** Whether the store makes its file smaller all the time; for a server that was built module by module. */
  shrink?: boolean;
  /** Called when a server has died: the power is cut with it. */
  cutPower?: () => void;
  /** Told of every round. */
  log?: (line: string) => void;
}

/** What came out. */
export interface TortureResult {
  acknowledged: number;
  /** Writes that the deaths left without an answer. */
  unanswered: number;
  documents: number;
  /** The longest time from a start to the first answer, in milliseconds. */
  slowestStart: number;
  /** Rounds in which the store's file was made smaller. */
  shrunk: number;
  problems: string[];
}

/** Runs all rounds; stops at the first one that finds something wrong. */
export async function torture(options: TortureOptions): Promise<TortureResult> {
  const { rounds, seed, log = () => {} } = options;
  const random = new Random(seed);
  const ledger = new Ledger();
  const registers = new Map(
    CHANGES.map(({ register, initial }) => [register, new Register(register, initial)]),
  );
  const problems: string[] = [];
  let slowestStart = 0;
  let shrunk = 0;
  for (let round = 0; round <= rounds && problems.length === 0; round++) {
    // Now and then a start is cut short as well.
    if (round > 0 && random.chance(0.1)) await killedStart(options, random);
    const started = performance.now();
    const server = start(options, random);
    try {
      await server.ready();
      const file = storeFile(options);
      const took = Math.round(performance.now() - started);
      slowestStart = Math.max(slowestStart, took);
      if (round === 0) await prepare(server);
      problems.push(...(await verify(server, ledger, registers)));
      log(`round ${round}: up after ${took} ms, ${ledger.size} ids, ${ledger.acknowledged} acknowledged`);
      // The last round only compares.
      if (round === rounds || problems.length > 0) break;
      const load = { server, ledger, registers, problems, pause, ending: false };
      const running = runLoad(load, options.writers, random, round);
      await pause(options.ms * (0.1 + 0.9 * random.next()));
      // Most die, some are asked to end.
      load.ending = random.chance(0.1);
      await server.end(load.ending ? 'SIGTERM' : 'SIGKILL');
      options.cutPower?.();
      await running;
      if (storeFile(options) !== file) shrunk++;
    } catch (e) {
      problems.push(e instanceof Unanswered ? `${e.message}\n${server.log}` : String(e));
    } finally {
      await server.end('SIGKILL');
      if (problems.length > 0) log(server.log);
    }
  }
  const { acknowledged, unanswered, size } = ledger;
  return { acknowledged, unanswered, documents: size, slowestStart, shrunk, problems };
}

function start({ main, data, shrink = false }: TortureOptions, random: Random): ServerProcess {
  const args = ['--data', data, '--threads', String(1 + random.below(2))];
  return new ServerProcess(main, args, shrink ? ['--import', shrinkingOften(main, data)] : []);
}

/** Which file the store's is: one that was made smaller is another one. */
function storeFile({ data }: TortureOptions): number {
  return statSync(join(data, 'store', 'data.mdb')).ino;
}

/** A module beside the data that has a server look all the time whether its store's file can be made smaller, and do so. */
function shrinkingOften(main: string, data: string): string {
  const storage = pathToFileURL(join(dirname(main), '..', 'storage', 'lmdb.js'));
  const file = `${data}-shrinking.mjs`;
  writeFileSync(
    file,
    `import { LmdbStorage } from '${storage}';\n` +
      'Object.assign(LmdbStorage.shrinking, { shrinksFrom: 1, freeShare: 0, lookEvery: 5 });\n',
  );
  return String(pathToFileURL(file));
}

async function killedStart(options: TortureOptions, random: Random): Promise<void> {
  const server = start(options, random);
  await pause(random.below(500));
  await server.end('SIGKILL');
  options.cutPower?.();
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
