/**
 * Does any request bring the server anything but an answer? Mutants of all routes over many connections; told are faults and errors that
 * 1.7 doesn't give on purpose, lines of the log, requests without an answer, and the memory at the beginning and at the end.
 *
 *     npm run fuzz:http -- [--requests 100000] [--seed N] [--connections 16]
 *
 * Without a seed it is a new one, which is printed.
 */
import { loadavg } from 'node:os';
import { complaintOf, complaintOfLine, Findings } from '../fuzz/judge.js';
import { type Mutant, Mutations } from '../fuzz/mutations.js';
import { routeTable } from '../fuzz/routeTable.js';
import { NAMED } from '../fuzz/world.js';
import { option, seedOption } from './options.js';
import { megabytes, quarters, ServerProcess } from './process.js';
import { NoAnswer, RawClient } from './rawClient.js';

const HANG_MS = 20_000;
/** The indices are made anew after so many requests. */
const ROUND = 2000;
const MAX_SHOWN = 20;

export async function fuzzHttp(args: readonly string[]): Promise<void> {
  const requests = option(args, 'requests', 100_000);
  const lanes = option(args, 'connections', 16);
  const seed = seedOption(args);
  const mutations = new Mutations(seed, routeTable());
  const found = new Findings();
  const statuses = new Map<number, number>();
  const memory: number[] = [];
  let sent = 0;
  const told = (line: string) => {
    const what = complaintOfLine(line);
    if (what !== undefined) found.add(what, line.slice(0, 200), `${what}: ${line.slice(0, 1000)}`);
  };
  // A small heap, so that what is kept would be seen.
  const server = await ServerProcess.start([], ['--max-old-space-size=200'], told);
  const tell = (what: string, { head, body }: Mutant, answer: string) => {
    const text = Buffer.from(body).toString().slice(0, 600);
    found.add(what, answer, `${what}: ${head.slice(0, 300)}\n    ${text}\n    ${answer.slice(0, 400)}`);
  };
  const lane = async (client: RawClient, until: number) => {
    while (sent < until) {
      sent++;
      const mutant = mutations.next();
      try {
        const { status, body } = await client.send(mutant.head, mutant.body);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        const what = complaintOf({ status, text: body, hidden: isHidden(mutant, body) });
        if (what !== undefined) tell(what, mutant, body);
      } catch (e) {
        if (!(e instanceof NoAnswer)) throw e;
        if (!isExpectedEnd(mutant.head, e.message)) tell(e.message, mutant, '');
      }
    }
  };
  const started = performance.now();
  try {
    while (sent < requests) {
      await setUp(server);
      const clients = Array.from({ length: lanes }, () => new RawClient(server.port, HANG_MS));
      const until = Math.min(requests, sent + ROUND);
      await Promise.all(clients.map((client) => lane(client, until)));
      for (const client of clients) client.close();
      memory.push(server.resident());
      if (memory.length % 5 === 0)
        process.stderr.write(`${sent} requests, ${megabytes(memory.at(-1)!)} MB, ${found.size} findings\n`);
    }
    await server.json('GET', '/_cluster/health');
  } finally {
    await server.stop();
  }
  const seconds = (performance.now() - started) / 1000;
  const by = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
  console.log(
    `seed ${seed}: ${sent} requests in ${seconds.toFixed(0)} s, load ${loadavg()[0]?.toFixed(1)}; ${by.join(', ')}`,
  );
  const [, second, , last] = quarters(memory);
  console.log(`memory: ${megabytes(second)} MB in the second quarter, ${megabytes(last)} MB in the last`);
  console.log(`${found.size} findings`);
  for (const example of [...found.examples()].slice(0, MAX_SHOWN)) console.log(`\n${example}`);
  if (found.size > 0) process.exitCode = 1;
}

/**
 * Whether a connection may end so: a request line that is none, a foreign page and OPTIONS are answered before the body is read; an export whose
 * index is deleted meanwhile can't be told of after its first bytes.
 */
function isExpectedEnd(head: string, message: string): boolean {
  if (/EPIPE|ECONNRESET/.test(message))
    return !isAscii(head) || /^origin:/im.test(head) || head.startsWith('OPTIONS ');
  return message === 'the connection ended' && head.includes('/_export');
}

/** Whether a head holds nothing that HTTP doesn't allow. */
function isAscii(head: string): boolean {
  return /^[\x20-\x7e\r\n]*$/.test(head);
}

/** Whether an answer shows nothing of its error. */
function isHidden({ head }: Mutant, body: string): boolean {
  return head.startsWith('HEAD ') || (head.includes('filter_path=') && /^(?:---)?\s*\{\s*\}\s*$/.test(body));
}

async function setUp(server: ServerProcess): Promise<void> {
  await server.call(
    'PUT',
    '/_cluster/settings',
    '{"persistent":{"action.destructive_requires_name":"false"},"transient":{"action.destructive_requires_name":"false"}}',
  );
  await server.call(
    'PUT',
    '/_all/_settings',
    '{"index.blocks.read_only":false,"index.blocks.metadata":false,"index.blocks.write":false,"index.blocks.read":false}',
  );
  for (const path of ['/_all', '/_template/*', '/_search/scroll/_all']) await server.call('DELETE', path);
  for (const [method, path, body] of NAMED) await server.call(method, path, body);
}
