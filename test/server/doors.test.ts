/** Who is let in before a request is looked at: names of the server, pages of other origins, principals. */
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { Principal } from '../../host/security/principal.js';
import type { BodyStream } from '../../host/rest/bodyStream.js';
import type { Endpoint } from '../../host/rest/endpoint.js';
import { Router } from '../../host/rest/router.js';
import type { Grants, Privilege } from '../../host/security/grants.js';
import type { Engine } from '../../host/engine/engine.js';
import { ThreadPools } from '../../host/limits/threadPools.js';
import { text } from '../../host/rest/request.js';
import { Cors } from '../../host/server/cors.js';
import { LatePart } from '../../host/latePart.js';
import { HostNames } from '../../host/server/hosts.js';
import { createHttp, everybody, type HttpOptions } from '../../host/server/http.js';
import { WorkLimit } from '../../host/workLimit.js';

const apps: FastifyInstance[] = [];
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

/** A router of one endpoint, over an engine that has nothing but its pools. */
function routerOf(endpoint: Partial<Endpoint>): Router {
  const engine = { pools: new ThreadPools(), cluster: { opening: false }, as: () => engine };
  const whole: Endpoint = {
    methods: ['GET', 'POST'],
    paths: ['/a'],
    privilege: 'authenticated',
    action: 'test',
    pool: 'management',
    parameters: [],
    handler: () => text(200),
    ...endpoint,
  };
  const every = new LatePart('all endpoints', [], async () => ({ ENDPOINTS: [whole] }));
  return new Router(engine as unknown as Engine, { node: 'n', cluster: 'c', version: '0' }, [whole], every);
}

/** A server of one endpoint; what reaches it is written down. */
async function start(options: HttpOptions = {}) {
  const reached: string[] = [];
  const router = routerOf({
    handler: (_, { method, body }) => {
      reached.push(`${method} ${body.length}`);
      return text(200);
    },
  });
  const app = createHttp(router, everybody, options);
  apps.push(app);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const ask = (headers: Record<string, string>, method = 'GET', body?: string): Promise<number> =>
    new Promise((done, failed) => {
      const length = body === undefined ? {} : { 'content-length': String(body.length) };
      const sent = request({ port, method, path: '/a', headers: { ...length, ...headers } }, (answer) => {
        answer.resume();
        answer.on('end', () => done(answer.statusCode!));
      });
      sent.on('error', failed);
      sent.end(body);
    });
  return { ask, reached, port };
}

it('gives up an answer that is written piece by piece where the client goes', async () => {
  let ended!: (e: unknown) => void;
  const end = new Promise((done) => {
    ended = done;
  });
  let pieces = 0;
  const stream: BodyStream = {
    bytes: 2 ** 40,
    async write(put) {
      try {
        for (; ; pieces++) await put(new Uint8Array(1 << 20));
      } catch (e) {
        ended(e);
        throw e;
      }
    },
    release: () => {},
  };
  const app = createHttp(routerOf({ handler: () => ({ ...text(200), stream }) }), everybody);
  apps.push(app);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const length = await new Promise((done) => {
    const sent = request({ port, path: '/a' }, (answer) => {
      answer.once('data', () => {
        done(answer.headers['content-length']);
        sent.destroy();
      });
    });
    sent.on('error', () => {});
    sent.end();
  });
  expect(length).toBe(String(2 ** 40));
  expect(await end).toBeInstanceOf(Error);
  // What nobody takes isn't made: the buffers of the sockets alone are filled.
  expect(pieces).toBeLessThan(64);
});

it('lets go of an answer that is there when the client has gone', async () => {
  let wanted!: () => void;
  const isWanted = new Promise<void>((done) => {
    wanted = done;
  });
  let gone!: () => void;
  const isGone = new Promise<void>((done) => {
    gone = done;
  });
  const released = new Promise<void>((release) => {
    const stream: BodyStream = {
      bytes: 1,
      write: () => Promise.reject(new Error('written for nobody')),
      release,
    };
    const handler = async () => {
      wanted();
      await isGone;
      return { ...text(200), stream };
    };
    const app = createHttp(routerOf({ handler }), everybody);
    apps.push(app);
    app.server.on('connection', (socket) => socket.once('close', gone));
    void app.listen({ port: 0, host: '127.0.0.1' }).then(() => {
      const { port } = app.server.address() as AddressInfo;
      const sent = request({ port, path: '/a' });
      sent.on('error', () => {});
      sent.end();
      void isWanted.then(() => sent.destroy());
    });
  });
  await released;
});

