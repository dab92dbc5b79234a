/**
 * Lists of affixes and words in one literal with white space between them; the first of a list that fits counts.
 */
import { recordOf, Records } from '../records';
import {
  CLASS_ALETTER,
  CLASS_COMPLEX_CONTEXT,
  CLASS_HAN,
  CLASS_HANGUL,
  CLASS_HEBREW_LETTER,
  CLASS_HIRAGANA,
  CLASS_KATAKANA,
} from '../standardTables';
import { unitAt } from './word';

const SPACE: u32 = 0x20;

function sameUnits(a: usize, b: usize, length: i32): bool {
  for (let i = 0; i < length; i++) if (unitAt(a, i) != unitAt(b, i)) return false;
  return true;
}

/** Where the item at `p` ends. */
function itemEnd(p: usize, last: usize): usize {
  while (p < last && load<u16>(p) > SPACE) p += 2;
  return p;
}

/** The units of the first suffix of a list that the word ends with, 0 if it ends with none. */
export function suffixOf(s: usize, length: i32, suffixes: string): i32 {
  if (length <= 0) return 0;
  const end = s + ((length as usize) << 1);
  const unit = load<u16>(end - 2);
  let p = changetype<usize>(suffixes);
  const last = p + ((suffixes.length as usize) << 1);
  while (p < last) {
    const next = itemEnd(p, last);
    const bytes = next - p;
    if (bytes != 0 && end - s >= bytes && load<u16>(next - 2) == unit) {
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
    const next = itemEnd(p, last);
    const size = ((next - p) >> 1) as i32;
    if (size > 0 && length >= size && sameUnits(s, p, size)) return size;
    p = next + 2;
  }
  return 0;
}

/** Whether the word is one of a list. */
export function isOneOf(s: usize, length: i32, words: string): bool {
  if (length <= 0) return false;
  let p = changetype<usize>(words);
  const last = p + ((words.length as usize) << 1);
  while (p < last) {
    const next = itemEnd(p, last);
    if ((((next - p) >> 1) as i32) == length && sameUnits(s, p, length)) return true;
    p = next + 2;
  }
  return false;
}

/** Whether a unit is among those of a literal. */
export function isAmong(unit: u32, units: string): bool {
  const p = changetype<usize>(units);
  for (let i = 0; i < units.length; i++) if (unitAt(p, i) == unit) return true;
  return false;
}

/** Takes `count` units at index `at` out of the word; the new length. */
export function cut(s: usize, length: i32, at: i32, count: i32): i32 {
  const to = s + ((at as usize) << 1);
  memory.copy(to, to + ((count as usize) << 1), ((length - at - count) as usize) << 1);
  return length - count;
}

/** Letters of word-break classes that hold other characters too: numbers, circled letters, marks of kana. */
function isOddOne(unit: u32): bool {
  return (
    (unit - 0x2160 <= 0x28 && unit - 0x2183 > 1) ||
    unit - 0x24b6 <= 0x33 ||
    unit == 0x3007 ||
    unit - 0x3021 <= 8 ||
    unit - 0x309b <= 1 ||
    unit == 0x30a0 ||
    unit == 0x5f3 ||
    unit - 0x16ee <= 2
  );
}

/** Whether a unit is a letter; one of a surrogate pair is none. */
export function isLetter(unit: u32): bool {
  if (unit < 0x80) return (unit | 0x20) - 0x61 < 26;
  switch (Records.classOf(recordOf(unit))) {
    case CLASS_ALETTER:
    case CLASS_COMPLEX_CONTEXT:
    case CLASS_HAN:
    case CLASS_HANGUL:
    case CLASS_HEBREW_LETTER:
    case CLASS_HIRAGANA:
    case CLASS_KATAKANA:
      return !isOddOne(unit);
    default:
      return false;
  }
}
