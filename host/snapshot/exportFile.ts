/**
 * One index in one file, for engines elsewhere. Little endian:
 *
 *      0   8 bytes   RESILIN, and a line feed
 *      8   u32       version of the layout: 1
 *     12   u32       bytes of the record
 *     16   u32       XXH32 of the record
 *     20   u32       0
 *     24   record    JSON in UTF-8: the index's metadata, and where the parts of its shards are
 *      P   parts     P is the next multiple of 8, and so are the places of parts, which are counted from P: for each shard its
 *                    segments (assembly/segment/README.md), each with the set of its live documents if some aren't, and packs of
 *                    documents (packedBlobs.ts), all of them in the order in which the record names them
 */
import { encodeJson } from '../storage/records.js';
import { xxh32 } from '../storage/xxh32.js';
import { parseOwnJson } from '../json/jsonText.js';
import { checkRecord, type ExportRecord, type Part } from './exportRecord.js';

const MAGIC = Uint8Array.from('RESILIN\n', (char) => char.charCodeAt(0));
const VERSION = 1;
const HEAD_BYTES = 24;
/** Programs elsewhere have it in one buffer. */
const MOST_BYTES = 2 ** 31 - 8;

/** The file can't be read as an index. */
export class ExportFileError extends Error {
  override readonly name = 'ExportFileError';
}

/** Where the parts of a file are. */
export class ExportLayout {
  #end = 0;

  /** Adds a part behind the others. */
  add(bytes: Uint8Array): Part {
    const part = { at: this.#end, bytes: bytes.length, sum: sumOf(bytes) };
    this.#end = aligned(this.#end + bytes.length);
    if (this.#end > MOST_BYTES)
      throw new ExportFileError(
        `the index is larger than the ${MOST_BYTES} bytes that an exported file may have`,
      );
    return part;
  }

  /** Bytes of all parts, and of what is between them. */
  get bytes(): number {
    return this.#end;
  }

  /** What stands before the parts, with room for `more` bytes behind it. */
  head(record: ExportRecord, more = 0): Uint8Array<ArrayBuffer> {
    const json = encodeJson(record);
    const out = new Uint8Array(aligned(HEAD_BYTES + json.length) + more);
    const view = new DataView(out.buffer);
    out.set(MAGIC);
    view.setUint32(8, VERSION, true);
    view.setUint32(12, json.length, true);
    view.setInt32(16, sumOf(json), true);
    out.set(json, HEAD_BYTES);
    return out;
  }
}

/** Gathers what the file is made of. */
export class ExportFileWriter {
  readonly #layout = new ExportLayout();
  readonly #parts: Uint8Array[] = [];

  /** Adds a part. */
  put(bytes: Uint8Array): Part {
    this.#parts.push(bytes);
    return this.#layout.add(bytes);
  }

  /** The whole file. */
  finish(record: ExportRecord): Uint8Array<ArrayBuffer> {
    const { bytes } = this.#layout;
    const out = this.#layout.head(record, bytes);
    let at = out.length - bytes;
    for (const part of this.#parts) {
      out.set(part, at);
      at = aligned(at + part.length);
    }
    return out;
  }
}

/** A file that is read. */
export class ExportFile {
  readonly record: ExportRecord;
  readonly #parts: Uint8Array;

  /** @throws ExportFileError unless it has a record of which all parts may be there */
  constructor(file: Uint8Array) {
    const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
    if (file.length < HEAD_BYTES || MAGIC.some((byte, at) => file[at] !== byte))
      throw new ExportFileError('the file is no exported index');
    const version = view.getUint32(8, true);
    if (version !== VERSION)
      throw new ExportFileError(`the file has the version ${version}, and only ${VERSION} is known`);
    const end = HEAD_BYTES + view.getUint32(12, true);
    const start = aligned(end);
    if (start > file.length) throw new ExportFileError('the file is cut off');
    const json = file.subarray(HEAD_BYTES, end);
    if (sumOf(json) !== view.getInt32(16, true))
      throw new ExportFileError('the record of the file is damaged');
    this.#parts = file.subarray(start);
    const problem = (what: string) => new ExportFileError(`the record of the file can't be used: ${what}`);
    let record: unknown;
    try {
      record = parseOwnJson(new TextDecoder().decode(json));
    } catch (e) {
      throw problem(e instanceof Error ? e.message : String(e));
    }
    this.record = checkRecord(record, this.#parts.length, problem);
  }

  /** The bytes of a part of the record, which are the file's own. @throws ExportFileError where they are not what was written */
  read({ at, bytes, sum }: Part): Uint8Array {
    const part = this.#parts.subarray(at, at + bytes);
    if (sumOf(part) !== sum)
      throw new ExportFileError(`the file is damaged in the ${bytes} bytes of a part at ${at}`);
    return part;
  }
}

function sumOf(bytes: Uint8Array): number {
  return xxh32(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0, bytes.length);
}

/** Where a part may be that comes after so many bytes. */
export function aligned(at: number): number {
  return Math.ceil(at / 8) * 8;
}
