/**
 * A {@link Journal} in two files. One counts, that of the higher generation; the other one takes its place when the journal is written anew.
 * They are there from the beginning, so that nothing hangs on when a folder's entries are written. Each is, little endian:
 *
 *      0   u32   4a4c4252
 *      4   u32   generation
 *      8   u32   a number by chance, the seed of the checksums: no document can look like a frame
 *     12   u32   XXH32 of these twelve bytes
 *     16   frames: u32 bytes of the batches, u32 XXH32 of that number, u32 XXH32 of the batches, batches (rowBatches.ts)
 */
import { DiskFull, StoreFailed } from '../storeErrors.js';
import { defaultTurn, type Turn } from '../turn.js';
import { type Journal, JournalDamaged } from './journal.js';
import { xxh32 } from './xxh32.js';

const MAGIC = 0x4a4c4252;
const HEAD_BYTES = 16;
const FRAME_BYTES = 12;
/** What is looked through at once for a frame. */
const PIECE_BYTES = 1024 * 1024;

/** The part of a sync access handle that is used. */
export interface SyncFile {
  getSize(): number;
  read(into: Uint8Array, options: { at: number }): number;
  write(bytes: Uint8Array, options: { at: number }): number;
  truncate(size: number): void;
  flush(): void;
  close(): void;
}

/** A journal in two files. */
export class FileJournal implements Journal {
  readonly #files: readonly [SyncFile, SyncFile];
  readonly #turn: Turn = defaultTurn();
  /** The one that counts. */
  #current = 0;
  #generation = 0;
  #seed = 0;
  /** Where the next frame goes. */
  #end = HEAD_BYTES;
  failure: StoreFailed | undefined;

  /** @throws JournalDamaged where neither file is one */
  constructor(files: readonly [SyncFile, SyncFile]) {
    this.#files = files;
    const heads = files.map(headOf);
    const found = heads.findLastIndex((head) => head !== undefined);
    if (found < 0) {
      // Nothing was acknowledged before the first head was there.
      if (files.some((file) => file.getSize() > HEAD_BYTES))
        throw new JournalDamaged('the journal has no head');
      this.#begin(0, 1);
      return;
    }
    const other = heads[0];
    this.#current = other !== undefined && other.generation > heads[found]!.generation ? 0 : found;
    const head = heads[this.#current]!;
    this.#generation = head.generation;
    this.#seed = head.seed;
  }

  get #file(): SyncFile {
    return this.#files[this.#current]!;
  }

