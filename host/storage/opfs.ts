/**
 * What a browser's worker keeps in files of its origin (OPFS): a journal of rows, and a file for each blob. What was written through a sync
 * access handle is on the disk when its `flush` returns.
 */
import { errorOf, FileJournal, type SyncFile, write } from './fileJournal.js';
import type { Journal } from './journal.js';
import type { Blobs } from './storage.js';

/** How often a file that is taken is tried again, and after how many milliseconds each time. */
const MOST_TRIES = 40;
const TRY_MS = 50;

/** What types of pages don't have. */
interface FileHandle extends FileSystemFileHandle {
  createSyncAccessHandle(): Promise<SyncFile>;
}

/** Whether there are files that are written at once: in dedicated workers alone. */
export function hasSyncFiles(): boolean {
  return (
    typeof FileSystemFileHandle !== 'undefined' && 'createSyncAccessHandle' in FileSystemFileHandle.prototype
  );
}

/** Opens or makes a store of the origin. */
export async function openOpfs(name: string): Promise<{ journal: Journal; blobs: Blobs }> {
  const root = await navigator.storage.getDirectory();
  // Names of folders have no slashes, and some have a meaning.
  const store = await (await root.getDirectoryHandle('resilin', { create: true })).getDirectoryHandle(
    `${encodeURIComponent(name)}.store`,
    { create: true },
  );
  const blobs = new OpfsBlobs(await store.getDirectoryHandle('segments', { create: true }));
  const first = await openFile(store, '0.journal');
  try {
    return { journal: new FileJournal([first, await openFile(store, '1.journal')]), blobs };
  } catch (e) {
    first.close();
    throw e;
  }
}

/** Opens or makes a file, which a worker that has just ended may have for a moment still. */
async function openFile(folder: FileSystemDirectoryHandle, name: string): Promise<SyncFile> {
  const handle = await folder.getFileHandle(name, { create: true });
  for (let tries = MOST_TRIES; ; tries--) {
    try {
      return await (handle as FileHandle).createSyncAccessHandle();
    } catch (e) {
      const isTaken = e instanceof DOMException && e.name === 'NoModificationAllowedError';
      if (!isTaken || tries === 0) throw e;
    }
    await new Promise((resolve) => setTimeout(resolve, TRY_MS));
  }
}

/** {@link Blobs} as files of a folder. */
class OpfsBlobs implements Blobs {
  readonly #folder: FileSystemDirectoryHandle;

  constructor(folder: FileSystemDirectoryHandle) {
    this.#folder = folder;
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    const file = await openFile(this.#folder, name);
    try {
      file.truncate(0);
      write(file, bytes, 0);
      file.flush();
    } catch (e) {
      throw errorOf(e);
    } finally {
      file.close();
    }
  }

  async get(name: string): Promise<Uint8Array | undefined> {
    try {
      const file = await (await this.#folder.getFileHandle(name)).getFile();
      return new Uint8Array(await file.arrayBuffer());
    } catch (e) {
      if (isMissing(e)) return undefined;
      throw e;
    }
  }

  async delete(name: string): Promise<void> {
    await this.#folder.removeEntry(name).catch((e) => {
      if (!isMissing(e)) throw e;
    });
  }

  async list(): Promise<string[]> {
    const names: string[] = [];
    for await (const name of this.#folder.keys()) names.push(name);
    return names;
  }
}

function isMissing(e: unknown): boolean {
  return e instanceof DOMException && e.name === 'NotFoundError';
}
