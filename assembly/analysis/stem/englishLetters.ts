import { isIn, letters, setUnit, unitAt } from './word';

/** What Snowball's two stemmers for English share: a `y` that is a consonant is written `Y` while they work. */
export const VOWELS = letters('aeiouy');
const VOWELS_W_X = letters('aeiouywx');

const LOWER_Y: u32 = 0x79;
const UPPER_Y: u32 = 0x59;

/** Marks every `y` at the beginning or behind a vowel; whether there was one. */
export function markConsonantY(s: usize, n: i32): bool {
  let found = false;
  if (n > 0 && unitAt(s, 0) == LOWER_Y) {
    setUnit(s, 0, UPPER_Y);
    found = true;
  }
  for (let i = 1; i < n; i++) {
    if (unitAt(s, i) == LOWER_Y && isIn(VOWELS, unitAt(s, i - 1))) {
      setUnit(s, i, UPPER_Y);
      found = true;
    }
  }
  return found;
}

/** Whether the n units end with consonant, vowel, consonant, the last one not w, x or Y. */
export function endsShortSyllable(s: usize, n: i32): bool {
  if (n < 3) return false;
  const last = unitAt(s, n - 1);
  return (
    last != UPPER_Y &&
    !isIn(VOWELS_W_X, last) &&
    isIn(VOWELS, unitAt(s, n - 2)) &&
    !isIn(VOWELS, unitAt(s, n - 3))
  );
}
