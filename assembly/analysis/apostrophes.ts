/** The address of the first ' or U+2019 (e2 80 99) of the UTF-8 from `p` to `end`; `end` if there is none. */
export function findApostrophe(p: usize, end: usize): usize {
  for (; p < end; ++p) {
    const byte = load<u8>(p) as u32;
    if (byte == 0x27) return p;
    if (byte == 0xe2 && end - p > 2 && load<u8>(p, 1) == 0x80 && load<u8>(p, 2) == 0x99) return p;
  }
  return end;
}

/** The bytes of the apostrophe at `p`. */
export function apostropheBytes(p: usize): u32 {
  return load<u8>(p) == 0x27 ? 1 : 3;
}
