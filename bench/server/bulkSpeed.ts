/**
 * How much of the core's own indexing speed is left over HTTP? The core in this process, one thread, one shard, parsed documents, no
 * storage and no final merge; then `_bulk` into one shard of a server, bodies of about five megabytes, until all is acknowledged,
 * which means on disk, and searchable. In turns, since machines have moods. Not measured: several shards, which are faster.
 *
 *     npm run bench:server -- bulkSpeed --corpus FILE.jsonl.gz [--docs 30000] [--rounds 2] [--inflight 2]
 */
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { corpusLines, readSpec } from '../search/corpus.js';
import { indexCorpus } from '../search/resilin.js';
import { median, option, textOption } from './options.js';
import { ServerProcess } from './process.js';

const BODY_BYTES = 5 * 1024 * 1024;

export async function bulkSpeed(args: readonly string[]): Promise<void> {
  const corpus = textOption(args, 'corpus');
  if (corpus === undefined) throw new Error('--corpus FILE.jsonl[.gz] is missing');
  const docs = option(args, 'docs', 30_000);
  const spec = readSpec(textOption(args, 'spec'));
  const idField = spec.id ?? '_id';
  const lines: string[] = [];
  for await (const line of corpusLines([corpus], docs)) lines.push(line);
  const bodies = bodiesOf(lines, idField);
  const wasm = readFileSync('build/resilin.wasm');
  const own: number[] = [];
  const served: number[] = [];
  for (let round = 0; round < option(args, 'rounds', 2); round++) {
    const { applyMs, refreshMs } = (await indexCorpus(wasm, spec, [corpus], docs)).indexing;
    own.push(lines.length / ((applyMs + refreshMs) / 1000));
    served.push(lines.length / (await serve(bodies, spec, option(args, 'inflight', 2))));
    console.log(`core ${own.at(-1)!.toFixed(0)} documents/s, server ${served.at(-1)!.toFixed(0)}`);
  }
  const share = served.map((each, i) => each / own[i]!);
  console.log(
    `${lines.length} documents: the server does ${(100 * median(share)).toFixed(0)} % of the core's speed; load ${loadavg()[0]?.toFixed(1)}`,
  );
}

/** Seconds until all is acknowledged and searchable. */
async function serve(
  bodies: readonly Buffer[],
  { settings = {}, mappings = {} }: ReturnType<typeof readSpec>,
  inflight: number,
): Promise<number> {
  const server = await ServerProcess.start();
  try {
    const type = Object.keys(mappings)[0] ?? 'doc';
    const index = { ...settings, number_of_shards: 1, number_of_replicas: 0, refresh_interval: '1s' };
    await server.json('PUT', '/corpus', { settings: index, mappings });
    const started = performance.now();
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
    return (performance.now() - started) / 1000;
  } finally {
    await server.stop();
  }
}

function bodiesOf(lines: readonly string[], idField: string): Buffer[] {
  const bodies: Buffer[] = [];
  let text: string[] = [];
  let bytes = 0;
  lines.forEach((line, i) => {
    const id = String((JSON.parse(line) as Record<string, unknown>)[idField] ?? i);
    text.push(`{"index":{"_id":${JSON.stringify(id)}}}\n${line}\n`);
    bytes += line.length;
    if (bytes < BODY_BYTES && i < lines.length - 1) return;
    bodies.push(Buffer.from(text.join('')));
    text = [];
    bytes = 0;
  });
  return bodies;
}
