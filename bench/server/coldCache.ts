/**
 * What do requests whose pages are in the page cache wait for while searches of other clients read documents that are not? A server with one
 * data worker, started anew on a corpus whose pages were taken out of the cache, within a control group whose memory holds what the
 * process has of its own and a part of its data. Sixteen connections ask for ten hits, with their sources, from any place among the first
 * 2,000 of the queries with the most hits; meanwhile one connection asks for a few documents by id over and over, and one for the one document of a term. Told: how
 * long these took, alone and beside, and how often the server waited for the disk. The row `beside, in memory` is the same without a bound,
 * with everything in the cache: what is more than that is due to the disk. Not measured: writes; what the deep searches wait for.
 *
 *     npm run bench:server -- coldCache --corpus FILE.jsonl.gz[,FILE...] --spec FILE --queries FILE
 *         [--docs N] [--seconds 10] [--share 0.25] [--threads 1]
 *
 * `--share`: the part of the data that there is memory for. Without control groups (Linux, root) the server begins with a cold cache that
 * gets warm; the output says so.
 */
import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { corpusLines, type NamedQuery, readQueries, readSpec } from '../search/corpus.js';
import { fillCorpus } from './fillCorpus.js';
import { MemoryGroup } from './memoryGroup.js';
import { option, textOption } from './options.js';
import { megabytes, ServerProcess } from './process.js';
import type { Order, Seen } from './searchClient.js';

const DEEP_CONNECTIONS = 16;
/** So many different deep searches. */
const DEEP = 20_000;
const HITS = 10;
/** So many queries, those with the most hits, any of which may be asked for. */
const FREQUENT = 200;
/** Hits behind these aren't asked for: ranking them would cost more than reading them. */
const DEPTH = 2000;
/** So many documents stay warm. */
const WARM_IDS = 4;
const WARM_SECONDS = 2;
/** Milliseconds between an answer and the next question of the light clients. */
const PAUSE_MS = 2;
/** What the process may need of its own, as a multiple of what it had in memory under the same load. */
const OWN_MORE = 1.1;

export async function coldCache(args: readonly string[]): Promise<void> {
  const files = textOption(args, 'corpus')?.split(',') ?? [];
  const queryFile = textOption(args, 'queries');
  if (files.length === 0 || queryFile === undefined) throw new Error('--corpus and --queries are missing');
  const docs = option(args, 'docs', Number.POSITIVE_INFINITY);
  const seconds = option(args, 'seconds', 10);
  const spec = readSpec(textOption(args, 'spec'));
  const flags = ['--threads', textOption(args, 'threads') ?? '1', '--result-cache', '0'];
  const ids = await firstIds(files, spec.id ?? '_id');
  const type = Object.keys(spec.mappings ?? {})[0] ?? 'doc';
  const light = ids.map((id) => head('GET', `/corpus/${type}/${encodeURIComponent(id)}`, ''));
  const one = search({ query: { term: { [spec.id ?? '_id']: ids[0] } } });
  const group = MemoryGroup.make(`resilin-bench-${process.pid}`);
  const clients = Array.from({ length: 3 }, () => fork(new URL('./searchClient.js', import.meta.url)));
  let server = await ServerProcess.start(flags);
  try {
    await fillCorpus(server, spec, files, docs);
    const deep = await deepSearches(server, readQueries(queryFile));
    const lightly = (seconds: number) =>
      Promise.all([
        asked(clients[0]!, { port: server.port, requests: light, connections: 1, seconds }),
        asked(clients[1]!, { port: server.port, requests: [one], connections: 1, seconds }),
      ]);
    const deeply = (seconds: number) =>
      asked(clients[2]!, {
        port: server.port,
        requests: deep,
        connections: DEEP_CONNECTIONS,
        seconds,
      });
    const measure = async (what: string, beside: boolean) => {
      const before = server.majorFaults();
      const [own, other] = await Promise.all([lightly(seconds), beside ? deeply(seconds) : undefined]);
      print(what, own, other, before, server.majorFaults());
    };

    console.log(
      '| | get: p50 | p99 | longest, ms | search: p50 | p99 | longest, ms | deep searches/s | major faults of the main thread | of all | per deep search |',
    );
    console.log(`|---|${'---|'.repeat(10)}`);
    server = await server.restart(flags);
    for (const file of filesOf(server.data)) readFileSync(file);
    await Promise.all([lightly(WARM_SECONDS), deeply(WARM_SECONDS)]);
    await measure('alone, in memory', false);
    await measure('beside, in memory', true);
    const own = server.own();

    server = await server.restart(flags, group?.processes, () => forget(server.data));
    const data = sizeOf(server.data);
    const limit = own * OWN_MORE + option(args, 'share', 0.25) * data;
    if (group !== undefined) group.limit = limit;
    await lightly(WARM_SECONDS);
    await measure('alone', false);
    await measure('beside', true);
    await measure('beside, again', true);
    const bound =
      group === undefined
        ? 'no control group could be made: the cache got warm'
        : `bound of ${megabytes(limit)} MB by a control group of version ${group.version}, ${megabytes(group.used)} MB used in the end`;
    console.log(`data ${megabytes(data)} MB, ${megabytes(own)} MB of the process itself; ${bound}`);
    console.log(`load ${loadavg()[0]?.toFixed(1)}`);
  } finally {
    for (const client of clients) client.kill();
    await server.stop();
    group?.remove();
  }
}

