import { mapAccents } from './accents';
import { isAmong, suffixOf } from './affixes';
import { ends, put, setUnit, unitAt } from './word';

const PLAIN = 'aaaaaåæceeeeiiiiðñooooo÷øuuuuýþÿ';

function withoutPlural(s: usize, length: i32): i32 {
  if (length > 4 && suffixOf(s, length, 'res ses les zes') > 0) return length - 2;
  if (length > 3 && ends(s, length, 'ns')) return put(s, length - 2, 'm');
  if (length > 4) {
    if (suffixOf(s, length, 'eis éis') > 0) return put(s, length - 3, 'el');
    if (ends(s, length, 'ais')) return put(s, length - 2, 'l');
    if (ends(s, length, 'óis')) return put(s, length - 3, 'ol');
    if (ends(s, length, 'is')) return put(s, length - 1, 'l');
  }
  if (length > 3 && suffixOf(s, length, 'ões ães') > 0) return put(s, length - 3, 'ão');
  if (length > 6 && ends(s, length, 'mente')) return length - 5;
  return length > 3 && ends(s, length, 's') ? length - 1 : length;
}

/** Gives a word that ends with a the ending of the masculine. */
function masculine(s: usize, length: i32): i32 {
  if (length > 7 && suffixOf(s, length, 'inha iaca eira') > 0) return put(s, length - 1, 'o');
  if (length <= 6) return length;
  if (suffixOf(s, length, 'osa ica ida ada iva ama') > 0) return put(s, length - 1, 'o');
  if (ends(s, length, 'ona')) return put(s, length - 3, 'ão');
  if (ends(s, length, 'ora')) return length - 1;
  if (ends(s, length, 'esa')) {
    setUnit(s, length - 3, 0xea);
    return length - 1;
  }
  return ends(s, length, 'na') ? put(s, length - 1, 'o') : length;
}

/** Stems Portuguese as Lucene's PortugueseLightStemFilter does: number, gender, final vowel, accents. */
export function stemPortugueseLight(s: usize, length: i32): i32 {
  if (length < 4) return length;
  length = withoutPlural(s, length);
  if (length > 3 && ends(s, length, 'a')) length = masculine(s, length);
  if (length > 4 && isAmong(unitAt(s, length - 1), 'eao')) --length;
  mapAccents(s, length, PLAIN);
  return length;
}
