/**
 * A server whose disk fails: system calls on its files return errors (test/support/faults/faults.c). Runs where there is a C compiler and
 * the system is Linux.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hasFaults, makeFaults } from '../support/faults/library.js';
import { serverFile } from '../support/server.js';

const EIO = 5;
const ENOSPC = 28;
/** Two pages at the beginning of the file, which is never longer than the disk. */
const META_BYTES = 8192;
/** Pages are written one by one, or several neighbours together. */
const WRITES = 'pwrite,writev';

const main = await serverFile();
let library: string;
let folder: string;
let server: ChildProcess;
let url: string;

beforeAll(() => {
  if (!hasFaults) return;
  library = mkdtempSync(join(tmpdir(), 'resilin-faults-'));
  makeFaults(library);
});
afterAll(() => {
  if (library !== undefined) rmSync(library, { recursive: true, force: true });
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'resilin-disk-'));
});
afterEach(async () => {
  if (server.exitCode === null && server.signalCode === null) {
    server.kill('SIGKILL');
    await once(server, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
});

const flag = () => join(folder, 'fails');
const fail = (errno: number) => writeFileSync(flag(), String(errno));
const mend = () => rmSync(flag());

/** Starts a server some of whose calls will fail. */
async function start(call = '', { path = 'data.mdb', from = 0 } = {}): Promise<void> {
  server = spawn(process.execPath, [main, '--port', '0', '--data', join(folder, 'data'), '--log', 'error'], {
    env: {
      ...process.env,
      LD_PRELOAD: join(library, 'faults.so'),
      RESILIN_FAULT_CALL: call,
      RESILIN_FAULT_PATH: path,
      RESILIN_FAULT_FROM: String(from),
      RESILIN_FAULT_FLAG: flag(),
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let text = '';
  for await (const chunk of server.stdout!) {
    text += String(chunk);
    const match = /answers on (\S+),/.exec(text);
    if (match === null) continue;
    url = match[1]!;
    break;
  }
}

async function ask(method: string, path: string, body?: string) {
  const answer = await fetch(url + path, { method, ...(body === undefined ? {} : { body }) });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}
const put = (id: number) => ask('PUT', `/a/t/${id}`, '{"x":1}');

describe.runIf(hasFaults)('a disk that fails', () => {
  it.each(['fdatasync', 'pwrite', WRITES])(
    'at %s: the store takes no more writes, health is red, SIGTERM ends the server, nothing is lost',
    async (call) => {
      await start(call);
      expect((await put(1)).status).toBe(201);
      fail(EIO);
      const refused = await put(2);
      expect(refused.status).toBe(503);
      expect(refused.body.error).toMatch(
        /^WriteFailureException\[the store failed and takes no writes until the server is restarted: Input\/output error/,
      );
      // The next call would succeed: but what became of the one before is not known.
      mend();
      expect((await put(3)).status).toBe(503);
      expect((await ask('GET', '/_cluster/health')).body.status).toBe('red');
      server.kill('SIGTERM');
      await once(server, 'exit');
      await start();
      expect((await ask('GET', '/a/t/1')).status).toBe(200);
      expect((await ask('GET', '/a/t/3')).status).toBe(404);
      expect((await put(4)).status).toBe(201);
    },
    60_000,
  );

  it('because it is full: writes are refused until there is room', async () => {
    // Pages of rows; what tells where they are has its place in the file already.
    await start(WRITES, { from: META_BYTES });
    expect((await put(1)).status).toBe(201);
    fail(ENOSPC);
    expect((await put(2)).status).toBe(503);
    expect((await ask('GET', '/a/t/1')).status).toBe(200);
    expect((await ask('GET', '/_cluster/health')).body.status).toBe('yellow');
    mend();
    // A short pause is made after each failure.
    let written = await put(3);
    for (let tries = 0; written.status === 503 && tries < 1000; tries++) written = await put(3);
    expect(written.status).toBe(201);
  }, 60_000);

  it.each([
    ['fdatasync', 'segments/'],
    ['fsync', 'segments'],
  ])(
    'at %s of %s: a segment that may not be on the disk is not counted on',
    async (call, path) => {
      await start(call, { path });
      expect((await put(1)).status).toBe(201);
      fail(EIO);
      const flushed = await ask('POST', '/a/_flush');
      expect(flushed).toMatchObject({ status: 500, body: { error: expect.stringContaining('EIO') } });
      mend();
      expect((await ask('POST', '/a/_flush')).body).toMatchObject({ _shards: { successful: 5, failed: 0 } });
      expect((await ask('GET', '/a/_search')).body).toMatchObject({ hits: { total: 1 } });
    },
    60_000,
  );
});
