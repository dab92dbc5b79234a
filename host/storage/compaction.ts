/**
 * Gives the disk space of deleted rows back. LMDB uses pages again but never shrinks its file; a copy of what lives takes
 * the file's place at a start, when that is worth it.
 */
import { existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { open } from 'lmdb';
import { pagesOf } from './lmdbPages.js';
import { syncPath } from './folders.js';
import { diskOf } from './freeDisk.js';
import { beginFreeList, removeCopies, removeFolder, STORE_FILE } from './shrinking.js';

const WORTH_BYTES = 32 * 1024 * 1024;
const ASIDE = 'compacted';

/**
 * Copies the store in `folder`, which nobody has open, if more than half of it is free; says how many bytes came back. Where that can't be
 * done the store stays as it was. Throws where the copy has taken the store's place, but perhaps not for good.
 * @param worth for less free bytes than this nothing is done
 */
export async function compactStore(folder: string, worth = WORTH_BYTES): Promise<number> {
  const file = join(folder, STORE_FILE);
  const aside = join(folder, ASIDE);
  removeFolder(aside);
  if (existsSync(folder)) removeCopies(folder);
  const before = sizeOf(file);
  if (before < 2 * worth) return 0;
  const db = open({ path: folder, readOnly: true, encoding: 'binary', keyEncoding: 'binary' });
  try {
    const { live, free } = pagesOf(db);
    if (free < worth || free < live || diskOf(folder).free < 2 * live) return 0;
    mkdirSync(aside);
    await db.backup(aside, true);
    await beginFreeListIn(aside);
    await syncPath(join(aside, STORE_FILE));
    renameSync(join(aside, STORE_FILE), file);
  } catch {
    // As on a full disk: the next start tries again.
    removeFolder(aside);
    return 0;
  } finally {
    await db.close();
  }
  await syncPath(folder);
  removeFolder(aside);
  return before - sizeOf(file);
}

async function beginFreeListIn(folder: string): Promise<void> {
  const copy = open<Uint8Array, Uint8Array>({
    path: folder,
    encoding: 'binary',
    keyEncoding: 'binary',
    overlappingSync: false,
  });
  try {
    await beginFreeList(copy);
  } finally {
    await copy.close();
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
