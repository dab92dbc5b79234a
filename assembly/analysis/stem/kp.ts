import { endings, lengthOf, longestEnding, NONE, numberOf } from './endings';
import { begins, ends, isIn, letters, put, replaceAll, seek, setUnit, skip, splice, unitAt } from './word';

/** Kraaij and Pohlmann's stemmer for Dutch, written in Snowball. Consonantal `y` is written `Y` while it works. */

const VOWELS = letters('aeiouy');
const VOWELS_W_X = letters('aeiouywx');
const A_O_U = letters('aou');
const A_I_O_U = letters('aiou');

let once: i32 = 0;
let twice: i32 = 0;
let ready = false;
let inflections: u32 = 0;
let diminutives: u32 = 0;
let derivations: u32 = 0;
let adjectives: u32 = 0;
let adjectivesInIg: u32 = 0;
let lastPairs: u32 = 0;

function prepare(): void {
  inflections = endings(`1: 's 2: s 3: ies 4: es 5: aus 6: en 7: nde`);
  diminutives = endings(`
    1: je 2: ge 3: lijke 4: ische 5: de 6: te 7: se 8: re 9: le 10: ene 11: ieve`);
  derivations = endings(`
    1: atie 2: iteit isme ing erij 3: heid sel ster 4: rder 5: arij 6: fie 7: gie 8: tst 9: dst`);
  adjectives = endings(`
    1: ioneel 2: atief 3: baar achtig achtiger achtigst 4: naar 5: laar 6: raar 7: tant 8: lijker lijkst 9: end
    erig eriger erigst`);
  adjectivesInIg = endings('1: ig iger igst');
  lastPairs = endings('1: kt ft pt');
  ready = true;
}

export function stemKp(s: usize, length: i32): i32 {
  if (!ready) prepare();
  let n = length;
  const marked = markConsonantY(s, n);
  measure(s, n);
  let stemmed = false;
  for (let step = 1; step < 5; step++) {
    const shorter = takeOff(step, s, n);
    if (shorter < 0) continue;
    stemmed = true;
    n = shorter;
  }
  if (begins(s, 0, n, 'ge') && followsSyllable(s, 2, n)) n = withoutGe(s, n, 0);
  const infix = seekGe(s, n);
  const removed = infix < n && followsSyllable(s, infix + 2, n);
  if (removed) n = withoutGe(s, n, infix);
  if (longestEnding(lastPairs, s, n) != NONE) {
    n--;
    stemmed = true;
  }
  if (stemmed || removed) n = simplified(s, n);
  if (marked) replaceAll(s, n, 0x59, 0x79);
  return n;
}

function markConsonantY(s: usize, n: i32): bool {
  let found = false;
  for (let i = 0; i < n; i++) {
    if (unitAt(s, i) != 0x79 || (i > 0 && !isIn(VOWELS, unitAt(s, i - 1)))) continue;
    setUnit(s, i, 0x59);
    found = true;
  }
  return found;
}

function measure(s: usize, n: i32): void {
  once = region(s, 0, n);
  twice = region(s, once, n);
}

/** Behind the first consonant that follows a vowel, from `from` on; `ij` is a vowel. n if there is none. */
function region(s: usize, from: i32, n: i32): i32 {
  let i = seek(s, from, n, VOWELS);
  while (i < n) {
    if (begins(s, i, n, 'ij')) i += 2;
    else if (isIn(VOWELS, unitAt(s, i))) i++;
    else return i + 1;
  }
  return n;
}

/** Whether the n units end with a vowel or `ij`. */
function endsInVowel(s: usize, n: i32): bool {
  return n > 0 && (isIn(VOWELS, unitAt(s, n - 1)) || ends(s, n, 'ij'));
}

/** Whether the n units end with a consonant other than the `j` of `ij`. */
function endsInConsonant(s: usize, n: i32): bool {
  return n > 0 && !isIn(VOWELS, unitAt(s, n - 1)) && !ends(s, n, 'ij');
}

/** Whether the n units, which reach into the first region, end with a consonant. */
function inRegion(s: usize, n: i32): bool {
  return n >= once && endsInConsonant(s, n);
}

/** Doubles a single vowel before the last consonant where it was long in an open syllable: the new length. */
function lengthened(s: usize, n: i32): i32 {
  if (n < 2 || isIn(VOWELS_W_X, unitAt(s, n - 1))) return n;
  if (n > 2 && isIn(VOWELS, unitAt(s, n - 3))) return n;
  const vowel = unitAt(s, n - 2);
  if (!isIn(A_O_U, vowel)) {
    if (vowel != 0x65) return n;
    if (n > 3 && isIn(A_I_O_U, unitAt(s, n - 4))) return n;
    if (n > 5 && isIn(A_I_O_U, unitAt(s, n - 5)) && !isIn(VOWELS, unitAt(s, n - 6))) return n;
  }
  setUnit(s, n, unitAt(s, n - 1));
  setUnit(s, n - 1, vowel);
  return n + 1;
}

/** One of the first four steps: the new length, -1 if it does not apply. */
function takeOff(step: i32, s: usize, n: i32): i32 {
  switch (step) {
    case 1:
      return inflected(s, n);
    case 2:
      return diminished(s, n);
    case 3:
      return derived(s, n);
  }
  const stem = adjective(s, n);
  if (stem >= 0) return stem;
  const length = lengthOf(longestEnding(adjectivesInIg, s, n));
  return length > 0 && inRegion(s, n - length) ? lengthened(s, n - length) : -1;
}

