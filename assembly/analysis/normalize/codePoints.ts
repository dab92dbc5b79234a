/** Code points of words in UTF-16 units. */
import { Records, recordOf } from '../records';
import { setUnit, unitAt } from '../stem/word';

/** The code point at index `i`; a surrogate on its own is one. */
export function codePointAt(s: usize, length: i32, i: i32): u32 {
  const high = unitAt(s, i);
  if ((high & 0xfc00) != 0xd800 || i + 1 >= length) return high;
  const low = unitAt(s, i + 1);
  if ((low & 0xfc00) != 0xdc00) return high;
  return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
}

/** Puts a code point at index `at`; the index after it. */
export function putCodePoint(s: usize, at: i32, codePoint: u32): i32 {
  if (codePoint < 0x10000) {
    setUnit(s, at, codePoint);
    return at + 1;
  }
  setUnit(s, at, 0xd7c0 + (codePoint >>> 10));
  setUnit(s, at + 1, 0xdc00 | (codePoint & 0x3ff));
  return at + 2;
}

/** A code point's lower-case letter. */
export function toLowerCase(codePoint: u32): u32 {
  return codePoint + Records.toLowerCase(recordOf(codePoint));
}
