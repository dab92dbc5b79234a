/** {@link Storage} on LMDB: one environment in the data folder, durable when a commit's promise resolves. */
import { mkdirSync } from 'node:fs';
import { open, type RootDatabase } from 'lmdb';
import type { Entry, RangeOptions, Storage } from './storage.js';

/** Commits larger than this are refused by LMDB sooner or later; callers write in chunks far below it. */
export class LmdbStorage implements Storage {
  readonly #db: RootDatabase<Uint8Array, Uint8Array>;
  /** A commit failed, as on a full disk. lmdb can't be trusted to survive another one; it still can be read. */
  #failed: Error | undefined;

  /** Opens or makes the environment in `path`, a folder. */
  constructor(path: string) {
    mkdirSync(path, { recursive: true });
    this.#db = open<Uint8Array, Uint8Array>({
      path,
      encoding: 'binary',
      keyEncoding: 'binary',
      overlappingSync: false,
      noSync: false,
      noMetaSync: false,
      useWritemap: false,
      mapAsync: false,
      // With it a failed commit would reject a promise that nobody has. Batches of one turn share a commit anyway.
      eventTurnBatching: false,
      commitDelay: 0,
      cache: false,
      compression: false,
      maxReaders: 512,
    } as Parameters<typeof open>[0]) as RootDatabase<Uint8Array, Uint8Array>;
  }

  get(key: Uint8Array): Uint8Array | undefined {
    return this.#db.get(key);
  }

  *range(from: Uint8Array, to: Uint8Array, options: RangeOptions = {}): Iterable<Entry> {
    // lmdb walks backwards from `start`, which it includes, down to `end`, which it leaves out.
    const span = options.reverse
      ? { start: to, end: from, inclusiveEnd: true, exclusiveStart: true, reverse: true }
      : { start: from, end: to };
    const limit = options.limit === undefined ? {} : { limit: options.limit };
    if (options.keysOnly) {
      for (const key of this.#db.getKeys({ ...span, ...limit })) yield [copy(key), EMPTY];
      return;
    }
    for (const { key, value } of this.#db.getRange({ ...span, ...limit })) yield [copy(key), value];
  }

  async commit(puts: readonly Entry[], deletes: readonly Uint8Array[]): Promise<void> {
    if (puts.length === 0 && deletes.length === 0) return;
    if (this.#failed !== undefined) throw this.#failed;
    const db = this.#db;
    try {
      await db.batch(() => {
        for (const [key, value] of puts) db.put(key, value);
        for (const key of deletes) db.remove(key);
      });
    } catch (e) {
      this.#failed ??= new Error(`the store can't be written until the next start: ${await causeOf(e)}`);
      throw this.#failed;
    }
  }

  async close(): Promise<void> {
    if (this.#failed === undefined) await this.#db.close();
  }
}

const EMPTY = new Uint8Array(0);

/** Why a commit failed: lmdb puts that into a promise of its own, which rejects sooner or later. */
async function causeOf(e: unknown): Promise<string> {
  const { message, commitError } = e as Error & { commitError?: Promise<unknown> };
  if (commitError === undefined) return message;
  return commitError.then(
    () => message,
    (cause: Error) => cause.message,
  );
}

/** lmdb reuses the buffer that it reads keys into. */
function copy(key: Uint8Array): Uint8Array {
  return new Uint8Array(key);
}
