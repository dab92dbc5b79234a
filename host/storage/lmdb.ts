/** {@link Storage} on LMDB: one environment in the data folder, durable when a commit's promise resolves. */
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { syncPathSync } from './folders.js';
import { FullPages } from './lmdbFullPages.js';
import { inKeyOrder } from './keyOrder.js';
import { LmdbReads, openEnvironment } from './lmdbReads.js';
import { damageOf, isUnbegun } from './lmdbFile.js';
import { pagesOf } from './lmdbPages.js';
import { canGrow, diskOf, type FreeDiskCheck } from './freeDisk.js';
import { putChecksum } from './rowChecksums.js';
import { PREFIX_BYTES, putU48, seqOfKey } from './records.js';
import { Rows } from './rows.js';
import { type Environment, Shrinking } from './shrinking.js';
import type { CommitOptions, Entry, Puts, RangeOptions, Storage, StorageSnapshot } from './storage.js';
import { DiskFull, StoreFailed } from '../storeErrors.js';

/** Commits that wait are written together, up to about so many bytes. */
const GROUP_BYTES = 32 * 1024 * 1024;

/**
 * Rows are handed to lmdb by a method that takes so many at a time: V8 keeps a method's machine code, but would compile a loop within a
 * function that is made anew for each batch again and again.
 */
const RUN = 64;

/** Documents of fewer bytes are put as they are: what {@link FullPages} needs itself would be too much. */
const FULL_PAGES_FROM = 128 * 1024;
const DOCUMENT = 0x64;

/** After a commit failed, further ones are refused for so many milliseconds before the next is tried. */
const PAUSE_MS = 100;

/** lmdb's own limit is 1,978. */
const MAX_KEY_BYTES = 1900;

/** A buffer that holds the value of a row: lmdb reads it from `start` to `end`. */
type Values = Uint8Array & { start?: number; end?: number };

/** Milliseconds before it is tried again to make a file smaller, where that has failed. */
const SHRINK_AGAIN_MS = 600_000;

/** When the file of a store is made smaller. */
export interface ShrinkOptions {
  /** Bytes of it that are free. */
  shrinksFrom: number;
  /** Bytes of it that are free for each that is in use. */
  freeShare: number;
  /** Milliseconds after a commit before it is looked at how much is free. */
  lookEvery: number;
}

/** A commit that waits for its turn. */
interface Commit {
  rows: Rows;
  deletes: readonly Uint8Array[];
  freeing: boolean;
  resolve(): void;
  reject(error: unknown): void;
}

/** The store; all commits go through one queue. */
export class LmdbStorage implements Storage {
  /** A key may be the number of a row of {@link #rows}. */
  #db: Environment;
  readonly #reads: LmdbReads;
  readonly #path: string;
  readonly #room: FreeDiskCheck | undefined;
  /** A commit failed for another reason than a full disk. */
  failure: StoreFailed | undefined;
  /** The last commit failed on a full disk; and until when no other one is tried. */
  #failed: { error: Error; until: number } | undefined;
  /** When files are made smaller where it isn't said otherwise. */
  static readonly shrinking: ShrinkOptions = {
    shrinksFrom: 64 * 1024 * 1024,
    freeShare: 1,
    lookEvery: 10_000,
  };
  readonly #shrinks: ShrinkOptions;
  /** Looks at how much is free. */
  #look: NodeJS.Timeout | undefined;
  #isLookDue = false;
  #shrinksAgain = 0;
  #shrinking: Shrinking | undefined;
  #isClosing = false;
  /** Called when another file has taken the place of this one, before anything is committed to it. */
  onReplaced: () => void = () => {};
  /** How often the file has been made smaller. */
  shrunk = 0;
  /** Why that failed last. */
  shrinkFailure: unknown;
  #waiting: Commit[] = [];
  #writing: Promise<void> | undefined;
  /** The rows that lmdb is being told of. */
  #rows = new Rows();

