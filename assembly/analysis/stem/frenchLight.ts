import { mapAccents } from './accents';
import { isLetter, suffixOf } from './affixes';
import { ends, put, setUnit, unitAt } from './word';

const PLAIN = 'aaaãäåæceeeëìíiïðñòóoõö÷øuúuüýþÿ';

/** Leaves one of letters that follow each other, from the first letter on. */
function withoutDoubles(s: usize, length: i32): i32 {
  let out = 1;
  for (let i = 1; i < length; i++) {
    const unit = unitAt(s, i);
    if (unit != unitAt(s, out - 1) || !isLetter(unit)) setUnit(s, out++, unit);
  }
  return out;
}

/** Takes accents, doubled letters and what is left of endings. */
function finish(s: usize, length: i32): i32 {
  if (length > 4) {
    mapAccents(s, length, PLAIN);
    length = withoutDoubles(s, length);
  }
  if (length > 4 && ends(s, length, 'ie')) length -= 2;
  if (length > 4) {
    if (ends(s, length, 'r')) --length;
    if (ends(s, length, 'e')) --length;
    if (ends(s, length, 'e')) --length;
    const last = unitAt(s, length - 1);
    if (last == unitAt(s, length - 2) && isLetter(last)) --length;
  }
  return length;
}

/** Takes x and s of the plural. */
function withoutPlural(s: usize, length: i32): i32 {
  if (length > 5 && ends(s, length, 'x')) {
    if (ends(s, length, 'aux') && unitAt(s, length - 4) != 0x65) setUnit(s, length - 2, 0x6c);
    --length;
  }
  if (length > 3 && ends(s, length, 'x')) --length;
  if (length > 3 && ends(s, length, 's')) --length;
  return length;
}

/** The endings of agents and acts, up to -trice: the new length, or -1 if the word has none of them. */
function withoutAgent(s: usize, n: i32): i32 {
  if (n > 9 && ends(s, n, 'issement')) return put(s, n - 7, 'r');
  if (n > 8 && ends(s, n, 'issant')) return put(s, n - 5, 'r');
  if (n > 6 && ends(s, n, 'ement')) {
    n -= 4;
    return n > 3 && ends(s, n, 'ive') ? put(s, n - 2, 'f') : n;
  }
  if (n > 11 && ends(s, n, 'ficatrice')) return put(s, n - 7, 'er');
  if (n > 10 && ends(s, n, 'ficateur')) return put(s, n - 6, 'er');
  if (n > 9 && ends(s, n, 'catrice')) return put(s, n - 7, 'quer');
  if (n > 8 && ends(s, n, 'cateur')) return put(s, n - 6, 'quer');
  if (n > 8 && ends(s, n, 'atrice')) return put(s, n - 6, 'er');
  if (n > 7 && ends(s, n, 'ateur')) return put(s, n - 5, 'er');
  return -1;
}

/** Endings of nouns and adjectives, from -ième on: the new length, or -1 if the word has none of them. */
function withoutQuality(s: usize, n: i32): i32 {
  if (n > 5 && ends(s, n, 'ième')) return n - 4;
  if (n > 7 && ends(s, n, 'teuse')) return put(s, n - 3, 'r');
  if (n > 6 && ends(s, n, 'teur')) return put(s, n - 2, 'r');
  if (n > 5 && ends(s, n, 'euse')) return n - 2;
  if (n > 8 && ends(s, n, 'ère')) return put(s, n - 3, 'er');
  if (n > 7 && ends(s, n, 'ive')) return put(s, n - 2, 'f');
  if (n > 4 && suffixOf(s, n, 'folle molle') > 0) return put(s, n - 3, 'u');
  if (n > 9 && ends(s, n, 'nnelle')) return n - 5;
  if (n > 9 && ends(s, n, 'nnel')) return n - 3;
  return -1;
}

/** The endings that can go after others. */
function withoutAct(s: usize, n: i32): i32 {
  if (n > 4 && ends(s, n, 'ète')) n = put(s, n - 3, 'et');
  if (n > 8 && ends(s, n, 'ique')) n -= 4;
  if (n > 8 && ends(s, n, 'esse')) return n - 3;
  if (n > 7 && ends(s, n, 'inage')) return n - 3;
  if (n > 9 && ends(s, n, 'isation')) {
    n -= 7;
    if (n > 5 && ends(s, n, 'ual')) setUnit(s, n - 2, 0x65);
    return n;
  }
  if (n > 9 && ends(s, n, 'isateur')) return n - 7;
  return n > 8 && suffixOf(s, n, 'ation ition') > 0 ? n - 5 : n;
}

/** Stems French as Lucene's FrenchLightStemFilter does. */
export function stemFrenchLight(s: usize, length: i32): i32 {
  length = withoutPlural(s, length);
  let rest = withoutAgent(s, length);
  if (rest >= 0) return finish(s, rest);
  if (length > 6 && ends(s, length, 'trice')) length = put(s, length - 4, 'eur');
  rest = withoutQuality(s, length);
  if (rest >= 0) return finish(s, rest);
  return finish(s, withoutAct(s, length));
}

/** Stems French as Lucene's FrenchMinimalStemFilter does: number, final r and e, a doubled last letter. */
export function stemFrenchMinimal(s: usize, length: i32): i32 {
  if (length < 6) return length;
  if (ends(s, length, 'x')) {
    if (ends(s, length, 'aux')) setUnit(s, length - 2, 0x6c);
    return length - 1;
  }
  if (ends(s, length, 's')) --length;
  if (ends(s, length, 'r')) --length;
  if (ends(s, length, 'e')) --length;
  if (ends(s, length, 'é')) --length;
  return unitAt(s, length - 1) == unitAt(s, length - 2) ? length - 1 : length;
}
