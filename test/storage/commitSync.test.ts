/** What a commit of the store asks of the system: pages are synced before the page that makes them count, and that one before the answer. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { hasFaults, makeFaults } from '../support/faults/library.js';
import { built } from '../support/server.js';

const lmdb = join(await built(), 'js/host/storage/lmdb.js');
const COMMITS = 3;

it.runIf(hasFaults)('each commit syncs its pages, and then the one that names them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'resilin-sync-'));
  try {
    const trace = join(folder, 'trace');
    const script = `
      import { appendFileSync } from 'node:fs';
      import { LmdbStorage } from ${JSON.stringify(String(pathToFileURL(lmdb)))};
      const storage = new LmdbStorage(${JSON.stringify(join(folder, 'store'))});
      for (let i = 0; i < ${COMMITS}; i++) {
        appendFileSync(${JSON.stringify(trace)}, 'commit\\n');
        await storage.commit([[Uint8Array.of(1, i), new Uint8Array(10_000)]], []);
        appendFileSync(${JSON.stringify(trace)}, 'answered\\n');
      }
      process.exit(0);`;
    const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...process.env, LD_PRELOAD: makeFaults(folder), RESILIN_FAULT_TRACE: trace },
    });
    expect(status).toBe(0);
    const commits = readFileSync(trace, 'utf8').trim().split('commit\n').slice(1);
    expect(commits).toHaveLength(COMMITS);
    const file = join(folder, 'store/data.mdb');
    for (const each of commits)
      expect(each.trim().split('\n')).toEqual([`fdatasync ${file}`, `dsync ${file}`, 'answered']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
