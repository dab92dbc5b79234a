/** The library that makes system calls of a process fail or tells of them: faults.c says how. */
import { execFileSync, spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';

const COMPILER = ['cc', 'gcc'].find((name) => spawnSync(name, ['--version']).status === 0);

/** Whether there is one here: it takes Linux and a C compiler. */
export const hasFaults = COMPILER !== undefined && process.platform === 'linux';

/** Makes it in a folder; returns its path. */
export function makeFaults(folder: string): string {
  const library = join(folder, 'faults.so');
  execFileSync(COMPILER!, ['-shared', '-fPIC', '-o', library, join(import.meta.dirname, 'faults.c'), '-ldl']);
  return library;
}

/** Makes the library that tells of changes: changes.c says how. */
export function makeChanges(folder: string): string {
  const library = join(folder, 'changes.so');
  // Where tests and commands are run is the project's folder.
  const source = resolve('test/support/faults/changes.c');
  execFileSync(COMPILER!, ['-shared', '-fPIC', '-o', library, source, '-ldl', '-lpthread']);
  return library;
}
