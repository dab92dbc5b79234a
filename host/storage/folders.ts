/**
 * Folders whose names are durable. A sync of a file makes its bytes durable, but not its name: that takes a sync of the folder it is in, and
 * the same holds for this folder. Some file systems do more, none has to.
 */
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { mkdir, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Makes a file or a folder durable. */
export async function syncPath(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The same, at once. */
export function syncPathSync(path: string): void {
  if (process.platform === 'win32') return;
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Makes a folder and those above it that are missing; where it is there, its name may be that of a process that ended before it was durable. */
export async function makeFolder(path: string): Promise<void> {
  const missing: string[] = [];
  // Node's own `recursive` never returns where the system makes none, as below /proc.
  for (let at = path; !(await isThere(at)); at = dirname(at)) missing.push(at);
  await syncAbove(missing.at(-1) === undefined ? path : dirname(missing.at(-1)!));
  while (missing.length > 0) {
    const made = missing.pop()!;
    await mkdir(made).catch((e) => {
      // Somebody else was faster.
      if (codeOf(e) !== 'EEXIST') throw e;
    });
    await syncAbove(made);
  }
  if (!(await stat(path)).isDirectory()) throw new Error('it is not a folder');
}

/** Syncs the folder that one is in; not one that this process may not open, or whose file system can't: it has not made ours. */
async function syncAbove(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(dirname(path), 'r').catch(() => undefined);
  try {
    await handle?.sync();
  } catch (e) {
    if (codeOf(e) !== 'EINVAL') throw e;
  } finally {
    await handle?.close();
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (e) {
    if (codeOf(e) === 'ENOENT' && path !== dirname(path)) return false;
    throw e;
  }
}

function codeOf(e: unknown): string | undefined {
  return (e as NodeJS.ErrnoException).code;
}
