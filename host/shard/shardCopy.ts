/**
 * A copy of a shard on its way from one store to another: all rows of the shard as they were at one moment, and its segments. It is one sequence
 * of bytes, read in pieces from any place on:
 *
 *     the files of the manifest's segments, one after the other      then each row as  u32 length of the key   u32 length of the value   key   value
 *
 * The row of the place in the log is not among them: it is written with the last commit, which makes the copy one that counts.
 */
import { type Manifest, numberOfBlob } from './manifest.js';
import { type Kind, kindRange, shardKey, shardOfKey } from '../storage/records.js';
import {
  type Blobs,
  type BlobWriter,
  DamagedRow,
  type Entry,
  type Storage,
  type StorageSnapshot,
} from '../storage/storage.js';
import { Rows } from '../storage/rows.js';

/** A segment's file. */
export interface CopiedFile {
  readonly name: string;
  readonly bytes: number;
}

/** Where a piece begins: in a file, or behind a row. */
export type CopyPlace =
  | { readonly file: number; readonly from: number }
  /** The row behind the one with this key, in hexadecimal digits, and how many bytes of it come before. */
  | { readonly after: string; readonly from: number };

/** A piece, and where the next one begins; undefined after the last. */
export interface CopyPiece {
  readonly bytes: Uint8Array;
  readonly next: CopyPlace | undefined;
}

/** The kinds of rows that make a copy, as they are sorted. */
const KINDS: readonly Kind[] = ['b', 'c', 'd', 'h', 'i', 'k', 't', 'w', 'z'];
const HEAD_BYTES = 8;
/** No key of a store is longer. */
const MOST_KEY_BYTES = 1900;
/** Rows that are read at once. */
const ROWS_AT_ONCE = 1000;

/** Whether a store has a copy of a shard that counts, be it an empty one; not while it is being fetched or swept. */
export function hasCopy(storage: Storage, uid: number): boolean {
  if (storage.get(shardKey('g', uid)) !== undefined || isOutdated(storage, uid)) return false;
  return storage.get(shardKey('p', uid)) !== undefined || storage.get(shardKey('c', uid)) !== undefined;
}

/** Whether what a store has of a shard counts no more: it stays until another copy is written in its place. */
export function isOutdated(storage: Storage, uid: number): boolean {
  return storage.get(shardKey('o', uid)) !== undefined;
}

/** The row that says so. */
export function outdatedRow(uid: number): Entry {
  return [shardKey('o', uid), new Uint8Array(0)];
}

/** Whether a store has rows of a copy of a shard, be it one that counts no more, or that was removed in part. */
export function hasRows(storage: Storage, uid: number): boolean {
  return (['p', 'c', 'g', 'o'] as const).some((kind) => {
    try {
      return storage.get(shardKey(kind, uid)) !== undefined;
    } catch (e) {
      if (e instanceof DamagedRow) return true;
      throw e;
    }
  });
}

/** The copy's source: a moment of a shard that is held until it is released. */
export class CopySource {
  readonly files: readonly CopiedFile[];
  readonly #uid: number;
  readonly #rows: StorageSnapshot;
  readonly #blobs: Blobs;

  constructor(uid: number, rows: StorageSnapshot, blobs: Blobs, manifest: Manifest | undefined) {
    this.#uid = uid;
    this.#rows = rows;
    this.#blobs = blobs;
    this.files = (manifest?.segments ?? []).map(({ name, bytes }) => ({ name, bytes }));
  }

  /** A piece of about so many bytes. Throws where a file has gone, or is another than the manifest says. */
  async piece(place: CopyPlace, bytes: number): Promise<CopyPiece> {
    return 'file' in place
      ? this.#pieceOfFile(place.file, place.from, bytes)
      : this.#pieceOfRows(place, bytes);
  }

  async #pieceOfFile(number: number, from: number, most: number): Promise<CopyPiece> {
    const file = this.files[number];
    if (file === undefined) return this.#pieceOfRows({ after: '', from: 0 }, most);
    const wanted = Math.min(most, file.bytes - from);
    const bytes =
      this.#blobs.part === undefined
        ? (await this.#blobs.get(file.name))?.subarray(from, from + wanted)
        : await this.#blobs.part(file.name, from, wanted);
    if (bytes === undefined || bytes.length !== wanted)
      throw new Error(`the segment ${file.name} is not what it was`);
    const end = from + wanted;
    return { bytes, next: end < file.bytes ? { file: number, from: end } : { file: number + 1, from: 0 } };
  }

  #pieceOfRows({ after, from }: { after: string; from: number }, most: number): CopyPiece {
    const parts: Uint8Array[] = [];
    const until = from + most;
    let length = 0;
    let last = after;
    let lastEnd = 0;
    for (const [key, value] of this.#rowsAfter(fromHex(after))) {
      const head = new Uint8Array(HEAD_BYTES);
      const view = new DataView(head.buffer);
      view.setUint32(0, key.length);
      view.setUint32(4, value.length);
      parts.push(head, key, value);
      const begin = length;
      length += HEAD_BYTES + key.length + value.length;
      if (length > until) {
        const next = { after: last, from: until - begin };
        return { bytes: joined(parts).slice(from, until), next };
      }
      last = toHex(key);
      lastEnd = length;
      if (length === until) break;
    }
    const bytes = joined(parts).slice(from);
    return { bytes, next: lastEnd === until ? { after: last, from: 0 } : undefined };
  }

  /** In chunks: a range is not walked further than it has to be. */
  *#rowsAfter(after: Uint8Array): Iterable<readonly [Uint8Array, Uint8Array]> {
    const first = after.length === 0 ? 0 : KINDS.indexOf(String.fromCharCode(after[0]!) as Kind);
    for (const kind of KINDS.slice(Math.max(0, first))) {
      const range = kindRange(kind, this.#uid);
      let begin = range[0];
      if (after.length > 0 && after[0] === kind.charCodeAt(0)) begin = behind(after);
      for (;;) {
        const rows = [...this.#rows.range(begin, range[1], { limit: ROWS_AT_ONCE })];
        yield* rows;
        if (rows.length < ROWS_AT_ONCE) break;
        begin = behind(rows.at(-1)![0]);
      }
    }
  }
}

