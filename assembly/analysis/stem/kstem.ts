/**
 * Krovetz's stemmer: takes endings off as long as that leads to a word of the dictionary, and some without that. The word
 * is the units [0, size) of a buffer; a stem is what stands before an ending. What was cut off stays in the buffer behind
 * the word, so that it can come back.
 */
import { isAmong } from './affixes';
import { isException, kstemFind, writeStem } from './kstemWords';
import { put, setUnit, unitAt } from './word';

const LONGEST = 49;
const A: u32 = 0x61;
const E: u32 = 0x65;
const I: u32 = 0x69;
const S: u32 = 0x73;
const Y: u32 = 0x79;

let word: usize = 0;
let size = 0;
/** Units before the ending that `endsIn` has found. */
let stem = 0;
/** What the last look-up has found. */
let found: usize = 0;

function at(i: i32): u32 {
  return unitAt(word, i);
}

/** Whether the word ends in `ending` behind a stem of at least one unit; this sets `stem`. */
function endsIn(ending: string): bool {
  const start = size - ending.length;
  if (start < 1) return false;
  const units = changetype<usize>(ending);
  for (let i = 0; i < ending.length; i++) if (unitAt(units, i) != at(start + i)) return false;
  stem = start;
  return true;
}

function lookUp(): bool {
  found = kstemFind(word, size);
  return found != 0;
}

/** Looks up the first `length` units, which become the word. */
function tryLength(length: i32): bool {
  size = length;
  return lookUp();
}

/** Looks up the first `length` units with `ending`, which become the word. */
function tryEnding(length: i32, ending: string): bool {
  size = put(word, length, ending);
  return lookUp();
}

/** As `tryEnding`, but an exception does not count. */
function tryRegular(length: i32, ending: string): bool {
  size = put(word, length, ending);
  found = kstemFind(word, size);
  if (found != 0 && isException(found)) found = 0;
  return found != 0;
}

function isConsonant(i: i32): bool {
  const letter = at(i);
  if (isAmong(letter, 'aeiou')) return false;
  return letter != Y || i == 0 || !isConsonant(i - 1);
}

/** Whether the unit at index `i` doubles the consonant before it. */
function isDoubled(i: i32): bool {
  return i >= 1 && at(i) == at(i - 1) && isConsonant(i);
}

function hasVowel(length: i32): bool {
  for (let i = 0; i < length; i++) if (!isConsonant(i)) return true;
  return false;
}

/** Whether the stem ends in the two letters. */
function stemEndsIn(first: u32, second: u32): bool {
  return stem > 1 && at(stem - 2) == first && at(stem - 1) == second;
}

function plural(): void {
  if (at(size - 1) != S) return;
  if (endsIn('ies')) {
    if (!tryLength(stem + 2)) tryEnding(stem, 'y');
  } else if (endsIn('es')) {
    const withE = stem > 1 && !stemEndsIn(S, S);
    if (withE && tryLength(stem + 1)) return;
    if (tryLength(stem)) return;
    size = stem + 1;
    if (!withE) lookUp();
  } else if (size > 3 && at(size - 2) != S && !endsIn('ous')) tryLength(size - 1);
}

/** Takes one of two equal consonants if that makes a word. */
function tryUndoubled(length: i32): void {
  if (tryLength(length - 1)) return;
  tryLength(length);
}

function pastTense(): void {
  if (size <= 4) return;
  if (endsIn('ied')) {
    if (!tryLength(stem + 2)) tryEnding(stem, 'y');
    return;
  }
  if (!endsIn('ed') || !hasVowel(stem)) return;
  if (tryRegular(stem, 'e') || tryLength(stem)) return;
  if (isDoubled(stem - 1)) {
    tryUndoubled(stem);
    return;
  }
  // Words with un- stay as they are; others end in e.
  size = put(word, stem, at(0) == 0x75 && at(1) == 0x6e ? 'ed' : 'e');
}

function aspect(): void {
  if (size <= 5 || !endsIn('ing') || !hasVowel(stem)) return;
  if (tryRegular(stem, 'e') || tryLength(stem)) return;
  if (isDoubled(stem - 1)) {
    tryUndoubled(stem);
    return;
  }
  const twoConsonants = stem > 1 && isConsonant(stem - 1) && isConsonant(stem - 2);
  size = twoConsonants ? stem : put(word, stem, 'e');
}

function ity(): void {
  if (!endsIn('ity') || tryLength(stem) || tryEnding(stem, 'e')) return;
  if (stemEndsIn(I, 0x6c)) tryEnding(stem - 2, 'le');
  else if (stemEndsIn(I, 0x76)) tryEnding(stem, 'e');
  else if (stemEndsIn(A, 0x6c)) tryLength(stem);
  else if (!tryEnding(stem, 'ity')) size = stem;
}

function ness(): void {
  if (!endsIn('ness')) return;
  if (at(stem - 1) == I) setUnit(word, stem - 1, Y);
  tryLength(stem);
}

function ion(): void {
  if (!endsIn('ion')) return;
  if (endsIn('ization')) {
    tryEnding(stem + 2, 'e');
    return;
  }
  if (endsIn('ition')) {
    if (tryEnding(stem, 'e')) return;
    size = put(word, stem, 'ition');
  } else if (endsIn('ation')) {
    if (tryEnding(stem + 2, 'e') || tryEnding(stem, 'e') || tryLength(stem)) return;
    size = put(word, stem, 'ation');
  }
  if (endsIn('ication')) {
    if (tryEnding(stem, 'y')) return;
    size = put(word, stem, 'ication');
  }
  stem = size - 3;
  if (tryEnding(stem, 'e') || tryLength(stem)) return;
  size = put(word, stem, 'ion');
}

