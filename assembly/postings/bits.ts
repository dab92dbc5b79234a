import { requestAlloc } from '../memory/arena';
import { CODE_BITSET, decodeDocs, enter, PostingsCursor, seekBlock } from './cursor';

// Lists as bitsets: a window of one, or the whole, kept beside the cursor for look-ups.

/** Sets the bits of all documents in [base, base + size) in `bits`, where bit 0 is document `base`. `bits` has 16 bytes to spare. */
export function fillBits(c: PostingsCursor, base: u32, size: u32, bits: usize): void {
  const limit = base + size;
  if (c.presence && !(base & 63)) {
    fillFromPresence(c, base, size, bits);
    return;
  }
  if (!seekBlock(c, base)) return;
  for (;;) {
    if (c.code == CODE_BITSET && !c.docsReady && c.previous + 1 >= <i32>base && c.last < limit) {
      orBitsetBlock(c, base, bits);
    } else {
      decodeDocs(c);
      let p = c.docs;
      if (c.last < limit && c.previous + 1 >= <i32>base) {
        for (const end = p + ((<usize>c.count) << 2); p < end; p += 4) {
          const bit = load<u32>(p) - base;
          const at = bits + ((bit >> 6) << 3);
          store<u64>(at, load<u64>(at) | ((<u64>1) << (<u64>(bit & 63))));
        }
      } else {
        while (load<u32>(p) < base) p += 4;
        for (;;) {
          const doc = load<u32>(p);
          if (doc >= limit) break;
          const bit = doc - base;
          const at = bits + ((bit >> 6) << 3);
          store<u64>(at, load<u64>(at) | ((<u64>1) << (<u64>(bit & 63))));
          p += 4;
        }
        if (c.last >= limit) return;
      }
    }
    if (c.block + 1 >= c.blocks) return;
    enter(c, c.block + 1);
    if (c.previous + 1 >= <i32>limit) return;
  }
}

/** The same from the list's bitset over the segment; `base` is a multiple of 64. */
function fillFromPresence(c: PostingsCursor, base: u32, size: u32, bits: usize): void {
  const words = (size + 63) >> 6;
  let from = c.presence + ((base >> 6) << 3);
  for (let i: u32 = 0; i < words; i++, from += 8) {
    let word = load<u64>(from);
    if (i == words - 1 && size & 63) word &= ((<u64>1) << (<u64>(size & 63))) - 1;
    const to = bits + ((<usize>i) << 3);
    store<u64>(to, load<u64>(to) | word);
  }
}

/** ORs a bitset block into `bits`, seven bytes at a time so that a shift by up to seven bits fits in a word. */
function orBitsetBlock(c: PostingsCursor, base: u32, bits: usize): void {
  const first = <u32>(c.previous + 1) - base;
  const shift = <u64>(first & 7);
  let to = bits + (first >> 3);
  let from = c.bytes;
  let left = <u32>(<i32>c.last - c.previous);
  while (left >= 56) {
    store<u64>(to, load<u64>(to) | ((load<u64>(from) & 0x00ffffffffffffff) << shift));
    to += 7;
    from += 7;
    left -= 56;
  }
  if (left) store<u64>(to, load<u64>(to) | ((load<u64>(from) & (((<u64>1) << (<u64>left)) - 1)) << shift));
}

/**
 * How many postings can be spread into a bitset (1 ns each) in the time of looking one document up (about 8 ns), and for how
 * many documents of the segment clearing the bitset takes as long.
 */
const SPREAD_RATIO: f64 = 8;

const SPREAD_CLEAR: f64 = 256;

/** Whether spreading `postings` postings over a segment of `docCount` documents is cheaper than so many look-ups. */
export function isSpreadCheaper(postings: u32, probes: f64, docCount: u32): bool {
  return probes * SPREAD_RATIO >= <f64>postings + <f64>docCount / SPREAD_CLEAR;
}

/**
 * Prepares a list of a segment of `docCount` documents for about `probes` look-ups: where that is cheaper, the list becomes
 * a bitset once, and a look-up of a document that isn't in it costs a bit test. False where the arena has no room.
 */
export function spread(c: PostingsCursor, probes: f64, docCount: u32): bool {
  if (c.presence || !isSpreadCheaper(c.df, probes, docCount)) return true;
  const bytes = (((docCount + 127) >> 7) << 4) + 16;
  const bits = requestAlloc(bytes);
  if (!bits) return false;
  memory.fill(bits, 0, bytes);
  fillBits(c, 0, docCount, bits);
  c.presence = bits;
  return true;
}
