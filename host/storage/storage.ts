/** The engine's only way to keep anything: an ordered key-value store, and named blobs for segment images. */
import { knownByName, type StoreFailed } from '../storeErrors.js';

/** A key and its value. */
export type Entry = readonly [key: Uint8Array, value: Uint8Array];

/** Rows that are to be put. */
export interface Puts extends Iterable<Entry> {
  readonly length: number;
}

/** How a range is walked. */
export interface RangeOptions {
  /** From the end backwards. */
  reverse?: boolean;
  /** At most that many entries. */
  limit?: number;
  /** Values stay empty, which is cheaper. */
  keysOnly?: boolean;
  /** Told of damaged rows, which are left out then; without, the walk ends with an error at the first. */
  damaged?: (error: DamagedRow) => void;
}

/** How a commit is made. */
export interface CommitOptions {
  /** It makes room, as deletions do: where a store keeps a reserve of its disk, this may use it. */
  freeing?: boolean;
  /**
   * It may be durable only so many milliseconds after its promise resolved, where the store can gather such commits; until
   * then a crash loses it, together with those after it.
   */
  within?: number;
}

/** A row is not what was written. */
export class DamagedRow extends Error {
  /** What Lucene calls it. */
  override readonly name = 'CorruptIndexException';
  readonly key: Uint8Array;
  /** What is there. */
  readonly value: Uint8Array;

  constructor(key: Uint8Array, value: Uint8Array) {
    super(`checksum failed: the row ${nameOfRow(key)} of the store is not what was written`);
    this.key = key.slice();
    this.value = value.slice();
  }
}

knownByName(DamagedRow, 'CorruptIndexException', 'key', 'value');

/** A key with what is no printable ASCII as hexadecimal numbers. */
function nameOfRow(key: Uint8Array): string {
  const printed = (byte: number) =>
    byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`;
  return Array.from(key, printed).join('');
}

/** The rows of a store as they were at one moment, whatever is committed after it. */
export interface StorageSnapshot {
  /** As of a store, and not to be walked across an `await` either. Throws where the store was closed meanwhile. */
  range(from: Uint8Array, to: Uint8Array, options?: RangeOptions): Iterable<Entry>;
  /** Lets go of the rows; until then the store can't use the room of those that are replaced or deleted. */
  release(): void;
}

/** An ordered store of bytes by bytes. Keys are compared byte by byte; none is longer than 1,900 bytes. */
export interface Storage {
  /** The value of a key as last committed. The bytes belong to the caller. Throws {@link DamagedRow} where that isn't known any more. */
  get(key: Uint8Array): Uint8Array | undefined;
  /** Entries with `from <= key < to`. Not to be walked across an `await`. */
  range(from: Uint8Array, to: Uint8Array, options?: RangeOptions): Iterable<Entry>;
  /**
   * Writes all of it or nothing; durable when the promise resolves. Calls take effect in their order. One that fails
   * leaves the store as it was, and says nothing of those after it. The rows must stay as they are until then.
   */
  commit(puts: Puts, deletes: readonly Uint8Array[], options?: CommitOptions): Promise<void>;
  /**
   * Has other threads read rows into memory where reading them may wait for a disk; undefined where it hardly will, or where the store can't
   * do that. Rows that aren't there are left out.
   */
  prefetch?(keys: readonly Uint8Array[]): Promise<void> | undefined;
  /**
   * The rows as they are now, to be released; undefined while commits that were answered are not written yet, see {@link written}. Stores
   * that can't do that have no such method.
   */
  snapshot?(): StorageSnapshot | undefined;
  /** Resolves when all commits that were answered before are written. */
  written?(): Promise<void>;
  /** Whether {@link prefetch} has something to do now. */
  readonly isCold?: boolean;
  /** Why the store takes no writes any more. */
  readonly failure?: StoreFailed | undefined;
  /** Bytes of the heap that the rows take, about; undefined where they are kept elsewhere. */
  readonly heapBytes?: number;
  /** Bytes on the disk that are in use, those of deleted rows not among them; undefined where there is no such file. */
  readonly usedBytes?: number;
  /** Lets go of the store; what was committed stays. */
  close(): Promise<void>;
}

/** A blob that is being put. */
export interface BlobWriter {
  append(bytes: Uint8Array): Promise<void>;
  /** It is there, durable and whole, when the promise resolves. */
  finish(): Promise<void>;
  /** Nothing stays of it. */
  abandon(): Promise<void>;
}

/** Immutable byte strings by name. Calls that take long, as over a network, reject once their signal is aborted. */
export interface Blobs {
  /** Durable, and whole, when the promise resolves. */
  put(name: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void>;
  get(name: string, signal?: AbortSignal): Promise<Uint8Array | undefined>;
  /** Bytes of a blob from a place on, fewer where it ends; undefined where there is no such blob. For large ones, instead of {@link get}. */
  part?(name: string, from: number, bytes: number): Promise<Uint8Array | undefined>;
  /** Puts a blob piece by piece: there is none of that name until it is finished. For large ones, instead of {@link put}. */
  write?(name: string): Promise<BlobWriter>;
  /** Whether these bytes are what is kept under a name, where that can be told without reading them back. */
  holds?(name: string, bytes: Uint8Array, signal?: AbortSignal): Promise<boolean>;
  /** Whether {@link get} hands out bytes that nobody else has. */
  readonly handsOver?: boolean;
  /** The SHA-256 of bytes in hexadecimal digits, where it can be had without a copy of them. */
  sha256?(bytes: Uint8Array): Promise<string>;
  /** Deleting what isn't there is fine. */
  delete(name: string, signal?: AbortSignal): Promise<void>;
  /** All names; with a prefix, those that don't begin with it may be left out. */
  list(prefix?: string, signal?: AbortSignal): Promise<string[]>;
}

/** Byte order of keys. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const n = Math.min(a.length, b.length);
  for (let i = 0; i < n; i++) {
    const d = a[i]! - b[i]!;
    if (d !== 0) return d;
  }
  return a.length - b.length;
}
