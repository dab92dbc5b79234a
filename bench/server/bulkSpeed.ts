/**
 * How much of the core's own indexing speed is left over HTTP? The core in this process, one thread, one shard, parsed documents, no
 * storage and no final merge; then `_bulk` into one shard of a server that has just started, bodies of about five megabytes, until
 * all is acknowledged, which means on disk, and searchable. In turns, since machines have moods; on one that has other things to do,
 * the processor time says more than the clock. Few documents measure how V8 warms up. Not measured: several shards, which are faster.
 *
 *     npm run bench:server -- bulkSpeed --corpus FILE.jsonl.gz [--docs N] [--rounds 2] [--inflight 2]
 */
import { loadavg } from 'node:os';
import { releaseCore } from '../releaseCore.js';
import { corpusChunks, corpusLines, readSpec, type Spec } from '../search/corpus.js';
import { Resilin } from '../search/resilin.js';
import { bulkBodies } from './bulkBodies.js';
import { median, option, textOption } from './options.js';
import { ServerProcess } from './process.js';

const ROWS_AT_ONCE = 20_000;

/** What indexing took, in milliseconds: by the clock, and of processors, all threads of the process together. */
interface Took {
  wall: number;
  cpu: number;
  /** Of that, of the main thread. */
  main: number;
}

export async function bulkSpeed(args: readonly string[]): Promise<void> {
  const corpus = textOption(args, 'corpus');
  if (corpus === undefined) throw new Error('--corpus FILE.jsonl[.gz] is missing');
  const docs = option(args, 'docs', Number.POSITIVE_INFINITY);
  const spec = readSpec(textOption(args, 'spec'));
  const lines: string[] = [];
  for await (const line of corpusLines([corpus], docs)) lines.push(line);
  const bodies: Buffer[] = [];
  for await (const body of bulkBodies(lines, spec.id ?? '_id')) bodies.push(body);
  const shares: number[] = [];
  const each = (ms: number) => ((1000 * ms) / lines.length).toFixed(1);
  for (let round = 0; round < option(args, 'rounds', 2); round++) {
    const own = await indexAlone(spec, corpus, docs);
    const served = await serve(bodies, spec, option(args, 'inflight', 2));
    shares.push(own.wall / served.wall);
    console.log(`microseconds a document: core ${each(own.wall)}, processors ${each(own.cpu)};`);
    console.log(
      `    server ${each(served.wall)}, processors ${each(served.cpu)}, its main thread ${each(served.main)}`,
    );
  }
  console.log(
    `${lines.length} documents: the server does ${(100 * median(shares)).toFixed(0)} % of the core's speed; load ${loadavg()[0]?.toFixed(1)}`,
  );
}

async function indexAlone(spec: Spec, corpus: string, docs: number): Promise<Took> {
  const resilin = new Resilin(await releaseCore(), spec);
  let cpu = 0;
  const measured = (body: () => void) => {
    const before = process.cpuUsage();
    body();
    const { user, system } = process.cpuUsage(before);
    cpu += (user + system) / 1000;
  };
  for await (const rows of corpusChunks([corpus], docs, ROWS_AT_ONCE)) measured(() => resilin.add(rows));
  measured(() => resilin.refresh());
  const { applyMs, refreshMs } = resilin.indexing;
  return { wall: applyMs + refreshMs, cpu, main: cpu };
}

async function serve(
  bodies: readonly Buffer[],
  { settings = {}, mappings = {} }: Spec,
  inflight: number,
): Promise<Took> {
  const server = await ServerProcess.start();
  try {
    const type = Object.keys(mappings)[0] ?? 'doc';
    const index = { ...settings, number_of_shards: 1, number_of_replicas: 0, refresh_interval: '1s' };
    await server.json('PUT', '/corpus', { settings: index, mappings });
    const started = performance.now();
    const before = server.processorTime();
    let next = 0;
    const lane = async () => {
      while (next < bodies.length) {
        const { status, body } = await server.call('POST', `/corpus/${type}/_bulk`, bodies[next++]!);
        if (status !== 200 || !body.subarray(0, 60).includes('"errors":false'))
          throw new Error(`${status} ${body}`);
      }
    };
    await Promise.all(Array.from({ length: inflight }, lane));
    await server.json('POST', '/corpus/_refresh');
    const { main, all } = server.processorTime();
    return { wall: performance.now() - started, cpu: all - before.all, main: main - before.main };
  } finally {
    await server.stop();
  }
}
