import { endings, lengthOf, longestEnding, NONE, numberOf, withoutEnding } from './endings';
import {
  capitalizeBetween,
  ends,
  isIn,
  letters,
  put,
  region,
  setUnit,
  unitAt,
  verbRegion,
  without,
} from './word';

/** Snowball's stemmer for Italian. Letters `i`, `u` that are consonants are written `I`, `U` while it works. */

const VOWELS = letters('aeiouàèìòù');
const LAST_VOWELS = letters('aeioàèìò');

let ready = false;
let pronouns: u32 = 0;
let beforePronoun: u32 = 0;
let standard: u32 = 0;
let beforeAmente: u32 = 0;
let beforeIta: u32 = 0;
let verbs: u32 = 0;

function prepare(): void {
  pronouns = endings(`1:
    la cela gliela mela tela vela le cele gliele mele tele vele ne cene gliene mene sene tene vene ci li celi glieli meli
    teli veli gli mi si ti vi lo celo glielo melo telo velo`);
  beforePronoun = endings('1: ando endo 2: ar er ir');
  standard = endings(`
    1: ica osa ista anza ice atrice iche abile ibile ose ante mente iste anze ici atrici ichi abili ibili ismi osi anti
       isti ico ismo oso istà istè istì
    2: azione atore azioni atori 3: logia logie 4: usione uzione usioni uzioni 5: enza enze
    6: amenti imenti amento imento 7: amente 8: ità 9: iva ive ivi ivo`);
  beforeAmente = endings('1: iv 2: ic abil os');
  beforeIta = endings('1: ic abil iv');
  verbs = endings(`1:
    isca enda ata ita uta ava eva iva erebbe irebbe isce ende are ere ire asse ate avate evate ivate ete erete irete ite
    ereste ireste ute erai irai isci endi erei irei assi ati iti eresti iresti uti avi evi ivi isco ando endo Yamo iamo
    avamo evamo ivamo eremo iremo assimo ammo emmo eremmo iremmo immo ano iscano avano evano ivano eranno iranno ono
    iscono arono erono irono erebbero irebbero assero essero issero ato ito uto avo evo ivo ar ir erà irà erò irò`);
  ready = true;
}

export function stemItalian(s: usize, length: i32): i32 {
  if (!ready) prepare();
  markLetters(s, length);
  const verb = verbRegion(s, length, VOWELS);
  const once = region(s, 0, length, VOWELS);
  const twice = region(s, once, length, VOWELS);
  let n = withoutPronoun(s, length, verb);
  let stem = withoutStandard(s, n, verb, once, twice);
  if (stem < 0) stem = n - lengthOf(longestEnding(verbs, s, n, verb));
  n = withoutVowel(s, stem, verb);
  for (let i = 0; i < n; i++) {
    const unit = unitAt(s, i);
    if (unit == 0x49 || unit == 0x55) setUnit(s, i, unit | 0x20);
  }
  return n;
}

/** Makes acute accents grave and marks consonants. */
function markLetters(s: usize, n: i32): void {
  for (let i = 0; i < n; i++) {
    const unit = unitAt(s, i);
    if (unit == 0xe1 || unit == 0xe9 || unit == 0xed || unit == 0xf3 || unit == 0xfa) setUnit(s, i, unit - 1);
    else if (unit == 0x75 && i > 0 && unitAt(s, i - 1) == 0x71) setUnit(s, i, 0x55);
  }
  capitalizeBetween(s, n, VOWELS, 0x69, 0x75);
}

function withoutPronoun(s: usize, n: i32, verb: i32): i32 {
  const pronoun = longestEnding(pronouns, s, n);
  if (pronoun == NONE) return n;
  const end = n - lengthOf(pronoun);
  const found = longestEnding(beforePronoun, s, end);
  if (found == NONE || end - lengthOf(found) < verb) return n;
  return numberOf(found) == 1 ? end : put(s, end, 'e');
}

/** The length without one of the standard endings; -1 if there is none. */
function withoutStandard(s: usize, n: i32, verb: i32, once: i32, twice: i32): i32 {
  const found = longestEnding(standard, s, n);
  if (found == NONE) return -1;
  const stem = n - lengthOf(found);
  const number = numberOf(found);
  if (stem < (number == 7 ? once : number == 6 ? verb : twice)) return -1;
  switch (number) {
    case 2:
      return without(s, stem, 'ic', twice);
    case 3:
      return put(s, stem, 'log');
    case 4:
      return put(s, stem, 'u');
    case 5:
      return put(s, stem, 'ente');
    case 7: {
      const before = longestEnding(beforeAmente, s, stem);
      const at = stem - lengthOf(before);
      if (before == NONE || at < twice) return stem;
      return numberOf(before) == 1 ? without(s, at, 'at', twice) : at;
    }
    case 8:
      return withoutEnding(beforeIta, s, stem, twice);
    case 9: {
      const before = without(s, stem, 'at', twice);
      return before < stem ? without(s, before, 'ic', twice) : stem;
    }
  }
  return stem;
}

function withoutVowel(s: usize, n: i32, verb: i32): i32 {
  if (n > verb && isIn(LAST_VOWELS, unitAt(s, n - 1))) n = without(s, n - 1, 'i', verb);
  return n - 2 >= verb && (ends(s, n, 'ch') || ends(s, n, 'gh')) ? n - 1 : n;
}
