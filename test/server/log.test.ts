import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { logText } from '../../host/server/logText.js';
import { serverFile } from '../support/server.js';

const main = await serverFile();
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'resilin-log-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
/** Processes, which a test that fails doesn't end. */
const children: ChildProcessWithoutNullStreams[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** A server as a process, whose lines can be waited for. */
class Server {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: string[] = [];
  readonly #waiting: { wanted: RegExp; found: (line: string) => void }[] = [];

  constructor(...args: string[]) {
    this.#child = spawn(process.execPath, [main, '--port=0', '--threads=1', ...args]);
    children.push(this.#child);
    for (const stream of [this.#child.stdout, this.#child.stderr])
      createInterface(stream).on('line', (line) => {
        this.#lines.push(line);
        for (const { wanted, found } of this.#waiting) if (wanted.test(line)) found(line);
      });
  }

  /** The first line like that, as soon as there is one. */
  line(wanted: RegExp): Promise<string> {
    const there = this.#lines.find((line) => wanted.test(line));
    if (there !== undefined) return Promise.resolve(there);
    return new Promise((found) => this.#waiting.push({ wanted, found }));
  }

  async url(): Promise<string> {
    return /answers on (\S+),/.exec(await this.line(/answers on/))![1]!;
  }

  end(): Promise<unknown> {
    const ended = new Promise((done) => this.#child.once('exit', done));
    this.#child.kill('SIGTERM');
    return ended;
  }
}

describe('the log of a server', () => {
  it('is JSON where stderr is no terminal, with levels as numbers and words, and tells what a start found', async () => {
    const data = `--data=${join(folder, 'found')}`;
    const first = new Server(data);
    const url = await first.url();
    expect(JSON.parse(await first.line(/"opened"/))).toMatchObject({
      level: 30,
      severity: 'info',
      indices: 0,
      documents: 0,
    });
    await fetch(`${url}/books`, { method: 'PUT', body: '{"settings":{"number_of_shards":2}}' });
    await fetch(`${url}/books/book/1?refresh=true`, { method: 'PUT', body: '{"title":"rose"}' });
    await fetch(`${url}/shut`, { method: 'PUT', body: '{"settings":{"number_of_shards":1}}' });
    await fetch(`${url}/shut/_close`, { method: 'POST' });
    await first.end();
    const second = new Server(data);
    const opened = JSON.parse(await second.line(/"opened"/));
    expect(opened).toMatchObject({ indices: 2, closed: 1, shards: 2, failed: 0, documents: 1 });
    expect(opened.bytes).toBeGreaterThan(10_000);
    expect(opened.msg).toMatch(
      /^opened 2 indices \(1 closed\), 2 shards, 1 document, \S+kb on the disk, in \S+s$/,
    );
    await second.end();
  });

  it('is text where that is asked for, and shows no parameters of requests', async () => {
    const server = new Server('--data=:memory:', '--log=debug', '--log-format=text');
    const url = await server.url();
    expect(await server.line(/opened/)).toMatch(
      /^\d{4}-\d\d-\d\dT[\d:.]+Z INFO {2}opened 0 indices, 0 shards, 0 documents, in \S+$/,
    );
    await fetch(`${url}/_cluster/health?access_token=secret`);
    expect(await server.line(/DEBUG answer/)).toMatch(
      /DEBUG answer method=GET url=\/_cluster\/health status=200 ms=\S+ ip=127\.0\.0\.1$/,
    );
    await fetch(`${url}/_search/scroll/c2VjcmV0?scroll=1m`);
    expect(await server.line(/DEBUG answer .*scroll/)).toContain(' url=/_search/scroll/... status=');
    await server.end();
  });
});

describe('a line of text', () => {
  const line = (more: object) =>
    JSON.stringify({ level: 40, severity: 'warn', time: '2026-01-02T03:04:05.678Z', ...more });

  it('has colours only where they are wanted', () => {
    const json = line({ msg: 'the disk is full', free: 7, of: 'a disk' });
    expect(logText(json, false)).toBe('2026-01-02T03:04:05.678Z WARN  the disk is full free=7 of="a disk"\n');
    expect(logText(json, true)).toContain('\x1b[33mWARN \x1b[0m');
  });

  it('shows what clients have chosen without its control characters', () => {
    expect(logText(line({ msg: '[a\x1b[2J\nb] c', id: 'x\u202ey' }), false)).toBe(
      '2026-01-02T03:04:05.678Z WARN  [a\\x1b[2J\\nb] c id=x\\u202ey\n',
    );
  });

  it('shows no fields that the message tells of', () => {
    const slow = line({ logger: 'index.search.slowlog.query', took_millis: 3, msg: '[a][0] took[3ms]' });
    expect(logText(slow, false)).toBe(
      '2026-01-02T03:04:05.678Z WARN  [index.search.slowlog.query] [a][0] took[3ms]\n',
    );
    expect(logText(line({ event: 'opened', ms: 1, msg: 'opened' }), false)).toMatch(/WARN {2}opened\n$/);
  });
});
