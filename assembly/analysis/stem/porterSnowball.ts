import { endings, lengthOf, longestEnding, NONE, numberOf } from './endings';
import { endsShortSyllable, markConsonantY, VOWELS } from './englishLetters';
import { ends, hasAny, put, region, replaceAll, setUnit, unitAt } from './word';

/** Porter's algorithm of 1980 as written in Snowball; unlike `stemPorter`, without later changes, and for short words too. */

let once: i32 = 0;
let twice: i32 = 0;
let ready = false;
let plurals: u32 = 0;
let participles: u32 = 0;
let beforeParticiple: u32 = 0;
let derived: u32 = 0;
let derivedAgain: u32 = 0;
let rest: u32 = 0;

function prepare(): void {
  plurals = endings('1: sses ies 2: ss 3: s');
  participles = endings('1: eed 2: ed ing');
  beforeParticiple = endings('1: bl at iz 2: bb dd ff gg mm nn pp rr tt');
  derived = endings(`1: tional 2: enci 3: anci 4: abli 5: entli 6: eli 7: ization izer 8: ational ation ator
    9: alli aliti alism 10: fulness 11: ousli ousness 12: iviti iveness 13: biliti`);
  derivedAgain = endings('1: alize 2: icate iciti ical 3: ative ful ness');
  rest = endings('1: ic ance ence able ible ate ive ize iti al ism er ous ant ent ment ement ou 2: ion');
  ready = true;
}

export function stemPorterSnowball(s: usize, length: i32): i32 {
  if (!ready) prepare();
  const marked = markConsonantY(s, length);
  once = region(s, 0, length, VOWELS);
  twice = region(s, once, length, VOWELS);
  let n = length;
  const plural = numberOf(longestEnding(plurals, s, n));
  if (plural == 1) n -= 2;
  else if (plural == 3) n--;
  n = participle(s, n);
  if (n > 0 && (unitAt(s, n - 1) | 0x20) == 0x79 && hasAny(s, n - 1, VOWELS)) setUnit(s, n - 1, 0x69);
  n = derivedTwice(s, n);
  n = derivedOnce(s, n);
  n = derivedRest(s, n);
  if (ends(s, n, 'e') && (n - 1 >= twice || (n - 1 >= once && !endsShortSyllable(s, n - 1)))) n--;
  if (n - 1 >= twice && ends(s, n, 'll')) n--;
  if (marked) replaceAll(s, n, 0x59, 0x79);
  return n;
}

function participle(s: usize, n: i32): i32 {
  const found = longestEnding(participles, s, n);
  if (found == NONE) return n;
  const stem = n - lengthOf(found);
  if (numberOf(found) == 1) return stem >= once ? n - 1 : n;
  if (!hasAny(s, stem, VOWELS)) return n;
  switch (numberOf(longestEnding(beforeParticiple, s, stem))) {
    case 1:
      return put(s, stem, 'e');
    case 2:
      return stem - 1;
  }
  return stem == once && endsShortSyllable(s, stem) ? put(s, stem, 'e') : stem;
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
      return put(s, stem, 'e');
    case 7:
      return put(s, stem, 'ize');
    case 8:
      return put(s, stem, 'ate');
    case 9:
      return put(s, stem, 'al');
    case 10:
      return put(s, stem, 'ful');
    case 11:
      return put(s, stem, 'ous');
    case 12:
      return put(s, stem, 'ive');
    case 13:
      return put(s, stem, 'ble');
  }
  return n;
}

function derivedOnce(s: usize, n: i32): i32 {
  const found = longestEnding(derivedAgain, s, n);
  const stem = n - lengthOf(found);
  if (found == NONE || stem < once) return n;
  switch (numberOf(found)) {
    case 1:
      return put(s, stem, 'al');
    case 2:
      return put(s, stem, 'ic');
  }
  return stem;
}

function derivedRest(s: usize, n: i32): i32 {
  const found = longestEnding(rest, s, n);
  const stem = n - lengthOf(found);
  if (found == NONE || stem < twice) return n;
  return numberOf(found) == 1 || ends(s, stem, 's') || ends(s, stem, 't') ? stem : n;
}
