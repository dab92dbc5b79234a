/** The text of a file, in pieces as they are wanted: unpacked, decoded. */
import { Unreadable } from './documents';

export const ENCODINGS = ['utf-8', 'windows-1252', 'utf-16le', 'utf-16be'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Pieces that are read of a file, in bytes. */
const PIECE = 256 * 1024;

export interface FileTextOptions {
  encoding: Encoding;
  /** Told how many bytes of the file, packed as it is, were read. */
  onRead?: (bytes: number) => void;
}

/**
 * The pieces of its text; the next one is read when it is asked for. Throws {@link Unreadable} where it isn't what it seems: another encoding,
 * packed and cut off, packed otherwise.
 */
export async function* fileText(file: Blob, { encoding, onRead }: FileTextOptions): AsyncGenerator<string> {
  const packing = await packingOf(file);
  if (packing === 'zstd')
    throw new Unreadable('It is packed with zstd, which browsers can’t unpack: zstd -d FILE makes it plain.');
  if (packing === 'zip')
    throw new Unreadable('It is a ZIP archive: unpack it, or pack the file alone with gzip.');
  const decoder = new TextDecoder(encoding, { fatal: true });
  const bytes = piecesOf(file, onRead ?? (() => {}));
  const reader = (packing === 'gzip' ? unpacked(bytes) : bytes).getReader();
  try {
    for (;;) {
      const { value, done } = await read(reader, packing === 'gzip');
      const text = decoded(decoder, value, encoding);
      if (text !== '') yield text;
      if (done) return;
    }
  } finally {
    // Who stops before the end wants no more of it.
    await reader.cancel().catch(() => {});
  }
}

/** An encoding that the file says it has by its first bytes. */
export async function encodingOf(file: Blob): Promise<Encoding> {
  const [a, b] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  return a === 0xfe && b === 0xff ? 'utf-16be' : 'utf-8';
}

async function packingOf(file: Blob): Promise<'gzip' | 'zstd' | 'zip' | undefined> {
  const [a, b, c, d] = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  if (a === 0x1f && b === 0x8b) return 'gzip';
  if (a === 0x28 && b === 0xb5 && c === 0x2f && d === 0xfd) return 'zstd';
  return a === 0x50 && b === 0x4b && c === 3 && d === 4 ? 'zip' : undefined;
}

/** Bytes as they lie in the file: one piece at a time, when it is wanted. */
function piecesOf(file: Blob, onRead: (bytes: number) => void): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        if (at >= file.size) {
          controller.close();
          return;
        }
        const piece = new Uint8Array(await file.slice(at, at + PIECE).arrayBuffer());
        at += piece.length;
        onRead(at);
        controller.enqueue(piece);
      },
    },
    { highWaterMark: 0 },
  );
}

function unpacked(bytes: ReadableStream<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return bytes.pipeThrough(new DecompressionStream('gzip'));
}

async function read(
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
  isPacked: boolean,
): Promise<ReadableStreamReadResult<Uint8Array<ArrayBuffer>>> {
  try {
    return await reader.read();
  } catch (error) {
    if (!isPacked) throw error;
    throw new Unreadable(
      `It can't be unpacked: the file is damaged or cut off (${(error as Error).message}).`,
    );
  }
}

function decoded(decoder: TextDecoder, bytes: Uint8Array | undefined, encoding: Encoding): string {
  try {
    return decoder.decode(bytes, { stream: bytes !== undefined });
  } catch {
    throw new Unreadable(
      `It has bytes that aren't ${encoding}: choose another encoding, such as windows-1252.`,
    );
  }
}
