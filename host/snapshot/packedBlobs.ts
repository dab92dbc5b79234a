/**
 * Packs of stored documents: for each `u48 operation, u32 length, the document as the store has it`, big endian. A pack
 * holds the documents of operations that are neighbours, so that those which nothing was written to stay the same. Before the first
 * document that is packed with a dictionary stands the dictionary, which has no operation: `u48 0, u32 length, u8 number, its bytes`.
 */
import type { DictionarySource } from '../storage/dictionary.js';
import { dictionaryOf } from '../storage/storedDocuments.js';

/** A document as it is stored, by its operation. */
export type Row = readonly [seq: number, bytes: Uint8Array];

/** Documents of so many neighbouring operations are in one pack, */
const SPAN = 4096;
/** unless they have more bytes than this. */
const MAX_BYTES = 8 * 1024 * 1024;
const HEAD = 10;
/** What a dictionary has instead of an operation; these are numbered from 1 on. */
export const NO_OPERATION = 0;

/** Gathers rows in the order of their operations. */
export class BlobPacker {
  readonly #dictionaries: DictionarySource;
  #rows: Row[] = [];
  #bytes = 0;
  /** The first document. */
  #first: Row | undefined;
  /** The numbers of the dictionaries among the rows. */
  #has = new Set<number>();

  constructor(dictionaries: DictionarySource) {
    this.#dictionaries = dictionaries;
  }

  /** Takes a row; returns the pack that was complete before it, if one was. */
  add(row: Row): Uint8Array | undefined {
    const first = this.#first;
    const ends = first !== undefined && (spanOf(first) !== spanOf(row) || this.#bytes >= MAX_BYTES);
    const done = ends ? this.end() : undefined;
    const dictionary = dictionaryOf(row[1]);
    if (dictionary !== undefined && !this.#has.has(dictionary)) {
      this.#has.add(dictionary);
      const { bytes } = this.#dictionaries.get(dictionary);
      const entry = new Uint8Array(1 + bytes.length);
      entry[0] = dictionary;
      entry.set(bytes, 1);
      this.#push([NO_OPERATION, entry]);
    }
    this.#first ??= row;
    this.#push(row);
    return done;
  }

  #push(row: Row): void {
    this.#rows.push(row);
    this.#bytes += HEAD + row[1].length;
  }

  /** The last pack. */
  end(): Uint8Array | undefined {
    if (this.#rows.length === 0) return undefined;
    const out = new Uint8Array(this.#bytes);
    const view = new DataView(out.buffer);
    let at = 0;
    for (const [seq, bytes] of this.#rows) {
      view.setUint16(at, Math.floor(seq / 0x1_0000_0000));
      view.setUint32(at + 2, seq >>> 0);
      view.setUint32(at + 6, bytes.length);
      out.set(bytes, at + HEAD);
      at += HEAD + bytes.length;
    }
    this.#rows = [];
    this.#bytes = 0;
    this.#first = undefined;
    this.#has.clear();
    return out;
  }
}

/** The rows of a pack, dictionaries included. Throws where it is cut off. */
export function* unpack(pack: Uint8Array): Generator<Row, void, undefined> {
  const view = new DataView(pack.buffer, pack.byteOffset, pack.byteLength);
  for (let at = 0; at < pack.length; ) {
    const seq = view.getUint16(at) * 0x1_0000_0000 + view.getUint32(at + 2);
    const end = at + HEAD + view.getUint32(at + 6);
    if (end > pack.length) throw new RangeError('a pack of documents is cut off');
    yield [seq, pack.subarray(at + HEAD, end)];
    at = end;
  }
}

function spanOf([seq]: Row): number {
  return Math.floor(seq / SPAN);
}
