/** Documents that are packed with a dictionary of their shard are what was sent, whatever happens to the shard. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open as openLmdb } from 'lmdb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';
import { MemoryLocations } from '../../host/snapshot/locations.js';
import { LmdbStorage } from '../../host/storage/lmdb.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import { dictionaryKey, kindRange } from '../../host/storage/records.js';
import type { Blobs, Storage } from '../../host/storage/storage.js';
import { dictionaryOf } from '../../host/storage/storedDocuments.js';
import { coreBytes } from '../support/core.js';
import { CrashDisk } from '../support/crashDisk.js';
import { Random } from '../torture/random.js';

const wasm = coreBytes();
let storage: Storage;
let blobs: Blobs;
let places: MemoryLocations;
let warnings: string[];
let resilin: Resilin;

const open = async () => {
  resilin = await createEngine({ wasm, storage, blobs, places, warn: (message) => warnings.push(message) });
};
const call = async (method: string, uri: string, body?: unknown) => {
  const { status, body: answer } = await resilin.request(method, uri, body);
  return { status, body: answer as Record<string, unknown> };
};

const word = (n: number) => `word${(Math.imul(n, 2654435761) >>> 0) % 5000}`;
const document = (i: number, round = 0) => ({
  title: `Passage number ${i} of round ${round}`,
  n: i,
  tags: [word(i % 50), 'the same in all of them'],
  body: Array.from({ length: 40 }, (_, k) => word(i * 40 + k * round + k)).join(' '),
});
/** Of these, 1,200 are more than a dictionary is made of. */
async function write(from: number, to: number, round = 0, index = 'a'): Promise<void> {
  for (let at = from; at < to; at += 300) {
    const lines: string[] = [];
    for (let i = at; i < Math.min(to, at + 300); i++)
      lines.push(
        JSON.stringify({ index: { _index: index, _type: 't', _id: `${i}` } }),
        JSON.stringify(document(i, round)),
      );
    const { body } = await call('POST', '/_bulk', `${lines.join('\n')}\n`);
    expect(body.errors).toBe(false);
  }
}
async function expectDocuments(from: number, to: number, round = 0, index = 'a'): Promise<void> {
  const docs = Array.from({ length: to - from }, (_, i) => ({
    _index: index,
    _type: 't',
    _id: `${from + i}`,
  }));
  const { body } = await call('POST', '/_mget', { docs });
  const wrong = (body.docs as { _id: string; _source: unknown }[]).filter(
    ({ _id, _source }) => JSON.stringify(_source) !== JSON.stringify(document(Number(_id), round)),
  );
  expect(wrong.map(({ _id }) => _id)).toEqual([]);
}
const rowsOf = (kind: 'd' | 'z', shard: number) => [...storage.range(...kindRange(kind, shard))];
/** How many documents of the store's shards are packed with which dictionary; 0 for none. */
function packedWith(shards = 4): Record<number, number> {
  const counts: Record<number, number> = {};
  for (let shard = 0; shard < shards; shard++)
    for (const [, row] of rowsOf('d', shard)) {
      const number = dictionaryOf(row) ?? 0;
      counts[number] = (counts[number] ?? 0) + 1;
    }
  return counts;
}
const dictionaries = () => [0, 1, 2, 3].flatMap((shard) => rowsOf('z', shard)).length;

beforeEach(() => {
  warnings = [];
  places = new MemoryLocations();
});

