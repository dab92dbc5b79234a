/** The stores that keep nothing: for tests, browsers and `--data :memory:`. */
import {
  type Blobs,
  compareBytes,
  type Entry,
  type Puts,
  type RangeOptions,
  type Storage,
} from './storage.js';

/** Latin-1 of the bytes: its string order is the order of the bytes, and it can be a key of a map. */
function keyOf(bytes: Uint8Array): string {
  let out = '';
  for (let i = 0; i < bytes.length; i++) out += String.fromCharCode(bytes[i]!);
  return out;
}

/** {@link Storage} in a map; the order of its keys is made when a range needs it. */
export class MemoryStorage implements Storage {
  readonly #entries = new Map<string, Entry>();
  #sorted: Uint8Array[] = [];
  /** Keys put since `#sorted` was made; deleted ones are skipped when walking. */
  #added: Uint8Array[] = [];

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

  async commit(puts: Puts, deletes: readonly Uint8Array[]): Promise<void> {
    for (const [key, value] of puts) {
      const k = keyOf(key);
      if (!this.#entries.has(k)) this.#added.push(key);
      this.#entries.set(k, [key, value]);
    }
    for (const key of deletes) this.#entries.delete(keyOf(key));
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
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const mid = (low + high) >>> 1;
      if (compareBytes(this.#sorted[mid]!, key) < 0) low = mid + 1;
      else high = mid;
    }
    return low;
  }
}

const EMPTY = new Uint8Array(0);
/** So many new keys are put in their places one by one; for more, all keys are sorted. */
const INSERTED = 100;

/** {@link Blobs} in a map. */
export class MemoryBlobs implements Blobs {
  readonly #blobs = new Map<string, Uint8Array>();

  async put(name: string, bytes: Uint8Array): Promise<void> {
    this.#blobs.set(name, bytes);
  }

  async get(name: string): Promise<Uint8Array | undefined> {
    return this.#blobs.get(name);
  }

  async delete(name: string): Promise<void> {
    this.#blobs.delete(name);
  }

  async list(): Promise<string[]> {
    return [...this.#blobs.keys()];
  }
}
