/**
 * The stop words that language analyzers remove by default, the articles that elision cuts off, and the names by which
 * settings refer to lists.
 */
import { arabic } from './stopwords/arabic.js';
import { armenian } from './stopwords/armenian.js';
import { basque } from './stopwords/basque.js';
import { brazilian } from './stopwords/brazilian.js';
import { bulgarian } from './stopwords/bulgarian.js';
import { catalan } from './stopwords/catalan.js';
import { cjk } from './stopwords/cjk.js';
import { czech } from './stopwords/czech.js';
import { danish } from './stopwords/danish.js';
import { dutch } from './stopwords/dutch.js';
import { english } from './stopwords/english.js';
import { finnish } from './stopwords/finnish.js';
import { french } from './stopwords/french.js';
import { galician } from './stopwords/galician.js';
import { german } from './stopwords/german.js';
import { greek } from './stopwords/greek.js';
import { hindi } from './stopwords/hindi.js';
import { hungarian } from './stopwords/hungarian.js';
import { indonesian } from './stopwords/indonesian.js';
import { irish } from './stopwords/irish.js';
import { italian } from './stopwords/italian.js';
import { latvian } from './stopwords/latvian.js';
import { norwegian } from './stopwords/norwegian.js';
import { persian } from './stopwords/persian.js';
import { portuguese } from './stopwords/portuguese.js';
import { romanian } from './stopwords/romanian.js';
import { russian } from './stopwords/russian.js';
import { sorani } from './stopwords/sorani.js';
import { spanish } from './stopwords/spanish.js';
import { swedish } from './stopwords/swedish.js';
import { thai } from './stopwords/thai.js';
import { turkish } from './stopwords/turkish.js';

/** Language, or `cjk` for its analyzer → default stop words. */
export const STOP_WORDS = {
  arabic,
  armenian,
  basque,
  brazilian,
  bulgarian,
  catalan,
  cjk,
  czech,
  danish,
  dutch,
  english,
  finnish,
  french,
  galician,
  german,
  greek,
  hindi,
  hungarian,
  indonesian,
  irish,
  italian,
  latvian,
  norwegian,
  persian,
  portuguese,
  romanian,
  russian,
  sorani,
  spanish,
  swedish,
  thai,
  turkish,
} as const satisfies Record<string, readonly string[]>;

/** The lists that `stopwords` can name, such as `_english_`; that of the CJK analyzer has no name. */
const NAMED: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(STOP_WORDS)
    .filter(([language]) => language !== 'cjk')
    .map(([language, words]) => [`_${language}_`, words]),
);

/** The list of a name such as `_english_`; undefined if it names none. `_none_` is not a list. */
export function namedStopWords(name: string): readonly string[] | undefined {
  return NAMED.get(name);
}

/** The articles, without their apostrophes, that elision takes from the beginning of a word. */
export const ARTICLES = {
  catalan: ['d', 'l', 'm', 'n', 's', 't'],
  french: ['c', 'd', 'j', 'jusqu', 'l', 'lorsqu', 'm', 'n', 'puisqu', 'qu', 'quoiqu', 's', 't'],
  irish: ['b', 'd', 'm'],
  // biome-ignore format: a list reads better in lines
  italian: [
    'agl', 'all', 'c', 'coll', 'd', 'dagl', 'dall', 'degl', 'dell', 'gl', 'l', 'm', 'negl', 'nell', 'pell', 's', 'sugl',
    'sull', 't', 'un', 'v',
  ],
} as const satisfies Record<string, readonly string[]>;

/** What is left of Irish mutations after the hyphen has split a word: further stop words, before the case is folded. */
export const IRISH_HYPHENATIONS: readonly string[] = ['h', 'n', 't'];

/** Words that the Dutch analyzer does not leave to the stemmer, and their stems. */
export const DUTCH_STEMS: ReadonlyMap<string, string> = new Map([
  ['fiets', 'fiets'],
  ['bromfiets', 'bromfiets'],
  ['ei', 'eier'],
  ['kind', 'kinder'],
]);
