/**
 * `npm run mutants -- [words]`: breaks what keeps data and refuses requests, one place at a time, and runs the tests that are meant to notice.
 * Ends with 1 if a mutant survives. Words choose the mutants with these words in their names; `--list` names all.
 *
 * A mutant is an edit of one line of a copy of the tree. The tests are run without it first: those that fail anyway tell nothing.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
const COMMITS = ['test/storage/commitSync.test.ts'];
const FAILING = ['test/server/failingDisk.test.ts'];
const COMPACTION = ['test/storage/compaction.test.ts'];
/** Disks that a power cut leaves of a program (test/torture/crashStates/programs.mjs). */
const cut = (program) => ['test/torture/crashStates/crashStates.test.ts', '-t', `${program}:`];

/** name: file, the text that is there once, what takes its place, and the arguments of vitest. */
const MUTANTS = {
  'sync: LMDB without it': ['host/storage/lmdb.ts', 'noSync: false', 'noSync: true', COMMITS],
  'sync: LMDB without that of its first pages': [
    'host/storage/lmdb.ts',
    'noMetaSync: false',
    'noMetaSync: true',
    COMMITS,
  ],
  'sync: of a segment left out': ['host/storage/files.ts', '    await file.datasync();\n', '', FAILING],
  'sync: of the folder of segments left out': [
    'host/storage/files.ts',
    '    await syncPath(this.#folder);\n',
    '',
    FAILING,
  ],
  'sync: of a compacted store left out': [
    'host/storage/compaction.ts',
    '    await syncPath(join(aside, STORE_FILE));\n',
    '',
    COMPACTION,
  ],
  'sync: of the folder of a compacted store left out': [
    'host/storage/compaction.ts',
    '  await syncPath(folder);\n',
    '',
    COMPACTION,
  ],
  'sync: manifest before its segments': [
    'host/shard/checkpoint.ts',
    'await blobs.put(name, segment.image!);',
    'void blobs.put(name, segment.image!);',
    ['test/index/powerCut.test.ts'],
  ],
  'sync: of a journal in files left out': [
    'host/storage/fileJournal.ts',
    '    this.#flush(file);\n    this.#end +=',
    '    this.#end +=',
    ['test/storage/fileJournal.test.ts'],
  ],
  'sync: of a journal that is written anew left out': [
    'host/storage/fileJournal.ts',
    '      // Its head makes it count, so the rest has to be there before.\n      file.flush();\n',
    '',
    ['test/storage/fileJournal.test.ts'],
  ],
  'sync: of a journal not waited for': [
    'host/storage/journal.ts',
    'await this.#journal.append(batches);',
    'void this.#journal.append(batches);',
    ['test/storage/journal.test.ts'],
  ],
  'cut: LMDB without a sync': ['host/storage/lmdb.ts', 'noSync: false', 'noSync: true', cut('store')],
  'cut: LMDB without that of its first pages': [
    'host/storage/lmdb.ts',
    'noMetaSync: false',
    'noMetaSync: true',
    cut('store'),
  ],
  'cut: a commit answered before it is made': [
    'host/storage/lmdb.ts',
    '        await this.#batch(group);\n        for (const { resolve } of group) resolve();\n',
    '        for (const { resolve } of group) resolve();\n        await this.#batch(group);\n',
    cut('store'),
  ],
  'cut: the name of a store without a sync': [
    'host/storage/lmdb.ts',
    '    syncPathSync(path);\n',
    '',
    cut('store'),
  ],
  'cut: the folder of a store without a sync': [
    'host/storage/lmdb.ts',
    '    syncPathSync(dirname(resolve(path)));\n',
    '',
    cut('store'),
  ],
  'cut: pages of a store that none knows yet without a sync': [
    'host/storage/lmdb.ts',
    '    syncPathSync(file);\n',
    '',
    cut('store'),
  ],
  'cut: a folder that was made without a sync': [
    'host/storage/folders.ts',
    '    await syncAbove(made);\n',
    '',
    cut('blobs'),
  ],
  'cut: a segment without a sync': [
    'host/storage/files.ts',
    '    await file.datasync();\n',
    '',
    cut('blobs'),
  ],
  'cut: a segment renamed before its sync': [
    'host/storage/files.ts',
    '      await writeSynced(path + ASIDE, bytes);\n      await rename(path + ASIDE, path);\n',
    "      const file = await open(path + ASIDE, 'w');\n      await file.writeFile(bytes);\n" +
      '      await rename(path + ASIDE, path);\n      await file.datasync();\n      await file.close();\n',
    cut('blobs'),
  ],
  'cut: the folder of segments without a sync': [
    'host/storage/files.ts',
    '    await syncPath(this.#folder);\n',
    '',
    cut('blobs'),
  ],
  'cut: a segment without a sync, in an engine': [
    'host/storage/files.ts',
    '    await file.datasync();\n',
    '',
    cut('engine'),
  ],
  'cut: a manifest before its segments': [
    'host/shard/checkpoint.ts',
    'await blobs.put(name, segment.image!);',
    'void blobs.put(name, segment.image!);',
    cut('engine'),
  ],
  'cut: the folder of a store that became smaller without a sync': [
    'host/storage/shrinking.ts',
    '      await syncPath(this.#folder);\n',
    '',
    cut('shrinking'),
  ],
  'cut: rows that changed while a store was copied': [
    'host/storage/shrinking.ts',
    '      await this.#catchUp(copy);\n      await syncPath',
    '      await syncPath',
    cut('shrinking'),
  ],
  'cut: a commit before those that are late': [
    'host/storage/writeBehind.ts',
    '      if (!this.#empty) await this.#write();\n      return this.#inner',
    '      return this.#inner',
    cut('late'),
  ],
  'cut: a journal without a sync': [
    'host/storage/fileJournal.ts',
    '    this.#flush(file);\n    this.#end +=',
    '    this.#end +=',
    cut('journal'),
  ],
  'cut: a journal that counts before it is written anew': [
    'host/storage/fileJournal.ts',
    '      // Its head makes it count, so the rest has to be there before.\n      file.flush();\n',
    '',
    cut('journal'),
  ],
  "failure: of a commit isn't final": [
    'host/storage/lmdb.ts',
    'this.failure = new StoreFailed(cause.message);\n        throw this.failure;',
    'throw new StoreFailed(cause.message);',
    FAILING,
  ],
  'failure: a full disk counts as one that failed': [
    'host/storage/lmdb.ts',
    "!NO_ROOM.has(cause.code) && canGrow(join(this.#path, 'data.mdb'))",
    'true',
    FAILING,
  ],
  'lock: of another process is none': [
    'host/server/lockFile.ts',
    'if (unlock === undefined) throw',
    'if (unlock === null) throw',
    ['test/server/lockFile.test.ts'],
  ],
  'lock: of a file that was removed counts': [
    'host/server/lockFile.ts',
    'if (isAt(path, fd))',
    'if (isAt(path, fd) || true)',
    ['test/server/lockFile.test.ts'],
  ],
  'check: of the length of a store left out': [
    'host/storage/lmdbFile.ts',
    'if (size >= needed) return undefined;',
    'if (size >= 0) return undefined;',
    ['test/storage/cutOff.test.ts'],
  ],
  'check: every row is sound': [
    'host/storage/rowChecksums.ts',
    'if (!isSound) throw',
    'if (!isSound && end < 0) throw',
    ['test/storage/rowChecksums.test.ts'],
  ],
  'check: a newer store is opened': [
    'host/metadata/indexLifecycle.ts',
    'if (format > STORE_FORMAT)',
    'if (format > STORE_FORMAT + 1)',
    ['test/index/recovery.test.ts'],
  ],
  'breaker: of requests never trips': [
    'host/limits/breakers.ts',
    'if (breaker.limit >= 0 && (breaker.used + bytes)',
    'if (breaker.limit >= 1e15 && (breaker.used + bytes)',
    ['test/rest/limits.test.ts', 'test/server/limits.test.ts'],
  ],
  'breaker: of all together never trips': [
    'host/limits/breakers.ts',
    'if (this.#parent.limit >= 0 && all > this.#parent.limit)',
    'if (this.#parent.limit >= 1e15 && all > this.#parent.limit)',
    ['test/rest/limits.test.ts', 'test/server/limits.test.ts'],
  ],
  'breaker: unpacked bodies uncounted': [
    'host/server/unpacking.ts',
    "if (sent.held !== undefined) breakers?.grow('request', sent.held, piece.length, LABEL);",
    '',
    ['test/server/limits.test.ts', 'test/memory-limits'],
  ],
  'breaker: parsed bodies uncounted': [
    'host/server/http.ts',
    "if (held !== undefined) breakers?.grow('request', held, bytes, PARSED);",
    'void bytes;',
    ['test/server/limits.test.ts', 'test/memory-limits'],
  ],
  'deadline: never over': [
    'host/workLimit.ts',
    'return clockNow() >= this.deadline;',
    'return false;',
    ['test/work'],
  ],
  'deadline: work of who has gone goes on': [
    'host/workLimit.ts',
    'return this.#wanted.gone;',
    'return false;',
    ['test/work', 'test/server/limits.test.ts'],
  ],
  'guard: lets all through': [
    'host/rest/guard.ts',
    'const level = levelOf(privilege, principal);',
    "const level = levelOf(privilege, principal) ?? 'all';",
    ['test/access'],
  ],
  'guard: shows whom it lets in everything': [
    'host/rest/guard.ts',
    "level === 'all' ? engine",
    'level ? engine',
    ['test/access'],
  ],
  "door: every name is the host's": [
    'host/server/http.ts',
    'if (!names.allows(host))',
    'if (!names.allows(host) && false)',
    ['test/server/doors.test.ts'],
  ],
  'door: every origin is let in': [
    'host/server/http.ts',
    'if (!cors.admits(origin, host))',
    'if (!cors.admits(origin, host) && false)',
    ['test/server/doors.test.ts'],
  ],
};

