/** A recovery that takes long says how far it is, less and less often, and then how long it took. */
import { expect, it, vi } from 'vitest';
import { createEngine } from '../../host/index.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import type { Entry, RangeOptions } from '../../host/storage/storage.js';
import { coreBytes } from '../support/core.js';

/** By how much the clock of this test is ahead. */
let ahead = 0;

const DOCUMENT = 'd'.charCodeAt(0);

/** A store whose disk is slow: a thousand rows take 1.5 s. */
class SlowStorage extends MemoryStorage {
  override range(from: Uint8Array, to: Uint8Array, options?: RangeOptions): Iterable<Entry> {
    if (from[0] === DOCUMENT && options?.limit === 1000) ahead += 1500;
    return super.range(from, to, options);
  }
}

it('tells of its progress', async () => {
  const storage = new MemoryStorage();
  const wasm = coreBytes();
  const first = await createEngine({ wasm, storage, blobs: new MemoryBlobs() });
  await first.request('PUT', '/a', { settings: { number_of_shards: 1 } });
  for (let from = 0; from < 20_000; from += 1000) {
    const lines = Array.from({ length: 1000 }, (_, i) => `{"index":{"_id":"${from + i}"}}\n{"n":${i}}\n`);
    await first.request('POST', '/a/t/_bulk', lines.join(''));
  }
  await first.close();
  // What it has written, but not its segments.
  const slow = new SlowStorage();
  await slow.commit([...storage.range(Uint8Array.of(0), Uint8Array.of(255))], []);
  const [manifest] = [...slow.range(Uint8Array.of(0x63), Uint8Array.of(0x64))];
  await slow.commit([], [manifest![0]]);
  // It stands still otherwise.
  const began = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => began + ahead);
  const warnings: string[] = [];
  const second = await createEngine({
    wasm,
    storage: slow,
    blobs: new MemoryBlobs(),
    warn: (message) => warnings.push(message),
  });
  clock.mockRestore();
  // After 2 s, 4 s and 8 s more, at the end of a thousand.
  expect(warnings.slice(0, -1)).toEqual([
    '[a][0] 2000 of 20000 operations are indexed again, 10 %',
    '[a][0] 5000 of 20000 operations are indexed again, 25 %',
    '[a][0] 11000 of 20000 operations are indexed again, 55 %',
  ]);
  expect(warnings.at(-1)).toBe('[a][0] has indexed 20000 operations again, in 32 s');
  await second.close();
});
