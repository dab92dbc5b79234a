/**
 * How far an import has come, in a file that is replaced as a whole: where the first document stands that may not be stored, and where the
 * last one may stand that was sent. What lies between is sent again, with the same ids.
 */
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { LockFile } from '../../server/lockFile.js';
import { syncPathSync } from '../../storage/folders.js';
import { UsageError } from '../flags.js';
import { BEGINNING, type Place } from '../remote/place.js';
import type { Identity } from './input.js';

const FORMAT = 1;

/** What an import must have in common with the one that it goes on with. */
export interface ImportIdentity {
  /** What it is sent to, index and type. */
  target: string;
  /** How files are read, as a text. */
  reading: string;
  files: readonly (Identity & { name: string })[];
}

/** How far it has come. */
export interface ImportState extends ImportIdentity {
  /** What made ids begin with. */
  prefix: string;
  /** All before it is stored or refused. */
  place: Place;
  /** Nothing behind it was sent. */
  reach: Place;
  isDone: boolean;
}

/** An import that has not begun. */
export function newState(identity: ImportIdentity, prefix: string): ImportState {
  return { ...identity, prefix, place: BEGINNING, reach: BEGINNING, isDone: false };
}

/** The state in a file; undefined where there is none. Throws {@link UsageError} if it is that of another import. */
export function readState(path: string, identity: ImportIdentity): ImportState | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (e) {
    if ((e as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new UsageError(`${path} can't be read: ${(e as Error).message}`);
  }
  let state: ImportState & { format: number };
  try {
    state = JSON.parse(text);
  } catch {
    throw new UsageError(`${path} is no file of --resume`);
  }
  if (state?.format !== FORMAT) throw new UsageError(`${path} is no file of --resume`);
  const differs = differenceOf(state, identity);
  if (differs !== undefined)
    throw new UsageError(`${path} is of another import: ${differs}. To begin anew, delete it`);
  return state;
}

/**
 * Keeps other imports from going on with the same file until it is released. Throws {@link UsageError} where one does. Undefined where the package
 * isn't installed that has the kernel's locks: documents can be sent to a server without it.
 */
export async function lockState(path: string): Promise<LockFile | undefined> {
  const { LockFile, LockTaken } = await import('../../server/lockFile.js');
  try {
    return LockFile.take(`${path}.lock`);
  } catch (e) {
    if (e instanceof LockTaken)
      throw new UsageError(`${path} is that of an import that goes on now, by ${e.owner}`);
    const { code, message } = e as NodeJS.ErrnoException;
    if (code === 'MODULE_NOT_FOUND') {
      rmSync(`${path}.lock`, { force: true });
      return undefined;
    }
    throw new UsageError(`${path} can't be written: ${message}`);
  }
}

/** Replaces the file, durably. */
export function writeState(path: string, state: ImportState): void {
  const aside = `${path}.part`;
  const fd = openSync(aside, 'w', 0o600);
  try {
    writeFileSync(fd, `${JSON.stringify({ format: FORMAT, ...state }, null, 2)}\n`);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(aside, path);
  syncPathSync(dirname(path));
}

function differenceOf(state: ImportState, { target, reading, files }: ImportIdentity): string | undefined {
  if (state.reading !== reading) return `it reads with ${state.reading}, not with ${reading}`;
  if (state.target !== target) return `it goes to ${state.target}, not to ${target}`;
  const names = (list: readonly { name: string }[]) => list.map(({ name }) => name).join(', ');
  if (names(state.files) !== names(files)) return `it reads ${names(state.files)}`;
  const changed = files.find(
    ({ bytes, modifiedMs }, i) =>
      state.files[i]!.bytes !== bytes || state.files[i]!.modifiedMs !== modifiedMs,
  );
  return changed === undefined ? undefined : `${changed.name} has changed since`;
}
