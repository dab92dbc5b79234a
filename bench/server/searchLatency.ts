/**
 * What do the host and HTTP add to a search? `match` queries for the ten best hits with their sources, over one shard of one segment
 * and one data worker. Beside one another, in turns: the core alone in this process (a plan goes in, hits come out), a server asked by a
 * client in a process of its own over one connection and over many, and a bare HTTP server that answers as many bytes, asked by the same
 * client. Per query the median over HTTP less that of the core; of these the median. Over many connections an answer waits for those
 * before it, so there the processor time of each of the server's threads says what a request costs. Not measured: queries that
 * change, cold caches.
 *
 *     npm run bench:server -- searchLatency --corpus FILE.jsonl.gz[,FILE...] --spec FILE --queries FILE
 *         [--docs N] [--rounds 5] [--seconds 2] [--connections 64]
 */
import { type ChildProcess, fork } from 'node:child_process';
import { loadavg } from 'node:os';
import { releaseCore } from '../releaseCore.js';
import { corpusChunks, type NamedQuery, readQueries, readSpec, type Spec } from '../search/corpus.js';
import { Resilin } from '../search/resilin.js';
import { fillCorpus } from './fillCorpus.js';
import { median, option, textOption } from './options.js';
import { ServerProcess, threadTimes } from './process.js';
import type { Order, Seen } from './searchClient.js';

const ROWS_AT_ONCE = 20_000;
const WARM_SECONDS = 8;
/** Runs of a query at the core per round. */
const CORE_RUNS = 15;

export async function searchLatency(args: readonly string[]): Promise<void> {
  const files = textOption(args, 'corpus')?.split(',') ?? [];
  const queryFile = textOption(args, 'queries');
  if (files.length === 0 || queryFile === undefined) throw new Error('--corpus and --queries are missing');
  const docs = option(args, 'docs', Number.POSITIVE_INFINITY);
  const seconds = option(args, 'seconds', 2);
  const connections = [1, option(args, 'connections', 64)];
  const spec = readSpec(textOption(args, 'spec'));
  const queries = readQueries(queryFile).filter(({ query }) => query.match !== undefined);
  const core = await CoreAlone.open(spec, files, docs, queries);
  const server = await ServerProcess.start(['--threads', '1', '--result-cache', '0']);
  const client = fork(new URL('./searchClient.js', import.meta.url));
  let floor: ChildProcess | undefined;
  try {
    await fillCorpus(server, spec, files, docs);
    const requests = queries.map(({ query }) => requestOf(JSON.stringify({ query })));
    const ask = (port: number, count: number, time = seconds) =>
      told<Seen>(client, { port, requests, connections: count, seconds: time } satisfies Order);
    core.run();
    const warm = await ask(server.port, connections[1]!, WARM_SECONDS);
    if (warm.failures > 0) throw new Error(`${warm.failures} requests failed`);
    const bytes = Math.round(warm.bytes / warm.times.reduce((sum, { length }) => sum + length, 0));
    floor = fork(new URL('./floorServer.js', import.meta.url), [String(bytes)]);
    const floorPort = await told<number>(floor);
    await ask(floorPort, connections[1]!);
    const served = connections.map(
      (count) => new Measured(`server, ${count}`, count, server.port, server.pid),
    );
    const bare = connections.map(
      (count) => new Measured(`bare HTTP, ${count}`, count, floorPort, floor!.pid!),
    );
    for (let round = 0; round < option(args, 'rounds', 5); round++) {
      core.run();
      for (const each of [...served, ...bare]) await each.round((count, port) => ask(port, count));
    }
    const own = core.medians();
    console.log(`${queries.length} queries, answers of ${bytes} bytes; load ${loadavg()[0]?.toFixed(1)}`);
    console.log(`core alone: median of the queries' medians ${median(own).toFixed(0)} us`);
    for (const each of [...served, ...bare]) each.print(own);
  } finally {
    client.kill();
    floor?.kill();
    await server.stop();
  }
}

