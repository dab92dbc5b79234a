/**
 * The lock of a data folder: one of the kernel's, which ends with the process that has it, however that ends, and which containers that
 * share a volume see alike. Process numbers tell nothing there: each container counts its own.
 */
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { tryLock } from './fileLock.js';

const NAME = 'resilin.lock';

/** Another process has the folder. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse';
  /** Which one, as far as it has told. */
  readonly owner: string;

  constructor(owner: string) {
    super(`in use by ${owner}`);
    this.owner = owner;
  }
}

/** A folder that this process alone uses until it is released. */
export class FolderLock {
  readonly #path: string;
  #fd: number | undefined;
  readonly #unlock: () => void;

  private constructor(path: string, fd: number, unlock: () => void) {
    this.#path = path;
    this.#fd = fd;
    this.#unlock = unlock;
  }

  /** Takes a folder that is there; throws {@link FolderInUse}, or the system's error where its file can't be opened or locked. */
  static take(folder: string): FolderLock {
    const path = join(folder, NAME);
    for (;;) {
      const fd = openSync(path, 'a+');
      let unlock: (() => void) | undefined;
      try {
        unlock = tryLock(path, fd);
        if (unlock === undefined) throw new FolderInUse(ownerIn(path));
        // Who had it before may have removed the file between the two calls: then this lock is on a file that nobody else will see.
        if (isAt(path, fd)) {
          ftruncateSync(fd);
          writeSync(fd, JSON.stringify({ pid: process.pid, host: hostname() } satisfies Owner));
          return new FolderLock(path, fd, unlock);
        }
      } catch (e) {
        unlock?.();
        closeSync(fd);
        throw e;
      }
      unlock();
      closeSync(fd);
    }
  }

  /** Lets others have the folder; more than once does nothing. */
  release(): void {
    if (this.#fd === undefined) return;
    try {
      unlinkSync(this.#path);
    } catch {
      // The folder may be gone, and with it the file.
    }
    this.#unlock();
    closeSync(this.#fd);
    this.#fd = undefined;
  }
}

interface Owner {
  pid: number;
  host: string;
}

function isAt(path: string, fd: number): boolean {
  const own = fstatSync(fd);
  const there = statSync(path, { throwIfNoEntry: false });
  return there !== undefined && there.ino === own.ino && there.dev === own.dev;
}

function ownerIn(path: string): string {
  try {
    const { pid, host } = JSON.parse(readFileSync(path, 'utf8')) as Owner;
    return host === hostname() ? `process ${pid}` : `process ${pid} of ${host}`;
  } catch {
    return 'another process';
  }
}
