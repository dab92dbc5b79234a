import { Utf8 } from '../utf8';
import { NAME_RUN_COUNT, NAME_RUNS } from './htmlTables';

/** What a character may be in the name of a tag. */
export const NAME_CONTINUE: u32 = 1;
export const NAME_START: u32 = 2;

/** NAME_START, NAME_CONTINUE or 0. */
function nameClass(c: u32): u32 {
  if (c < 0x80) {
    if ((c | 0x20) - 0x61 < 26 || c == 0x3a || c == 0x5f) return NAME_START;
    return c - 0x30 < 10 || c == 0x2d || c == 0x2e ? NAME_CONTINUE : 0;
  }
  let low: u32 = 0;
  let high = NAME_RUN_COUNT;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (load<u32>(NAME_RUNS + ((<usize>middle) << 2)) >>> 2 <= c) low = middle;
    else high = middle;
  }
  return load<u32>(NAME_RUNS + ((<usize>low) << 2)) & 3;
}

/** The end of the name at `p`, which is `p` if there is none. */
export function nameEnd(p: usize, end: usize): usize {
  let least = NAME_START;
  while (p < end) {
    const decoded = Utf8.decode(p, end);
    if (nameClass(Utf8.codePoint(decoded)) < least) break;
    p += Utf8.bytes(decoded);
    least = NAME_CONTINUE;
  }
  return p;
}

/** White_Space of Unicode 6.1. */
function isSpace(c: u32): bool {
  if (c < 0x80) return c == 0x20 || c - 9 < 5;
  if (c < 0x1680) return c == 0x85 || c == 0xa0;
  return (
    c == 0x1680 || c - 0x2000 < 11 || c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000
  );
}

/** The end of the whitespace at `p`. */
export function spaceEnd(p: usize, end: usize): usize {
  while (p < end) {
    const decoded = Utf8.decode(p, end);
    if (!isSpace(Utf8.codePoint(decoded))) break;
    p += Utf8.bytes(decoded);
  }
  return p;
}

/** The beginning of the whitespace that ends at `p`, not before `from`. */
export function spaceStart(p: usize, from: usize): usize {
  while (p > from) {
    let before = p - 1;
    while (before > from && (load<u8>(before) & 0xc0) == 0x80) --before;
    if (!isSpace(Utf8.codePoint(Utf8.decode(before, p)))) break;
    p = before;
  }
  return p;
}

/** Whether the bytes at `p` are these, which are ASCII without capitals, in either case. */
export function matches(p: usize, end: usize, word: usize, length: u32): bool {
  if (end - p < length) return false;
  for (let i: u32 = 0; i < length; i++) {
    const byte = load<u8>(p + i) as u32;
    if ((byte - 0x41 < 26 ? byte | 0x20 : byte) != <u32>load<u8>(word + i)) return false;
  }
  return true;
}

/** Whether a list of words, each `u8 length, bytes` and the last of length 0, has the word, in either case. */
export function listed(list: usize, p: usize, length: u32): bool {
  for (let each = load<u8>(list) as u32; each != 0; each = load<u8>(list) as u32) {
    if (each == length && matches(p, p + length, list + 1, length)) return true;
    list += each + 1;
  }
  return false;
}