describe('names of the server', () => {
  it.each([
    ['localhost', true],
    ['localhost:9200', true],
    ['LOCALHOST.:9200', true],
    ['search.localhost', true],
    ['127.0.0.1:9200', true],
    ['192.168.1.5', true],
    ['[::1]:9200', true],
    ['[::ffff:10.0.0.1]', true],
    ['evil.example', false],
    ['evil.example:9200', false],
    ['localhost.evil.example', false],
    ['127.0.0.1.evil.example', false],
    ['127.0.0.1@evil.example', false],
    ['[evil]', false],
    ['[::1].evil.example', false],
    ['', false],
    ['a b', false],
    ['x'.repeat(300), false],
  ])('%j: %s', (header, allowed) => {
    expect(new HostNames().allows(header)).toBe(allowed);
  });

  it('are those that are given, and those below a name', () => {
    const names = new HostNames(['Search.Example.org', '*.inner.net']);
    for (const header of ['search.example.org:1', 'a.inner.net', 'a.b.INNER.net.'])
      expect([header, names.allows(header)]).toEqual([header, true]);
    for (const header of ['example.org', 'inner.net', 'a.inner.net.evil.example', 'xinner.net'])
      expect([header, names.allows(header)]).toEqual([header, false]);
    expect(new HostNames(['*']).allows('evil.example')).toBe(true);
  });

  it('a request to another name reaches nothing', async () => {
    const { ask, reached } = await start();
    expect(await ask({ host: 'evil.example' })).toBe(403);
    expect(await ask({ host: 'evil.example' }, 'POST', '{}')).toBe(403);
    expect(reached).toEqual([]);
    expect(await ask({ host: 'localhost' })).toBe(200);
    const named = await start({ hosts: ['search'] });
    expect(await named.ask({ host: 'search:80' })).toBe(200);
  });
});

describe('pages of other origins', () => {
  it.each(['http://evil.example', 'null', 'file://', 'http://localhost:1', 'https://localhost.evil.example'])(
    'such as %s reach nothing, whatever type their bodies say to have',
    async (origin) => {
      const { ask, reached } = await start();
      for (const type of ['text/plain', 'application/json', 'multipart/form-data; boundary=x'])
        expect(await ask({ origin, 'content-type': type }, 'POST', '{}')).toBe(403);
      expect(await ask({ origin })).toBe(403);
      expect(await ask({ origin }, 'OPTIONS', '{}')).toBe(403);
      expect(reached).toEqual([]);
    },
  );

  it('a page of the server itself is none of them', async () => {
    const { ask, port } = await start();
    expect(await ask({ host: `localhost:${port}`, origin: `http://localhost:${port}` })).toBe(200);
  });

  it('are let in by name, by pattern, or all', () => {
    const host = 'localhost:9200';
    const admits = (allowOrigin: string, origin: string) => new Cors({ allowOrigin }).admits(origin, host);
    expect(admits('http://a.org', 'http://a.org')).toBe(true);
    expect(admits('http://a.org', 'http://b.org')).toBe(false);
    expect(admits('/https?:\\/\\/[a-z]+\\.a\\.org/', 'https://x.a.org')).toBe(true);
    expect(admits('/https?:\\/\\/[a-z]+\\.a\\.org/', 'https://x.a.org.b.org')).toBe(false);
    expect(admits('/.*/', `http://${'x'.repeat(1000)}`)).toBe(false);
    expect(admits('*', 'null')).toBe(true);
  });

  it('one that is not allowed is told of no origin, not of "null"', () => {
    const cors = new Cors({ allowOrigin: '/http:\\/\\/a\\.org/' });
    const asked = { method: 'GET', userAgent: 'Mozilla/5.0' };
    expect(cors.headers({ ...asked, origin: 'http://b.org' })).toEqual({ vary: 'Origin' });
    expect(cors.headers({ ...asked, origin: 'http://a.org' })).toEqual({
      vary: 'Origin',
      'access-control-allow-origin': 'http://a.org',
    });
  });
});

describe('principals', () => {
  const statusOf = async (router: Router, who: Principal | undefined) =>
    (await router.handle('GET', '/a', new Uint8Array(0), who as Principal, WorkLimit.none)).status;
  const everything: Grants = { grants: [{ indices: ['*'], access: 'manage' }], cluster: 'manage' };

  it('a request of nobody gets nothing', async () => {
    const router = routerOf({});
    expect(await statusOf(router, Principal.unrestricted)).toBe(200);
    expect(await statusOf(router, new Principal('user', 'ann', { grants: [], cluster: 'none' }))).toBe(200);
    expect(await statusOf(router, undefined)).toBe(403);
  });

  it.each([undefined, '', 'all', 'cluster:all'])(
    'an endpoint with %j for a privilege is for nobody with limits',
    async (privilege) => {
      const router = routerOf({ privilege: privilege as unknown as Privilege });
      expect(await statusOf(router, Principal.unrestricted)).toBe(200);
      expect(await statusOf(router, new Principal('user', 'ann', everything))).toBe(403);
    },
  );

  it('bodies of OPTIONS are not read', async () => {
    const { ask } = await start({
      readYaml: () => {
        throw new Error('read');
      },
    });
    expect(await ask({}, 'OPTIONS', '---\n? ? ? ? a\n')).toBe(200);
    expect(await ask({ 'content-encoding': 'gzip' }, 'OPTIONS', 'no gzip')).toBe(200);
  });
});
