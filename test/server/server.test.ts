import { type ChildProcessWithoutNullStreams, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { get as getByTls } from 'node:https';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer, ServerOptions } from '../../host/server/index.js';
import { serverFile } from '../support/server.js';

const root = resolve(import.meta.dirname, '../..');
const main = await serverFile();
let folder: string;
let createServer: (options?: ServerOptions) => Promise<RunningServer>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'resilin-server-'));
  ({ createServer } = (await import(
    join(dirname(main), 'server.js')
  )) as typeof import('../../host/server/index.js'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

function send(
  base: string,
  method: string,
  path: string,
  body?: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return new Promise((done, failed) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const req = request(new URL(path, base), { method, headers: { ...length, ...headers } }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('end', () =>
        done({ status: res.statusCode ?? 0, headers: res.headers, text: Buffer.concat(chunks).toString() }),
      );
    });
    req.on('error', failed);
    req.end(body);
  });
}

/** Where a server says that it answers. */
function listening(child: ChildProcessWithoutNullStreams): Promise<string> {
  return new Promise((done) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      const match = /answers on (\S+),/.exec(text);
      if (match !== null) done(match[1]!);
    });
  });
}

describe('the server', () => {
  it('takes bodies of every content type, with GET too, and answers HEAD without one', async () => {
    const server = await createServer({ port: 0, data: ':memory:', threads: 2 });
    const { url } = server;
    expect(
      (await send(url, 'PUT', '/a/t/1?refresh=true', '{"title":"red fox"}', { 'content-type': 'text/weird' }))
        .status,
    ).toBe(201);
    expect(
      (
        await send(url, 'PUT', '/a/t/2', '{"title":"hen"}', {
          'content-type': 'application/x-www-form-urlencoded',
        })
      ).status,
    ).toBe(201);
    const found = await send(url, 'GET', '/a/_search', '{"query":{"match":{"title":"fox"}}}', {
      'X-Opaque-Id': 'me',
    });
    expect(JSON.parse(found.text)).toMatchObject({ hits: { total: 1 } });
    expect([found.headers['content-type'], found.headers['x-opaque-id']]).toEqual([
      'application/json; charset=UTF-8',
      'me',
    ]);
    const none = await send(url, 'GET', '/a/_search', '{"query":{"match":{"title":"ox"}}}');
    expect(JSON.parse(none.text)).toMatchObject({ hits: { total: 0, max_score: null } });
    const head = await send(url, 'HEAD', '/a/t/1');
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', '0']);
    expect((await send(url, 'DELETE', '/a/t/1', '')).status).toBe(200);
    expect((await send(url, 'PUT', '/a/t')).text).toBe('No handler found for uri [/a/t] and method [PUT]');
    expect((await send(url, 'OPTIONS', '/a')).status).toBe(200);
    const odd = await send(url, 'GET', '/a/t/%zz');
    expect(odd.status).toBe(404);
    await server.close();
  });

  it('bounds what the searches of all its threads need of field values together', async () => {
    const server = await createServer({ port: 0, data: ':memory:', threads: 2 });
    const { url, engine } = server;
    const lines = Array.from({ length: 300 }, (_, i) => `{"index":{}}\n{"n":${i * 7},"m":${i}}\n`).join('');
    await send(url, 'PUT', '/a', '{"settings":{"number_of_shards":2}}');
    await send(url, 'POST', '/a/t/_bulk?refresh=true', lines);
    const sorted = async (field: string) =>
      (await send(url, 'POST', '/a/_search', JSON.stringify({ sort: [field] }))).status;
    const set = (limit: number | string) =>
      send(url, 'PUT', '/_cluster/settings', `{"transient":{"indices.breaker.fielddata.limit":"${limit}"}}`);
    const needed = () => engine.breakers.stats.fielddata.used;
    expect([await sorted('n'), needed() > 300]).toEqual([200, true]);
    const one = needed();
    // Enough for one of the shards, were there not the other.
    await set(Math.floor(1.3 * one));
    expect(await sorted('n')).toBe(200);
    const refused = await send(url, 'POST', '/a/_search', '{"sort":["m"]}');
    expect(JSON.parse(refused.text)._shards?.failed ?? 2).toBeGreaterThan(0);
    expect(refused.text).toContain('[FIELDDATA] Data too large, data for [m]');
    expect(engine.breakers.stats.fielddata.tripped).toBeGreaterThan(0);
    await send(url, 'POST', '/a/_cache/clear?fielddata=true');
    expect(needed()).toBe(0);
    await set('60%');
    expect(await sorted('m')).toBe(200);
    await server.close();
  });

  it('keeps acknowledged documents over a restart', async () => {
    const data = join(folder, 'restart');
    const first = await createServer({ port: 0, data, threads: 2 });
    const lines = Array.from(
      { length: 3000 },
      (_, i) => `{"index":{"_id":"${i}"}}\n{"title":"fox ${i}","n":${i}}\n`,
    );
    const bulk = await send(first.url, 'POST', '/a/t/_bulk', lines.join(''));
    expect(JSON.parse(bulk.text)).toMatchObject({ errors: false });
    await first.close();
    const second = await createServer({ port: 0, data, threads: 1 });
    expect(JSON.parse((await send(second.url, 'GET', '/a/t/2999')).text)).toMatchObject({
      _source: { n: 2999 },
    });
    const all = async (url: string) =>
      JSON.parse(
        (await send(url, 'POST', '/a/_search', '{"query":{"match":{"title":"fox"}},"size":0}')).text,
      );
    expect(await all(second.url)).toMatchObject({ hits: { total: 3000 } });
    await second.close();
    const [segment] = readdirSync(join(data, 'segments'));
    const bytes = readFileSync(join(data, 'segments', segment!));
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(join(data, 'segments', segment!), bytes);
    const warnings: string[] = [];
    const third = await createServer({
      port: 0,
      data,
      threads: 1,
      warn: (message) => warnings.push(message),
    });
    expect(await all(third.url)).toMatchObject({ hits: { total: 3000 } });
    expect(warnings).toEqual([expect.stringContaining(`segment ${segment} can't be used: `)]);
    expect(warnings[0]).toContain('the shard is rebuilt from its documents');
    await third.close();
  });

  it('finishes what is under way when it is asked to end', async () => {
    const data = join(folder, 'ended');
    const child = spawn(process.execPath, [main, '--port', '0', '--data', data, '--threads', '1']);
    const url = await listening(child);
    const ended = new Promise((done) => child.on('exit', (code, signal) => done([code, signal])));
    const lines = Array.from(
      { length: 20_000 },
      (_, i) => `{"index":{"_id":"${i}"}}\n{"title":"fox ${i}"}\n`,
    );
    const body = lines.join('');
    // It has the request, and waits for its body, when it is asked to end.
    const headers = { expect: '100-continue', 'content-length': Buffer.byteLength(body) };
    const bulk = request(`${url}/a/t/_bulk`, { method: 'POST', headers });
    const response = once(bulk, 'response');
    bulk.flushHeaders();
    await once(bulk, 'continue');
    child.kill('SIGTERM');
    bulk.end(body);
    const [answer] = (await response) as [IncomingMessage];
    expect([answer.statusCode, await json(answer)]).toMatchObject([200, { errors: false }]);
    expect(await ended).toEqual([0, null]);
    expect(readdirSync(join(data, 'segments')).length).toBeGreaterThan(0);
    expect(existsSync(join(data, 'resilin.lock'))).toBe(false);
    const again = await createServer({ port: 0, data, threads: 1 });
    expect(JSON.parse((await send(again.url, 'GET', '/a/_search?size=0')).text)).toMatchObject({
      hits: { total: 20_000 },
    });
    await again.close();
  });

  it('goes on reading when the disk is full, refuses writes, and takes them when there is room', async () => {
    const data = join(folder, 'full');
    // A bound on the length of files stands in for the end of the disk.
    const command = 'ulimit -S -f 1000; exec "$0" "$@"';
    const child = spawn('sh', ['-c', command, process.execPath, main, '--port', '0', '--data', data]);
    const url = await listening(child);
    await send(url, 'PUT', '/a', '{"settings":{"number_of_shards":1}}');
    let stored = 0;
    let refused: Answer;
    do {
      refused = await send(url, 'PUT', `/a/t/${stored}`, `{"title":"fox ${'x'.repeat(5000)}"}`);
    } while (refused.status === 201 && ++stored < 2000);
    expect([refused.status, refused.text]).toEqual([503, expect.stringContaining("store can't be written")]);
    for (let i = 0; i < 10; i++) {
      const again = await send(url, 'PUT', `/a/t/big${i}`, `{"title":"fox ${'x'.repeat(20_000)}"}`);
      expect(again.status).toBe(503);
    }
    expect((await send(url, 'GET', `/a/t/${stored - 1}`)).status).toBe(200);
    await send(url, 'POST', '/a/_refresh');
    expect(JSON.parse((await send(url, 'GET', '/a/_search?size=0')).text)).toMatchObject({
      hits: { total: stored },
    });
    // There is room again.
    execFileSync('prlimit', ['--pid', String(child.pid), '--fsize=unlimited:unlimited']);
    await expect
      .poll(async () => (await send(url, 'PUT', '/a/t/more', '{"title":"fox"}')).status, { interval: 20 })
      .toBe(201);
    expect((await send(url, 'DELETE', '/a/t/0')).status).toBe(200);
    const ended = new Promise((done) => child.on('exit', done));
    child.kill('SIGTERM');
    await ended;
    const again = await createServer({ port: 0, data, threads: 1 });
    expect(JSON.parse((await send(again.url, 'GET', '/a/_search?size=0')).text)).toMatchObject({
      hits: { total: stored },
    });
    await again.close();
  });

  it('says so when the folder or the port is taken', async () => {
    const data = join(folder, 'taken');
    const server = await createServer({ port: 0, data, threads: 1 });
    await expect(createServer({ port: 0, data, threads: 1 })).rejects.toThrow('in use by process');
    const port = Number(new URL(server.url).port);
    await expect(createServer({ port, data: ':memory:', threads: 1 })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
    await expect(createServer({ port: 0, data: join(main, 'x'), threads: 1 })).rejects.toThrow(
      "can't be written",
    );
    await server.close();
  });
});

describe('the command line', () => {
  it('says at once why a server can not start', () => {
    const start = (...args: string[]) =>
      spawnSync(process.execPath, [main, '--port', '0', ...args], { encoding: 'utf8', timeout: 20_000 });
    const folder = start('--data', '/proc/nowhere');
    expect([folder.status, folder.stderr]).toEqual([
      1,
      expect.stringMatching(/^resilin: the data folder \/proc\/nowhere can't be written: .+\n$/),
    ]);
    const host = start('--data', ':memory:', '--host', '203.0.113.1');
    expect([host.status, host.stderr]).toEqual([1, expect.stringContaining('no address of this machine')]);
    const flag = start('--nope');
    expect([flag.status, flag.stderr]).toEqual([2, 'resilin: unknown argument --nope; see resilin --help\n']);
  });

  it('keeps users, lets them in over TLS, and takes changes at SIGHUP', async () => {
    const users = join(folder, 'users.json');
    const fixture = (name: string) => join(root, 'test/access/fixtures', name);
    const keep = (input: string, ...args: string[]) => {
      const options = { encoding: 'utf8', input, env: { ...process.env, RESILIN_USERS: users } } as const;
      return spawnSync(process.execPath, [main, ...args], { ...options, timeout: 20_000 });
    };
    const added = keep(
      'correct horse\nmore\n',
      'user',
      'add',
      'ann',
      '--grant',
      'a*:read',
      '--cluster=monitor',
    );
    expect([added.stderr, added.status, added.stdout]).toEqual([
      '',
      0,
      'user ann may read a*; monitor the cluster; a server that runs takes it when it is sent SIGHUP\n',
    ]);
    const again = keep('correct horse\n', 'user', 'add', 'ann');
    expect([again.status, again.stderr]).toEqual([
      1,
      'resilin: there is a user ann already; see --replace\n',
    ]);
    expect(keep('', 'user', '--help').stdout).toMatch(/^resilin user, resilin key - /);

    const tls = ['--tls-cert', fixture('a.crt'), '--tls-key', fixture('a.key')];
    const door = ['--users', users, ...tls];
    const child = spawn(process.execPath, [main, '--port=0', '--data=:memory:', '--threads=1', ...door]);
    let log = '';
    child.stderr.on('data', (chunk) => {
      log += String(chunk);
    });
    const url = await listening(child);
    expect(url).toMatch(/^https:/);
    const ca = readFileSync(fixture('a.crt'));
    const status = (path: string, headers: Record<string, string>) =>
      new Promise((done, failed) => {
        const sent = getByTls(new URL(path, url), { ca, headers, agent: false }, (answer) => {
          answer.resume();
          done(answer.statusCode);
        });
        sent.on('error', failed);
      });
    const basic = { authorization: `Basic ${Buffer.from('ann:correct horse').toString('base64')}` };
    expect([await status('/', {}), await status('/', basic), await status('/b/_search', basic)]).toEqual([
      401, 200, 403,
    ]);
    const [, authorization] = /^Authorization: (.+)$/m.exec(
      keep('', 'key', 'add', 'k', '--grant=b:write').stdout,
    )!;
    expect(await status('/', { authorization: authorization! })).toBe(401);
    child.kill('SIGHUP');
    await expect.poll(() => log, { interval: 20 }).toMatch(/users\.json is read again: 1 users, 1 keys/);
    expect(await status('/b/_search', { authorization: authorization! })).toBe(404);
    const ended = new Promise((done) => child.on('exit', (code) => done(code)));
    child.kill('SIGTERM');
    expect(await ended).toBe(0);

    chmodSync(users, 0o644);
    const refused = spawnSync(process.execPath, [main, '--port=0', '--data=:memory:', '--users', users], {
      encoding: 'utf8',
      timeout: 20_000,
    });
    expect([refused.status, refused.stderr]).toEqual([
      1,
      `resilin: the users file ${users} can be read or written by others (mode 644); use chmod 600\n`,
    ]);
  });

  it('reads bodies in YAML, and lets none of them take long', async () => {
    const server = await createServer({ port: 0, data: ':memory:', threads: 1 });
    const { url } = server;
    const written = await send(url, 'PUT', '/a/y/1', '---\na: 5\nb: [x, y]\n');
    expect(written.text).toBe('---\n_index: "a"\n_type: "y"\n_id: "1"\n_version: 1\ncreated: true\n');
    const { text } = await send(url, 'GET', '/a/y/1/_source');
    expect(JSON.parse(text)).toEqual({ a: 5, b: ['x', 'y'] });
    const bad = await send(url, 'PUT', '/a/y/2', 'a: 5\n', { 'content-type': 'application/yaml' });
    expect([bad.status, bad.text.slice(0, 34)]).toEqual([400, '---\nerror: "MapperParsingException']);
    // Keys in keys: the parser's work grows with the cube of their number.
    const dear = send(url, 'PUT', '/a/y/3', `---\n${'? '.repeat(20_000)}x\n`);
    let answered = false;
    void dear.then(() => {
      answered = true;
    });
    expect((await send(url, 'GET', '/_cluster/health')).status).toBe(200);
    expect(answered).toBe(false);
    expect((await dear).status).toBe(400);
    expect((await dear).text).toContain('a body in YAML takes too long to read; send JSON');
    expect((await send(url, 'PUT', '/a/y/4', '---\na: 6\n')).status).toBe(201);
    await server.close();
  });
});
