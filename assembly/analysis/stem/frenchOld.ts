import { isAmong, isLetter, suffixOf } from './affixes';
import { toLowerCase } from '../normalize/codePoints';
import { lowerCaseWord } from './lowerCase';
import { ends, put, setUnit, unitAt } from './word';

const VOWELS = 'aeiouyâàëéêèïîôüùû';

const ISTE = 'ances iqUes ismes ables istes ance iqUe isme able iste';
const ATION = 'atrices ateurs ations atrice ateur ation';
const IF = 'ifs ives if ive';
const IR = `îmes îtes iraIent irait irais irai iras ira irent iriez irez irions irons iront issaIent issais
  issantes issante issants issant issait issions issons issiez issez issent isses isse ir is ît it ies ie i`;
const ER = 'eraIent erais erait erai eras erions eriez erons eront erez èrent era ées iez ée és er ez é';
const A = `assions assiez assent asses asse aIent antes Aient ante âmes âtes ants ant ait aît ais Ait Aît Ais ât
  as ai Ai a`;

// The word, the regions of it (its length where there is none), and whether it has changed.
let s: usize = 0;
let n = 0;
let rv = 0;
let r1 = 0;
let r2 = 0;
let modified = false;

function isVowel(i: i32): bool {
  return isAmong(unitAt(s, i), VOWELS);
}

function regionFrom(from: i32): i32 {
  let i = from;
  while (i < n && !isVowel(i)) ++i;
  while (i < n && isVowel(i)) ++i;
  return min(i + 1, n);
}

function verbRegion(): i32 {
  if (n <= 3) return n;
  if (isVowel(0) && isVowel(1)) return 3;
  for (let i = 1; i < n; i++) if (isVowel(i)) return i + 1;
  return 1;
}

function become(length: i32): void {
  n = length;
  rv = verbRegion();
  r1 = regionFrom(0);
  r2 = regionFrom(r1);
}

function change(length: i32): void {
  modified = true;
  become(length);
}

/** Units of the first suffix of a list that lies in the region from `from` on. */
function suffixIn(from: i32, suffixes: string): i32 {
  return suffixOf(s + ((from as usize) << 1), n - from, suffixes);
}

function remove(from: i32, suffixes: string): void {
  const size = suffixIn(from, suffixes);
  if (size > 0) change(n - size);
}

function replace(from: i32, suffixes: string, by: string): bool {
  const size = suffixIn(from, suffixes);
  if (size > 0) change(put(s, n - size, by));
  return size > 0;
}

/**
 * Removes a suffix with what stands before it if both are in the region from `from` on; with `alone` also without
 * that. No word ends with two suffixes of a list, or the first counts.
 */
function removeWith(from: i32, before: string, suffixes: string, alone: bool): void {
  removeOrReplace(from, before, suffixes, alone, n, '');
}

/** As `removeWith`; what is not in that region but in the one from `other` on is replaced. */
function removeOrReplace(
  from: i32,
  before: string,
  suffixes: string,
  alone: bool,
  other: i32,
  by: string,
): void {
  if (from == n) return;
  const size = suffixOf(s, n, suffixes);
  if (size == 0) return;
  const start = n - size - before.length;
  const whole = ends(s, n - size, before);
  if (whole && start >= from) change(start);
  else if (whole && start >= other) change(put(s, start, by));
  else if (alone && n - size >= from) change(n - size);
}

/**
 * Removes the first suffix of a list that is in the region from `from` on and, in that from `other` on, behind a
 * vowel or behind what is none.
 */
function removeBehind(from: i32, suffixes: string, vowel: bool, other: i32): bool {
  let p = changetype<usize>(suffixes);
  const last = p + ((suffixes.length as usize) << 1);
  const end = s + ((n as usize) << 1);
  while (p < last) {
    let next = p;
    while (next < last && load<u16>(next) > 0x20) next += 2;
    const size = ((next - p) >> 1) as i32;
    if (size > 0 && n - from >= size && n - other > size && isVowel(n - size - 1) == vowel) {
      if (memory.compare(end - (next - p), p, next - p) == 0) {
        change(n - size);
        return true;
      }
    }
    p = next + 2;
  }
  return false;
}

/** Writes u, i and y as capitals where they are consonants. */
function markConsonants(): void {
  for (let i = 0; i < n; i++) {
    const unit = unitAt(s, i);
    if (!isAmong(unit, 'uiy')) continue;
    const after = i > 0 && isVowel(i - 1);
    const before = i + 1 < n && isVowel(i + 1);
    let consonant = after && before;
    if (unit == 0x79) consonant = after || before;
    else if (unit == 0x75 && i > 0 && unitAt(s, i - 1) == 0x71) consonant = true;
    if (consonant) setUnit(s, i, unit & ~0x20);
  }
}

