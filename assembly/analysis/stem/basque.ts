import { endings, lengthOf, longestEnding, NONE, numberOf } from './endings';
import { letters, put, region, verbRegion } from './word';

/**
 * Snowball's stemmer for Basque. It takes endings off again and again; some are kept, and what is before them is looked at
 * next. While it works the word has a gap:
 *
 *     [0, end)   still looked at      [tail, length)   kept
 */

const VOWELS = letters('aeiou');

let end: i32 = 0;
let tail: i32 = 0;
let verb: i32 = 0;
let once: i32 = 0;
let twice: i32 = 0;
let ready = false;
let verbs: u32 = 0;
let nouns: u32 = 0;
let adjectives: u32 = 0;

function prepare(): void {
  verbs = endings(`
    1: idea bidea kidea pidea kundea galea tailea tzailea gunea kunea tzaga gaia aldia taldia karia karria ka
    tzaka la mena pena kina ezina tezina kuna tuna kizuna era bera kera pera orra korra dura gura kura tura eta
    keta gailua eza erreza gaitza kaitza kuntza ide bide kide pide kunde tzake tzeke le gale taile tzaile gune
    kune tze atze gai aldi taldi ki ari kari lari tari etari karri arazi tarazi an ean rean kan etan men pen kin
    rekin ezin tezin tun kizun go ago tio dako or kor tzat du gailu tu atu aldatu tatu ez errez tzez gaitz kaitz
    2: garria tza garri 3: atseden arabera baditu`);
  nouns = endings(`
    1: ada kada anda denda gabea kabea aldea kaldea taldea ordea zalea tzalea gilea emea kumea nea enea zionea
    unea gunea pea aurrea tea kotea artea ostea etxea ga anga gaia aldia taldia handia mendia geia egia degia
    tegia nahia ohia kia tokia oia koia aria karia laria taria eria keria teria larria kirria duria asia tia
    ezia bizia ontzia ka ska xka zka gibela gela kaila skila tila ola na kana ena garrena gerrena urrena zaina
    tzaina kina mina garna una duna asuna tasuna ondoa kondoa ngoa zioa koa takoa zkoa noa zinoa aroa taroa
    zaroa eroa oroa osoa toa ttoa ztoa txoa tzoa ñoa ra ara dara liara tiara tara etara tzara bera kera pera
    tzarra korra tra sa osa ta eta keta sta dua mendua ordua lekua burua durua tsua tua mentua estua txua zua
    tzua za eza eroza koitza antza gintza kintza kuntza gabe kabe kide alde kalde talde orde ge zale tzale gile
    eme kume ne zione une gune pe aurre te kote arte oste etxe gai di aldi taldi handi mendi gei egi degi tegi
    nahi ohi ki toki oi goi koi ari kari lari tari larri kirri duri asi ti ontzi ñi ak ek tarik gibel ail kail
    kan tan etan garren gerren urren zain tzain kin min dun asun tasun aizun ondo kondo go ngo zio ko tako etako
    eko tariko sko tuko zko no zino ro aro taro zaro ero giro oro oso to tto zto txo tzo gintzo ño zp ar dar
    behar liar tiar tar tzar kor os ket du mendu ordu leku duru tsu tu mentu estu txu zu tzu gintzu z ez eroz tz
    koitz 2: garria ora tza garri ren or buru 3: zehar geldi igaro aurka 4: en ten tzen tatu 5: joka 6: trako 7:
    minutuko`);
  adjectives = endings(`
    1: keria la era dade tade date tate gi ki ik lanik rik larik ztik go ro ero to 2: zlea`);
  ready = true;
}

export function stemBasque(s: usize, length: i32): i32 {
  if (!ready) prepare();
  verb = verbRegion(s, length, VOWELS);
  once = region(s, 0, length, VOWELS);
  twice = region(s, once, length, VOWELS);
  end = tail = length;
  while (withoutVerb(s));
  while (withoutNoun(s));
  withoutAdjective(s);
  const kept = length - tail;
  memory.copy(s + ((end as usize) << 1), s + ((tail as usize) << 1), (kept as usize) << 1);
  return end + kept;
}

/** Moves the last `count` units to what is kept. */
function keep(s: usize, count: i32): void {
  end -= count;
  tail -= count;
  memory.copy(s + ((tail as usize) << 1), s + ((end as usize) << 1), (count as usize) << 1);
}

/** Keeps `part` in place of the units from `from` on. */
function keepInstead(s: usize, from: i32, part: string): void {
  end = from;
  tail -= part.length;
  put(s, tail, part);
}

/** Whether there was an ending of a verb. */
function withoutVerb(s: usize): bool {
  const found = longestEnding(verbs, s, end);
  if (found == NONE) return false;
  const stem = end - lengthOf(found);
  switch (numberOf(found)) {
    case 1:
      if (stem < verb) return false;
      break;
    case 2:
      if (stem < twice) return false;
      break;
    case 3:
      keep(s, end - stem);
      break;
  }
  end = stem;
  return true;
}

/** Whether there was an ending of a noun. */
function withoutNoun(s: usize): bool {
  const found = longestEnding(nouns, s, end);
  if (found == NONE) return false;
  const stem = end - lengthOf(found);
  switch (numberOf(found)) {
    case 1:
      if (stem < verb) return false;
      break;
    case 2:
      if (stem < twice) return false;
      break;
    case 3:
      keep(s, end - stem);
      break;
    case 4:
      if (stem < once) return false;
      break;
    case 5:
      keepInstead(s, stem, 'jok');
      break;
    case 6:
      keepInstead(s, stem, 'tra');
      break;
    case 7:
      keepInstead(s, stem, 'minutu');
      break;
  }
  end = stem;
  return true;
}

function withoutAdjective(s: usize): void {
  const found = longestEnding(adjectives, s, end);
  if (found == NONE) return;
  const stem = end - lengthOf(found);
  if (numberOf(found) == 2) keepInstead(s, stem, 'z');
  else if (stem >= verb) end = stem;
}
