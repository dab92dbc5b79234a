/** The stores that keep nothing: for tests, browsers and `--data :memory:`. */
import { DiskFull } from '../storeErrors.js';
import { SEQ_KEY_BYTES } from './records.js';
import {
  type Blobs,
  type CommitOptions,
  compareBytes,
  type Entry,
  type Puts,
  type RangeOptions,
  type Storage,
  type StorageSnapshot,
} from './storage.js';

/** Latin-1 of the bytes, which can be a key of a map. A text that is added to character by character stays in as many pieces. */
function keyOf(bytes: Uint8Array): string {
  return bytes.length === SEQ_KEY_BYTES
    ? seqKeyOf(bytes)
    : String.fromCharCode.apply(null, bytes as unknown as number[]);
}

/** The same of the key of a document: a list of arguments takes 60 ns, an array of them 200. */
function seqKeyOf(b: Uint8Array): string {
  return String.fromCharCode(b[0]!, b[1]!, b[2]!, b[3]!, b[4]!, b[5]!, b[6]!, b[7]!, b[8]!, b[9]!, b[10]!);
}

/** What a row takes in V8's heap besides the bytes of its key and of a short value, about. */
const ROW_BYTES = 560;
/** V8 keeps arrays of so many bytes in its heap, longer ones outside. */
const SHORT_BYTES = 64;
/** What deletions may go beyond a limit by: a part of it. */
const RESERVE = 1 / 16;

/** Bytes in V8's heap, and outside of it. */
export interface MemorySizes {
  heap: number;
  outside: number;
}

/** What stores in memory take together, and may take. */
export class MemoryRoom {
  readonly #limits: MemorySizes;
  readonly #taken: MemorySizes = { heap: 0, outside: 0 };

  constructor(limits: MemorySizes = { heap: Number.POSITIVE_INFINITY, outside: Number.POSITIVE_INFINITY }) {
    this.#limits = limits;
  }

  /** What is taken, about. */
  get taken(): Readonly<MemorySizes> {
    return this.#taken;
  }

  /** Refuses more than there is room for. @param freeing whether it is taken in order to make room */
  check(more: MemorySizes, freeing = false): void {
    for (const kind of ['heap', 'outside'] as const) {
      const limit = this.#limits[kind] * (freeing ? 1 + RESERVE : 1);
      if (more[kind] === 0 || this.#taken[kind] + more[kind] <= limit) continue;
      const all = `${(this.#limits[kind] / 1024 / 1024).toFixed(1)}mb`;
      throw new DiskFull(
        `the memory is full: what is kept may take ${all}; reads and deletions go on, writes do when there is room`,
      );
    }
  }

  /** Counts what has been taken; less than nothing is let go. */
  take({ heap, outside }: MemorySizes): void {
    this.#taken.heap += heap;
    this.#taken.outside += outside;
  }
}

/** What a row takes. */
function sizesOf(key: Uint8Array, value: Uint8Array): MemorySizes {
  const isShort = value.length <= SHORT_BYTES;
  return {
    heap: ROW_BYTES + 2 * key.length + (isShort ? value.length : 0),
    outside: isShort ? 0 : value.length,
  };
}

/** {@link Storage} in a map; the order of its keys is made when a range needs it. */
export class MemoryStorage implements Storage {
  readonly #entries = new Map<string, Entry>();
  #sorted: Uint8Array[] = [];
  /** Keys put since `#sorted` was made; deleted ones are skipped when walking. */
  #added: Uint8Array[] = [];
  readonly #room: MemoryRoom;

  /** @param room for what it keeps; without, there is any */
  constructor(room = new MemoryRoom()) {
    this.#room = room;
  }

  get heapBytes(): number {
    return this.#room.taken.heap;
  }

  get(key: Uint8Array): Uint8Array | undefined {
    return this.#entries.get(keyOf(key))?.[1];
  }

  *range(from: Uint8Array, to: Uint8Array, options: RangeOptions = {}): Iterable<Entry> {
    this.#sort();
    let left = options.limit ?? Number.POSITIVE_INFINITY;
    const start = this.#lowerBound(from);
    const end = this.#lowerBound(to);
    const keys = this.#sorted.slice(start, end);
    if (options.reverse) keys.reverse();
    for (const key of keys) {
      if (left <= 0) return;
      const entry = this.#entries.get(keyOf(key));
      if (entry === undefined) continue;
      left--;
      yield options.keysOnly ? [entry[0], EMPTY] : entry;
    }
  }

