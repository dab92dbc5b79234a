/**
 * A store's file made smaller while the store is in use. LMDB uses pages again but never shrinks its file, so what lives is copied into
 * another one, which takes its place:
 *
 *     1  a folder beside the store's file, of a name that nobody has used; a copy of what lives in it; commits go on, their keys are noted
 *     2  rows of noted keys are copied again, until few are left
 *     3  while no commit goes on: the last of them, a sync of the copy, its renaming over the store's file, a sync of the folder
 *     4  the store is what was the copy
 *
 * Whenever the process ends, the store's file is one that has every commit: until the renaming the old one, from then on the new one. A
 * folder that is left over is removed at the next start.
 */
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { RootDatabase } from 'lmdb';
import { syncPath } from './folders.js';
import type { Rows } from './rows.js';
import { StoreFailed } from '../storeErrors.js';

/** The file of a store in its folder. */
export const STORE_FILE = 'data.mdb';
/** How folders of copies begin. */
const ASIDE = 'shrunk-';
/** Rows that are left for the time in which no commit goes on. */
const FEW = 1000;
/** Keys that are noted at most; a copy that falls further behind is given up. */
const MOST_NOTED = 500_000;
/** Rows that are copied in one transaction. */
const COPIED_AT_ONCE = 1000;
const latin1 = new TextDecoder('latin1');

/** An open environment. */
export type Environment = RootDatabase<Uint8Array, Uint8Array | number>;

/** Removes what copies have left that were not finished. */
export function removeCopies(folder: string): void {
  for (const name of readdirSync(folder)) if (name.startsWith(ASIDE)) removeFolder(join(folder, name));
}

/** Removes the folder of a copy if that can be done now; the next start tries it again. */
export function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Nothing reads it.
  }
}

/** A key that no row has. */
const MARK = Uint8Array.of(0);

/**
 * Frees a few pages of an environment that has none, as a copy: lmdb 3.5.6 ends the process where a commit writes the first list of them and
 * that list is longer than a page, 250 pages or so.
 */
export async function beginFreeList(
  db: Pick<RootDatabase<Uint8Array, Uint8Array>, 'put' | 'remove'>,
): Promise<void> {
  await db.put(MARK, MARK);
  await db.remove(MARK);
}

/** Copies are numbered: LMDB tells open environments by their paths, and that of a copy stays open. */
let copies = 0;

/** One copy of a store, from its beginning to its taking the store's place. */
export class Shrinking {
  readonly #source: Environment;
  readonly #folder: string;
  readonly #aside: string;
  readonly #open: (folder: string) => Environment;
  readonly #done: Promise<void>;
  #copy: Environment | undefined;
  #noted = new Map<string, Uint8Array>();
  #isGivenUp = false;
  /** Few rows are left: {@link finish} may be called. */
  isReady = false;
  /** Why the copy can't be finished. */
  failure: unknown;

  /**
   * Begins; no commit may be under way.
   * @param ready called when {@link isReady} or {@link failure} has been set
   */
  constructor(source: Environment, folder: string, open: (folder: string) => Environment, ready: () => void) {
    this.#source = source;
    this.#folder = folder;
    this.#open = open;
    this.#aside = join(folder, `${ASIDE}${process.pid}-${++copies}`);
    this.#done = this.#run().then(
      () => {
        this.isReady = !this.#isGivenUp;
        ready();
      },
      (e) => {
        this.failure = e;
        ready();
      },
    );
  }

  /** A commit has changed these rows. */
  note(rows: Rows, deletes: readonly Uint8Array[]): void {
    for (const [key] of rows) this.#note(key);
    for (const key of deletes) this.#note(key);
    if (this.#noted.size > MOST_NOTED) this.#isGivenUp = true;
  }

  #note(key: Uint8Array): void {
    this.#noted.set(latin1.decode(key), key.slice());
  }

  async #run(): Promise<void> {
    rmSync(this.#aside, { recursive: true, force: true });
    mkdirSync(this.#aside);
    await this.#source.backup(this.#aside, true);
    await syncPath(join(this.#aside, STORE_FILE));
    this.#copy = this.#open(this.#aside);
    await beginFreeList(this.#copy);
    while (!this.#isGivenUp && this.#noted.size > FEW) await this.#catchUp(this.#copy);
    if (this.#isGivenUp) throw new Error('more was written than could be copied');
  }

  /** Copies the rows again that have been noted. */
  async #catchUp(copy: Environment): Promise<void> {
    const keys = [...this.#noted.values()];
    this.#noted = new Map();
    for (let at = 0; at < keys.length; at += COPIED_AT_ONCE) {
      await copy.batch(() => {
        for (const key of keys.slice(at, at + COPIED_AT_ONCE)) {
          const value = this.#source.getBinary(key);
          if (value === undefined) copy.remove(key);
          else copy.put(key, value);
        }
      });
    }
  }

  /**
   * Puts the copy into the store's place, and returns it; no commit may go on meanwhile. Where that fails the store is as it was, unless
   * the error is a {@link StoreFailed}: then nobody knows which file the folder will have after a power cut.
   */
  async finish(): Promise<Environment> {
    const copy = this.#copy!;
    try {
      await this.#catchUp(copy);
      await syncPath(join(this.#aside, STORE_FILE));
      renameSync(join(this.#aside, STORE_FILE), join(this.#folder, STORE_FILE));
    } catch (e) {
      await this.abandon();
      throw e;
    }
    try {
      await syncPath(this.#folder);
    } catch (e) {
      throw new StoreFailed(`its folder can't be synced: ${(e as Error).message}`);
    }
    // Commits that went to the old file now would be lost: whatever becomes of the folder, the copy is the store.
    removeFolder(this.#aside);
    return copy;
  }

  /** Gives the copy up. */
  async abandon(): Promise<void> {
    this.#isGivenUp = true;
    await this.#done;
    await this.#copy?.close().catch(() => {});
    this.#copy = undefined;
    removeFolder(this.#aside);
  }
}
