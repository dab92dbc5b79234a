/** {@link Blobs} as files of one folder: written aside, synced, renamed, and the folder synced. */
import { randomBytes } from 'node:crypto';
import { type FileHandle, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, syncPath } from './folders.js';
import type { FreeDiskCheck } from './freeDisk.js';
import { slicedSha256 } from './slicedSha256.js';
import type { Blobs, BlobWriter } from './storage.js';

const ASIDE = '.part';
/** Milliseconds after which nobody writes a file any more that is half-written in a folder which several processes share. */
const ABANDONED_MS = 24 * 60 * 60_000;
/**
 * Files are written in pieces of so many bytes. For a larger one the kernel takes its cache from larger free blocks of memory: on a
 * virtual machine that may be memory which the host has to find first, and then a page takes five times as long.
 */
const PIECE_BYTES = 64 * 1024;
/** Files are compared in pieces of so many bytes. */
const COMPARED_BYTES = 1024 * 1024;

/** A folder of immutable files. */
export class FileBlobs implements Blobs {
  readonly #folder: string;
  readonly #room: FreeDiskCheck | undefined;
  readonly #isShared: boolean;

  private constructor(folder: string, room: FreeDiskCheck | undefined, isShared: boolean) {
    this.#folder = folder;
    this.#room = room;
    this.#isShared = isShared;
  }

  /** Opens or makes the folder, and sweeps away what an earlier process left half-written. */
  static async open(folder: string, room?: FreeDiskCheck): Promise<FileBlobs> {
    await makeFolder(folder);
    for (const name of await readdir(folder)) {
      if (name.endsWith(ASIDE)) await rm(join(folder, name), { force: true });
    }
    return new FileBlobs(folder, room, false);
  }

  /** The same of a folder that other processes may write at the same time, the same files too: what is half-written is left for a day. */
  static async openShared(folder: string): Promise<FileBlobs> {
    await makeFolder(folder);
    for (const name of await readdir(folder)) {
      if (!name.endsWith(ASIDE)) continue;
      const path = join(folder, name);
      const written = await stat(path).catch(() => undefined);
      if (written !== undefined && Date.now() - written.mtimeMs > ABANDONED_MS)
        await rm(path, { force: true });
    }
    return new FileBlobs(folder, undefined, true);
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    const refusal = this.#room?.refusal();
    if (refusal !== undefined) throw refusal;
    const path = this.#path(name);
    const aside = this.#aside(path);
    try {
      await writeSynced(aside, bytes);
      await rename(aside, path);
    } catch (e) {
      await rm(aside, { force: true });
      throw e;
    }
    await syncPath(this.#folder);
  }

  readonly handsOver = true;

  async get(name: string): Promise<Uint8Array | undefined> {
    try {
      return await readFile(this.#path(name));
    } catch (e) {
      if ((e as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw e;
    }
  }

  async part(name: string, from: number, bytes: number): Promise<Uint8Array | undefined> {
    const file = await open(this.#path(name), 'r').catch((e: NodeJS.ErrnoException) => {
      if (e.code === 'ENOENT') return undefined;
      throw e;
    });
    if (file === undefined) return undefined;
    try {
      const { size } = await file.stat();
      const piece = new Uint8Array(Math.max(0, Math.min(bytes, size - from)));
      for (let at = 0; at < piece.length; ) {
        const { bytesRead } = await file.read(piece, at, piece.length - at, from + at);
        if (bytesRead === 0) return piece.subarray(0, at);
        at += bytesRead;
      }
      return piece;
    } finally {
      await file.close();
    }
  }

  async write(name: string): Promise<BlobWriter> {
    const path = this.#path(name);
    const room = this.#room;
    const aside = this.#aside(path);
    const file = await open(aside, 'w');
    return {
      append: async (bytes) => {
        const refusal = room?.refusal();
        if (refusal !== undefined) throw refusal;
        await writeInPieces(file, bytes);
      },
      finish: async () => {
        await file.datasync();
        await file.close();
        await rename(aside, path);
        await syncPath(this.#folder);
      },
      abandon: async () => {
        await file.close().catch(() => {});
        await rm(aside, { force: true });
      },
    };
  }

  async holds(name: string, bytes: Uint8Array): Promise<boolean> {
    try {
      return await isSame(this.#path(name), bytes);
    } catch (e) {
      if ((e as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw e;
    }
  }

  readonly sha256 = slicedSha256;

  async delete(name: string): Promise<void> {
    await rm(this.#path(name), { force: true });
  }

  async list(): Promise<string[]> {
    return (await readdir(this.#folder)).filter((name) => !name.endsWith(ASIDE));
  }

  /** Where a file is written before it has its name. */
  #aside(path: string): string {
    return this.#isShared ? `${path}.${randomBytes(6).toString('hex')}${ASIDE}` : path + ASIDE;
  }

  #path(name: string): string {
    if (!/^[\w.-]+$/.test(name) || name.startsWith('.')) throw new Error(`not a blob name: ${name}`);
    return join(this.#folder, name);
  }
}

async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'w');
  try {
    await writeInPieces(file, bytes);
    await file.datasync();
  } finally {
    await file.close();
  }
}

async function writeInPieces(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, at, Math.min(PIECE_BYTES, bytes.length - at));
    at += bytesWritten;
  }
}

/** Compares a file with bytes without having all of it in memory. */
async function isSame(path: string, bytes: Uint8Array): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    if ((await file.stat()).size !== bytes.length) return false;
    const piece = Buffer.allocUnsafe(Math.min(COMPARED_BYTES, bytes.length));
    for (let at = 0; at < bytes.length; ) {
      const { bytesRead } = await file.read(piece, 0, Math.min(piece.length, bytes.length - at), at);
      if (bytesRead === 0 || piece.compare(bytes, at, at + bytesRead, 0, bytesRead) !== 0) return false;
      at += bytesRead;
    }
    return true;
  } finally {
    await file.close();
  }
}
