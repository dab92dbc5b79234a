import { request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wallClock } from '../../host/time/clock.js';
import { Engine } from '../../host/engine/engine.js';
import { LocalTransport } from '../../host/shard/localShards.js';
import { createRouter } from '../../host/rest/createRouter.js';
import { createHttp, everybody } from '../../host/server/http.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import { coreBytes } from '../support/core.js';

const MAX_BODY = 1024 * 1024;

let engine: Engine;
let app: ReturnType<typeof createHttp>;
let port: number;

beforeAll(async () => {
  const module = await WebAssembly.compile(coreBytes());
  engine = await Engine.open({
    storage: new MemoryStorage(),
    blobs: new MemoryBlobs(),
    clock: wallClock,
    transport: new LocalTransport(module),
    module,
  });
  app = createHttp(createRouter(engine, { node: 'n', cluster: 'c', version: '0' }), everybody, {
    maxBody: MAX_BODY,
    compression: true,
    cors: { allowOrigin: '/https?:\\/\\/.*\\.example\\.org/', allowCredentials: true },
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.server.address() as AddressInfo).port;
  await send('PUT', '/a/t/1?refresh=true', '{"title":"fox"}');
});
afterAll(async () => {
  await app.close();
  await engine.close();
});

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

function send(
  method: string,
  path: string,
  body?: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return new Promise((done, failed) => {
    const chunked = body === undefined || 'transfer-encoding' in headers;
    const length = chunked ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const options = { host: '127.0.0.1', port, method, path, headers: { ...length, ...headers } };
    const req = request(options, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        done({ status: res.statusCode ?? 0, headers: res.headers, text });
      });
    });
    req.on('error', failed);
    req.end(body);
  });
}

/** What comes back for bytes that are perhaps no HTTP at all, until the server hangs up or has answered. */
function raw(bytes: string): Promise<string> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const end = () => {
      socket.destroy();
      done(text);
    };
    socket.on('data', (chunk) => {
      text += chunk;
      const length = /content-length: (\d+)/i.exec(text);
      const head = text.indexOf('\r\n\r\n');
      if (head >= 0 && length !== null && text.length >= head + 4 + Number(length[1])) end();
    });
    socket.on('close', end);
    socket.on('error', end);
    socket.write(bytes, 'latin1');
  });
}

describe('bodies', () => {
  it.each(['text/plain', 'application/x-www-form-urlencoded', ';;;///', 'multipart/form-data', ''])(
    'called %j are what their bytes say',
    async (type) => {
      const found = await send('POST', '/a/_search', '{"size":0}', { 'content-type': type });
      expect([found.status, JSON.parse(found.text)]).toMatchObject([200, { hits: { total: 1 } }]);
    },
  );

  it('that are too long are refused with 413, with a length and without', async () => {
    const body = 'x'.repeat(MAX_BODY + 1);
    const expected = {
      error: `TooLongFrameException[HTTP content length exceeded ${MAX_BODY} bytes.]`,
      status: 413,
    };
    const refused = await send('POST', '/a/t/_bulk', body);
    expect([refused.status, JSON.parse(refused.text)]).toEqual([413, expected]);
    const chunked = await send('POST', '/a/t/_bulk', body, {
      'transfer-encoding': 'chunked',
    });
    expect([chunked.status, JSON.parse(chunked.text)]).toEqual([413, expected]);
    expect((await send('POST', '/a/t/_bulk', 'x'.repeat(MAX_BODY))).status).toBe(400);
  });

  it('that break off leave nothing behind', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write('PUT /a/t/half HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"title":');
    await new Promise((done) => setTimeout(done, 50));
    socket.destroy();
    await new Promise((done) => setTimeout(done, 50));
    expect((await send('GET', '/a/t/half')).status).toBe(404);
  });
});

