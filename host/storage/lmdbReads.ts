/** Reading rows of an LMDB environment, in the thread that writes it or in another one. */
import { open, type Transaction } from 'lmdb';
import { OpenRanges } from './openRanges.js';
import { PageFaults } from './pageFaults.js';
import { asPut, checkedLength } from './rowChecksums.js';
import type { Environment } from './shrinking.js';
import { DamagedRow, type Entry, type RangeOptions, type StorageSnapshot } from './storage.js';

/** Values share their buffers: one of its own costs more than a small value. */
const SLAB_BYTES = 64 * 1024;
const SHARED_BYTES = SLAB_BYTES / 8;

/** What lmdb reads into; where that is the buffer that it reads everything into, `length` alone tells how much of it is meant. */
type SharedBytes = Uint8Array & { readonly isGlobal?: boolean };

/** So many threads read at once: as many as Node's pool has. */
const PREFETCHING = 4;

/** What lmdb's types leave out. */
interface PrefetchingEnvironment {
  prefetch(keys: readonly Uint8Array[], done: () => void): void;
}

/** Writes a key to where lmdb wants it; returns where it ends. */
type WriteKey = (key: Uint8Array | number, target: Uint8Array, at: number) => number;

/** Opens the environment in a folder, which is made if it isn't there; further threads that open it share it. */
export function openEnvironment(path: string, writeKey: WriteKey = writeBytes): Environment {
  const readKey = (bytes: Uint8Array, from: number, to: number) => sliceOf.call(bytes, from, to);
  return open<Uint8Array, Uint8Array | number>({
    path,
    encoding: 'binary',
    keyEncoder: { writeKey, readKey },
    overlappingSync: false,
    noSync: false,
    noMetaSync: false,
    useWritemap: false,
    mapAsync: false,
    // With it a failed commit would reject a promise that nobody has; commits are gathered here anyway.
    eventTurnBatching: false,
    commitDelay: 0,
    cache: false,
    compression: false,
    maxReaders: 512,
  } as Parameters<typeof open>[0]) as Environment;
}

/** The rows of an environment as they were last committed. */
export class LmdbReads {
  #db: Environment;
  readonly #ranges = new OpenRanges();
  /** Of the buffer that was read into last. */
  #readView: DataView = new DataView(new ArrayBuffer(0));
  /** Values that were read lie behind one another. */
  #slab = new ArrayBuffer(0);
  #slabUsed = 0;
  readonly #faults = new PageFaults();
  /** Those that are open. */
  readonly #snapshots = new Set<() => void>();

  constructor(db: Environment) {
    this.#db = db;
  }

  /** Another environment has taken the place of this one, which is closed as soon as no range of it is walked. */
  async use(db: Environment): Promise<void> {
    const old = this.#db;
    this.#db = db;
    await this.#ranges.replaced(old);
  }

  get(key: Uint8Array): Uint8Array | undefined {
    // The bytes are lmdb's own until it reads again; those of a large value are nobody else's.
    const read = this.#db.getBinaryFast(key) as SharedBytes | undefined;
    if (read === undefined) return undefined;
    if (this.#readView.buffer !== read.buffer) this.#readView = new DataView(read.buffer);
    const length = checkedLength(key, read, this.#readView);
    if (read.isGlobal !== true || length > SHARED_BYTES)
      return asPut(key, this.#db.get(key)!.subarray(0, length));
    if (this.#slabUsed + length > this.#slab.byteLength) {
      this.#slab = new ArrayBuffer(SLAB_BYTES);
      this.#slabUsed = 0;
    }
    const value = new Uint8Array(this.#slab, this.#slabUsed, length);
    this.#slabUsed += length;
    value.set(new Uint8Array(read.buffer, read.byteOffset, length));
    return asPut(key, value);
  }

  range(from: Uint8Array, to: Uint8Array, options?: RangeOptions): Iterable<Entry> {
    return this.#range(this.#db, {}, from, to, options);
  }

  /** The rows as they were last committed, in a read transaction of its own. */
  snapshot(): StorageSnapshot {
    const db = this.#db;
    // The one that reads share may be of before the last commit.
    db.resetReadTxn();
    const transaction = db.useReadTransaction();
    const letGo = this.#ranges.hold(db);
    const release = () => {
      if (!this.#snapshots.delete(release)) return;
      transaction.done();
      letGo();
    };
    this.#snapshots.add(release);
    return {
      range: (from, to, options) => {
        if (!this.#snapshots.has(release)) throw new Error('the store is closed');
        return this.#range(db, { transaction }, from, to, options);
      },
      release,
    };
  }

  *#range(
    db: Environment,
    within: { transaction?: Transaction },
    from: Uint8Array,
    to: Uint8Array,
    options: RangeOptions = {},
  ): Iterable<Entry> {
    // lmdb walks backwards from `start`, which it includes, down to `end`, which it leaves out.
    const span = options.reverse
      ? { start: to, end: from, inclusiveEnd: true, exclusiveStart: true, reverse: true }
      : { start: from, end: to };
    const limit = options.limit === undefined ? {} : { limit: options.limit };
    if (options.keysOnly) {
      const keys = db.getKeys({ ...span, ...limit, ...within });
      for (const key of this.#ranges.of(db, keys)) yield [copy(key as Uint8Array), EMPTY];
      return;
    }
    const entries = db.getRange({ ...span, ...limit, ...within });
    for (const { key, value } of this.#ranges.of(db, entries)) {
      const own = copy(key as Uint8Array);
      let length: number;
      try {
        length = checkedLength(own, value, new DataView(value.buffer));
      } catch (e) {
        if (options.damaged === undefined || !(e instanceof DamagedRow)) throw e;
        options.damaged(e);
        continue;
      }
      yield [own, asPut(own, value.subarray(0, length))];
    }
  }

  /** Whether reading rows may wait for a disk. */
  get isCold(): boolean {
    return this.#faults.areLikely;
  }

  /** Has threads of the process's pool read rows, where reading them here may wait for a disk. */
  prefetch(keys: readonly Uint8Array[]): Promise<void> | undefined {
    if (keys.length === 0 || !this.isCold) return undefined;
    const db = this.#db as unknown as PrefetchingEnvironment;
    const each = Math.ceil(keys.length / PREFETCHING);
    const reads: Promise<void>[] = [];
    for (let at = 0; at < keys.length; at += each)
      reads.push(new Promise((done) => db.prefetch(keys.slice(at, at + each), () => done())));
    return Promise.all(reads).then(() => {});
  }

  /** Ends the ranges that are walked; the environment may be closed then. */
  async close(): Promise<void> {
    for (const release of [...this.#snapshots]) release();
    await this.#ranges.close();
  }
}

const EMPTY = new Uint8Array(0);
const sliceOf = Uint8Array.prototype.slice;

function writeBytes(key: Uint8Array | number, target: Uint8Array, at: number): number {
  target.set(key as Uint8Array, at);
  return at + (key as Uint8Array).length;
}

/** lmdb reuses the buffer that it reads keys into. */
function copy(key: Uint8Array): Uint8Array {
  return new Uint8Array(key);
}
