import { codePointAt, putCodePoint, toLowerCase } from './codePoints';
import { isNonSpacingMark } from './marks';

const CAPITAL_I: u32 = 0x49;
const SMALL_I: u32 = 0x69;
const DOTLESS_I: u32 = 0x131;
const DOT_ABOVE: u32 = 0x307;

/** Whether a dot above comes, from index `i` on, before anything but marks. */
function isBeforeDot(s: usize, length: i32, i: i32): bool {
  while (i < length) {
    const codePoint = codePointAt(s, length, i);
    if (codePoint == DOT_ABOVE) return true;
    if (!isNonSpacingMark(codePoint)) return false;
    i += codePoint > 0xffff ? 2 : 1;
  }
  return false;
}

/** Lower-cases Turkish: I becomes a dotless i, and an i together with a dot above. */
export function lowerCaseTurkish(s: usize, length: i32): i32 {
  let out = 0;
  let afterDottedI = false;
  for (let i = 0; i < length; ) {
    const codePoint = codePointAt(s, length, i);
    i += codePoint > 0xffff ? 2 : 1;
    if (codePoint == CAPITAL_I) {
      afterDottedI = isBeforeDot(s, length, i);
      out = putCodePoint(s, out, afterDottedI ? SMALL_I : DOTLESS_I);
      continue;
    }
    if (afterDottedI) {
      if (codePoint == DOT_ABOVE) continue;
      afterDottedI = isNonSpacingMark(codePoint);
    }
    out = putCodePoint(s, out, toLowerCase(codePoint));
  }
  return out;
}
