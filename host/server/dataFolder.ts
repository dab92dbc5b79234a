/** The data folder: one process at a time, LMDB in `store`, segment images in `segments`. */
import { totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import type { KeptData } from '../library/platform.js';
import { MemoryLocations, type RepositoryLocations } from '../snapshot/locations.js';
import { compactStore } from '../storage/compaction.js';
import { FileBlobs } from '../storage/files.js';
import { makeFolder } from '../storage/folders.js';
import { type DiskStats, diskOf, FreeDisk } from '../storage/freeDisk.js';
import type { Storage } from '../storage/storage.js';
import { checkStore, LmdbStorage } from '../storage/lmdb.js';
import { MemoryBlobs, MemoryRoom, MemoryStorage } from '../storage/memory.js';
import { folderBytes } from './folderSize.js';
import { LockFile, LockTaken } from './lockFile.js';
import { RepositoryFolders } from './repositoryFolders.js';
import { S3Repositories } from './s3/s3Repositories.js';
import { UrlRepositories } from './urlRepositories.js';

/** The name that keeps nothing. */
export const IN_MEMORY = ':memory:';

/** What went wrong with the folder, in words for whoever started the server. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError';
}

/** Storage that is open, and where snapshots may be kept; `release` lets another process have the folder. */
export type OpenData = Required<KeptData>;

/** What `:memory:` may take: shares of the heap and of the machine's memory. */
const HEAP_SHARE = 0.4;
const OUTSIDE_SHARE = 0.5;

/**
 * Opens a data folder, or memory for `:memory:`.
 * @param repositories folders that snapshots may be kept in; without any, one in the data folder
 * @param elsewhere where else they may be: buckets, and addresses that are read; nowhere without
 */
export async function openData(
  folder: string,
  repositories: readonly string[] = [],
  elsewhere: { buckets?: readonly string[] | undefined; urls?: readonly string[] | undefined } = {},
): Promise<OpenData> {
  const s3 = new S3Repositories(elsewhere.buckets ?? []);
  const urls = new UrlRepositories(elsewhere.urls ?? []);
  if (folder === IN_MEMORY) {
    const { heap_size_limit: heap } = getHeapStatistics();
    const room = new MemoryRoom({ heap: heap * HEAP_SHARE, outside: physicalMemory() * OUTSIDE_SHARE });
    return {
      storage: new MemoryStorage(room),
      blobs: new MemoryBlobs(room),
      places: locations(
        repositories.length === 0 ? new MemoryLocations() : new RepositoryFolders(repositories),
        s3,
        urls,
      ),
      release: () => {},
    };
  }
  const path = resolve(folder);
  const lock = await lockFolder(path);
  const release = () => lock.release();
  try {
    const blobs = await FileBlobs.open(segmentsFolder(folder), new FreeDisk(() => diskOf(path)));
    const store = storeFolder(folder);
    checkStore(store);
    await compactStore(store);
    const folders = repositories.length === 0 ? [join(path, 'repositories')] : repositories;
    const places = locations(new RepositoryFolders(folders), s3, urls);
    const storage: LmdbStorage = new LmdbStorage(store, new FreeDisk(() => roomOf(path, storage)));
    return { storage, blobs, places, release };
  } catch (e) {
    release();
    throw new DataFolderError(`the data folder ${path} can't be used: ${text(e)}`);
  }
}

function locations(
  folders: RepositoryLocations,
  s3: S3Repositories,
  urls: UrlRepositories,
): RepositoryLocations {
  return {
    open: (location) => folders.open(location),
    openBucket: (settings) => s3.open(settings),
    openUrl: (url) => urls.open(url),
  };
}

/** Where a data folder has its store. */
export function storeFolder(folder: string): string {
  return join(resolve(folder), 'store');
}

/** Bytes that the documents and segments of a data folder take of its disk. */
export function dataBytes(folder: string): number {
  return folderBytes(storeFolder(folder)) + folderBytes(segmentsFolder(folder));
}

function segmentsFolder(folder: string): string {
  return join(resolve(folder), 'segments');
}

/** Where a folder says that it is in use. */
export function lockPath(folder: string): string {
  return join(resolve(folder), 'resilin.lock');
}

/** Bytes that the process may have, as the machine or its container says. */
function physicalMemory(): number {
  // Node before 20.13 can't tell; without a bound it is 0, or more than there is.
  const bound = process.constrainedMemory?.() ?? 0;
  return bound > 0 ? Math.min(bound, totalmem()) : totalmem();
}

/** The disk of a data folder, with the room that its store has in its own file; undefined for one in memory, and where the disk can't be asked. */
export function diskRoom(folder: string, storage: Storage): DiskStats | undefined {
  if (!(storage instanceof LmdbStorage)) return undefined;
  try {
    return roomOf(resolve(folder), storage);
  } catch {
    return undefined;
  }
}

/** What the store may still write: on a full disk, what was deleted leaves room in its own file. */
function roomOf(path: string, { reusableBytes }: LmdbStorage): DiskStats {
  const { total, free } = diskOf(path);
  return { total, free: free + reusableBytes };
}

/** Makes the folder and takes it for this process. */
async function lockFolder(path: string): Promise<LockFile> {
  try {
    await makeFolder(path);
    return LockFile.take(lockPath(path));
  } catch (e) {
    if (e instanceof LockTaken)
      throw new DataFolderError(
        `the data folder ${path} is in use by ${e.owner}; stop it, or choose another folder`,
      );
    throw new DataFolderError(`the data folder ${path} can't be written: ${text(e)}`);
  }
}

function text(e: unknown): string {
  return e instanceof Error ? e.message : String(e);
}
