/**
 * LZ4 blocks with a dictionary, in the format of https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md: a module of its own, of 2 KB,
 * which any thread instantiates for itself ([lz4.ts](../../host/storage/lz4.ts)). A block is a list of sequences:
 *
 *     u8 token      high 4 bits: number of literals; low 4 bits: length of the match less 4. 15: bytes follow that are added, 255 means another
 *     (u8 ...)      the rest of the number of literals
 *     literals
 *     u16           how far back the match begins, little endian, at least 1; reaches into the dictionary, which stands before the text
 *     (u8 ...)      the rest of the length of the match
 *
 * The last sequence ends behind its literals. Texts end with at least five literals, and no match begins in their last twelve bytes.
 *
 * Copies move sixteen bytes at a time: up to fifteen bytes behind each range are read, and behind each output are written.
 */

/** Entries of the table of places in a text, as a power of two. */
const TEXT_BITS: u64 = 13;
/** The same for a dictionary, whose places are found out once. */
const DICTIONARY_BITS: u64 = 15;
const LEAST_MATCH: usize = 4;
/** No match begins in that many bytes at a text's end, */
const LAST_BYTES: u32 = 12;
/** and none reaches into that many. */
const LAST_LITERALS: usize = 5;
const MOST_BACK: usize = 65535;
/** After so many places without a match, as a power of two, steps become longer. */
const PATIENCE: u32 = 5;

/** By hash, the last place in the text plus what all texts before it came to, so that none has to be forgotten: u32 each. */
const places: usize = memory.data(4 << 13);
/** What the texts before came to; 0 is no place. */
let before: u32 = 1;

/** Bytes of the table that {@link index} writes. */
export const TABLE_BYTES: u32 = 2 << 15;

/** Where memory begins that is the caller's. */
export const FREE: usize = __heap_base;

class Bytes {
  /**
   * Of the first five of eight bytes: matches of four are worth a byte at most and cost as much time as others. With four 0.546 of the
   * sources' size, with five 0.523, with six 0.539.
   */
  @inline static hash(eight: u64, bits: u64): u32 {
    return <u32>(((eight << 24) * 889523592379) >>> (64 - bits));
  }

  /** Copies in steps of sixteen bytes; ranges may overlap where `to` is so many or more behind `from`. */
  @inline static copy(to: usize, from: usize, bytes: usize): void {
    const end = to + bytes;
    do {
      v128.store(to, v128.load(from));
      to += 16;
      from += 16;
    } while (to < end);
  }

  /** How many bytes of two ranges are the same, at most as many as there are from `a` to `end`. */
  @inline static same(a: usize, b: usize, end: usize): usize {
    const from = a;
    while (a + 8 <= end) {
      const other = load<u64>(a) ^ load<u64>(b);
      if (other) return a - from + <usize>(ctz(other) >> 3);
      a += 8;
      b += 8;
    }
    while (a < end && load<u8>(a) == load<u8>(b)) {
      a++;
      b++;
    }
    return a - from;
  }

  /** Writes what a length has beyond the 15 of its token; returns where it ends. */
  @inline static putRest(out: usize, rest: usize): usize {
    for (; rest >= 255; rest -= 255) store<u8>(out++, 255);
    store<u8>(out, <u8>rest);
    return out + 1;
  }
}

/** Finds out the places of a dictionary, at most 65,534 bytes, by their hashes. */
export function index(dictionary: usize, length: u32, table: usize): void {
  memory.fill(table, 0, TABLE_BYTES);
  for (let at: u32 = 0; at + 8 <= length; at++)
    store<u16>(table + (Bytes.hash(load<u64>(dictionary + at), DICTIONARY_BITS) << 1), <u16>(at + 1));
}

/**
 * Compresses a text; returns the length of the block. `out` has room for a byte more for each 255 of the text, and 32 more.
 * @param table what {@link index} made of the dictionary
 */
