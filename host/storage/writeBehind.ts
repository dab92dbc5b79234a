/**
 * A store in front of another that may be late: commits that need not be durable at once are answered when they can be read,
 * and written together some time later. What was not written when the process ends is lost. All commits still take effect
 * in their order: one that must be durable waits for those before it.
 */
import {
  compareBytes,
  type CommitOptions,
  type Entry,
  type Puts,
  type RangeOptions,
  type Storage,
  type StorageSnapshot,
} from './storage.js';
import type { StoreFailed } from '../storeErrors.js';

/** More bytes than this don't wait, and their commits wait for the store. */
const MOST_BYTES = 16 * 1024 * 1024;
/** What could not be written is tried again after so many milliseconds, or with the next commit. */
const RETRY_MS = 1000;

/** Calls back later; what it returns cancels that. */
export interface Timers {
  after(ms: number, callback: () => void): () => void;
}

interface Change {
  key: Uint8Array;
  /** Undefined for a deleted one. */
  value: Uint8Array | undefined;
}

type Changes = Map<string, Change>;

/** The store; without late commits it does nothing but pass on. */
export class WriteBehind implements Storage {
  readonly #inner: Storage;
  readonly #timers: Timers;
  readonly #warn: (message: string) => void;
  /** Not written yet, the newest change of each key. */
  #late: Changes = new Map();
  #bytes = 0;
  /** Being written. */
  #leaving: Changes = new Map();
  #writing: Promise<void> | undefined;
  #timer: (() => void) | undefined;
  /** Why the last writing failed. */
  #failure: unknown;

  constructor(inner: Storage, timers: Timers, warn: (message: string) => void) {
    this.#inner = inner;
    this.#timers = timers;
    this.#warn = warn;
  }

  get(key: Uint8Array): Uint8Array | undefined {
    if (this.#empty) return this.#inner.get(key);
    const name = nameOf(key);
    const change = this.#late.get(name) ?? this.#leaving.get(name);
    return change === undefined ? this.#inner.get(key) : change.value;
  }

  get isCold(): boolean {
    return this.#inner.isCold === true;
  }

  prefetch(keys: readonly Uint8Array[]): Promise<void> | undefined {
    return this.#inner.prefetch?.(keys);
  }

  range(from: Uint8Array, to: Uint8Array, options: RangeOptions = {}): Iterable<Entry> {
    if (this.#empty) return this.#inner.range(from, to, options);
    const within = new Map<string, Change>();
    for (const changes of [this.#leaving, this.#late]) {
      for (const [name, change] of changes) {
        if (compareBytes(change.key, from) >= 0 && compareBytes(change.key, to) < 0) within.set(name, change);
      }
    }
    return within.size === 0
      ? this.#inner.range(from, to, options)
      : this.#merged([...within.values()], from, to, options);
  }

  snapshot(): StorageSnapshot | undefined {
    return this.#empty ? this.#inner.snapshot?.() : undefined;
  }

  async written(): Promise<void> {
    if (!this.#empty) await this.#write();
    await this.#inner.written?.();
  }

  async commit(puts: Puts, deletes: readonly Uint8Array[], options: CommitOptions = {}): Promise<void> {
    const { within } = options;
    if (within === undefined) {
      if (!this.#empty) await this.#write();
      return this.#inner.commit(puts, deletes, options);
    }
    // What could not be written is tried again; until it can be, nothing is promised.
    if (this.#failure !== undefined) await this.#write();
    for (const [key, value] of puts) this.#add({ key, value });
    for (const key of deletes) this.#add({ key, value: undefined });
    if (this.#bytes > MOST_BYTES) return this.#write();
    this.#writeLater(within);
  }

  get failure(): StoreFailed | undefined {
    return this.#inner.failure;
  }

  async close(): Promise<void> {
    this.#timer?.();
    try {
      if (!this.#empty) await this.#write();
    } finally {
      await this.#inner.close();
    }
  }

  #writeLater(ms: number): void {
    this.#timer ??= this.#timers.after(ms, () => {
      this.#timer = undefined;
      this.#write().catch((e) => {
        this.#warn(`late writes: ${e instanceof Error ? e.message : e}`);
      });
    });
  }

  get #empty(): boolean {
    return this.#late.size === 0 && this.#leaving.size === 0;
  }

  #add(change: Change): void {
    const name = nameOf(change.key);
    this.#late.set(name, change);
    this.#bytes += change.key.length + (change.value?.length ?? 0);
  }

  /** Writes all that is late now. */
  async #write(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing.catch(() => {});
    if (this.#late.size === 0) return;
    this.#timer?.();
    this.#timer = undefined;
    this.#leaving = this.#late;
    this.#late = new Map();
    this.#bytes = 0;
    this.#writing = this.#leave().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  async #leave(): Promise<void> {
    const puts: Entry[] = [];
    const deletes: Uint8Array[] = [];
    for (const { key, value } of this.#leaving.values()) {
      if (value === undefined) deletes.push(key);
      else puts.push([key, value]);
    }
    try {
      await this.#inner.commit(puts, deletes);
      this.#failure = undefined;
    } catch (e) {
      this.#failure = e;
      // They stay; newer changes of the same keys go before them.
      const newer = this.#late;
      this.#late = this.#leaving;
      for (const [name, change] of newer) this.#late.set(name, change);
      this.#writeLater(RETRY_MS);
      throw e;
    } finally {
      this.#leaving = new Map();
    }
  }

  *#merged(
    changes: Change[],
    from: Uint8Array,
    to: Uint8Array,
    { reverse = false, limit = Number.POSITIVE_INFINITY, keysOnly = false, damaged }: RangeOptions,
  ): Generator<Entry, void, undefined> {
    const order = reverse
      ? (a: Uint8Array, b: Uint8Array) => compareBytes(b, a)
      : (a: Uint8Array, b: Uint8Array) => compareBytes(a, b);
    changes.sort((a, b) => order(a.key, b.key));
    let at = 0;
    let left = limit;
    const shown = (key: Uint8Array, value: Uint8Array): Entry => [key, keysOnly ? EMPTY : value];
    const inner = { reverse, keysOnly, ...(damaged === undefined ? {} : { damaged }) };
    for (const [key, value] of this.#inner.range(from, to, inner)) {
      for (; at < changes.length && order(changes[at]!.key, key) < 0; at++) {
        const change = changes[at]!;
        if (change.value === undefined) continue;
        if (left-- <= 0) return;
        yield shown(change.key, change.value);
      }
      const same = at < changes.length && order(changes[at]!.key, key) === 0 ? changes[at++] : undefined;
      if (same !== undefined && same.value === undefined) continue;
      if (left-- <= 0) return;
      yield shown(key, same?.value ?? value);
    }
    for (; at < changes.length; at++) {
      const change = changes[at]!;
      if (change.value === undefined) continue;
      if (left-- <= 0) return;
      yield shown(change.key, change.value);
    }
  }
}

const EMPTY = new Uint8Array(0);

/** Latin-1 of the bytes. */
function nameOf(bytes: Uint8Array): string {
  let out = '';
  for (let i = 0; i < bytes.length; i++) out += String.fromCharCode(bytes[i]!);
  return out;
}
