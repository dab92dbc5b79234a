import { endings, lengthOf, longestEnding } from './endings';
import { ends, hasAny, isIn, letters, put, seek, setUnit, unitAt } from './word';

/**
 * Snowball's stemmer for Turkish. Suffixes are marked one after the other from the end of the word on, and marked ones go;
 * those that stay leave a gap:
 *
 *     [0, cursor)   still looked at    [cursor, marked)   marked    [tail, length)   stays
 *
 * The functions named `mark…` move the cursor over a suffix if it is there; else they leave it where it is. In the names
 * of suffixes capital letters stand for what vowel harmony and the like choose: A a e, U ı i u ü, D d t.
 */

const VOWELS = letters('aeıioöuü');
const U = letters('ıiuü');

let word: usize = 0;
let cursor: i32 = 0;
let marked: i32 = 0;
let tail: i32 = 0;
let ready = false;
let possessives: u32 = 0;
let lArI: u32 = 0;
let nU: u32 = 0;
let nUn: u32 = 0;
let yA: u32 = 0;
let nA: u32 = 0;
let dA: u32 = 0;
let ndA: u32 = 0;
let dAn: u32 = 0;
let ndAn: u32 = 0;
let ylA: u32 = 0;
let ncA: u32 = 0;
let yUm: u32 = 0;
let sUn: u32 = 0;
let yUz: u32 = 0;
let sUnUz: u32 = 0;
let lAr: u32 = 0;
let nUz: u32 = 0;
let dUr: u32 = 0;
let cAsInA: u32 = 0;
let yDU: u32 = 0;
let ysA: u32 = 0;
let ymUs: u32 = 0;
let yken: u32 = 0;
let ki: u32 = 0;

function prepare(): void {
  possessives = endings('1: m n miz niz muz nuz müz nüz mız nız');
  lArI = endings('1: leri ları');
  nU = endings('1: ni nu nü nı');
  nUn = endings('1: in un ün ın');
  yA = endings('1: a e');
  nA = endings('1: na ne');
  dA = endings('1: da ta de te');
  ndA = endings('1: nda nde');
  dAn = endings('1: dan tan den ten');
  ndAn = endings('1: ndan nden');
  ylA = endings('1: la le');
  ncA = endings('1: ca ce');
  yUm = endings('1: im um üm ım');
  sUn = endings('1: sin sun sün sın');
  yUz = endings('1: iz uz üz ız');
  sUnUz = endings('1: siniz sunuz sünüz sınız');
  lAr = endings('1: lar ler');
  nUz = endings('1: niz nuz nüz nız');
  dUr = endings('1: dir tir dur tur dür tür dır tır');
  cAsInA = endings('1: casına cesine');
  yDU = endings(`
    1: di ti dik tik duk tuk dük tük dık tık dim tim dum tum düm tüm dım tım din tin dun tun dün tün dın tın du
    tu dü tü dı tı`);
  ysA = endings('1: sa se sak sek sam sem san sen');
  ymUs = endings('1: miş muş müş mış');
  yken = endings('1: ken');
  ki = endings('1: ki');
  ready = true;
}

export function stemTurkish(s: usize, length: i32): i32 {
  if (!ready) prepare();
  const first = seek(s, 0, length, VOWELS);
  if (first == length || seek(s, first + 1, length, VOWELS) == length) return length;
  word = s;
  cursor = marked = tail = length;
  const goesOn = takeVerbSuffixes();
  let n = closed(length);
  if (!goesOn) return n;
  const whole = n;
  cursor = marked = tail = n;
  takeNounSuffixes();
  n = closed(whole);
  return lastConsonant(s, n);
}

/** Closes the gap in a word of `length`: the new length. */
function closed(length: i32): i32 {
  const kept = length - tail;
  memory.copy(word + ((marked as usize) << 1), word + ((tail as usize) << 1), (kept as usize) << 1);
  return marked + kept;
}

/** Begins to mark at the cursor; what was marked and did not go stays. */
function open(): void {
  const count = marked - cursor;
  tail -= count;
  memory.copy(word + ((tail as usize) << 1), word + ((cursor as usize) << 1), (count as usize) << 1);
  marked = cursor;
}

/** Takes off what is marked. */
function take(): void {
  marked = cursor;
}

