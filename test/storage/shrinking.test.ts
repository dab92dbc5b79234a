/** The file of a store gets smaller while the store is in use, and nothing that was committed is lost on the way. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { compactStore } from '../../host/storage/compaction.js';
import { LmdbStorage } from '../../host/storage/lmdb.js';

const MB = 1024 * 1024;
const SOON = { shrinksFrom: MB, lookEvery: 1 };
/** As keys that have no checksum of their own. */
const keyOf = (i: number) => Uint8Array.of(0x78, i >> 8, i & 255);
const bytesFor = (i: number, round: number, length = 50_000) => new Uint8Array(length).fill(i * 7 + round);

let folder: string;
let store: LmdbStorage;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'resilin-shrinking-'));
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Whether a row has this value; none where it is undefined. */
function has(i: number, value: Uint8Array | undefined): boolean {
  const found = store.get(keyOf(i));
  return found === undefined || value === undefined ? found === value : Buffer.compare(found, value) === 0;
}

const size = () => statSync(join(folder, 'data.mdb')).size;
const keys = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => keyOf(from + i));
const put = (from: number, to: number, round = 0, length?: number) =>
  store.commit(
    keys(from, to).map((key, i) => [key, bytesFor(from + i, round, length)]),
    [],
  );

/** Commits that change nothing much, until the store has shrunk as often. */
async function until(shrunk: number): Promise<void> {
  for (let i = 0; store.shrunk < shrunk; i++) {
    if (store.shrinkFailure !== undefined) throw store.shrinkFailure;
    await store.commit([[keyOf(60_000), Uint8Array.of(i & 255)]], []);
    await new Promise(setImmediate);
  }
}

it('keeps what is read, written and deleted meanwhile', async () => {
  store = new LmdbStorage(folder, undefined, SOON);
  const model = new Map<number, number>();
  for (let i = 0; i < 300; i++) model.set(i, 0);
  await put(0, 300);
  const before = size();
  await store.commit([], keys(10, 300));
  for (let i = 10; i < 300; i++) model.delete(i);
  for (let round = 1; store.shrunk === 0; round++) {
    const i = (round * 13) % 40;
    if (round % 3 === 0) {
      await store.commit([], [keyOf(i)]);
      model.delete(i);
    } else {
      await put(i, i + 1, round, 100);
      model.set(i, round);
    }
    await new Promise(setImmediate);
  }
  const check = () => {
    for (let i = 0; i < 300; i++) {
      const round = model.get(i);
      const length = round === 0 ? 50_000 : 100;
      expect(has(i, round === undefined ? undefined : bytesFor(i, round, length)), `${i}`).toBe(true);
    }
    const found = [...store.range(keyOf(0), keyOf(300))].map(([key]) => key[2]! + 256 * key[1]!);
    expect(found).toEqual([...model.keys()].sort((a, b) => a - b));
  };
  check();
  expect(size()).toBeLessThan(before / 4);
  await put(0, 1, 99, 100);
  model.set(0, 99);
  await store.close();
  expect(readdirSync(folder).sort()).toEqual(['data.mdb', 'lock.mdb']);
  store = new LmdbStorage(folder);
  check();
});

it('again and again', async () => {
  store = new LmdbStorage(folder, undefined, SOON);
  for (let round = 1; round <= 3; round++) {
    await put(0, 200, round);
    await store.commit([], keys(5, 200));
    await until(round);
    expect(size()).toBeLessThan(3 * MB);
    for (let i = 0; i < 5; i++) expect(has(i, bytesFor(i, round))).toBe(true);
  }
});

it('leaves values alone that have been read before', async () => {
  store = new LmdbStorage(folder, undefined, SOON);
  await put(0, 200);
  const lengths = [10, 5000, 9000, 70_000, 3 * MB];
  await store.commit(
    lengths.map((length, i) => [keyOf(1000 + i), bytesFor(i, 5, length)]),
    [],
  );
  const read = lengths.map((_, i) => store.get(keyOf(1000 + i))!);
  const ranged = [...store.range(keyOf(1000), keyOf(1010))].map(([, value]) => value);
  await store.commit([], keys(0, 200));
  await until(1);
  await put(0, 100, 3);
  for (const values of [read, ranged])
    for (const [i, length] of lengths.entries())
      expect(Buffer.compare(values[i]!, bytesFor(i, 5, length)), `${length}`).toBe(0);
});

