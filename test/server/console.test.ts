/** The console's files at the server's address: who is led there, what is served, and that nobody else notices. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request as plainRequest, type RequestOptions } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatUsers, NOBODY } from '../../host/server/access/usersFile.js';
import type { RunningServer, ServerOptions } from '../../host/server/options.js';
import { VERSION } from '../../host/version.js';
import { built } from '../support/server.js';

const build = await built();
const host = join(build, 'js/host');
const { startServer } = (await import(
  join(host, 'server/server.js')
)) as typeof import('../../host/server/server.js');

const folder = mkdtempSync(join(tmpdir(), 'resilin-console-'));
const pages = join(folder, 'console');
const SCRIPT = 'export const answer = 42;\n'.repeat(100);
const fixtures = join(import.meta.dirname, '../access/fixtures');

const running: RunningServer[] = [];
const start = async (options: ServerOptions = {}) => {
  const server = await startServer({
    port: 0,
    data: ':memory:',
    threads: 1,
    warn: () => {},
    ...options,
    http: { console: pages, ...options.http },
  });
  running.push(server);
  return server;
};

let server: RunningServer;

beforeAll(async () => {
  mkdirSync(join(pages, 'assets'), { recursive: true });
  writeFileSync(join(pages, 'index.html'), '<!doctype html><title>Resilin</title>');
  writeFileSync(join(pages, 'assets/main-1234.js'), SCRIPT);
  writeFileSync(join(pages, 'assets/main-1234.js.gz'), gzipSync(SCRIPT));
  writeFileSync(join(pages, 'notes.txt'), 'no page of the console');
  writeFileSync(join(folder, 'secret.html'), 'secret');
  server = await start();
});
afterAll(async () => {
  for (const each of running) await each.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

function send(path: string, options: RequestOptions & { ca?: Buffer } = {}, to = server): Promise<Answer> {
  const { hostname, port } = new URL(to.url);
  const make = to.url.startsWith('https') ? tlsRequest : plainRequest;
  return new Promise((done, failed) => {
    const asked = make({ hostname, port, path, agent: false, ...options }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', failed);
      answer.on('end', () =>
        done({ status: answer.statusCode!, headers: answer.headers, body: Buffer.concat(chunks) }),
      );
    });
    asked.on('error', failed);
    asked.end();
  });
}

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describe('the root', () => {
  it.each([
    { accept: BROWSER },
    { accept: 'text/html' },
    { accept: '*/*', 'sec-fetch-mode': 'navigate' },
    { accept: 'application/json;q=0.5, text/html' },
  ])('leads a browser to the console: %j', async (headers) => {
    const { status, headers: answered, body } = await send('/', { headers });
    expect([status, answered.location, body.length]).toEqual([302, '/_console/', 0]);
    expect(answered.vary).toContain('accept');
    expect((await send('/', { headers, method: 'HEAD' })).status).toBe(302);
  });

  it.each([
    {},
    { accept: '*/*' },
    { accept: 'application/json' },
    { accept: 'application/json, text/html' },
    { accept: 'application/json, text/html;q=0.9' },
    { accept: 'text/html;q=none, */*' },
    { accept: 'nonsense;;,q' },
    // A script of a page asks, whatever it takes.
    { accept: BROWSER, 'sec-fetch-mode': 'cors' },
  ])('answers all others as it does without a console: %j', async (headers) => {
    const without = await start({ http: { console: false } });
    const [here, there] = [await send('/', { headers }), await send('/', { headers }, without)];
    const described = ({ date: _, ...rest }: IncomingHttpHeaders) => rest;
    expect(here.status).toBe(200);
    expect(here.body.toString()).toBe(there.body.toString());
    expect(described(here.headers)).toEqual(described(there.headers));
    expect(JSON.parse(here.body.toString())).toMatchObject({ tagline: 'You Know, for Search' });
  });
});

