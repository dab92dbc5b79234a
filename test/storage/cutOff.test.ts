import {
  closeSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkStore, LmdbStorage } from '../../host/storage/lmdb.js';
import type { Entry } from '../../host/storage/storage.js';

const PAGE = 4096;
const ROWS = 400;
/** Where a meta page tells of the last page. */
const LAST_PAGE = 144;
let folder: string;

const key = (n: number) => new Uint8Array([1, n >> 8, n & 255]);
const row = (n: number): Entry => [key(n), new Uint8Array(n % 9 === 0 ? 9000 : 100).fill(n)];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'resilin-cut-'));
  const storage = new LmdbStorage(join(folder, 'whole'));
  for (let at = 0; at < ROWS; at += 50)
    await storage.commit(
      Array.from({ length: 50 }, (_, i) => row(at + i)),
      [],
    );
  await storage.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A copy of the store with so many bytes. */
function cut(bytes: number): string {
  const path = join(folder, `cut-${bytes}`);
  mkdirSync(path);
  copyFileSync(join(folder, 'whole/data.mdb'), join(path, 'data.mdb'));
  truncateSync(join(path, 'data.mdb'), bytes);
  return path;
}

describe('the file of a store', () => {
  it('that lacks pages is refused before it is opened, unless nothing is on them', async () => {
    const size = statSync(join(folder, 'whole/data.mdb')).size;
    for (let lost = 1; lost < size / PAGE - 2; lost += 1 + (lost >> 2))
      expect(() => checkStore(cut(size - lost * PAGE))).toThrow(
        /data\.mdb is damaged: it is cut off: it has/,
      );
    // LMDB counts pages that it took and gave back without writing them.
    const path = cut(size);
    const file = openSync(join(path, 'data.mdb'), 'r+');
    const last = Buffer.alloc(8);
    for (const at of [LAST_PAGE, PAGE + LAST_PAGE]) {
      readSync(file, last, 0, 8, at);
      last.writeBigUInt64LE(last.readBigUInt64LE() + 3n);
      writeSync(file, last, 0, 8, at);
    }
    closeSync(file);
    checkStore(path);
    const storage = new LmdbStorage(path);
    for (let n = 0; n < ROWS; n++) expect(Buffer.from(row(n)[1]).equals(storage.get(key(n))!)).toBe(true);
    await storage.commit([row(1000)], []);
    await storage.close();
    checkStore(path);
  });

  it('that ends within a page, or in its head, is refused', () => {
    const size = statSync(join(folder, 'whole/data.mdb')).size;
    for (const bytes of [1, 27, 100, PAGE, PAGE + 200, size >> 1, (size >> 1) + 77])
      expect(() => checkStore(cut(bytes))).toThrow('is damaged');
  });

  it.each([
    ['its first page', (pages: Buffer) => pages.subarray(0, PAGE)],
    ['a part of its second page', (pages: Buffer) => pages.subarray(0, PAGE + 1000)],
    ['nothing on its pages', (pages: Buffer) => Buffer.alloc(pages.length)],
    ['its first page, and nothing on the second', (pages: Buffer) => pages.fill(0, PAGE)],
  ])('that has never had a commit, and has but %s, is begun anew', async (name, left) => {
    const path = join(folder, `unbegun ${name}`);
    await new LmdbStorage(path).close();
    const file = join(path, 'data.mdb');
    const pages = readFileSync(file);
    expect(pages).toHaveLength(2 * PAGE);
    writeFileSync(file, left(pages));
    const storage = new LmdbStorage(path);
    await storage.commit([row(1)], []);
    await storage.close();
    checkStore(path);
    expect(statSync(file).size).toBeGreaterThan(2 * PAGE);
  });

  it.each([
    ['two commits, of which its first page is left', 2, PAGE],
    ['one, of which both are left', 1, 2 * PAGE],
    ['one, of which a part of the second is left', 1, PAGE + 1000],
  ])('that has had %s, is refused', async (name, commits, bytes) => {
    const path = join(folder, name);
    const storage = new LmdbStorage(path);
    for (let n = 0; n < commits; n++) await storage.commit([row(n)], []);
    await storage.close();
    truncateSync(join(path, 'data.mdb'), bytes);
    expect(() => checkStore(path)).toThrow('is damaged');
  });

  it('that is empty is a new one', () => {
    const path = join(folder, 'empty');
    mkdirSync(path);
    writeFileSync(join(path, 'data.mdb'), '');
    checkStore(path);
    checkStore(join(folder, 'missing'));
  });
});