function erAndOr(): void {
  if (endsIn('izer')) {
    tryLength(stem + 3);
    return;
  }
  if (!endsIn('er') && !endsIn('or')) return;
  const vowel = at(stem);
  if (isDoubled(stem - 1) && tryLength(stem - 1)) return;
  const last = at(stem - 1);
  if (last == I) {
    if (tryEnding(stem - 1, 'y')) return;
    put(word, stem - 1, 'ie');
  } else if (last == E && tryLength(stem - 1)) return;
  if (tryLength(stem + 1) || tryLength(stem) || tryEnding(stem, 'e')) return;
  setUnit(word, stem, vowel);
  size = stem + 2;
}

function ly(): void {
  if (!endsIn('ly') || tryEnding(stem, 'le')) return;
  setUnit(word, stem + 1, Y);
  if (tryLength(stem) || stemEndsIn(A, 0x6c)) return;
  if (stemEndsIn(A, 0x62)) {
    size = put(word, stem, 'le');
    return;
  }
  if (at(stem - 1) == I) {
    if (tryEnding(stem - 1, 'y')) return;
    setUnit(word, stem - 1, I);
  }
  size = stem;
}

function al(): void {
  if (size < 4 || !endsIn('al') || tryLength(stem)) return;
  if (isDoubled(stem - 1) && tryLength(stem - 1)) return;
  if (tryEnding(stem, 'e') || tryEnding(stem, 'um')) return;
  size = put(word, stem, 'al');
  if (stemEndsIn(I, 0x63)) {
    if (tryLength(stem - 2) || tryEnding(stem - 2, 'y')) return;
    tryEnding(stem - 2, 'ic');
  } else if (at(stem - 1) == I) {
    if (!tryLength(stem - 1)) tryEnding(stem - 1, 'ial');
  }
}

function ive(): void {
  if (!endsIn('ive') || tryLength(stem) || tryEnding(stem, 'e')) return;
  if (stemEndsIn(A, 0x74)) {
    if (tryEnding(stem - 2, 'e') || tryLength(stem - 2)) return;
    put(word, stem - 2, 'at');
  }
  if (!tryEnding(stem, 'ion')) size = put(word, stem, 'ive');
}

function ize(): void {
  if (!endsIn('ize') || tryLength(stem)) return;
  if (isDoubled(stem - 1) && tryLength(stem - 1)) return;
  if (!tryEnding(stem, 'e')) size = put(word, stem, 'ize');
}

function ment(): void {
  if (endsIn('ment') && !tryLength(stem)) size = stem + 4;
}

function ble(): void {
  if (!endsIn('ble')) return;
  const vowel = at(stem - 1);
  if (vowel != A && vowel != I) return;
  const start = stem - 1;
  if (tryLength(start)) return;
  if (isDoubled(start - 1) && tryLength(start - 1)) return;
  if (tryEnding(start, 'e') || tryEnding(start, 'ate')) return;
  setUnit(word, start, vowel);
  size = put(word, stem, 'ble');
}

function ism(): void {
  if (endsIn('ism')) tryLength(stem);
}

function ic(): void {
  if (!endsIn('ic') || tryEnding(stem, 'ical')) return;
  if (tryEnding(stem, 'y') || tryEnding(stem, 'e') || tryLength(stem)) return;
  size = put(word, stem, 'ic');
}

function ncy(): void {
  if (!endsIn('ncy') || !isAmong(at(stem - 1), 'ae')) return;
  if (!tryEnding(stem, 'nt')) tryEnding(stem, 'nce');
}

function nce(): void {
  if (!endsIn('nce')) return;
  const vowel = at(stem - 1);
  if (vowel != E && vowel != A) return;
  if (tryEnding(stem - 1, 'e') || tryLength(stem - 1)) return;
  setUnit(word, stem - 1, vowel);
  size = put(word, stem, 'nce');
}

/** Takes endings off until a word is found. */
function takeEndings(): void {
  plural();
  if (!found) pastTense();
  if (!found) aspect();
  if (!found) ity();
  if (!found) ness();
  if (!found) ion();
  if (!found) erAndOr();
  if (!found) ly();
  if (!found) al();
  if (found) return;
  // What is in the dictionary by now counts, unless -ive is taken off.
  found = kstemFind(word, size);
  if (found && isException(found)) found = 0;
  ive();
  if (!found) ize();
  if (!found) ment();
  if (!found) ble();
  if (!found) ism();
  if (!found) ic();
  if (!found) ncy();
  if (!found) nce();
}

/** Stems English as Lucene's KStemFilter does; words with anything but a–z stay as they are. */
export function stemKStem(s: usize, length: i32): i32 {
  if (length < 3 || length > LONGEST) return length;
  for (let i = 0; i < length; i++) if (unitAt(s, i) - A > 25) return length;
  const entry = kstemFind(s, length);
  if (entry) return writeStem(entry, s, length);
  word = s;
  size = length;
  found = 0;
  takeEndings();
  return found ? writeStem(found, s, size) : size;
}
