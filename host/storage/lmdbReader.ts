/**
 * A store that another thread of this process writes, read as it was last committed there. What a commit wrote is read as soon as it has been
 * counted.
 */
import { LmdbReads, openEnvironment } from './lmdbReads.js';
import { pagesOf } from './lmdbPages.js';
import type { Environment } from './shrinking.js';
import type { Entry, RangeOptions, Storage } from './storage.js';

/** What the writing thread tells of its store. */
export interface StoreChanges {
  /** Grows with every commit, before anybody is told that it is durable. */
  readonly commits: number;
  /** Grows when another file takes the store's place, before anything is committed to that. */
  readonly files: number;
}

/** Reads the environment in a folder. */
export class LmdbReader implements Storage {
  readonly #path: string;
  readonly #changes: StoreChanges;
  #db: Environment;
  readonly #reads: LmdbReads;
  #commits: number;
  #files: number;

  constructor(path: string, changes: StoreChanges) {
    this.#path = path;
    this.#changes = changes;
    this.#commits = changes.commits;
    this.#files = changes.files;
    this.#db = openEnvironment(path);
    this.#reads = new LmdbReads(this.#db);
  }

  get(key: Uint8Array): Uint8Array | undefined {
    this.#renew();
    return this.#reads.get(key);
  }

  /** Bytes of the file that are in use. */
  get usedBytes(): number {
    this.#renew();
    return pagesOf(this.#db).live;
  }

  get isCold(): boolean {
    return this.#reads.isCold;
  }

  prefetch(keys: readonly Uint8Array[]): Promise<void> | undefined {
    return this.#reads.prefetch(keys);
  }

  range(from: Uint8Array, to: Uint8Array, options?: RangeOptions): Iterable<Entry> {
    this.#renew();
    return this.#reads.range(from, to, options);
  }

  /** Sees what has been committed: lmdb would show the moment of its last read transaction, which may last for a turn. */
  #renew(): void {
    const { commits } = this.#changes;
    if (commits === this.#commits) return;
    this.#commits = commits;
    const { files } = this.#changes;
    if (files === this.#files) {
      this.#db.resetReadTxn();
      return;
    }
    this.#files = files;
    this.#db = openEnvironment(this.#path);
    void this.#reads.use(this.#db);
  }

  commit(): Promise<void> {
    return Promise.reject(new Error('the store is written by another thread'));
  }

  async close(): Promise<void> {
    await this.#reads.close();
    await this.#db.close();
  }
}
