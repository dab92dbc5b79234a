import { beginnings, endings, lengthOf, longestBeginning, longestEnding, NONE, numberOf } from './endings';
import { endsShortSyllable, markConsonantY, VOWELS } from './englishLetters';
import { ends, hasAny, isIn, letters, put, region, replaceAll, setUnit, splice, unitAt } from './word';

/** Porter's second stemmer for English (“Porter 2”), in Snowball's revision of 2007 to 2014. */

const BEFORE_LI = letters('cdeghkmnrt');

let once: i32 = 0;
let twice: i32 = 0;
let ready = false;
let wholeWords: u32 = 0;
let longPrefixes: u32 = 0;
let finished: u32 = 0;
let plurals: u32 = 0;
let participles: u32 = 0;
let beforeParticiple: u32 = 0;
let derived: u32 = 0;
let derivedAgain: u32 = 0;
let rest: u32 = 0;

function prepare(): void {
  wholeWords =
    beginnings(`1: andes atlas bias cosmos howe news sky 2: skis 3: skies 4: dying 5: lying 6: tying
    7: idly gently singly 8: ugly early only`);
  longPrefixes = beginnings('1: arsen commun gener');
  finished = endings('1: succeed proceed exceed canning inning earring herring outing');
  plurals = endings('1: ss us 2: sses 3: ied ies 4: s');
  participles = endings('1: eed eedly 2: ed ing edly ingly');
  beforeParticiple = endings('1: bl at iz 2: bb dd ff gg mm nn pp rr tt');
  derived = endings(`1: tional 2: enci 3: anci 4: abli 5: entli 6: ization izer 7: ational ation ator
    8: alli aliti alism 9: fulness 10: ousli ousness 11: iviti iveness 12: bli biliti 13: ogi 14: fulli 15: lessli
    16: li`);
  derivedAgain = endings('1: tional 2: ational 3: alize 4: icate iciti ical 5: ful ness 6: ative');
  rest = endings(`1: ic ance ence able ible ate ive ize iti al ism er ous ant ent ment ement 2: ion`);
  ready = true;
}

export function stemEnglish(s: usize, length: i32): i32 {
  if (!ready) prepare();
  const whole = longestBeginning(wholeWords, s, 0, length);
  if (whole != NONE && lengthOf(whole) == length) return exception(s, length, numberOf(whole));
  if (length < 3) return length;
  let n = length;
  if (unitAt(s, 0) == 0x27) n = splice(s, n, 0, 1, '');
  const marked = markConsonantY(s, n);
  const prefix = longestBeginning(longPrefixes, s, 0, n);
  once = prefix != NONE ? lengthOf(prefix) : region(s, 0, n, VOWELS);
  twice = region(s, once, n, VOWELS);
  n = plural(s, n);
  const known = longestEnding(finished, s, n);
  if (known == NONE || lengthOf(known) != n) {
    n = participle(s, n);
    if (n > 2 && (unitAt(s, n - 1) | 0x20) == 0x79 && !isIn(VOWELS, unitAt(s, n - 2)))
      setUnit(s, n - 1, 0x69);
    n = derivedTwice(s, n);
    n = derivedOnce(s, n);
    n = derivedRest(s, n);
    n = finalLetter(s, n);
  }
  if (marked) replaceAll(s, n, 0x59, 0x79);
  return n;
}

/** Words with a stem of their own. */
function exception(s: usize, n: i32, number: u32): i32 {
  switch (number) {
    case 2:
      return 3;
    case 3:
      return put(s, 2, 'y');
    case 4:
    case 5:
    case 6:
      return put(s, 1, 'ie');
    case 7:
      return n - 1;
    case 8:
      return put(s, n - 1, 'i');
  }
  return n;
}

function plural(s: usize, n: i32): i32 {
  if (ends(s, n, "'s'")) n -= 3;
  else if (ends(s, n, "'s")) n -= 2;
  else if (ends(s, n, "'")) n -= 1;
  switch (numberOf(longestEnding(plurals, s, n))) {
    case 2:
      return n - 2;
    case 3:
      return n - 3 >= 2 ? n - 2 : n - 1;
    case 4:
      return hasAny(s, n - 2, VOWELS) ? n - 1 : n;
  }
  return n;
}

function participle(s: usize, n: i32): i32 {
  const found = longestEnding(participles, s, n);
  if (found == NONE) return n;
  const stem = n - lengthOf(found);
  if (numberOf(found) == 1) return stem >= once ? put(s, stem, 'ee') : n;
  if (!hasAny(s, stem, VOWELS)) return n;
  switch (numberOf(longestEnding(beforeParticiple, s, stem))) {
    case 1:
      return put(s, stem, 'e');
    case 2:
      return stem - 1;
  }
  return stem == once && isShort(s, stem) ? put(s, stem, 'e') : stem;
}

/** Whether the n units end with a short syllable, which at the beginning of a word may lack its first consonant. */
function isShort(s: usize, n: i32): bool {
  if (n == 2) return isIn(VOWELS, unitAt(s, 0)) && !isIn(VOWELS, unitAt(s, 1));
  return endsShortSyllable(s, n);
}

function derivedTwice(s: usize, n: i32): i32 {
  const found = longestEnding(derived, s, n);
  const stem = n - lengthOf(found);
  if (found == NONE || stem < once) return n;
  switch (numberOf(found)) {
    case 1:
      return put(s, stem, 'tion');
    case 2:
      return put(s, stem, 'ence');
    case 3:
      return put(s, stem, 'ance');
    case 4:
      return put(s, stem, 'able');
    case 5:
      return put(s, stem, 'ent');
    case 6:
      return put(s, stem, 'ize');
    case 7:
      return put(s, stem, 'ate');
    case 8:
      return put(s, stem, 'al');
    case 9:
    case 14:
      return put(s, stem, 'ful');
    case 10:
      return put(s, stem, 'ous');
    case 11:
      return put(s, stem, 'ive');
    case 12:
      return put(s, stem, 'ble');
    case 13:
      return ends(s, stem, 'l') ? put(s, stem, 'og') : n;
    case 15:
      return put(s, stem, 'less');
    case 16:
      return stem > 0 && isIn(BEFORE_LI, unitAt(s, stem - 1)) ? stem : n;
  }
  return n;
}

function derivedOnce(s: usize, n: i32): i32 {
  const found = longestEnding(derivedAgain, s, n);
  const stem = n - lengthOf(found);
  if (found == NONE || stem < once) return n;
  switch (numberOf(found)) {
    case 1:
      return put(s, stem, 'tion');
    case 2:
      return put(s, stem, 'ate');
    case 3:
      return put(s, stem, 'al');
    case 4:
      return put(s, stem, 'ic');
    case 5:
      return stem;
    case 6:
      return stem >= twice ? stem : n;
  }
  return n;
}

function derivedRest(s: usize, n: i32): i32 {
  const found = longestEnding(rest, s, n);
  const stem = n - lengthOf(found);
  if (found == NONE || stem < twice) return n;
  return numberOf(found) == 1 || ends(s, stem, 's') || ends(s, stem, 't') ? stem : n;
}

function finalLetter(s: usize, n: i32): i32 {
  if (ends(s, n, 'e')) return n - 1 >= twice || (n - 1 >= once && !isShort(s, n - 1)) ? n - 1 : n;
  return n - 1 >= twice && ends(s, n, 'll') ? n - 1 : n;
}
