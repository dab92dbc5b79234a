import { mapAccents } from './accents';
import { isAmong, suffixOf } from './affixes';
import { ends, put, setUnit, unitAt } from './word';

const PLAIN = 'àáâãaaæçèéêëìíîïðñòóôõo÷øùúûüýþÿ';
const VOWELS = 'aeiouy';

/** Takes the enclitics -kin and -ko as often as they come, and some derivations. */
function withoutEnclitics(s: usize, length: i32): i32 {
  while (length > 8) {
    const size = suffixOf(s, length, 'kin ko');
    if (size == 0) break;
    length -= size;
  }
  return length > 11 ? length - suffixOf(s, length, 'dellinen dellisuus') : length;
}

function withoutAdverb(s: usize, length: i32): i32 {
  if (length <= 5) return length;
  if (suffixOf(s, length, 'lla tse sti') > 0) return length - 3;
  if (ends(s, length, 'ni')) return length - 2;
  return ends(s, length, 'aa') ? length - 1 : length;
}

function withoutCase(s: usize, length: i32): i32 {
  if (length > 8) {
    if (ends(s, length, 'nnen')) return put(s, length - 4, 's');
    if (ends(s, length, 'ntena')) return put(s, length - 5, 's');
    if (ends(s, length, 'tten')) return length - 4;
    if (ends(s, length, 'eiden')) return length - 5;
  }
  if (length > 6) {
    if (suffixOf(s, length, 'neen niin seen teen inen') > 0) return length - 4;
    if (ends(s, length, 'n') && unitAt(s, length - 3) == 0x68 && isAmong(unitAt(s, length - 2), VOWELS))
      return length - 3;
    if (ends(s, length, 'den')) return put(s, length - 3, 's');
    if (ends(s, length, 'ksen')) return put(s, length - 4, 's');
    if (suffixOf(s, length, 'ssa sta lla lta tta ksi lle') > 0) return length - 3;
  }
  if (length > 5) {
    if (suffixOf(s, length, 'na ne') > 0) return length - 2;
    if (ends(s, length, 'nei')) return length - 3;
  }
  if (length <= 4) return length;
  if (suffixOf(s, length, 'ja ta') > 0) return length - 2;
  if (ends(s, length, 'a')) return length - 1;
  if (!ends(s, length, 'n')) return length;
  return isAmong(unitAt(s, length - 2), VOWELS) ? length - 2 : length - 1;
}

/** Takes what is left of the plural. */
function withoutPlural(s: usize, length: i32): i32 {
  if (length > 5 && ends(s, length, 'hde')) put(s, length - 3, 'ksi');
  if (length > 4 && suffixOf(s, length, 'ei at') > 0) return length - 2;
  return length > 3 && isAmong(unitAt(s, length - 1), 'tsjeai') ? length - 1 : length;
}

/** Leaves one of k, p and t that follow each other. */
function withoutDoubles(s: usize, length: i32): i32 {
  let out = 1;
  for (let i = 1; i < length; i++) {
    const unit = unitAt(s, i);
    if (unit != unitAt(s, out - 1) || !isAmong(unit, 'kpt')) setUnit(s, out++, unit);
  }
  return out;
}

/** Stems Finnish as Lucene's FinnishLightStemFilter does. */
export function stemFinnishLight(s: usize, length: i32): i32 {
  if (length < 4) return length;
  mapAccents(s, length, PLAIN);
  length = withoutEnclitics(s, length);
  length = withoutAdverb(s, length);
  length = withoutCase(s, length);
  length = withoutPlural(s, length);
  if (length > 8 && isAmong(unitAt(s, length - 1), 'eou')) --length;
  if (length > 4 && ends(s, length, 'i')) --length;
  return length > 4 ? withoutDoubles(s, length) : length;
}
