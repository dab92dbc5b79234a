import { ends, put, unitAt } from './word';

/**
 * Porter's algorithm of 1980 with his later changes (`bli`, `logi`; words of one and two letters stay), as Lucene's
 * PorterStemFilter runs it. Only lower-case a–z count as letters with a meaning; all others are consonants.
 *
 * With C and V for runs of consonants and vowels, the measure of a stem [C](VC)^m[V] is m. A `y` is a vowel behind a
 * consonant. A stem's measure is taken from three indexes into the word, which hold for all its beginnings:
 *
 *     firstVowel   the first vowel
 *     once         behind the first consonant that follows a vowel: a stem has m ≥ 1 if it reaches here
 *     twice        the same from `once` on: m ≥ 2
 */
let firstVowel: i32 = 0;
let once: i32 = 0;
let twice: i32 = 0;

const VOWELS: u32 = 0x104111; // a e i o u

export function stemPorter(s: usize, length: i32): i32 {
  if (length < 3) return length;
  let n = plural(s, length);
  measure(s, n);
  n = pastTense(s, n);
  if (unitAt(s, n - 1) == 0x79 && firstVowel < n - 1) store<u16>(s + (((n - 1) as usize) << 1), 0x69);
  measure(s, n);
  n = derivedTwice(s, n);
  n = derivedOnce(s, n);
  n = rest(s, n);
  return finalLetters(s, n);
}

/** Finds `firstVowel`, `once` and `twice`. */
function measure(s: usize, n: i32): void {
  firstVowel = once = twice = 0x7fffffff;
  let wasVowel = false;
  for (let i = 0; i < n; i++) {
    const unit = unitAt(s, i) - 0x61;
    const vowel = unit < 26 && (((VOWELS >> unit) & 1) != 0 || (unit == 24 && i > 0 && !wasVowel));
    if (vowel) {
      if (firstVowel > i) firstVowel = i;
    } else if (wasVowel) {
      if (once <= i) {
        twice = i + 1;
        return;
      }
      once = i + 1;
    }
    wasVowel = vowel;
  }
}

/** Whether the letter at `i` is a consonant. */
function isConsonant(s: usize, i: i32): bool {
  let first = i;
  while (first > 0 && unitAt(s, first) == 0x79) first--;
  const unit = unitAt(s, first) - 0x61;
  // Letters `y` in a row alternate; one at the beginning is a consonant.
  const consonant = unit > 25 || ((VOWELS >> unit) & 1) == 0;
  return consonant == (((i - first) & 1) == 0);
}

/** Whether the n letters end with the same consonant twice. */
function endsDoubled(s: usize, n: i32): bool {
  return n > 1 && unitAt(s, n - 1) == unitAt(s, n - 2) && isConsonant(s, n - 1);
}

/** Whether the n letters end with consonant, vowel, consonant, the last one not w, x or y. */
function endsShort(s: usize, n: i32): bool {
  if (n < 3) return false;
  const last = unitAt(s, n - 1);
  if (last == 0x77 || last == 0x78 || last == 0x79) return false;
  return isConsonant(s, n - 1) && !isConsonant(s, n - 2) && isConsonant(s, n - 3);
}

/** Step 1a. */
function plural(s: usize, n: i32): i32 {
  if (unitAt(s, n - 1) != 0x73) return n;
  if (ends(s, n, 'sses') || ends(s, n, 'ies')) return n - 2;
  return unitAt(s, n - 2) != 0x73 ? n - 1 : n;
}

/** Step 1b. */
function pastTense(s: usize, n: i32): i32 {
  const last = unitAt(s, n - 1);
  let stem = 0;
  if (last == 0x64) {
    if (ends(s, n, 'eed')) return n - 3 >= once ? n - 1 : n;
    if (!ends(s, n, 'ed')) return n;
    stem = n - 2;
  } else {
    if (last != 0x67 || !ends(s, n, 'ing')) return n;
    stem = n - 3;
  }
  if (firstVowel >= stem) return n;
  if (ends(s, stem, 'at') || ends(s, stem, 'bl') || ends(s, stem, 'iz')) return put(s, stem, 'e');
  if (endsDoubled(s, stem)) {
    const doubled = unitAt(s, stem - 1);
    return doubled == 0x6c || doubled == 0x73 || doubled == 0x7a ? stem : stem - 1;
  }
  return once <= stem && stem < twice && endsShort(s, stem) ? put(s, stem, 'e') : stem;
}

/** Puts `part` in place of an ending of `length` if what is left has a measure: the new length. */
function replace(s: usize, n: i32, length: i32, part: string): i32 {
  return n - length >= once ? put(s, n - length, part) : n;
}

