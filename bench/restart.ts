/**
 * How long does a start take?
 *
 *     node build/bench/bench/restart.js [--documents 300000] [--tail 250000] [--server build/js/host/cli/main.js]
 *
 * Fills a new data folder with generated documents, ends the server, and measures the time from the start of its process to
 * the first answer of a search; then writes `tail` documents more, kills the server, and measures the same. Not measured: a
 * cold file cache.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '300000' },
    tail: { type: 'string', default: '250000' },
    server: { type: 'string', default: 'build/js/host/cli/main.js' },
    folder: { type: 'string', default: tmpdir() },
  },
});
const data = mkdtempSync(join(values.folder, 'resilin-restart-'));
const WORDS = Array.from({ length: 5000 }, (_, i) => `w${((i * 2_654_435_761) >>> 0).toString(36)}`);
let seed = 1;

function word(): string {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return WORDS[Math.floor(WORDS.length * (seed / 2 ** 32) ** 2)]!;
}

async function start(): Promise<{ server: ChildProcess; url: string }> {
  const args = [values.server, '--port', '0', '--data', data];
  const server = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise<string>((resolve) => {
    let out = '';
    server.stdout!.on('data', (chunk) => {
      out += chunk;
      const found = /answers on (\S+),/.exec(out)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  return { server, url };
}

function ended(server: ChildProcess): Promise<void> {
  return new Promise((resolve) => server.on('exit', () => resolve()));
}

async function fill(url: string, from: number, to: number): Promise<void> {
  for (let at = from; at < to; at += 5000) {
    const lines: string[] = [];
    for (let i = at; i < Math.min(to, at + 5000); i++) {
      const title = Array.from({ length: 8 }, word).join(' ');
      const body = Array.from({ length: 30 }, word).join(' ');
      lines.push(
        `{"index":{"_id":"${i}"}}\n{"title":"${title}","body":"${body}","n":${i},"price":${i % 997}}\n`,
      );
    }
    const answer = await fetch(`${url}/r/t/_bulk`, { method: 'POST', body: lines.join('') });
    if (((await answer.json()) as { errors: boolean }).errors) throw new Error('a bulk request failed');
  }
}

async function total(url: string): Promise<number> {
  const body = JSON.stringify({ query: { match: { title: WORDS[3]! } }, size: 1 });
  await (await fetch(`${url}/r/_search`, { method: 'POST', body })).text();
  const all = await fetch(`${url}/r/_search?size=0`);
  return ((await all.json()) as { hits: { total: number } }).hits.total;
}

async function measure(what: string): Promise<{ server: ChildProcess; url: string }> {
  const began = performance.now();
  const running = await start();
  const listening = performance.now() - began;
  const found = await total(running.url);
  const answered = performance.now() - began;
  console.log(
    `${what}: listens after ${listening.toFixed(0)} ms, has searched after ${answered.toFixed(0)} ms: ${found} documents`,
  );
  return running;
}

const documents = Number(values.documents);
let { server, url } = await start();
await fill(url, 0, documents);
await fetch(`${url}/r/_refresh`, { method: 'POST' });
const end = performance.now();
let exit = ended(server);
server.kill('SIGTERM');
await exit;
console.log(`filled; the server ended in ${(performance.now() - end).toFixed(0)} ms`);
({ server, url } = await measure('clean start'));
await fill(url, documents, documents + Number(values.tail));
exit = ended(server);
server.kill('SIGKILL');
await exit;
({ server, url } = await measure('start after kill -9'));
exit = ended(server);
server.kill('SIGTERM');
await exit;
rmSync(data, { recursive: true, force: true });
