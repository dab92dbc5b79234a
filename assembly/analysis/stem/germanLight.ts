import { mapAccents } from './accents';
import { isAmong, suffixOf } from './affixes';
import { ends, unitAt } from './word';

const PLAIN = 'aaaãaåæçèéêëiiiiðñoooõo÷øuuuuýþÿ';
const PLAIN_UMLAUTS = 'àáâãaåæçèéêëìíîïðñòóôõo÷øùúûuýþÿ';
/** Letters after which s or st is an ending. */
const BEFORE_S = 'bdfghklmnt';

function withoutCase(s: usize, length: i32): i32 {
  if (length > 5 && ends(s, length, 'ern')) return length - 3;
  if (length > 4 && suffixOf(s, length, 'em en er es') > 0) return length - 2;
  if (length > 3 && ends(s, length, 'e')) return length - 1;
  if (length > 3 && ends(s, length, 's') && isAmong(unitAt(s, length - 2), BEFORE_S)) return length - 1;
  return length;
}

function withoutComparison(s: usize, length: i32): i32 {
  if (length > 5 && ends(s, length, 'est')) return length - 3;
  if (length > 4 && suffixOf(s, length, 'er en') > 0) return length - 2;
  if (length > 4 && ends(s, length, 'st') && isAmong(unitAt(s, length - 3), BEFORE_S)) return length - 2;
  return length;
}

/** Stems German as Lucene's GermanLightStemFilter does: accents, case and number, comparison. */
export function stemGermanLight(s: usize, length: i32): i32 {
  mapAccents(s, length, PLAIN);
  return withoutComparison(s, withoutCase(s, length));
}

/** Stems German as Lucene's GermanMinimalStemFilter does: umlauts and the plural. */
export function stemGermanMinimal(s: usize, length: i32): i32 {
  if (length < 5) return length;
  mapAccents(s, length, PLAIN_UMLAUTS);
  if (length > 6 && ends(s, length, 'nen')) return length - 3;
  if (length > 5 && suffixOf(s, length, 'en se es er') > 0) return length - 2;
  return isAmong(unitAt(s, length - 1), 'nesr') ? length - 1 : length;
}
