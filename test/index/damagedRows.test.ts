/** What becomes of an engine whose store returns other bytes than were written. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open as openLmdb } from 'lmdb';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';
import { LmdbStorage } from '../../host/storage/lmdb.js';
import { MemoryBlobs } from '../../host/storage/memory.js';
import { coreBytes } from '../support/core.js';

let wasm: WebAssembly.Module;
let folder: string;
let blobs: MemoryBlobs;
let storage: LmdbStorage;
let resilin: Resilin;
let warnings: string[];

beforeAll(async () => {
  wasm = await WebAssembly.compile(coreBytes());
});

async function start(): Promise<void> {
  warnings = [];
  storage = new LmdbStorage(join(folder, 'store'));
  resilin = await createEngine({ wasm, storage, blobs, warn: (message) => warnings.push(message) });
}

/** Changes a byte of the rows whose keys begin so, and starts again; returns how many there are. */
async function damage(
  prefix: string,
  which: (key: Buffer, value: Buffer) => boolean = () => true,
): Promise<number> {
  await resilin.close();
  return damageStopped(prefix, which);
}

/** The same, of one that is not running. */
async function damageStopped(
  prefix: string,
  which: (key: Buffer, value: Buffer) => boolean = () => true,
): Promise<number> {
  const db = openLmdb<Buffer, Buffer>({
    path: join(folder, 'store'),
    encoding: 'binary',
    keyEncoding: 'binary',
  });
  const rows = [...db.getRange()].filter(
    ({ key, value }) => key.toString('latin1').startsWith(prefix) && which(key, value),
  );
  for (const { key, value } of rows) {
    const changed = Buffer.from(value);
    changed[changed.length - 6]! ^= 4;
    await db.put(Buffer.from(key), changed);
  }
  await db.close();
  await start();
  return rows.length;
}

