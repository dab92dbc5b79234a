/** Users and TLS at the server's door: over HTTP, with files that change. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { request as plainRequest } from 'node:http';
import { request as tlsRequest, type RequestOptions } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Server as TlsServer, TLSSocket } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';
import { createRouter } from '../../host/rest/createRouter.js';
import { hashPassword } from '../../host/server/access/passwords.js';
import { ServerAccess } from '../../host/server/access/serverAccess.js';
import { formatUsers, type UserEntry, type Users } from '../../host/server/access/usersFile.js';
import { createHttp } from '../../host/server/http.js';

const fixtures = join(import.meta.dirname, 'fixtures');
const folder = mkdtempSync(join(tmpdir(), 'resilin-access-'));
const file = (name: string) => join(folder, name);
const lines: string[] = [];
const log = pino({ base: null }, { write: (line: string) => void lines.push(line) });

const user = async (password: string, grants: UserEntry['grants'] = []): Promise<UserEntry> => ({
  password: await hashPassword(password, { N: 1024, r: 1, p: 1 }),
  grants,
  cluster: 'none',
});
const save = (users: Users) => writeFileSync(file('users.json'), formatUsers(users), { mode: 0o600 });
const certify = (name: string) => {
  for (const end of ['crt', 'key'])
    writeFileSync(file(`tls.${end}`), readFileSync(join(fixtures, `${name}.${end}`)));
};

let resilin: Resilin;
let access: ServerAccess;
const apps: FastifyInstance[] = [];
let plain: number;
let secure: FastifyInstance;

beforeAll(async () => {
  const read = [{ indices: ['open'], access: 'read' as const }];
  save({ users: new Map([['ann', await user('correct horse', read)]]), keys: new Map() });
  certify('a');
  access = new ServerAccess({
    users: file('users.json'),
    tls: { cert: file('tls.crt'), key: file('tls.key') },
  });
  resilin = await createEngine({ guarded: true });
  await resilin.request('PUT', '/open/t/1?refresh=true', { s: 'fox' });
  await resilin.request('PUT', '/secret/t/1?refresh=true', { s: 'canary' });
  const { authenticate } = access;
  const router = createRouter(resilin.engine, { node: 'n', cluster: 'c', version: '0' });
  const start = async (tls: boolean): Promise<FastifyInstance> => {
    const more = tls && access.tls !== undefined ? { tls: access.tls } : {};
    const app = createHttp(router, authenticate, { cors: { allowOrigin: '*' }, ...more });
    apps.push(app);
    await app.listen({ port: 0, host: '127.0.0.1' });
    return app;
  };
  plain = portOf(await start(false));
  secure = await start(true);
});
afterAll(async () => {
  for (const app of apps) await app.close();
  await resilin.close();
  rmSync(folder, { recursive: true, force: true });
});

const portOf = (app: FastifyInstance) => (app.server.address() as AddressInfo).port;

interface Answer {
  status: number;
  text: string;
  headers: Record<string, unknown>;
  certificate: string | undefined;
}

function send(options: RequestOptions, body?: string): Promise<Answer> {
  return new Promise((done, failed) => {
    const make = options.ca === undefined ? plainRequest : tlsRequest;
    const sent = make({ host: '127.0.0.1', agent: false, port: plain, ...options }, (answer) => {
      const certificate = (answer.socket as TLSSocket).getPeerCertificate?.().subject?.CN;
      let text = '';
      answer.on('data', (chunk) => {
        text += String(chunk);
      });
      answer.on('end', () =>
        done({
          status: answer.statusCode!,
          text,
          headers: answer.headers,
          certificate: certificate as string,
        }),
      );
    });
    sent.on('error', failed);
    sent.end(body);
  });
}

const ann = 'ann:correct horse';

describe('a server with users', () => {
  it('tells strangers nothing but that it wants to know them', async () => {
    for (const path of ['/', '/open/_search', '/nope', '/_nodes', '/%zz', '/_plugin/x', '/?callback=x']) {
      const { status, text, headers } = await send({ path });
      expect([path, status, headers['www-authenticate']]).toEqual([
        path,
        401,
        'Basic realm="resilin", charset="UTF-8"',
      ]);
      expect(JSON.parse(text)).toEqual({
        error: `AuthenticationException[missing authentication token for REST request [${path}]]`,
        status: 401,
      });
    }
    expect((await send({ path: '/', auth: 'ann:wrong' })).text).toContain(
      'AuthenticationException[unable to authenticate user [ann] for REST request [/]]',
    );
    expect((await send({ path: '/', method: 'HEAD' })).status).toBe(401);
    expect((await send({ path: '/', method: 'PROPFIND' })).status).toBe(401);
  });

  it('lets the others do what they may', async () => {
    expect((await send({ path: '/', auth: ann })).status).toBe(200);
    expect(JSON.parse((await send({ path: '/_search', auth: ann })).text).hits.total).toBe(1);
    const refused = await send({ path: '/secret/_search', auth: ann });
    expect([refused.status, JSON.parse(refused.text)]).toEqual([
      403,
      {
        error: 'AuthorizationException[action [indices:data/read/search] is unauthorized for user [ann]]',
        status: 403,
      },
    ]);
    const written = await send({ path: '/open/t/2', method: 'PUT', auth: ann }, '{"s":"x"}');
    expect([written.status, JSON.parse(written.text).error]).toEqual([
      403,
      'AuthorizationException[action [indices:data/write/index] is unauthorized for user [ann]]',
    ]);
  });

  it('takes no body of a stranger', async () => {
    const answer = await new Promise<string>((done, failed) => {
      const socket = connect(plain, '127.0.0.1', () =>
        socket.write('POST /_bulk HTTP/1.1\r\nHost: localhost\r\nContent-Length: 90000000\r\n\r\n{'),
      );
      let text = '';
      socket.on('data', (chunk) => {
        text += String(chunk);
      });
      socket.on('end', () => done(text));
      socket.on('error', failed);
    });
    expect(answer).toMatch(/^HTTP\/1.1 401 /);
    expect(answer.toLowerCase()).toContain('connection: close');
  });

  it('answers what browsers ask before they send credentials', async () => {
    const headers = { 'user-agent': 'Mozilla/5.0', origin: 'http://x' };
    const asked = await send({ path: '/secret/_search', method: 'OPTIONS', headers });
    expect([asked.status, asked.headers['access-control-allow-origin'], asked.text]).toEqual([200, '*', '']);
    const refused = await send({ path: '/secret/_search', headers });
    expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([401, '*']);
  });
});

describe('a server with a certificate', () => {
  const over = async (name: string, more: RequestOptions = {}) =>
    send({
      path: '/',
      auth: ann,
      port: portOf(secure),
      ca: readFileSync(join(fixtures, `${name}.crt`)),
      ...more,
    });

  it('speaks TLS 1.2 and newer, and nothing else', async () => {
    const { status, certificate } = await over('a');
    expect([status, certificate]).toEqual([200, 'a.resilin.test']);
    await expect(over('b')).rejects.toThrow(/self-signed/);
    await expect(
      over('a', { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }),
    ).rejects.toThrow(/protocol|version|alert|ECONNRESET/i);
    await expect(send({ path: '/', port: portOf(secure) })).rejects.toThrow();
    expect((await over('a', { auth: '' })).status).toBe(401);
  });

  it('reads its files again when told to, and keeps what it has where they are no good', async () => {
    const reload = () => {
      lines.length = 0;
      access.reload(log, (tls) => (secure.server as unknown as TlsServer).setSecureContext(tls));
      return lines.join('');
    };
    expect((await send({ path: '/', auth: 'bob:another horse' })).status).toBe(401);
    save({ users: new Map([['bob', await user('another horse')]]), keys: new Map() });
    certify('b');
    expect(reload()).toMatch(/users\.json is read again: 1 users, 0 keys[\s\S]*tls\.crt is read again/);
    expect((await send({ path: '/', auth: 'bob:another horse' })).status).toBe(200);
    expect((await send({ path: '/', auth: ann })).status).toBe(401);
    expect((await over('b', { auth: 'bob:another horse' })).certificate).toBe('b.resilin.test');

    writeFileSync(file('users.json'), '{');
    writeFileSync(file('tls.key'), readFileSync(join(fixtures, 'a.key')));
    expect(reload()).toMatch(/users\.json can't be used: it is no JSON[\s\S]*can't be used: .*key/);
    expect((await over('b', { auth: 'bob:another horse' })).certificate).toBe('b.resilin.test');
  });
});

it('a server that others can reach says what it lacks', () => {
  const cert = { cert: file('tls.crt'), key: file('tls.key') };
  expect(new ServerAccess({}).warnings('127.0.0.1')).toEqual([]);
  expect(new ServerAccess({}).warnings('::1')).toEqual([]);
  expect(new ServerAccess({}).warnings('0.0.0.0').join()).toMatch(/no --users.*no --tls-cert/);
  expect(() => new ServerAccess({ tls: { ...cert, key: file('none') } })).toThrow(/none can't be read/);
});
