import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DataFolderError, openData } from '../../host/server/dataFolder.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'resilin-folder-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const problem = async (path: string) => {
  const error = await openData(path).then(
    () => undefined,
    (e: unknown) => e,
  );
  expect(error).toBeInstanceOf(DataFolderError);
  return (error as Error).message;
};

describe('a data folder', () => {
  it('is made with the folders above it, used, and let go of', async () => {
    const path = join(folder, 'some/where');
    const { storage, release } = await openData(path);
    await storage.commit([[new Uint8Array([1]), new Uint8Array([2])]], []);
    expect(await problem(path)).toContain(`in use by process ${process.pid}`);
    await storage.close();
    release();
    expect(existsSync(join(path, 'resilin.lock'))).toBe(false);
    const again = await openData(path);
    expect([...again.storage.get(new Uint8Array([1]))!]).toEqual([2]);
    await again.storage.close();
    again.release();
  });

  it('that can be none is refused at once, and says why', async () => {
    writeFileSync(join(folder, 'file'), '');
    symlinkSync(join(folder, 'nowhere/x'), join(folder, 'dangling'));
    symlinkSync('loop', join(folder, 'loop'));
    expect(await problem(join(folder, 'file'))).toContain('is not a folder');
    expect(await problem(join(folder, 'file/x'))).toContain('ENOTDIR');
    expect(await problem(join(folder, 'dangling'))).toContain("can't be written");
    expect(await problem(join(folder, 'loop'))).toContain('ELOOP');
    expect(await problem(join(folder, 'x'.repeat(300)))).toContain('ENAMETOOLONG');
    expect(await problem('/dev/null/x')).toContain("can't be written");
  });

  it.runIf(existsSync('/proc/self'))('below /proc is refused at once too', async () => {
    expect(await problem('/proc/nowhere/data')).toContain("can't be written");
    expect(await problem('/proc')).toContain("can't be written");
  });

  it('with something else in it is refused, and left alone', async () => {
    for (const name of ['store', 'segments']) {
      const path = join(folder, `with-${name}`);
      mkdirSync(path);
      writeFileSync(join(path, name), 'mine');
      expect(await problem(path)).toContain("can't be used");
      expect(existsSync(join(path, 'resilin.lock'))).toBe(false);
    }
    const path = join(folder, 'no-store');
    mkdirSync(join(path, 'store'), { recursive: true });
    writeFileSync(join(path, 'store/data.mdb'), 'this was never a store, whatever its name says');
    expect(await problem(path)).toContain('it is no LMDB file');
  });
});
