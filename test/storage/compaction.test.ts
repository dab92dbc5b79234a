/** What a compaction asks of the system, in which order: a power cut at any moment leaves the old file or the new one. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { LmdbStorage } from '../../host/storage/lmdb.js';
import { hasFaults, makeFaults } from '../support/faults/library.js';
import { built } from '../support/server.js';

const host = join(await built(), 'js/host');

const keys = Array.from({ length: 200 }, (_, i) => Uint8Array.of(1, i));

/** Makes a store of which nearly all is free. */
async function makeStore(store: string): Promise<void> {
  mkdirSync(store);
  const storage = new LmdbStorage(store);
  await storage.commit(
    keys.map((key) => [key, new Uint8Array(50_000)]),
    [],
  );
  await storage.commit([], keys.slice(1));
  await storage.close();
}

/** Compacts a store in a process of its own: what that printed, and how it ended. */
function compact(store: string, env: Record<string, string>): { out: string; signal: string | null } {
  const script = `
    const { compactStore } = await import(${JSON.stringify(String(pathToFileURL(join(host, 'storage/compaction.js'))))});
    const store = ${JSON.stringify(store)};
    console.log(await compactStore(store, 1024 * 1024).catch((e) => 'thrown ' + e.message));`;
  const { stdout, signal } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  return { out: stdout.trim(), signal };
}

async function checkKept(store: string): Promise<void> {
  const after = new LmdbStorage(store);
  expect(after.get(keys[0]!)).toHaveLength(50_000);
  expect(after.get(keys[1]!)).toBeUndefined();
  await after.close();
}

describe.runIf(hasFaults)('a compaction', () => {
  it('of which any call fails leaves a whole store', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'resilin-compaction-'));
    try {
      const count = join(folder, 'count');
      const env = {
        LD_PRELOAD: makeFaults(folder),
        RESILIN_FAULT_PATH: join(folder, 'store'),
        RESILIN_FAULT_COUNT: count,
        RESILIN_FAULT_ERRNO: String(constants.errno.EIO),
      };
      const whole = join(folder, 'whole');
      await makeStore(whole);
      let calls = 1;
      for (let nth = 0; nth <= calls; nth++) {
        rmSync(count, { force: true });
        const store = join(folder, `store-${nth}`);
        cpSync(whole, store, { recursive: true });
        const { out, signal } = compact(store, { ...env, RESILIN_FAULT_NTH: String(nth) });
        const made = readFileSync(count, 'utf8').trim().split('\n');
        const failed = `${nth}: ${made[nth - 1]}`;
        if (nth === 0) calls = made.length;
        // The library may end the process where it can't open an environment.
        const mayEnd = /: (open|ftruncate|p?writev?) .*(data|lock)\.mdb/.test(failed);
        expect(mayEnd ? [null, 'SIGABRT', 'SIGSEGV'] : [null], failed).toContain(signal);
        // Where the folder can't be synced nobody knows which file a power cut leaves.
        if (/: fsync .*\/store-\d+$/.test(failed)) expect(out, failed).toMatch(/^thrown /);
        else if (signal === null) expect(Number(out), failed).toBeGreaterThanOrEqual(0);
        await checkKept(store);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('syncs the copy before it takes the place of the store, and the folder after that', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'resilin-compaction-'));
    try {
      const store = join(folder, 'store');
      await makeStore(store);
      const trace = join(folder, 'trace');
      const { out } = compact(store, { LD_PRELOAD: makeFaults(folder), RESILIN_FAULT_TRACE: trace });
      expect(Number(out)).toBeGreaterThan(5_000_000);
      const calls = readFileSync(trace, 'utf8')
        .replaceAll(`${store}/`, '')
        .replaceAll(store, '.')
        .split('\n');
      const renamed = calls.indexOf('rename data.mdb');
      expect(renamed).toBeGreaterThan(0);
      expect(calls.slice(0, renamed)).toContain('fsync compacted/data.mdb');
      expect(calls.slice(renamed)).toContain('fsync .');
      await checkKept(store);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
