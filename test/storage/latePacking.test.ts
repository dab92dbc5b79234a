/** Where what compresses is loaded late, as in browsers: not before a store or a shard needs it, and nothing fails without it. */
import { afterEach, expect, it, vi } from 'vitest';
import { Packing } from '../../host/shard/packing.js';
import { compression, loadForPacked } from '../../host/storage/compression.js';
import { Dictionaries } from '../../host/storage/dictionaries.js';
import { dictionaryKey, kindRange } from '../../host/storage/records.js';
import { MemoryStorage } from '../../host/storage/memory.js';
import { Rows } from '../../host/storage/rows.js';
import { dictionaryOf } from '../../host/storage/storedDocuments.js';

afterEach(() => vi.restoreAllMocks());

it('a store without a dictionary needs nothing, one with a dictionary has it loaded', async () => {
  const load = vi.spyOn(compression, 'load');
  const storage = new MemoryStorage();
  await storage.commit([[Uint8Array.of(0x7a + 1), new Uint8Array(1)]], []);
  await loadForPacked(storage);
  expect(load).not.toHaveBeenCalled();
  await storage.commit([[dictionaryKey(0xffff_fffe, 255), new Uint8Array(1)]], []);
  await loadForPacked(storage);
  expect(load).toHaveBeenCalled();
});

it('documents stay as they are until it is loaded, which begins with the first shard that has enough of them', async () => {
  const storage = new MemoryStorage();
  const isLoaded = vi.spyOn(compression, 'isLoaded', 'get').mockReturnValue(false);
  const load = vi.spyOn(compression, 'load').mockRejectedValue(new Error('no network'));
  const packing = new Packing(1, new Dictionaries(storage, 1));
  packing.begin();
  const source = new TextEncoder().encode(JSON.stringify({ text: 'as much as the others have '.repeat(40) }));
  let seq = 0;
  const write = async (count: number): Promise<number> => {
    const rows = new Rows();
    let packed = 0;
    for (let i = 0; i < count; i++) {
      const row = packing.add(rows, ++seq, {
        type: 't',
        id: `${seq}`,
        version: 1,
        routing: undefined,
        source,
      });
      if (dictionaryOf(rows.valueOf(row)) !== undefined) packed++;
    }
    await storage.commit(rows, []);
    packing.committed(rows);
    return packed;
  };
  const few = Math.floor((256 * 1024) / source.length);
  expect(await write(few)).toBe(0);
  expect(load).not.toHaveBeenCalled();
  expect(await write(3 * few)).toBe(0);
  expect([...storage.range(...kindRange('z', 1))]).toEqual([]);
  expect(load).toHaveBeenCalled();
  isLoaded.mockReturnValue(true);
  expect([await write(few + 2), await write(5)]).toEqual([0, 5]);
  expect([...storage.range(...kindRange('z', 1))]).toHaveLength(1);
});
