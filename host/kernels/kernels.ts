/** The core's innermost functions for JavaScript: values in, values out. */
import { fuzzyAutomaton } from '../automata/fuzzyAutomaton.js';
import { decodeUtf8 } from '../text/utf8.js';
import { KernelModule } from './kernelModule.js';

/** Values of one block of postings. */
const BLOCK = 128;
const FORMULAS = { sloppy_arc: 0, arc: 1, plane: 2 } as const;

/** Latitude and longitude in degrees. */
export interface Point {
  lat: number;
  lon: number;
}

/** The best of a list of scores. */
export interface TopScores {
  /** Their places in the list, the best first; of equal scores the one that comes first. */
  places: Uint32Array;
  scores: Float32Array;
}

/** A packed block of 128 numbers: 16 bytes for each bit of the largest. */
export interface PackedBlock {
  /** Bits of one number: 0 to 32. */
  bits: number;
  bytes: Uint8Array;
}

/**
 * The kernels, in memory of their own. Every call copies its arguments in and its result out, which takes longer than many a kernel does: the
 * bench measures them without. What is out of range is refused with a `RangeError`.
 */
export class Kernels {
  readonly #module: KernelModule;

  /** @param module the compiled `resilin/kernels.wasm` */
  constructor(module: WebAssembly.Module) {
    this.#module = new KernelModule(module);
  }

