import { beginnings, endings, lengthOf, longestBeginning, longestEnding, NONE, numberOf } from './endings';
import { ends, isIn, letters, put, region, seek, setUnit, unitAt, without } from './word';

/** Snowball's stemmer for French. Letters `i`, `u`, `y` that are consonants are written `I`, `U`, `Y` while it works. */

const VOWELS = letters('aeiouyâàëéêèïîôûù');
const KEEPS_S = letters('aiouès');

let verb: i32 = 0;
let once: i32 = 0;
let twice: i32 = 0;
let ready = false;
let shortPrefixes: u32 = 0;
let standard: u32 = 0;
let beforeEment: u32 = 0;
let beforeIte: u32 = 0;
let verbsWithI: u32 = 0;
let verbs: u32 = 0;
let residual: u32 = 0;
let doubled: u32 = 0;

function prepare(): void {
  shortPrefixes = beginnings('1: col par tap');
  standard = endings(`
    1: iqUe ance able isme iste iqUes ances ables ismes istes eux 2: atrice ation ateur atrices ations ateurs
    3: logie logies 4: usion ution usions utions 5: ence ences 6: ements ement 7: ités ité 8: ive if ives ifs 9: eaux
    10: aux 11: euse euses 12: issements issement 13: amment 14: emment 15: ments ment`);
  beforeEment = endings('1: iv 2: eus 3: iqU abl 4: Ièr ièr');
  beforeIte = endings('1: abil 2: ic 3: iv');
  verbsWithI = endings(`1:
    ira ie isse issante i irai ir iras ies îmes isses issantes îtes is irais issais irions issions irons issons issants it
    irait issait issant iraIent issaIent irent issent iront ît iriez issiez irez issez`);
  verbs = endings(`
    1: ions
    2: era ée erai er eras ées erais erions erons és erait eraIent èrent eront ez iez eriez erez é
    3: a asse ante ai as âmes asses antes âtes ais assions ants ait ant aIent assent ât assiez`);
  residual = endings('1: ion 2: Ière ière Ier ier 3: e 4: ë');
  doubled = endings('1: ell eill enn onn ett');
  ready = true;
}

export function stemFrench(s: usize, length: i32): i32 {
  if (!ready) prepare();
  markConsonants(s, length);
  markRegions(s, length);
  let n = withoutStandard(s, length);
  let done = n >= 0;
  if (!done) {
    n = adverb(s, length);
    let stem = withoutVerbInI(s, n);
    if (stem < 0) stem = withoutVerb(s, n);
    done = stem >= 0;
    if (done) n = stem;
  }
  if (!done) n = withoutResidual(s, n);
  else if (ends(s, n, 'Y')) n = put(s, n - 1, 'i');
  else if (ends(s, n, 'ç')) n = put(s, n - 1, 'c');
  if (longestEnding(doubled, s, n) != NONE) n--;
  withoutAccent(s, n);
  for (let i = 0; i < n; i++) {
    const unit = unitAt(s, i);
    if (unit == 0x49 || unit == 0x55 || unit == 0x59) setUnit(s, i, unit | 0x20);
  }
  return n;
}

function markConsonants(s: usize, n: i32): void {
  for (let i = 0; i < n; i++) {
    const unit = unitAt(s, i);
    const next = i + 1 < n ? unitAt(s, i + 1) : 0;
    if (isIn(VOWELS, unit)) {
      if (next == 0x79) {
        setUnit(s, i + 1, 0x59);
        continue;
      }
      if ((next == 0x75 || next == 0x69) && i + 2 < n && isIn(VOWELS, unitAt(s, i + 2))) {
        setUnit(s, i + 1, next & 0x5f);
        continue;
      }
      if (unit == 0x79 && isIn(VOWELS, next)) setUnit(s, i, 0x59);
    } else if (unit == 0x71 && next == 0x75) setUnit(s, i + 1, 0x55);
  }
}

function markRegions(s: usize, n: i32): void {
  if (n > 2 && isIn(VOWELS, unitAt(s, 0)) && isIn(VOWELS, unitAt(s, 1))) verb = 3;
  else if (longestBeginning(shortPrefixes, s, 0, n) != NONE) verb = 3;
  else {
    const vowel = seek(s, 1, n, VOWELS);
    verb = vowel < n ? vowel + 1 : n;
  }
  once = region(s, 0, n, VOWELS);
  twice = region(s, once, n, VOWELS);
}

