import { isAmong, suffixOf } from './affixes';
import { ends, setUnit, unitAt } from './word';

/** Case endings by length. */
const FOUR = 'ětem etem atům';
const THREE = `ech ich ích ého ěmi emi ému ěte ete ěti eti ího iho ími ímu imu ách ata aty ých ama ami ové ovi ými`;
const TWO = 'em es ém ím ům at ám os us ým mi ou';
const ONE = 'aeiouůyáéíýě';

function withoutCase(s: usize, length: i32): i32 {
  if (length > 7 && ends(s, length, 'atech')) return length - 5;
  if (length > 6 && suffixOf(s, length, FOUR) > 0) return length - 4;
  if (length > 5 && suffixOf(s, length, THREE) > 0) return length - 3;
  if (length > 4 && suffixOf(s, length, TWO) > 0) return length - 2;
  return length > 3 && isAmong(unitAt(s, length - 1), ONE) ? length - 1 : length;
}

/** Undoes what endings do to the end of a stem. */
function restore(s: usize, length: i32): i32 {
  if (suffixOf(s, length, 'čt št') > 0) {
    setUnit(s, length - 2, unitAt(s, length - 2) == 0x10d ? 0x63 : 0x73);
    setUnit(s, length - 1, 0x6b);
    return length;
  }
  const last = unitAt(s, length - 1);
  if (isAmong(last, 'cč')) setUnit(s, length - 1, 0x6b);
  else if (isAmong(last, 'zž')) setUnit(s, length - 1, 0x68);
  else if (length > 1 && unitAt(s, length - 2) == 0x65) {
    setUnit(s, length - 2, last);
    return length - 1;
  } else if (length > 2 && unitAt(s, length - 2) == 0x16f) setUnit(s, length - 2, 0x6f);
  return length;
}

/** Stems Czech as Lucene's CzechStemFilter does: case, possessive, then the end of the stem. */
export function stemCzech(s: usize, length: i32): i32 {
  length = withoutCase(s, length);
  if (length > 5 && suffixOf(s, length, 'ov in ův') > 0) length -= 2;
  return length > 0 ? restore(s, length) : 0;
}
