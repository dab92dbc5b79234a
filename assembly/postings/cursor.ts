import { unpackGaps128, unpackPlusOne128 } from '../codec/bitpack128';
import { normTable } from '../codec/norm';
import { Vint, vintNext } from '../codec/vint';
import { requestAlloc } from '../memory/arena';

// Reads the postings of one term (bytes: segment/README.md), a block of up to 128 documents at a time.
//
// A cursor knows three depths of a block, each reached only when asked for: where it lies (`enter`), its documents
// (`decodeDocs`), its frequencies (`decodeFreqs`). A bitset block answers `contains` without being decoded at all.
// Targets normally ascend; a lower one is allowed and searches again from the first block.

/** A document number beyond every document. */
export const NO_MORE: u32 = 0x7fffffff;

export const FIELD_FREQS: u8 = 1;

export const BLOCK: u32 = 128;
export const CODE_BITSET: u8 = 0x80;
export const CODE_VINTS: u8 = 0x81;

/** Bytes of the array of documents: 128, and sentinels for searches that look 16 ahead. */
const DOCS_BYTES: u32 = (BLOCK + 16) * 4;

@unmanaged
export class PostingsCursor {
  /** Documents of the block, ascending, then NO_MORE; valid when docsReady. */
  docs: usize;
  /** Their frequencies; valid when freqsReady. */
  freqs: usize;
  /** The document the cursor stands on, NO_MORE where it stands on none. */
  doc: u32;
  /** Its index in the block. */
  index: u32;
  /** Documents in the block. */
  count: u32;
  /** Current block and number of blocks; equal when the list has been left. */
  block: u32;
  blocks: u32;
  /** Last document of the current block and of the one before (-1: none). */
  last: u32;
  previous: i32;
  /** Bytes of the current block's documents and how they are coded. */
  bytes: usize;
  code: u8;
  freqBits: u8;
  docsReady: bool;
  freqsReady: bool;
  /** Whether `index` is that of `doc`: a bitset block counts only when asked. */
  indexReady: bool;
  flags: u8;
  /** A list of fewer than 128 documents, decoded when opened. */
  short: bool;
  df: u32;
  /** Tables of a long list: last documents, metadata, data. */
  lasts: usize;
  metas: usize;
  data: usize;
  /** Largest sqrt(freq) * norm of the list; of a short list only after `listImpact`. */
  impact: f32;
  impactReady: bool;
  /** One byte a document, 0 where the field has none. */
  norms: usize;
  /** The term's weight in this query. */
  value: f32;
  /** Start of the term's positions: a stream of blocks, or vints for a short list. */
  positions: usize;
  /** Scores of the block's postings, 128 f32 made by `scoreBlock`, and the block they belong to plus one. */
  scores: usize;
  scored: u32;
  /** First block of the window that `windowImpact` looked at last. */
  windowBlock: u32;
  /** The whole list as a bitset over the segment, made by `spread` where it pays; 0 else. */
  presence: usize;

  /** Room for a cursor; null where the arena has none. */
  static make(): PostingsCursor | null {
    const at = requestAlloc(offsetof<PostingsCursor>());
    const docs = requestAlloc(DOCS_BYTES);
    const freqs = requestAlloc(BLOCK * 4);
    if (!at || !docs || !freqs) return null;
    memory.fill(at, 0, offsetof<PostingsCursor>());
    const c = changetype<PostingsCursor>(at);
    c.docs = docs;
    c.freqs = freqs;
    return c;
  }

  /**
   * Whether the posting behind the one it stands on is that of `target`, on which it stands then. Much cheaper than `contains`; what
   * it denies `contains` may still find.
   */
  @inline stepsTo(target: u32): bool {
    const next = this.index + 1;
    if (!this.docsReady || next >= BLOCK || load<u32>(this.docs + ((<usize>next) << 2)) != target)
      return false;
    this.index = next;
    this.doc = target;
    this.indexReady = true;
    return true;
  }

  /** Puts the cursor before the first document of the list of `df` documents at `ptr`. */
  start(ptr: usize, df: u32, flags: u8, norms: usize, positionsBase: usize, value: f32): void {
    this.df = df;
    this.flags = flags;
    this.norms = norms;
    this.value = value;
    this.previous = -1;
    this.scored = 0;
    this.windowBlock = 0;
    this.presence = 0;
    this.doc = NO_MORE;
    this.index = 0;
    this.block = 0;
    if (df < BLOCK) {
      this.short = true;
      this.impactReady = false;
      this.blocks = 1;
      this.count = df;
      this.code = CODE_VINTS;
      decodeVints(this, ptr);
      this.positions = vintNext;
      this.last = load<u32>(this.docs + ((<usize>df - 1) << 2));
    } else {
      const n = load<u32>(ptr);
      this.short = false;
      this.blocks = n;
      this.positions = positionsBase + load<u32>(ptr, 4);
      this.impact = load<f32>(ptr, 8);
      this.impactReady = true;
      this.lasts = ptr + 12;
      this.metas = this.lasts + ((<usize>n) << 2);
      this.data = this.metas + ((<usize>n) << 4);
      enter(this, 0);
    }
  }
}

