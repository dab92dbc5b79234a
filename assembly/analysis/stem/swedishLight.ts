import { suffixOf } from './affixes';
import { ends } from './word';

/** Stems Swedish as Lucene's SwedishLightStemFilter does: genitive, then one ending. */
export function stemSwedishLight(s: usize, length: i32): i32 {
  if (length > 4 && ends(s, length, 's')) --length;
  if (length > 7 && suffixOf(s, length, 'elser heten') > 0) return length - 5;
  if (length > 6 && suffixOf(s, length, 'arne erna ande else aste orna aren') > 0) return length - 4;
  if (length > 5 && suffixOf(s, length, 'are ast het') > 0) return length - 3;
  if (length > 4 && suffixOf(s, length, 'ar er or en at te et') > 0) return length - 2;
  return length > 3 && suffixOf(s, length, 't a e n') > 0 ? length - 1 : length;
}
