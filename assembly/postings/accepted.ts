import { normTable } from '../codec/norm';
import { packedValue128 } from '../codec/packedValue';
import { CODE_BITSET, CODE_VINTS, decodeDocs, decodeFreqs, FIELD_FREQS, PostingsCursor } from './cursor';
import { scoreBlock } from './scores';

// What a filter lets through of a block: the documents of the block that are in a set, found without decoding more of it than
// they need. Sets cover the segment; of what follows a set up to seven bytes are read, but not of `live`, which may be 0.

/** Bits that are looked at together: whole bytes, so that any seven bytes of a bitset block meet a word of the set. */
const STEP: u32 = 56;
const STEP_MASK: u64 = 0x00ffffffffffffff;

/** Documents found last, u32 each, and where they stand in their block. */
const docs: usize = memory.data(512, 16);
const indices: usize = memory.data(512, 16);
/** Their scores, f32 each. */
const scores: usize = memory.data(512, 16);

/** With more documents than this in a block it is unpacked, with fewer one frequency at a time. */
const MANY_FREQS: usize = 12;
/** With more documents than this all of a block are scored, four at a time. */
const MANY_SCORES: usize = 48;

export function acceptedDoc(i: usize): u32 {
  return load<u32>(docs + (i << 2));
}
export function acceptedScore(i: usize): f32 {
  return load<f32>(scores + (i << 2));
}

class Bits {
  /** Bit `at` of a set and those after it, 56 at least. */
  @inline static from(set: usize, at: u32): u64 {
    return load<u64>(set + (at >> 3)) >> <u64>(at & 7);
  }

  /** Bits at..at + n - 1 of a set, n up to 64, of whose words no more are read than have them. */
  @inline static exactly(set: usize, at: u32, n: u32): u64 {
    const word = set + ((<usize>(at >> 6)) << 3);
    const shift = at & 63;
    let bits = load<u64>(word) >> <u64>shift;
    if (shift + n > 64) bits |= load<u64>(word, 8) << (<u64>(64 - shift));
    return bits;
  }

  @inline static has(set: usize, doc: u32): u32 {
    return (<u32>load<u8>(set + (doc >> 3)) >> (doc & 7)) & 1;
  }
}

/** How many documents of the current block are in `set`, and in `live` unless that is 0. */
export function countAccepted(c: PostingsCursor, set: usize, live: usize): u32 {
  if (c.code != CODE_BITSET || c.docsReady) {
    decodeDocs(c);
    let n: u32 = 0;
    const end = c.docs + ((<usize>c.count) << 2);
    if (live) {
      for (let p = c.docs; p < end; p += 4) {
        const doc = load<u32>(p);
        n += Bits.has(set, doc) & Bits.has(live, doc);
      }
    } else {
      for (let p = c.docs; p < end; p += 4) n += Bits.has(set, load<u32>(p));
    }
    return n;
  }
  let n: u64 = 0;
  let at = <u32>(c.previous + 1);
  let from = c.bytes;
  for (let left = <u32>(<i32>c.last - c.previous); left; from += 7) {
    const step = min(left, STEP);
    let word = load<u64>(from) & (STEP_MASK >> <u64>(STEP - step)) & Bits.from(set, at);
    if (live) word &= Bits.exactly(live, at, step);
    n += popcnt<u64>(word);
    at += step;
    left -= step;
  }
  return <u32>n;
}

/** Finds the documents of the current block that are in `set`, and in `live` unless that is 0; how many there are. */
export function findAccepted(c: PostingsCursor, set: usize, live: usize): usize {
  let n: usize = 0;
  if (c.code != CODE_BITSET || c.docsReady) {
    decodeDocs(c);
    for (let i: u32 = 0; i < c.count; i++) {
      const doc = load<u32>(c.docs + ((<usize>i) << 2));
      store<u32>(docs + (n << 2), doc);
      store<u32>(indices + (n << 2), i);
      n += Bits.has(set, doc) & (live ? Bits.has(live, doc) : 1);
    }
    return n;
  }
  let rank: u32 = 0;
  let at = <u32>(c.previous + 1);
  let from = c.bytes;
  for (let left = <u32>(<i32>c.last - c.previous); left; from += 7) {
    const step = min(left, STEP);
    const all = load<u64>(from) & (STEP_MASK >> <u64>(STEP - step));
    let word = all & Bits.from(set, at);
    if (live) word &= Bits.exactly(live, at, step);
    for (; word; word &= word - 1) {
      const bit = ctz<u64>(word);
      store<u32>(docs + (n << 2), at + <u32>bit);
      store<u32>(indices + (n << 2), rank + <u32>popcnt<u64>(all & (((<u64>1) << bit) - 1)));
      n++;
    }
    rank += <u32>popcnt<u64>(all);
    at += step;
    left -= step;
  }
  return n;
}

/** Address of the frequencies of a block of 128 as they are packed. */
function packedFreqs(c: PostingsCursor): usize {
  if (c.code == CODE_BITSET) return c.bytes + <usize>((<u32>(<i32>c.last - c.previous) + 7) >> 3);
  return c.bytes + ((<usize>c.code) << 4);
}

/** Scores the `n` documents that `findAccepted` found last, as `scoreBlock` does; false where the arena has no room. */
export function scoreAccepted(c: PostingsCursor, n: usize): bool {
  const end = n << 2;
  if (n > MANY_SCORES) {
    if (!scoreBlock(c)) return false;
    const all = c.scores;
    for (let i: usize = 0; i < end; i += 4)
      store<f32>(scores + i, load<f32>(all + ((<usize>load<u32>(indices + i)) << 2)));
    return true;
  }
  const counted = (c.flags & FIELD_FREQS) != 0;
  const packed = counted && !c.freqsReady && c.code != CODE_VINTS && n <= MANY_FREQS;
  const from = packed ? packedFreqs(c) : 0;
  if (counted && !packed) decodeFreqs(c);
  const value = c.value;
  const norms = c.norms;
  const table = normTable();
  for (let i: usize = 0; i < end; i += 4) {
    const index = load<u32>(indices + i);
    let freq: u32 = 1;
    if (packed) freq = packedValue128(from, index, c.freqBits) + 1;
    else if (counted) freq = load<u32>(c.freqs + ((<usize>index) << 2));
    let score = f32.sqrt(<f32>freq) * value;
    if (norms) score *= load<f32>(table + ((<usize>load<u8>(norms + load<u32>(docs + i))) << 2));
    store<f32>(scores + i, score);
  }
  return true;
}