  /**
   * Opens or makes the environment in `path`, a folder.
   * @param room told what is left of the disk, and asked before each commit
   */
  constructor(path: string, room?: FreeDiskCheck, shrinks: Partial<ShrinkOptions> = {}) {
    this.#path = path;
    this.#room = room;
    mkdirSync(path, { recursive: true });
    checkStore(path);
    const file = join(path, 'data.mdb');
    if (isUnbegun(file)) rmSync(file);
    this.#shrinks = { ...LmdbStorage.shrinking, ...shrinks };
    this.#db = this.#open(path);
    this.#reads = new LmdbReads(this.#db);
    // Its first two pages: where they aren't there, but pages of the first commit are, nobody can tell that it has never counted.
    syncPathSync(file);
    // The name of the file, and that of the folder: a commit syncs neither.
    syncPathSync(path);
    syncPathSync(dirname(resolve(path)));
  }

  #open(path: string): Environment {
    const writeKey = (key: Uint8Array | number, target: Uint8Array, at: number): number => {
      if (typeof key === 'number') return writeRowKey(this.#rows, key, target, at);
      target.set(key, at);
      return at + key.length;
    };
    return openEnvironment(path, writeKey);
  }

  /** Bytes of the file that deleted rows have left, which later ones will take. */
  get reusableBytes(): number {
    return pagesOf(this.#db).free;
  }

  /** Bytes of the file that are in use. */
  get usedBytes(): number {
    return pagesOf(this.#db).live;
  }

  get(key: Uint8Array): Uint8Array | undefined {
    return this.#reads.get(key);
  }

  get isCold(): boolean {
    return this.#reads.isCold;
  }

  prefetch(keys: readonly Uint8Array[]): Promise<void> | undefined {
    return this.#reads.prefetch(keys);
  }

  range(from: Uint8Array, to: Uint8Array, options?: RangeOptions): Iterable<Entry> {
    return this.#reads.range(from, to, options);
  }

  snapshot(): StorageSnapshot {
    return this.#reads.snapshot();
  }

  commit(puts: Puts, deletes: readonly Uint8Array[], options: CommitOptions = {}): Promise<void> {
    if (puts.length === 0 && deletes.length === 0) return Promise.resolve();
    // lmdb would notice in the middle of a batch.
    const rows = puts instanceof Rows ? puts : Rows.of(puts);
    if (rows.longestKey > MAX_KEY_BYTES)
      return Promise.reject(new Error(`a key of ${rows.longestKey} bytes`));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ rows, deletes, freeing: options.freeing === true, resolve, reject });
      this.#writing ??= this.#write();
    });
  }

  /** Writes what waits, as many commits at a time as came while the ones before were being written. */
  async #write(): Promise<void> {
    // Commits of this turn go together.
    await Promise.resolve();
    for (;;) {
      await this.#shrink();
      if (this.#waiting.length === 0) break;
      const group = this.#admit(this.#takeGroup());
      if (group.length === 0) continue;
      try {
        await this.#batch(group);
        for (const { resolve } of group) resolve();
      } catch (e) {
        for (const { reject } of group) reject(e);
      }
    }
    this.#writing = undefined;
  }

  /** Looks at whether the file can be made smaller, begins that, and ends it; between commits. */
  async #shrink(): Promise<void> {
    if (this.failure !== undefined || this.#isClosing) return;
    const shrinking = this.#shrinking;
    if (shrinking === undefined) {
      if (this.#isLookDue && this.#isWorthShrinking())
        this.#shrinking = new Shrinking(
          this.#db,
          this.#path,
          (folder) => this.#open(folder),
          () => this.#wake(),
        );
      this.#isLookDue = false;
      return;
    }
    if (!shrinking.isReady && shrinking.failure === undefined) return;
    this.#shrinking = undefined;
    try {
      if (!shrinking.isReady) {
        await shrinking.abandon();
        throw shrinking.failure;
      }
      this.#db = await shrinking.finish();
      this.shrunk++;
      this.onReplaced();
      await this.#reads.use(this.#db);
    } catch (e) {
      this.shrinkFailure = e;
      this.#shrinksAgain = performance.now() + SHRINK_AGAIN_MS;
      if (e instanceof StoreFailed) this.failure = e;
    }
  }

  #isWorthShrinking(): boolean {
    if (performance.now() < this.#shrinksAgain) return false;
    try {
      const { live, free } = pagesOf(this.#db);
      const { shrinksFrom, freeShare } = this.#shrinks;
      return free >= shrinksFrom && free >= freeShare * live && diskOf(this.#path).free >= 2 * live;
    } catch {
      return false;
    }
  }

  /** Has the queue look for what there is to do. */
  #wake(): void {
    if (!this.#isClosing) this.#writing ??= this.#write();
  }

  #lookLater(): void {
    this.#look ??= setTimeout(() => {
      this.#look = undefined;
      this.#isLookDue = true;
      this.#wake();
    }, this.#shrinks.lookEvery).unref();
  }

  /** Refuses what there is no room for. */
  #admit(group: Commit[]): Commit[] {
    if (this.failure !== undefined) {
      for (const commit of group) commit.reject(this.failure);
      return [];
    }
    const refusal =
      this.#failed !== undefined && performance.now() < this.#failed.until
        ? this.#failed.error
        : this.#room?.refusal();
    if (refusal === undefined) return group;
    for (const commit of group) if (!commit.freeing) commit.reject(refusal);
    return group.filter(({ freeing }) => freeing);
  }

  #takeGroup(): Commit[] {
    let n = 0;
    let bytes = 0;
    while (n < this.#waiting.length && bytes < GROUP_BYTES) bytes += this.#waiting[n++]!.rows.byteLength;
    return this.#waiting.splice(0, n);
  }

  async #batch(group: readonly Commit[]): Promise<void> {
    const db = this.#db;
    try {
      await db.batch(() => {
        for (const { rows, deletes } of group) {
          this.#rows = rows;
          const order = inKeyOrder(rows);
          const documents = documentRun(rows, order);
          this.#putAll(order.subarray(0, documents.from));
          if (documents.from < documents.to) this.#putDocuments(order.subarray(documents.from, documents.to));
          this.#putAll(order.subarray(documents.to));
          for (const key of deletes) db.remove(key);
        }
      });
    } catch (e) {
      const cause = await causeOf(e);
      if (!NO_ROOM.has(cause.code) && canGrow(join(this.#path, 'data.mdb'))) {
        this.failure = new StoreFailed(cause.message);
        throw this.failure;
      }
      const fatal = fatalErrorOf(db);
      if (fatal !== undefined) {
        this.failure = new StoreFailed(`${cause.message}; ${fatal}`);
        throw this.failure;
      }
      // The transaction was given up: what was there before is there, and a later one may succeed.
      const error = new DiskFull(`the store can't be written: ${cause.message}`);
      this.#failed = { error, until: performance.now() + PAUSE_MS };
      throw this.#room?.refusal() ?? error;
    }
    // Not before: a copy that is being made would take the rows as they were.
    for (const { rows, deletes } of group) this.#shrinking?.note(rows, deletes);
    this.#failed = undefined;
    this.#lookLater();
  }

  #putAll(numbers: Uint32Array): void {
    for (let at = 0; at < numbers.length; at += RUN) this.#put(numbers.subarray(at, at + RUN));
  }

  /** Puts documents of one shard, in their order. */
  #putDocuments(numbers: Uint32Array): void {
    const rows = this.#rows;
    const [first, last] = [keyOf(rows, numbers[0]!), keyOf(rows, numbers[numbers.length - 1]!)];
    const pages = new FullPages(this.#db);
    putU48(first, PREFIX_BYTES, seqOfKey(first) - 1);
    pages.begin(first, last);
    for (let at = 0; at < numbers.length; at += RUN) this.#put(numbers.subarray(at, at + RUN), pages);
    pages.end();
  }

  #put(numbers: Uint32Array, pages?: FullPages): void {
    const rows = this.#rows;
    const { view } = rows;
    const values: Values = rows.bytes;
    for (let i = 0; i < numbers.length; i++) {
      const row = numbers[i]!;
      // lmdb writes down where the value is; it is read before the commit ends.
      values.start = rows.valueAt(row);
      values.end = putChecksum(values, view, rows.keyAt(row), values.start, rows.endOf(row));
      pages?.next(values, rows.keyAt(row), values.start, values.end - values.start);
      this.#db.put(row, values);
    }
  }

  async close(): Promise<void> {
    await this.#writing;
    this.#isClosing = true;
    clearTimeout(this.#look);
    await this.#shrinking?.abandon();
    await this.#writing;
    try {
      await this.#reads.close();
      await this.#db.close();
    } catch (e) {
      // What failed can't be closed either; the system does it at the process's end.
      if (this.failure === undefined) throw e;
    }
  }
}

