import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LmdbStorage } from '../../host/storage/lmdb.js';
import { diskOf, FreeDisk } from '../../host/storage/freeDisk.js';

it('a store whose folder has vanished refuses writes with a sentence', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'resilin-room-'));
  const storage = new LmdbStorage(folder, new FreeDisk(() => diskOf(folder), 0));
  const key = new Uint8Array([1]);
  await storage.commit([[key, new Uint8Array([1])]], []);
  rmSync(folder, { recursive: true });
  await expect(storage.commit([[key, new Uint8Array([2])]], [])).rejects.toThrow(
    /^nothing can be written: the data folder can't be found any more: ENOENT/,
  );
  expect(storage.get(key)?.[0]).toBe(1);
  await storage.close();
});
