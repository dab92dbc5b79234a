import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';
import { DiskFull } from '../../host/storeErrors.js';
import { coreBytes } from '../support/core.js';
import { CrashDisk } from '../support/crashDisk.js';
import { Random } from '../torture/random.js';

const wasm = coreBytes();
let disk: CrashDisk;
let resilin: Resilin;

const call = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);
const total = async (index: string) => {
  await call('POST', `/${index}/_refresh`);
  return ((await call('GET', `/${index}/_count`)).body as { count?: number }).count;
};

beforeEach(async () => {
  disk = new CrashDisk(new Random(1));
  resilin = await createEngine({ wasm, storage: disk.storage, blobs: disk.blobs });
  await call('PUT', '/a', { settings: { number_of_shards: 2, refresh_interval: '-1' }, aliases: { x: {} } });
  for (let i = 0; i < 10; i++) await call('PUT', `/a/t/${i}`, { title: 'fox' });
});
afterEach(async () => {
  disk.failure = undefined;
  await resilin.close();
});

describe('a change whose commit fails', () => {
  const changes: [string, string, string, unknown?][] = [
    ['deleting an index', 'DELETE', '/a'],
    ['closing an index', 'POST', '/a/_close'],
    [
      'an alias',
      'POST',
      '/_aliases',
      { actions: [{ add: { index: 'a', alias: 'y' } }, { remove: { index: 'a', alias: 'x' } }] },
    ],
    ['settings', 'PUT', '/a/_settings', { number_of_replicas: 7 }],
    ['making an index', 'PUT', '/b'],
    ['a template', 'PUT', '/_template/t', { template: 'c*' }],
    ['a document', 'PUT', '/a/t/10', { title: 'fox' }],
    ['deleting a document', 'DELETE', '/a/t/1'],
  ];
  it.each(changes)(
    '%s changes nothing, and can be made when commits work again',
    async (_, method, uri, body) => {
      const state = async () => [
        (await call('GET', '/_all')).body,
        (await call('GET', '/_template')).body,
        (await call('GET', '/_cluster/health?level=shards')).body,
        await total('a'),
      ];
      const before = await state();
      disk.failure = new Error('no');
      expect((await call(method, uri, body)).status).toBe(500);
      expect(await state()).toEqual(before);
      disk.failure = undefined;
      expect(await state()).toEqual(before);
      expect((await call('PUT', '/a/t/11', { title: 'fox' })).status).toBe(201);
      expect((await call(method, uri, body)).status).toBeLessThan(300);
    },
  );

  const restart = async () => {
    disk = await disk.crash();
    resilin = await createEngine({ wasm, storage: disk.storage, blobs: disk.blobs });
  };
  const isClosed = async () => (await call('GET', '/a/t/1')).status === 403;

  it('on a full disk leaves an index closed that is to be opened, and open that is to be closed: also after a restart', async () => {
    // Closing makes room, and has the reserve.
    disk.isFull = true;
    expect((await call('POST', '/a/_close')).status).toBe(200);
    expect(await isClosed()).toBe(true);
    const { status, body } = await call('POST', '/a/_open');
    expect([status, (body as { error: string }).error]).toEqual([
      503,
      'WriteFailureException[the disk is full]',
    ]);
    expect(await isClosed()).toBe(true);
    disk.isFull = false;
    await restart();
    expect(await isClosed()).toBe(true);
    expect((await call('POST', '/a/_open')).status).toBe(200);
    expect(await total('a')).toBe(10);
    disk.failure = new DiskFull('the disk is full');
    expect((await call('POST', '/a/_close')).status).toBe(503);
    expect(await total('a')).toBe(10);
    disk.failure = undefined;
    await restart();
    expect(await total('a')).toBe(10);
  });

  it('on a full disk says so with 503, and reads go on', async () => {
    disk.failure = new DiskFull('the disk is full');
    for (const [method, uri] of [
      ['PUT', '/a/t/10'],
      ['PUT', '/b'],
      ['DELETE', '/a'],
    ] as const) {
      const { status, body } = await call(method, uri, method === 'DELETE' ? undefined : {});
      expect([status, (body as { error: string }).error]).toEqual([
        503,
        'WriteFailureException[the disk is full]',
      ]);
    }
    const bulk = await call('POST', '/_bulk', '{"index":{"_index":"a","_type":"t","_id":"1"}}\n{}\n');
    expect(bulk.body).toMatchObject({ errors: true, items: [{ index: { status: 503 } }] });
    expect(await total('a')).toBe(10);
    expect((await call('GET', '/a/t/1')).status).toBe(200);
  });

  it('lets writes that wait for the end of an index know', async () => {
    const [deleted, ...writes] = await Promise.all([
      call('DELETE', '/a'),
      ...Array.from({ length: 20 }, (_, i) => call('PUT', `/a/t/late${i}`, { title: 'fox' })),
    ]);
    expect(deleted.status).toBe(200);
    for (const { status } of writes) expect([200, 201, 404]).toContain(status);
    disk = await disk.crash();
    resilin = await createEngine({ wasm, storage: disk.storage, blobs: disk.blobs });
    for (const { body } of writes) expect(body).not.toMatchObject({ status: 500 });
  });
});

describe('an index whose durability is async', () => {
  it('acknowledges before the commit, which a flush, a change of metadata or time makes', async () => {
    await call('PUT', '/late', {
      settings: {
        number_of_shards: 1,
        refresh_interval: '-1',
        'translog.durability': 'async',
        'translog.sync_interval': '1h',
      },
    });
    const reopen = async () => {
      disk = await disk.crash();
      resilin = await createEngine({ wasm, storage: disk.storage, blobs: disk.blobs });
    };
    expect((await call('PUT', '/late/t/1', { title: 'fox' })).status).toBe(201);
    expect((await call('PUT', '/late/t/1', { title: 'hen' })).body).toMatchObject({ _version: 2 });
    expect((await call('GET', '/late/t/1')).body).toMatchObject({ _source: { title: 'hen' } });
    expect(await total('late')).toBe(1);
    await reopen();
    expect((await call('GET', '/late/t/1')).status).toBe(404);
    await call('PUT', '/late/t/2', { title: 'fox' });
    await call('DELETE', '/late/t/2');
    await call('PUT', '/late/t/3', { title: 'fox' });
    await call('POST', '/late/_flush');
    await reopen();
    expect((await call('GET', '/late/t/2')).status).toBe(404);
    expect((await call('GET', '/late/t/3')).status).toBe(200);
    await call('PUT', '/late/t/4', { title: 'fox' });
    await call('PUT', '/late/_settings', { 'index.translog.durability': 'request' });
    await call('PUT', '/late/t/5', { title: 'fox' });
    await reopen();
    expect(await total('late')).toBe(3);
  });
});
