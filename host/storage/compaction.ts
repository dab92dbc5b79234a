/**
 * Gives the disk space of deleted rows back. LMDB uses pages again but never shrinks its file; a copy of what lives takes
 * the file's place at a start, when that is worth it.
 */
import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import { join } from 'node:path';
import { open } from 'lmdb';
import { pagesOf } from './lmdbPages.js';
import { diskOf } from './freeDisk.js';

const WORTH_BYTES = 32 * 1024 * 1024;
const FILE = 'data.mdb';
const ASIDE = 'compacted';

/**
 * Copies the store in `folder`, which nobody has open, if more than half of it is free; says how many bytes came back.
 * @param worth for less free bytes than this nothing is done
 */
export async function compactStore(folder: string, worth = WORTH_BYTES): Promise<number> {
  const file = join(folder, FILE);
  const aside = join(folder, ASIDE);
  rmSync(aside, { recursive: true, force: true });
  const before = sizeOf(file);
  if (before < 2 * worth) return 0;
  const db = open({ path: folder, readOnly: true, encoding: 'binary', keyEncoding: 'binary' });
  try {
    const { live, free } = pagesOf(db);
    if (free < worth || free < live || diskOf(folder).free < 2 * live) return 0;
    mkdirSync(aside);
    await db.backup(aside, true);
  } finally {
    await db.close();
  }
  await sync(join(aside, FILE));
  renameSync(join(aside, FILE), file);
  await sync(folder);
  rmSync(aside, { recursive: true, force: true });
  return before - sizeOf(file);
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

async function sync(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await openFile(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
