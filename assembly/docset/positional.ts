import { ERR_MEMORY } from '../abi/status';
import { normTable } from '../codec/norm';
import { requestAlloc } from '../memory/arena';
import { ROWS } from '../postings/positionRows';
import { fail } from '../requestStatus';
import { spend } from '../workLimit';
import { Phrase, phraseFreqs } from './phrase';
import { spanFreqs } from './spanFreqs';
import { Spans } from './spans';

// A leaf that asks for positions, a phrase or spans: what it has been found to come to in the documents looked at lately, and its
// score of them.

/** Most documents of a window; a bigger one is not kept. */
const WINDOW: u32 = 4096;

/** Documents that have to be worked out, and where their frequencies belong. */
const missing: usize = memory.data(512, 16);
const places: usize = memory.data(512, 16);

/** Candidates of a bitset that are tested together, and their bits. */
const candidates: usize = memory.data(512, 16);
const candidateBits: usize = memory.data(512, 16);

@unmanaged
export class Positional {
  /** One of them is 0. */
  private phrase: usize;
  private spans: usize;
  private value: f32;
  private norms: usize;
  /** Of the document that `has` was asked for last. */
  freq: f32;
  /** The documents worked out last, u32 ascending, their frequencies, f32 each, and where a walk through them stands. */
  private docs: usize;
  private freqs: usize;
  private count: u32;
  private at: u32;
  /** Frequencies in the documents [base, base + size), NaN where they aren't known. */
  private window: usize;
  private base: u32;
  private size: u32;

  private static make(value: f32, norms: usize): usize {
    const at = requestAlloc(offsetof<Positional>());
    const tables = requestAlloc(ROWS << 3);
    if (!at || !tables) return 0;
    memory.fill(at, 0, offsetof<Positional>());
    const made = changetype<Positional>(at);
    made.value = value;
    made.norms = norms;
    made.docs = tables;
    made.freqs = tables + (ROWS << 2);
    return at;
  }

  /** A phrase that weighs `value`; null where the arena has no room. */
  static ofPhrase(phrase: Phrase, value: f32, norms: usize): Positional | null {
    const made = changetype<Positional | null>(Positional.make(value, norms));
    if (made !== null) made.phrase = changetype<usize>(phrase);
    return made;
  }

  /** Spans that weigh `value`; null where the arena has no room. */
  static ofSpans(spans: Spans, value: f32, norms: usize): Positional | null {
    const made = changetype<Positional | null>(Positional.make(value, norms));
    if (made !== null) made.spans = changetype<usize>(spans);
    return made;
  }

  /** Keeps of the candidates in `bits`, which begin with document `base`, those that match. */
  keep(base: u32, size: u32, bits: usize): void {
    this.openWindow(base, size);
    const words = (size + 63) >> 6;
    let n: usize = 0;
    for (let i: u32 = 0; i < words; i++) {
      for (let word = load<u64>(bits + ((<usize>i) << 3)); word; word &= word - 1) {
        const bit = (i << 6) + <u32>ctz<u64>(word);
        store<u32>(candidates + (n << 2), base + bit);
        store<u32>(candidateBits + (n << 2), bit);
        if (++n < <usize>ROWS) continue;
        this.drop(n, bits);
        n = 0;
      }
    }
    if (n) this.drop(n, bits);
  }

  /** Removes those of the `n` candidates that don't match from the bitset. */
  private drop(n: usize, bits: usize): void {
    spend((<u32>n) << 1);
    this.test(candidates, n, false);
    for (let i: usize = 0; i < n; i++) {
      if (this.tested(i) > 0) continue;
      const bit = load<u32>(candidateBits + (i << 2));
      const at = bits + ((bit >> 6) << 3);
      store<u64>(at, load<u64>(at) & ~((<u64>1) << (<u64>(bit & 63))));
    }
  }

  /** What is found in the documents [base, base + size) from now on is kept. */
  private openWindow(base: u32, size: u32): void {
    if (size > WINDOW) {
      this.size = 0;
      return;
    }
    if (this.size == size && this.base == base) return;
    if (!this.window) this.window = requestAlloc(WINDOW << 2);
    if (!this.window) {
      fail(ERR_MEMORY);
      return;
    }
    this.base = base;
    this.size = size;
    memory.fill(this.window, 0xff, (<usize>size) << 2);
  }

