/** Words in lower case and what the oldest of Lucene's stemmers ask about them, as Java's `String` does it. */
import { codePointAt, putCodePoint, toLowerCase } from '../normalize/codePoints';
import { isLetter } from './affixes';
import { setUnit, splice, unitAt } from './word';

const CAPITAL_DOTTED_I: u32 = 0x130;
const CAPITAL_SIGMA: u32 = 0x3a3;
const SIGMA: u32 = 0x3c3;
const FINAL_SIGMA: u32 = 0x3c2;
/** How much longer a word may get. */
const SPARE = 30;

/** The letters of the word in lower case; its new length, as İ has two units there. */
export function lowerCaseWord(s: usize, length: i32): i32 {
  const most = length + SPARE;
  for (let i = 0; i < length; ) {
    const codePoint = codePointAt(s, length, i);
    if (codePoint == CAPITAL_DOTTED_I && length < most) {
      length = splice(s, length, i, i + 1, 'i\u0307');
      i += 2;
    } else if (codePoint == CAPITAL_SIGMA) {
      const isFinal = i > 0 && isLetter(unitAt(s, i - 1)) && !(i + 1 < length && isLetter(unitAt(s, i + 1)));
      setUnit(s, i++, isFinal ? FINAL_SIGMA : SIGMA);
    } else i = putCodePoint(s, i, toLowerCase(codePoint));
  }
  return length;
}

export function hasOnlyLetters(s: usize, length: i32): bool {
  for (let i = 0; i < length; i++) if (!isLetter(unitAt(s, i))) return false;
  return true;
}
