/** What is read: a file or the standard input, unpacked. */
import { createReadStream, type ReadStream, statSync } from 'node:fs';
import type { Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as zlib from 'node:zlib';
import { UsageError } from '../flags.js';
import { LOOKED_AT } from './format.js';
import { hasZstd, Unzstd } from './zstd.js';

/** The name of the standard input. */
export const STANDARD_INPUT = '-';

const READ_BYTES = 1024 * 1024;
const UNPACKED_BYTES = 256 * 1024;
const LINE_FEED = 0x0a;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const GZIP = Buffer.from([0x1f, 0x8b]);
const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
const UTF16 = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])];

/** What tells that a file is the one it was. */
export interface Identity {
  bytes: number;
  modifiedMs: number;
}

/** The identity of a file; undefined for the standard input. Throws {@link UsageError} where there is no such file. */
export function identityOf(file: string): Identity | undefined {
  if (file === STANDARD_INPUT) return undefined;
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) throw new UsageError(`there is no file ${file}`);
  if (stats.isDirectory()) throw new UsageError(`${file} is a folder`);
  return { bytes: stats.size, modifiedMs: stats.mtimeMs };
}

export class Input {
  readonly #file: string;
  readonly #raw: Readable;
  readonly #chunks: AsyncIterator<Buffer>;
  /** What was read already. */
  readonly #ahead: Buffer[];
  readonly isPacked: boolean;
  /** How it begins, without a byte order mark. */
  readonly head: Buffer;
  /** Bytes of the byte order mark. */
  readonly start: number;
  /** Bytes of the file before those that are read. */
  #before = 0;
  /** What is read instead. */
  #later: ReadStream | undefined;

  private constructor(
    file: string,
    raw: Readable,
    chunks: AsyncIterator<Buffer>,
    ahead: Buffer[],
    isPacked: boolean,
  ) {
    const begin = Buffer.concat(ahead);
    if (UTF16.some((mark) => begin.subarray(0, 2).equals(mark)))
      throw new UsageError(`${file} is UTF-16; make it UTF-8 first: iconv -f UTF-16 -t UTF-8`);
    this.#file = file;
    this.#raw = raw;
    this.#chunks = chunks;
    this.#ahead = [begin];
    this.isPacked = isPacked;
    this.start = begin.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0;
    this.head = begin.subarray(this.start, this.start + LOOKED_AT);
  }

  /** Opens it, and reads how it begins. */
  static async open(file: string): Promise<Input> {
    const raw: Readable =
      file === STANDARD_INPUT ? process.stdin : createReadStream(file, { highWaterMark: READ_BYTES });
    const packed = raw[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    const first = await readUntil(packed, (bytes) => bytes.length >= ZSTD.length);
    const unpacking = unpackingOf(file, Buffer.concat(first));
    if (unpacking === undefined) {
      await readUntil(packed, isEnough, first);
      return new Input(file, raw, packed, first, false);
    }
    // What is wrong comes out of its other end, too.
    pipeline(chained(first, packed), unpacking).catch(() => {});
    const chunks = unpacking[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    return new Input(file, raw, chunks, await readUntil(chunks, isEnough), true);
  }

  /** Bytes of the file that were read, packed as they are. */
  get bytesRead(): number {
    const { bytesRead = 0 } = this.#later ?? (this.#raw as ReadStream);
    return this.#before + bytesRead;
  }

  /** The bytes from an offset on, the byte order mark counted. */
  async *chunks(offset: number): AsyncGenerator<Buffer> {
    if (offset > this.#ahead[0]!.length && !this.isPacked && this.#file !== STANDARD_INPUT) {
      this.#raw.destroy();
      this.#before = offset;
      this.#later = createReadStream(this.#file, { start: offset, highWaterMark: READ_BYTES });
      yield* this.#later as AsyncIterable<Buffer>;
      return;
    }
    let skipped = 0;
    for await (const chunk of chained(this.#ahead, this.#chunks)) {
      const rest = chunk.subarray(Math.min(chunk.length, offset - skipped));
      skipped += chunk.length - rest.length;
      if (rest.length > 0) yield rest;
    }
  }

  /** Ends reading. */
  close(): void {
    this.#raw.destroy();
    this.#later?.destroy();
  }
}

function isEnough(bytes: Buffer): boolean {
  return bytes.includes(LINE_FEED) || bytes.length >= LOOKED_AT;
}

/** Reads chunks until there is enough, or no more. */
async function readUntil(
  chunks: AsyncIterator<Buffer>,
  enough: (bytes: Buffer) => boolean,
  read: Buffer[] = [],
): Promise<Buffer[]> {
  while (!enough(Buffer.concat(read))) {
    const { value, done } = await chunks.next();
    if (done) break;
    read.push(value);
  }
  return read;
}

async function* chained(first: readonly Buffer[], rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield* first;
  for (;;) {
    const { value, done } = await rest.next();
    if (done) return;
    yield value;
  }
}

/** What unpacks bytes that begin like that; undefined where they aren't packed. */
function unpackingOf(file: string, head: Buffer): Duplex | undefined {
  if (head.subarray(0, 2).equals(GZIP)) return zlib.createGunzip({ chunkSize: UNPACKED_BYTES });
  if (!head.subarray(0, 4).equals(ZSTD)) return undefined;
  if (hasZstd) return new Unzstd();
  throw new UsageError(
    `${file} is packed with zstd, which Node ${process.versions.node} can't unpack; newer ones can (22.15, 23.8), or: zstd -dc FILE | resilin import - ...`,
  );
}
