/**
 * Ranges that are being read of a store whose file may be replaced meanwhile. An environment that is closed ends the process when it is read
 * again, so one that was replaced is closed after the last range of it.
 */
import type { Environment } from './shrinking.js';

export class OpenRanges {
  readonly #open = new Map<Environment, number>();
  /** Environments that were replaced and are still read. */
  readonly #replaced = new Set<Environment>();
  #isClosed = false;

  /** Reads on; throws where the store was closed meanwhile. */
  *of<T>(db: Environment, entries: Iterable<T>): Generator<T, void, undefined> {
    const letGo = this.hold(db);
    const iterator = entries[Symbol.iterator]();
    let isDone = false;
    try {
      for (;;) {
        if (this.#isClosed) throw new Error('the store is closed');
        const { done, value } = iterator.next();
        isDone = done === true;
        if (isDone) return;
        yield value;
      }
    } finally {
      if (!isDone && !this.#isClosed) iterator.return?.();
      letGo();
    }
  }

  /** Keeps an environment open until the returned function is called, or the store is closed. */
  hold(db: Environment): () => void {
    this.#open.set(db, (this.#open.get(db) ?? 0) + 1);
    return () => this.#letGo(db);
  }

  #letGo(db: Environment): void {
    const left = this.#open.get(db)! - 1;
    if (left > 0) {
      this.#open.set(db, left);
      return;
    }
    this.#open.delete(db);
    if (this.#replaced.delete(db) && !this.#isClosed) void db.close().catch(() => {});
  }

  /** Closes an environment that nothing is written to any more, now or when nobody reads it. */
  async replaced(db: Environment): Promise<void> {
    if (this.#open.has(db)) this.#replaced.add(db);
    else await db.close();
  }

  /** Nothing is read any more: closes what was replaced. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const left = [...this.#replaced];
    this.#replaced.clear();
    for (const db of left) await db.close();
  }
}
