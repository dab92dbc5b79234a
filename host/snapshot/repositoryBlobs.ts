/** The blobs of a repository: calls end with its signal, and their failures are errors of the repository. */
import { ElasticsearchError } from '../errors.js';
import type { Blobs } from '../storage/storage.js';
import { DiskFull, StoreFailed } from '../storeErrors.js';
import { sha256 } from './sha256.js';

/** What is longer is not copied for its checksum, where that can be helped; what is shorter has it computed beside this thread. */
const LONG = 16 * 1024 * 1024;

export class RepositoryBlobs {
  readonly #repository: string;
  readonly #blobs: Blobs;
  readonly #signal: AbortSignal | undefined;

  constructor(repository: string, blobs: Blobs, signal?: AbortSignal) {
    this.#repository = repository;
    this.#blobs = blobs;
    this.#signal = signal;
  }

  put(name: string, bytes: Uint8Array): Promise<void> {
    return this.#failing(this.#blobs.put(name, bytes, this.#signal));
  }

  get(name: string): Promise<Uint8Array | undefined> {
    return this.#failing(this.#blobs.get(name, this.#signal));
  }

  /** In hexadecimal digits. */
  sha256(bytes: Uint8Array): Promise<string> {
    return (bytes.length > LONG ? this.#blobs.sha256?.(bytes) : undefined) ?? sha256(bytes);
  }

  /** {@link Blobs.holds}; undefined where the bytes have to be read for that. */
  async holds(name: string, bytes: Uint8Array): Promise<boolean | undefined> {
    const asked = this.#blobs.holds?.(name, bytes, this.#signal);
    return asked === undefined ? undefined : this.#failing(asked);
  }

  delete(name: string): Promise<void> {
    return this.#failing(this.#blobs.delete(name, this.#signal));
  }

  /** The names that begin with a prefix. */
  async list(prefix: string): Promise<string[]> {
    const names = await this.#failing(this.#blobs.list(prefix, this.#signal));
    return names.filter((name) => name.startsWith(prefix));
  }

  async #failing<T>(call: Promise<T>): Promise<T> {
    try {
      return await call;
    } catch (e) {
      if (e instanceof ElasticsearchError || e instanceof DiskFull || e instanceof StoreFailed) throw e;
      const problem = e instanceof Error ? e.message : String(e);
      throw new ElasticsearchError('RepositoryException', `[${this.#repository}] ${problem}`);
    }
  }
}
