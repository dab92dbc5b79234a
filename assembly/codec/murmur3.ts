// MurmurHash3 of 32 bits (x86), as Lucene's StringHelper works it out.

const C1: u32 = 0xcc9e2d51;
const C2: u32 = 0x1b873593;

function mixed(k: u32): u32 {
  return rotl<u32>(k * C1, 15) * C2;
}

/** The hash of `length` bytes at `ptr`. */
export function murmur3(ptr: usize, length: u32, seed: u32): u32 {
  let h = seed;
  const blocks = length & ~3;
  for (let i: u32 = 0; i < blocks; i += 4) {
    h = rotl<u32>(h ^ mixed(load<u32>(ptr + i)), 13) * 5 + 0xe6546b64;
  }
  let k: u32 = 0;
  for (let i = length; i > blocks; i--) k = (k << 8) | <u32>load<u8>(ptr + i - 1);
  if (length > blocks) h ^= mixed(k);
  h ^= length;
  h = (h ^ (h >> 16)) * 0x85ebca6b;
  h = (h ^ (h >> 13)) * 0xc2b2ae35;
  return h ^ (h >> 16);
}