describe('the files', () => {
  it('are served under a policy that lets in nothing from elsewhere', async () => {
    const page = await send('/_console/');
    expect([page.status, page.headers['content-type'], page.body.toString()]).toEqual([
      200,
      'text/html; charset=utf-8',
      '<!doctype html><title>Resilin</title>',
    ]);
    const policy = String(page.headers['content-security-policy']);
    for (const part of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'"])
      expect(policy.split('; ')).toContain(part);
    expect(policy).not.toMatch(/unsafe|\*/);
    expect(page.headers['x-content-type-options']).toBe('nosniff');
    expect((await send('/_console')).headers.location).toBe('/_console/');
    expect((await send('/_console/?server=http://other:9200')).status).toBe(200);
  });

  it('are kept by browsers as long as their names say what they are', async () => {
    expect((await send('/_console/')).headers['cache-control']).toBe('no-cache');
    const script = await send('/_console/assets/main-1234.js');
    expect(script.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(script.body.toString()).toBe(SCRIPT);
  });

  it('are packed for those who take gzip', async () => {
    const path = '/_console/assets/main-1234.js';
    const packed = await send(path, { headers: { 'accept-encoding': 'br, gzip' } });
    expect([packed.headers['content-encoding'], packed.headers.vary]).toEqual(['gzip', 'accept-encoding']);
    expect(gunzipSync(packed.body).toString()).toBe(SCRIPT);
    expect((await send(path)).headers['content-encoding']).toBeUndefined();
    // Nothing lies packed beside it.
    const plain = await send('/_console/index.html', { headers: { 'accept-encoding': 'gzip' } });
    expect(plain.headers['content-encoding']).toBeUndefined();
  });

  it('are told of by HEAD without being sent', async () => {
    const { status, headers, body } = await send('/_console/assets/main-1234.js', { method: 'HEAD' });
    expect([status, headers['content-length'], body.length]).toEqual([200, String(SCRIPT.length), 0]);
  });

  it('are those that were built, and no others', async () => {
    for (const path of [
      '/_console/nothing.js',
      '/_console/assets',
      '/_console/assets/',
      '/_console/notes.txt',
      '/_console/assets/main-1234.js.gz',
      '/_console/%00',
      '/_console/__proto__',
      '/_console//index.html',
    ]) {
      const { status, headers } = await send(path);
      expect([path, status]).toEqual([path, 404]);
      expect(headers['x-content-type-options']).toBe('nosniff');
    }
    for (const path of [
      '/_console/../secret.html',
      '/_console/..%2fsecret.html',
      '/_console/%2e%2e/secret.html',
      '/_console/..\\secret.html',
      '/_console/assets/../../secret.html',
    ])
      expect([path, await raw(path)]).toEqual([path, expect.stringMatching(/^HTTP\/1\.1 404 /)]);
  });

  it('are where plugins of 1.x were', async () => {
    for (const [plugin, view] of [
      ['head', ''],
      ['kopf', ''],
      ['marvel', '#/requests'],
      ['sense', '#/requests'],
      ['console', ''],
    ]) {
      const { status, headers } = await send(`/_plugin/${plugin}/`);
      expect([plugin, status, headers.location]).toEqual([plugin, 302, `/_console/${view}`]);
    }
    expect((await send('/_plugin/other/')).status).toBe(404);
    expect((await send('/_plugin/constructor/')).status).toBe(404);
  });

  it('are for reading', async () => {
    for (const method of ['POST', 'PUT', 'DELETE'])
      expect([method, (await send('/_console/index.html', { method })).status]).not.toEqual([method, 200]);
  });

  it('are not for pages of other origins, nor under names that the server does not go by', async () => {
    const foreign = await send('/_console/', { headers: { origin: 'http://elsewhere.example' } });
    expect(foreign.status).toBe(403);
    const rebound = await send('/_console/', { headers: { host: 'elsewhere.example' } });
    expect(rebound.status).toBe(403);
    expect((await send('/', { headers: { host: 'elsewhere.example', accept: BROWSER } })).status).toBe(403);
  });
});

/** What is answered to a path exactly as it is: clients in programs put it in order before they send it. */
function raw(path: string): Promise<string> {
  const { hostname, port } = new URL(server.url);
  return new Promise((done, failed) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`),
    );
    let text = '';
    socket.on('data', (chunk) => {
      text += String(chunk);
    });
    socket.on('close', () => done(text));
    socket.on('error', failed);
  });
}

describe('the console among the plugins', () => {
  it('is a site plugin, as 1.7 tells of one', async () => {
    const { nodes } = JSON.parse((await send('/_nodes/plugins')).body.toString());
    const [{ plugins }] = Object.values(nodes) as [{ plugins: unknown[] }];
    expect(plugins).toEqual([
      {
        name: 'console',
        version: VERSION,
        description: expect.any(String),
        url: '/_console/',
        jvm: false,
        site: true,
      },
    ]);
    const table = (await send('/_cat/plugins?v')).body.toString();
    expect(table.split('\n').map((line) => line.split(/ +/).filter((cell) => cell !== ''))).toEqual([
      ['name', 'component', 'version', 'type', 'url'],
      ['Resilin', 'console', VERSION, 's', '/_console/'],
      [],
    ]);
    expect(server.console).toBe(`${server.url}/_console/`);
  });

  it('is missing where there is none', async () => {
    const without = await start({ http: { console: false } });
    expect((await send('/_cat/plugins', {}, without)).body.toString()).toBe('');
    const { nodes } = JSON.parse((await send('/_nodes/plugins', {}, without)).body.toString());
    expect(Object.values(nodes)).toMatchObject([{ plugins: [] }]);
    expect(without.console).toBeUndefined();
    expect((await send('/', { headers: { accept: BROWSER } }, without)).status).toBe(200);
    expect((await send('/_plugin/head/', {}, without)).status).toBe(404);
    expect((await send('/_console/', {}, without)).status).not.toBe(200);
  });
});

describe('a server of its own kind', () => {
  it('shows the console over TLS, and to those whom it will ask who they are; the audit log has them', async () => {
    const users = join(folder, 'users.json');
    writeFileSync(users, formatUsers(NOBODY), { mode: 0o600 });
    const audit = join(folder, 'audit.log');
    const tls = { cert: join(fixtures, 'a.crt'), key: join(fixtures, 'a.key') };
    const guarded = await start({ users, audit, tls });
    const ca = readFileSync(tls.cert);
    const trusting = { ca, rejectUnauthorized: false };
    expect(guarded.url).toMatch(/^https:/);
    expect((await send('/_console/', trusting, guarded)).status).toBe(200);
    const headers = { accept: BROWSER };
    expect((await send('/', { ...trusting, headers }, guarded)).headers.location).toBe('/_console/');
    expect((await send('/', trusting, guarded)).status).toBe(401);
    await guarded.close();
    running.splice(running.indexOf(guarded), 1);
    const lines = readFileSync(audit, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ path, status, principal }) => [path, status, principal])).toEqual([
      ['/_console/', 200, undefined],
      ['/', 302, undefined],
      ['/', 401, undefined],
    ]);
  });

  it('shows it in every thread that accepts connections', async () => {
    const data = join(folder, 'data');
    const several = await start({ data, coordinators: 3 });
    for (let i = 0; i < 30; i++) {
      const { status } = await send('/_console/assets/main-1234.js', {}, several);
      expect(status).toBe(200);
    }
    await several.close();
    running.splice(running.indexOf(several), 1);
  });
});
