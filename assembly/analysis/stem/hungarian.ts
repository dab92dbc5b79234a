import { beginnings, endings, lengthOf, longestBeginning, longestEnding, NONE, numberOf } from './endings';
import { isIn, letters, put, seek, skip, splice, unitAt } from './word';

/**
 * Snowball's stemmer for Hungarian. As in the revision that Lucene has, `ő` and `ű` are written `õ` and `û`; the real
 * letters count as consonants.
 */

const VOWELS = letters('aeiouáéíóõöúûü');

let once: i32 = 0;
let ready = false;
let digraphs: u32 = 0;
let doubled: u32 = 0;
let instrumentals: u32 = 0;
let cases: u32 = 0;
let casesWithVowel: u32 = 0;
let moreCases: u32 = 0;
let factives: u32 = 0;
let owned: u32 = 0;
let owner: u32 = 0;
let ownerOfSeveral: u32 = 0;
let plurals: u32 = 0;

/** In all tables that `shorten` uses: 1 what goes, 2 what becomes `a`, 3 what becomes `e`. */
function prepare(): void {
  digraphs = beginnings('1: cs dzs gy ly ny sz ty zs');
  doubled = endings(`
    1: bb cc dd ff gg jj kk ll mm nn pp rr ccs ss zzs tt vv ggy lly nny tty ssz zz`);
  instrumentals = endings('1: al el');
  cases = endings(`
    1: ba ra be re ig nak nek val vel ul nál nél ból ról tól bõl rõl tõl ül n an ban en ben képpen on ön képp
    kor t at et ként anként enként onként ot ért öt hez hoz höz vá vé`);
  casesWithVowel = endings('2: án ánként 3: én');
  moreCases = endings('1: astul estül stul stül 2: ástul 3: éstül');
  factives = endings('1: á é');
  owned = endings('1: aké eké oké öké ké éi é 2: áké áéi 3: éké ééi éé');
  owner = endings(`
    1: unk ünk nk juk jük uk ük am em om m ad ed od öd d ja je a e o 2: ánk ájuk ám ád á 3: énk éjük ém éd é`);
  ownerOfSeveral = endings(`
    1: jaim jeim aim eim im jaid jeid aid eid id jai jei ai ei i jaink jeink aink eink jeitek ink jaitok eitek
    aitok itek jaik jeik aik eik ik 2: áim áid ái áink áitok áik 3: éim éid éi éink éitek éik`);
  plurals = endings('1: ök ak ok ek k 2: ák 3: ék');
  ready = true;
}

export function stemHungarian(s: usize, length: i32): i32 {
  if (!ready) prepare();
  once = beginOfRegion(s, length);
  let n = withoutDoubling(instrumentals, s, length);
  n = withoutCase(s, n);
  n = shorten(casesWithVowel, s, n);
  n = shorten(moreCases, s, n);
  n = withoutDoubling(factives, s, n);
  n = shorten(owned, s, n);
  n = shorten(owner, s, n);
  n = shorten(ownerOfSeveral, s, n);
  return shorten(plurals, s, n);
}

/** Behind the first consonant, which may have two or three letters, of a word that begins with a vowel; else behind the first vowel. */
function beginOfRegion(s: usize, n: i32): i32 {
  if (n == 0) return 0;
  if (!isIn(VOWELS, unitAt(s, 0))) {
    const vowel = seek(s, 0, n, VOWELS);
    return vowel < n ? vowel + 1 : n;
  }
  const consonant = skip(s, 1, n, VOWELS);
  if (consonant == n) return n;
  const letter = longestBeginning(digraphs, s, consonant, n);
  return consonant + (letter != NONE ? lengthOf(letter) : 1);
}

/** Takes off or replaces the longest ending of the table if it begins in the region: the new length. */
function shorten(table: u32, s: usize, n: i32): i32 {
  const found = longestEnding(table, s, n);
  const stem = n - lengthOf(found);
  if (found == NONE || stem < once) return n;
  switch (numberOf(found)) {
    case 2:
      return put(s, stem, 'a');
    case 3:
      return put(s, stem, 'e');
  }
  return stem;
}

function withoutCase(s: usize, n: i32): i32 {
  const found = longestEnding(cases, s, n);
  const stem = n - lengthOf(found);
  if (found == NONE || stem < once) return n;
  if (stem - 1 >= once) {
    const last = unitAt(s, stem - 1);
    if (last == 0xe1) put(s, stem - 1, 'a');
    else if (last == 0xe9) put(s, stem - 1, 'e');
  }
  return stem;
}

/** Takes off an ending that doubles the consonant before it, and one letter of that. */
function withoutDoubling(table: u32, s: usize, n: i32): i32 {
  const found = longestEnding(table, s, n);
  const stem = n - lengthOf(found);
  if (found == NONE || stem < once || longestEnding(doubled, s, stem) == NONE) return n;
  return splice(s, stem, stem - 2, stem - 1, '');
}
