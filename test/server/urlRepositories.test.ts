import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';
import { HttpBlobs } from '../../host/server/httpBlobs.js';
import { parseAllowedUrl, UrlRepositories } from '../../host/server/urlRepositories.js';
import { MemoryLocations } from '../../host/snapshot/locations.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import type { Blobs } from '../../host/storage/storage.js';
import { coreBytes } from '../support/core.js';

const wasm = coreBytes();
let box: Blobs;
let server: Server;
let address: string;
let asked: string[];
/** What is answered instead; nothing where it returns false. */
let instead: (name: string, res: ServerResponse) => boolean;
const opened: Resilin[] = [];

/** A web server that serves the files of a repository below `/backups/box/`. */
beforeEach(async () => {
  asked = [];
  instead = () => false;
  server = createServer(async (req, res) => {
    const name = /^\/backups\/box\/([\w.-]+)$/.exec(req.url!)?.[1];
    asked.push(req.url!);
    if (instead(name ?? '', res)) return;
    const bytes = name === undefined ? undefined : await box.get(name);
    if (bytes === undefined) res.writeHead(404).end('nothing');
    else res.writeHead(200, { 'content-length': bytes.length }).end(bytes);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/backups/box/`;
});
afterEach(async () => {
  for (const engine of opened.splice(0)) await engine.close();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

const open = async (allowed: string[] = []) => {
  const folders = new MemoryLocations();
  const urls = new UrlRepositories(allowed);
  const places = { open: (path: string) => folders.open(path), openUrl: (url: string) => urls.open(url) };
  const storage = new MemoryStorage();
  const engine = await createEngine({ wasm, storage, blobs: new MemoryBlobs(), places });
  opened.push(engine);
  const call = async (method: string, uri: string, body?: unknown) => {
    const { status, body: answer } = await engine.request(method, uri, body);
    return { status, body: answer as Record<string, unknown> };
  };
  return { call, folders };
};
/** A server that has made two snapshots, whose files are served. */
const makeSnapshots = async () => {
  const { call, folders } = await open();
  await call('PUT', '/_snapshot/box', { type: 'fs', settings: { location: 'box' } });
  box = (await folders.open('box'))!;
  await call('PUT', '/books', { settings: { number_of_shards: 1 } });
  for (const name of ['one', 'two', 'three']) {
    await call('PUT', `/books/book/${name}?refresh=true`, { title: name });
    await call('PUT', `/_snapshot/box/${name}?wait_for_completion=true`);
  }
  await call('DELETE', '/_snapshot/box/two');
};
const repository = (url = address) => ({ type: 'url', settings: { url } });

describe('a repository that is read over http', () => {
  it('has the snapshots that are there, and is restored from', async () => {
    await makeSnapshots();
    const { call } = await open([new URL('..', address).href]);
    expect(await call('PUT', '/_snapshot/far', repository(address.slice(0, -1)))).toMatchObject({
      status: 200,
    });
    expect((await call('GET', '/_snapshot/far/_all')).body).toMatchObject({
      snapshots: [{ snapshot: 'one' }, { snapshot: 'three' }],
    });
    expect((await call('POST', '/_snapshot/far/_verify')).status).toBe(200);
    expect((await call('GET', '/_snapshot/far/two')).status).toBe(404);
    expect((await call('POST', '/_snapshot/far/three/_restore?wait_for_completion=true')).status).toBe(200);
    expect((await call('GET', '/books/_count')).body).toMatchObject({ count: 3 });
  });

  it('is never written to', async () => {
    await makeSnapshots();
    const { call } = await open([address]);
    await call('PUT', '/_snapshot/far', repository());
    for (const [method, uri] of [
      ['PUT', '/_snapshot/far/four'],
      ['DELETE', '/_snapshot/far/one'],
    ] as const)
      expect(await call(method, uri)).toEqual({
        status: 500,
        body: { error: 'RepositoryException[[far] can only be read]', status: 500 },
      });
  });

  it('tells of what is damaged, missing and refused', async () => {
    await makeSnapshots();
    const { call } = await open([address]);
    await call('PUT', '/_snapshot/far', repository());
    const data = (await box.list()).find((name) => name.startsWith('data-'))!;
    const bytes = (await box.get(data))!;
    await box.put(data, bytes.slice(1));
    expect((await call('POST', '/_snapshot/far/_verify')).body.error).toBe(
      `RepositoryVerificationException[[far] 1 files are missing or damaged: ${data}]`,
    );
    await box.put(data, bytes);
    instead = (_name, res) => res.writeHead(403).end() !== undefined;
    expect(await call('GET', '/_snapshot/far/_all')).toEqual({
      status: 500,
      body: {
        error: `RepositoryException[[far] can't read ${address}index: the answer is 403]`,
        status: 500,
      },
    });
    instead = (_name, res) => res.writeHead(200, { 'content-length': 2 }).end('{}') !== undefined;
    expect((await call('GET', '/_snapshot/far/_all')).body.error).toContain('is no index of a repository');
  });

  it('is only where the operator allows it, and nothing is asked elsewhere', async () => {
    const { call } = await open([address]);
    for (const url of [
      address.replace('/box/', '/boxes/'),
      `${address}../`,
      `${address}%2e%2e/`,
      `${address}..%2f`,
      `${address}?x`,
      address.replace('http://', 'http://user:secret@'),
      address.replace('http:', 'https:'),
      address.replace('127.0.0.1', 'localhost'),
      'http://169.254.169.254/latest/',
    ]) {
      const { status, body } = await call('PUT', '/_snapshot/far', repository(url));
      expect([url, status, body.error]).toEqual([
        url,
        500,
        expect.stringContaining(
          `file url [${url}] doesn't match any of the locations specified by path.repo or repositories.url.allowed_urls`,
        ),
      ]);
    }
    expect((await call('PUT', '/_snapshot/far', repository('ftp://127.0.0.1/box'))).body.error).toContain(
      'unsupported url protocol [ftp] from URL [ftp://127.0.0.1/box]',
    );
    expect(asked).toEqual([]);
  });

  it('goes where no answer leads', async () => {
    await makeSnapshots();
    instead = (name, res) => {
      if (name !== 'index') return false;
      res.writeHead(302, { location: '/elsewhere' }).end();
      return true;
    };
    const { call } = await open([address]);
    await call('PUT', '/_snapshot/far', repository());
    expect((await call('GET', '/_snapshot/far/_all')).body.error).toContain('the answer is 302');
    expect(asked).not.toContain('/elsewhere');
  });
});

