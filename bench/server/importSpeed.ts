/**
 * Does `resilin import` keep a server busy? Bodies of `_bulk` that were made before, two under way (as bulkSpeed sends them), and the
 * command with the file, in turns, each into one shard of a server that has just started, until all is acknowledged and searchable. By the
 * clock, and in processor time of the server and of the command, which has to read the file, too. Not measured: several shards.
 *
 *     npm run bench:server -- importSpeed --corpus FILE.jsonl[.gz] [--docs N] [--rounds 2] [--inflight 2] [--spec FILE]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { corpusLines, readSpec, type Spec } from '../search/corpus.js';
import { bulkBodies } from './bulkBodies.js';
import { median, option, textOption } from './options.js';
import { ServerProcess } from './process.js';

const COMMAND = 'build/js/host/cli/resilin.js';
/** Of the times in /proc, in a second. */
const TICKS = 100;
const CHILD_USER_TIME = 15;

/** Milliseconds: by the clock, of the server's processors, of the sender's. */
interface Took {
  wall: number;
  server: number;
  sender: number;
}

export async function importSpeed(args: readonly string[]): Promise<void> {
  const corpus = textOption(args, 'corpus');
  if (corpus === undefined) throw new Error('--corpus FILE.jsonl[.gz] is missing');
  const spec = readSpec(textOption(args, 'spec'));
  const lines: string[] = [];
  for await (const line of corpusLines([corpus], option(args, 'docs', Number.POSITIVE_INFINITY)))
    lines.push(line);
  const bodies: Buffer[] = [];
  for await (const body of bulkBodies(lines, spec.id ?? '_id')) bodies.push(body);
  const folder = mkdtempSync(join(tmpdir(), 'resilin-import-'));
  const file = join(folder, 'corpus.jsonl');
  writeFileSync(file, `${lines.join('\n')}\n`);
  const each = (ms: number) => ((1000 * ms) / lines.length).toFixed(1);
  const told = ({ wall, server, sender }: Took) =>
    `${each(wall)} by the clock, ${each(server)} of the server, ${each(sender)} of the sender`;
  const shares: number[] = [];
  try {
    for (let round = 0; round < option(args, 'rounds', 2); round++) {
      const made = await measured(spec, (server) => sendBodies(server, bodies, option(args, 'inflight', 2)));
      const read = await measured(spec, (server) => runImport(server, file));
      shares.push(made.wall / read.wall);
      console.log(`microseconds a document: bodies ${told(made)}`);
      console.log(`                         import ${told(read)}`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  const share = (100 * median(shares)).toFixed(0);
  console.log(
    `${lines.length} documents: import has ${share} % of the speed of bodies that were made before; load ${loadavg()[0]?.toFixed(1)}`,
  );
}

async function measured(
  { settings = {}, mappings = {} }: Spec,
  send: (server: ServerProcess) => Promise<number>,
): Promise<Took> {
  const server = await ServerProcess.start();
  try {
    const index = { ...settings, number_of_shards: 1, number_of_replicas: 0, refresh_interval: '1s' };
    await server.json('PUT', '/corpus', {
      settings: index,
      mappings: { doc: Object.values(mappings)[0] ?? {} },
    });
    const started = performance.now();
    const before = server.processorTime().all;
    const sender = await send(server);
    await server.json('POST', '/corpus/_refresh');
    return { wall: performance.now() - started, server: server.processorTime().all - before, sender };
  } finally {
    await server.stop();
  }
}

async function sendBodies(
  server: ServerProcess,
  bodies: readonly Buffer[],
  inflight: number,
): Promise<number> {
  const before = process.cpuUsage();
  let next = 0;
  const lane = async () => {
    while (next < bodies.length) {
      const { status, body } = await server.call('POST', '/corpus/doc/_bulk', bodies[next++]!);
      if (status !== 200 || !body.subarray(0, 60).includes('"errors":false'))
        throw new Error(`${status} ${body}`);
    }
  };
  await Promise.all(Array.from({ length: inflight }, lane));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

async function runImport(server: ServerProcess, file: string): Promise<number> {
  const before = childTime();
  const args = [
    COMMAND,
    'import',
    file,
    '--index',
    'corpus',
    '--quiet',
    '--url',
    `http://127.0.0.1:${server.port}`,
  ];
  const [status] = await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'exit');
  if (status !== 0) throw new Error(`resilin import ended with ${status}`);
  return childTime() - before;
}

/** Milliseconds of processors that ended children had. Linux only. */
function childTime(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // The name before may have blanks.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const at = CHILD_USER_TIME - 2;
  return (1000 * (fields[at]! + fields[at + 1]!)) / TICKS;
}