/** Decodes the vint-coded documents (and frequencies) at `ptr`; `vintNext` is left after them. */
function decodeVints(c: PostingsCursor, ptr: usize): void {
  const n = c.count;
  const docs = c.docs;
  const freqs = c.freqs;
  let doc = c.previous;
  let at = ptr;
  if (c.flags & FIELD_FREQS) {
    for (let i: usize = 0; i < <usize>n; i++) {
      const v = Vint.read(at);
      at = vintNext;
      doc += (v >> 1) + 1;
      store<u32>(docs + (i << 2), doc);
      let freq: u32 = 1;
      if (!(v & 1)) {
        freq = Vint.read(at);
        at = vintNext;
      }
      store<u32>(freqs + (i << 2), freq);
    }
  } else {
    for (let i: usize = 0; i < <usize>n; i++) {
      doc += Vint.read(at) + 1;
      at = vintNext;
      store<u32>(docs + (i << 2), doc);
      store<u32>(freqs + (i << 2), 1);
    }
    // An empty list leaves vintNext elsewhere; lists are never empty.
  }
  pad(c);
  c.docsReady = true;
  c.freqsReady = true;
}

/** Sentinels after the documents of a block that is not full, and after a full one. */
function pad(c: PostingsCursor): void {
  const top = c.docs + DOCS_BYTES;
  for (let p = c.docs + ((<usize>c.count) << 2); p < top; p += 4) store<u32>(p, NO_MORE);
}

/** Makes `block` the current one without decoding it. */
export function enter(c: PostingsCursor, block: u32): void {
  c.block = block;
  c.index = 0;
  c.doc = NO_MORE;
  if (c.short || block >= c.blocks) return;
  const last = c.lasts + ((<usize>block) << 2);
  c.last = load<u32>(last);
  c.previous = block ? <i32>load<u32>(last - 4) : -1;
  const meta = c.metas + ((<usize>block) << 4);
  c.bytes = c.data + load<u32>(meta);
  c.code = load<u8>(meta, 12);
  c.freqBits = load<u8>(meta, 13);
  c.count = block + 1 < c.blocks ? BLOCK : c.df - block * BLOCK;
  c.docsReady = false;
  c.freqsReady = false;
}

/** Decodes the documents of the current block. */
export function decodeDocs(c: PostingsCursor): void {
  if (c.docsReady) return;
  if (c.code == CODE_VINTS) {
    decodeVints(c, c.bytes);
    return;
  }
  if (c.code == CODE_BITSET) {
    const span = <u32>(<i32>c.last - c.previous);
    let out = c.docs;
    const end = out + BLOCK * 4;
    let doc = <u32>(c.previous + 1);
    for (let i: usize = 0; i < <usize>span && out < end; i += 64, doc += 64) {
      let word = load<u64>(c.bytes + (i >> 3));
      if (<usize>span - i < 64) word &= ((<u64>1) << (<u64>span - i)) - 1;
      while (word && out < end) {
        store<u32>(out, doc + <u32>ctz<u64>(word));
        word &= word - 1;
        out += 4;
      }
    }
  } else {
    unpackGaps128(c.bytes, c.docs, c.code, c.previous);
  }
  pad(c);
  c.docsReady = true;
}

/** Bytes of the current block's documents. */
function docsBytes(c: PostingsCursor): usize {
  if (c.code == CODE_BITSET) return <usize>((<u32>(<i32>c.last - c.previous) + 7) >> 3);
  return (<usize>c.code) << 4;
}

/** Decodes the frequencies of the current block; all 1 where the field has none. */
export function decodeFreqs(c: PostingsCursor): void {
  if (c.freqsReady) return;
  if (c.code == CODE_VINTS) {
    decodeVints(c, c.bytes);
  } else if (c.flags & FIELD_FREQS) {
    unpackPlusOne128(c.bytes + docsBytes(c), c.freqs, c.freqBits);
  } else {
    for (let i: usize = 0; i < BLOCK * 4; i += 4) store<u32>(c.freqs + i, 1);
  }
  c.freqsReady = true;
}

/** Finds the block that can hold `target`; false when the list ends before it. */
export function seekBlock(c: PostingsCursor, target: u32): bool {
  if (c.short) {
    c.block = 0;
    return target <= c.last;
  }
  const n = c.blocks;
  const lasts = c.lasts;
  let low = c.block;
  let high = low;
  let step: u32 = 1;
  // Gallop from where the cursor stands, then halve.
  if (low < n && <i32>target > c.previous) {
    if (target <= c.last) return true;
    if (load<u32>(lasts + ((<usize>(n - 1)) << 2)) < target) {
      enter(c, n);
      return false;
    }
    while (low + step < n && load<u32>(lasts + ((<usize>(low + step)) << 2)) < target) {
      low += step;
      step <<= 1;
    }
    high = low + step < n ? low + step : n - 1;
  } else {
    if (low >= n) {
      if (load<u32>(lasts + ((<usize>(n - 1)) << 2)) < target) return false;
      low = n - 1;
      high = low;
    }
    while (low > 0 && load<u32>(lasts + ((<usize>(low - 1)) << 2)) >= target) {
      high = low - 1;
      low = low > step ? low - step : 0;
      step <<= 1;
    }
  }
  while (low < high) {
    const middle = (low + high) >> 1;
    if (load<u32>(lasts + ((<usize>middle) << 2)) < target) low = middle + 1;
    else high = middle;
  }
  if (low != c.block) enter(c, low);
  return true;
}