/** Where the documents are in an order of rows, if they are many, and all of one shard. */
function documentRun(rows: Rows, order: Uint32Array): { from: number; to: number } {
  const none = { from: 0, to: 0 };
  if (rows.byteLength < FULL_PAGES_FROM) return none;
  const { bytes, view } = rows;
  const isDocument = (at: number) => bytes[rows.keyAt(order[at]!)] === DOCUMENT;
  let from = 0;
  while (from < order.length && !isDocument(from)) from++;
  let to = from;
  let size = 0;
  for (; to < order.length && isDocument(to); to++) size += rows.endOf(order[to]!) - rows.keyAt(order[to]!);
  if (size < FULL_PAGES_FROM) return none;
  const shardOf = (at: number) => view.getUint32(rows.keyAt(order[at]!) + 1);
  return shardOf(from) === shardOf(to - 1) ? { from, to } : none;
}

function keyOf(rows: Rows, row: number): Uint8Array {
  return rows.bytes.slice(rows.keyAt(row), rows.valueAt(row));
}

/** Writes the key of a row to where lmdb wants it; returns where it ends. */
function writeRowKey(rows: Rows, row: number, target: Uint8Array, at: number): number {
  const { bytes } = rows;
  const from = rows.keyAt(row);
  const length = rows.valueAt(row) - from;
  // Most are short; a call costs more than they do.
  for (let i = 0; i < length; i++) target[at + i] = bytes[from + i]!;
  return at + length;
}

