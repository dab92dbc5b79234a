import { unpack128 } from '../codec/bitpack128';
import { Vint, vintNext } from '../codec/vint';
import { requestAlloc } from '../memory/arena';
import { PostingsCursor, currentFreq, currentIndex } from './cursor';

// Positions of one term in the document its postings cursor stands on (bytes: segment/README.md).

const TAIL: u8 = 0xff;

@unmanaged
export class PositionsCursor {
  postings: PostingsCursor;
  /** Positions of the current document, ascending, and how many. */
  positions: usize;
  count: u32;
  capacity: u32;
  /** Document that `positions` belongs to, plus one; 0 none. */
  loaded: u32;
  /** The position block unpacked last (its address) and its 128 gaps. */
  unpacked: usize;
  gaps: usize;
  /**
   * How far the positions have been passed over. Long lists: of block `summedBlock` minus one, posting `summed`, which begins `sum`
   * positions behind the start of the position block at `at`. Short lists: where the positions of posting `summed` begin.
   */
  summedBlock: u32;
  summed: u32;
  sum: u32;
  at: usize;

  static make(postings: PostingsCursor): PositionsCursor | null {
    const ptr = requestAlloc(offsetof<PositionsCursor>());
    const gaps = requestAlloc(512);
    if (!ptr || !gaps) return null;
    memory.fill(ptr, 0, offsetof<PositionsCursor>());
    const p = changetype<PositionsCursor>(ptr);
    p.postings = postings;
    p.gaps = gaps;
    return p;
  }
}

/** Address after `n` vints. */
function skipVints(ptr: usize, n: u32): usize {
  while (n) {
    if (load<u8>(ptr) < 0x80) n--;
    ptr++;
  }
  return ptr;
}

/** Room for `n` positions; false where the arena has none. */
function ensure(p: PositionsCursor, n: u32): bool {
  if (n <= p.capacity) return true;
  if (n > 1 << 28) return false;
  let capacity: u32 = 32;
  while (capacity < n) capacity <<= 1;
  const ptr = requestAlloc(capacity << 2);
  if (!ptr) return false;
  p.positions = ptr;
  p.capacity = capacity;
  return true;
}

/** Loads the positions of the document the postings cursor stands on; false where the arena has no room. */
export function loadPositions(p: PositionsCursor): bool {
  const c = p.postings;
  if (p.loaded == c.doc + 1) return true;
  const freq = currentFreq(c);
  if (!ensure(p, freq)) return false;
  p.count = freq;
  p.loaded = c.doc + 1;
  const index = currentIndex(c);
  if (c.short) loadShort(p, index, freq);
  else loadLong(p, index, freq);
  return true;
}

function loadShort(p: PositionsCursor, index: u32, freq: u32): void {
  const c = p.postings;
  if (!p.at || index < p.summed) {
    p.at = c.positions;
    p.summed = 0;
  }
  let skip: u32 = 0;
  for (let i = p.summed; i < index; i++) skip += load<u32>(c.freqs + ((<usize>i) << 2));
  let at = skipVints(p.at, skip);
  p.at = at;
  p.summed = index;
  let position: u32 = 0;
  const out = p.positions;
  for (let i: u32 = 0; i < freq; i++) {
    position += Vint.read(at);
    at = vintNext;
    store<u32>(out + ((<usize>i) << 2), position);
  }
}

/** The frequencies of the block are decoded. */
function loadLong(p: PositionsCursor, index: u32, freq: u32): void {
  const c = p.postings;
  if (p.summedBlock != c.block + 1 || index < p.summed) {
    const meta = c.metas + ((<usize>c.block) << 4);
    p.summedBlock = c.block + 1;
    p.summed = 0;
    p.sum = <u32>load<u8>(meta, 14);
    p.at = c.positions + load<u32>(meta, 8);
  }
  let skip = p.sum;
  const end = c.freqs + ((<usize>index) << 2);
  for (let at = c.freqs + ((<usize>p.summed) << 2); at < end; at += 4) skip += load<u32>(at);
  let block = p.at;
  while (skip >= 128) {
    const bits = load<u8>(block);
    if (bits == TAIL) break;
    block += 1 + ((<usize>bits) << 4);
    skip -= 128;
  }
  p.summed = index;
  p.sum = skip;
  p.at = block;
  let position: u32 = 0;
  let left = freq;
  let out = p.positions;
  while (left) {
    const bits = load<u8>(block);
    if (bits == TAIL) {
      let at = skipVints(block + 1, skip);
      for (; left; left--, out += 4) {
        position += Vint.read(at);
        at = vintNext;
        store<u32>(out, position);
      }
      return;
    }
    if (p.unpacked != block) {
      unpack128(block + 1, p.gaps, bits);
      p.unpacked = block;
    }
    let from = p.gaps + ((<usize>skip) << 2);
    const end = from + ((<usize>min<u32>(left, 128 - skip)) << 2);
    left -= min<u32>(left, 128 - skip);
    for (; from < end; from += 4, out += 4) {
      position += load<u32>(from);
      store<u32>(out, position);
    }
    skip = 0;
    block += 1 + ((<usize>bits) << 4);
  }
}
