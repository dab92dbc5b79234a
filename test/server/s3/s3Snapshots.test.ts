import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunningServer, ServerOptions } from '../../../host/server/index.js';
import { KEY, SECRET, S3Server } from '../../support/s3/s3Server.js';
import { serverFile } from '../../support/server.js';

const { createServer } = (await import(join(dirname(await serverFile()), 'server.js'))) as {
  createServer: (options: ServerOptions) => Promise<RunningServer>;
};

let folder: string;
let s3: S3Server;
let warnings: string[];
const running = new Set<RunningServer>();

/** A server's answers. */
class Node {
  readonly #server: RunningServer;
  constructor(server: RunningServer) {
    this.#server = server;
  }
  async call(method: string, path: string, body?: unknown) {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const headers = { connection: 'close' };
    const answer = await fetch(this.#server.url + path, { method, headers, ...sent });
    const text = await answer.text();
    return {
      status: answer.status,
      text,
      body: (text === '' ? {} : JSON.parse(text)) as Record<string, any>,
    };
  }
  async ok(method: string, path: string, body?: unknown) {
    const answer = await this.call(method, path, body);
    expect([path, answer.status, answer.body.error]).toEqual([path, 200, undefined]);
    return answer.body;
  }
  async close() {
    running.delete(this.#server);
    await this.#server.close();
  }
}

const start = async (data = ':memory:') => {
  const server = await createServer({
    port: 0,
    data,
    threads: 1,
    coordinators: data === ':memory:' ? 1 : 2,
    s3Repositories: [`${s3.endpoint}/bucket/box`],
    warn: (message) => warnings.push(message),
  });
  running.add(server);
  return new Node(server);
};
const REPOSITORY = { bucket: 'bucket', access_key: KEY, secret_key: SECRET };
const register = (node: Node, settings = {}) =>
  node.ok('PUT', '/_snapshot/box', { type: 's3', settings: { ...REPOSITORY, ...settings } });
const fill = async (node: Node, index: string, from = 0) => {
  // Otherwise as many segments would be made as seconds pass.
  const settings = { number_of_shards: 1, refresh_interval: '-1' };
  await node.call('PUT', `/${index}`, { settings });
  for (let i = from; i < from + 20; i++) await node.call('PUT', `/${index}/t/${i}`, { n: i });
  await node.ok('POST', `/${index}/_refresh`);
};
const make = (node: Node, name: string) => node.ok('PUT', `/_snapshot/box/${name}?wait_for_completion=true`);
const restore = (node: Node, name: string) =>
  node.ok('POST', `/_snapshot/box/${name}/_restore?wait_for_completion=true`);
const count = async (node: Node, index: string) => (await node.ok('GET', `/${index}/_count`)).count;
/** The objects that are there, without the prefix. */
const objects = async () => {
  const { S3Client, ListObjectsV2Command } = await import('@aws-sdk/client-s3');
  const client = new S3Client({
    endpoint: s3.endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: KEY, secretAccessKey: SECRET },
  });
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: 'bucket', Prefix: 'box/' }));
  client.destroy();
  return Contents.map(({ Key }) => Key!.slice('box/'.length)).sort();
};
const dataOf = (names: readonly string[]) => names.filter((name) => name.includes('data-'));

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'resilin-s3-'));
  warnings = [];
  s3 = await S3Server.start('bucket', 'secret');
});
afterEach(async () => {
  s3.fault = () => undefined;
  for (const server of running) await server.close();
  running.clear();
  await s3.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('snapshots in S3', () => {
  it('are made, restored into another server, and survive a restart of the first', async () => {
    let a = await start(folder);
    await fill(a, 'books');
    await register(a);
    expect(await make(a, 'one')).toMatchObject({ snapshot: { state: 'SUCCESS', shards: { failed: 0 } } });
    const b = await start();
    await register(b, { readonly: true });
    await restore(b, 'one');
    expect(await count(b, 'books')).toBe(20);
    await a.close();
    a = await start(folder);
    expect(await a.ok('GET', '/_snapshot/box/_all')).toMatchObject({ snapshots: [{ snapshot: 'one' }] });
    await a.ok('DELETE', '/books');
    await restore(a, 'one');
    expect(await count(a, 'books')).toBe(20);
    expect(warnings).toEqual([]);
  });

  it('send what is new, read nothing back, and leave nothing when they are deleted', async () => {
    const a = await start();
    await fill(a, 'books');
    await register(a);
    await make(a, 'one');
    const first = await objects();
    s3.requests.length = 0;
    await make(a, 'two');
    expect(dataOf(s3.paths('PUT'))).toEqual([]);
    expect(dataOf(s3.paths('GET'))).toEqual([]);
    await fill(a, 'books', 20);
    s3.requests.length = 0;
    await make(a, 'three');
    // A segment and a pack.
    expect(dataOf(s3.paths('PUT')).length).toBe(2);
    await a.ok('DELETE', '/_snapshot/box/three');
    expect(await objects()).toEqual([...first, 'snapshot-two'].sort());
    await a.ok('DELETE', '/_snapshot/box/one');
    await a.ok('DELETE', '/_snapshot/box/two');
    expect(await objects()).toEqual([]);
  });

  it('are given up when they are deleted, and what they had sent is removed', async () => {
    const a = await start();
    await fill(a, 'books');
    await register(a);
    let hanging = () => {};
    const hangs = new Promise<void>((done) => {
      hanging = done;
    });
    let sent = 0;
    s3.fault = ({ method, path }) => {
      if (method !== 'PUT' || !path.includes('/data-') || sent++ === 0) return undefined;
      hanging();
      return 'hang';
    };
    await a.ok('PUT', '/_snapshot/box/slow');
    await hangs;
    expect(dataOf(await objects())).toHaveLength(1);
    await a.ok('DELETE', '/_snapshot/box/slow');
    s3.fault = () => undefined;
    expect(await objects()).toEqual([]);
    expect(await make(a, 'slow')).toMatchObject({ snapshot: { state: 'SUCCESS' } });
  });

  it('that the end of the server interrupts are no snapshots, and the next goes on with what they had sent', async () => {
    let a = await start(folder);
    await fill(a, 'books');
    await register(a);
    let hanging = () => {};
    const hangs = new Promise<void>((done) => {
      hanging = done;
    });
    let sent = 0;
    s3.fault = ({ method, path }) => {
      if (method !== 'PUT' || !path.includes('/data-') || sent++ === 0) return undefined;
      hanging();
      return 'hang';
    };
    await a.ok('PUT', '/_snapshot/box/slow');
    await hangs;
    // It doesn't wait for what hangs.
    await a.close();
    s3.fault = () => undefined;
    const left = dataOf(await objects());
    expect(left).toHaveLength(1);
    a = await start(folder);
    expect(await a.ok('GET', '/_snapshot/box/_all')).toEqual({ snapshots: [] });
    s3.requests.length = 0;
    await make(a, 'next');
    expect(s3.paths('PUT')).not.toContain(`/bucket/box/${left[0]}`);
    expect(await a.ok('POST', '/_snapshot/box/_verify')).toHaveProperty('nodes');
  });

  it('tell which shards could not be written, and why', async () => {
    const a = await start();
    await fill(a, 'books');
    await fill(a, 'films');
    await register(a, { max_retries: 0 });
    let sent = 0;
    s3.fault = ({ method, path }) =>
      method === 'PUT' && path.includes('/data-') && sent++ === 0
        ? { status: 500, code: 'InternalError' }
        : undefined;
    const { snapshot } = await make(a, 'some');
    expect(snapshot).toMatchObject({ state: 'FAILED', shards: { total: 2, failed: 1 } });
    expect(snapshot.failures[0].reason).toMatch(/^\[box\] can't write \[data-.* answered 500, InternalError/);
    // Without any answer, neither the snapshot nor that it failed can be kept.
    s3.fault = () => ({ status: 503, code: 'SlowDown' });
    const failed = await a.call('PUT', '/_snapshot/box/none?wait_for_completion=true');
    expect([failed.status, failed.body.error]).toEqual([
      500,
      expect.stringMatching(
        /^RepositoryException\[\[box\] can't list the bucket \[bucket\]: .* answered 503, SlowDown/,
      ),
    ]);
  });
});

describe('two servers on one repository', () => {
  it('share what is the same, and delete nothing that the other needs', async () => {
    const [a, b] = [await start(), await start()];
    for (const node of [a, b]) await register(node);
    await fill(a, 'books');
    await make(a, 'a');
    await restore(b, 'a');
    s3.requests.length = 0;
    await make(b, 'b');
    const packs = (await objects()).length - 2;
    expect(dataOf(s3.paths('PUT')).length).toBeLessThan(packs);
    await a.ok('DELETE', '/_snapshot/box/a');
    await b.ok('DELETE', '/books');
    await restore(b, 'b');
    expect(await count(b, 'books')).toBe(20);
    await b.ok('POST', '/_snapshot/box/_verify');
    const twice = await a.call('PUT', '/_snapshot/box/b');
    expect(twice.body.error).toContain('snapshot with such name already exists');
  });

  it('fail the snapshot whose data the other sweeps meanwhile', async () => {
    const [a, b] = [await start(), await start()];
    for (const node of [a, b]) await register(node);
    await fill(a, 'books');
    await fill(b, 'films');
    await make(b, 'old');
    // First what there is is listed, then, when all is written, what there is still.
    let lists = 0;
    s3.fault = async ({ method, query }) => {
      if (method === 'GET' && query.get('prefix') === 'box/data-' && ++lists === 2)
        await b.ok('DELETE', '/_snapshot/box/old');
      return undefined;
    };
    const made = await a.call('PUT', '/_snapshot/box/new?wait_for_completion=true');
    expect([made.status, made.body.error]).toEqual([
      500,
      expect.stringMatching(/^SnapshotException\[\[box:new\] data-.* is gone/),
    ]);
    expect(await a.ok('GET', '/_snapshot/box/_all')).toEqual({ snapshots: [] });
    await make(a, 'new');
    await a.ok('POST', '/_snapshot/box/_verify');
  });

  it('may be one that writes and one that only reads', async () => {
    const [a, b] = [await start(), await start()];
    await register(a);
    await fill(a, 'books');
    await make(a, 'one');
    s3.requests.length = 0;
    await register(b, { readonly: true });
    const refused = {
      status: 500,
      body: { error: 'RepositoryException[[box] can only be read]', status: 500 },
    };
    expect(await b.call('PUT', '/_snapshot/box/two')).toMatchObject(refused);
    expect(await b.call('DELETE', '/_snapshot/box/one')).toMatchObject(refused);
    await b.ok('POST', '/_snapshot/box/_verify');
    await restore(b, 'one');
    expect([s3.paths('PUT'), s3.paths('DELETE'), s3.paths('POST')]).toEqual([[], [], []]);
  });
});

describe('a repository in S3', () => {
  it('never shows its credentials', async () => {
    const a = await start(folder);
    await register(a);
    expect(await a.ok('GET', '/_snapshot')).toEqual({ box: { type: 's3', settings: { bucket: 'bucket' } } });
    expect(await a.ok('GET', '/_snapshot/box')).toEqual({
      box: { type: 's3', settings: { bucket: 'bucket' } },
    });
    await fill(a, 'books');
    await make(a, 'one');
    for (const path of [
      '/_cluster/state',
      '/_nodes',
      '/_nodes/stats',
      '/_snapshot/box/_all',
      '/_cluster/settings',
    ])
      expect((await a.call('GET', path)).text).not.toMatch(/AKTEST|open sesame/);
    for (const name of await objects()) {
      const { text } = await a.call('GET', `/_snapshot/box/${name.replace(/^snapshot-/, '')}`);
      expect(text).not.toMatch(/AKTEST|open sesame/);
    }
    s3.fault = () => ({ status: 403, code: 'AccessDenied' });
    expect((await a.call('POST', '/_snapshot/box/_verify')).text).not.toMatch(/AKTEST|open sesame/);
    expect(warnings.join()).not.toMatch(/AKTEST|open sesame/);
  });

  it('that can not be written is told of when it is made, and can be mended', async () => {
    const a = await start();
    s3.fault = () => ({ status: 403, code: 'AccessDenied' });
    const settings = { type: 's3', settings: REPOSITORY };
    const { status, body } = await a.call('PUT', '/_snapshot/box', settings);
    expect([status, body.error]).toEqual([
      500,
      expect.stringMatching(
        /^RepositoryVerificationException\[\[box\] path is not accessible\]; nested: RepositoryException\[\[box\] can't write \[verification-.* doesn't allow it/,
      ),
    ]);
    s3.fault = () => undefined;
    await a.ok('POST', '/_snapshot/box/_verify');
    expect(await objects()).toEqual([]);
  });

  it('is made elsewhere only where the operator allows it, and nothing is asked there', async () => {
    const a = await start();
    for (const settings of [
      { ...REPOSITORY, bucket: 'secret' },
      { ...REPOSITORY, base_path: 'boxes' },
      { ...REPOSITORY, endpoint: '127.0.0.1:1', protocol: 'http' },
      { ...REPOSITORY, endpoint: 'http://169.254.169.254' },
    ]) {
      const { status, body } = await a.call('PUT', '/_snapshot/box', { type: 's3', settings });
      expect([status, body.error]).toEqual([
        500,
        expect.stringMatching(
          /^RepositoryException\[\[box\] failed to create repository\]; nested: .*doesn't match any of the buckets specified by repo-s3/s,
        ),
      ]);
    }
    expect(s3.requests).toEqual([]);
    expect(await a.ok('GET', '/_snapshot')).toEqual({});
  });

  it('keeps no other change waiting while S3 does not answer', async () => {
    const a = await start();
    let hanging = () => {};
    const hangs = new Promise<void>((done) => {
      hanging = done;
    });
    let free = false;
    s3.fault = () => {
      hanging();
      return free ? undefined : 'hang';
    };
    const made = a.call('PUT', '/_snapshot/box', { type: 's3', settings: { ...REPOSITORY, max_retries: 0 } });
    await hangs;
    await a.ok('PUT', '/books');
    free = true;
    await s3.stop();
    expect((await made).status).toBe(500);
    s3 = await S3Server.start('bucket');
  });
});