/** The same corpus and the same plans, without a host around them. */
class CoreAlone {
  readonly #resilin: Resilin;
  readonly #plans: readonly Uint8Array[];
  readonly #times: number[][];

  private constructor(resilin: Resilin, plans: readonly Uint8Array[]) {
    this.#resilin = resilin;
    this.#plans = plans;
    this.#times = plans.map(() => []);
  }

  static async open(
    spec: Spec,
    files: readonly string[],
    docs: number,
    queries: readonly NamedQuery[],
  ): Promise<CoreAlone> {
    const resilin = new Resilin(await releaseCore(), spec);
    for await (const rows of corpusChunks(files, docs, ROWS_AT_ONCE)) resilin.add(rows);
    resilin.finish();
    return new CoreAlone(
      resilin,
      queries.map(({ query }) => resilin.plan(query)),
    );
  }

  run(): void {
    this.#plans.forEach((plan, i) => {
      for (let run = 0; run < CORE_RUNS; run++) {
        const started = performance.now();
        this.#resilin.searchCore(plan);
        this.#times[i]!.push((performance.now() - started) * 1000);
      }
    });
  }

  /** Microseconds, by query. */
  medians(): number[] {
    return this.#times.map(median);
  }
}

/** A server over so many connections. */
class Measured {
  readonly #name: string;
  readonly #connections: number;
  readonly #port: number;
  readonly #pid: number;
  readonly #times: number[][] = [];
  readonly #rates: number[] = [];
  /** Microseconds of processor time per request, by thread. */
  readonly #threads: Map<string, number>[] = [];

  constructor(name: string, connections: number, port: number, pid: number) {
    this.#name = name;
    this.#connections = connections;
    this.#port = port;
    this.#pid = pid;
  }

  async round(ask: (connections: number, port: number) => Promise<Seen>): Promise<void> {
    const before = threadTimes(this.#pid);
    const { times, seconds } = await ask(this.#connections, this.#port);
    const requests = times.reduce((sum, { length }) => sum + length, 0);
    const after = threadTimes(this.#pid);
    times.forEach((own, i) => {
      this.#times[i] = [...(this.#times[i] ?? []), ...own];
    });
    this.#rates.push(requests / seconds);
    const used = [...after].map(([id, time]) => [id, (time - (before.get(id) ?? 0)) / requests] as const);
    this.#threads.push(new Map(used));
  }

  /** @param core what the core alone takes, by query */
  print(core: readonly number[]): void {
    const own = this.#times.map(median);
    const added = own.map((each, i) => each - core[i]!);
    const main = String(this.#pid);
    const by = (of: (threads: ReadonlyMap<string, number>) => number) =>
      median(this.#threads.map(of)).toFixed(0);
    const others = (threads: ReadonlyMap<string, number>) =>
      [...threads]
        .filter(([id]) => id !== main)
        .map(([, time]) => time)
        .sort((a, b) => b - a);
    const sum = (list: readonly number[]) => list.reduce((all, each) => all + each, 0);
    console.log(
      `${this.#name}: ${median(this.#rates).toFixed(0)} requests/s; median ${median(own).toFixed(0)} us, less the core ${median(added).toFixed(0)} us;` +
        ` processor time of a request: main thread ${by((threads) => threads.get(main) ?? 0)} us,` +
        ` data worker ${by((threads) => others(threads)[0] ?? 0)} us, the rest ${by((threads) => sum(others(threads).slice(1)))} us`,
    );
  }
}

function requestOf(body: string): string {
  return `POST /corpus/_search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** What a process tells next, after it was sent something or unasked. */
function told<T>(child: ChildProcess, message?: Order): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`a process ended with ${code}`));
    child.once('exit', ended);
    child.once('message', (answer) => {
      child.off('exit', ended);
      resolve(answer as T);
    });
    if (message !== undefined) child.send(message);
  });
}
