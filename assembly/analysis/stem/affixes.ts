/** Lists of affixes and words in one literal with spaces between; the first of a list that fits counts. */
import { unitAt } from './word';

function sameUnits(a: usize, b: usize, length: i32): bool {
  for (let i = 0; i < length; i++) if (unitAt(a, i) != unitAt(b, i)) return false;
  return true;
}

export function equals(s: usize, length: i32, word: string): bool {
  return length == word.length && sameUnits(s, changetype<usize>(word), length);
}

/** The units of the first suffix of a list that the word ends with, 0 if it ends with none. */
export function suffixOf(s: usize, length: i32, suffixes: string): i32 {
  const end = s + ((length as usize) << 1);
  let p = changetype<usize>(suffixes);
  const last = p + ((suffixes.length as usize) << 1);
  while (p < last) {
    let next = p;
    while (next < last && load<u16>(next) != 0x20) next += 2;
    const bytes = next - p;
    if (end - s >= bytes && load<u16>(end - 2) == load<u16>(next - 2)) {
      const size = (bytes >> 1) as i32;
      if (sameUnits(end - bytes, p, size)) return size;
    }
    p = next + 2;
  }
  return 0;
}

/** The units of the first prefix of a list that the word begins with, 0 if it begins with none. */
export function prefixOf(s: usize, length: i32, prefixes: string): i32 {
  let p = changetype<usize>(prefixes);
  const last = p + ((prefixes.length as usize) << 1);
  while (p < last) {
    let next = p;
    while (next < last && load<u16>(next) != 0x20) next += 2;
    const size = ((next - p) >> 1) as i32;
    if (length >= size && sameUnits(s, p, size)) return size;
    p = next + 2;
  }
  return 0;
}

/** Whether the word is one of a list. */
export function isOneOf(s: usize, length: i32, words: string): bool {
  let p = changetype<usize>(words);
  const last = p + ((words.length as usize) << 1);
  while (p < last) {
    let next = p;
    while (next < last && load<u16>(next) != 0x20) next += 2;
    if ((((next - p) >> 1) as i32) == length && sameUnits(s, p, length)) return true;
    p = next + 2;
  }
  return false;
}

/** Whether a unit is among those of a literal. */
export function isAmong(unit: u32, units: string): bool {
  const p = changetype<usize>(units);
  const size = units.length;
  for (let i = 0; i < size; i++) if (unitAt(p, i) == unit) return true;
  return false;
}

/** Takes `count` units at index `at` out of the word; the new length. */
export function cut(s: usize, length: i32, at: i32, count: i32): i32 {
  const to = s + ((at as usize) << 1);
  memory.copy(to, to + ((count as usize) << 1), ((length - at - count) as usize) << 1);
  return length - count;
}