describe('in a store in memory', () => {
  beforeEach(async () => {
    storage = new MemoryStorage();
    blobs = new MemoryBlobs();
    await open();
    await call('PUT', '/a', { settings: { number_of_shards: 1, refresh_interval: '-1' } });
  });
  afterEach(() => resilin.close());

  it('documents are packed as soon as the shard has enough of them, and read by id, by searches and by updates', async () => {
    await write(0, 900);
    expect([packedWith(), dictionaries()]).toEqual([{ 0: 900 }, 0]);
    await write(900, 3000);
    const counts = packedWith();
    expect([dictionaries(), Object.keys(counts)]).toEqual([1, ['0', '1']]);
    expect(counts[1]).toBeGreaterThan(1000);
    await expectDocuments(0, 3000);
    await call('POST', '/a/_refresh');
    const query = { query: { range: { n: { gte: 2000, lt: 2050 } } }, size: 50, sort: ['n'] };
    const { hits } = (await call('POST', '/a/_search', query)).body.hits as { hits: { _source: unknown }[] };
    expect(hits.map(({ _source }) => _source)).toEqual(
      Array.from({ length: 50 }, (_, i) => document(2000 + i)),
    );
    await call('POST', '/a/t/2500/_update', { doc: { more: true } });
    expect((await call('GET', '/a/t/2500')).body).toMatchObject({
      _version: 2,
      _source: { ...document(2500), more: true },
    });
  });

  it('takes less room', async () => {
    await write(0, 3000);
    const sizes = (isPacked: boolean) =>
      rowsOf('d', 1)
        .filter(([, row]) => (dictionaryOf(row) !== undefined) === isPacked)
        .map(([, row]) => row.length);
    const mean = (list: number[]) => list.reduce((sum, each) => sum + each, 0) / list.length;
    expect(mean(sizes(true))).toBeLessThan(0.85 * mean(sizes(false)));
  });

  it('replaced and deleted ones are gone, after a restart too', async () => {
    await write(0, 2000);
    await write(500, 1900, 1);
    for (let i = 1900; i < 2000; i++) await call('DELETE', `/a/t/${i}`);
    for (let round = 0; round < 2; round++) {
      await expectDocuments(0, 500);
      await expectDocuments(500, 1900, 1);
      await call('POST', '/a/_refresh');
      expect((await call('GET', '/a/_count')).body.count).toBe(1900);
      await resilin.close();
      await open();
    }
    expect(rowsOf('d', 1).length).toBe(1900);
    await write(2000, 2300);
    await expectDocuments(2000, 2300);
    // The dictionary that there was is used again.
    expect([dictionaries(), packedWith()[1]]).toEqual([1, expect.toSatisfy((count: number) => count > 300)]);
  });

  it('are indexed again at a start', async () => {
    await write(0, 2000);
    blobs = new MemoryBlobs();
    await resilin.close();
    await open();
    expect((await call('GET', '/a/_count')).body.count).toBe(2000);
    expect((await call('GET', '/a/_count?q=body:' + word(1999 * 40))).body.count).toBeGreaterThan(0);
  });

  it('come back from a snapshot, in a shard of another number, and are written on', async () => {
    await write(0, 2000);
    await call('PUT', '/_snapshot/box', { type: 'fs', settings: { location: 'box' } });
    await call('PUT', '/_snapshot/box/s?wait_for_completion=true');
    await call('DELETE', '/a');
    expect(dictionaries()).toBe(0);
    expect((await call('POST', '/_snapshot/box/s/_restore?wait_for_completion=true')).status).toBe(200);
    expect([dictionaries(), Object.keys(packedWith())]).toEqual([1, ['0', '1']]);
    await expectDocuments(0, 2000);
    await write(2000, 2100);
    await expectDocuments(2000, 2100);
    expect(dictionaries()).toBe(1);
    // A second snapshot of the same documents needs nothing new of them.
    const held = async () => (await (await places.open('box'))!.list()).length;
    await call('PUT', '/_snapshot/box/t?wait_for_completion=true');
    const before = await held();
    await call('PUT', '/_snapshot/box/u?wait_for_completion=true');
    expect(await held()).toBe(before + 1);
  });

  it('come back from an exported file', async () => {
    await write(0, 2000);
    const file = await resilin.exportIndex('a');
    const other = await createEngine({ wasm, storage: new MemoryStorage(), blobs: new MemoryBlobs() });
    await other.importIndex(file, { name: 'b' });
    const [first, own] = [resilin, other];
    resilin = own;
    try {
      await expectDocuments(0, 2000, 0, 'b');
    } finally {
      resilin = first;
      await other.close();
    }
  });

  it('leave no dictionary when their index is deleted', async () => {
    await write(0, 2000);
    await call('DELETE', '/a');
    expect([dictionaries(), packedWith()]).toEqual([0, {}]);
  });
});

describe('a dictionary', () => {
  afterEach(() => resilin.close());

  it('is used by no document before it is in the store', async () => {
    const disk = new CrashDisk(new Random(1));
    ({ storage, blobs } = disk);
    await open();
    await call('PUT', '/a', { settings: { number_of_shards: 1, refresh_interval: '-1' } });
    await write(0, 900);
    disk.failure = new Error('no');
    const lines = Array.from(
      { length: 600 },
      (_, i) => `{"index":{"_index":"a","_type":"t","_id":"x${i}"}}\n${JSON.stringify(document(i))}\n`,
    );
    expect((await call('POST', '/_bulk', lines.join(''))).body.errors).toBe(true);
    disk.failure = undefined;
    expect(dictionaries()).toBe(0);
    await write(900, 910);
    expect([dictionaries(), packedWith()]).toEqual([1, { 0: 910 }]);
    await write(910, 920);
    expect(packedWith()).toEqual({ 0: 910, 1: 10 });
    await expectDocuments(0, 920);
  });

  it('that is damaged is named, and the documents of the next one are fine', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'resilin-packed-'));
    const start = async () => {
      storage = new LmdbStorage(folder);
      await open();
    };
    try {
      blobs = new MemoryBlobs();
      await start();
      await call('PUT', '/a', { settings: { number_of_shards: 1, refresh_interval: '-1' } });
      await write(0, 2000);
      const [[row] = []] = rowsOf('z', 1);
      await resilin.close();
      const db = openLmdb<Buffer, Buffer>({ path: folder, encoding: 'binary', keyEncoding: 'binary' });
      const changed = Buffer.from(db.get(Buffer.from(row!))!);
      changed[100]! ^= 1;
      await db.put(Buffer.from(row!), changed);
      await db.close();
      await start();
      await expectDocuments(0, 900);
      const { status, body } = await call('GET', '/a/t/1999');
      expect([status, body.error]).toEqual([
        500,
        expect.stringContaining('the dictionary 1 of its documents is damaged'),
      ]);
      await write(2000, 4000);
      await write(1990, 2000, 1);
      expect(storage.get(dictionaryKey(1, 2))?.length).toBeGreaterThan(30_000);
      await expectDocuments(2000, 4000);
      await expectDocuments(1990, 2000, 1);
      expect(packedWith()[2]).toBeGreaterThan(500);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
