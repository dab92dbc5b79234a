import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JournalDamaged, JournaledStorage } from '../../host/storage/journal.js';
import { batchAt, encodeBatches } from '../../host/storage/rowBatches.js';
import { xxh32 } from '../../host/storage/xxh32.js';
import { DiskFull } from '../../host/storeErrors.js';
import { MemoryJournal } from './memoryJournal.js';

const bytes = (...values: number[]) => new Uint8Array(values);
const some = fc.uint8Array({ maxLength: 20 });
const batch = fc.record({
  puts: fc.array(fc.tuple(some, some), { maxLength: 5 }),
  deletes: fc.array(some, { maxLength: 5 }),
});

describe('batches of rows', () => {
  it('are read as they were written, one behind the other', () => {
    fc.assert(
      fc.property(fc.array(batch, { maxLength: 5 }), fc.nat(9), (batches, before) => {
        // In the middle of a buffer, as what is read may be.
        const encoded = encodeBatches(batches);
        const buffer = new Uint8Array(before + encoded.length);
        buffer.set(encoded, before);
        const all = buffer.subarray(before);
        let at = 0;
        for (const { puts, deletes } of batches) {
          const { end, ...found } = batchAt(all, at)!;
          expect(found).toEqual({ puts, deletes });
          at = end;
        }
        expect(at).toBe(all.length);
        expect(batchAt(all, at)).toBeUndefined();
      }),
    );
  });

  it('are none where a byte is another or missing', () => {
    const encoded = encodeBatches([{ puts: [[bytes(1, 2), bytes(3, 4, 5)]], deletes: [bytes(6)] }]);
    for (let at = 0; at < encoded.length; at++) {
      const changed = encoded.slice();
      changed[at]! ^= 1 << (at % 8);
      expect(batchAt(changed, 0)).toBeUndefined();
      expect(batchAt(encoded.subarray(0, at), 0)).toBeUndefined();
    }
  });

  it('end within the bytes, whatever these are', () => {
    const checked = fc.tuple(fc.uint8Array({ maxLength: 60 }), fc.boolean());
    fc.assert(
      fc.property(checked, ([found, isSound]) => {
        // Half of them have a sound checksum around nonsense.
        const all = isSound ? withHead(found) : found;
        const read = batchAt(all, 0);
        const length = [...(read?.puts.flat() ?? []), ...(read?.deletes ?? [])].reduce(
          (sum, each) => sum + each.length,
          0,
        );
        expect(length).toBeLessThanOrEqual(all.length);
      }),
      { numRuns: 2000 },
    );
  });
});

/** Bytes in the place of the changes of a batch. */
function withHead(changes: Uint8Array): Uint8Array {
  const all = new Uint8Array(8 + changes.length);
  const view = new DataView(all.buffer);
  view.setUint32(4, changes.length, true);
  all.set(changes, 8);
  view.setInt32(0, xxh32(view, 4, all.length), true);
  return all;
}

describe('a store with a journal', () => {
  it('shows nothing before it is kept, and what failed never', async () => {
    const journal = new MemoryJournal();
    const storage = await JournaledStorage.open(journal);
    const commit = storage.commit([[bytes(1), bytes(1)]], []);
    expect(storage.get(bytes(1))).toBeUndefined();
    await commit;
    expect(storage.get(bytes(1))).toEqual(bytes(1));
    journal.refusal = new DiskFull('full');
    await expect(storage.commit([[bytes(1), bytes(2)]], [])).rejects.toBe(journal.refusal);
    expect(storage.get(bytes(1))).toEqual(bytes(1));
    journal.refusal = undefined;
    await storage.commit([[bytes(2), bytes(2)]], []);
    const again = await JournaledStorage.open(journal);
    expect([again.get(bytes(1)), again.get(bytes(2))]).toEqual([bytes(1), bytes(2)]);
  });

  it('writes commits of one turn together', async () => {
    const journal = new MemoryJournal();
    const storage = await JournaledStorage.open(journal);
    await Promise.all([1, 2, 3].map((n) => storage.commit([[bytes(n), bytes(n)]], [])));
    expect(journal.pieces).toHaveLength(1);
  });

  it('is written anew when most of it lives no more', async () => {
    const journal = new MemoryJournal();
    const storage = await JournaledStorage.open(journal, 1000);
    for (let n = 0; n < 100; n++) await storage.commit([[bytes(1), new Uint8Array(100).fill(n)]], []);
    expect(journal.replaced).toBeGreaterThan(3);
    expect(journal.bytes).toBeLessThan(2000);
    const again = await JournaledStorage.open(journal, 1000);
    expect(again.get(bytes(1))).toEqual(new Uint8Array(100).fill(99));
  });

  it('goes on as it is where it can not be written anew', async () => {
    const journal = new MemoryJournal();
    const storage = await JournaledStorage.open(journal, 1000);
    let tried = 0;
    journal.replace = async () => {
      tried++;
      throw new DiskFull('full');
    };
    for (let n = 0; n < 100; n++) await storage.commit([[bytes(1), new Uint8Array(100).fill(n)]], []);
    // Not with each commit.
    expect(tried).toBeGreaterThan(1);
    expect(tried).toBeLessThan(8);
    const again = await JournaledStorage.open(journal);
    expect(again.get(bytes(1))).toEqual(new Uint8Array(100).fill(99));
  });

  it('is not opened where it is damaged', async () => {
    const journal = new MemoryJournal();
    const storage = await JournaledStorage.open(journal);
    await storage.commit([[bytes(1), bytes(1)]], []);
    journal.pieces[0]![9]! ^= 1;
    await expect(JournaledStorage.open(journal)).rejects.toThrow(JournalDamaged);
  });
});
