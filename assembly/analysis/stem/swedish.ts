import { endings, lengthOf, longestEnding, NONE, numberOf } from './endings';
import { isIn, letters, region, unitAt } from './word';

/** Snowball's stemmer for Swedish. */

const VOWELS = letters('aeiouyäåö');
const BEFORE_S = letters('bcdfghjklmnoprtvy');

let ready = false;
let inflections: u32 = 0;
let pairs: u32 = 0;
let derivations: u32 = 0;

function prepare(): void {
  inflections = endings(`
    1: a arna erna heterna orna ad e ade ande arne are aste en anden aren heten ern ar er heter or as arnas
    ernas ornas es ades andes ens arens hetens erns at andet het ast 2: s`);
  pairs = endings('1: dd gd nn dt gt kt tt');
  derivations = endings('1: ig lig els 2: löst 3: fullt');
  ready = true;
}

export function stemSwedish(s: usize, length: i32): i32 {
  if (!ready) prepare();
  let once = region(s, 0, length, VOWELS);
  if (once < 3) once = 3;
  let n = length;
  const found = longestEnding(inflections, s, n, once);
  const stem = n - lengthOf(found);
  if (numberOf(found) == 1 || (stem > 0 && isIn(BEFORE_S, unitAt(s, stem - 1)))) n = stem;
  if (longestEnding(pairs, s, n, once) != NONE) n--;
  const derivation = longestEnding(derivations, s, n, once);
  if (derivation == NONE) return n;
  return numberOf(derivation) == 1 ? n - lengthOf(derivation) : n - 1;
}