const holds = (text: string) => (_: Buffer, value: Buffer) => value.includes(text);
const call = (method: string, path: string, body?: unknown) => resilin.request(method, path, body);
const found = async (word: string) => {
  const { body } = await call('POST', '/_search', { query: { match: { title: word } }, size: 100 });
  return (body as { hits: { hits: { _id: string }[] } }).hits.hits.map(({ _id }) => _id).sort();
};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'resilin-damage-'));
  blobs = new MemoryBlobs();
  await start();
  await call('PUT', '/a', { settings: { number_of_shards: 2, refresh_interval: '-1' } });
  for (let i = 0; i < 12; i++) {
    await call('PUT', `/a/t/${i}`, { title: `fox number${i}`, n: i });
    if (i % 4 === 0) await call('POST', '/a/_refresh');
  }
  await call('POST', '/a/_refresh');
});
afterEach(async () => {
  await resilin.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('a damaged document', () => {
  beforeEach(async () => {
    expect(await damage('d', holds('number7'))).toBe(1);
  });
  const named = expect.stringMatching(
    /^CorruptIndexException\[\[a\]\[\d\] document t\/7 is damaged: checksum failed: the row d\S+ of the store is not what was written\]/,
  );

  it('is named where it is asked for, and the others are read', async () => {
    expect(await call('GET', '/a/t/7')).toMatchObject({ status: 500, body: { error: named } });
    const { body } = await call('POST', '/a/t/_mget', { ids: ['6', '7', '8'] });
    expect(body).toMatchObject({ docs: [{ found: true }, { _id: '7', error: named }, { found: true }] });
  });

  it('is named by a search that finds it, which has the other hits', async () => {
    const { status, body } = await call('POST', '/a/_search', {
      query: { match: { title: 'fox' } },
      size: 20,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      _shards: { total: 2, successful: 1, failed: 1, failures: [{ index: 'a', status: 500, reason: named }] },
      hits: { total: 12 },
    });
    expect((body as { hits: { hits: unknown[] } }).hits.hits).toHaveLength(11);
    // On a page without it nothing is said.
    expect((await call('POST', '/a/_search', { query: { match: { title: 'number6' } } })).body).toMatchObject(
      {
        _shards: { failed: 0 },
      },
    );
  });

  it.each(['scan', 'query_then_fetch'])('is named by a scroll, which goes on (%s)', async (type) => {
    let { body } = await call('POST', `/a/_search?scroll=1m&size=3&search_type=${type}`);
    const ids: string[] = [];
    let failed = 0;
    for (let page = 0; page < 12; page++) {
      const { _scroll_id, _shards, hits } = body as {
        _scroll_id: string;
        _shards: { failed: number };
        hits: { hits: { _id: string }[] };
      };
      ids.push(...hits.hits.map(({ _id }) => _id));
      failed += _shards.failed;
      ({ body } = await call('POST', '/_search/scroll?scroll=1m', _scroll_id));
    }
    expect(ids.map(Number).sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11]);
    expect(failed).toBe(1);
  });

  it('refuses updates, and is whole again when it is written or deleted', async () => {
    expect(await call('POST', '/a/t/7/_update', { doc: { n: 1 } })).toMatchObject({
      status: 500,
      body: { error: named },
    });
    expect((await call('PUT', '/a/t/7', { title: 'fox again' })).status).toBe(200);
    await call('POST', '/a/_refresh');
    expect(await found('fox')).toHaveLength(12);
    expect(await found('again')).toEqual(['7']);
  });

  it('is left out where its shard is rebuilt, which the log says', async () => {
    await resilin.close();
    for (const name of await blobs.list()) await blobs.delete(name);
    await start();
    expect(await found('fox')).toHaveLength(11);
    expect(await found('number11')).toEqual(['11']);
    expect(warnings.join('\n')).toMatch(/document t\/7 can't be indexed again: checksum failed/);
  });

  it('keeps a snapshot from being a success', async () => {
    await call('PUT', '/_snapshot/r', { type: 'fs', settings: { location: 'r' } });
    const { body } = await call('PUT', '/_snapshot/r/s?wait_for_completion=true', { partial: true });
    expect(body).toMatchObject({
      snapshot: {
        state: 'PARTIAL',
        failures: [{ index: 'a', reason: expect.stringContaining('checksum failed') }],
      },
    });
  });
});

describe('a damaged record of an id', () => {
  it('is named where the id is asked for or written, and the others are', async () => {
    expect(await damage('i', (key) => key.toString('latin1').endsWith('t#7'))).toBe(1);
    const named = expect.stringMatching(/document t\/7 is damaged: checksum failed/);
    expect(await call('GET', '/a/t/7')).toMatchObject({ status: 500, body: { error: named } });
    expect(await call('PUT', '/a/t/7', {})).toMatchObject({ status: 500, body: { error: named } });
    const lines = '{"index":{"_id":"7"}}\n{}\n{"index":{"_id":"8"}}\n{}\n';
    expect((await call('POST', '/a/t/_bulk', lines)).body).toMatchObject({
      items: [{ index: { status: 500, error: named } }, { index: { status: 200 } }],
    });
    // Searches go by the operation.
    expect(await found('number7')).toEqual(['7']);
  });
});

describe('damage that can be made good', () => {
  it('of a manifest: the shard is rebuilt', async () => {
    await call('DELETE', '/a/t/3');
    await call('POST', '/a/_flush');
    expect(await damage('c')).toBe(2);
    expect(await found('fox')).toHaveLength(11);
    expect(warnings.join()).toContain('the manifest is damaged');
    await call('PUT', '/a/t/20', { title: 'fox' });
    await call('POST', '/a/_flush');
    await damage('no row');
    expect(await found('fox')).toHaveLength(12);
    expect(warnings).toEqual([]);
  });

  it('of the live documents of a segment: the shard is rebuilt', async () => {
    await call('POST', '/a/_flush');
    for (const id of [1, 2, 3]) await call('DELETE', `/a/t/${id}`);
    await call('POST', '/a/_flush');
    expect(await damage('b')).toBeGreaterThan(0);
    expect(await found('fox')).toHaveLength(9);
    expect(warnings.join()).toContain('the shard is rebuilt from its documents');
  });

  it('of what says which documents were deleted: the ids say it too', async () => {
    await call('POST', '/a/_flush');
    for (const id of [1, 2, 3]) await call('DELETE', `/a/t/${id}`);
    await call('PUT', '/a/t/4', { title: 'hen' });
    // What is there if the server ends without a checkpoint.
    const rows = [...storage.range(new Uint8Array([0]), new Uint8Array([255]))];
    const images = new MemoryBlobs();
    for (const name of await blobs.list()) await images.put(name, (await blobs.get(name))!);
    await resilin.close();
    rmSync(join(folder, 'store'), { recursive: true });
    blobs = images;
    const killed = new LmdbStorage(join(folder, 'store'));
    await killed.commit(rows, []);
    await killed.close();
    expect(await damageStopped('k')).toBe(4);
    expect(await found('fox')).toEqual(['0', '10', '11', '5', '6', '7', '8', '9']);
    expect(await found('hen')).toEqual(['4']);
    expect(warnings.join()).toContain('rows of deleted documents are damaged');
  });
});

describe('damaged metadata', () => {
  it('of an index leave it out, by name, and nothing takes its place', async () => {
    await call('PUT', '/b/t/1?refresh', { title: 'fox' });
    expect(await damage('mia')).toBe(1);
    expect(await found('fox')).toEqual(['1']);
    expect(warnings.join()).toMatch(/\[a\] can't be opened: checksum failed/);
    expect(await call('PUT', '/a')).toMatchObject({
      status: 500,
      body: { error: expect.stringMatching(/^CorruptIndexException\[\[a\] the metadata are damaged/) },
    });
    expect((await call('PUT', '/a/t/1', {})).status).toBe(500);
  });

  it('do not keep an index from being deleted by its name', async () => {
    await call('PUT', '/b/t/1?refresh', { title: 'fox' });
    expect(await damage('mia')).toBe(1);
    expect((await call('DELETE', '/c,a')).status).toBe(404);
    expect((await call('PUT', '/a')).status).toBe(500);
    expect((await call('DELETE', '/a')).status).toBe(200);
    expect((await call('DELETE', '/a')).status).toBe(404);
    await call('PUT', '/a', { settings: { number_of_shards: 1 } });
    await call('PUT', '/a/t/x?refresh', { title: 'vixen' });
    // The rows of its shards go at the next start, and those of others stay.
    const documents = () => [...storage.range(Buffer.from('d'), Buffer.from('e'), { keysOnly: true })].length;
    expect(documents()).toBe(14);
    await resilin.close();
    await start();
    expect(documents()).toBe(2);
    expect(await found('fox')).toEqual(['1']);
    expect(await found('vixen')).toEqual(['x']);
  });

  it('of templates and settings leave these out', async () => {
    await call('PUT', '/_template/x', { template: 'x*', settings: { number_of_shards: 1 } });
    await call('PUT', '/_template/y', { template: 'y*' });
    await call('PUT', '/_cluster/settings', { persistent: { 'indices.ttl.interval': '30s' } });
    expect(await damage('mtx')).toBe(1);
    expect(await damage('ms')).toBe(1);
    expect((await call('GET', '/_template')).body).toHaveProperty('y');
    expect((await call('GET', '/_template')).body).not.toHaveProperty('x');
    expect(warnings.join()).toContain('the template [x] is left out');
    expect(warnings.join()).toContain('what the settings are is left out');
  });
});
