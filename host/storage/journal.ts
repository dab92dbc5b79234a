/**
 * {@link Storage} in memory, kept by a journal of its commits: for platforms whose own stores can't be read at once. A row is seen
 * when its commit is durable.
 */
import { MemoryStorage } from './memory.js';
import { batchAt, batchBytes, encodeBatches, type RowBatch } from './rowBatches.js';
import type { CommitOptions, Entry, Puts, RangeOptions, Storage } from './storage.js';
import type { StoreFailed } from '../storeErrors.js';

/** Where batches are kept, in their order. */
export interface Journal {
  /** All that was appended: pieces of whole batches. */
  read(): AsyncIterable<Uint8Array>;
  /** Durable when the promise resolves; nothing of it is there when it rejects. */
  append(batches: Uint8Array<ArrayBuffer>): Promise<void>;
  /** Puts pieces in the place of all that is there; leaves it as it is when it rejects. */
  replace(pieces: Iterable<Uint8Array<ArrayBuffer>>): Promise<void>;
  /** Why nothing can be appended any more. */
  readonly failure?: StoreFailed | undefined;
  close(): Promise<void>;
}

/** The journal holds something that was not written to it. */
export class JournalDamaged extends Error {
  override readonly name = 'CorruptIndexException';
}

/** Commits that wait are written together, up to about so many bytes. */
const GROUP_BYTES = 8 * 1024 * 1024;
/** A piece of a journal that is written anew, about. */
const PIECE_BYTES = 1024 * 1024;
/** A journal is written anew when it has twice the bytes of what lives, and so many more. */
const SLACK_BYTES = 4 * 1024 * 1024;

interface Commit extends RowBatch {
  resolve(): void;
  reject(error: unknown): void;
}

/** The store. */
export class JournaledStorage implements Storage {
  readonly #rows = new MemoryStorage();
  readonly #journal: Journal;
  readonly #slack: number;
  #waiting: Commit[] = [];
  #writing: Promise<void> | undefined;
  /** Bytes of the journal, and at how many it is looked at how much of it lives. */
  #bytes = 0;
  #lookAt = 0;

  private constructor(journal: Journal, slack: number) {
    this.#journal = journal;
    this.#slack = slack;
  }

  /**
   * Reads a journal.
   * @param slack bytes of rows that live no more that it may have in any case
   * @throws JournalDamaged
   */
  static async open(journal: Journal, slack = SLACK_BYTES): Promise<JournaledStorage> {
    const storage = new JournaledStorage(journal, slack);
    for await (const piece of journal.read()) storage.#replay(piece);
    storage.#lookAt = storage.#worthwhile();
    return storage;
  }

  #replay(piece: Uint8Array): void {
    for (let at = 0; at < piece.length; ) {
      const batch = batchAt(piece, at);
      if (batch === undefined) throw new JournalDamaged('the journal of the store is damaged');
      this.#apply(batch);
      at = batch.end;
    }
    this.#bytes += piece.length;
  }

  /** Lets a batch be seen: without room to keep to, that is done when the call returns. */
  #apply({ puts, deletes }: RowBatch): void {
    void this.#rows.commit(puts, deletes);
  }

  get failure(): StoreFailed | undefined {
    return this.#journal.failure;
  }

  get heapBytes(): number {
    return this.#rows.heapBytes;
  }

  get(key: Uint8Array): Uint8Array | undefined {
    return this.#rows.get(key);
  }

  range(from: Uint8Array, to: Uint8Array, options?: RangeOptions): Iterable<Entry> {
    return this.#rows.range(from, to, options);
  }

  commit(puts: Puts, deletes: readonly Uint8Array[], _options?: CommitOptions): Promise<void> {
    if (puts.length === 0 && deletes.length === 0) return Promise.resolve();
    const rows = [...puts];
    return new Promise((resolve, reject) => {
      this.#waiting.push({ puts: rows, deletes, resolve, reject });
      this.#writing ??= this.#write();
    });
  }

  async #write(): Promise<void> {
    // Commits of this turn go together.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const group = this.#takeGroup();
      try {
        const batches = encodeBatches(group);
        await this.#journal.append(batches);
        this.#bytes += batches.length;
        for (const commit of group) {
          this.#apply(commit);
          commit.resolve();
        }
      } catch (e) {
        for (const { reject } of group) reject(e);
        continue;
      }
      if (this.#bytes > this.#lookAt) await this.#shrink();
    }
    this.#writing = undefined;
  }

  #takeGroup(): Commit[] {
    let n = 0;
    let bytes = 0;
    while (n < this.#waiting.length && bytes < GROUP_BYTES) bytes += batchBytes(this.#waiting[n++]!);
    return this.#waiting.splice(0, n);
  }

  /** The journal's bytes from which on it is worth to write it anew. */
  #worthwhile(): number {
    const live = batchBytes({ puts: [...this.#rows.entries()], deletes: [] });
    return 2 * live + this.#slack;
  }

  /** Writes the journal anew where that is worth it. */
  async #shrink(): Promise<void> {
    this.#lookAt = this.#worthwhile();
    if (this.#bytes <= this.#lookAt) return;
    let bytes = 0;
    const counted = function* (rows: Iterable<Entry>) {
      for (const piece of piecesOf(rows)) {
        bytes += piece.length;
        yield piece;
      }
    };
    try {
      await this.#journal.replace(counted(this.#rows.entries()));
      this.#bytes = bytes;
    } catch {
      // As for want of room: it is tried again when there is as much more.
      this.#lookAt = 2 * this.#bytes;
    }
  }

  async close(): Promise<void> {
    await this.#writing;
    await this.#journal.close();
  }
}

/** Rows in pieces of batches. */
function* piecesOf(rows: Iterable<Entry>): Generator<Uint8Array<ArrayBuffer>, void, undefined> {
  let puts: Entry[] = [];
  let bytes = 0;
  for (const row of rows) {
    puts.push(row);
    bytes += row[0].length + row[1].length;
    if (bytes < PIECE_BYTES) continue;
    yield encodeBatches([{ puts, deletes: [] }]);
    puts = [];
    bytes = 0;
  }
  if (puts.length > 0) yield encodeBatches([{ puts, deletes: [] }]);
}
