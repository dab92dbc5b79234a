/** Pages of the store are full where documents come by the thousand, and nothing of what fills them stays. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open as openLmdb } from 'lmdb';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { faultsOf } from '../../host/storage/lmdbFile.js';
import { LmdbStorage } from '../../host/storage/lmdb.js';
import { seqKey } from '../../host/storage/records.js';
import { Rows } from '../../host/storage/rows.js';
import { Random } from '../torture/random.js';

let folder: string;
let store: LmdbStorage;
let random: Random;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'resilin-pages-'));
  store = new LmdbStorage(folder);
  random = new Random(1);
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A row of a document, as far as the store looks at it. */
const rowOf = (length: number, mark: number) => new Uint8Array(length).fill(mark).fill(1, 0, 1);
const model = new Map<string, Uint8Array>();
const nameOf = (key: Uint8Array) => Buffer.from(key).toString('latin1');

async function put(shard: number, from: number, count: number, sizeOf: () => number): Promise<number> {
  const rows = new Rows();
  let bytes = 0;
  for (let seq = from; seq < from + count; seq++) {
    const [key, value] = [seqKey('d', shard, seq), rowOf(sizeOf(), seq)];
    rows.push(key, value);
    model.set(nameOf(key), value);
    bytes += key.length + value.length;
  }
  await store.commit(rows, []);
  return bytes;
}

function expectModel(): void {
  const found = [...store.range(new Uint8Array(0), Uint8Array.of(255))].map(
    ([key, value]) => [nameOf(key), value] as const,
  );
  expect(found.map(([name]) => name)).toEqual(
    [...model.keys()].sort((a, b) => Buffer.compare(Buffer.from(a, 'latin1'), Buffer.from(b, 'latin1'))),
  );
  expect(found.filter(([name, value]) => Buffer.compare(value, model.get(name)!) !== 0)).toEqual([]);
  expect(faultsOf(join(folder, 'data.mdb')).faults).toEqual([]);
}

/** Bytes of the leaves. */
async function leaves(): Promise<number> {
  await store.close();
  const db = openLmdb({ path: folder, readOnly: true });
  const { root, pageSize } = db.getStats() as { root: { treeLeafPageCount: number }; pageSize: number };
  await db.close();
  store = new LmdbStorage(folder);
  return root.treeLeafPageCount * pageSize;
}

beforeEach(() => model.clear());

it('documents of several shards, commit by commit, with rows of others behind them', async () => {
  for (let shard = 1; shard <= 5; shard++) {
    const [first, other] = [seqKey('d', shard, 1), seqKey('k', shard, 9)];
    await store.commit(
      [
        [first, rowOf(30, 1)],
        [other, rowOf(8, 1)],
      ],
      [],
    );
    model.set(nameOf(first), rowOf(30, 1)).set(nameOf(other), rowOf(8, 1));
  }
  let bytes = 0;
  for (let from = 2; from < 6000; from += 1000)
    for (let shard = 1; shard <= 4; shard++)
      bytes += await put(shard, from, 1000, () => 150 + random.below(700));
  expectModel();
  // What a row takes besides: a head, a place, a checksum.
  expect((bytes + 24_000 * (8 + 2 + 4)) / (await leaves())).toBeGreaterThan(0.86);
});

it('rows of all sizes are what was put, whatever was there before', async () => {
  const sizes = [1, 10, 500, 1000, 1995, 2009, 2010, 2011, 2012, 2013, 2014, 2030, 2040, 4000, 4096, 9000];
  for (const size of sizes) await put(1, 100 * size, 300, () => size);
  for (let round = 0; round < 40; round++) {
    const shard = 1 + random.below(3);
    // Behind, among and instead of those that are there.
    await put(
      shard,
      1 + random.below(4000),
      100 + random.below(400),
      () => sizes[random.below(sizes.length)]!,
    );
    const gone = [...model.keys()].filter(() => random.below(3) === 0);
    await store.commit(
      [],
      gone.map((name) => Buffer.from(name, 'latin1')),
    );
    for (const name of gone) model.delete(name);
  }
  expectModel();
  await store.close();
  store = new LmdbStorage(folder);
  expectModel();
});

it('the first operation of all, and the last row that there can be', async () => {
  await put(0, 1, 400, () => 600);
  await put(0xffff_fffe, 2 ** 48 - 400, 400, () => 600);
  expectModel();
});