/** Rows over more pages than a page has numbers of pages. */
const SPREAD = 15_000;
/** Every twentieth of them. */
const spread = (round: number) => Array.from({ length: SPREAD / 20 }, (_, i) => i * 20 + (round % 20));
const putSpread = (round: number) =>
  store.commit(
    spread(round).map((i) => [keyOf(i), bytesFor(i, round, 500)]),
    [],
  );

it('is written to in many places meanwhile', async () => {
  store = new LmdbStorage(folder, undefined, { shrinksFrom: 1, freeShare: 0, lookEvery: 1 });
  await put(0, SPREAD, 0, 500);
  let round = 0;
  while (store.shrunk < 2) await putSpread(++round);
  for (const i of spread(round)) expect(has(i, bytesFor(i, round, 500))).toBe(true);
});

it('is written to in many places after a start that made it smaller', async () => {
  store = new LmdbStorage(folder);
  await put(0, SPREAD, 0, 500);
  await put(SPREAD, 3 * SPREAD, 0, 500);
  await store.commit([], keys(SPREAD, 3 * SPREAD));
  await store.close();
  expect(await compactStore(folder, MB)).toBeGreaterThan(MB);
  store = new LmdbStorage(folder);
  await putSpread(1);
  for (const i of spread(1)) expect(has(i, bytesFor(i, 1, 500))).toBe(true);
});

it('lets ranges be read to their end', async () => {
  store = new LmdbStorage(folder, undefined, SOON);
  await put(0, 100);
  const rows = store.range(keyOf(0), keyOf(100))[Symbol.iterator]();
  const own = store.range(keyOf(0), keyOf(100), { keysOnly: true })[Symbol.iterator]();
  const last = store.range(keyOf(0), keyOf(100), { reverse: true })[Symbol.iterator]();
  const check = (i: number, [key, value]: readonly [Uint8Array, Uint8Array]) => {
    expect(key).toEqual(keyOf(i));
    if (value.length > 0) expect(Buffer.compare(value, bytesFor(i, 0))).toBe(0);
  };
  check(0, rows.next().value!);
  check(0, own.next().value!);
  check(99, last.next().value!);
  for (const round of [1, 2]) {
    await put(200, 500, round);
    await store.commit([], keys(200, 500));
    await until(round);
    check(round, rows.next().value!);
    check(round, own.next().value!);
  }
  // One is read to its end, one is broken off, one is left when the store is closed.
  for (let i = 3; i < 100; i++) check(i, rows.next().value!);
  expect(rows.next().done).toBe(true);
  last.return?.();
  await store.close();
  expect(() => own.next()).toThrow('the store is closed');
  store = new LmdbStorage(folder);
});

it('isn’t worth it for little, or where most is in use', async () => {
  store = new LmdbStorage(folder, undefined, { shrinksFrom: 4 * MB, lookEvery: 1 });
  await put(0, 200);
  await store.commit([], keys(0, 60));
  for (let i = 0; i < 50; i++) {
    await store.commit([[keyOf(60_000), Uint8Array.of(i)]], []);
    await new Promise(setImmediate);
  }
  expect(store.shrunk).toBe(0);
});

it('what a copy has left is removed at the next start', async () => {
  store = new LmdbStorage(folder);
  await put(0, 3);
  await store.close();
  mkdirSync(join(folder, 'shrunk-1-1'));
  writeFileSync(join(folder, 'shrunk-1-1', 'data.mdb'), 'half');
  expect(await compactStore(folder)).toBe(0);
  expect(readdirSync(folder).sort()).toEqual(['data.mdb', 'lock.mdb']);
  store = new LmdbStorage(folder);
  expect(has(2, bytesFor(2, 0))).toBe(true);
});

it('a copy that is under way when the store is closed is given up', async () => {
  store = new LmdbStorage(folder, undefined, SOON);
  await put(0, 300);
  await store.commit([], keys(10, 300));
  await new Promise((resolve) => setTimeout(resolve, 3));
  await store.commit([[keyOf(1), Uint8Array.of(1)]], []);
  await store.close();
  expect(readdirSync(folder).filter((name) => name.startsWith(`shrunk-${process.pid}`))).toEqual([]);
  store = new LmdbStorage(folder);
  expect(has(1, Buffer.of(1))).toBe(true);
});