  /** Packs 128 numbers of 32 bits into as few bits each as the largest needs: how lists of documents and frequencies are kept. */
  packBlock(values: Uint32Array): PackedBlock {
    if (values.length !== BLOCK) throw new RangeError(`a block has ${BLOCK} values, not ${values.length}`);
    return this.#using((m) => {
      const src = m.put(bytesOf(values));
      const bits = m.calls.bitsFor128(src);
      const dst = m.room(16 * bits);
      if (bits > 0) m.calls.pack128(src, dst, bits);
      return { bits, bytes: m.take(dst, 16 * bits) };
    });
  }

  /** The numbers of a packed block. */
  unpackBlock(block: PackedBlock): Uint32Array {
    return this.#using((m) => {
      const src = this.#putBlock(m, block);
      const dst = m.room(4 * BLOCK);
      m.calls.unpack128(src, dst, block.bits);
      return new Uint32Array(m.take(dst, 4 * BLOCK).buffer);
    });
  }

  /**
   * Ascending numbers of a block that holds the gaps between them, each less one: document numbers. `previous` is the number before the
   * first, -1 where there is none.
   */
  unpackGaps(block: PackedBlock, previous = -1): Int32Array {
    return this.#using((m) => {
      const src = this.#putBlock(m, block);
      const dst = m.room(4 * BLOCK);
      m.calls.unpackGaps128(src, dst, block.bits, previous);
      return new Int32Array(m.take(dst, 4 * BLOCK).buffer);
    });
  }

  #putBlock(m: KernelModule, { bits, bytes }: PackedBlock): number {
    if (!Number.isInteger(bits) || bits < 0 || bits > 32)
      throw new RangeError(`a number has 0 to 32 bits, not ${bits}`);
    if (bytes.length !== 16 * bits)
      throw new RangeError(`a block of ${bits} bits has ${16 * bits} bytes, not ${bytes.length}`);
    return m.put(bytes);
  }

  /** Writes numbers with 7 bits a byte, low bits first: 1 to 5 bytes each. */
  writeVints(values: Uint32Array): Uint8Array {
    return this.#using((m) => {
      const src = m.put(bytesOf(values));
      const dst = m.room(5 * values.length);
      return m.take(dst, m.calls.writeVints(src, values.length, dst) - dst);
    });
  }

  /** Reads so many such numbers. */
  readVints(bytes: Uint8Array, count: number): Uint32Array {
    // The last number that there is room for may be cut off: no number is longer than five bytes.
    if (!Number.isInteger(count) || count < 0 || count > bytes.length)
      throw new RangeError(`${bytes.length} bytes don't have ${count} numbers`);
    return this.#using((m) => {
      const src = m.room(bytes.length + 5);
      m.bytes.set(bytes, src);
      m.bytes.fill(0, src + bytes.length, src + bytes.length + 5);
      const dst = m.room(4 * count);
      const end = m.calls.readVints(src, count, dst);
      if (end > src + bytes.length) throw new RangeError(`${bytes.length} bytes don't have ${count} numbers`);
      return new Uint32Array(m.take(dst, 4 * count).buffer);
    });
  }

  /** Norms as Lucene keeps them: floats in a byte each, with three bits of mantissa, rounded down. */
  encodeNorms(values: Float32Array): Uint8Array {
    return this.#using((m) => {
      const src = m.put(bytesOf(values));
      const dst = m.room(values.length);
      m.calls.encodeNorms(src, values.length, dst);
      return m.take(dst, values.length);
    });
  }

  /** The floats that norm bytes stand for. */
  decodeNorms(bytes: Uint8Array): Float32Array {
    return this.#using((m) => {
      const src = m.put(bytes);
      const dst = m.room(4 * bytes.length);
      m.calls.decodeNorms(src, bytes.length, dst);
      return new Float32Array(m.take(dst, 4 * bytes.length).buffer);
    });
  }

  /** XXH64, which checks segments and rows. */
  xxh64(bytes: Uint8Array, seed = 0n): bigint {
    return this.#using((m) =>
      BigInt.asUintN(64, m.calls.xxh64(m.put(bytes), bytes.length, BigInt.asIntN(64, seed))),
    );
  }

  /** MurmurHash3 of 32 bits, which random scores and sketches go by. */
  murmur3(bytes: Uint8Array, seed = 0): number {
    return this.#using((m) => m.calls.murmur3(m.put(bytes), bytes.length, seed) >>> 0);
  }

  /** The bits that are set in bytes: documents of a filter. */
  countBits(set: Uint8Array): number {
    return this.#using((m) => m.calls.count(this.#putSet(m, set), padded(set.length)));
  }

  /** The bits that are set in both: documents that two filters have in common. */
  countCommonBits(a: Uint8Array, b: Uint8Array): number {
    if (a.length !== b.length) throw new RangeError(`sets of ${a.length} and of ${b.length} bytes`);
    return this.#using((m) => m.calls.andCount(this.#putSet(m, a), this.#putSet(m, b), padded(a.length)));
  }

  /** Sets are read sixteen bytes at a time. */
  #putSet(m: KernelModule, set: Uint8Array): number {
    const length = padded(set.length);
    const ptr = m.room(length);
    m.bytes.set(set, ptr);
    m.bytes.fill(0, ptr + set.length, ptr + length);
    return ptr;
  }

  /** Metres between two points of the earth, by a formula of Elasticsearch 1.7. */
  distance(from: Point, to: Point, formula: keyof typeof FORMULAS = 'sloppy_arc'): number {
    if (!Object.hasOwn(FORMULAS, formula)) throw new RangeError(`there is no formula ${formula}`);
    return this.#module.calls.distance(FORMULAS[formula], from.lat, from.lon, to.lat, to.lon);
  }

  /** Lucene's inverse document frequency (TF-IDF) of a term that `df` of `documents` have. */
  idf(df: number, documents: number): number {
    return this.#module.calls.idf(df, documents);
  }

  /**
   * The Levenshtein automaton of a word: deterministic, over the bytes of terms in UTF-8. It accepts what is within `edits` (0 to 2), of which
   * the first `prefixLength` letters are the word's.
   */
  fuzzyAutomaton(
    word: string,
    edits: number,
    { prefixLength = 0, transpositions = true }: { prefixLength?: number; transpositions?: boolean } = {},
  ): Uint8Array {
    if (![0, 1, 2].includes(edits)) throw new RangeError(`edits are 0, 1 or 2, not ${edits}`);
    return fuzzyAutomaton(word, edits, prefixLength, transpositions);
  }

  /** Runs an automaton over terms: of each 1 + its edits, or 0 where it is refused. Throws a `RangeError` where the bytes are no automaton. */
  accept(automaton: Uint8Array, terms: readonly string[]): Uint8Array {
    const [bytes, lengths] = joined(terms);
    return this.#using((m) => {
      const [a, t, l] = [m.put(automaton), m.put(bytes), m.put(bytesOf(lengths))];
      const out = m.room(terms.length);
      if (m.calls.acceptAll(a, automaton.length, t, l, terms.length, out) < 0)
        throw new RangeError('these bytes are no automaton');
      return m.take(out, terms.length);
    });
  }

  /** The best k scores of a list, by the heap that searches keep their hits in. */
  topK(scores: Float32Array, k: number): TopScores {
    if (!Number.isInteger(k) || k < 0) throw new RangeError(`k is a number of hits, not ${k}`);
    const most = Math.min(k, scores.length);
    return this.#using((m) => {
      const src = m.put(bytesOf(scores));
      const [places, best] = [m.room(4 * most), m.room(4 * most)];
      const n = m.calls.topK(src, scores.length, most, places, best);
      if (n < 0) throw new RangeError(`the kernels have no memory for ${k} hits`);
      return {
        places: new Uint32Array(m.take(places, 4 * n).buffer),
        scores: new Float32Array(m.take(best, 4 * n).buffer),
      };
    });
  }

  /** The terms that the standard analyzer makes of a text. */
  tokens(text: string): string[] {
    const bytes = new TextEncoder().encode(text);
    return this.#using((m) => {
      const src = m.put(bytes);
      let at = m.room(8 * bytes.length + 16);
      const found: string[] = [];
      const count = m.calls.tokensOf(src, bytes.length, at);
      const { bytes: all } = m;
      const view = new DataView(all.buffer);
      for (let i = 0; i < count; i++) {
        const end = at + 4 + view.getUint32(at, true);
        found.push(decodeUtf8(all, at + 4, end));
        at = end;
      }
      return found;
    });
  }

  #using<T>(work: (m: KernelModule) => T): T {
    try {
      return work(this.#module);
    } finally {
      this.#module.release();
    }
  }
}

function bytesOf(values: Uint32Array | Float32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

const padded = (bytes: number): number => (bytes + 15) & ~15;

/** Texts in UTF-8 one behind the other, and their lengths in bytes. */
export function joined(texts: readonly string[]): [Uint8Array<ArrayBuffer>, Uint32Array<ArrayBuffer>] {
  const encoder = new TextEncoder();
  const each = texts.map((text) => encoder.encode(text));
  const all = new Uint8Array(each.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const bytes of each) {
    all.set(bytes, at);
    at += bytes.length;
  }
  return [all, Uint32Array.from(each, ({ length }) => length)];
}
