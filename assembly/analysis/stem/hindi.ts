import { suffixOf } from './affixes';

/** Suffixes by length, from the longest on. */
const FIVE = 'ाएंगी ाएंगे ाऊंगी ाऊंगा ाइयाँ ाइयों ाइयां';
const FOUR = `ाएगी ाएगा ाओगी ाओगे एंगी ेंगी एंगे ेंगे ूंगी ूंगा ातीं नाओं नाएं ताओं ताएं ियाँ ियों ियां`;
const THREE = 'ाकर ाइए ाईं ाया ेगी ेगा ोगी ोगे ाने ाना ाते ाती ाता तीं ाओं ाएं ुओं ुएं ुआं';
const TWO = 'कर ाओ िए ाई ाए ने नी ना ते ीं ती ता ाँ ां ों ें';
const ONE = 'ो े ू ु ी ि ा';

/** Stems Hindi as Lucene's HindiStemFilter does: one suffix goes if two units stay. */
export function stemHindi(s: usize, length: i32): i32 {
  if (length > 6 && suffixOf(s, length, FIVE) > 0) return length - 5;
  if (length > 5 && suffixOf(s, length, FOUR) > 0) return length - 4;
  if (length > 4 && suffixOf(s, length, THREE) > 0) return length - 3;
  if (length > 3 && suffixOf(s, length, TWO) > 0) return length - 2;
  if (length > 2 && suffixOf(s, length, ONE) > 0) return length - 1;
  return length;
}
