/** The store of a server with several coordinators: they know of every commit before anybody is told that it is durable. */
import { INDEX_RANGE, nameInKey } from '../../storage/records.js';
import { Rows } from '../../storage/rows.js';
import {
  type CommitOptions,
  compareBytes,
  type Entry,
  type Puts,
  type RangeOptions,
  type Storage,
} from '../../storage/storage.js';

/** Told of commits. */
export interface CommitListener {
  /** Rows were committed. @param indices names of the indices whose metadata were among them */
  committed(indices: readonly string[]): void;
}

/** What the keys of metadata begin with; those of documents don't. */
const METADATA = INDEX_RANGE[0][0]!;

export class PublishedStorage implements Storage {
  readonly #inner: Storage;
  readonly #listener: CommitListener;

  constructor(inner: Storage, listener: CommitListener) {
    this.#inner = inner;
    this.#listener = listener;
  }

  get failure(): Storage['failure'] {
    return this.#inner.failure;
  }

  get(key: Uint8Array): Uint8Array | undefined {
    return this.#inner.get(key);
  }

  get isCold(): boolean {
    return this.#inner.isCold === true;
  }

  prefetch(keys: readonly Uint8Array[]): Promise<void> | undefined {
    return this.#inner.prefetch?.(keys);
  }

  range(from: Uint8Array, to: Uint8Array, options?: RangeOptions): Iterable<Entry> {
    return this.#inner.range(from, to, options);
  }

  async commit(puts: Puts, deletes: readonly Uint8Array[], options?: CommitOptions): Promise<void> {
    const indices = indicesIn(puts, deletes);
    await this.#inner.commit(puts, deletes, options);
    this.#listener.committed(indices);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}

/** The indices whose metadata are changed by rows. */
function indicesIn(puts: Puts, deletes: readonly Uint8Array[]): string[] {
  const names: string[] = [];
  const look = (key: Uint8Array) => {
    if (compareBytes(key, INDEX_RANGE[0]) >= 0 && compareBytes(key, INDEX_RANGE[1]) < 0)
      names.push(nameInKey(key));
  };
  if (puts instanceof Rows) {
    // A bulk has thousands, none of which becomes an object.
    const { bytes, length } = puts;
    for (let row = 0; row < length; row++) {
      const at = puts.keyAt(row);
      if (bytes[at] === METADATA) look(bytes.slice(at, puts.valueAt(row)));
    }
  } else for (const [key] of puts) look(key);
  for (const key of deletes) look(key);
  return names;
}