/** Step 2. */
function derivedTwice(s: usize, n: i32): i32 {
  if (n < 2) return n;
  switch (unitAt(s, n - 2)) {
    case 0x61: // a
      if (ends(s, n, 'ational')) return replace(s, n, 7, 'ate');
      if (ends(s, n, 'tional')) return replace(s, n, 6, 'tion');
      return n;
    case 0x63: // c
      if (ends(s, n, 'enci')) return replace(s, n, 4, 'ence');
      if (ends(s, n, 'anci')) return replace(s, n, 4, 'ance');
      return n;
    case 0x65: // e
      if (ends(s, n, 'izer')) return replace(s, n, 4, 'ize');
      return n;
    case 0x67: // g
      if (ends(s, n, 'logi')) return replace(s, n, 4, 'log');
      return n;
    case 0x6c: // l
      if (ends(s, n, 'bli')) return replace(s, n, 3, 'ble');
      if (ends(s, n, 'alli')) return replace(s, n, 4, 'al');
      if (ends(s, n, 'entli')) return replace(s, n, 5, 'ent');
      if (ends(s, n, 'eli')) return replace(s, n, 3, 'e');
      if (ends(s, n, 'ousli')) return replace(s, n, 5, 'ous');
      return n;
    case 0x6f: // o
      if (ends(s, n, 'ization')) return replace(s, n, 7, 'ize');
      if (ends(s, n, 'ation')) return replace(s, n, 5, 'ate');
      if (ends(s, n, 'ator')) return replace(s, n, 4, 'ate');
      return n;
    case 0x73: // s
      if (ends(s, n, 'alism')) return replace(s, n, 5, 'al');
      if (ends(s, n, 'iveness')) return replace(s, n, 7, 'ive');
      if (ends(s, n, 'fulness')) return replace(s, n, 7, 'ful');
      if (ends(s, n, 'ousness')) return replace(s, n, 7, 'ous');
      return n;
    case 0x74: // t
      if (ends(s, n, 'aliti')) return replace(s, n, 5, 'al');
      if (ends(s, n, 'iviti')) return replace(s, n, 5, 'ive');
      if (ends(s, n, 'biliti')) return replace(s, n, 6, 'ble');
      return n;
  }
  return n;
}

/** Step 3. */
function derivedOnce(s: usize, n: i32): i32 {
  switch (unitAt(s, n - 1)) {
    case 0x65: // e
      if (ends(s, n, 'icate')) return replace(s, n, 5, 'ic');
      if (ends(s, n, 'ative')) return replace(s, n, 5, '');
      if (ends(s, n, 'alize')) return replace(s, n, 5, 'al');
      return n;
    case 0x69: // i
      if (ends(s, n, 'iciti')) return replace(s, n, 5, 'ic');
      return n;
    case 0x6c: // l
      if (ends(s, n, 'ical')) return replace(s, n, 4, 'ic');
      if (ends(s, n, 'ful')) return replace(s, n, 3, '');
      return n;
    case 0x73: // s
      if (ends(s, n, 'ness')) return replace(s, n, 4, '');
      return n;
  }
  return n;
}

/** Step 4. */
function rest(s: usize, n: i32): i32 {
  const length = restLength(s, n);
  return length != 0 && n - length >= twice ? n - length : n;
}

/** The length of the ending that step 4 looks at; 0 if there is none. */
function restLength(s: usize, n: i32): i32 {
  if (n < 2) return 0;
  switch (unitAt(s, n - 2)) {
    case 0x61: // a
      return ends(s, n, 'al') ? 2 : 0;
    case 0x63: // c
      return ends(s, n, 'ance') || ends(s, n, 'ence') ? 4 : 0;
    case 0x65: // e
      return ends(s, n, 'er') ? 2 : 0;
    case 0x69: // i
      return ends(s, n, 'ic') ? 2 : 0;
    case 0x6c: // l
      return ends(s, n, 'able') || ends(s, n, 'ible') ? 4 : 0;
    case 0x6e: // n
      if (ends(s, n, 'ant')) return 3;
      if (!ends(s, n, 'ent')) return 0;
      if (!ends(s, n - 3, 'm')) return 3;
      return ends(s, n - 4, 'e') ? 5 : 4;
    case 0x6f: // o
      if (ends(s, n, 'ion')) return ends(s, n - 3, 's') || ends(s, n - 3, 't') ? 3 : 0;
      return ends(s, n, 'ou') ? 2 : 0;
    case 0x73: // s
      return ends(s, n, 'ism') ? 3 : 0;
    case 0x74: // t
      return ends(s, n, 'ate') || ends(s, n, 'iti') ? 3 : 0;
    case 0x75: // u
      return ends(s, n, 'ous') ? 3 : 0;
    case 0x76: // v
      return ends(s, n, 'ive') ? 3 : 0;
    case 0x7a: // z
      return ends(s, n, 'ize') ? 3 : 0;
  }
  return 0;
}

/** Step 5. */
function finalLetters(s: usize, n: i32): i32 {
  const whole = n;
  if (unitAt(s, n - 1) == 0x65) {
    if (whole >= twice || (whole >= once && !endsShort(s, n - 1))) n--;
  }
  if (n > 0 && unitAt(s, n - 1) == 0x6c && endsDoubled(s, n) && whole >= twice) n--;
  return n;
}