/** Ids of documents at the beginning of the corpus, which the deep searches hardly ever ask for. */
async function firstIds(files: readonly string[], field: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const line of corpusLines(files, WARM_IDS))
    ids.push(String((JSON.parse(line) as Record<string, unknown>)[field]));
  return ids;
}

/** Searches for hits of the queries with most of them, each from a place of its own among them. */
async function deepSearches(server: ServerProcess, queries: readonly NamedQuery[]): Promise<string[]> {
  const totals: { query: object; count: number }[] = [];
  for (const { query } of queries) {
    const { count } = await server.json('POST', '/corpus/_count', { query });
    totals.push({ query, count: Number(count) });
  }
  const found = totals.sort((a, b) => b.count - a.count).slice(0, FREQUENT);
  // Any places will do that are spread evenly: multiples of the golden section.
  return Array.from({ length: DEEP }, (_, i) => {
    const { query, count } = found[i % found.length]!;
    const from = Math.floor(((i * 0.618_033_988_75) % 1) * Math.max(0, Math.min(DEPTH, count) - HITS));
    // In the order of the index, so that finding them costs little beside reading them.
    return search({ from, size: HITS, query: { filtered: { filter: { query } } } });
  });
}

const search = (body: object) => head('POST', '/corpus/_search', JSON.stringify(body));

function head(method: string, path: string, body: string): string {
  const length = body === '' ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${length}\r\n${body}`;
}

/** Sends requests, those of one connection with a pause in between. */
function asked(client: ChildProcess, order: Order): Promise<Seen> {
  return new Promise((resolve) => {
    client.once('message', (seen) => resolve(seen as Seen));
    client.send(order.connections === 1 ? { ...order, pauseMs: PAUSE_MS } : order);
  });
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

const sizeOf = (folder: string) =>
  filesOf(folder).reduce((sum, file) => sum + statSync(file).blocks * 512, 0);

/** Takes the pages of a folder's files, which nobody has open, out of the page cache. */
function forget(folder: string): void {
  for (const file of filesOf(folder))
    execFileSync('dd', [`of=${file}`, 'oflag=nocache', 'conv=notrunc,fdatasync', 'count=0', 'status=none']);
}

interface Faults {
  main: number;
  all: number;
}

function print(
  what: string,
  light: readonly Seen[],
  deep: Seen | undefined,
  before: Faults,
  after: Faults,
): void {
  const cells = light.flatMap(({ times }) => {
    const sorted = times.flat().sort((a, b) => a - b);
    const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
    return [at(0.5), at(0.99), at(1)].map((us) => (us / 1000).toFixed(2));
  });
  const answered = deep?.times.reduce((sum, list) => sum + list.length, 0) ?? 0;
  const rate = deep === undefined ? '' : (answered / deep.seconds).toFixed(0);
  const all = after.all - before.all;
  const each = answered === 0 ? '' : (all / answered).toFixed(2);
  const failures = [...light, ...(deep === undefined ? [] : [deep])].reduce(
    (sum, each) => sum + each.failures,
    0,
  );
  console.log(
    `| ${what} | ${cells.join(' | ')} | ${rate} | ${after.main - before.main} | ${all} | ${each} |${failures > 0 ? ` ${failures} failed` : ''}`,
  );
}
