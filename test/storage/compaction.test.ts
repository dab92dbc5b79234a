/** What a compaction asks of the system, in which order: a power cut at any moment leaves the old file or the new one. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { LmdbStorage } from '../../host/storage/lmdb.js';
import { hasFaults, makeFaults } from '../support/faults/library.js';
import { built } from '../support/server.js';

const host = join(await built(), 'js/host');

describe.runIf(hasFaults)('a compaction', () => {
  it('syncs the copy before it takes the place of the store, and the folder after that', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'resilin-compaction-'));
    try {
      const store = join(folder, 'store');
      mkdirSync(store);
      const storage = new LmdbStorage(store);
      const keys = Array.from({ length: 200 }, (_, i) => Uint8Array.of(1, i));
      await storage.commit(
        keys.map((key) => [key, new Uint8Array(50_000)]),
        [],
      );
      await storage.commit([], keys.slice(1));
      await storage.close();
      const trace = join(folder, 'trace');
      const script = `
        const { compactStore } = await import(${JSON.stringify(String(pathToFileURL(join(host, 'storage/compaction.js'))))});
        console.log(await compactStore(${JSON.stringify(store)}, 1024 * 1024));`;
      const out = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
        env: { ...process.env, LD_PRELOAD: makeFaults(folder), RESILIN_FAULT_TRACE: trace },
      });
      expect(Number(out)).toBeGreaterThan(5_000_000);
      const calls = readFileSync(trace, 'utf8')
        .replaceAll(`${store}/`, '')
        .replaceAll(store, '.')
        .split('\n');
      const renamed = calls.indexOf('rename data.mdb');
      expect(renamed).toBeGreaterThan(0);
      expect(calls.slice(0, renamed)).toContain('fsync compacted/data.mdb');
      expect(calls.slice(renamed)).toContain('fsync .');
      const after = new LmdbStorage(store);
      expect(after.get(keys[0]!)).toHaveLength(50_000);
      expect(after.get(keys[1]!)).toBeUndefined();
      await after.close();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
