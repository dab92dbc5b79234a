import { cut, prefixOf } from './affixes';
import { ends } from './word';

/** Articles, conjunctions and prepositions that are written together with a word. */
const PREFIXES = 'ال وال بال كال فال لل';

/** Takes the suffix from the word if two letters are left. */
function without(s: usize, length: i32, suffix: string): i32 {
  return ends(s, length, suffix, 2) ? length - suffix.length : length;
}

/** Stems Arabic as Lucene's ArabicStemFilter does: one prefix, then suffixes, each once and in this order. */
export function stemArabic(s: usize, length: i32): i32 {
  const prefix = prefixOf(s, length, PREFIXES);
  if (prefix > 0 && length >= prefix + 2) length = cut(s, length, 0, prefix);
  else if (length >= 4 && prefixOf(s, length, 'و') > 0) length = cut(s, length, 0, 1);

  length = without(s, length, 'ها');
  length = without(s, length, 'ان');
  length = without(s, length, 'ات');
  length = without(s, length, 'ون');
  length = without(s, length, 'ين');
  length = without(s, length, 'يه');
  length = without(s, length, 'ية');
  length = without(s, length, 'ه');
  length = without(s, length, 'ة');
  return without(s, length, 'ي');
}
