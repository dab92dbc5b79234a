/**
 * How long do light requests wait beside the dearest ones that are let in? A server with one data worker, asked by one client in a process
 * of its own, on a connection each, for its health, for a document by its id, and for the one document of a term, while four other clients
 * send dear requests of one kind over and over: one table row for each kind. The row `alone` is the server that does nothing else.
 * Not measured: what the dear ones wait for. The last figure of each is processor time, on Linux: what the main thread, and for a search
 * the data worker too, has run while 99 of 100 waited. That is what other load on the machine doesn't change, and what the target is for.
 *
 *     npm run bench:server -- besideHeavy [--seconds 5] [--only PART OF A NAME]
 */
import { type ChildProcess, fork } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { ATTACKS, fill, PREPARATIONS } from './attackCases.js';
import { option, textOption } from './options.js';
import { ServerProcess } from './process.js';
import type { Order, Seen } from './searchClient.js';

const WARM_SECONDS = 2;
const CLIENTS = 4;
/** Milliseconds between an answer and the next question. */
const PAUSE_MS = 2;
/** Milliseconds within which 99 of 100 are to be answered. */
const TARGET_MS = 20;

/** A request that is sent over and over. */
interface Dear {
  method: string;
  path: string;
  body: string;
}

/** Requests of a kind: each client sends them one after the other. */
interface Kind {
  name: string;
  requests: (client: number) => Dear[];
}

const many = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const search = (body: object): Dear => ({ method: 'POST', path: '/a/_search', body: JSON.stringify(body) });
const alike = (name: string, dear: Dear): Kind => ({ name, requests: () => [dear] });

/** Cases of attackCases.ts: each client sends one of them. */
function attacks(name: string, ...names: string[]): Kind {
  const requests = (client: number) => {
    const found = ATTACKS.find((attack) => attack.name === names[client % names.length])!;
    return [{ method: found.method ?? 'POST', path: found.path, body: found.body() }];
  };
  return { name, requests };
}

const fuzzy = (i: number) => ({ fuzzy: { k: { value: `k1${i}`, fuzziness: 2 } } });

function bulk(index: string, documents: number): string {
  const text = 'red fox lazy dog brown quick jumps over river stone '.repeat(8);
  return many(
    documents,
    (i) => `{"index":{"_index":"${index}","_type":"t"}}\n{"n":${i},"x":"${text}"}\n`,
  ).join('');
}

const KINDS: readonly Kind[] = [
  attacks('aggregations over everything', 'terms of size 0 above a histogram', '_msearch of 200 terms'),
  alike('50 words of two edits', search({ query: { bool: { should: many(50, fuzzy) } } })),
  alike('bulks of 10 MB', { method: 'POST', path: '/_bulk', body: bulk('bulky', 20_000) }),
  attacks('shapes of 10,000 vertices', 'shape of 10,000 vertices'),
  alike(
    'filters of 10,000 terms',
    search({ query: { filtered: { filter: { terms: { k: many(10_000, (i) => `k${i * 7}`) } } } } }),
  ),
  attacks('highlighting of 10 MB', 'highlighting 10 MB', 'highlighting 10 MB, fast vectors'),
  {
    name: 'merges',
    requests: (client) => [
      ...many(4, () => ({
        method: 'POST',
        path: '/_bulk?refresh=true',
        body: bulk(`merged${client}`, 2000),
      })),
      { method: 'POST', path: `/merged${client}/_optimize?max_num_segments=1`, body: '' },
    ],
  },
  attacks('source patterns and scripts', '5,000 source patterns', '1,000 script fields, 10,000 hits'),
  attacks(
    'four of the dearest',
    'terms of size 0 above a histogram',
    '_msearch of 200 terms',
    '5,000 source patterns',
    '1,000 script fields, 10,000 hits',
  ),
];

/** What is asked meanwhile. */
const LIGHT: readonly { name: string; request: string; inWorker: boolean }[] = [
  { name: 'health', request: 'GET /_cluster/health HTTP/1.1\r\nHost: localhost\r\n\r\n', inWorker: false },
  { name: 'get', request: 'GET /a/t/17 HTTP/1.1\r\nHost: localhost\r\n\r\n', inWorker: false },
  {
    name: 'search',
    request: post('/a/_search', JSON.stringify({ query: { term: { k: 'k5' } } })),
    inWorker: true,
  },
];

