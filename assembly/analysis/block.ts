/**
 * The vectors below, 16 equal bytes each. Loading them from memory costs one instruction where a constant in the code
 * costs three.
 *
 *     0 case bit | 16, 32 letters moved to the top of the signed bytes, and what is below them | 48, 64 digits likewise | 80 _
 */
const constants: usize = memory.data<u64>([
  0x2020202020202020, 0x2020202020202020, 0x0505050505050505, 0x0505050505050505, 0x6565656565656565,
  0x6565656565656565, 0x4646464646464646, 0x4646464646464646, 0x7575757575757575, 0x7575757575757575,
  0x5f5f5f5f5f5f5f5f, 0x5f5f5f5f5f5f5f5f,
]);

/** A byte each: 1 for ' , . : ; which join letters or digits (MidLetter, MidNum, MidNumLet, Single_Quote). */
const joiners: usize = memory.data<u64>([
  0, 0, 0, 0, 0x0100000000000000, 0x0001000100000000, 0, 0x0000000001010000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
]);

/** From here on, minus n, 16 bytes: a mask that keeps n bytes. */
const keepMask: usize = memory.data<u64>([0xffffffffffffffff, 0xffffffffffffffff, 0, 0]) + 16;

/** What the standard tokenizer asks of 16 bytes of text: vectors with 0xff or 0 a byte, or bits. */
export class Block {
  @inline static letters(v: v128): v128 {
    const folded = v128.or(v, v128.load(constants));
    return i8x16.gt_s(i8x16.add(folded, v128.load(constants, 16)), v128.load(constants, 32));
  }

  @inline static digits(v: v128): v128 {
    return i8x16.gt_s(i8x16.add(v, v128.load(constants, 48)), v128.load(constants, 64));
  }

  @inline static lowerCased(v: v128, letters: v128): v128 {
    return v128.or(v, v128.and(letters, v128.load(constants)));
  }

  /** The first `count` bytes (0..16), then zeros. */
  @inline static keep(v: v128, count: u32): v128 {
    return v128.and(v, v128.load(keepMask - count));
  }

  /** Bits of the bytes that can begin a token: `words`, `_` and what is not ASCII. Bit 16 is set to stop searches. */
  @inline static starters(v: v128, words: v128): u32 {
    return (
      (i8x16.bitmask(v128.or(v128.or(v, words), i8x16.eq(v, v128.load(constants, 80)))) as u32) | 0x10000
    );
  }

  /** Whether a run of words may go on at the byte after it, `next`. Bit 0 of `starters` is that byte's. */
  @inline static mayGoOn(starters: u32, next: u32): bool {
    return ((starters | ((load<u8>(joiners + next) as u32) & (starters >>> 1))) & 1) != 0;
  }

  /** Whether bytes that are ASCII letters and digits, as words of 8, have a letter among them. */
  @inline static hasLetter(low: u64, high: u64): bool {
    return ((low | high) & 0x4040404040404040) != 0;
  }
}
