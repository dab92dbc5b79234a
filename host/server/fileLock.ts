/** The kernel's lock on a file, by what the runtime has for that. */
import { createRequire } from 'node:module';

interface DenoFile {
  tryLockSync(exclusive: boolean): boolean;
  close(): void;
}
interface DenoRuntime {
  openSync(path: string, options: { read: boolean; write: boolean }): DenoFile;
}

/** Deno has such locks of its own, and can't load the package that Node and Bun have them from. */
const deno = (globalThis as { Deno?: DenoRuntime }).Deno;

/** The package that has the locks, where the runtime has none. */
export const LOCK_PACKAGE: string | undefined = deno === undefined ? 'fs-native-extensions' : undefined;

/**
 * Locks an open file, which stays locked until what is returned is called and the file is closed; undefined where another process has it
 * locked. Locks of Node and of Deno don't see each other on Linux, where these are two kinds.
 * @param path where the file is
 */
export function tryLock(path: string, fd: number): (() => void) | undefined {
  if (deno !== undefined) {
    const file = deno.openSync(path, { read: true, write: true });
    if (file.tryLockSync(true)) return () => file.close();
    file.close();
    return undefined;
  }
  const locks = createRequire(import.meta.url)(LOCK_PACKAGE!) as typeof import('fs-native-extensions');
  return locks.tryLock(fd) ? () => {} : undefined;
}
