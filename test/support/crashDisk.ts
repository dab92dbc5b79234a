/**
 * A disk that loses what was not synced: storage and blobs in memory, whose writes are first on their way and then, some
 * turns later, durable. A crash keeps what is durable and, of the rest, what chance lets it keep: of commits any number from
 * the first on, each whole or not at all, as LMDB promises; of a file that was being written nothing, all, or its first
 * bytes; of a deletion nothing or all.
 */
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import type { Blobs, CommitOptions, Entry, Puts, RangeOptions, Storage } from '../../host/storage/storage.js';
import { DiskFull } from '../../host/storeErrors.js';
import type { Random } from '../torture/random.js';

type Step = () => Promise<void>;

/** The disk as a process sees it, and as the next one will. */
export class CrashDisk {
  readonly #random: Random;
  readonly #wait: () => Promise<void>;
  /** What a process reads: everything it has written. */
  readonly #seen: { storage: MemoryStorage; blobs: MemoryBlobs };
  /** What is durable. */
  readonly #kept: { storage: MemoryStorage; blobs: MemoryBlobs };
  /** Commits on their way, oldest first. */
  #commits: Step[] = [];
  /** For each blob on its way, what a crash may leave of it. */
  readonly #files = new Map<string, (random: Random) => Promise<void>>();
  #crashed = false;
  /** Thrown by commits while it is set. */
  failure: Error | undefined;
  /** Whether it is full: only what makes room is written. */
  isFull = false;
  readonly storage: Storage;
  readonly blobs: Blobs;

  /** @param wait what a write takes, in which the power may go: some turns of the event loop unless given */
  constructor(
    random: Random,
    wait: () => Promise<void> = () => someTurns(random),
    kept = { storage: new MemoryStorage(), blobs: new MemoryBlobs() },
  ) {
    this.#random = random;
    this.#wait = wait;
    this.#kept = kept;
    this.#seen = { storage: new MemoryStorage(), blobs: new MemoryBlobs() };
    this.storage = this.#storage();
    this.blobs = this.#blobs();
  }

  /** Reads what is durable; before anything else. */
  async open(): Promise<this> {
    const all = [...this.#kept.storage.range(new Uint8Array([0]), new Uint8Array([255]))];
    await this.#seen.storage.commit(all, []);
    for (const name of await this.#kept.blobs.list())
      await this.#seen.blobs.put(name, (await this.#kept.blobs.get(name))!);
    return this;
  }

  /** The machine loses its power: the disk that the next process finds. */
  async crash(): Promise<CrashDisk> {
    this.#crashed = true;
    const commits = this.#commits.slice(0, this.#random.below(this.#commits.length + 1));
    for (const commit of commits) await commit();
    for (const leave of this.#files.values()) await leave(this.#random);
    return new CrashDisk(this.#random, this.#wait, this.#kept).open();
  }

  #storage(): Storage {
    const { storage } = this.#seen;
    return {
      get: (key) => storage.get(key),
      range: (from: Uint8Array, to: Uint8Array, options?: RangeOptions) => storage.range(from, to, options),
      snapshot: () => storage.snapshot(),
      commit: async (puts: Puts, deletes: readonly Uint8Array[], options?: CommitOptions) => {
        await this.#alive();
        if (this.failure !== undefined) throw this.failure;
        if (this.isFull && options?.freeing !== true) throw new DiskFull('the disk is full');
        const copies = Array.from(puts, ([key, value]): Entry => [key.slice(), value.slice()]);
        const write = () => this.#kept.storage.commit(copies, deletes);
        this.#commits.push(write);
        await this.#turns();
        // In order: those before it are durable first.
        while (this.#commits.includes(write)) await this.#commits.shift()!();
        await storage.commit(copies, deletes);
      },
      close: async () => {},
    };
  }

  #blobs(): Blobs {
    const { blobs } = this.#seen;
    const kept = this.#kept.blobs;
    return {
      get: (name) => blobs.get(name),
      list: () => blobs.list(),
      put: async (name, bytes) => {
        await this.#alive();
        if (this.failure !== undefined) throw this.failure;
        if (this.isFull) throw new DiskFull('the disk is full');
        const copy = bytes.slice();
        this.#files.set(name, async (random) => {
          const fate = random.below(3);
          if (fate === 0) return;
          await kept.put(name, fate === 1 ? copy : copy.slice(0, random.below(copy.length)));
        });
        await this.#turns();
        await kept.put(name, copy);
        this.#files.delete(name);
        await blobs.put(name, copy);
      },
      delete: async (name) => {
        await this.#alive();
        this.#files.set(name, async (random) => {
          if (random.chance(0.5)) await kept.delete(name);
        });
        await blobs.delete(name);
        await this.#turns();
        await kept.delete(name);
        this.#files.delete(name);
      },
    };
  }

  async #turns(): Promise<void> {
    await this.#wait();
    await this.#alive();
  }

  /** What is done after the crash is never done. */
  #alive(): Promise<void> {
    return this.#crashed ? new Promise(() => {}) : Promise.resolve();
  }
}

async function someTurns(random: Random): Promise<void> {
  for (let i = random.below(4); i >= 0; i--) await new Promise((resolve) => setImmediate(resolve));
}
