import { endings, lengthOf, longestEnding, NONE, numberOf } from './endings';
import { ends, unitAt, without } from './word';

/** Snowball's stemmer for Russian. Endings are looked for behind the first vowel only. */

const VOWELS: u32 = 0xe8084121; // а е и о у ы э ю я, from U+0430 on

let verb: i32 = 0;
let ready = false;
let gerunds: u32 = 0;
let adjectives: u32 = 0;
let participles: u32 = 0;
let reflexives: u32 = 0;
let verbs: u32 = 0;
let nouns: u32 = 0;
let derivations: u32 = 0;
let superlatives: u32 = 0;

function prepare(): void {
  gerunds = endings('1: в вши вшись 2: ив ыв ивши ывши ившись ывшись');
  adjectives = endings(
    `1: ее ие ое ые ими ыми ей ий ой ый ем им ом ым его ого ему ому их ых ею ою ую юю ая яя`,
  );
  participles = endings('1: ем нн вш щ ющ 2: ивш ывш ующ');
  reflexives = endings('1: сь ся');
  verbs = endings(`
    1: ла на ете йте ли й л ем н ло но нно ет ют ны ть ешь
    2: ила ыла ена ите ейте уйте или ыли ей уй ил ыл им ым ен ило ыло ено ует ит ыт уют ят ены ить ыть ишь ю ую`);
  nouns =
    endings(`1: а ев ов е ие ье и еи ии ами ями иями й ей ией ий ой ам ем ием ом ям иям о у ах ях иях ы ь ю ию ью
    я ия ья`);
  derivations = endings('1: ост ость');
  superlatives = endings('1: ейше ейш');
  ready = true;
}

export function stemRussian(s: usize, length: i32): i32 {
  if (!ready) prepare();
  const first = seek(s, 0, length, true);
  verb = first < length ? first + 1 : length;
  const twice = region(s, region(s, 0, length), length);
  let n = withoutInflection(s, length);
  n = without(s, n, 'и', verb);
  const derived = longestEnding(derivations, s, n, verb);
  if (n - lengthOf(derived) >= twice) n -= lengthOf(derived);
  return tidy(s, n);
}

function isVowel(unit: u32): bool {
  return unit - 0x430 < 32 && ((VOWELS >> (unit - 0x430)) & 1) != 0;
}

/** The index of the first vowel (or other letter) in [from, n); n if there is none. */
function seek(s: usize, from: i32, n: i32, vowel: bool): i32 {
  while (from < n && isVowel(unitAt(s, from)) != vowel) from++;
  return from;
}

/** Where a region begins: behind the first consonant that follows a vowel, from `from` on. */
function region(s: usize, from: i32, n: i32): i32 {
  const at = seek(s, seek(s, from, n, true), n, false);
  return at < n ? at + 1 : n;
}

/** The length without an ending of the table, of which those with number 1 must follow `а` or `я`; -1 if there is none. */
function withoutOf(table: u32, s: usize, n: i32): i32 {
  const found = longestEnding(table, s, n, verb);
  if (found == NONE) return -1;
  const stem = n - lengthOf(found);
  return numberOf(found) == 2 || ends(s, stem, 'а', verb) || ends(s, stem, 'я', verb) ? stem : -1;
}

function withoutInflection(s: usize, n: i32): i32 {
  const gerund = withoutOf(gerunds, s, n);
  if (gerund >= 0) return gerund;
  n -= lengthOf(longestEnding(reflexives, s, n, verb));
  const adjective = lengthOf(longestEnding(adjectives, s, n, verb));
  if (adjective > 0) {
    const participle = withoutOf(participles, s, n - adjective);
    return participle >= 0 ? participle : n - adjective;
  }
  const stem = withoutOf(verbs, s, n);
  return stem >= 0 ? stem : n - lengthOf(longestEnding(nouns, s, n, verb));
}

function tidy(s: usize, n: i32): i32 {
  const superlative = lengthOf(longestEnding(superlatives, s, n, verb));
  n -= superlative;
  if (ends(s, n, 'нн', verb)) return n - 1;
  return superlative == 0 ? without(s, n, 'ь', verb) : n;
}
