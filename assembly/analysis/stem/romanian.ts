import { endings, lengthOf, longestEnding, NONE, numberOf } from './endings';
import { capitalizeBetween, ends, isIn, letters, put, region, setUnit, unitAt, verbRegion } from './word';

/**
 * Snowball's stemmer for Romanian, which knows `ş` and `ţ` with cedilla only. Letters `i`, `u` that are consonants are
 * written `I`, `U` while it works.
 */

const VOWELS = letters('aeiouâîă');

let ready = false;
let plurals: u32 = 0;
let combinations: u32 = 0;
let standard: u32 = 0;
let verbs: u32 = 0;
let lastVowels: u32 = 0;

function prepare(): void {
  plurals = endings(`
    1: ului ul 2: aua 3: ea ele elor 4: iua iile iei ii ilor iilor 5: ile 6: atei 7: aţia aţie`);
  combinations = endings(`
    1: abilitate abilitati abilităi abilităţi 2: ibilitate 3: ivitate ivitati ivităi ivităţi 4: icala iciva
    icale icitate icive icali icatori icitati icivi icităi icităţi ical icator iciv icală icivă 5: ativa aţiune
    atoare ătoare ative atori ători ativi ator ător ativ ativă 6: itiva iţiune itoare itive itori itivi itor
    itiv itivă`);
  standard = endings(`
    1: ica abila ibila oasa ata ita anta uta iva ic ice abile ibile oase ate itate ite ante ute ive ici abili
    ibili atori osi ati itati iti anti uti ivi ităi oşi ităţi abil ibil ator os at it ant ut iv ică abilă ibilă
    oasă ată ită antă ută ivă 2: iune iuni 3: ista isme iste isti işti ism ist istă`);
  verbs = endings(`
    1: ea ia esc ăsc ind ând are ere ire âre ase ise use âse eşte ăşte eze ai eai iai eşti ăşti ui ezi âi aşi
    aseşi iseşi useşi âseşi işi uşi âşi eaţi iaţi arăţi aserăţi iserăţi userăţi âserăţi irăţi urăţi ârăţi am eam
    iam asem isem usem âsem arăm aserăm iserăm userăm âserăm irăm urăm ârăm au eau iau indu ându ez ească ară
    aseră iseră useră âseră iră ură âră ează 2: se sese sei seşi seseşi aţi eţi iţi âţi serăţi seserăţi em sesem
    im âm ăm serăm seserăm seră seseră`);
  lastVowels = endings('1: a e ie i ă');
  ready = true;
}

export function stemRomanian(s: usize, length: i32): i32 {
  if (!ready) prepare();
  capitalizeBetween(s, length, VOWELS, 0x69, 0x75);
  const verb = verbRegion(s, length, VOWELS);
  const once = region(s, 0, length, VOWELS);
  const twice = region(s, once, length, VOWELS);
  let n = withoutPlural(s, length, once);
  const combined = withoutCombinations(s, n, once);
  let stem = combined < 0 ? n : combined;
  const simple = withoutStandard(s, stem, twice);
  if (simple >= 0) stem = simple;
  n = combined < 0 && simple < 0 ? withoutVerb(s, stem, verb) : stem;
  const last = lengthOf(longestEnding(lastVowels, s, n));
  if (n - last >= verb) n -= last;
  for (let i = 0; i < n; i++) {
    const unit = unitAt(s, i);
    if (unit == 0x49 || unit == 0x55) setUnit(s, i, unit | 0x20);
  }
  return n;
}

function withoutPlural(s: usize, n: i32, once: i32): i32 {
  const found = longestEnding(plurals, s, n);
  const stem = n - lengthOf(found);
  if (found == NONE || stem < once) return n;
  switch (numberOf(found)) {
    case 2:
      return put(s, stem, 'a');
    case 3:
      return put(s, stem, 'e');
    case 4:
      return put(s, stem, 'i');
    case 5:
      return ends(s, stem, 'ab') ? n : put(s, stem, 'i');
    case 6:
      return put(s, stem, 'at');
    case 7:
      return put(s, stem, 'aţi');
  }
  return stem;
}

/** The length after reducing combined endings to their first parts as long as there are any; -1 if there is none. */
function withoutCombinations(s: usize, n: i32, once: i32): i32 {
  let reduced = -1;
  let found = longestEnding(combinations, s, n);
  while (found != NONE && n - lengthOf(found) >= once) {
    n = withoutCombination(s, n - lengthOf(found), numberOf(found));
    reduced = n;
    found = longestEnding(combinations, s, n);
  }
  return reduced;
}

function withoutCombination(s: usize, stem: i32, number: u32): i32 {
  switch (number) {
    case 1:
      return put(s, stem, 'abil');
    case 2:
      return put(s, stem, 'ibil');
    case 3:
      return put(s, stem, 'iv');
    case 4:
      return put(s, stem, 'ic');
    case 5:
      return put(s, stem, 'at');
  }
  return put(s, stem, 'it');
}

/** The length without one of the standard endings; -1 if there is none. */
function withoutStandard(s: usize, n: i32, twice: i32): i32 {
  const found = longestEnding(standard, s, n);
  const stem = n - lengthOf(found);
  if (found == NONE || stem < twice) return -1;
  switch (numberOf(found)) {
    case 2:
      return ends(s, stem, 'ţ') ? put(s, stem - 1, 't') : -1;
    case 3:
      return put(s, stem, 'ist');
  }
  return stem;
}

function withoutVerb(s: usize, n: i32, verb: i32): i32 {
  const found = longestEnding(verbs, s, n, verb);
  const stem = n - lengthOf(found);
  if (numberOf(found) != 1) return stem;
  if (stem - 1 < verb) return n;
  const last = unitAt(s, stem - 1);
  return last == 0x75 || !isIn(VOWELS, last) ? stem : n;
}
