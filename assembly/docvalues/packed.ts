/**
 * Sequences of whole numbers of 64 bits, packed in blocks of 128 that can be read whole or one by one:
 *
 *     table    | i64 smallest | i64 largest | u32 offset of the data from the table's end | u8 bits | 3 bytes zero | per block
 *     data     block after block: (value - smallest) / divisor at `bits` bits each (0..56, or 64), value i at bit i * bits
 *     8 bytes zero, so that eight bytes can be read anywhere in the data
 *
 * The divisor is one for the whole sequence and kept elsewhere. Values that are missing count neither for the smallest nor for
 * the largest; a block of nothing else has the bounds 0 and -1. They are packed as 0.
 */

/** Values of a full block, and the shift that finds a value's block. */
export const BLOCK: u32 = 128;
export const BLOCK_SHIFT: u32 = 7;
/** Bytes of a block in the table. */
export const TABLE_ENTRY: u32 = 24;
/** Zeros behind the data. */
export const PADDING: u32 = 8;
/** Widest value that can start at any bit and still be read with one load. */
const MAX_BITS: u32 = 56;

/** Number of blocks of `n` values. */
export function blocksOf(n: u32): u32 {
  return (n >> BLOCK_SHIFT) + u32((n & (BLOCK - 1)) != 0);
}

/** Most bytes that `n` values of at most `bits` bits take. */
export function packedBound(n: u32, bits: u32): u64 {
  const width: u64 = bits > MAX_BITS ? 64 : bits;
  return <u64>blocksOf(n) * (TABLE_ENTRY + 1) + ((<u64>n * width + 7) >> 3) + PADDING;
}

/** Bytes that the sequence of `n` values whose table is at `table` takes. */
export function packedBytes(table: usize, n: u32): u64 {
  const blocks = blocksOf(n);
  if (!blocks) return PADDING;
  const last = table + <usize>(blocks - 1) * TABLE_ENTRY;
  const values = n - ((blocks - 1) << BLOCK_SHIFT);
  const tail = (values * <u32>load<u8>(last, 20) + 7) >> 3;
  return <u64>blocks * TABLE_ENTRY + <u64>load<u32>(last, 16) + <u64>(tail + PADDING);
}

/** Reads of the sequence whose table is at `table` and whose data is at `data`. */
export class Packed {
  @inline static smallest(table: usize, block: u32): i64 {
    return load<i64>(table + <usize>block * TABLE_ENTRY);
  }
  @inline static largest(table: usize, block: u32): i64 {
    return load<i64>(table + <usize>block * TABLE_ENTRY, 8);
  }

  /** Value number i. */
  @inline static get(table: usize, data: usize, divisor: i64, i: u32): i64 {
    const entry = table + <usize>(i >> BLOCK_SHIFT) * TABLE_ENTRY;
    const bits = <u32>load<u8>(entry, 20);
    const bit = (i & (BLOCK - 1)) * bits;
    const word = load<u64>(data + load<u32>(entry, 16) + (bit >> 3)) >> <u64>(bit & 7);
    return load<i64>(entry) + <i64>(word & lowBits(bits)) * divisor;
  }
}

/** A word with the low `bits` bits set; 64 sets all. */
function lowBits(bits: u32): u64 {
  return bits ? ~(<u64>0) >> <u64>(64 - bits) : 0;
}

/** Reads the first `n` values of a block as i64 to `out`. */
export function decodeBlock(table: usize, data: usize, divisor: i64, block: u32, n: u32, out: usize): void {
  const entry = table + <usize>block * TABLE_ENTRY;
  const smallest = load<i64>(entry);
  const bits = <u32>load<u8>(entry, 20);
  const end = out + ((<usize>n) << 3);
  if (!bits) {
    for (let p = out; p < end; p += 8) store<i64>(p, smallest);
    return;
  }
  const from = data + load<u32>(entry, 16);
  const mask = lowBits(bits);
  let bit: u32 = 0;
  if (divisor == 1) {
    for (let p = out; p < end; p += 8, bit += bits)
      store<i64>(p, smallest + <i64>((load<u64>(from + (bit >> 3)) >> <u64>(bit & 7)) & mask));
    return;
  }
  for (let p = out; p < end; p += 8, bit += bits)
    store<i64>(p, smallest + <i64>((load<u64>(from + (bit >> 3)) >> <u64>(bit & 7)) & mask) * divisor);
}

