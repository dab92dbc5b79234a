/**
 * Numbers of variable length: 7 bits a byte, low bits first, the high bit set on all bytes but the last. A u32 takes 1 to 5 bytes.
 */

/** Address after the number read last. */
export let vintNext: usize = 0;

/** Reads a number of two bytes or more; never looks at more than five. */
function readLong(ptr: usize): u32 {
  let byte = <u32>load<u8>(ptr, 1);
  let value = (<u32>load<u8>(ptr) & 0x7f) | ((byte & 0x7f) << 7);
  if (byte < 0x80) {
    vintNext = ptr + 2;
    return value;
  }
  byte = <u32>load<u8>(ptr, 2);
  value |= (byte & 0x7f) << 14;
  if (byte < 0x80) {
    vintNext = ptr + 3;
    return value;
  }
  byte = <u32>load<u8>(ptr, 3);
  value |= (byte & 0x7f) << 21;
  if (byte < 0x80) {
    vintNext = ptr + 4;
    return value;
  }
  vintNext = ptr + 5;
  return value | ((<u32>load<u8>(ptr, 4)) << 28);
}

/** The reader for inner loops: numbers of one byte are read without a call. */
export class Vint {
  /** The number at `ptr`; `vintNext` becomes the address after it. */
  @inline static read(ptr: usize): u32 {
    const byte = <u32>load<u8>(ptr);
    if (byte >= 0x80) return readLong(ptr);
    vintNext = ptr + 1;
    return byte;
  }
}

/** The number at `ptr`; `vintNext` becomes the address after it. */
export function readVint(ptr: usize): u32 {
  return Vint.read(ptr);
}

/** Writes a number, at most 5 bytes, and returns the address after it. */
export function writeVint(ptr: usize, v: u32): usize {
  while (v >= 0x80) {
    store<u8>(ptr++, v | 0x80);
    v >>= 7;
  }
  store<u8>(ptr, v);
  return ptr + 1;
}

/** Bytes that `writeVint` takes for a number: 1..5. */
export function vintSize(v: u32): u32 {
  return (38 - clz(v | 1)) / 7;
}
