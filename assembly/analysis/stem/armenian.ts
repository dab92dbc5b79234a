import { endings, lengthOf, longestEnding } from './endings';
import { unitAt } from './word';

/** Snowball's stemmer for Armenian. Endings are looked for behind the first vowel only. */

let ready = false;
let cases: u32 = 0;
let verbs: u32 = 0;
let adjectives: u32 = 0;
let nouns: u32 = 0;

function prepare(): void {
  adjectives = endings(`
    1: րորդ երորդ ալի ակի որակ եղ ական արան են եկեն երեն որէն ին գին ովին լայն վուն պես իվ ատ ավետ կոտ բար`);
  verbs = endings(`
    1: ա ացա եցա վե ացրի ացի եցի վեցի ալ ըալ անալ ենալ ացնալ ել ըել նել ցնել եցնել չել վել ացվել եցվել տել ատել
    ոտել կոտել ված ում վում ան ցան ացան ացրին ացին եցին վեցին ալիս ելիս ավ ացավ եցավ ալով ելով ար ացար եցար
    ացրիր ացիր եցիր վեցիր աց եց ացրեց ալուց ելուց ալու ելու աք ցաք ացաք ացրիք ացիք եցիք վեցիք անք ցանք ացանք
    ացրինք ացինք եցինք վեցինք`);
  nouns = endings(`
    1: որդ ույթ ուհի ցի իլ ակ յակ անակ իկ ուկ ան պան ստան արան եղէն յուն ություն ածո իչ ուս ուստ գար վոր ավոր ոց
    անօց ու ք չեք իք ալիք անիք վածք ույք ենք ոնք ունք մունք իչք արք`);
  cases = endings(`
    1: սա վա ամբ դ անդ ությանդ վանդ ոջդ երդ ներդ ուդ ը անը ությանը վանը ոջը երը ները ի վի երի ների անում երում
    ներում ն ան ության վան ին երին ներին ությանն երն ներն ուն ոջ ությանս վանս ոջս ով անով վով երով ներով եր ներ
    ց ից վանից ոջից վից երից ներից ցից ոց ուց`);
  ready = true;
}

export function stemArmenian(s: usize, length: i32): i32 {
  if (!ready) prepare();
  const first = seek(s, 0, length, true);
  if (first == length) return length;
  const verb = first + 1;
  const second = seek(s, seek(s, verb, length, false), length, true);
  const twice = seek(s, second, length, false);
  let n = length;
  const ending = lengthOf(longestEnding(cases, s, n, verb));
  if (n - ending >= (twice < length ? twice + 1 : length)) n -= ending;
  n -= lengthOf(longestEnding(verbs, s, n, verb));
  n -= lengthOf(longestEnding(adjectives, s, n, verb));
  return n - lengthOf(longestEnding(nouns, s, n, verb));
}

function isVowel(unit: u32): bool {
  switch (unit) {
    case 0x561: // ա
    case 0x565: // ե
    case 0x567: // է
    case 0x568: // ը
    case 0x56b: // ի
    case 0x578: // ո
    case 0x582: // ւ
    case 0x585: // օ
      return true;
  }
  return false;
}

/** The index of the first vowel (or other letter) in [from, n); n if there is none. */
function seek(s: usize, from: i32, n: i32, vowel: bool): i32 {
  while (from < n && isVowel(unitAt(s, from)) != vowel) from++;
  return from;
}