describe('files over http', () => {
  const bytes = new Uint8Array(300_000).map((_, i) => i * 7);
  const blobs = (patience = {}) =>
    new HttpBlobs(new URL(address), { idleMs: 60_000, backoffMs: 1, tries: 4, ...patience });
  beforeEach(async () => {
    box = new MemoryBlobs();
    await box.put('a', bytes);
  });
  /** The first tries end in these ways. */
  const failing = (...ways: ((res: ServerResponse) => void)[]) => {
    instead = (_name, res) => {
      const way = ways.shift();
      way?.(res);
      return way !== undefined;
    };
  };
  const down = (res: ServerResponse) => void res.writeHead(503).end();
  const reset = (res: ServerResponse) => void res.destroy();
  const cut = (res: ServerResponse) => {
    res.writeHead(200, { 'content-length': bytes.length });
    res.write(bytes.subarray(0, 1000), () => res.destroy());
  };

  it('are read again where that fails in between', async () => {
    failing(down, reset, cut);
    expect(await blobs().get('a')).toEqual(bytes);
    expect(asked).toHaveLength(4);
    failing(() => {});
    expect(await blobs({ idleMs: 500 }).get('a')).toEqual(bytes);
    expect(await blobs().get('b')).toBeUndefined();
  });

  it('are given up after some tries, or when they are to be', async () => {
    instead = (_name, res) => down(res) === undefined;
    await expect(blobs().get('a')).rejects.toThrow(`can't read ${address}a: the answer is 503`);
    expect(asked).toHaveLength(4);
    instead = () => true;
    await expect(blobs({ idleMs: 50, tries: 1 }).get('a')).rejects.toThrow('nothing comes');
    const abort = new AbortController();
    instead = () => {
      abort.abort();
      return true;
    };
    await expect(blobs().get('a', abort.signal)).rejects.toThrow('given up');
  });

  it('have a length, and a name that leads nowhere else', async () => {
    instead = (_name, res) => res.end('x') !== undefined;
    await expect(blobs({ tries: 1 }).get('a')).resolves.toHaveLength(1);
    instead = (_name, res) => {
      res.write('x');
      return res.end('y') !== undefined;
    };
    await expect(blobs().get('a')).rejects.toThrow('the answer has no length');
    instead = (_name, res) => res.writeHead(200, { 'content-length': 2 ** 33 }).write('x') !== undefined;
    await expect(blobs().get('a')).rejects.toThrow('8589934592 bytes are none of ours');
    await expect(blobs().get('../a')).rejects.toThrow('not a blob name');
  });
});

it('addresses that are allowed are folders', () => {
  expect(parseAllowedUrl('https://example.org/a')?.href).toBe('https://example.org/a/');
  expect(parseAllowedUrl('https://example.org')?.href).toBe('https://example.org/');
  expect(parseAllowedUrl('http://example.org/a/*')?.href).toBe('http://example.org/a/');
  for (const text of [
    '',
    'example.org',
    'ftp://example.org/',
    'file:///a',
    'https://*.example.org/',
    'https://a:b@c/',
    'https://a/?b',
    'https://a/*/b',
  ])
    expect([text, parseAllowedUrl(text)]).toEqual([text, undefined]);
});