  /**
   * Works out the frequencies in up to 128 ascending documents, which `frequency` then gives. `sifted`: they are known to have
   * every word that has been looked for so far.
   */
  test(docs: usize, n: usize, sifted: bool): void {
    memory.copy(this.docs, docs, n << 2);
    this.count = <u32>n;
    this.at = 0;
    const freqs = this.freqs;
    if (this.phrase) phraseFreqs(changetype<Phrase>(this.phrase), docs, n, sifted, freqs);
    else spanFreqs(changetype<Spans>(this.spans), docs, n, sifted, freqs);
    if (!this.size) return;
    for (let i: usize = 0; i < n << 2; i += 4) {
      const at = load<u32>(docs + i) - this.base;
      if (at < this.size) store<f32>(this.window + ((<usize>at) << 2), load<f32>(freqs + i));
    }
  }

  /** Frequency of document number `i` of those tested last. */
  @inline tested(i: usize): f32 {
    return load<f32>(this.freqs + (i << 2));
  }

  /** Frequency in a document tested lately; -1 where it wasn't. Ascending documents are cheap. */
  private known(doc: u32): f32 {
    if (doc - this.base < this.size) {
      const freq = load<f32>(this.window + ((<usize>(doc - this.base)) << 2));
      if (freq >= 0) return freq;
    }
    const docs = this.docs;
    const n = this.count;
    let i = this.at;
    if (i && load<u32>(docs + ((<usize>(i - 1)) << 2)) >= doc) i = 0;
    while (i < n && load<u32>(docs + ((<usize>i) << 2)) < doc) i++;
    this.at = i;
    return i < n && load<u32>(docs + ((<usize>i) << 2)) == doc ? this.tested(i) : -1;
  }

  /** Whether `doc` matches; `freq` is then its frequency. */
  has(doc: u32): bool {
    let freq = this.known(doc);
    if (freq < 0) {
      store<u32>(missing, doc);
      this.test(missing, 1, false);
      freq = this.tested(0);
    }
    this.freq = freq;
    return freq > 0;
  }

  /** Frequencies in `n` ascending documents, f32 each to `out`. */
  frequencies(docs: usize, n: usize, out: usize): void {
    let unknown: usize = 0;
    for (let i: usize = 0; i < n << 2; i += 4) {
      const doc = load<u32>(docs + i);
      const freq = this.known(doc);
      store<f32>(out + i, freq);
      store<u32>(missing + unknown, doc);
      store<u32>(places + unknown, <u32>i);
      if (freq < 0) unknown += 4;
    }
    if (!unknown) return;
    this.test(missing, unknown >> 2, false);
    for (let i: usize = 0; i < unknown; i += 4)
      store<f32>(out + <usize>load<u32>(places + i), load<f32>(this.freqs + i));
  }

  /** Scores of `n` ascending documents, f32 each, and u32 1 or 0 to `hits`; both have room for whole vectors. */
  score(docs: usize, n: usize, scores: usize, hits: usize): void {
    if (this.spans && changetype<Spans>(this.spans).words)
      spanFreqs(changetype<Spans>(this.spans), docs, n, false, scores);
    else this.frequencies(docs, n, scores);
    const norms = this.norms;
    const table = normTable();
    const value = f32x4.splat(this.value);
    const zero = f32x4.splat(0);
    const one = i32x4.splat(1);
    for (let i: usize = 0; i < n << 2; i += 16) {
      const freqs = v128.load(scores + i);
      const found = f32x4.gt(freqs, zero);
      v128.store(scores + i, v128.and(found, f32x4.mul(f32x4.sqrt(freqs), value)));
      v128.store(hits + i, v128.and(found, one));
    }
    if (!norms) return;
    for (let i: usize = 0; i < n << 2; i += 4) {
      const norm = load<f32>(table + ((<usize>load<u8>(norms + load<u32>(docs + i))) << 2));
      store<f32>(scores + i, load<f32>(scores + i) * norm);
    }
  }

  /** Score of `doc`, which `has` was asked for last. */
  scoreOf(doc: u32): f32 {
    const raw = f32.sqrt(this.freq) * this.value;
    if (!this.norms) return raw;
    return raw * load<f32>(normTable() + ((<usize>load<u8>(this.norms + doc)) << 2));
  }
}
