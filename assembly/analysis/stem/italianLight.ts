import { mapAccents } from './accents';
import { isAmong, suffixOf } from './affixes';
import { unitAt } from './word';

const PLAIN = 'aaaãaåæçeeeeiiiiðñoooõo÷øuuuuýþÿ';

/** Stems Italian as Lucene's ItalianLightStemFilter does: accents, then the final vowel with an i or h before it. */
export function stemItalianLight(s: usize, length: i32): i32 {
  if (length < 6) return length;
  mapAccents(s, length, PLAIN);
  if (!isAmong(unitAt(s, length - 1), 'aeio')) return length;
  return suffixOf(s, length, 'ie he hi ii ia io') > 0 ? length - 2 : length - 1;
}
