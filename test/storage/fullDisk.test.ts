import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LmdbStorage } from '../../host/storage/lmdb.js';
import { FreeDisk } from '../../host/storage/freeDisk.js';

const MIB = 1024 * 1024;
/** A twentieth of it is kept for deletions. */
const DISK = 20 * MIB;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'resilin-full-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('a full disk takes writes again when rows were deleted, though the file stays as long as it was', async () => {
  let free = DISK;
  const room = new FreeDisk(() => ({ total: DISK, free: free + storage.reusableBytes }), 0);
  const storage: LmdbStorage = new LmdbStorage(folder, room);
  const keys = Array.from({ length: 400 }, (_, i) => new Uint8Array([i >> 8, i & 255]));
  const value = new Uint8Array(10_000).fill(7);
  await storage.commit(
    keys.map((key) => [key, value]),
    [],
  );
  free = 0;
  const [first] = keys;
  await expect(storage.commit([[first!, value]], [])).rejects.toThrow('the disk is full');
  await storage.commit([], keys.slice(0, 200), { freeing: true });
  expect(storage.reusableBytes).toBeGreaterThan(MIB);
  await storage.commit([[first!, value]], []);
  expect(Buffer.compare(storage.get(first!)!, value)).toBe(0);
  await storage.close();
});