function withoutEment(): void {
  removeOrReplace(r2, 'eus', 'ements ement', false, 0, 'eux');
  removeWith(r2, 'ativ', 'ements ement', false);
  removeWith(r2, 'iv', 'ements ement', false);
  removeWith(r2, 'abl', 'ements ement', false);
  removeWith(r2, 'iqU', 'ements ement', false);
  removeBehind(r1, 'issements issement', false, 0);
  remove(rv, 'ements ement');
}

/** Suffixes of nouns, adjectives and adverbs; whether verb endings may still follow. */
function withoutStandardSuffix(): bool {
  remove(r2, ISTE);
  replace(r2, 'logies logie', 'log');
  replace(r2, 'usions utions usion ution', 'u');
  replace(r2, 'ences ence', 'ent');
  removeOrReplace(r2, 'ic', ATION, true, 0, 'iqU');
  withoutEment();
  removeOrReplace(r2, 'abil', 'ités ité', false, 0, 'abl');
  removeOrReplace(r2, 'ic', 'ités ité', false, 0, 'iqU');
  removeWith(r2, 'iv', 'ités ité', true);
  removeOrReplace(r2, 'icat', IF, false, 0, 'iqU');
  removeOrReplace(r2, 'at', IF, true, r2, 'iqU');
  replace(0, 'eaux', 'eau');
  replace(r1, 'aux', 'al');
  removeOrReplace(r2, '', 'euses euse', true, r1, 'eux');
  remove(r2, 'eux');
  let more = replace(rv, 'amment', 'ant');
  if (replace(rv, 'emment', 'ent')) more = true;
  return removeBehind(rv, 'ments ment', true, rv) || more;
}

function withoutErEnding(): void {
  remove(rv, ER);
  removeWith(rv, 'e', A, true);
  remove(r2, 'ions');
}

function withoutResidue(): void {
  if (n > 1 && ends(s, n, 's') && !isAmong(unitAt(s, n - 2), 'aiouès')) become(n - 1);
  if (suffixIn(r2, 'ion') > 0 && suffixIn(rv, 'sion tion') > 0) become(n - 3);
  replace(rv, 'Ière ière Ier ier', 'i');
  remove(rv, 'e');
  if (suffixIn(rv, 'ë') > 0 && ends(s, n, 'guë')) become(n - 1);
}

/** Takes the accent of é and è before the last consonants. */
function withoutAccent(): void {
  let i = n - 1;
  while (i >= 0 && !isVowel(i)) --i;
  if (i >= 0 && i < n - 1 && isAmong(unitAt(s, i), 'éè')) setUnit(s, i, 0x65);
}

/** Letters that are capital letters to Java: those with a small letter that are no title case. */
function isCapital(unit: u32): bool {
  if (unit - 0x3d2 <= 2) return true;
  if (toLowerCase(unit) == unit) return false;
  if (unit == 0x1c5 || unit == 0x1c8 || unit == 0x1cb || unit == 0x1f2) return false;
  const greek = unit - 0x1f88;
  return !((greek < 0x28 && (greek & 8) == 0) || unit == 0x1fbc || unit == 0x1fcc || unit == 0x1ffc);
}

/** Whether the word has only letters, of which none but the first is a capital. */
function isStemmable(): bool {
  for (let i = 0; i < n; i++) {
    const unit = unitAt(s, i);
    if (!isLetter(unit) || (i > 0 && isCapital(unit))) return false;
  }
  return true;
}

/** Stems French as Lucene's FrenchStemFilter, the filter `french_stem`, does. */
export function stemFrenchOld(units: usize, length: i32): i32 {
  s = units;
  n = length;
  if (!isStemmable()) return n;
  n = lowerCaseWord(s, n);
  markConsonants();
  modified = false;
  become(n);
  let verb = withoutStandardSuffix();
  if ((!modified || verb) && rv < n) {
    verb = removeBehind(rv, IR, false, rv);
    if (!verb) withoutErEnding();
  }
  if (modified || verb) {
    if (ends(s, n, 'Y')) become(put(s, n - 1, 'i'));
    else if (ends(s, n, 'ç')) become(put(s, n - 1, 'c'));
  } else withoutResidue();
  if (suffixOf(s, n, 'enn onn ett ell eill') > 0) become(n - 1);
  withoutAccent();
  return n;
}
