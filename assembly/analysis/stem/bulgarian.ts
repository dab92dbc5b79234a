import { suffixOf } from './affixes';
import { ends, setUnit, unitAt } from './word';

function withoutArticle(s: usize, length: i32): i32 {
  if (length > 6 && ends(s, length, 'ият')) return length - 3;
  if (length > 5 && suffixOf(s, length, 'ът то те та ия') > 0) return length - 2;
  return length > 4 && ends(s, length, 'ят') ? length - 2 : length;
}

function withoutPlural(s: usize, length: i32): i32 {
  if (length > 6) {
    if (suffixOf(s, length, 'овци ове') > 0) return length - 3;
    if (ends(s, length, 'еве')) {
      setUnit(s, length - 3, 0x439);
      return length - 2;
    }
  }
  if (length > 5) {
    if (ends(s, length, 'ища')) return length - 3;
    if (ends(s, length, 'та')) return length - 2;
    if (ends(s, length, 'ци')) {
      setUnit(s, length - 2, 0x43a);
      return length - 1;
    }
    if (ends(s, length, 'зи')) {
      setUnit(s, length - 2, 0x433);
      return length - 1;
    }
    // е?и → я?
    if (unitAt(s, length - 3) == 0x435 && unitAt(s, length - 1) == 0x438) {
      setUnit(s, length - 3, 0x44f);
      return length - 1;
    }
  }
  if (length > 4) {
    if (ends(s, length, 'си')) {
      setUnit(s, length - 2, 0x445);
      return length - 1;
    }
    if (ends(s, length, 'и')) return length - 1;
  }
  return length;
}

/** Stems Bulgarian as Lucene's BulgarianStemFilter does: article, plural, final vowels, a vowel that comes and goes. */
export function stemBulgarian(s: usize, length: i32): i32 {
  if (length < 4) return length;
  if (length > 5 && ends(s, length, 'ища')) return length - 3;
  length = withoutPlural(s, withoutArticle(s, length));
  if (length > 3) {
    if (ends(s, length, 'я')) --length;
    if (suffixOf(s, length, 'а о е') > 0) --length;
  }
  if (length > 4 && ends(s, length, 'ен')) {
    setUnit(s, length - 2, 0x43d);
    --length;
  }
  if (length > 5 && unitAt(s, length - 2) == 0x44a) {
    setUnit(s, length - 2, unitAt(s, length - 1));
    --length;
  }
  return length;
}
