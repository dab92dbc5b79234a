import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compactStore } from '../../host/storage/compaction.js';
import { FileBlobs } from '../../host/storage/files.js';
import { LmdbStorage } from '../../host/storage/lmdb.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import { FreeDisk } from '../../host/storage/freeDisk.js';
import { type Blobs, compareBytes, type Storage } from '../../host/storage/storage.js';
import { DiskFull } from '../../host/storeErrors.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'resilin-storage-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const bytes = (...values: number[]) => new Uint8Array(values);
const plain = (entries: Iterable<readonly [Uint8Array, Uint8Array]>) =>
  [...entries].map(([k, v]) => [[...k], [...v]]);

const storages: [string, () => Storage][] = [
  ['memory', () => new MemoryStorage()],
  ['LMDB', () => new LmdbStorage(join(folder, 'store'))],
];

describe.each(storages)('storage in %s', (_name, open) => {
  let storage: Storage;
  beforeEach(() => {
    storage = open();
  });
  afterEach(() => storage.close());

  it('gives back what was committed, and nothing else', async () => {
    await storage.commit([[bytes(1), bytes(10, 0, 255)]], []);
    expect([...storage.get(bytes(1))!]).toEqual([10, 0, 255]);
    expect(storage.get(bytes(2))).toBeUndefined();
    await storage.commit([[bytes(2), bytes()]], [bytes(1)]);
    expect(storage.get(bytes(1))).toBeUndefined();
    expect([...storage.get(bytes(2))!]).toEqual([]);
  });

  it('lets commits of one turn take effect in their order', async () => {
    const commits = Array.from({ length: 50 }, (_, i) =>
      storage.commit([[bytes(1), bytes(i)]], i % 2 ? [bytes(2)] : []).then(() => i),
    );
    commits.push(storage.commit([[bytes(2), bytes(7)]], []).then(() => 50));
    expect(await Promise.all(commits)).toEqual(Array.from({ length: 51 }, (_, i) => i));
    expect([...storage.get(bytes(1))!, ...storage.get(bytes(2))!]).toEqual([49, 7]);
  });

  it('deleting what is not there, and committing nothing, is fine', async () => {
    await storage.commit([], [bytes(9)]);
    await storage.commit([], []);
  });

  it('walks ranges in byte order, both ways, with a limit, and keys alone', async () => {
    await storage.commit(
      [
        [bytes(2), bytes(2)],
        [bytes(1, 255), bytes(3)],
        [bytes(1), bytes(1)],
        [bytes(3, 0), bytes(4)],
      ],
      [],
    );
    expect(plain(storage.range(bytes(1), bytes(3)))).toEqual([
      [[1], [1]],
      [[1, 255], [3]],
      [[2], [2]],
    ]);
    expect(plain(storage.range(bytes(1), bytes(3), { reverse: true, limit: 2 }))).toEqual([
      [[2], [2]],
      [[1, 255], [3]],
    ]);
    expect(plain(storage.range(bytes(1, 1), bytes(4), { keysOnly: true }))).toEqual([
      [[1, 255], []],
      [[2], []],
      [[3, 0], []],
    ]);
    expect(plain(storage.range(bytes(5), bytes(6)))).toEqual([]);
  });

  it('agrees with a naive model', async () => {
    const key = fc.uint8Array({ minLength: 1, maxLength: 3, max: 4 });
    const op = fc.record({ key, value: fc.option(fc.uint8Array({ maxLength: 3 })) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(op, { maxLength: 6 }), { maxLength: 6 }),
        key,
        key,
        async (commits, a, b) => {
          await storage.commit(
            [],
            [...storage.range(bytes(0), bytes(255))].map(([k]) => k),
          );
          const model = new Map<string, [Uint8Array, Uint8Array]>();
          for (const ops of commits) {
            const last = new Map(ops.map((each) => [each.key.join(), each]));
            const puts = [...last.values()].filter((each) => each.value !== null);
            const gone = [...last.values()].filter((each) => each.value === null);
            await storage.commit(
              puts.map((each) => [each.key, each.value!]),
              gone.map((each) => each.key),
            );
            for (const each of puts) model.set(each.key.join(), [each.key, each.value!]);
            for (const each of gone) model.delete(each.key.join());
          }
          const [from, to] = compareBytes(a, b) <= 0 ? [a, b] : [b, a];
          const expected = [...model.values()]
            .filter(([k]) => compareBytes(k, from) >= 0 && compareBytes(k, to) < 0)
            .sort(([x], [y]) => compareBytes(x, y));
          expect(plain(storage.range(from, to))).toEqual(plain(expected));
          expect(plain(storage.range(from, to, { reverse: true }))).toEqual(plain(expected.reverse()));
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe('LMDB', () => {
  it('keeps what was committed over a restart', async () => {
    const first = new LmdbStorage(join(folder, 'store'));
    await Promise.all([
      first.commit([[bytes(1), bytes(1)]], []),
      first.commit([[bytes(2), new Uint8Array(1_000_000).fill(7)]], [bytes(1)]),
    ]);
    await first.close();
    const second = new LmdbStorage(join(folder, 'store'));
    expect(second.get(bytes(1))).toBeUndefined();
    expect(second.get(bytes(2))).toHaveLength(1_000_000);
    await second.close();
  });
});

const blobStores: [string, () => Promise<Blobs>][] = [
  ['memory', async () => new MemoryBlobs()],
  ['files', () => FileBlobs.open(join(folder, 'segments'))],
];

describe.each(blobStores)('blobs in %s', (_name, open) => {
  it('puts, gets, lists and deletes', async () => {
    const blobs = await open();
    expect(await blobs.get('a.seg')).toBeUndefined();
    await blobs.put('a.seg', bytes(1, 2));
    await blobs.put('b.seg', bytes());
    await blobs.put('a.seg', bytes(3));
    expect([...(await blobs.get('a.seg'))!]).toEqual([3]);
    expect((await blobs.list()).sort()).toEqual(['a.seg', 'b.seg']);
    await blobs.delete('a.seg');
    await blobs.delete('a.seg');
    expect(await blobs.list()).toEqual(['b.seg']);
  });
});

describe('files', () => {
  it('sweeps away what was left half-written, and refuses names that lead elsewhere', async () => {
    await FileBlobs.open(folder);
    writeFileSync(join(folder, 'x.seg.part'), 'half');
    const blobs = await FileBlobs.open(folder);
    expect(await blobs.list()).toEqual([]);
    await expect(blobs.put('../x', bytes(1))).rejects.toThrow('not a blob name');
  });
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
