/** The data folder: one process at a time, LMDB in `store`, segment images in `segments`. */
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { compactStore } from '../storage/compaction.js';
import { FileBlobs } from '../storage/files.js';
import { MemoryPlaces, type Places } from '../snapshot/places.js';
import { checkStore, LmdbStorage } from '../storage/lmdb.js';
import { diskOf, Room } from '../storage/room.js';
import { MemoryBlobs, MemoryStorage } from '../storage/memory.js';
import type { Blobs, Storage } from '../storage/storage.js';
import { RepositoryFolders } from './repositoryFolders.js';

/** The name that keeps nothing. */
export const IN_MEMORY = ':memory:';
const LOCK = 'resilin.lock';

/** What went wrong with the folder, in words for whoever started the server. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError';
}

/** Storage that is open; `release` lets another process have the folder. */
export interface OpenData {
  storage: Storage;
  blobs: Blobs;
  /** Where snapshots may be kept. */
  places: Places;
  release(): void;
}

/**
 * Opens a data folder, or memory for `:memory:`.
 * @param repositories folders that snapshots may be kept in; without any, one in the data folder
 */
export async function openData(folder: string, repositories: readonly string[] = []): Promise<OpenData> {
  if (folder === IN_MEMORY)
    return {
      storage: new MemoryStorage(),
      blobs: new MemoryBlobs(),
      places: repositories.length === 0 ? new MemoryPlaces() : new RepositoryFolders(repositories),
      release: () => {},
    };
  const path = resolve(folder);
  const release = lock(path);
  try {
    const room = new Room(() => diskOf(path));
    const blobs = await FileBlobs.open(join(path, 'segments'), room);
    const store = join(path, 'store');
    checkStore(store);
    await compactStore(store);
    const places = new RepositoryFolders(
      repositories.length === 0 ? [join(path, 'repositories')] : repositories,
    );
    return { storage: new LmdbStorage(store, room), blobs, places, release };
  } catch (e) {
    release();
    throw new DataFolderError(`the data folder ${path} can't be used: ${text(e)}`);
  }
}

interface Owner {
  pid: number;
  boot: string;
}

function lock(path: string): () => void {
  const file = join(path, LOCK);
  try {
    makeFolder(path);
    for (let attempt = 0; ; attempt++) {
      try {
        const fd = openSync(file, 'wx');
        writeSync(fd, JSON.stringify({ pid: process.pid, boot: bootId() } satisfies Owner));
        closeSync(fd);
        break;
      } catch (e) {
        if ((e as NodeJS.ErrnoException).code !== 'EEXIST' || attempt > 2) throw e;
        const owner = readOwner(file);
        if (owner !== undefined && isAlive(owner, file)) {
          throw new DataFolderError(
            `the data folder ${path} is in use by process ${owner.pid}; stop it, or choose another folder with --data`,
          );
        }
        rmSync(file, { force: true });
      }
    }
  } catch (e) {
    if (e instanceof DataFolderError) throw e;
    throw new DataFolderError(`the data folder ${path} can't be written: ${text(e)}`);
  }
  held.add(file);
  return () => {
    held.delete(file);
    rmSync(file, { force: true });
  };
}

/** Makes a folder and those above it. Node's own `recursive` never returns where the system makes none, as below /proc. */
function makeFolder(path: string): void {
  const missing: string[] = [];
  for (let at = path; !exists(at); at = dirname(at)) missing.push(at);
  while (missing.length > 0) mkdirSync(missing.pop()!);
  if (!statSync(path).isDirectory()) throw new Error('it is not a folder');
}

function exists(path: string): boolean {
  try {
    statSync(path);
    return true;
  } catch (e) {
    if ((e as NodeJS.ErrnoException).code === 'ENOENT' && path !== dirname(path)) return false;
    throw e;
  }
}

/** Locks of this very process. */
const held = new Set<string>();

function readOwner(file: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Owner;
  } catch {
    return undefined;
  }
}

/** A process of an earlier boot is gone, whoever has its number now. */
function isAlive({ pid, boot }: Owner, file: string): boolean {
  if (boot !== bootId()) return false;
  if (pid === process.pid) return held.has(file);
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (e) {
    return (e as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Killed, but nobody has asked yet how it ended: it holds nothing any more. */
function isZombie(pid: number): boolean {
  try {
    return /^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

function text(e: unknown): string {
  return e instanceof Error ? e.message : String(e);
}
