import { endings, lengthOf, longestEnding, NONE, numberOf } from './endings';
import { ends, isIn, letters, region, unitAt } from './word';

/** Snowball's stemmer for Danish. */

const VOWELS = letters('aeiouyåæø');
const BEFORE_S = letters('abcdfghjklmnoprtvyzå');

let ready = false;
let inflections: u32 = 0;
let pairs: u32 = 0;
let derivations: u32 = 0;

function prepare(): void {
  inflections = endings(`
    1: hed ethed ered e erede ende erende ene erne ere en heden eren er heder erer heds es endes erendes enes
    ernes eres ens hedens erens ers ets erets et eret 2: s`);
  pairs = endings('1: gd dt gt kt');
  derivations = endings('1: ig lig elig els 2: løst');
  ready = true;
}

export function stemDanish(s: usize, length: i32): i32 {
  if (!ready) prepare();
  let once = region(s, 0, length, VOWELS);
  if (once < 3) once = 3;
  let n = length;
  const found = longestEnding(inflections, s, n, once);
  const stem = n - lengthOf(found);
  if (numberOf(found) == 1 || (stem > 0 && isIn(BEFORE_S, unitAt(s, stem - 1)))) n = stem;
  n = withoutSecond(s, n, once);
  if (ends(s, n, 'igst')) n -= 2;
  const derivation = longestEnding(derivations, s, n, once);
  if (numberOf(derivation) == 1) n = withoutSecond(s, n - lengthOf(derivation), once);
  else if (derivation != NONE) n--;
  const doubled =
    n > once && n > 1 && unitAt(s, n - 1) == unitAt(s, n - 2) && !isIn(VOWELS, unitAt(s, n - 1));
  return doubled ? n - 1 : n;
}

/** The length without the second of a pair of consonants at the end. */
function withoutSecond(s: usize, n: i32, once: i32): i32 {
  return longestEnding(pairs, s, n, once) != NONE ? n - 1 : n;
}
