import { cut, isAmong, suffixOf } from './affixes';
import { hasOnlyLetters, lowerCaseWord } from './lowerCase';
import { begins, ends, put, setUnit, unitAt } from './word';

const VOWELS = 'eaoiuyè';
const CAPITAL_I: u32 = 0x49;
const CAPITAL_Y: u32 = 0x59;
const SMALL_I: u32 = 0x69;
const SMALL_Y: u32 = 0x79;

/** The region behind the first consonant after a vowel, but not before the fourth unit. */
let r1 = 0;
let r2 = 0;
let removedE = false;

function isVowel(s: usize, i: i32): bool {
  return isAmong(unitAt(s, i), VOWELS);
}

function plain(unit: u32): u32 {
  if (isAmong(unit, 'äá')) return 0x61;
  if (isAmong(unit, 'ëé')) return 0x65;
  if (isAmong(unit, 'üú')) return 0x75;
  if (isAmong(unit, 'öó')) return 0x6f;
  return unit == 0xef ? SMALL_I : unit;
}

/** Writes i and y as capitals where they are consonants. */
function markConsonants(s: usize, n: i32): void {
  for (let i = 0; i < n; i++) {
    const unit = unitAt(s, i);
    const afterVowel = i > 0 && isVowel(s, i - 1);
    if (unit == SMALL_Y && (i == 0 || afterVowel)) setUnit(s, i, CAPITAL_Y);
    else if (unit == SMALL_I && afterVowel && i + 1 < n && isVowel(s, i + 1)) setUnit(s, i, CAPITAL_I);
  }
}

/** Where the region behind the first consonant after a vowel begins, from index `start` on. */
function regionFrom(s: usize, n: i32, start: i32): i32 {
  let i = start;
  while (i < n && (isVowel(s, i) || !isVowel(s, i - 1))) ++i;
  return i + 1;
}

function undouble(s: usize, n: i32): i32 {
  return suffixOf(s, n, 'kk tt dd nn mm ff') > 0 ? n - 1 : n;
}

/** Takes -ene or -en in R1 if a consonant is before it, but not after gem. */
function withoutEn(s: usize, n: i32): i32 {
  const start = n - suffixOf(s, n, 'ene en');
  if (start == n || start < r1 || isVowel(s, start - 1) || ends(s, start, 'gem')) return n;
  return undouble(s, start);
}

/** Writes -heid for every -heden from index `from` on. */
function singularHeid(s: usize, n: i32, from: i32): i32 {
  let out = from;
  for (let i = from; i < n; ) {
    if (begins(s, i, n, 'heden')) {
      out = put(s, out, 'heid');
      i += 5;
    } else setUnit(s, out++, unitAt(s, i++));
  }
  return out;
}

function withoutPlural(s: usize, n: i32): i32 {
  if (r1 >= n) return n;
  if (ends(s, n, 'heden')) return singularHeid(s, n, r1);
  const rest = withoutEn(s, n);
  if (rest != n) return rest;
  for (let size = 2; size > 0; size--) {
    const start = n - size;
    if (start < r1 || !(size == 2 ? ends(s, n, 'se') : ends(s, n, 's'))) continue;
    if (!isVowel(s, start - 1) && unitAt(s, start - 1) != 0x6a) return start;
  }
  return n;
}

function withoutE(s: usize, n: i32): i32 {
  removedE = n > r1 && ends(s, n, 'e') && !isVowel(s, n - 2);
  return removedE ? undouble(s, n - 1) : n;
}

function withoutDerivation(s: usize, n: i32): i32 {
  if (n - 3 >= r2 && suffixOf(s, n, 'end ing') > 0) {
    n -= 3;
    if (!ends(s, n, 'ig')) return undouble(s, n);
    return unitAt(s, n - 3) != 0x65 && n - 2 >= r2 ? n - 2 : n;
  }
  if (n - 2 >= r2 && ends(s, n, 'ig')) return unitAt(s, n - 3) != 0x65 ? n - 2 : n;
  if (n - 4 >= r2 && ends(s, n, 'lijk')) return withoutE(s, n - 4);
  if (n - 4 >= r2 && ends(s, n, 'baar')) return n - 4;
  return n - 3 >= r2 && removedE && ends(s, n, 'bar') ? n - 3 : n;
}

/** Leaves one of two equal vowels between the last consonants. */
function withoutDoubleVowel(s: usize, n: i32): i32 {
  if (n < 4) return n;
  const vowel = unitAt(s, n - 2);
  const last = unitAt(s, n - 1);
  if (vowel != unitAt(s, n - 3) || vowel == SMALL_I || last == CAPITAL_I) return n;
  if (!isVowel(s, n - 2) || isVowel(s, n - 1) || isVowel(s, n - 4)) return n;
  return cut(s, n, n - 2, 1);
}

/** Stems Dutch as Lucene's DutchStemFilter, the filter `dutch_stem`, does. */
export function stemDutchOld(s: usize, length: i32): i32 {
  let n = lowerCaseWord(s, length);
  if (n == 0 || !hasOnlyLetters(s, n)) return n;
  for (let i = 0; i < n; i++) setUnit(s, i, plain(unitAt(s, i)));
  markConsonants(s, n);
  r1 = max(3, regionFrom(s, n, 1));
  n = withoutPlural(s, n);
  n = withoutE(s, n);
  r2 = regionFrom(s, n, r1);
  if (n - 4 >= r2 && ends(s, n, 'heid') && unitAt(s, n - 5) != 0x63) n = withoutEn(s, n - 4);
  if (r2 < n) n = withoutDerivation(s, n);
  n = withoutDoubleVowel(s, n);
  for (let i = 0; i < n; i++) {
    const unit = unitAt(s, i);
    if (unit == CAPITAL_I || unit == CAPITAL_Y) setUnit(s, i, unit | 0x20);
  }
  return n;
}
