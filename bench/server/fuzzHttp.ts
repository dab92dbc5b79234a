/**
 * Does any request bring the server anything but an answer? Mutants of all routes over many connections; told are the answers of
 * 500 and above that 1.7 doesn't give on purpose, requests without an answer, and the memory at the beginning and at the end.
 *
 *     npm run fuzz:http -- [--requests 100000] [--seed 1] [--connections 16]
 */
import { loadavg } from 'node:os';
import { createEngine } from '../../host/index.js';
import { routeFamilies } from '../../host/rest/routes.js';
import { Mutations, type Mutant } from './mutations.js';
import { option } from './options.js';
import { megabytes, ServerProcess } from './process.js';
import { NoAnswer, RawClient } from './rawClient.js';

/** What 1.7 answers with 500 as well, and 503 where it has no shard to ask. */
const DELIBERATE =
  /AggregationExecutionException|ClassCastException|MustacheException|Result window is too large|NullPointerException|JsonParseException|IllegalArgumentException\[(Malformed|Action|No enum)|NumberFormatException|TimestampParsingException|SettingsException|Scroll must be provided|Shutdown is disabled|failed to execute suggest|IOException|CircuitBreakingException|q should be in/;
const HANG_MS = 20_000;
/** The indices are made anew after so many requests. */
const ROUND = 2000;
const MAX_SHOWN = 20;

export async function fuzzHttp(args: readonly string[]): Promise<void> {
  const requests = option(args, 'requests', 100_000);
  const lanes = option(args, 'connections', 16);
  const mutations = new Mutations(option(args, 'seed', 1), await routes());
  // A small heap, so that what is kept would be seen.
  const server = await ServerProcess.start([], ['--max-old-space-size=200']);
  const found = new Map<string, { count: number; example: string }>();
  const statuses = new Map<number, number>();
  const memory: number[] = [];
  let sent = 0;
  const tell = (what: string, { head, body }: Mutant, answer: string) => {
    const key = what + answer.replaceAll(/\[[^\]]*\]|\d+/g, '').slice(0, 120);
    const known = found.get(key);
    if (known !== undefined) known.count++;
    else
      found.set(key, {
        count: 1,
        example: `${what}: ${head.slice(0, 300)}\n    ${Buffer.from(body).toString().slice(0, 600)}\n    ${answer.slice(0, 400)}`,
      });
  };
  const lane = async (client: RawClient, until: number) => {
    while (sent < until) {
      sent++;
      const mutant = mutations.next();
      try {
        const { status, body } = await client.send(mutant.head, mutant.body);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status >= 500 && status !== 503 && !isHidden(mutant, body) && !DELIBERATE.test(unfolded(body)))
          tell(`status ${status}`, mutant, body);
      } catch (e) {
        if (!(e instanceof NoAnswer)) throw e;
        // A request line that is none is answered before its body is read.
        if (!/EPIPE|ECONNRESET/.test(e.message) || isAscii(mutant.head)) tell(e.message, mutant, '');
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
  const quarter = Math.max(1, memory.length >> 2);
  const mean = (list: readonly number[]) =>
    megabytes(list.reduce((sum, each) => sum + each, 0) / list.length);
  console.log(
    `${sent} requests in ${seconds.toFixed(0)} s, load ${loadavg()[0]?.toFixed(1)}; ${by.join(', ')}`,
  );
  console.log(
    `memory: ${mean(memory.slice(quarter, 2 * quarter))} MB in the second quarter, ${mean(memory.slice(-quarter))} MB in the last`,
  );
  console.log(`${found.size} findings`);
  for (const { count, example } of [...found.values()].slice(0, MAX_SHOWN))
    console.log(`\n${count}x ${example}`);
  if (found.size > 0) process.exitCode = 1;
}

/** Whether a head holds nothing that HTTP doesn't allow. */
function isAscii(head: string): boolean {
  return /^[\x20-\x7e\r\n]*$/.test(head);
}

/** A text of YAML without the ends of its lines. */
function unfolded(body: string): string {
  return body.replaceAll(/\\\r?\n\s*\\?/g, '');
}

/** Whether an answer shows nothing of its error. */
function isHidden({ head }: Mutant, body: string): boolean {
  return head.startsWith('HEAD ') || (head.includes('filter_path=') && /^\s*\{\s*\}\s*$/.test(body));
}

/** Every route with every method; but for those that would leave nothing to ask. */
async function routes(): Promise<(readonly [string, string])[]> {
  const resilin = await createEngine();
  const families = routeFamilies(resilin.engine, { node: 'n', cluster: 'c', version: '0' });
  const all = families.flatMap(({ routes: own }) =>
    own.flatMap(([methods, path]) => methods.split('|').map((method) => [method, path] as const)),
  );
  await resilin.close();
  return all.filter(([method, path]) => method !== 'DELETE' || path.split('/').length > 2);
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
  const properties = {
    s: { type: 'string' },
    n: { type: 'integer' },
    d: { type: 'date' },
    p: { type: 'geo_point' },
    k: { type: 'nested' },
  };
  for (const name of ['a', 'b']) {
    const body = JSON.stringify({
      settings: { number_of_shards: 2 },
      aliases: { al: {} },
      mappings: { t: { properties } },
    });
    await server.call('PUT', `/${name}`, body);
    const document = {
      s: 'red fox',
      n: 1,
      d: '2014-01-01',
      p: { lat: 1, lon: 2 },
      o: { d: '2014-01-01' },
      k: [{ a: 1 }],
    };
    await server.call('PUT', `/${name}/t/1?refresh=true`, JSON.stringify(document));
  }
}