/** Index of the first document of the decoded block that is >= target (which is <= last). */
export function find(c: PostingsCursor, target: u32): u32 {
  const docs = c.docs;
  let i: usize = (<usize>c.index) << 2;
  // Only forward from the last find; a lower target starts again.
  if (i && load<u32>(docs + i - 4) >= target) i = 0;
  while (load<u32>(docs + i, 60) < target) i += 64;
  // Counts the smaller ones of 16 at once; four halvings, each waiting for the one before, took 1.6 times as long.
  const wanted = i32x4.splat(target);
  const at = docs + i;
  const low = i16x8.narrow_i32x4_s(i32x4.lt_s(v128.load(at), wanted), i32x4.lt_s(v128.load(at, 16), wanted));
  const high = i16x8.narrow_i32x4_s(
    i32x4.lt_s(v128.load(at, 32), wanted),
    i32x4.lt_s(v128.load(at, 48), wanted),
  );
  return <u32>(i >> 2) + <u32>popcnt<i32>(i8x16.bitmask(i8x16.narrow_i16x8_s(low, high)));
}

/** Whether the list holds `target`; the cursor stands on it if so. */
export function contains(c: PostingsCursor, target: u32): bool {
  if (c.doc == target) return true;
  const presence = c.presence;
  if (presence && !((load<u8>(presence + (target >> 3)) >> (target & 7)) & 1)) return false;
  if (!seekBlock(c, target)) return false;
  if (c.code == CODE_BITSET && !c.docsReady) {
    const bit = <u32>(<i32>target - c.previous - 1);
    if (!((load<u8>(c.bytes + (bit >> 3)) >> (bit & 7)) & 1)) {
      c.doc = NO_MORE;
      return false;
    }
    c.doc = target;
    c.indexReady = false;
    return true;
  }
  decodeDocs(c);
  const i = find(c, target);
  c.index = i;
  const doc = load<u32>(c.docs + ((<usize>i) << 2));
  c.doc = doc;
  c.indexReady = true;
  return doc == target;
}

/** The first document of the list that is `target` or beyond, on which the cursor stands then; NO_MORE where there is none. */
export function reach(c: PostingsCursor, target: u32): u32 {
  if (!seekBlock(c, target)) return NO_MORE;
  if (c.code == CODE_BITSET && !c.docsReady) {
    let bit = <u32>(<i32>target - c.previous - 1);
    let word = load<u64>(c.bytes + ((bit >> 6) << 3)) >> <u64>(bit & 63);
    while (!word) {
      bit = (bit | 63) + 1;
      word = load<u64>(c.bytes + (bit >> 3));
    }
    c.doc = <u32>(c.previous + 1) + bit + <u32>ctz<u64>(word);
    c.indexReady = false;
    return c.doc;
  }
  decodeDocs(c);
  c.index = find(c, target);
  c.indexReady = true;
  c.doc = load<u32>(c.docs + ((<usize>c.index) << 2));
  return c.doc;
}

/** Index in the block of the current document. */
export function currentIndex(c: PostingsCursor): u32 {
  if (!c.indexReady) {
    const bit = <u32>(<i32>c.doc - c.previous - 1);
    let rank: u32 = 0;
    let i: u32 = 0;
    for (; i + 64 <= bit; i += 64) rank += <u32>popcnt<u64>(load<u64>(c.bytes + (i >> 3)));
    if (i < bit)
      rank += <u32>popcnt<u64>(load<u64>(c.bytes + (i >> 3)) & (((<u64>1) << (<u64>(bit - i))) - 1));
    c.index = rank;
    c.indexReady = true;
  }
  return c.index;
}

/** Frequency of the term in the current document. */
export function currentFreq(c: PostingsCursor): u32 {
  if (!(c.flags & FIELD_FREQS)) return 1;
  const i = currentIndex(c);
  decodeFreqs(c);
  return load<u32>(c.freqs + ((<usize>i) << 2));
}

/** Score of the current document: (tf * value) * norm in f32, as Lucene's TFIDFSimScorer. */
export function currentScore(c: PostingsCursor): f32 {
  const raw = f32.sqrt(<f32>currentFreq(c)) * c.value;
  if (!c.norms) return raw;
  return raw * load<f32>(normTable() + ((<usize>load<u8>(c.norms + c.doc)) << 2));
}
