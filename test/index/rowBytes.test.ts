import { describe, expect, it } from 'vitest';
import { rowBytes, sampledKeys } from '../../host/shard/rowBytes.js';
import { MemoryStorage } from '../../host/storage/memory.js';
import { addDocument } from '../../host/storage/operationRows.js';
import { seqKey } from '../../host/storage/records.js';
import { Rows } from '../../host/storage/rows.js';

/** A store with documents of shard 3 under these numbers, each with a source of so many bytes; and of its neighbours. */
async function storeOf(documents: Iterable<readonly [seq: number, bytes: number]>): Promise<MemoryStorage> {
  const storage = new MemoryStorage();
  const rows = new Rows();
  const add = (shard: number, seq: number, bytes: number) => {
    const source = new Uint8Array(bytes);
    const none = { routing: undefined, parent: undefined, timestamp: undefined, expires: undefined };
    addDocument(rows, shard, seq, { type: 't', id: String(seq), version: 1, source, ...none });
  };
  for (const [seq, bytes] of documents) add(3, seq, bytes);
  for (const shard of [2, 4]) for (let seq = 1; seq < 500; seq++) add(shard, seq, 50_000);
  await storage.commit(rows, []);
  return storage;
}

/** Sums of sources alone. */
const sourceBytes = (documents: readonly (readonly [number, number])[]) =>
  documents.reduce((sum, [, bytes]) => sum + bytes, 0);

describe('what the rows of a shard take', () => {
  it('is counted where they are few', async () => {
    expect(rowBytes(await storeOf([]), 3)).toBe(0);
    const one = rowBytes(await storeOf([[7, 100]]), 3);
    const storage = await storeOf(Array.from({ length: 100 }, (_, i) => [10 + i, 100]));
    // Ids of two and of three digits instead of one.
    expect(rowBytes(storage, 3)).toBe(100 * (one + 2) + 2 * 10);
    // A large row has pages of its own.
    const large = rowBytes(await storeOf([[7, 9000]]), 3);
    expect(large - one).toBeGreaterThan(12_000);
    expect(large - one).toBeLessThan(12_500);
  });

  it('is estimated where they are many: of all sizes, with gaps, and in halves that differ', async () => {
    const spread = Array.from({ length: 20_000 }, (_, i) => [i, 200 + ((i * 7919) % 1000)] as const);
    const gaps = spread.filter(([seq]) => seq % 7 === 0 || (seq > 5000 && seq < 9000));
    const halves = Array.from({ length: 6000 }, (_, i) => [i, i < 3000 ? 100 : 1500] as const);
    for (const documents of [spread, gaps, halves]) {
      // What isn't source: key, head, id, its record.
      const exact = sourceBytes(documents) + 90 * documents.length;
      const estimate = rowBytes(await storeOf(documents), 3);
      expect(estimate / exact).toBeGreaterThan(0.85);
      expect(estimate / exact).toBeLessThan(1.15);
    }
  });

  it('reads where it says that it will', async () => {
    const storage = await storeOf(Array.from({ length: 5000 }, (_, i) => [i, 300] as const));
    const read: string[] = [];
    const range = storage.range.bind(storage);
    const nameOf = (key: Uint8Array) => Buffer.from(key).toString('hex');
    storage.range = (from, to, options) => {
      if (options?.keysOnly !== true && options?.limit === 1) read.push(nameOf(from));
      return range(from, to, options);
    };
    rowBytes(storage, 3);
    expect(read).toHaveLength(64);
    expect(sampledKeys(storage, 3).map(nameOf)).toEqual(read);
    expect(sampledKeys(await storeOf([[1, 1]]), 3)).toEqual([]);
    expect(sampledKeys(await storeOf([]), 3)).toEqual([]);
  });

  it('falls with the documents that go', async () => {
    const storage = await storeOf(Array.from({ length: 5000 }, (_, i) => [i, 300] as const));
    const before = rowBytes(storage, 3);
    const keys = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, i) => seqKey('d', 3, from + i));
    await storage.commit([], keys(1000, 3500));
    expect(rowBytes(storage, 3) / before).toBeCloseTo(0.5, 1);
    await storage.commit([], [...keys(0, 1000), ...keys(3500, 5000)]);
    expect(rowBytes(storage, 3)).toBe(0);
  });
});
