/**
 * What a browser keeps in IndexedDB: a journal of rows, and blobs. Both are written in transactions of the durability `strict`, whose
 * `complete` event tells that they are on the disk.
 */
import { DiskFull, StoreFailed } from '../storeErrors.js';
import type { Journal } from './journal.js';
import type { Blobs } from './storage.js';

const JOURNAL = 'journal';
const BLOBS = 'blobs';
/** Pieces of the journal that are read at once. */
const PIECES = 64;

/** A database with both. */
export class IndexedDb {
  readonly #db: IDBDatabase;
  readonly journal: Journal;
  readonly blobs: Blobs;
  #failure: StoreFailed | undefined;

  private constructor(db: IDBDatabase) {
    this.#db = db;
    const database = this;
    db.onclose = () => {
      this.#failure = new StoreFailed('the browser has closed its database');
    };
    this.journal = {
      read: () => this.#readJournal(),
      append: (batches) => this.#write(JOURNAL, (journal) => journal.add(batches)),
      replace: (pieces) =>
        this.#write(JOURNAL, (journal) => {
          journal.clear();
          for (const piece of pieces) journal.add(piece);
        }),
      get failure() {
        return database.#failure;
      },
      // Transactions that have begun end before.
      close: async () => db.close(),
    };
    this.blobs = {
      put: (name, bytes) => this.#write(BLOBS, (blobs) => blobs.put(ownBytes(bytes), name)),
      get: (name) => this.#read(BLOBS, (blobs) => blobs.get(name)),
      delete: (name) => this.#write(BLOBS, (blobs) => blobs.delete(name)),
      list: () => this.#read(BLOBS, (blobs) => blobs.getAllKeys()) as Promise<string[]>,
    };
  }

  /** Opens or makes a database. */
  static async open(name: string): Promise<IndexedDb> {
    const opening = indexedDB.open(name, 1);
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore(JOURNAL, { autoIncrement: true });
      opening.result.createObjectStore(BLOBS);
    };
    return new IndexedDb(await resultOf(opening));
  }

  async *#readJournal(): AsyncGenerator<Uint8Array, void, undefined> {
    const keys = await this.#read(JOURNAL, (journal) => journal.getAllKeys());
    for (let at = 0; at < keys.length; at += PIECES) {
      const last = Math.min(at + PIECES, keys.length) - 1;
      const range = IDBKeyRange.bound(keys[at], keys[last]);
      yield* await this.#read(JOURNAL, (journal) => journal.getAll(range) as IDBRequest<Uint8Array[]>);
    }
  }

  #read<T>(name: string, ask: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
    return resultOf(ask(this.#db.transaction(name).objectStore(name)));
  }

  /**
   * Resolves when what was asked for is durable.
   *
   * Each transaction is one of both object stores, so that one follows the other. Chromium notes the locks of transactions that have begun, and takes
   * all of them for exclusive when it comes back after a crash. Where two had begun in one database, both with a shared lock on that, it takes all
   * databases of the origin for corrupt and removes them (`LevelDBScopes::Initialize`; seen with 156: 1 of 30 times that the browser was killed).
   */
  #write(name: string, ask: (store: IDBObjectStore) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) throw this.#failure;
      const transaction = this.#db.transaction([JOURNAL, BLOBS], 'readwrite', { durability: 'strict' });
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(errorOf(transaction.error));
      ask(transaction.objectStore(name));
    });
  }
}

/** Opens or makes the database of a store. */
export function openIdb(name: string): Promise<IndexedDb> {
  return IndexedDb.open(`resilin ${name}`);
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(errorOf(request.error));
  });
}

function errorOf(error: DOMException | null): Error {
  if (error?.name === 'QuotaExceededError')
    return new DiskFull(
      'the browser lets this origin keep no more; reads go on, writes do when there is room',
    );
  return error ?? new Error('the browser has given the transaction up');
}

/** What is stored is the whole buffer that bytes are in. */
function ownBytes(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();
}
