/**
 * Each call of a run that changes files fails once, alone: nothing that was acknowledged is lost, and nothing waits for ever. The suite
 * tries some of the calls; `RESILIN_FAULT_RUNS=all` tries each of them, `RESILIN_FAULT_RUNS=12` the twelfth alone, `RESILIN_FAULT_RUNS=12-20` those
 * from there to the twentieth. All that is found is told at the end.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compactStore } from '../../host/storage/compaction.js';
import { FileBlobs } from '../../host/storage/files.js';
import { checkStore, LmdbStorage } from '../../host/storage/lmdb.js';
import { hasFaults, makeFaults } from '../support/faults/library.js';
import { built } from '../support/server.js';

const host = join(await built(), 'js/host/storage');
const module = (name: string) => JSON.stringify(String(pathToFileURL(join(host, name))));
const MOST_MS = 30_000;
const [FIRST = 0, LAST = FIRST] = (process.env.RESILIN_FAULT_RUNS ?? '').split('-').map(Number);
const TRIED = process.env.RESILIN_FAULT_RUNS === 'all' ? Number.POSITIVE_INFINITY : 3;

/** What is run: commits, deletions, a file that gets smaller meanwhile, blobs. Each step is told before and after it. */
const SCRIPT = `
import { writeSync } from 'node:fs';
import { LmdbStorage } from ${module('lmdb.js')};
import { FileBlobs } from ${module('files.js')};
const folder = process.argv[1];
const tell = (...words) => writeSync(1, words.join(' ') + '\\n');
const keyOf = (i) => Uint8Array.of(0x78, i >> 8, i & 255);
const valueOf = (i, round, length) => new Uint8Array(length).fill(i * 7 + round);
async function step(name, work) {
  tell('try', name);
  try {
    await work();
    tell('done', name);
  } catch (e) {
    tell('failed', name, e.message);
  }
}
const storage = new LmdbStorage(folder + '/store', undefined, { shrinksFrom: 1 << 20, lookEvery: 1 });
const put = (i, round, length = 60_000) =>
  step('row ' + i + ' ' + round + ' ' + length, () => storage.commit([[keyOf(i), valueOf(i, round, length)]], []));
for (let i = 0; i < 40; i++) await put(i, 1);
for (let i = 4; i < 40; i++) await step('row ' + i + ' 0 0', () => storage.commit([], [keyOf(i)]));
for (let n = 0; n < 200 && storage.shrunk === 0 && storage.shrinkFailure === undefined && storage.failure === undefined; n++) {
  await put(50 + (n % 4), n + 1, 10);
  await new Promise((resolve) => setTimeout(resolve, 2));
}
tell('shrunk', storage.shrunk);
for (let i = 60; i < 64; i++) await put(i, 1, 2000);
await step('blobs', async () => {
  const blobs = await FileBlobs.open(folder + '/segments');
  for (let i = 0; i < 3; i++) await step('blob b' + i, () => blobs.put('b' + i, valueOf(i, 3, 10_000)));
});
await step('close', () => storage.close());
process.exit(0);
`;

let work: string;
let library: string;
beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), 'resilin-calls-'));
  if (hasFaults) library = makeFaults(work);
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

interface Run {
  lines: string[];
  calls: string[];
  signal: string | null;
  errors: string;
}

/**
 * @param part of the paths of the files whose calls count
 * @param call the calls of them that count; all without
 */
function run(folder: string, nth: number, errno: number, part = folder, call?: string): Run {
  const count = join(folder, '..', 'count');
  rmSync(count, { force: true });
  const { stdout, stderr, signal } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', SCRIPT, folder],
    {
      encoding: 'utf8',
      timeout: MOST_MS,
      env: {
        ...process.env,
        LD_PRELOAD: library,
        RESILIN_FAULT_NTH: String(nth),
        RESILIN_FAULT_ERRNO: String(errno),
        RESILIN_FAULT_PATH: part,
        RESILIN_FAULT_COUNT: count,
        ...(call === undefined ? {} : { RESILIN_FAULT_CALL: call }),
      },
    },
  );
  const calls = existsSync(count) ? readFileSync(count, 'utf8').trim().split('\n') : [];
  return { lines: stdout.trim().split('\n'), calls, signal, errors: stderr };
}

/**
 * Whether a call may end the process where it fails, which lmdb 3.5.6 does in two places: where it can't open an environment, and where it
 * prints the place of a page that it can't write into a text that is too short for it. What was acknowledged is there all the same.
 */
function mayEnd(call: string): boolean {
  return /^(open|ftruncate|p?writev?) .*(data|lock)\.mdb/.test(call);
}

/** What may be found under a name: what was acknowledged last, or was tried after that. */
function possible(lines: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const line of lines) {
    const [, verb, kind, name, value = ''] = /^(\w+) (row|blob) (\S+) ?(\d+ \d+)?/.exec(line) ?? [];
    if (verb === undefined) continue;
    const key = `${kind} ${name}`;
    if (verb === 'done') found.set(key, [value]);
    else if (verb === 'try') found.set(key, [...(found.get(key) ?? ['none']), value]);
  }
  return found;
}

