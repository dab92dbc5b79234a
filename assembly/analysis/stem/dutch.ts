import { endings, lengthOf, longestEnding, NONE, numberOf } from './endings';
import { ends, isIn, letters, put, region, setUnit, splice, unitAt } from './word';

/** Snowball's (Porter's) stemmer for Dutch. Consonantal `i`, `y` are written `I`, `Y` while it works. */

const VOWELS = letters('aeiouyè');

let once: i32 = 0;
let twice: i32 = 0;
let removedE = false;
let ready = false;
let inflections: u32 = 0;
let derivations: u32 = 0;
let doubledConsonants: u32 = 0;
let doubledVowels: u32 = 0;

function prepare(): void {
  inflections = endings('1: heden 2: ene en 3: se s');
  derivations = endings('1: end ing 2: ig 3: lijk 4: baar 5: bar');
  doubledConsonants = endings('1: dd kk tt');
  doubledVowels = endings('1: aa ee oo uu');
  ready = true;
}

export function stemDutch(s: usize, length: i32): i32 {
  if (!ready) prepare();
  markLetters(s, length);
  const first = region(s, 0, length, VOWELS);
  twice = region(s, first, length, VOWELS);
  once = first;
  if (once < 3) once = 3;
  let n = inflected(s, length);
  n = withoutE(s, n);
  if (n - 4 >= twice && ends(s, n, 'heid') && !ends(s, n - 4, 'c')) {
    n -= 4;
    if (ends(s, n, 'en')) n = withoutEn(s, n, n - 2);
  }
  n = derived(s, n);
  n = withoutDoubledVowel(s, n);
  for (let i = 0; i < n; i++) {
    const unit = unitAt(s, i);
    if (unit == 0x49 || unit == 0x59) setUnit(s, i, unit | 0x20);
  }
  return n;
}

/** Takes off acutes and diaereses and marks consonants. */
function markLetters(s: usize, n: i32): void {
  for (let i = 0; i < n; i++) {
    const unit = unitAt(s, i);
    if (unit == 0xe1 || unit == 0xe4) setUnit(s, i, 0x61);
    else if (unit == 0xe9 || unit == 0xeb) setUnit(s, i, 0x65);
    else if (unit == 0xed || unit == 0xef) setUnit(s, i, 0x69);
    else if (unit == 0xf3 || unit == 0xf6) setUnit(s, i, 0x6f);
    else if (unit == 0xfa || unit == 0xfc) setUnit(s, i, 0x75);
  }
  if (n > 0 && unitAt(s, 0) == 0x79) setUnit(s, 0, 0x59);
  for (let i = 0; i + 1 < n; i++) {
    if (!isIn(VOWELS, unitAt(s, i))) continue;
    const next = unitAt(s, i + 1);
    if (next == 0x79) setUnit(s, i + 1, 0x59);
    else if (next == 0x69 && i + 2 < n && isIn(VOWELS, unitAt(s, i + 2))) setUnit(s, i + 1, 0x49);
  }
}

/** The length without the second of two equal consonants at the end. */
function undoubled(s: usize, n: i32): i32 {
  return longestEnding(doubledConsonants, s, n) != NONE ? n - 1 : n;
}

/** The length without `en` or `ene`, which begin at `stem`. */
function withoutEn(s: usize, n: i32, stem: i32): i32 {
  if (stem < once || isIn(VOWELS, unitAt(s, stem - 1)) || ends(s, stem, 'gem')) return n;
  return undoubled(s, stem);
}

/** The length without `e`; says in `removedE` whether there was one. */
function withoutE(s: usize, n: i32): i32 {
  removedE = ends(s, n, 'e') && n - 1 >= once && !isIn(VOWELS, unitAt(s, n - 2));
  return removedE ? undoubled(s, n - 1) : n;
}

function inflected(s: usize, n: i32): i32 {
  const found = longestEnding(inflections, s, n);
  const stem = n - lengthOf(found);
  if (found == NONE || stem < once) return n;
  switch (numberOf(found)) {
    case 1:
      return put(s, stem, 'heid');
    case 2:
      return withoutEn(s, n, stem);
  }
  const last = unitAt(s, stem - 1);
  return last == 0x6a || isIn(VOWELS, last) ? n : stem;
}

function derived(s: usize, n: i32): i32 {
  const found = longestEnding(derivations, s, n);
  const stem = n - lengthOf(found);
  if (found == NONE || stem < twice) return n;
  switch (numberOf(found)) {
    case 1:
      if (stem - 2 >= twice && ends(s, stem, 'ig') && !ends(s, stem - 2, 'e')) return stem - 2;
      return undoubled(s, stem);
    case 2:
      return ends(s, stem, 'e') ? n : stem;
    case 3:
      return withoutE(s, stem);
    case 5:
      return removedE ? stem : n;
  }
  return stem;
}

/** Writes a vowel once that stands twice between consonants at the end. */
function withoutDoubledVowel(s: usize, n: i32): i32 {
  if (n < 4) return n;
  const last = unitAt(s, n - 1);
  if (last == 0x49 || isIn(VOWELS, last) || isIn(VOWELS, unitAt(s, n - 4))) return n;
  return longestEnding(doubledVowels, s, n - 1) != NONE ? splice(s, n, n - 2, n - 1, '') : n;
}