export function encode(
  dictionary: usize,
  dictionaryLength: u32,
  table: usize,
  text: usize,
  length: u32,
  out: usize,
): usize {
  if (before > 0x7fffffff) {
    memory.fill(places, 0, 4 << 13);
    before = 1;
  }
  const base = before;
  before += length;
  const end = text + length;
  const dictionaryEnd = dictionary + dictionaryLength;
  const matchable = length > LAST_BYTES ? end - LAST_BYTES : text;
  const last = end - LAST_LITERALS;
  let to = out;
  let literals = text;
  let misses: u32 = 0;
  for (let at = text; at < matchable; ) {
    const eight = load<u64>(at);
    const place = places + (Bytes.hash(eight, TEXT_BITS) << 2);
    const known = load<u32>(place);
    store<u32>(place, <u32>(at - text) + base);
    // One branch for both places: with one for each, encoding took a quarter more, since neither can be foreseen.
    const isKnown = known >= base;
    const near = select<usize>(text + known - base, text, isKnown);
    const isNear = i32(isKnown) & i32(at - near <= MOST_BACK) & i32(load<u32>(near) == <u32>eight);
    const entry = <usize>load<u16>(table + (Bytes.hash(eight, DICTIONARY_BITS) << 1));
    const far = dictionary + entry - 1;
    const farBack = dictionaryEnd - far + (at - text);
    const isFar = i32(entry != 0) & i32(farBack <= MOST_BACK) & i32(load<u32>(far) == <u32>eight);
    if (!(isNear | isFar)) {
      at += 1 + (misses++ >> PATIENCE);
      continue;
    }
    misses = 0;
    const match = select<usize>(near, far, isNear);
    const back = select<usize>(at - near, farBack, isNear);
    // A match that goes on from the dictionary into the text is another one.
    const ceiling = min<usize>(last, select<usize>(last, at + (dictionaryEnd - far), isNear));
    let matchEnd = at + LEAST_MATCH;
    matchEnd += Bytes.same(matchEnd, match + LEAST_MATCH, ceiling);
    // Backwards by at most eight bytes, in one step.
    const least = min<usize>(at - literals, match - select<usize>(text, dictionary, isNear));
    at -= min<usize>(least, <usize>(clz(load<u64>(at - 8) ^ load<u64>(match - 8)) >> 3));
    const count = at - literals;
    const more = matchEnd - at - LEAST_MATCH;
    store<u8>(to++, <u8>((min<usize>(count, 15) << 4) | min<usize>(more, 15)));
    if (count >= 15) to = Bytes.putRest(to, count - 15);
    Bytes.copy(to, literals, count);
    to += count;
    store<u16>(to, <u16>back);
    to += 2;
    if (more >= 15) to = Bytes.putRest(to, more - 15);
    literals = at = matchEnd;
    const latest = matchEnd - 2;
    if (latest < matchable)
      store<u32>(places + (Bytes.hash(load<u64>(latest), TEXT_BITS) << 2), <u32>(latest - text) + base);
  }
  const count = end - literals;
  store<u8>(to++, <u8>(min<usize>(count, 15) << 4));
  if (count >= 15) to = Bytes.putRest(to, count - 15);
  memory.copy(to, literals, count);
  return to + count - out;
}

/**
 * Decompresses a block to a text of this length. Returns 0 where the block is none, or of a text of another length; whatever its bytes, it
 * reads and writes nothing outside of the ranges and the fifteen bytes behind them.
 */
export function decode(
  dictionary: usize,
  dictionaryLength: u32,
  block: usize,
  blockLength: u32,
  text: usize,
  length: u32,
): i32 {
  const blockEnd = block + blockLength;
  const end = text + length;
  let from = block;
  let to = text;
  while (from < blockEnd) {
    const token = <usize>load<u8>(from++);
    let count = token >> 4;
    if (count == 15) {
      let more: usize = 255;
      while (more == 255) {
        if (from >= blockEnd) return 0;
        more = <usize>load<u8>(from++);
        count += more;
      }
    }
    if (count > blockEnd - from || count > end - to) return 0;
    Bytes.copy(to, from, count);
    to += count;
    from += count;
    if (from == blockEnd) return i32(to == end);
    if (blockEnd - from < 2) return 0;
    const back = <usize>load<u16>(from);
    from += 2;
    count = token & 15;
    if (count == 15) {
      let more: usize = 255;
      while (more == 255) {
        if (from >= blockEnd) return 0;
        more = <usize>load<u8>(from++);
        count += more;
      }
    }
    count += LEAST_MATCH;
    if (!back || count > end - to) return 0;
    const matchEnd = to + count;
    if (back > to - text) {
      const fromEnd = back - (to - text);
      if (fromEnd > dictionaryLength) return 0;
      const match = dictionary + dictionaryLength - fromEnd;
      if (count <= fromEnd) {
        Bytes.copy(to, match, count);
        to = matchEnd;
      } else {
        memory.copy(to, match, fromEnd);
        to += fromEnd;
        for (let rest = text; to < matchEnd; ) store<u8>(to++, load<u8>(rest++));
      }
    } else if (back >= 16) {
      Bytes.copy(to, to - back, count);
      to = matchEnd;
    } else while (to < matchEnd) store<u8>(to++, load<u8>(to - back - 1));
  }
  return 0;
}
