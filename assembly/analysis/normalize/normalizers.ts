/** The normalizers by number; host/analysis/stemmers.ts has their names. Stemmers have other numbers. */
import { normalizeArabic } from './arabic';
import { normalizeGerman } from './german';
import { lowerCaseGreek } from './greek';
import { normalizeHindi } from './hindi';
import { normalizeIndic } from './indic';
import { lowerCaseIrish } from './irish';
import { normalizePersian } from './persian';
import { foldScandinavian, normalizeScandinavian } from './scandinavian';
import { normalizeSorani } from './sorani';
import { lowerCaseTurkish } from './turkish';

/**
 * Normalizes the word of `length` UTF-16 units at `s` in place and returns its new length. The buffer has room for
 * 2 * length + 32 units: `german` can double a word. A number without a normalizer leaves the word as it is.
 */
export function normalizeUnits(id: u32, s: usize, length: i32): i32 {
  switch (id) {
    case 60:
      return normalizeArabic(s, length);
    case 61:
      return normalizePersian(s, length);
    case 62:
      return normalizeGerman(s, length);
    case 63:
      return normalizeHindi(s, length);
    case 64:
      return normalizeIndic(s, length);
    case 65:
      return normalizeSorani(s, length);
    case 66:
      return normalizeScandinavian(s, length);
    case 67:
      return foldScandinavian(s, length);
    case 68:
      return lowerCaseGreek(s, length);
    case 69:
      return lowerCaseTurkish(s, length);
    case 70:
      return lowerCaseIrish(s, length);
    default:
      return length;
  }
}
