import { endings, lengthOf, longestEnding, NONE, numberOf, withoutEnding } from './endings';
import { ends, isIn, letters, put, seek, setUnit, skip, unitAt, without } from './word';

/**
 * Snowball's stemmer for Portuguese. It reads `ã` and `õ` as a vowel and a consonant, written `a~` and `o~`; here they stay
 * one unit, and regions that would begin inside of one begin behind it. What is written `a~` in the word becomes `ã`.
 */

const VOWELS = letters('aeiouáéíóúâêô');
const NASALS = letters('ãõ');
const VOWELS_NASALS = letters('aeiouáéíóúâêôãõ');

let ready = false;
let standard: u32 = 0;
let beforeAmente: u32 = 0;
let beforeMente: u32 = 0;
let beforeIdade: u32 = 0;
let verbs: u32 = 0;
let residual: u32 = 0;
let lastLetters: u32 = 0;

function prepare(): void {
  standard = endings(`
    1: ica ância adora osa ista eza ante ável ível ico ismo oso amento imento ação ador icas adoras osas istas ezas adores
       antes ações icos ismos osos amentos imentos
    2: logía logías 3: ución uciones 4: ência ências 5: amente 6: mente 7: idade idades 8: iva ivo ivas ivos
    9: ira iras`);
  beforeAmente = endings('1: iv 2: ic ad os');
  beforeMente = endings('1: ante avel ível');
  beforeIdade = endings('1: ic abil iv');
  verbs = endings(`1:
    ada ida ia aria eria iria ara era ira ava asse esse isse aste este iste ei arei erei irei am iam ariam eriam iriam
    aram eram iram avam em arem erem irem assem essem issem ado ido ando endo indo arão erão irão ar er ir as adas idas
    ias arias erias irias aras eras iras avas es ardes erdes irdes ares eres ires asses esses isses astes estes istes is
    ais eis areis ereis ireis áreis éreis íreis ásseis ésseis ísseis áveis íeis aríeis eríeis iríeis ados idos amos áramos
    éramos íramos ávamos íamos aríamos eríamos iríamos emos aremos eremos iremos ássemos êssemos íssemos imos armos ermos
    irmos ámos arás erás irás eu iu ou ará erá irá`);
  residual = endings('1: a i o os á í ó');
  lastLetters = endings('1: e é ê 2: ç');
  ready = true;
}

export function stemPortuguese(s: usize, length: i32): i32 {
  if (!ready) prepare();
  let n = joinTildes(s, length);
  const verb = beginOfVerb(s, n);
  const once = beginOfRegion(s, 0, n);
  const twice = beginOfRegion(s, once, n);
  let stem = withoutStandard(s, n, verb, once, twice);
  if (stem < 0) {
    const found = longestEnding(verbs, s, n, verb);
    if (found != NONE) stem = n - lengthOf(found);
  }
  if (stem >= 0) n = stem - 1 >= verb && ends(s, stem, 'ci') ? stem - 1 : stem;
  else n = withoutEnding(residual, s, n, verb);
  return withoutLastLetters(s, n, verb);
}

/** Writes `a~` and `o~` as `ã` and `õ`: the new length. */
function joinTildes(s: usize, length: i32): i32 {
  let n = 0;
  for (let i = 0; i < length; i++) {
    const unit = unitAt(s, i);
    const before = n > 0 ? unitAt(s, n - 1) : 0;
    if (unit == 0x7e && (before == 0x61 || before == 0x6f)) setUnit(s, n - 1, before == 0x61 ? 0xe3 : 0xf5);
    else setUnit(s, n++, unit);
  }
  return n;
}

/** As `region`. */
function beginOfRegion(s: usize, from: i32, n: i32): i32 {
  const at = skip(s, seek(s, from, n, VOWELS_NASALS), n, VOWELS);
  return at < n ? at + 1 : n;
}

/** As `verbRegion`. */
function beginOfVerb(s: usize, n: i32): i32 {
  if (n == 0) return 0;
  const first = unitAt(s, 0);
  let at = 2;
  if (isIn(NASALS, first)) at = seek(s, 1, n, VOWELS_NASALS);
  else {
    if (n < 2) return n;
    const second = unitAt(s, 1);
    if (isIn(NASALS, second)) return 2;
    if (!isIn(VOWELS, second)) at = seek(s, 2, n, VOWELS_NASALS);
    else if (isIn(VOWELS, first)) at = skip(s, 2, n, VOWELS);
  }
  return at < n ? at + 1 : n;
}

/** The length without one of the standard endings; -1 if there is none. */
function withoutStandard(s: usize, n: i32, verb: i32, once: i32, twice: i32): i32 {
  const found = longestEnding(standard, s, n);
  if (found == NONE) return -1;
  const stem = n - lengthOf(found);
  const number = numberOf(found);
  if (stem < (number == 5 ? once : number == 9 ? verb : twice)) return -1;
  switch (number) {
    case 2:
      return put(s, stem, 'log');
    case 3:
      return put(s, stem, 'u');
    case 4:
      return put(s, stem, 'ente');
    case 5: {
      const before = longestEnding(beforeAmente, s, stem);
      const at = stem - lengthOf(before);
      if (before == NONE || at < twice) return stem;
      return numberOf(before) == 1 ? without(s, at, 'at', twice) : at;
    }
    case 6:
      return withoutEnding(beforeMente, s, stem, twice);
    case 7:
      return withoutEnding(beforeIdade, s, stem, twice);
    case 8:
      return without(s, stem, 'at', twice);
    case 9:
      return ends(s, stem, 'e') ? put(s, stem, 'ir') : -1;
  }
  return stem;
}

function withoutLastLetters(s: usize, n: i32, verb: i32): i32 {
  const found = longestEnding(lastLetters, s, n);
  if (found == NONE) return n;
  if (numberOf(found) == 2) return put(s, n - 1, 'c');
  const stem = n - 1;
  if (stem < verb) return n;
  return stem - 1 >= verb && (ends(s, stem, 'gu') || ends(s, stem, 'ci')) ? stem - 1 : stem;
}
