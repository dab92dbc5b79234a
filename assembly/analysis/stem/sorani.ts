import { suffixOf } from './affixes';
import { ends } from './word';

/** The units of the first ending of a list, if more than three units stay without it; 0 otherwise. */
function endingOf(s: usize, length: i32, suffixes: string): i32 {
  const size = suffixOf(s, length, suffixes);
  return size > 0 && length > size + 3 ? size : 0;
}

/** Stems Sorani as Lucene's SoraniStemFilter does: postposition, possessive, then one ending of number and case. */
export function stemSorani(s: usize, length: i32): i32 {
  if (length > 5 && ends(s, length, 'دا')) length -= 2;
  else if (length > 4 && ends(s, length, 'نا')) --length;
  else if (length > 6 && ends(s, length, 'ەوە')) length -= 3;

  length -= endingOf(s, length, 'مان یان تان');

  if (length > 6 && ends(s, length, 'ێکی')) return length - 3;
  if (length > 7 && ends(s, length, 'یەکی')) return length - 4;
  if (length > 5 && ends(s, length, 'ێک')) return length - 2;
  if (length > 6 && ends(s, length, 'یەک')) return length - 3;
  if (length > 6 && ends(s, length, 'ەکە')) return length - 3;
  if (length > 5 && ends(s, length, 'کە')) return length - 2;
  if (length > 7 && ends(s, length, 'ەکان')) return length - 4;
  if (length > 6 && ends(s, length, 'کان')) return length - 3;
  if (length > 7 && ends(s, length, 'یانی')) return length - 4;
  if (length > 6 && ends(s, length, 'انی')) return length - 3;
  if (length > 6 && ends(s, length, 'یان')) return length - 3;
  if (length > 5 && ends(s, length, 'ان')) return length - 2;
  if (length > 7 && ends(s, length, 'یانە')) return length - 4;
  if (length > 6 && ends(s, length, 'انە')) return length - 3;
  if (length > 5 && suffixOf(s, length, 'ایە ەیە') > 0) return length - 2;
  return length > 4 && suffixOf(s, length, 'ە ی') > 0 ? length - 1 : length;
}
