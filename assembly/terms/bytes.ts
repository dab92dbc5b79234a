/** Comparisons of byte strings. Nothing is read beyond the given lengths. */

/** Number of leading bytes that two ranges of at least `length` bytes have in common. */
export function commonPrefix(a: usize, b: usize, length: u32): u32 {
  let i: u32 = 0;
  while (i + 8 <= length) {
    const difference = load<u64>(a + i) ^ load<u64>(b + i);
    if (difference) return i + (<u32>ctz(difference) >> 3);
    i += 8;
  }
  while (i < length && load<u8>(a + i) == load<u8>(b + i)) ++i;
  return i;
}

/** Whether two ranges of `length` bytes hold the same. */
export function isSame(a: usize, b: usize, length: u32): bool {
  const end = a + (length & ~15);
  for (; a < end; a += 16, b += 16) if (v128.any_true(v128.xor(v128.load(a), v128.load(b)))) return false;
  const rest = length & 15;
  return commonPrefix(a, b, rest) == rest;
}

/** Order of two byte strings by unsigned bytes, a prefix first: negative, 0 or positive. */
export function compareBytes(a: usize, aLength: u32, b: usize, bLength: u32): i32 {
  const shorter = min(aLength, bLength);
  const common = commonPrefix(a, b, shorter);
  if (common < shorter) return <i32>load<u8>(a + common) - <i32>load<u8>(b + common);
  return aLength < bLength ? -1 : aLength > bLength ? 1 : 0;
}

/** The first 8 bytes as a big-endian number, zeros after the end: orders strings by what they begin with. */
export function prefix8(ptr: usize, length: u32): u64 {
  if (length >= 8) return bswap(load<u64>(ptr));
  let prefix: u64 = 0;
  for (let i: u32 = 0; i < length; i++) prefix |= (<u64>load<u8>(ptr + i)) << (<u64>(56 - (i << 3)));
  return prefix;
}