/** The copy's target: a shard that isn't open, and of whose rows none count until they all do. */
export class CopyTarget {
  readonly #storage: Storage;
  readonly #blobs: Blobs;
  readonly #uid: number;
  readonly #files: readonly CopiedFile[];
  #file = 0;
  #written = 0;
  #writer: BlobWriter | undefined;
  #whole: Uint8Array | undefined;
  /** Of a row whose end hasn't come yet. */
  #rest = new Uint8Array(0);
  /** Documents that have come. */
  documents = 0;

  /** Throws where the files aren't such as the shard has. */
  constructor(storage: Storage, blobs: Blobs, uid: number, files: readonly CopiedFile[]) {
    this.#storage = storage;
    this.#blobs = blobs;
    this.#uid = uid;
    this.#files = files;
    for (const { name } of files)
      if (numberOfBlob(uid, name) === 0) throw new Error(`[${name}] is no segment of it`);
    if (new Set(files.map(({ name }) => name)).size < files.length)
      throw new Error('a segment is there twice');
  }

  /** Files that are there. */
  get files(): number {
    return this.#file;
  }

  /** Writes the next piece; durable when the promise resolves. Throws where it isn't what follows. */
  async write(bytes: Uint8Array): Promise<void> {
    await this.#finishEmpty();
    const file = this.#files[this.#file];
    if (file !== undefined) return this.#writeFile(file, bytes);
    const rows = this.#rowsOf(this.#rest.length === 0 ? bytes : joined([this.#rest, bytes]));
    if (rows.length > 0) await this.#storage.commit(rows, []);
  }

  /** All pieces have come. Throws where something is missing. */
  async finish(): Promise<void> {
    await this.#finishEmpty();
    if (this.#file < this.#files.length || this.#rest.length > 0) throw new Error('the copy ends too early');
  }

  /** Lets go of a file that is being written. */
  async abandon(): Promise<void> {
    await this.#writer?.abandon();
    this.#writer = this.#whole = undefined;
  }

  async #finishEmpty(): Promise<void> {
    for (let file = this.#files[this.#file]; file?.bytes === 0; file = this.#files[this.#file])
      await this.#writeFile(file, this.#rest);
  }

  async #writeFile({ name, bytes: size }: CopiedFile, bytes: Uint8Array): Promise<void> {
    if (this.#written + bytes.length > size) throw new Error(`more bytes than the segment ${name} has`);
    if (this.#blobs.write !== undefined) {
      this.#writer ??= await this.#blobs.write(name);
      await this.#writer.append(bytes);
    } else {
      this.#whole ??= new Uint8Array(size);
      this.#whole.set(bytes, this.#written);
    }
    this.#written += bytes.length;
    if (this.#written < size) return;
    if (this.#writer === undefined) await this.#blobs.put(name, this.#whole!);
    else await this.#writer.finish();
    this.#writer = this.#whole = undefined;
    this.#written = 0;
    this.#file++;
  }

  /** The rows that have come to their end; what is left waits for the next piece. */
  #rowsOf(bytes: Uint8Array): Rows {
    const rows = new Rows();
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let at = 0;
    while (bytes.length - at >= HEAD_BYTES) {
      const [keyLength, valueLength] = [view.getUint32(at), view.getUint32(at + 4)];
      if (keyLength > MOST_KEY_BYTES) throw new Error('a key that is too long');
      const end = at + HEAD_BYTES + keyLength + valueLength;
      if (end > bytes.length) break;
      const key = bytes.subarray(at + HEAD_BYTES, at + HEAD_BYTES + keyLength);
      this.#check(key);
      rows.push(key, bytes.subarray(at + HEAD_BYTES + keyLength, end));
      at = end;
    }
    this.#rest = bytes.slice(at);
    return rows;
  }

  /** Only rows of the shard may come, in their order. */
  #check(key: Uint8Array): void {
    const isOurs =
      key.length >= 5 &&
      KINDS.includes(String.fromCharCode(key[0]!) as Kind) &&
      shardOfKey(key) === this.#uid;
    if (!isOurs) throw new Error('a row that is not of the shard');
    if (key[0] === DOCUMENT) this.documents++;
  }
}

const DOCUMENT = 'd'.charCodeAt(0);

function behind(key: Uint8Array): Uint8Array {
  return Uint8Array.of(...key, 0);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function fromHex(text: string): Uint8Array {
  return Uint8Array.from({ length: text.length / 2 }, (_, i) =>
    Number.parseInt(text.slice(2 * i, 2 * i + 2), 16),
  );
}
