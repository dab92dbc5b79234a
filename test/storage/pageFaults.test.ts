import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LmdbStorage } from '../../host/storage/lmdb.js';
import { PageFaults } from '../../host/storage/pageFaults.js';

it('reading is taken to wait for a disk for a second after a page was read from it', () => {
  let now = 0;
  let faults = 7;
  const pages = new PageFaults({ now: () => now, faults: () => faults });
  expect(pages.areLikely).toBe(false);
  faults++;
  now = 9;
  // The system isn't asked more often than every 10 ms.
  expect(pages.areLikely).toBe(false);
  now = 10;
  expect(pages.areLikely).toBe(true);
  now = 1009;
  expect(pages.areLikely).toBe(true);
  now = 1020;
  expect(pages.areLikely).toBe(false);
  faults++;
  now = 1031;
  expect(pages.areLikely).toBe(true);
});

it('a store reads rows ahead only while its pages come from a disk, and whatever is asked for', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'resilin-faults-'));
  const { resourceUsage } = process;
  let faults = 0;
  process.resourceUsage = () => ({ ...resourceUsage.call(process), majorPageFault: faults });
  const storage = new LmdbStorage(folder);
  try {
    const key = (n: number) => Uint8Array.of(120, n >> 8, n);
    const rows = Array.from({ length: 600 }, (_, n) => [key(n), new Uint8Array(1 + n * 20).fill(n)] as const);
    await storage.commit(rows, []);
    expect(storage.prefetch([key(1)])).toBeUndefined();
    while (!storage.isCold) {
      faults++;
      await new Promise((done) => setImmediate(done));
    }
    for (const keys of [[], [key(1)], [key(1), Uint8Array.of(1)], rows.map(([each]) => each)])
      await storage.prefetch(keys);
    for (const [each, value] of rows) expect(Uint8Array.from(storage.get(each)!)).toEqual(value);
  } finally {
    process.resourceUsage = resourceUsage;
    await storage.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
