/** Value number `i` of 128 that are packed in `bits` bits each (bitpack128.ts draws them), the others left as they are. */
export function packedValue128(src: usize, i: u32, bits: u32): u32 {
  if (!bits) return 0;
  // Bytes of a unit, as a power of two, and how many units share a lane.
  const size: u32 = bits <= 4 ? 0 : bits <= 14 ? 1 : 2;
  const shared: u32 = 2 - size;
  const row = i >> 2;
  const unit = row & ((1 << shared) - 1);
  const width: u32 = 8 << size;
  const bit = (row >> shared) * bits;
  const at = src + <usize>(((bit >> (3 + size)) << 4) + ((i & 3) << 2) + (unit << size));
  const shift = bit & (width - 1);
  const rest = width - shift;
  const mask: u64 = ((<u64>1) << (<u64>bits)) - 1;
  let value = <u64>unitAt(at, size) >> <u64>shift;
  if (bits > rest) value |= (<u64>unitAt(at + 16, size)) << (<u64>rest);
  return <u32>(value & mask);
}

function unitAt(at: usize, size: u32): u32 {
  if (size == 0) return load<u8>(at);
  return size == 1 ? <u32>load<u16>(at) : load<u32>(at);
}
