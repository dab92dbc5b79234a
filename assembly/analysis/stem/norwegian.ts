import { endings, lengthOf, longestEnding, NONE, numberOf } from './endings';
import { isIn, letters, put, region, unitAt } from './word';

/** Snowball's stemmer for Norwegian. */

const VOWELS = letters('aeiouyåæø');
const BEFORE_S = letters('bcdfghjlmnoprtvyz');

let ready = false;
let inflections: u32 = 0;
let pairs: u32 = 0;
let derivations: u32 = 0;

function prepare(): void {
  inflections = endings(`
    1: a e ede ande ende ane ene hetene en heten ar er heter as es edes endes enes hetenes ens hetens ers ets et
    het ast 2: s 3: erte ert`);
  pairs = endings('1: dt vt');
  derivations = endings('1: leg eleg ig eig lig elig els lov elov slov hetslov');
  ready = true;
}

export function stemNorwegian(s: usize, length: i32): i32 {
  if (!ready) prepare();
  let once = region(s, 0, length, VOWELS);
  if (once < 3) once = 3;
  let n = length;
  const found = longestEnding(inflections, s, n, once);
  const stem = n - lengthOf(found);
  switch (numberOf(found)) {
    case 1:
      n = stem;
      break;
    case 2:
      if (endsBeforeS(s, stem)) n = stem;
      break;
    case 3:
      n = put(s, stem, 'er');
      break;
  }
  if (longestEnding(pairs, s, n, once) != NONE) n--;
  return n - lengthOf(longestEnding(derivations, s, n, once));
}

/** Whether an `s` behind these n letters is an ending. */
function endsBeforeS(s: usize, n: i32): bool {
  if (n == 0) return false;
  const last = unitAt(s, n - 1);
  return isIn(BEFORE_S, last) || (last == 0x6b && n > 1 && !isIn(VOWELS, unitAt(s, n - 2)));
}