describe('request lines', () => {
  it('may name a host, and a method that nobody knows is a GET', async () => {
    expect(await raw('GET http://somewhere/a/t/1 HTTP/1.1\r\nHost: localhost\r\n\r\n')).toMatch(
      /^HTTP\/1.1 200 /,
    );
    expect(await raw('GET http://somewhere HTTP/1.1\r\nHost: localhost\r\n\r\n')).toContain('"tagline"');
    for (const method of ['PROPFIND', 'PATCH', 'TRACE', 'LOCK']) {
      expect((await send(method, '/a/t/1')).status).toBe(200);
    }
  });

  it.each(['/%', '/%zz', '/a/t/%ff', '/a/%2e%2e/x', '//', '/a//t//1?=&&&%zz=%zz', '/a/t/1/2/3/4/5'])(
    'such as %s are answered',
    async (path) => {
      expect([200, 400, 404]).toContain((await send('GET', path)).status);
    },
  );
});

describe('what is no HTTP', () => {
  it.each([
    [
      'a length that is no number',
      'POST /a/t HTTP/1.1\r\nHost: localhost\r\nContent-Length: abc\r\n\r\n',
      400,
    ],
    [
      'two lengths',
      'POST /a/t HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
    ],
    ['an odd header', 'GET / HTTP/1.1\r\nHost: localhost\r\nBad Header: \x00\x01\r\n\r\n', 400],
    ['an unknown method', 'NONSENSE / HTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
    ['a huge header', `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
  ])('%s gets an answer of the usual shape', async (_name, bytes, status) => {
    const text = await raw(bytes);
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    const body = JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4));
    expect(body).toEqual({ error: expect.stringMatching(/^HttpException\[.+\]$/), status });
    expect((await send('GET', '/a/t/1')).status).toBe(200);
  });
});

describe('packed bodies', () => {
  const at = (path: string) => `http://127.0.0.1:${port}${path}`;

  it('are unpacked, and refused where they are damaged or grow too large', async () => {
    const put = (path: string, body: Uint8Array) =>
      fetch(at(path), { method: 'PUT', body: body as BodyInit, headers: { 'content-encoding': 'gzip' } });
    expect((await put('/packed/t/1', gzipSync('{"title":"small"}'))).status).toBe(201);
    expect(await (await fetch(at('/packed/t/1/_source'))).json()).toEqual({ title: 'small' });
    expect((await put('/packed/t/2', new Uint8Array([1, 2, 3]))).status).toBe(400);
    expect((await put('/packed/t/2', gzipSync(Buffer.alloc(2 * MAX_BODY, 32)))).status).toBe(413);
  });

  it('are sent to those who take them, if they are worth it', async () => {
    const headers = { 'accept-encoding': 'gzip' };
    expect((await fetch(at('/_nodes'), { headers })).headers.get('content-encoding')).toBe('gzip');
    expect((await fetch(at('/'), { headers })).headers.get('content-encoding')).toBeNull();
    const plain = await fetch(at('/_nodes'), { headers: { 'accept-encoding': 'identity' } });
    expect(plain.headers.get('content-encoding')).toBeNull();
  });
});

describe('browsers of other origins', () => {
  const ask = (origin: string, method = 'GET', userAgent = 'Mozilla/5.0') =>
    fetch(`http://127.0.0.1:${port}/a/_count`, { method, headers: { origin, 'user-agent': userAgent } });
  const allowed = ({ headers }: Response) => headers.get('access-control-allow-origin');

  it('are let in if their origin fits the pattern', async () => {
    expect(allowed(await ask('http://a.example.org'))).toBe('http://a.example.org');
    const refused = await ask('http://a.example.org.evil.net');
    expect([refused.status, allowed(refused)]).toEqual([403, null]);
    expect(allowed(await ask('http://a.example.org', 'GET', 'curl/8'))).toBeNull();
    const { headers } = await ask('http://a.example.org', 'OPTIONS');
    expect(headers.get('access-control-allow-methods')).toContain('DELETE');
    expect(headers.get('access-control-allow-credentials')).toBe('true');
  });
});
