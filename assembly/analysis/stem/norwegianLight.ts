import { suffixOf } from './affixes';
import { ends } from './word';

/** The endings of one of the two written languages, by length; the plain ones are those of both. */
const SIX_NYNORSK = 'heiter leiken leikar';
const FIVE_BOKMAL = 'heter heten';
const FIVE_NYNORSK = 'heita';
const FOUR_NYNORSK = 'heit semd leik';
const VERBS_BOKMAL = 'ende else este eren';
const VERBS_NYNORSK = 'ande else aste aren';
const THREE_BOKMAL = 'ere est ene';
const THREE_NYNORSK = 'are ast ene ane';
const TWO_BOKMAL = 'er en et st te';
const TWO_NYNORSK = 'er en et ar te';

/** Stems Norwegian as Lucene's NorwegianLightStemFilter does: Nynorsk, or else Bokmål. */
export function stemNorwegianLight(s: usize, length: i32, nynorsk: bool): i32 {
  if (length > 4 && ends(s, length, 's')) --length;
  if (length > 7 && suffixOf(s, length, nynorsk ? FIVE_NYNORSK : FIVE_BOKMAL) > 0) return length - 5;
  if (length > 8 && nynorsk && suffixOf(s, length, SIX_NYNORSK) > 0) return length - 6;
  if (length > 5 && suffixOf(s, length, nynorsk ? 'dom' : 'dom het') > 0) return length - 3;
  if (length > 6 && nynorsk && suffixOf(s, length, FOUR_NYNORSK) > 0) return length - 4;
  if (length > 7 && suffixOf(s, length, 'elser elsen') > 0) return length - 5;
  if (length > 6 && suffixOf(s, length, nynorsk ? VERBS_NYNORSK : VERBS_BOKMAL) > 0) return length - 4;
  if (length > 5 && suffixOf(s, length, nynorsk ? THREE_NYNORSK : THREE_BOKMAL) > 0) return length - 3;
  if (length > 4 && suffixOf(s, length, nynorsk ? TWO_NYNORSK : TWO_BOKMAL) > 0) return length - 2;
  return length > 3 && suffixOf(s, length, 'a e n') > 0 ? length - 1 : length;
}

/** Takes number and definiteness from nouns as Lucene's NorwegianMinimalStemFilter does: Nynorsk, or else Bokmål. */
export function stemNorwegianMinimal(s: usize, length: i32, nynorsk: bool): i32 {
  if (length > 4 && ends(s, length, 's')) --length;
  if (length > 5 && suffixOf(s, length, nynorsk ? 'ene ane' : 'ene') > 0) return length - 3;
  if (length > 4 && suffixOf(s, length, nynorsk ? 'er en et ar' : 'er en et') > 0) return length - 2;
  return length > 3 && suffixOf(s, length, 'a e') > 0 ? length - 1 : length;
}