/** Throws if there is a store that is none, or lacks pages: opening it would take the process down. */
export function checkStore(folder: string): void {
  const file = join(folder, 'data.mdb');
  const damage = damageOf(file);
  if (damage !== undefined && !isUnbegun(file)) throw new Error(`${file} is damaged: ${damage}`);
}

/** Codes of what a commit can't be done for now, but later: EFBIG, ENOSPC, EDQUOT, MDB_MAP_FULL. All others leave the disk in doubt. */
const NO_ROOM: ReadonlySet<number | undefined> = new Set([27, 28, 122, -30792]);

/**
 * Why an environment takes no more transactions, as after a failure of the page that makes a commit count, whatever it was; undefined where
 * it does. The promise of another commit would never be settled.
 */
function fatalErrorOf(db: Environment): string | undefined {
  try {
    db.transactionSync(() => {});
    return undefined;
  } catch (e) {
    return e instanceof Error ? e.message : String(e);
  }
}

/** Why a commit failed: lmdb puts that into a promise of its own, which rejects sooner or later. */
async function causeOf(e: unknown): Promise<{ message: string; code?: number }> {
  const { commitError, ...thrown } = e as { commitError?: Promise<unknown>; code?: number };
  const own = { message: e instanceof Error ? e.message : String(e), ...thrown };
  if (commitError === undefined) return own;
  return commitError.then(
    () => own,
    (cause: Error & { code?: number }) => cause,
  );
}
