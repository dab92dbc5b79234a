/**
 * Files that say that something is in use: a data folder, the state of an import. Their lock is one of the kernel's, which ends with the process
 * that has it, however that ends, and which containers that share a volume see alike. Process numbers tell nothing there: each container
 * counts its own.
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
import { tryLock } from './fileLock.js';

/** Another process has the lock. */
export class LockTaken extends Error {
  override readonly name = 'LockTaken';
  /** Which one, as far as it has told. */
  readonly owner: string;

  constructor(owner: string) {
    super(`in use by ${owner}`);
    this.owner = owner;
  }
}

/** A file that this process alone has until it is released, which removes it. */
export class LockFile {
  readonly #path: string;
  #fd: number | undefined;
  readonly #unlock: () => void;

  private constructor(path: string, fd: number, unlock: () => void) {
    this.#path = path;
    this.#fd = fd;
    this.#unlock = unlock;
  }

  /** Makes the file in a folder that is there; throws {@link LockTaken}, or the system's error where it can't be opened or locked. */
  static take(path: string): LockFile {
    for (;;) {
      const fd = openSync(path, 'a+');
      let unlock: (() => void) | undefined;
      try {
        unlock = tryLock(path, fd);
        if (unlock === undefined) throw new LockTaken(ownerIn(path));
        // Who had it before may have removed the file between the two calls: then this lock is on a file that nobody else will see.
        if (isAt(path, fd)) {
          ftruncateSync(fd);
          writeSync(fd, JSON.stringify({ pid: process.pid, host: hostname() } satisfies Owner));
          return new LockFile(path, fd, unlock);
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

  /** Lets others have it; more than once does nothing. */
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
