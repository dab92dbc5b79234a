import { endings, lengthOf, longestEnding, NONE, numberOf } from './endings';
import { ends, isIn, letters, put, region, splice, unitAt } from './word';

/**
 * Snowball's stemmer for Finnish as it runs in Lucene 4: endings with a condition of their own (`den`, `tten`, `siin`,
 * `seen`) never apply there, only the `n` at their end does.
 */

const VOWELS = letters('aeiouyäö');
const A_E_I = letters('aäei');
const BEFORE_PARTICLE = letters('aeiouyäönt');

let once: i32 = 0;
let twice: i32 = 0;
let ready = false;
let particles: u32 = 0;
let possessives: u32 = 0;
let beforeAn: u32 = 0;
let beforeAen: u32 = 0;
let beforeEn: u32 = 0;
let cases: u32 = 0;
let longVowels: u32 = 0;
let comparisons: u32 = 0;
let pluralComparisons: u32 = 0;

function prepare(): void {
  particles = endings('1: pa kaan han kin hän kään ko pä kö 2: sti');
  possessives = endings('1: si 2: ni 3: nsa mme nne nsä 4: an 5: än 6: en');
  beforeAn = endings('1: lla na ssa ta lta sta');
  beforeAen = endings('1: llä nä ssä tä ltä stä');
  beforeEn = endings('1: lle ine');
  cases = endings(`
    1: han 2: hen 3: hin 4: hon 5: hän 6: hön 7: n 8: a ä 9: tta ttä
    10: lla na ssa ta lta sta lle ine ksi llä nä ssä tä ltä stä`);
  longVowels = endings('1: aa ee ii oo uu ää öö');
  comparisons = endings('1: mma mpa mmi mpi mmä mpä 2: eja imma impa immi impi ejä immä impä');
  pluralComparisons = endings('1: mma 2: imma');
  ready = true;
}

export function stemFinnish(s: usize, length: i32): i32 {
  if (!ready) prepare();
  once = region(s, 0, length, VOWELS);
  twice = region(s, once, length, VOWELS);
  let n = withoutParticle(s, length);
  n = withoutPossessive(s, n);
  const stem = withoutCase(s, n);
  const hadCase = stem >= 0;
  if (hadCase) n = stem;
  n = withoutComparison(comparisons, s, n);
  if (!hadCase) n = withoutPluralT(s, n);
  else if (ends(s, n, 'i', once) || ends(s, n, 'j', once)) n--;
  return tidy(s, n);
}

function withoutParticle(s: usize, n: i32): i32 {
  const found = longestEnding(particles, s, n, once);
  const stem = n - lengthOf(found);
  if (found == NONE) return n;
  if (numberOf(found) == 2) return stem >= twice ? stem : n;
  return stem > 0 && isIn(BEFORE_PARTICLE, unitAt(s, stem - 1)) ? stem : n;
}

function withoutPossessive(s: usize, n: i32): i32 {
  const found = longestEnding(possessives, s, n, once);
  const stem = n - lengthOf(found);
  switch (numberOf(found)) {
    case 1:
      return ends(s, stem, 'k') ? n : stem;
    case 2:
      return ends(s, stem, 'kse') ? put(s, stem - 1, 'i') : stem;
    case 3:
      return stem;
    case 4:
      return longestEnding(beforeAn, s, stem) != NONE ? stem : n;
    case 5:
      return longestEnding(beforeAen, s, stem) != NONE ? stem : n;
    case 6:
      return longestEnding(beforeEn, s, stem) != NONE ? stem : n;
  }
  return n;
}

function endsLong(s: usize, n: i32, lowest: i32): bool {
  return longestEnding(longVowels, s, n, lowest) != NONE;
}

/** The length without the ending of a case; -1 if there is none. */
function withoutCase(s: usize, n: i32): i32 {
  const found = longestEnding(cases, s, n, once);
  const stem = n - lengthOf(found);
  let fits = true;
  switch (numberOf(found)) {
    case 0:
      return -1;
    case 1:
      fits = ends(s, stem, 'a');
      break;
    case 2:
      fits = ends(s, stem, 'e');
      break;
    case 3:
      fits = ends(s, stem, 'i');
      break;
    case 4:
      fits = ends(s, stem, 'o');
      break;
    case 5:
      fits = ends(s, stem, 'ä');
      break;
    case 6:
      fits = ends(s, stem, 'ö');
      break;
    case 7:
      return endsLong(s, stem, 0) || ends(s, stem, 'ie') ? stem - 1 : stem;
    case 8:
      fits = stem > 1 && isIn(VOWELS, unitAt(s, stem - 1)) && !isIn(VOWELS, unitAt(s, stem - 2));
      break;
    case 9:
      fits = ends(s, stem, 'e');
      break;
  }
  return fits ? stem : -1;
}

/** The length without an ending of comparison, of which those with number 1 must not follow `po`. */
function withoutComparison(table: u32, s: usize, n: i32): i32 {
  const found = longestEnding(table, s, n, twice);
  const stem = n - lengthOf(found);
  return numberOf(found) == 1 && ends(s, stem, 'po') ? n : stem;
}

function withoutPluralT(s: usize, n: i32): i32 {
  if (!ends(s, n, 't', once) || n - 2 < once || !isIn(VOWELS, unitAt(s, n - 2))) return n;
  return withoutComparison(pluralComparisons, s, n - 1);
}

/** Shortens what is left at the end. */
function tidy(s: usize, n: i32): i32 {
  if (n < once) return n;
  if (endsLong(s, n, once)) n--;
  if (n - 2 >= once && isIn(A_E_I, unitAt(s, n - 1)) && !isIn(VOWELS, unitAt(s, n - 2))) n--;
  if (ends(s, n, 'oj', once) || ends(s, n, 'uj', once)) n--;
  if (ends(s, n, 'jo', once)) n--;
  let i = n - 1;
  while (i > 0 && isIn(VOWELS, unitAt(s, i))) i--;
  return i > 0 && unitAt(s, i - 1) == unitAt(s, i) ? splice(s, n, i, i + 1, '') : n;
}
