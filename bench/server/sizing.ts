/**
 * What does a document take, in memory and on the disk? Whole corpora, each in one shard of one segment of a server with one data worker that
 * has just started: bytes of the sources as they are sent, of the store and of the segments on the disk, of memory of the process's own
 * beyond that of a server without documents, when all are indexed and after a restart, and the processor time of all threads for a
 * document. Not measured: several segments, deleted documents, replicas, what searches need of fields' values besides.
 *
 *     npm run bench:server -- sizing --corpus FILE.jsonl.gz[,FILE...] --spec FILE [--name NAME] [--docs N]
 *
 * Each run adds a row of the table in docs/sizing.md.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { corpusLines, readSpec } from '../search/corpus.js';
import { fillCorpus } from './fillCorpus.js';
import { option, textOption } from './options.js';
import { megabytes, ServerProcess, threadTimes } from './process.js';

export async function sizing(args: readonly string[]): Promise<void> {
  const files = textOption(args, 'corpus')?.split(',') ?? [];
  if (files.length === 0) throw new Error('--corpus is missing');
  const docs = option(args, 'docs', Number.POSITIVE_INFINITY);
  const spec = readSpec(textOption(args, 'spec'));
  let count = 0;
  let bytes = 0;
  for await (const line of corpusLines(files, docs)) {
    count++;
    bytes += Buffer.byteLength(line);
  }
  const flags = ['--threads', '1', '--log', 'error'];
  let server = await ServerProcess.start(flags);
  try {
    const empty = server.own();
    await fillCorpus(server, spec, files, docs);
    await server.json('POST', '/corpus/_flush');
    const time = [...threadTimes(server.pid).values()].reduce((sum, each) => sum + each, 0);
    const filled = server.own() - empty;
    server = await server.restart(flags);
    await server.json('GET', '/_cluster/health?wait_for_status=yellow');
    const { store, segments } = onDisk(server.data);
    const restarted = server.own() - empty;
    const each = (size: number) => `${Math.round(size / count)}`;
    console.log(
      '| corpus | documents | source | store | segments | memory, filled | after a restart | us of processors |',
    );
    console.log('|---|---:|---:|---:|---:|---:|---:|---:|');
    const sizes = [bytes, store, segments, filled, restarted].map(each).join(' | ');
    console.log(
      `| ${textOption(args, 'name') ?? files[0]} | ${count} | ${sizes} | ${(time / count).toFixed(0)} |`,
    );
    console.log(
      `bytes a document; in all ${megabytes(bytes)} MB of sources, ${megabytes(store + segments)} MB on the disk`,
    );
  } finally {
    await server.stop();
  }
}

/** Bytes of the store's file, and of all others. */
function onDisk(folder: string): { store: number; segments: number } {
  let [store, segments] = [0, 0];
  for (const name of readdirSync(folder, { recursive: true }) as string[]) {
    const { size, blocks } = statSync(join(folder, name));
    if (!statSync(join(folder, name)).isFile()) continue;
    // A file may have holes.
    const taken = Math.min(size, blocks * 512);
    if (name.endsWith('.mdb')) store += taken;
    else segments += taken;
  }
  return { store, segments };
}