async function check(folder: string, lines: readonly string[]): Promise<void> {
  const store = join(folder, 'store');
  checkStore(store);
  if (existsSync(store)) await compactStore(store);
  const storage = new LmdbStorage(store);
  const blobs = await FileBlobs.open(join(folder, 'segments'));
  try {
    for (const [key, values] of possible(lines)) {
      const [kind, name] = key.split(' ');
      if (kind === 'blob') {
        const bytes = await blobs.get(name!);
        if (!values.includes('none')) expect(bytes, key).toHaveLength(10_000);
        continue;
      }
      const i = Number(name);
      const value = storage.get(Uint8Array.of(0x78, i >> 8, i & 255));
      const fits = values.some((each) => {
        const [round, length] = each.split(' ').map(Number);
        if (each === 'none' || length === 0) return value === undefined;
        const wanted = Buffer.alloc(length!, (i * 7 + round!) & 255);
        return value !== undefined && wanted.equals(value);
      });
      expect(fits, `${key}: one of ${values.join(', ')}`).toBe(true);
    }
  } finally {
    await storage.close();
  }
}

describe.runIf(hasFaults)('of all calls that change files', () => {
  let calls: string[];

  it('none fails: the file gets smaller, and all is there', async () => {
    const folder = join(work, 'none');
    const done = run(folder, 0, 0);
    expect(done.signal).toBeNull();
    expect(done.lines).toContain('shrunk 1');
    expect(done.lines.filter((line) => line.startsWith('failed'))).toEqual([]);
    await check(folder, done.lines);
    calls = done.calls;
    for (const call of ['open', 'fdatasync', 'fsync', 'rename'])
      expect(
        calls.some((line) => line.startsWith(`${call} `)),
        call,
      ).toBe(true);
  }, 60_000);

  it.each([
    ['EIO', constants.errno.EIO],
    ['ENOSPC', constants.errno.ENOSPC],
    ['a short write', 0],
  ])(
    'one fails with %s',
    async (what, errno) => {
      const all = calls
        .map((line, i) => ({ line, nth: i + 1 }))
        .filter(({ line }) => errno > 0 || /^p?writev? /.test(line));
      const every = Math.max(1, Math.ceil(all.length / TRIED));
      // Those of the first commit, its meta page included, and those around the renaming are tried always.
      const renamed = all.findIndex(({ line }) => line.startsWith('rename '));
      const found: string[] = [];
      for (const [i, { line, nth }] of all.entries()) {
        if (FIRST > 0 && (nth < FIRST || nth > LAST)) continue;
        const isFirstCommit = nth > 8 && nth < 14;
        if (!(FIRST > 0) && i % every !== 0 && Math.abs(i - renamed) > 1 && !isFirstCommit) continue;
        const folder = join(work, `${what}-${nth}`);
        const { lines, calls: made, signal, errors } = run(folder, nth, errno);
        // While a copy is made, calls come in another order each time.
        const failed = made[nth - 1] ?? line;
        const said = `${what} at call ${nth}, ${failed}: ${errors}`;
        if (!(mayEnd(failed) ? [null, 'SIGABRT', 'SIGSEGV'] : [null]).includes(signal))
          found.push(`${said}\n${signal}`);
        await check(folder, lines).catch((e) => found.push(`${said}\n${(e as Error).message}`));
        rmSync(folder, { recursive: true, force: true });
      }
      expect(found).toEqual([]);
    },
    3_600_000,
  );
});

it.runIf(hasFaults)(
  'of the calls in the folder of a copy, a removal fails when the copy is the store',
  async () => {
    // How many commits and writes come before a removal is not the same in each run.
    const { calls } = run(join(work, 'copied'), 0, 0, 'shrunk-', 'unlink');
    expect(calls.length).toBeGreaterThan(0);
    for (let nth = 1; nth <= calls.length; nth++) {
      const folder = join(work, `removal-${nth}`);
      const { lines, calls: made } = run(folder, nth, constants.errno.EIO, 'shrunk-', 'unlink');
      expect(made.length).toBeGreaterThanOrEqual(nth);
      expect(lines).toContain('shrunk 1');
      await check(folder, lines);
    }
  },
  60_000,
);

it.each(Array.from({ length: Math.min(TRIED, 30) }, (_, i) => i))(
  'killed as the file gets smaller: %d',
  async (i) => {
    const folder = join(work, `killed-${i}`);
    const child = spawn(process.execPath, ['--input-type=module', '-e', SCRIPT, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let told = '';
    child.stdout.on('data', (piece) => {
      told += piece;
      // All rows and deletions, and then some commits while a copy is made.
      if (told.split('\n').length > 150 + 3 * i) child.kill('SIGKILL');
    });
    await new Promise((done) => child.on('close', done));
    await check(folder, told.slice(0, told.lastIndexOf('\n')).split('\n'));
  },
);
