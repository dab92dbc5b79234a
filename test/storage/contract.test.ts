import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compactStore } from '../../host/storage/compaction.js';
import { FileBlobs } from '../../host/storage/files.js';
import { LmdbStorage } from '../../host/storage/lmdb.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import { FreeDisk } from '../../host/storage/freeDisk.js';
import { JournaledStorage } from '../../host/storage/journal.js';
import type { Blobs, Storage } from '../../host/storage/storage.js';
import { DiskFull } from '../../host/storeErrors.js';
import { BLOBS, KEPT, STORAGE } from './contract.js';
import { MemoryJournal } from './memoryJournal.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'resilin-storage-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const bytes = (...values: number[]) => new Uint8Array(values);
const plain = (entries: Iterable<readonly [Uint8Array, Uint8Array]>) =>
  [...entries].map(([k, v]) => [[...k], [...v]]);

const storages: [string, () => Promise<Storage>][] = [
  ['memory', async () => new MemoryStorage()],
  ['LMDB', async () => new LmdbStorage(join(folder, 'store'))],
  ['a journal', () => JournaledStorage.open(new MemoryJournal())],
];

describe.each(storages)('storage in %s', (_name, open) => {
  it.each(Object.entries(STORAGE))('%s', async (_does, check) => {
    const storage = await open();
    await check(storage);
    await storage.close();
  });
});

const kept: [string, () => () => Promise<Storage>][] = [
  ['LMDB', () => async () => new LmdbStorage(join(folder, 'store'))],
  [
    'a journal',
    () => {
      const journal = new MemoryJournal();
      return () => JournaledStorage.open(journal);
    },
  ],
];

describe.each(kept)('what is kept in %s', (_name, place) => {
  it.each(Object.entries(KEPT))('%s', (_does, check) => check(place()));
});

const blobStores: [string, () => Promise<Blobs>][] = [
  ['memory', async () => new MemoryBlobs()],
  ['files', () => FileBlobs.open(join(folder, 'segments'))],
  ['files that several processes share', () => FileBlobs.openShared(join(folder, 'segments'))],
];

describe.each(blobStores)('blobs in %s', (_name, open) => {
  it.each(Object.entries(BLOBS))('%s', async (_does, check) => check(await open()));
});

describe('files', () => {
  it('sweeps away what was left half-written, and refuses names that lead elsewhere', async () => {
    await FileBlobs.open(folder);
    writeFileSync(join(folder, 'x.seg.part'), 'half');
    const blobs = await FileBlobs.open(folder);
    expect(await blobs.list()).toEqual([]);
    await expect(blobs.put('../x', bytes(1))).rejects.toThrow('not a blob name');
  });

  it('of a folder that several processes share are left alone while they are written, whoever opens it and writes the same', async () => {
    const a = await FileBlobs.openShared(folder);
    const half = await a.write('x');
    await half.append(bytes(1, 2));
    const b = await FileBlobs.openShared(folder);
    await Promise.all([b.put('x', bytes(1, 2, 3)), a.put('x', bytes(1, 2, 3))]);
    await half.append(bytes(3));
    await half.finish();
    for (const blobs of [a, b]) expect(await blobs.list()).toEqual(['x']);
    expect(await b.get('x')).toEqual(Buffer.from([1, 2, 3]));
    expect(readdirSync(folder)).toEqual(['x']);
    // What nobody has written for a day goes.
    const path = join(folder, 'y.0123.part');
    writeFileSync(path, 'half');
    utimesSync(path, 0, 0);
    await FileBlobs.openShared(folder);
    expect(readdirSync(folder)).toEqual(['x']);
  });

  it.each([0, 1, 1024 * 1024, 3 * 1024 * 1024 + 5])(
    'of %d bytes are known to be the same, and have a checksum, without a copy',
    async (length) => {
      const blobs = await FileBlobs.open(folder);
      const content = new Uint8Array(length).map((_, i) => i * 31);
      await blobs.put('a', content);
      expect(await blobs.holds('a', content)).toBe(true);
      expect(await blobs.holds('b', content)).toBe(false);
      expect(await blobs.holds('a', new Uint8Array(length + 1))).toBe(false);
      for (const at of new Set([0, length >> 1, length - 1]))
        if (at >= 0 && at < length) {
          const other = content.slice();
          other[at]! ^= 1;
          expect(await blobs.holds('a', other)).toBe(false);
        }
      const digest = Buffer.from(await crypto.subtle.digest('SHA-256', content)).toString('hex');
      expect(await blobs.sha256(content)).toBe(digest);
    },
  );
});

describe('a store on a full disk', () => {
  it('refuses what takes room, and takes what makes it', async () => {
    let refusal: DiskFull | undefined;
    const storage = new LmdbStorage(join(folder, 'store'), { refusal: () => refusal });
    await storage.commit([[bytes(1), bytes(1)]], []);
    refusal = new DiskFull('full');
    await expect(storage.commit([[bytes(2), bytes(2)]], [])).rejects.toBe(refusal);
    await storage.commit([[bytes(3), bytes(3)]], [bytes(1)], { freeing: true });
    const put = storage.commit([[bytes(4), bytes(4)]], []);
    const freeing = storage.commit([], [bytes(3)], { freeing: true });
    await expect(put).rejects.toBe(refusal);
    await freeing;
    expect(plain(storage.range(bytes(0), bytes(9)))).toEqual([]);
    refusal = undefined;
    await storage.commit([[bytes(2), bytes(2)]], []);
    expect(plain(storage.range(bytes(0), bytes(9)))).toEqual([[[2], [2]]]);
    const blobs = await FileBlobs.open(join(folder, 'blobs'), { refusal: () => refusal });
    refusal = new DiskFull('full');
    await expect(blobs.put('x', bytes(1))).rejects.toBe(refusal);
    expect(await blobs.list()).toEqual([]);
    await storage.close();
  });

  it('is refused when less than the reserve is free', () => {
    const disk = { total: 1000 * 1024 * 1024, free: 51 * 1024 * 1024 };
    const room = new FreeDisk(() => disk, 0);
    expect(room.refusal()).toBeUndefined();
    disk.free = 49 * 1024 * 1024;
    expect(room.refusal()?.message).toContain('the disk is full: 49.0mb are free and 50.0mb must be');
    disk.free = 51 * 1024 * 1024;
    expect(room.refusal()).toBeUndefined();
  });
});

describe('a store much of which was deleted', () => {
  it('gives the space back at the next start, and loses nothing', async () => {
    const path = join(folder, 'store');
    const file = join(path, 'data.mdb');
    const key = (i: number) => bytes(1, i >> 8, i & 255);
    const first = new LmdbStorage(path);
    const value = new Uint8Array(8192).fill(7);
    await first.commit(
      Array.from({ length: 1000 }, (_, i) => [key(i), value] as const),
      [],
    );
    await first.commit(
      [],
      Array.from({ length: 900 }, (_, i) => key(i)),
    );
    await first.close();
    const before = statSync(file).size;
    expect(await compactStore(path)).toBe(0);
    expect(await compactStore(path, 1024 * 1024)).toBeGreaterThan(before / 2);
    expect(statSync(file).size).toBeLessThan(before / 2);
    expect(await compactStore(path, 1024 * 1024)).toBe(0);
    const again = new LmdbStorage(path);
    expect([...again.range(bytes(0), bytes(9))]).toHaveLength(100);
    expect(again.get(key(999))).toEqual(value);
    await again.commit([[bytes(5), bytes(5)]], []);
    await again.close();
  });
});