/** Bits of the numbers up to `largest`, as blocks store them. */
function widthOf(largest: u64): u32 {
  const bits: u32 = 64 - <u32>clz(largest);
  return bits > MAX_BITS ? 64 : bits;
}

/** What `encodeBlock` saw: the block's bounds. */
export let blockSmallest: i64 = 0;
export let blockLargest: i64 = 0;

/**
 * Packs the `n` values (i64) at `values` to `to`, where zeros are written up to `PADDING` bytes behind them, and fills in the
 * block's entry of the table. Bit i of `present` (two words) says whether value i counts. Returns the bytes of the data.
 */
export function encodeBlock(
  values: usize,
  n: u32,
  present0: u64,
  present1: u64,
  divisor: i64,
  entry: usize,
  offset: u32,
  to: usize,
): u32 {
  let smallest = i64.MAX_VALUE;
  let largest = i64.MIN_VALUE;
  for (let i: u32 = 0; i < n; i++) {
    if (!(((i < 64 ? present0 : present1) >> <u64>(i & 63)) & 1)) continue;
    const value = load<i64>(values + ((<usize>i) << 3));
    smallest = min(smallest, value);
    largest = max(largest, value);
  }
  if (smallest > largest) {
    smallest = 0;
    largest = -1;
  }
  blockSmallest = smallest;
  blockLargest = largest;
  const bits = smallest > largest ? 0 : widthOf(<u64>(largest - smallest) / <u64>divisor);
  store<i64>(entry, smallest);
  store<i64>(entry, largest, 8);
  store<u32>(entry, offset, 16);
  store<u32>(entry, bits, 20);
  const bytes = (n * bits + 7) >> 3;
  memory.fill(to, 0, bytes + PADDING);
  if (!bits) return 0;
  for (let i: u32 = 0, bit: u32 = 0; i < n; i++, bit += bits) {
    if (!(((i < 64 ? present0 : present1) >> <u64>(i & 63)) & 1)) continue;
    let delta = <u64>(load<i64>(values + ((<usize>i) << 3)) - smallest);
    if (divisor != 1) delta /= <u64>divisor;
    const at = to + (bit >> 3);
    store<u64>(at, load<u64>(at) | (delta << (<u64>(bit & 7))));
  }
  return bytes;
}

/**
 * Whether `n` packed values lie within the `room` bytes at `table`, each from `least` to `most`; with `ascending` none is
 * below the one before it.
 */
export function isPacked(table: usize, room: u32, n: u32, divisor: i64, least: i64, most: i64): bool {
  const blocks = blocksOf(n);
  const tableBytes = <u64>blocks * TABLE_ENTRY;
  if (tableBytes + PADDING > <u64>room) return false;
  const left = room - <u32>tableBytes - PADDING;
  for (let b: u32 = 0; b < blocks; b++) {
    const entry = table + <usize>b * TABLE_ENTRY;
    const bits = <u32>load<u8>(entry, 20);
    const count = min(n - (b << BLOCK_SHIFT), BLOCK);
    const offset = load<u32>(entry, 16);
    const bytes = (count * bits + 7) >> 3;
    if (load<u32>(entry, 20) >> 8 || (bits > MAX_BITS && bits != 64)) return false;
    if (offset > left || bytes > left - offset) return false;
    const smallest = load<i64>(entry);
    const largest = load<i64>(entry, 8);
    if (smallest > largest) {
      if (bits || smallest != 0 || largest != -1) return false;
      continue;
    }
    if (smallest < least || largest > most) return false;
    // Packed numbers may reach beyond what the table says: bounds that matter are those of the numbers.
    if (least == i64.MIN_VALUE && most == i64.MAX_VALUE) continue;
    const data = table + <usize>tableBytes;
    for (let i: u32 = 0; i < count; i++) {
      const value = Packed.get(table, data, divisor, (b << BLOCK_SHIFT) + i);
      if (value < smallest || value > largest) return false;
    }
  }
  return true;
}
