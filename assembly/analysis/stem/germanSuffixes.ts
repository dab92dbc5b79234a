import { endings, lengthOf, longestEnding, NONE, numberOf } from './endings';
import { capitalizeBetween, ends, isIn, letters, region, setUnit, unitAt, without } from './word';

/** What Snowball's two stemmers for German share. Consonantal `u`, `y` are written `U`, `Y` while they work. */

const VOWELS = letters('aeiouyäöü');
const BEFORE_S = letters('bdfghklmnrt');
const BEFORE_ST = letters('bdfghklmnt');

let ready = false;
let inflections: u32 = 0;
let inflectionsAgain: u32 = 0;
let derivations: u32 = 0;
let beforeKeit: u32 = 0;

function prepare(): void {
  inflections = endings('1: e em en ern er es 2: s');
  inflectionsAgain = endings('1: en er est 2: st');
  derivations = endings('1: end ung 2: ig isch ik 3: lich heit 4: keit');
  beforeKeit = endings('1: ig lich');
  ready = true;
}

/** Marks `u` and `y` between vowels. */
export function markConsonants(s: usize, n: i32): void {
  capitalizeBetween(s, n, VOWELS, 0x75, 0x79);
}

/** Takes the endings off a word with marked consonants, and the marks and the dots over vowels: the stem's length. */
export function stemMarked(s: usize, n: i32): i32 {
  if (!ready) prepare();
  const first = region(s, 0, n, VOWELS);
  const twice = region(s, first, n, VOWELS);
  let once = first;
  if (once < 3) once = 3;
  n = inflected(s, n, once);
  n = inflectedAgain(s, n, once);
  n = derived(s, n, once, twice);
  for (let i = 0; i < n; i++) {
    const unit = unitAt(s, i);
    if (unit == 0x55 || unit == 0x59) setUnit(s, i, unit | 0x20);
    else if (unit == 0xe4) setUnit(s, i, 0x61);
    else if (unit == 0xf6) setUnit(s, i, 0x6f);
    else if (unit == 0xfc) setUnit(s, i, 0x75);
  }
  return n;
}

function inflected(s: usize, n: i32, once: i32): i32 {
  const found = longestEnding(inflections, s, n);
  const stem = n - lengthOf(found);
  if (found == NONE || stem < once) return n;
  return numberOf(found) == 1 || isIn(BEFORE_S, unitAt(s, stem - 1)) ? stem : n;
}

function inflectedAgain(s: usize, n: i32, once: i32): i32 {
  const found = longestEnding(inflectionsAgain, s, n);
  const stem = n - lengthOf(found);
  if (found == NONE || stem < once) return n;
  return numberOf(found) == 1 || (stem > 3 && isIn(BEFORE_ST, unitAt(s, stem - 1))) ? stem : n;
}

function derived(s: usize, n: i32, once: i32, twice: i32): i32 {
  const found = longestEnding(derivations, s, n);
  const stem = n - lengthOf(found);
  if (found == NONE || stem < twice) return n;
  switch (numberOf(found)) {
    case 1:
      return ends(s, stem - 2, 'e') ? stem : without(s, stem, 'ig', twice);
    case 2:
      return ends(s, stem, 'e') ? n : stem;
    case 3: {
      const shorter = without(s, stem, 'er', once);
      return shorter < stem ? shorter : without(s, stem, 'en', once);
    }
    case 4: {
      const length = lengthOf(longestEnding(beforeKeit, s, stem));
      return stem - length >= twice ? stem - length : stem;
    }
  }
  return n;
}
