import { isAmong, suffixOf } from './affixes';
import { ends, setUnit, unitAt } from './word';

const VOWELS = 'aeiouāīēū';

function vowelsOf(s: usize, length: i32): i32 {
  let vowels = 0;
  for (let i = 0; i < length; i++) if (isAmong(unitAt(s, i), VOWELS)) ++vowels;
  return vowels;
}

/** Puts two plain letters where palatal ones end the stem. */
function plainEnd(s: usize, length: i32, first: u32, second: u32): i32 {
  setUnit(s, length - 2, first);
  setUnit(s, length - 1, second);
  return length;
}

/** Undoes the palatalization that an ending caused; `removed` is the ending's first unit. */
function unpalatalize(s: usize, length: i32, removed: u32): i32 {
  if (removed == 0x75) {
    if (ends(s, length, 'kš')) return plainEnd(s, length + 1, 0x73, 0x74);
    if (ends(s, length, 'ņņ')) return plainEnd(s, length, 0x6e, 0x6e);
  }
  if (suffixOf(s, length, 'pj bj mj vj') > 0) return length - 1;
  if (ends(s, length, 'šņ')) return plainEnd(s, length, 0x73, 0x6e);
  if (ends(s, length, 'žņ')) return plainEnd(s, length, 0x7a, 0x6e);
  if (ends(s, length, 'šļ')) return plainEnd(s, length, 0x73, 0x6c);
  if (ends(s, length, 'žļ')) return plainEnd(s, length, 0x7a, 0x6c);
  if (ends(s, length, 'ļņ')) return plainEnd(s, length, 0x6c, 0x6e);
  if (ends(s, length, 'ļļ')) return plainEnd(s, length, 0x6c, 0x6c);
  const last = unitAt(s, length - 1);
  if (last == 0x10d) setUnit(s, length - 1, 0x63);
  else if (last == 0x13c) setUnit(s, length - 1, 0x6c);
  else if (last == 0x146) setUnit(s, length - 1, 0x6e);
  return length;
}

/** The units of the first ending of a list if the stem keeps three units; 0 otherwise. */
function endingOf(s: usize, length: i32, endings: string): i32 {
  return suffixOf(s + 6, length - 3, endings);
}

/** Stems Latvian as Lucene's LatvianStemFilter does: one ending of a noun or adjective if a vowel stays. */
export function stemLatvian(s: usize, length: i32): i32 {
  const vowels = vowelsOf(s, length);
  let size = 0;
  let palatal = false;
  if (vowels > 3) size = endingOf(s, length, 'ajiem ajai');
  if (size == 0 && vowels > 2) {
    size = endingOf(s, length, 'ajam ajām ajos ajās iem ajā ais ai ei');
    palatal = size == 3 && unitAt(s, length - 3) == 0x69; // iem
  }
  if (size == 0 && vowels > 1) {
    size = endingOf(s, length, 'ām am ēm īm im um us as ās es os ij īs ēs is ie u a i e ā ē ī ū o');
    if (size > 0) palatal = isPalatal(s, length, size);
  }
  if (size == 0 && vowels > 0) size = endingOf(s, length, 's š');
  length -= size;
  return palatal ? unpalatalize(s, length, unitAt(s, length)) : length;
}

/** Whether an ending of this size palatalizes: us, os, u, a, i. */
function isPalatal(s: usize, length: i32, size: i32): bool {
  return size == 1 ? suffixOf(s, length, 'u a i') > 0 : suffixOf(s, length, 'us os') > 0;
}