  async *read(): AsyncGenerator<Uint8Array, void, undefined> {
    const size = this.#file.getSize();
    while (this.#end < size) {
      const batches = this.#frameAt(this.#end, size);
      if (batches === undefined) {
        // A frame that was being written when all ended was not acknowledged, and none comes after it: the next one takes its place.
        if (!this.#hasFrameAfter(this.#end, size)) return;
        throw new JournalDamaged(`the journal is damaged at ${this.#end}`);
      }
      this.#end += FRAME_BYTES + batches.length;
      yield batches;
    }
  }

  async append(batches: Uint8Array<ArrayBuffer>): Promise<void> {
    if (this.failure !== undefined) throw this.failure;
    const file = this.#file;
    try {
      writeFrame(file, this.#end, batches, this.#seed);
    } catch (e) {
      file.truncate(this.#end);
      throw errorOf(e);
    }
    this.#flush(file);
    this.#end += FRAME_BYTES + batches.length;
    // What came while nothing else could run goes together next.
    await new Promise<void>((resolve) => this.#turn(resolve));
  }

  async replace(pieces: Iterable<Uint8Array<ArrayBuffer>>): Promise<void> {
    if (this.failure !== undefined) throw this.failure;
    const next = 1 - this.#current;
    const file = this.#files[next]!;
    const seed = newSeed();
    let end = HEAD_BYTES;
    try {
      file.truncate(0);
      for (const piece of pieces) {
        writeFrame(file, end, piece, seed);
        end += FRAME_BYTES + piece.length;
      }
      // Its head makes it count, so the rest has to be there before.
      file.flush();
    } catch (e) {
      file.truncate(0);
      throw errorOf(e);
    }
    const old = this.#file;
    this.#begin(next, this.#generation + 1, seed);
    this.#end = end;
    old.truncate(0);
  }

  async close(): Promise<void> {
    for (const file of this.#files) file.close();
  }

  /** Makes a file count. */
  #begin(number: number, generation: number, seed = newSeed()): void {
    const head = new Uint8Array(HEAD_BYTES);
    const view = new DataView(head.buffer);
    view.setUint32(0, MAGIC, true);
    view.setUint32(4, generation, true);
    view.setInt32(8, seed, true);
    view.setInt32(12, xxh32(view, 0, 12), true);
    const file = this.#files[number]!;
    write(file, head, 0);
    this.#flush(file);
    this.#current = number;
    this.#generation = generation;
    this.#seed = seed;
  }

  /** After a failure nobody knows what is on the disk. */
  #flush(file: SyncFile): void {
    try {
      file.flush();
    } catch (e) {
      this.failure = new StoreFailed(e instanceof Error ? e.message : String(e));
      throw this.failure;
    }
  }

  /** The batches of a frame; undefined where none is whole. */
  #frameAt(at: number, size: number): Uint8Array | undefined {
    const length = this.#lengthAt(at, size);
    if (length === undefined) return undefined;
    const frame = new Uint8Array(FRAME_BYTES + length);
    if (this.#file.read(frame, { at }) < frame.length) return undefined;
    const view = new DataView(frame.buffer);
    const sum = xxh32(view, FRAME_BYTES, frame.length, this.#seed);
    return view.getInt32(8, true) === sum ? frame.subarray(FRAME_BYTES) : undefined;
  }

  /** How long the batches of a frame are; undefined where none begins, or none that fits in. */
  #lengthAt(at: number, size: number, head = this.#bytesAt(at, FRAME_BYTES), from = 0): number | undefined {
    const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
    const length = view.getUint32(from, true);
    if (at + FRAME_BYTES + length > size) return undefined;
    return view.getInt32(from + 4, true) === xxh32(view, from, from + 4, this.#seed) ? length : undefined;
  }

  /** Whether a whole frame begins anywhere behind a place. */
  #hasFrameAfter(place: number, size: number): boolean {
    for (let at = place + 1; at + FRAME_BYTES <= size; at += PIECE_BYTES) {
      const piece = this.#bytesAt(at, Math.min(PIECE_BYTES + FRAME_BYTES, size - at));
      const last = Math.min(PIECE_BYTES - 1, piece.length - FRAME_BYTES);
      for (let from = 0; from <= last; from++) {
        const isHead = this.#lengthAt(at + from, size, piece, from) !== undefined;
        if (isHead && this.#frameAt(at + from, size) !== undefined) return true;
      }
    }
    return false;
  }

  #bytesAt(at: number, length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    this.#file.read(bytes, { at });
    return bytes;
  }
}

/** What the head of a file says; undefined where it has none. */
function headOf(file: SyncFile): { generation: number; seed: number } | undefined {
  const head = new Uint8Array(HEAD_BYTES);
  if (file.read(head, { at: 0 }) < HEAD_BYTES) return undefined;
  const view = new DataView(head.buffer);
  if (view.getUint32(0, true) !== MAGIC || view.getInt32(12, true) !== xxh32(view, 0, 12)) return undefined;
  return { generation: view.getUint32(4, true), seed: view.getInt32(8, true) };
}

function newSeed(): number {
  return crypto.getRandomValues(new Int32Array(1))[0]!;
}

function writeFrame(file: SyncFile, at: number, batches: Uint8Array, seed: number): void {
  const head = new DataView(new ArrayBuffer(FRAME_BYTES));
  head.setUint32(0, batches.length, true);
  head.setInt32(4, xxh32(head, 0, 4, seed), true);
  const view = new DataView(batches.buffer, batches.byteOffset, batches.byteLength);
  head.setInt32(8, xxh32(view, 0, batches.length, seed), true);
  write(file, new Uint8Array(head.buffer), at);
  write(file, batches, at + FRAME_BYTES);
}

/** Writes all of it. */
export function write(file: SyncFile, bytes: Uint8Array, at: number): void {
  if (file.write(bytes, { at }) < bytes.length)
    throw new DiskFull('the browser has not written all of a file');
}

/** What a write has failed with, in words of the engine's own where there are such. */
export function errorOf(e: unknown): unknown {
  if (!(e instanceof DOMException) || e.name !== 'QuotaExceededError') return e;
  return new DiskFull('the browser lets this origin keep no more; reads go on, writes do when there is room');
}
