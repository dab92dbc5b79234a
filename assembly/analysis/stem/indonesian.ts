import { cut, isAmong, prefixOf, suffixOf } from './affixes';
import { begins, ends, setUnit, unitAt } from './word';

// Prefixes that were removed, which some suffixes do not go with.
const KE: u32 = 1;
const PENG: u32 = 2;
const DI: u32 = 4;
const MENG: u32 = 8;
const TER: u32 = 16;
const BER: u32 = 32;
const PE: u32 = 64;

let removed: u32 = 0;

function isVowel(s: usize, length: i32, i: i32): bool {
  return i < length && isAmong(unitAt(s, i), 'aeiou');
}

function withoutPrefix(s: usize, length: i32, size: i32, flag: u32): i32 {
  removed |= flag;
  return cut(s, length, 0, size);
}

/** Removes me-, pe-, di-, ter-, ke- and their forms before other sounds; a sound that they took comes back. */
function withoutFirstPrefix(s: usize, length: i32): i32 {
  if (begins(s, 0, length, 'meng')) return withoutPrefix(s, length, 4, MENG);
  if (begins(s, 0, length, 'meny') && isVowel(s, length, 4)) {
    setUnit(s, 3, 0x73);
    return withoutPrefix(s, length, 3, MENG);
  }
  let size = prefixOf(s, length, 'men mem me');
  if (size > 0) return withoutPrefix(s, length, size, MENG);
  if (begins(s, 0, length, 'peng')) return withoutPrefix(s, length, 4, PENG);
  if (begins(s, 0, length, 'peny')) {
    if (!isVowel(s, length, 4)) return withoutPrefix(s, length, 4, PENG);
    setUnit(s, 3, 0x73);
    return withoutPrefix(s, length, 3, PENG);
  }
  if (begins(s, 0, length, 'pen') && isVowel(s, length, 3)) {
    setUnit(s, 2, 0x74);
    return withoutPrefix(s, length, 2, PENG);
  }
  size = prefixOf(s, length, 'pen pem');
  if (size > 0) return withoutPrefix(s, length, size, PENG);
  if (begins(s, 0, length, 'di')) return withoutPrefix(s, length, 2, DI);
  if (begins(s, 0, length, 'ter')) return withoutPrefix(s, length, 3, TER);
  if (begins(s, 0, length, 'ke')) return withoutPrefix(s, length, 2, KE);
  return length;
}

/** Removes ber-, per- and pe-. */
function withoutSecondPrefix(s: usize, length: i32): i32 {
  if (begins(s, 0, length, 'ber')) return withoutPrefix(s, length, 3, BER);
  if (length == 7 && begins(s, 0, length, 'belajar')) return withoutPrefix(s, length, 3, BER);
  if (length > 4 && begins(s, 0, length, 'be') && !isVowel(s, length, 2) && begins(s, 3, length, 'er'))
    return withoutPrefix(s, length, 2, BER);
  if (begins(s, 0, length, 'per')) return cut(s, length, 0, 3);
  if (length == 7 && begins(s, 0, length, 'pelajar')) return cut(s, length, 0, 3);
  if (begins(s, 0, length, 'pe')) return withoutPrefix(s, length, 2, PE);
  return length;
}

function withoutSuffixes(s: usize, length: i32): i32 {
  if (ends(s, length, 'kan') && (removed & (KE | PENG | PE)) == 0) return length - 3;
  if (ends(s, length, 'an') && (removed & (DI | MENG | TER)) == 0) return length - 2;
  if (ends(s, length, 'i') && !ends(s, length, 'si') && (removed & (BER | KE | PENG)) == 0) return length - 1;
  return length;
}

/** Stems Indonesian as Lucene's IndonesianStemFilter does: affixes go one by one while three syllables are left. */
export function stemIndonesian(s: usize, length: i32): i32 {
  removed = 0;
  let syllables = 0;
  for (let i = 0; i < length; i++) if (isVowel(s, length, i)) ++syllables;

  if (syllables > 2) {
    const size = suffixOf(s, length, 'kah lah pun');
    if (size > 0) --syllables;
    length -= size;
  }
  if (syllables > 2) {
    const size = suffixOf(s, length, 'ku mu nya');
    if (size > 0) --syllables;
    length -= size;
  }
  if (syllables <= 2) return length;

  let rest = withoutFirstPrefix(s, length);
  if (rest != length) {
    --syllables;
    if (syllables <= 2) return rest;
    length = rest;
    rest = withoutSuffixes(s, length);
    if (rest == length) return rest;
    --syllables;
    return syllables > 2 ? withoutSecondPrefix(s, rest) : rest;
  }
  rest = withoutSecondPrefix(s, length);
  if (rest != length) --syllables;
  return syllables > 2 ? withoutSuffixes(s, rest) : rest;
}