function inflected(s: usize, n: i32): i32 {
  const found = longestEnding(inflections, s, n);
  const stem = n - lengthOf(found);
  const fits = stem >= once;
  switch (numberOf(found)) {
    case 1:
      return stem;
    case 2:
      return inRegion(s, stem) && !(ends(s, stem, 't') && stem - 1 >= once) ? stem : -1;
    case 3:
      return fits ? put(s, stem, 'ie') : -1;
    case 4:
      if (ends(s, stem, 'ar') && inRegion(s, stem - 2)) return lengthened(s, stem - 2);
      if (ends(s, stem, 'er') && inRegion(s, stem - 2)) return stem - 2;
      return inRegion(s, stem) ? put(s, stem, 'e') : -1;
    case 5:
      return fits && endsInVowel(s, stem) ? put(s, stem, 'au') : -1;
    case 6:
      if (ends(s, stem, 'hed') && stem - 3 >= once) return put(s, stem - 3, 'heid');
      if (ends(s, stem, 'nd')) return stem;
      if (ends(s, stem, 'd') && inRegion(s, stem - 1)) return stem - 1;
      if ((ends(s, stem, 'i') || ends(s, stem, 'j')) && endsInVowel(s, stem - 1)) return stem;
      return inRegion(s, stem) ? lengthened(s, stem) : -1;
    case 7:
      return n - 1;
  }
  return -1;
}

/** What is left of a diminutive in `je`, of which `stem` is the rest; -1 if that does not go. */
function withoutJe(s: usize, stem: i32): i32 {
  if (ends(s, stem, "'t")) return stem - 2;
  if (ends(s, stem, 'et') && inRegion(s, stem - 2)) return stem - 2;
  if (ends(s, stem, 'rnt')) return stem - 1;
  if (ends(s, stem, 't') && stem - 1 >= once && stem > 1 && endsInVowel(s, stem - 2)) return stem - 1;
  if (ends(s, stem, 'ink')) return put(s, stem - 1, 'g');
  if (ends(s, stem, 'mp')) return stem - 1;
  if (ends(s, stem, "'") && stem - 1 >= once) return stem - 1;
  return inRegion(s, stem) ? stem : -1;
}

function diminished(s: usize, n: i32): i32 {
  const found = longestEnding(diminutives, s, n);
  const stem = n - lengthOf(found);
  const number = numberOf(found);
  if (number == 1) return withoutJe(s, stem);
  if (found == NONE || stem < once) return -1;
  switch (number) {
    case 2:
    case 3:
    case 4:
    case 6:
    case 7:
    case 8:
      return n - 1;
    case 9:
      return lengthened(s, put(s, stem, 'l'));
  }
  if (!endsInConsonant(s, stem)) return -1;
  if (number == 5) return stem;
  return number == 10 ? lengthened(s, put(s, stem, 'en')) : put(s, stem, 'ief');
}

function derived(s: usize, n: i32): i32 {
  const found = longestEnding(derivations, s, n);
  const stem = n - lengthOf(found);
  const number = numberOf(found);
  if (number == 4) return put(s, stem, 'r');
  if (found == NONE || stem < (number == 6 || number == 7 ? twice : once)) return -1;
  switch (number) {
    case 1:
      return put(s, stem, 'eer');
    case 2:
      return lengthened(s, stem);
    case 3:
      return stem;
    case 6:
      return lengthened(s, put(s, stem, 'f'));
    case 7:
      return lengthened(s, put(s, stem, 'g'));
  }
  if (!endsInConsonant(s, stem)) return -1;
  return put(s, stem, number == 5 ? 'aar' : number == 8 ? 't' : 'd');
}

function adjective(s: usize, n: i32): i32 {
  const found = longestEnding(adjectives, s, n);
  const stem = n - lengthOf(found);
  if (found == NONE || stem < once) return -1;
  switch (numberOf(found)) {
    case 1:
      return put(s, stem, 'ie');
    case 2:
      return put(s, stem, 'eer');
    case 3:
      return stem;
    case 4:
    case 5:
    case 6:
      return endsInVowel(s, stem) ? stem + 1 : -1;
    case 7:
      return put(s, stem, 'teer');
    case 8:
      return put(s, stem, 'lijk');
  }
  return endsInConsonant(s, stem) ? lengthened(s, stem) : -1;
}

/** The index of the first `ge` that is not at the beginning; n if there is none. */
function seekGe(s: usize, n: i32): i32 {
  for (let i = 1; i + 1 < n; i++) if (unitAt(s, i) == 0x67 && unitAt(s, i + 1) == 0x65) return i;
  return n;
}

/** Whether at least three units follow from `from` on, and among them a vowel and behind it a consonant. */
function followsSyllable(s: usize, from: i32, n: i32): bool {
  return from + 3 <= n && skip(s, seek(s, from, n, VOWELS), n, VOWELS) < n;
}

/** Takes off `ge` at index `at`, and the `d` or `t` of the participle. */
function withoutGe(s: usize, length: i32, at: i32): i32 {
  const n = splice(s, length, at, at + 2, '');
  measure(s, n);
  const isD = ends(s, n, 'd');
  if ((!isD && !ends(s, n, 't')) || !inRegion(s, n - 1)) return n;
  return ends(s, n - 1, isD ? 'n' : 'h') && n - 2 >= once ? n : n - 1;
}

/** Writes a doubled consonant once, a final `v` as `f`, a final `z` as `s`. */
function simplified(s: usize, n: i32): i32 {
  if (n == 0) return 0;
  const last = unitAt(s, n - 1);
  if (n > 1 && unitAt(s, n - 2) == last && last - 0x61 < 26 && !isIn(VOWELS, last)) return n - 1;
  if (last == 0x76) return put(s, n - 1, 'f');
  return last == 0x7a ? put(s, n - 1, 's') : n;
}
