import { mapAccents } from './accents';
import { isAmong, suffixOf } from './affixes';
import { ends, setUnit, unitAt } from './word';

const PLAIN = 'àaâãäåæçèeêeìiîïðñòoôoo÷øùuuuýþÿ';

function isVowel(s: usize, i: i32): bool {
  return isAmong(unitAt(s, i), 'aeiouy');
}

/** Whether the unit at index `i` is a consonant, and the one before it the same. */
function isDoubled(s: usize, i: i32): bool {
  return !isVowel(s, i) && unitAt(s, i) == unitAt(s, i - 1);
}

function withoutAccents(s: usize, length: i32): void {
  mapAccents(s, length, PLAIN);
  for (let i = 0; i < length; i++) {
    const unit = unitAt(s, i);
    if (unit == 0x151)
      setUnit(s, i, 0x6f); // ő
    else if (unit == 0x169 || unit == 0x171) setUnit(s, i, 0x75); // ũ, ű
  }
}

function withoutCase(s: usize, n: i32): i32 {
  if (n > 6 && ends(s, n, 'kent')) return n - 4;
  if (n > 5) {
    if (suffixOf(s, n, 'nak nek val vel ert rol ban ben bol nal nel hoz hez tol') > 0) return n - 3;
    if (suffixOf(s, n, 'al el') > 0 && isDoubled(s, n - 3)) return n - 3;
  }
  if (n <= 4) return n;
  if (suffixOf(s, n, 'at et ot va ve ra re ba be ul ig') > 0) return n - 2;
  if (suffixOf(s, n, 'on en') > 0 && !isVowel(s, n - 3)) return n - 2;
  if (suffixOf(s, n, 't n') > 0) return n - 1;
  return suffixOf(s, n, 'a e') > 0 && isDoubled(s, n - 2) ? n - 2 : n;
}

function withoutPossessive(s: usize, n: i32): i32 {
  if (n > 6) {
    if (!isVowel(s, n - 5) && suffixOf(s, n, 'atok otok etek') > 0) return n - 4;
    if (suffixOf(s, n, 'itek itok') > 0) return n - 4;
  }
  if (n > 5) {
    if (!isVowel(s, n - 4) && suffixOf(s, n, 'unk tok tek') > 0) return n - 3;
    if (isVowel(s, n - 4) && ends(s, n, 'juk')) return n - 3;
    if (ends(s, n, 'ink')) return n - 3;
  }
  if (n > 4) {
    if (suffixOf(s, n, isVowel(s, n - 3) ? 'nk ja je' : 'am em om ad ed od uk') > 0) return n - 2;
    if (suffixOf(s, n, 'im id ik') > 0) return n - 2;
  }
  if (n <= 3) return n;
  if (ends(s, n, 'i')) return n - 1;
  return suffixOf(s, n, isVowel(s, n - 2) ? 'm d' : 'a e') > 0 ? n - 1 : n;
}

/** Stems Hungarian as Lucene's HungarianLightStemFilter does: accents, case, possessive, plural, final vowel. */
export function stemHungarianLight(s: usize, length: i32): i32 {
  withoutAccents(s, length);
  length = withoutCase(s, length);
  length = withoutPossessive(s, length);
  if (length > 3 && ends(s, length, 'k')) length -= length > 4 && suffixOf(s, length, 'ak ok ek') > 0 ? 2 : 1;
  return length > 3 && isAmong(unitAt(s, length - 1), 'aeio') ? length - 1 : length;
}