  /** Rows are replaced, never changed: a list of them is what they were. */
  snapshot(): StorageSnapshot {
    let rows: readonly Entry[] = [...this.range(FIRST, LAST)];
    const bound = (of: Uint8Array) => lowerBound(rows.length, (i) => compareBytes(rows[i]![0], of) < 0);
    return {
      range: (from, to, { reverse, limit = Number.POSITIVE_INFINITY, keysOnly } = {}) => {
        const found = rows.slice(bound(from), bound(to));
        if (reverse) found.reverse();
        const some = found.slice(0, Math.min(limit, found.length));
        return keysOnly ? some.map(([key]): Entry => [key, EMPTY]) : some;
      },
      release: () => {
        rows = [];
      },
    };
  }

  /** All rows, in no order. */
  entries(): Iterable<Entry> {
    return this.#entries.values();
  }

  async commit(puts: Puts, deletes: readonly Uint8Array[], { freeing }: CommitOptions = {}): Promise<void> {
    const rows = [...puts];
    const more = { heap: 0, outside: 0 };
    for (const [key, value] of rows) {
      const { heap, outside } = sizesOf(key, value);
      more.heap += heap;
      more.outside += outside;
    }
    if (rows.length > 0) this.#room.check(more, freeing);
    for (const row of rows) {
      const key = keyOf(row[0]);
      this.#forget(key);
      if (!this.#entries.has(key)) this.#added.push(row[0]);
      this.#entries.set(key, row);
    }
    this.#room.take(more);
    for (const each of deletes) {
      const key = keyOf(each);
      this.#forget(key);
      this.#entries.delete(key);
    }
  }

  /** Counts a row no more. */
  #forget(key: string): void {
    const row = this.#entries.get(key);
    if (row === undefined) return;
    const { heap, outside } = sizesOf(row[0], row[1]);
    this.#room.take({ heap: -heap, outside: -outside });
  }

  async close(): Promise<void> {}

  #sort(): void {
    const added = this.#added;
    this.#added = [];
    if (added.length > INSERTED || this.#sorted.length > 2 * this.#entries.size + 16) {
      this.#sorted = [...this.#entries.values()].map(([key]) => key).sort(compareBytes);
      return;
    }
    for (const key of added) {
      const at = this.#lowerBound(key);
      const next = this.#sorted[at];
      // A key that was deleted and put again still stands there.
      if (next === undefined || compareBytes(next, key) !== 0) this.#sorted.splice(at, 0, key);
    }
  }

  #lowerBound(key: Uint8Array): number {
    return lowerBound(this.#sorted.length, (i) => compareBytes(this.#sorted[i]!, key) < 0);
  }
}

/** The first of so many places that isn't before. */
function lowerBound(length: number, isBefore: (at: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const mid = (low + high) >>> 1;
    if (isBefore(mid)) low = mid + 1;
    else high = mid;
  }
  return low;
}

/** Bounds of all keys: none is empty, and those of a store are text or begin with a letter. */
const FIRST = new Uint8Array(0);
const LAST = Uint8Array.of(0xff);

const EMPTY = new Uint8Array(0);
/** So many new keys are put in their places one by one; for more, all keys are sorted. */
const INSERTED = 100;

/** {@link Blobs} in a map. */
export class MemoryBlobs implements Blobs {
  readonly #blobs = new Map<string, Uint8Array>();
  readonly #room: MemoryRoom;

  /** @param room for what it keeps; without, there is any */
  constructor(room = new MemoryRoom()) {
    this.#room = room;
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    this.#room.check({ heap: 0, outside: bytes.length });
    await this.delete(name);
    this.#room.take({ heap: 0, outside: bytes.length });
    this.#blobs.set(name, bytes);
  }

  async get(name: string): Promise<Uint8Array | undefined> {
    return this.#blobs.get(name);
  }

  async delete(name: string): Promise<void> {
    const bytes = this.#blobs.get(name);
    if (bytes === undefined) return;
    this.#room.take({ heap: 0, outside: -bytes.length });
    this.#blobs.delete(name);
  }

  async list(): Promise<string[]> {
    return [...this.#blobs.keys()];
  }
}
