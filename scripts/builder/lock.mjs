import { closeSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';

/**
 * Does something while holding a file's lock, which the kernel frees when its holder ends. Where there are no such locks, it is done at
 * once: what is built twice is only built in vain, as results are written aside and renamed.
 */
export async function locked(file, work) {
  mkdirSync(path.dirname(file), { recursive: true });
  const fd = openSync(file, 'a');
  try {
    const locks = await import('fs-native-extensions').catch(() => undefined);
    await locks?.default.waitForLock(fd);
    return await work();
  } finally {
    closeSync(fd);
  }
}
