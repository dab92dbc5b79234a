import { isAmong, suffixOf } from './affixes';
import { endings, lengthOf, longestEnding, NONE, numberOf } from './endings';
import { hasOnlyLetters, lowerCaseWord } from './lowerCase';
import { ends, put, setUnit, splice, unitAt } from './word';

const SHORTEST = 3;
const LONGEST = 29;
const CAPITAL_DOTTED_I: u32 = 0x130;

/** Suffixes that go if they are in R2. */
const PLURALS = 'imentos amentos adores adoras';
const NOUNS = 'acoes imento amento adora ismos istas';
const ADJECTIVES = `mente idade acao ezas icos icas ismo avel ivel ista osos osas ador ivas ivos`;
const SHORT = 'eza ico ica oso osa iva ivo';
/** Verb endings that go if they are in RV, and one that only looks as if it went. */
const VERBS = `1: issemos essemos assemos ariamos eriamos iriamos iremos eremos aremos avamos iramos eramos aramos asseis
  esseis isseis arieis erieis irieis irmos iamos armos ermos areis ereis ireis asses esses isses astes
  assem essem issem ardes erdes irdes ariam eriam iriam arias erias irias estes istes aveis aria eria iria
  asse esse isse aste este iste arei erei irei aram eram iram avam arem erem irem ando endo indo arao erao
  irao adas idas aras eras iras avas ares eres ires ados idos amos emos imos ieis ada ida ara era
  iam ado ido ias ais eis ira ear ia ei am em ar er ir as es is eu iu ou 2: ira`;

function isVowel(unit: u32): bool {
  return isAmong(unit, 'aeiou');
}

function isEdge(unit: u32): bool {
  return isAmong(unit, '"\'-,;.?!');
}

/** The letter without its accent, of those that Portuguese puts accents on. */
function plain(unit: u32): u32 {
  switch (unit) {
    case 0xe1: // á
    case 0xe2: // â
    case 0xe3: // ã
      return 0x61;
    case 0xe9: // é
    case 0xea: // ê
      return 0x65;
    case 0xed: // í
      return 0x69;
    case 0xf3: // ó
    case 0xf4: // ô
    case 0xf5: // õ
      return 0x6f;
    case 0xfa: // ú
    case 0xfc: // ü
      return 0x75;
    case 0xe7: // ç
      return 0x63;
    case 0xf1: // ñ
      return 0x6e;
    default:
      return unit;
  }
}

/** Where the region behind the first consonant after a vowel begins, from `from` on. */
function regionAfter(s: usize, from: i32, length: i32): i32 {
  const last = length - 1;
  let i = from;
  while (i < last && !isVowel(unitAt(s, i))) ++i;
  while (i < last && isVowel(unitAt(s, i))) ++i;
  return i < last ? i + 1 : length;
}

/** Where RV begins. */
function verbRegion(s: usize, length: i32): i32 {
  const last = length - 1;
  let i = 2;
  if (last > 0 && !isVowel(unitAt(s, 1))) {
    while (i < last && !isVowel(unitAt(s, i))) ++i;
    if (i < last) return i + 1;
  }
  i = 2;
  if (last > 1 && isVowel(unitAt(s, 0)) && isVowel(unitAt(s, 1))) {
    while (i < last && isVowel(unitAt(s, i))) ++i;
    if (i < last) return i + 1;
  }
  return last > 2 ? 3 : length;
}

/** The units of the first suffix of a list that lies in the region from `from` on. */
function suffixIn(s: usize, from: i32, length: i32, suffixes: string): i32 {
  return suffixOf(s + ((from as usize) << 1), length - from, suffixes);
}

/** The new length if a suffix of nouns, adjectives or adverbs was removed or found, -1 if there is none. */
function withoutStandardSuffix(s: usize, n: i32, r1: i32, r2: i32, rv: i32): i32 {
  if (ends(s, n, 'uciones', r2)) return n - 6;
  let size = suffixIn(s, r2, n, PLURALS);
  if (size > 0) return n - size;
  if (ends(s, n, 'logias', r2)) return n;
  if (ends(s, n, 'encias', r2)) return put(s, n - 6, 'ente');
  if (ends(s, n, 'amente', r1)) return n - 6;
  if (ends(s, n, 'idades', r2)) return n - 6;
  size = suffixIn(s, r2, n, NOUNS);
  if (size > 0) return n - size;
  if (ends(s, n, 'logia', r2)) return n - 2;
  if (ends(s, n, 'ucion', r2)) return n - 4;
  if (ends(s, n, 'encia', r2)) return put(s, n - 5, 'ente');
  size = suffixIn(s, r2, n, ADJECTIVES);
  if (size > 0) return n - size;
  if (ends(s, n, 'iras', rv) && ends(s, n, 'eiras')) return n - 2;
  size = suffixIn(s, r2, n, SHORT);
  if (size > 0) return n - size;
  if (ends(s, n, 'ira', rv) && ends(s, n, 'eira')) return n - 1;
  return -1;
}

const GOES: u32 = 1;
let verbs: u32 = 0;

/** The new length if a verb ending was removed or found, -1 if there is none. */
function withoutVerbEnding(s: usize, n: i32, rv: i32): i32 {
  if (verbs == 0) verbs = endings(VERBS);
  const found = longestEnding(verbs, s, n, rv);
  if (found == NONE) return -1;
  return numberOf(found) == GOES ? n - lengthOf(found) : n;
}

/**
 * Stems Brazilian Portuguese as Lucene's BrazilianStemFilter does. What decides the last steps is the end that the word
 * had before the others.
 */
export function stemBrazilian(s: usize, length: i32): i32 {
  if (length > LONGEST + 2) return length;
  let units = length;
  for (let i = 0; i < length; i++) if (unitAt(s, i) == CAPITAL_DOTTED_I) ++units;
  const first = units > 1 && isEdge(unitAt(s, 0)) ? 1 : 0;
  const last = units - first > 1 && isEdge(unitAt(s, length - 1)) ? 1 : 0;
  units -= first + last;
  if (units < SHORTEST || units > LONGEST) return length;

  let n = lowerCaseWord(s, length) - last;
  for (let i = 0; i < n; i++) setUnit(s, i, plain(unitAt(s, i)));
  if (first == 1) n = splice(s, n, 0, 1, '');
  if (!hasOnlyLetters(s, n)) return n;

  const r1 = regionAfter(s, 0, n);
  const r2 = r1 < n ? regionAfter(s, r1, n) : n;
  const rv = verbRegion(s, n);
  const endsInCi = ends(s, n, 'ci', rv);
  const endsInE = ends(s, n, 'e', rv);
  const endsInGue = ends(s, n, 'gue', rv);
  const endsInCie = ends(s, n, 'cie', rv);
  const residual = suffixIn(s, rv, n, 'os a i o');

  let rest = withoutStandardSuffix(s, n, r1, r2, rv);
  if (rest < 0) rest = withoutVerbEnding(s, n, rv);
  if (rest >= 0) {
    n = rest;
    if (endsInCi && ends(s, n, 'i')) --n;
  } else n -= residual;

  if (endsInE && ends(s, n, 'e')) --n;
  if (endsInGue && ends(s, n, 'u')) --n;
  else if (endsInCie && ends(s, n, 'i')) --n;
  return n;
}
