import { beginnings, endings, lengthOf, longestBeginning, longestEnding, numberOf } from './endings';
import { letters, put, region, seek, splice } from './word';

/** Snowball's stemmer for Irish. Mutations of the first consonant go before endings do. */

const VOWELS = letters('aeiouáéíóú');

let ready = false;
let mutations: u32 = 0;
let nouns: u32 = 0;
let derivations: u32 = 0;
let verbs: u32 = 0;

function prepare(): void {
  // 1: all of it goes, 2: its first letter stays, 3: its second letter stays, 4: only `f` stays.
  mutations = beginnings(
    "1: h- n- t- d' b' m' 2: sh bh ch dh fh gh mh ph th 3: mb gc nd ng bp ts dt 4: d'fh bhf",
  );
  nouns = endings(`
    1: íochta aíochta abh eabh ibh aibh amh eamh imh aimh íocht aíocht 2: ire aire irí airí`);
  derivations = endings(`
    1: achta eachta ach each achtúil eachtúil acht eacht 2: arcachta arcacht arcachtaí 3: gineach gineas ginis
    4: grafaíochta grafaíoch grafaíocht grafaíochtaí 5: patacha paite patach pataigh 6: óideacha óideach óidigh`);
  verbs = endings('1: imid aimid ímid aímid faidh fidh 2: adh eadh áil ain tear tar');
  ready = true;
}

export function stemIrish(s: usize, length: i32): i32 {
  if (!ready) prepare();
  let n = withoutMutation(s, length);
  const vowel = seek(s, 0, n, VOWELS);
  const verb = vowel < n ? vowel + 1 : n;
  const once = region(s, 0, n, VOWELS);
  const twice = region(s, once, n, VOWELS);
  n = withoutIn(nouns, s, n, once, twice);
  n = withoutDerivation(s, n, twice);
  return withoutIn(verbs, s, n, verb, once);
}

function withoutMutation(s: usize, n: i32): i32 {
  const found = longestBeginning(mutations, s, 0, n);
  const length = lengthOf(found);
  switch (numberOf(found)) {
    case 1:
      return splice(s, n, 0, length, '');
    case 2:
      return splice(s, n, 1, 2, '');
    case 3:
      return splice(s, n, 0, 1, '');
    case 4:
      return splice(s, n, 0, length, 'f');
  }
  return n;
}

/** The length without an ending of the table that begins at `first` (number 1) or `second` (number 2) or behind. */
function withoutIn(table: u32, s: usize, n: i32, first: i32, second: i32): i32 {
  const found = longestEnding(table, s, n);
  const stem = n - lengthOf(found);
  return stem >= (numberOf(found) == 1 ? first : second) ? stem : n;
}

function withoutDerivation(s: usize, n: i32, twice: i32): i32 {
  const found = longestEnding(derivations, s, n);
  const stem = n - lengthOf(found);
  switch (numberOf(found)) {
    case 1:
      return stem >= twice ? stem : n;
    case 2:
      return put(s, stem, 'arc');
    case 3:
      return put(s, stem, 'gin');
    case 4:
      return put(s, stem, 'graf');
    case 5:
      return put(s, stem, 'paite');
    case 6:
      return put(s, stem, 'óid');
  }
  return n;
}
