/**
 * The hash of a term's bytes: 32 bits out of a multiplicative hash over blocks of 16 bytes, the last one padded with
 * zeros. The standard tokenizer computes the same function from the vector registers that hold a token.
 *
 *     h = 0
 *     per block:  h = fold(h) * HASH_STEP + low * HASH_LOW + high * HASH_HIGH      fold(h) = h ^ (h >>> 32)
 *     result:     upper half of fold(h + length) * HASH_STEP
 */
export const HASH_LOW: u64 = 0x9e3779b97f4a7c15;
export const HASH_HIGH: u64 = 0xc2b2ae3d27d4eb4f;
export const HASH_STEP: u64 = 0xd6e8feb86659fd93;

/** Parts of the hash, for callers that have the bytes in registers. */
export class Hash {
  /** The state after one more block of 16 bytes. */
  @inline static block(state: u64, low: u64, high: u64): u64 {
    return (state ^ (state >>> 32)) * HASH_STEP + low * HASH_LOW + high * HASH_HIGH;
  }

  /** The state after the first block. */
  @inline static first(low: u64, high: u64): u64 {
    return low * HASH_LOW + high * HASH_HIGH;
  }

  /** The hash of a term of `length` bytes whose last block is in. */
  @inline static finish(state: u64, length: u32): u32 {
    const h = state + (length as u64);
    return (((h ^ (h >>> 32)) * HASH_STEP) >>> 32) as u32;
  }
}

/** The `count` bytes (0..8) at `ptr` as a little-endian word, without reading beyond them. */
export function partialWord(ptr: usize, count: u32): u64 {
  if (count >= 8) return load<u64>(ptr);
  if (count >= 4) {
    const low = load<u32>(ptr) as u64;
    const high = load<u32>(ptr + count - 4) as u64;
    return low | ((high >>> ((8 - count) * 8)) << 32);
  }
  if (count == 0) return 0;
  const first = load<u8>(ptr) as u64;
  const middle = load<u8>(ptr + (count >>> 1)) as u64;
  const last = load<u8>(ptr + count - 1) as u64;
  if (count == 1) return first;
  return first | (middle << 8) | (count == 3 ? last << 16 : 0);
}

/** Of that length on the hash takes 64 bytes at a time. */
const LONG: u32 = 128;

/** A hash of `length` bytes, four blocks of 16 side by side where there are many; another function than `hashBytes`. */
export function hashLong(ptr: usize, length: u32): u32 {
  if (length < LONG) return hashBytes(ptr, length);
  let a: u64 = 1;
  let b: u64 = 2;
  let c: u64 = 3;
  let d: u64 = 4;
  const end = ptr + (length & ~63);
  for (; ptr < end; ptr += 64) {
    a = Hash.block(a, load<u64>(ptr), load<u64>(ptr, 8));
    b = Hash.block(b, load<u64>(ptr, 16), load<u64>(ptr, 24));
    c = Hash.block(c, load<u64>(ptr, 32), load<u64>(ptr, 40));
    d = Hash.block(d, load<u64>(ptr, 48), load<u64>(ptr, 56));
  }
  return Hash.finish(Hash.block(Hash.block(a, b, c), d, <u64>hashBytes(ptr, length & 63)), length);
}

/** The hash of `length` bytes at `ptr`; equals `tokenHash` of a token with these bytes. Reads only these bytes. */
export function hashBytes(ptr: usize, length: u32): u32 {
  let state: u64 = 0;
  let rest = length;
  while (rest >= 16) {
    state = Hash.block(state, load<u64>(ptr), load<u64>(ptr, 8));
    ptr += 16;
    rest -= 16;
  }
  if (rest > 8) state = Hash.block(state, load<u64>(ptr), partialWord(ptr + 8, rest - 8));
  else if (rest > 0) state = Hash.block(state, partialWord(ptr, rest), 0);
  return Hash.finish(state, length);
}
