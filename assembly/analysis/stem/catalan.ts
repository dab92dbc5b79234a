import { endings, lengthOf, longestEnding, NONE, numberOf } from './endings';
import { letters, put, region, setUnit, unitAt } from './word';

/** Snowball's stemmer for Catalan. */

const VOWELS = letters('aeiouàáèéíïòóúü');

let ready = false;
let pronouns: u32 = 0;
let standard: u32 = 0;
let verbs: u32 = 0;
let residual: u32 = 0;

function prepare(): void {
  pronouns = endings(`
    1: la -la sela le me -me se -te hi 'hi li -li 'l 'm -m 'n -n ho 'ho lo selo 's las selas les -les 'ls -ls
    'ns -ns ens los selos nos -nos vos us -us 't`);
  standard = endings(`
    1: enca ancia encia ència ícia inia íinia eria ària atòria alla ella ívola ima íssima ana ina era sfera ora
    dora adora adura esa osa assa essa issa eta ita ota ista ialista ionista iva ativa nça ístic enc esc ud atge
    ble able ible isme ialisme ionisme ivisme aire icte iste ici íci ari tori al il all ell ívol isam issem
    ìssem íssem íssim amen ìssin ar ificar egar ejar itar itzar fer or dor dur doras uds nces ancies encies
    ències ícies inies ínies eries àries atòries bles ables ibles imes íssimes formes ismes ialismes ines eres
    ores dores idores dures eses oses asses ictes ites otes istes ialistes ionistes ives atives allengües icis
    ícis aris toris ls als ells ims íssims ions cions esos osos assos issos ers ors dors adors idors ats itats
    bilitats ivitats ativitats ïtats ets ants ents ments aments ots uts ius trius atius ès és ís dís ós itat
    bilitat ivitat ativitat ïtat et ant ent ient ment ament isament ot isseu ìsseu ísseu triu íssiu atiu ó ió
    ció ació 2: ada ades acions 3: lógica logia logía logi lógics logies lógiques logíes logis 4: ica ic ics
    iques 5: quíssima quíssim quíssimes quíssims`);
  verbs = endings(`
    1: aba esca isca ïsca ada ida uda ïda ia aria iria ara iera ira adora ïra ava ixa itza ía aría ería iría ïa
    isc ïsc ad ed id ie re dre ase iese aste iste ii ini esqui eixi itzi am em arem irem àrem írem àssem éssem
    iguem ïguem avem àvem ávem irìem íem aríem iríem assim essim issim àssim èssim éssim íssim ïm an aban arian
    aran ieran iran ían arían erían irían en ien arien irien aren eren iren àren ïren asen iesen assen essen
    issen éssen ïssen esquen isquen ïsquen aven ixen eixen ïxen ïen in inin sin isin assin essin issin ïssin
    esquin eixin aron ieron arán erán irán iïn ado ido iendo io ixo eixo ïxo itzo ar tzar er eixer ir ador as
    abas adas idas aras ieras ías arías erías irías ids es ades ides udes ïdes atges ies aries iries ares ires
    adores ïres ases ieses asses esses isses ïsses ques esques ïsques aves ixes eixes ïxes ïes abais arais
    ierais íais aríais eríais iríais aseis ieseis asteis isteis inis sis isis assis essis issis ïssis esquis
    eixis itzis áis aréis eréis iréis ams ados idos amos ábamos áramos iéramos íamos aríamos eríamos iríamos
    aremos eremos iremos ásemos iésemos imos adors ass erass ess ats its ents às aràs iràs arás erás irás és
    arés ís iïs at it ant ent int ut ït au erau ieu ineu areu ireu àreu íreu asseu esseu eresseu àsseu ésseu
    igueu ïgueu àveu áveu itzeu ìeu irìeu íeu aríeu iríeu assiu issiu àssiu èssiu éssiu íssiu ïu ix eix ïx itz
    ià arà irà itzà ará erá irá irè aré eré iré í iï ió 2: ando`);
  residual = endings('1: a e i ïn o ir s is os ïs it eu iu itz à á é ì í ï ó 2: iqu');
  ready = true;
}

export function stemCatalan(s: usize, length: i32): i32 {
  if (!ready) prepare();
  const once = region(s, 0, length, VOWELS);
  const twice = region(s, once, length, VOWELS);
  let n = length;
  const pronoun = lengthOf(longestEnding(pronouns, s, n));
  if (n - pronoun >= once) n -= pronoun;
  const stem = withoutStandard(s, n, once, twice);
  n = stem >= 0 ? stem : withoutVerb(s, n, once, twice);
  n = withoutResidual(s, n, once);
  for (let i = 0; i < n; i++) setUnit(s, i, plain(unitAt(s, i)));
  return n;
}

/** A vowel without its accent or diaeresis; the dot between two `l` as a full stop. */
function plain(unit: u32): u32 {
  switch (unit) {
    case 0xe0:
    case 0xe1:
      return 0x61;
    case 0xe8:
    case 0xe9:
      return 0x65;
    case 0xec:
    case 0xed:
    case 0xef:
      return 0x69;
    case 0xf2:
    case 0xf3:
      return 0x6f;
    case 0xfa:
    case 0xfc:
      return 0x75;
    case 0xb7:
      return 0x2e;
  }
  return unit;
}

/** The length without one of the standard endings; -1 if there is none. */
function withoutStandard(s: usize, n: i32, once: i32, twice: i32): i32 {
  const found = longestEnding(standard, s, n);
  if (found == NONE) return -1;
  const stem = n - lengthOf(found);
  const number = numberOf(found);
  if (stem < (number == 1 || number == 5 ? once : twice)) return -1;
  switch (number) {
    case 3:
      return put(s, stem, 'log');
    case 4:
      return put(s, stem, 'ic');
    case 5:
      return put(s, stem, 'c');
  }
  return stem;
}

function withoutVerb(s: usize, n: i32, once: i32, twice: i32): i32 {
  const found = longestEnding(verbs, s, n);
  const stem = n - lengthOf(found);
  return stem >= (numberOf(found) == 1 ? once : twice) ? stem : n;
}

function withoutResidual(s: usize, n: i32, once: i32): i32 {
  const found = longestEnding(residual, s, n);
  const stem = n - lengthOf(found);
  if (stem < once) return n;
  return numberOf(found) == 2 ? put(s, stem, 'ic') : stem;
}
