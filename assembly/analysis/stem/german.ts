import { markConsonants, stemMarked } from './germanSuffixes';
import { put, setUnit, splice, unitAt } from './word';

/** Letters by which a word may grow in its buffer. */
const ROOM = 32;

/** Snowball's stemmer for German. At most the first 32 letters `ß` are written `ss`. */
export function stemGerman(s: usize, length: i32): i32 {
  let n = length;
  for (let i = 0; i < n && n < length + ROOM; i++) if (unitAt(s, i) == 0xdf) n = splice(s, n, i, i + 1, 'ss');
  markConsonants(s, n);
  return stemMarked(s, n);
}

/** Its variant German2: `ae`, `oe`, `ue` count as `ä`, `ö`, `ü`, except within four letters from `qu` on. */
export function stemGerman2(s: usize, length: i32): i32 {
  markConsonants(s, length);
  return stemMarked(s, joinUmlauts(s, length));
}

/** Writes `ss` for `ß` (at most 32 times) and umlauts as one letter: the new length. */
function joinUmlauts(s: usize, length: i32): i32 {
  // The word is read at the end of its buffer and written at the beginning.
  memory.copy(s + (ROOM << 1), s, (length as usize) << 1);
  const end = length + ROOM;
  let n = 0;
  let i = ROOM;
  while (i < end) {
    const unit = unitAt(s, i);
    const next = i + 1 < end ? unitAt(s, i + 1) : 0;
    if (unit == 0x71 && next == 0x75) {
      // Where fewer than two letters follow, the rest stays as it is.
      const kept = i + 4 <= end ? 4 : end - i;
      for (let k = 0; k < kept; k++) setUnit(s, n++, unitAt(s, i++));
      if (kept < 4) return n;
    } else if (unit == 0xdf && n < i) {
      n = put(s, n, 'ss');
      i++;
    } else if (next == 0x65 && (unit == 0x61 || unit == 0x6f || unit == 0x75)) {
      setUnit(s, n++, unit == 0x61 ? 0xe4 : unit == 0x6f ? 0xf6 : 0xfc);
      i += 2;
    } else {
      setUnit(s, n++, unit);
      i++;
    }
  }
  return n;
}
