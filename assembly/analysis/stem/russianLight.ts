import { isAmong, suffixOf } from './affixes';
import { unitAt } from './word';

/** Case endings by length. */
const FOUR = 'иями оями';
const THREE = 'иям иях оях ями оям оьв ами его ему ери ими ого ому ыми оев';
const TWO = `ая яя ях юю ах ею их ия ию ьв ою ую ям ых ея ам ем ей ём ев ий им ое ой ом ов ые ый ым ми`;
const ONE = 'аеиоуйыяь';

function withoutCase(s: usize, length: i32): i32 {
  if (length > 6 && suffixOf(s, length, FOUR) > 0) return length - 4;
  if (length > 5 && suffixOf(s, length, THREE) > 0) return length - 3;
  if (length > 4 && suffixOf(s, length, TWO) > 0) return length - 2;
  return length > 3 && isAmong(unitAt(s, length - 1), ONE) ? length - 1 : length;
}

/** Stems Russian as Lucene's RussianLightStemFilter does: case, then a soft sign, an и or the second of two н. */
export function stemRussianLight(s: usize, length: i32): i32 {
  length = withoutCase(s, length);
  return length > 3 && suffixOf(s, length, 'ь и нн') > 0 ? length - 1 : length;
}