function post(path: string, body: string): string {
  return `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

export async function besideHeavy(args: readonly string[]): Promise<void> {
  const seconds = option(args, 'seconds', 5);
  const only = textOption(args, 'only') ?? '';
  const server = await ServerProcess.start(['--threads', '1', '--result-cache', '0']);
  const client = fork(new URL('./searchClient.js', import.meta.url));
  let late = 0;
  try {
    await fill(server);
    await PREPARATIONS.long(server);
    const threads = [server.pid, busiestThread(server.pid)];
    const files = threads.map((id) => `/proc/${server.pid}/task/${id}/schedstat`);
    const watched = LIGHT.map(({ inWorker }) => (inWorker ? files : files.slice(0, 1)));
    const ask = (seconds: number) => asked(client, server, seconds, watched);
    await ask(WARM_SECONDS);
    console.log(
      `beside | ${LIGHT.map(({ name }) => `${name}: p50 | p99 | longest | run, ms`).join(' | ')} | dear, /s`,
    );
    console.log(`---|${'---|'.repeat(4 * LIGHT.length + 1)}`);
    print('alone', await ask(WARM_SECONDS), 0);
    for (const { name, requests } of KINDS.filter((kind) => kind.name.includes(only))) {
      const going = { on: true, answered: 0 };
      const lanes = many(CLIENTS, (i) => goOn(server, requests(i), going));
      await ask(1);
      going.answered = 0;
      const seen = await ask(seconds);
      late += print(name, seen, going.answered / seconds);
      going.on = false;
      await Promise.all(lanes);
      await server.call('DELETE', '/bulky,merged*');
    }
    console.log(
      `${late} of ${KINDS.length * LIGHT.length} not within ${TARGET_MS} ms at the 99th percentile; load ${loadavg()[0]?.toFixed(1)}`,
    );
    if (late > 0) process.exitCode = 1;
  } finally {
    client.kill();
    await server.stop();
  }
}

/** Sends requests over and over. */
async function goOn(
  server: ServerProcess,
  requests: readonly Dear[],
  going: { on: boolean; answered: number },
): Promise<void> {
  for (let i = 0; going.on; i++) {
    const { method, path, body } = requests[i % requests.length]!;
    await server.call(method, path, body).catch(() => undefined);
    going.answered++;
  }
}

/** The thread that has run most, but for the main one: after documents were indexed, the data worker. */
function busiestThread(pid: number): string {
  const ran = (id: string) => Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]);
  const others = readdirSync(`/proc/${pid}/task`).filter((id) => id !== String(pid));
  return others.reduce((most, id) => (ran(id) > ran(most) ? id : most));
}

function asked(
  client: ChildProcess,
  { port }: ServerProcess,
  seconds: number,
  watched: string[][],
): Promise<Seen> {
  const requests = LIGHT.map(({ request }) => request);
  return new Promise((resolve) => {
    client.once('message', (seen) => resolve(seen as Seen));
    client.send({
      port,
      requests,
      connections: requests.length,
      seconds,
      pauseMs: PAUSE_MS,
      watched,
    } satisfies Order);
  });
}

/** Prints the quantiles of each light request, in milliseconds; returns how many of them are late. */
function print(what: string, { times, used, failures }: Seen, perSecond: number): number {
  let late = 0;
  const cells = times.flatMap((list, i) => {
    const at = quantilesOf(list);
    const run = quantilesOf(used[i]!)(0.99);
    if (run > TARGET_MS) late++;
    return [at(0.5), at(0.99), at(1), run].map((ms) => ms.toFixed(1));
  });
  console.log(
    `${what} | ${cells.join(' | ')} | ${perSecond.toFixed(1)}${failures > 0 ? ` | ${failures} failed` : ''}`,
  );
  return late;
}

/** The quantiles of a list of microseconds, in milliseconds. */
function quantilesOf(list: readonly number[]): (part: number) => number {
  const sorted = [...list].sort((a, b) => a - b);
  return (part) => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0) / 1000;
}