/** Whether the last vowel before the cursor and some vowel before it can be in the same word. */
function isHarmonious(): bool {
  let i = cursor - 1;
  while (i >= 0 && !isIn(VOWELS, unitAt(word, i))) i--;
  if (i < 0) return false;
  switch (unitAt(word, i)) {
    case 0x61: // a
      return hasAny(word, i, A_I_O_U);
    case 0x65: // e
      return hasAny(word, i, E_I_O_U);
    case 0x131: // ı
      return hasAny(word, i, A_I);
    case 0x69: // i
      return hasAny(word, i, E_I);
    case 0x6f: // o
    case 0x75: // u
      return hasAny(word, i, O_U);
  }
  return hasAny(word, i, OE_UE);
}

/** Sets of vowels that can stand before `a`, `e`, `ı`, `i`, `o` or `u`, `ö` or `ü`. */
const A_I_O_U = letters('aıou');
const E_I_O_U = letters('eiöü');
const A_I = letters('aı');
const E_I = letters('ei');
const O_U = letters('ou');
const OE_UE = letters('öü');

function mark(table: u32): bool {
  const length = lengthOf(longestEnding(table, word, cursor));
  cursor -= length;
  return length > 0;
}

/** A suffix that obeys vowel harmony. */
function markHarmonious(table: u32): bool {
  return isHarmonious() && mark(table);
}

/** Moves the cursor over `consonant` if it is before it; whether a vowel is before that, or before any other letter. */
function markAfterVowel(consonant: u32): bool {
  if (cursor < 2 || !isIn(VOWELS, unitAt(word, cursor - 2))) return false;
  if (unitAt(word, cursor - 1) == consonant) cursor--;
  return true;
}

/** A suffix that begins with a consonant behind a vowel. */
function markWith(table: u32, consonant: u32): bool {
  const from = cursor;
  if (mark(table) && markAfterVowel(consonant)) return true;
  cursor = from;
  return false;
}

const LETTER_N: u32 = 0x6e;
const LETTER_S: u32 = 0x73;
const LETTER_Y: u32 = 0x79;

/** The vowel U, with a consonant before it behind a vowel. */
function markUWith(consonant: u32): bool {
  if (!isHarmonious()) return false;
  const from = cursor;
  if (isIn(U, unitAt(word, cursor - 1))) {
    cursor--;
    if (markAfterVowel(consonant)) return true;
  }
  cursor = from;
  return false;
}

/** A possessive suffix, with a vowel U before it behind a consonant. */
function markPossessive(): bool {
  const from = cursor;
  if (mark(possessives) && cursor > 1 && !isIn(VOWELS, unitAt(word, cursor - 2))) {
    if (isIn(U, unitAt(word, cursor - 1))) cursor--;
    return true;
  }
  cursor = from;
  return false;
}

function markPossessiveOrSU(): bool {
  return markPossessive() || markUWith(LETTER_S);
}

function markYmUs(): bool {
  return isHarmonious() && markWith(ymUs, LETTER_Y);
}

function markYDU(): bool {
  return isHarmonious() && markWith(yDU, LETTER_Y);
}

function markPerson(): bool {
  return (
    mark(sUnUz) ||
    markHarmonious(lAr) ||
    (isHarmonious() && markWith(yUm, LETTER_Y)) ||
    markHarmonious(sUn) ||
    (isHarmonious() && markWith(yUz, LETTER_Y))
  );
}

/** Takes a suffix that makes a noun a verb; false if no others may follow. */
function takeVerbSuffixes(): bool {
  open();
  if (markYmUs() || markYDU() || markWith(ysA, LETTER_Y) || markWith(yken, LETTER_Y)) {
    take();
    return true;
  }
  const from = cursor;
  if (mark(cAsInA)) {
    markPerson();
    if (markYmUs()) {
      take();
      return true;
    }
    cursor = from;
  }
  if (markHarmonious(lAr)) {
    take();
    if (markHarmonious(dUr) || markYDU() || markWith(ysA, LETTER_Y) || markYmUs()) take();
    return false;
  }
  if (markHarmonious(nUz)) {
    if (markYDU() || markWith(ysA, LETTER_Y)) {
      take();
      return true;
    }
    cursor = from;
  }
  if (
    mark(sUnUz) ||
    (isHarmonious() && markWith(yUz, LETTER_Y)) ||
    markHarmonious(sUn) ||
    (isHarmonious() && markWith(yUm, LETTER_Y))
  ) {
    take();
    if (markYmUs()) take();
    return true;
  }
  if (markHarmonious(dUr)) {
    take();
    markPerson();
    if (markYmUs()) take();
  }
  return true;
}

/** Takes lAr and what may be before it. */
function takePlural(): void {
  open();
  if (!markHarmonious(lAr)) return;
  take();
  takeBeforeKi();
}

