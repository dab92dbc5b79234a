/** `resilin bench URL`: what it sends and counts; how long things take is not looked at. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Latencies } from '../../host/cli/queries/latencies.js';
import { built } from '../support/server.js';
import { run } from './command.js';

await built();
let cwd: string;
let server: Server;
let url: string;
let requests: { path: string; body: string; authorization: string | undefined }[];
let sockets: Set<unknown>;
/** What is answered to a body. */
let answerOf: (body: string) => { status: number; body: string };
beforeEach(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'resilin-bench-'));
  requests = [];
  sockets = new Set();
  answerOf = () => ({ status: 200, body: '{"took":1,"timed_out":false}' });
  server = createServer(async (request, response) => {
    sockets.add(request.socket);
    const body = await text(request);
    requests.push({ path: request.url!, body, authorization: request.headers.authorization });
    const answer = answerOf(body);
    response.writeHead(answer.status).end(answer.body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  rmSync(cwd, { recursive: true, force: true });
});

const bench = (...args: string[]) => run(['bench', ...args, '--warm-up', '0'], { cwd });

it('sends queries one after the other, and tells of each and of all', async () => {
  writeFileSync(
    join(cwd, 'queries'),
    '{"query":{"match_all":{}}}\n\n{"name":"rose","index":"others","body":{"size":1}}\n{"name":"rose","body":{"size":2}}\n',
  );
  const { status, out } = await bench(
    `${url.replace('//', '//ann:secret@')}/books`,
    '--queries',
    'queries',
    '--requests',
    '30',
  );
  expect(status).toBe(0);
  expect(requests).toHaveLength(30);
  const authorization = `Basic ${Buffer.from('ann:secret').toString('base64')}`;
  expect(requests.slice(0, 3)).toEqual([
    { path: '/books/_search', body: '{"query":{"match_all":{}}}', authorization },
    { path: '/others/_search', body: '{"size":1}', authorization },
    { path: '/books/_search', body: '{"size":2}', authorization },
  ]);
  expect(sockets.size).toBe(1);
  const lines = out.split('\n');
  expect(lines[0]).toMatch(/^1 connection, \d+\.\d s$/);
  expect(lines[2]).toMatch(/^query +requests +failed +a second +mean ms +50 % +90 % +99 % +99\.9 % +max ms$/);
  expect(lines.slice(3, 6).map((line) => line.split(/ {2,}/).slice(0, 3))).toEqual([
    ['line 1', '10', '0'],
    ['rose', '20', '0'],
    ['all', '30', '0'],
  ]);
});

it('uses as many connections as it is told, and writes JSON and a chart', async () => {
  writeFileSync(join(cwd, 'queries'), '{"name":"a<b","body":{}}\n');
  const { status, out } = await bench(
    url,
    '--queries',
    'queries',
    '--requests',
    '40',
    '--connections',
    '4',
    '--json',
    '--svg',
    'chart.svg',
  );
  expect(status).toBe(0);
  expect(sockets.size).toBe(4);
  const { connections, all, queries } = JSON.parse(out);
  expect([connections, all.requests, queries]).toMatchObject([
    4,
    40,
    [{ name: 'a<b', requests: 40, failed: 0 }],
  ]);
  expect(requests[0]!.path).toBe('/_search');
  const { 50: middle, 99: high } = all.percentiles;
  expect(middle).toBeGreaterThan(0);
  expect(high).toBeGreaterThanOrEqual(middle);
  expect(all.max).toBeGreaterThanOrEqual(high);
  const svg = readFileSync(join(cwd, 'chart.svg'), 'utf8');
  expect(svg).toMatch(/^<svg /);
  expect(svg).toContain('a&lt;b');
});

it('counts what fails apart, and says why', async () => {
  writeFileSync(join(cwd, 'queries'), '{"a":1}\n{"b":1}\n{"c":1}\n');
  answerOf = (body) => {
    if (body === '{"b":1}') return { status: 400, body: '{"error":"SearchParseException"}' };
    return { status: 200, body: `{"took":1,"timed_out":${body === '{"c":1}'}}` };
  };
  const { status, out, err } = await bench(
    `${url}/books`,
    '--queries',
    'queries',
    '--requests',
    '9',
    '--json',
  );
  expect([status, err]).toEqual([1, 'resilin: /books/_search answers with 400: SearchParseException\n']);
  expect(JSON.parse(out).queries.map(({ failed }: { failed: number }) => failed)).toEqual([0, 3, 3]);
});

it('refuses wrong usage, and explains itself', async () => {
  writeFileSync(join(cwd, 'queries'), '{}\n{"name":1,"body":{}}\n');
  writeFileSync(join(cwd, 'empty'), '\n');
  writeFileSync(join(cwd, 'list'), '[]\n');
  writeFileSync(join(cwd, 'one'), '{}\n');
  const cases: [string[], number, RegExp][] = [
    [[url], 2, /--queries FILE is missing/],
    [['--queries', 'one'], 2, /which server\?/],
    [[url, 'b', '--queries', 'one'], 2, /one URL: what is b/],
    [[url, '--queries', 'none'], 2, /--queries none: ENOENT/],
    [[url, '--queries', 'empty'], 2, /empty has no queries/],
    [[url, '--queries', 'list'], 2, /list, line 1: no JSON object/],
    [[url, '--queries', 'queries'], 2, /queries, line 2: name and index must be texts/],
    [[url, '--queries', 'one', '--connections', '0'], 2, /--connections must be/],
    [['http://127.0.0.1:1', '--queries', 'one'], 3, /gives no answer/],
  ];
  for (const [args, expected, message] of cases) {
    const { status, err } = await bench(...args);
    expect([args, status, err]).toEqual([args, expected, expect.stringMatching(message)]);
  }
  const help = await run(['bench', url, '--help'], { cwd });
  expect([help.status, help.out]).toEqual([0, expect.stringContaining('--queries FILE')]);
  const kernels = await run(['bench', '--help'], { cwd });
  expect([kernels.status, kernels.out]).toEqual([0, expect.stringContaining('innermost functions')]);
});

it('latencies: percentiles to 1 %, added up', () => {
  const [one, two] = [new Latencies(), new Latencies()];
  for (let ms = 1; ms <= 1000; ms++) (ms % 2 === 0 ? one : two).add(ms);
  one.take(two);
  expect([one.count, one.max, one.mean]).toEqual([1000, 1000, 500.5]);
  for (const share of [0.001, 0.5, 0.9, 0.99]) {
    expect(one.percentile(share)).toBeGreaterThanOrEqual(1000 * share);
    expect(one.percentile(share)).toBeLessThanOrEqual(1000 * share * 1.021);
  }
  expect(one.percentile(1)).toBe(1000);
  expect(new Latencies().percentile(0.5)).toBe(0);
  two.add(0);
  two.add(1e12);
  expect([two.percentile(0.001), two.count]).toEqual([expect.any(Number), 502]);
});
