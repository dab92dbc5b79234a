import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LockFile, LockTaken } from '../../host/server/lockFile.js';

/** What happens between a file's being opened and locked. */
const between = await vi.hoisted(async () => {
  const { createRequire } = await import('node:module');
  const addon: typeof import('fs-native-extensions') = createRequire(import.meta.url)('fs-native-extensions');
  const { tryLock } = addon;
  const hook = { happens: () => {} };
  // Before the host is loaded, which takes the function from the addon then.
  addon.tryLock = (fd) => {
    hook.happens();
    return tryLock(fd);
  };
  return hook;
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'resilin-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const refused = (): LockTaken => {
  try {
    LockFile.take(join(folder, 'resilin.lock')).release();
  } catch (e) {
    if (e instanceof LockTaken) return e;
    throw e;
  }
  throw new Error('the folder could be taken');
};

/** Another process that has locked the folder's file as a server does; `text` is what it has written into it. */
async function lockElsewhere(text: string): Promise<ChildProcess> {
  const addon = createRequire(import.meta.url).resolve('fs-native-extensions');
  const program = `
    const fs = require('node:fs');
    const fd = fs.openSync(process.argv[1], 'a+');
    if (!require(${JSON.stringify(addon)}).tryLock(fd)) process.exit(3);
    fs.ftruncateSync(fd);
    fs.writeSync(fd, process.argv[2]);
    process.stdout.write('locked');
    process.stdin.resume();`;
  const child = spawn(process.execPath, ['-e', program, join(folder, 'resilin.lock'), text]);
  await once(child.stdout, 'data');
  return child;
}

it('one has the folder at a time, in one process as well', () => {
  const lock = LockFile.take(join(folder, 'resilin.lock'));
  expect(refused().owner).toBe(`process ${process.pid}`);
  lock.release();
  lock.release();
  expect(existsSync(join(folder, 'resilin.lock'))).toBe(false);
  LockFile.take(join(folder, 'resilin.lock')).release();
});

it('a file that a process left behind, whatever is in it, keeps nobody out', () => {
  // The number of a process that is there: of a container, or used again.
  for (const left of ['', 'nonsense', JSON.stringify({ pid: process.ppid, host: 'a', boot: 'b' })]) {
    writeFileSync(join(folder, 'resilin.lock'), left);
    const lock = LockFile.take(join(folder, 'resilin.lock'));
    expect(JSON.parse(readFileSync(join(folder, 'resilin.lock'), 'utf8'))).toMatchObject({
      pid: process.pid,
    });
    lock.release();
  }
});

it('another process has it until it ends, even by kill -9', async () => {
  const child = await lockElsewhere('{"pid":1,"host":"elsewhere"}');
  expect(refused().owner).toBe('process 1 of elsewhere');
  child.kill('SIGKILL');
  await once(child, 'exit');
  LockFile.take(join(folder, 'resilin.lock')).release();
});

it('a file that is removed before it is locked is opened again', () => {
  let removed = false;
  between.happens = () => {
    between.happens = () => {};
    unlinkSync(join(folder, 'resilin.lock'));
    removed = true;
  };
  const lock = LockFile.take(join(folder, 'resilin.lock'));
  expect(removed).toBe(true);
  expect(refused().owner).toBe(`process ${process.pid}`);
  lock.release();
});

it('a lock on a file that was removed is none', async () => {
  const child = await lockElsewhere('');
  unlinkSync(join(folder, 'resilin.lock'));
  const lock = LockFile.take(join(folder, 'resilin.lock'));
  expect(refused().owner).toBe(`process ${process.pid}`);
  lock.release();
  child.kill('SIGKILL');
  await once(child, 'exit');
});