/** The length without one of the standard endings; -1 if there is none that goes. */
function withoutStandard(s: usize, n: i32): i32 {
  const found = longestEnding(standard, s, n);
  if (found == NONE) return -1;
  const stem = n - lengthOf(found);
  const number = numberOf(found);
  if (number < 6 || number == 7 || number == 8) {
    if (stem < twice) return -1;
  }
  switch (number) {
    case 2:
      return withoutIc(s, stem);
    case 3:
      return put(s, stem, 'log');
    case 4:
      return put(s, stem, 'u');
    case 5:
      return put(s, stem, 'ent');
    case 6:
      return stem >= verb ? withoutBeforeEment(s, stem) : -1;
    case 7:
      return withoutBeforeIte(s, stem);
    case 8: {
      const before = without(s, stem, 'at', twice);
      return before < stem ? withoutIc(s, before) : stem;
    }
    case 9:
      return n - 1;
    case 10:
      return stem >= once ? put(s, stem, 'al') : -1;
    case 11:
      if (stem >= twice) return stem;
      return stem >= once ? put(s, stem, 'eux') : -1;
    case 12:
      return stem >= once && stem > 0 && !isIn(VOWELS, unitAt(s, stem - 1)) ? stem : -1;
    case 13:
    case 14:
    case 15:
      return -1;
  }
  return stem;
}

/** Adverbs become participles, which are looked at as verbs: the new length. */
function adverb(s: usize, n: i32): i32 {
  const found = longestEnding(standard, s, n);
  const stem = n - lengthOf(found);
  switch (numberOf(found)) {
    case 13:
      return stem >= verb ? put(s, stem, 'ant') : n;
    case 14:
      return stem >= verb ? put(s, stem, 'ent') : n;
    case 15:
      return stem - 1 >= verb && stem > 0 && isIn(VOWELS, unitAt(s, stem - 1)) ? stem : n;
  }
  return n;
}

function withoutIc(s: usize, n: i32): i32 {
  if (!ends(s, n, 'ic')) return n;
  return n - 2 >= twice ? n - 2 : put(s, n - 2, 'iqU');
}

function withoutBeforeEment(s: usize, n: i32): i32 {
  const found = longestEnding(beforeEment, s, n);
  const stem = n - lengthOf(found);
  switch (numberOf(found)) {
    case 1:
      return stem >= twice ? without(s, stem, 'at', twice) : n;
    case 2:
      if (stem >= twice) return stem;
      return stem >= once ? put(s, stem, 'eux') : n;
    case 3:
      return stem >= twice ? stem : n;
    case 4:
      return stem >= verb ? put(s, stem, 'i') : n;
  }
  return n;
}

function withoutBeforeIte(s: usize, n: i32): i32 {
  const found = longestEnding(beforeIte, s, n);
  const stem = n - lengthOf(found);
  switch (numberOf(found)) {
    case 1:
      return stem >= twice ? stem : put(s, stem, 'abl');
    case 2:
      return withoutIc(s, n);
    case 3:
      return stem >= twice ? stem : n;
  }
  return n;
}

function withoutVerbInI(s: usize, n: i32): i32 {
  const found = longestEnding(verbsWithI, s, n, verb);
  const stem = n - lengthOf(found);
  return found != NONE && stem - 1 >= verb && !isIn(VOWELS, unitAt(s, stem - 1)) ? stem : -1;
}

function withoutVerb(s: usize, n: i32): i32 {
  const found = longestEnding(verbs, s, n, verb);
  if (found == NONE) return -1;
  const stem = n - lengthOf(found);
  if (numberOf(found) == 1) return stem >= twice ? stem : -1;
  return numberOf(found) == 3 ? without(s, stem, 'e', verb) : stem;
}

function withoutResidual(s: usize, n: i32): i32 {
  if (n > 1 && ends(s, n, 's') && !isIn(KEEPS_S, unitAt(s, n - 2))) n--;
  const found = longestEnding(residual, s, n, verb);
  const stem = n - lengthOf(found);
  switch (numberOf(found)) {
    case 1:
      return stem >= twice && (ends(s, stem, 's', verb) || ends(s, stem, 't', verb)) ? stem : n;
    case 2:
      return put(s, stem, 'i');
    case 3:
      return stem;
    case 4:
      return ends(s, stem, 'gu', verb) ? stem : n;
  }
  return n;
}

/** Takes the accent off the last vowel if it is `é` or `è` and not the last letter. */
function withoutAccent(s: usize, n: i32): void {
  let i = n - 1;
  while (i >= 0 && !isIn(VOWELS, unitAt(s, i))) i--;
  if (i < 0 || i == n - 1) return;
  const unit = unitAt(s, i);
  if (unit == 0xe8 || unit == 0xe9) setUnit(s, i, 0x65);
}