/** Takes `ki` and the suffixes before it; whether there were any. If not, nothing has moved. */
function takeBeforeKi(): bool {
  const cursorBefore = cursor;
  const markedBefore = marked;
  const tailBefore = tail;
  let taken = false;
  let again = true;
  while (again) {
    again = false;
    open();
    if (!mark(ki)) break;
    if (markHarmonious(dA)) {
      taken = true;
      take();
      if (markHarmonious(lAr)) again = true;
      else if (markPossessive()) {
        take();
        again = markHarmonious(lAr);
      }
      if (again) take();
    } else if (isHarmonious() && markWith(nUn, LETTER_N)) {
      taken = true;
      take();
      if (mark(lArI)) take();
      else if (markPossessiveOrSU()) {
        take();
        again = markHarmonious(lAr);
        if (again) take();
      } else again = true;
    } else if (markHarmonious(ndA)) {
      if (mark(lArI)) {
        taken = true;
        take();
      } else if (markUWith(LETTER_S)) {
        taken = true;
        take();
        again = markHarmonious(lAr);
        if (again) take();
      } else again = true;
    }
  }
  if (taken) return true;
  cursor = cursorBefore;
  marked = markedBefore;
  tail = tailBefore;
  return false;
}

function takeNounSuffixes(): void {
  open();
  if (markHarmonious(lAr)) {
    take();
    takeBeforeKi();
    return;
  }
  if (isHarmonious() && markWith(ncA, LETTER_N)) {
    take();
    if (mark(lArI)) take();
    else if (markPossessiveOrSU()) {
      take();
      takePlural();
    } else takePlural();
    return;
  }
  const from = cursor;
  if (markHarmonious(ndA) || markHarmonious(nA)) {
    if (mark(lArI)) {
      take();
      return;
    }
    if (markUWith(LETTER_S)) {
      take();
      takePlural();
      return;
    }
    if (takeBeforeKi()) return;
    cursor = from;
  }
  if (markHarmonious(ndAn) || markHarmonious(nU)) {
    if (markUWith(LETTER_S)) {
      take();
      takePlural();
      return;
    }
    if (mark(lArI)) return;
    cursor = from;
  }
  if (markHarmonious(dAn)) {
    take();
    if (markPossessive()) {
      take();
      takePlural();
    } else if (markHarmonious(lAr)) {
      take();
      takeBeforeKi();
    } else takeBeforeKi();
    return;
  }
  if ((isHarmonious() && markWith(nUn, LETTER_N)) || (isHarmonious() && markWith(ylA, LETTER_Y))) {
    take();
    if (markHarmonious(lAr)) {
      take();
      if (takeBeforeKi()) return;
    }
    if (markPossessiveOrSU()) {
      take();
      takePlural();
    } else takeBeforeKi();
    return;
  }
  if (mark(lArI)) {
    take();
    return;
  }
  if (takeBeforeKi()) return;
  if (markHarmonious(dA) || markUWith(LETTER_Y) || (isHarmonious() && markWith(yA, LETTER_Y))) {
    take();
    if (markPossessive()) {
      take();
      markHarmonious(lAr);
    } else if (!markHarmonious(lAr)) return;
    take();
    takeBeforeKi();
    return;
  }
  if (markPossessiveOrSU()) {
    take();
    takePlural();
  }
}

/** Puts a vowel behind a final `d` or `g`, and hardens other final consonants: the new length. */
function lastConsonant(s: usize, n: i32): i32 {
  if (n == 0 || isReserved(s, n)) return n;
  const last = unitAt(s, n - 1);
  if (last == 0x64 || last == 0x67) {
    let i = n - 1;
    while (i >= 0 && !isIn(VOWELS, unitAt(s, i))) i--;
    if (i >= 0) return put(s, n, vowelAfter(unitAt(s, i)));
  }
  if (last == 0x62) setUnit(s, n - 1, 0x70);
  else if (last == 0x63) setUnit(s, n - 1, 0xe7);
  else if (last == 0x64) setUnit(s, n - 1, 0x74);
  else if (last == 0x11f) setUnit(s, n - 1, 0x6b);
  return n;
}

/** The vowel U in a word whose last vowel is this. */
function vowelAfter(vowel: u32): string {
  switch (vowel) {
    case 0x61: // a
    case 0x131: // ı
      return 'ı';
    case 0x65: // e
    case 0x69: // i
      return 'i';
    case 0x6f: // o
    case 0x75: // u
      return 'u';
  }
  return 'ü';
}

/** Whether the word is `ad` or `soyad`. */
function isReserved(s: usize, n: i32): bool {
  return (n == 2 && ends(s, n, 'ad')) || (n == 5 && ends(s, n, 'soyad'));
}