const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const chosen = Object.entries(MUTANTS).filter(([name]) => words.every((word) => name.includes(word)));
if (process.argv.includes('--list')) for (const [name] of chosen) console.log(name);
else process.exitCode = run() ? 0 : 1;

/** Whether every mutant is noticed. */
function run() {
  const folder = mkdtempSync(join(tmpdir(), 'resilin-mutants-'));
  try {
    copyTree(folder);
    const sound = new Set();
    const survivors = [];
    for (const [name, [file, from, to, tests]] of chosen) {
      const key = tests.join(' ');
      if (!sound.has(key) && !passes(folder, tests)) {
        survivors.push(`${name}: its tests fail without it`);
        continue;
      }
      sound.add(key);
      const path = join(folder, file);
      const text = readFileSync(path, 'utf8');
      if (text.split(from).length !== 2) {
        survivors.push(`${name}: ${file} hasn't its text once`);
        continue;
      }
      writeFileSync(
        path,
        text.replace(from, () => to),
      );
      const survived = passes(folder, tests);
      writeFileSync(path, text);
      console.log(`${survived ? 'SURVIVED' : 'noticed '}  ${name}`);
      if (survived) survivors.push(`${name}: not noticed by ${key}`);
    }
    console.log(`${chosen.length - survivors.length} of ${chosen.length} noticed`);
    for (const survivor of survivors) console.log(survivor);
    return survivors.length === 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What git knows of the tree, as it is now. */
function copyTree(folder) {
  const git = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', git, { cwd: ROOT, maxBuffer: 1 << 26 })
    .toString()
    .split('\0')
    .filter(
      (file) =>
        /^(assembly|host|test|scripts)\/|^[^/]+\.(json|ts)$/.test(file) && existsSync(join(ROOT, file)),
    );
  for (const file of files) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    cpSync(join(ROOT, file), join(folder, file));
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
}

function passes(folder, tests) {
  const vitest = join('node_modules', 'vitest', 'vitest.mjs');
  // A mutant is noticed by the first test that fails.
  const { status } = spawnSync(process.execPath, [vitest, 'run', '--bail', '1', ...tests], {
    cwd: folder,
    stdio: process.env.RESILIN_MUTANTS_SHOW ? 'inherit' : 'ignore',
  });
  return status === 0;
}
