import { endings, lengthOf, longestEnding, NONE, numberOf } from './endings';
import { ends, put } from './word';

/**
 * Lovins' stemmer of 1968, written in Snowball, as it runs in Lucene 4: since all its endings have a condition, and
 * Lucene 4 asks for them on an empty word, no ending ever goes. What is left are the two rules for the end of a stem.
 */

let ready = false;
let doubled: u32 = 0;
let respelled: u32 = 0;

function prepare(): void {
  doubled = endings('1: bb dd gg ll mm nn pp rr ss tt');
  respelled = endings(`
    1: uad vad cid lid erid pand ond lud rud mit ert yt yz 2: ax ex ix lux 3: bex dex pex tex 4: uct umpt urs 5: iev
    6: rpt 7: istr 8: metr 9: olv 10: ul 11: end 12: her 13: ent 14: et`);
  ready = true;
}

export function stemLovins(s: usize, length: i32): i32 {
  if (!ready) prepare();
  return respell(s, longestEnding(doubled, s, length) != NONE ? length - 1 : length);
}

function respell(s: usize, n: i32): i32 {
  const found = longestEnding(respelled, s, n);
  const stem = n - lengthOf(found);
  switch (numberOf(found)) {
    case 1:
      return put(s, n - 1, 's');
    case 2:
      return put(s, n - 1, 'c');
    case 3:
      return put(s, n - 2, 'ic');
    case 4:
      return stem + 2;
    case 5:
      return put(s, n - 1, 'f');
    case 6:
      return put(s, stem, 'rb');
    case 7:
      return put(s, stem, 'ister');
    case 8:
      return put(s, stem, 'meter');
    case 9:
      return put(s, stem, 'olut');
    case 10:
      return ends(s, stem, 'a') || ends(s, stem, 'i') || ends(s, stem, 'o') ? n : put(s, stem, 'l');
    case 11:
      return ends(s, stem, 's') ? n : put(s, n - 1, 's');
    case 12:
      return ends(s, stem, 'p') || ends(s, stem, 't') ? n : put(s, n - 1, 's');
    case 13:
      return ends(s, stem, 'm') ? n : put(s, n - 1, 's');
    case 14:
      return ends(s, stem, 'n') ? n : put(s, n - 1, 's');
  }
  return n;
}
