import { endings, lengthOf, longestEnding, NONE, numberOf, withoutEnding } from './endings';
import { ends, letters, put, region, setUnit, unitAt, verbRegion, without } from './word';

/** Snowball's stemmer for Spanish. */

const VOWELS = letters('aeiouáéíóúü');

let ready = false;
let pronouns: u32 = 0;
let beforePronoun: u32 = 0;
let standard: u32 = 0;
let beforeAmente: u32 = 0;
let beforeMente: u32 = 0;
let beforeIdad: u32 = 0;
let verbsWithY: u32 = 0;
let verbs: u32 = 0;
let residual: u32 = 0;

function prepare(): void {
  pronouns = endings('1: la sela le me se lo selo las selas les los selos nos');
  beforePronoun = endings('1: iéndo 2: ándo 3: ár 4: ér 5: ír 6: ando iendo ar er ir 7: yendo');
  standard = endings(`
    1: ica osa ista anza able ible ico ismo oso amiento imiento icas osas istas anzas ables ibles icos ismos osos
       amientos imientos
    2: ancia adora ante ación ador ancias adoras aciones adores antes
    3: logía logías 4: ución uciones 5: encia encias 6: amente 7: mente 8: idad idades 9: iva ivo ivas ivos`);
  beforeAmente = endings('1: iv 2: ic ad os');
  beforeMente = endings('1: able ible ante');
  beforeIdad = endings('1: ic abil iv');
  verbsWithY = endings('1: ya ye yan yen yeron yendo yo yas yes yais yamos yó');
  verbs = endings(`
    1: en es éis emos
    2: aba ada ida ara iera ía aría ería iría ad ed id ase iese aste iste an aban aran ieran ían arían erían irían asen
       iesen aron ieron arán erán irán ado ido ando iendo ar er ir as abas adas idas aras ieras ías arías erías irías
       ases ieses abais arais ierais íais aríais eríais iríais aseis ieseis asteis isteis áis aréis eréis iréis ados
       idos amos ábamos áramos iéramos íamos aríamos eríamos iríamos aremos eremos iremos ásemos iésemos imos arás erás
       irás ís ará erá irá aré eré iré ió`);
  residual = endings('1: a o os á í ó 2: e é');
  ready = true;
}

export function stemSpanish(s: usize, length: i32): i32 {
  if (!ready) prepare();
  const verb = verbRegion(s, length, VOWELS);
  const once = region(s, 0, length, VOWELS);
  const twice = region(s, once, length, VOWELS);
  let n = withoutPronoun(s, length, verb);
  let stem = withoutStandard(s, n, once, twice);
  if (stem < 0) stem = withoutVerbWithY(s, n, verb);
  if (stem < 0) stem = withoutVerb(s, n, verb);
  if (stem >= 0) n = stem;
  n = withoutResidual(s, n, verb);
  for (let i = 0; i < n; i++) {
    const unit = unitAt(s, i);
    if (unit == 0xe1) setUnit(s, i, 0x61);
    else if (unit == 0xe9) setUnit(s, i, 0x65);
    else if (unit == 0xed) setUnit(s, i, 0x69);
    else if (unit == 0xf3) setUnit(s, i, 0x6f);
    else if (unit == 0xfa) setUnit(s, i, 0x75);
  }
  return n;
}

/** Takes a pronoun off a verb that begins its ending behind `verb`. */
function withoutPronoun(s: usize, n: i32, verb: i32): i32 {
  const pronoun = longestEnding(pronouns, s, n);
  if (pronoun == NONE) return n;
  const end = n - lengthOf(pronoun);
  const found = longestEnding(beforePronoun, s, end);
  const at = end - lengthOf(found);
  if (found == NONE || at < verb) return n;
  switch (numberOf(found)) {
    case 1:
      return put(s, at, 'iendo');
    case 2:
      return put(s, at, 'ando');
    case 3:
      return put(s, at, 'ar');
    case 4:
      return put(s, at, 'er');
    case 5:
      return put(s, at, 'ir');
    case 7:
      return ends(s, at, 'u') ? end : n;
  }
  return end;
}

/** The length without one of the standard endings; -1 if there is none. */
function withoutStandard(s: usize, n: i32, once: i32, twice: i32): i32 {
  const found = longestEnding(standard, s, n);
  if (found == NONE) return -1;
  const stem = n - lengthOf(found);
  if (stem < (numberOf(found) == 6 ? once : twice)) return -1;
  switch (numberOf(found)) {
    case 2:
      return without(s, stem, 'ic', twice);
    case 3:
      return put(s, stem, 'log');
    case 4:
      return put(s, stem, 'u');
    case 5:
      return put(s, stem, 'ente');
    case 6: {
      const before = longestEnding(beforeAmente, s, stem);
      const at = stem - lengthOf(before);
      if (before == NONE || at < twice) return stem;
      return numberOf(before) == 1 ? without(s, at, 'at', twice) : at;
    }
    case 7:
      return withoutEnding(beforeMente, s, stem, twice);
    case 8:
      return withoutEnding(beforeIdad, s, stem, twice);
    case 9:
      return without(s, stem, 'at', twice);
  }
  return stem;
}

function withoutVerbWithY(s: usize, n: i32, verb: i32): i32 {
  const found = longestEnding(verbsWithY, s, n, verb);
  const stem = n - lengthOf(found);
  return found != NONE && ends(s, stem, 'u') ? stem : -1;
}

function withoutVerb(s: usize, n: i32, verb: i32): i32 {
  const found = longestEnding(verbs, s, n, verb);
  if (found == NONE) return -1;
  const stem = n - lengthOf(found);
  return numberOf(found) == 1 && ends(s, stem, 'gu') ? stem - 1 : stem;
}

function withoutResidual(s: usize, n: i32, verb: i32): i32 {
  const found = longestEnding(residual, s, n);
  const stem = n - lengthOf(found);
  if (found == NONE || stem < verb) return n;
  return numberOf(found) == 2 && stem - 1 >= verb && ends(s, stem, 'gu') ? stem - 1 : stem;
}
