/** The language analyzers: which filters follow the standard tokenizer, as Lucene 4.10 chains them. */
import { ARTICLES, DUTCH_STEMS, IRISH_HYPHENATIONS, STOP_WORDS } from './stopwords.js';

/** A token filter by its type and settings. */
export type FilterStep = readonly [type: string, settings?: Readonly<Record<string, unknown>>];

/** Stands for the analyzer's stop words. */
export const STOP: FilterStep = ['stop'];
/** Stands for the words that the stemmer must leave alone. */
export const EXCLUDED: FilterStep = ['keyword_marker'];

/** One language. */
export interface Language {
  stopwords: readonly string[];
  steps: readonly FilterStep[];
  /** Whether it has a char filter that turns zero-width non-joiners into spaces. */
  splitsAtNonJoiners?: boolean;
}

const LOWERCASE: FilterStep = ['lowercase'];
const stemmer = (language: string): FilterStep => ['stemmer', { language }];
const snowball = (language: string): FilterStep => ['snowball', { language }];
const elision = (articles: readonly string[]): FilterStep => ['elision', { articles, articles_case: 'true' }];

/** Lower case, stop words, exclusions, stemmer: what most languages have. */
const plain = (stopwords: readonly string[], ...stems: FilterStep[]): Language => ({
  stopwords,
  steps: [LOWERCASE, STOP, EXCLUDED, ...stems],
});

export const LANGUAGES: ReadonlyMap<string, Language> = new Map<string, Language>([
  [
    'arabic',
    {
      stopwords: STOP_WORDS.arabic,
      steps: [LOWERCASE, STOP, ['arabic_normalization'], EXCLUDED, stemmer('arabic')],
    },
  ],
  ['armenian', plain(STOP_WORDS.armenian, snowball('Armenian'))],
  ['basque', plain(STOP_WORDS.basque, snowball('Basque'))],
  ['brazilian', plain(STOP_WORDS.brazilian, stemmer('brazilian'))],
  ['bulgarian', plain(STOP_WORDS.bulgarian, stemmer('bulgarian'))],
  [
    'catalan',
    {
      stopwords: STOP_WORDS.catalan,
      steps: [elision(ARTICLES.catalan), LOWERCASE, STOP, EXCLUDED, snowball('Catalan')],
    },
  ],
  ['cjk', { stopwords: STOP_WORDS.cjk, steps: [['cjk_width'], LOWERCASE, ['cjk_bigram'], STOP] }],
  ['czech', plain(STOP_WORDS.czech, stemmer('czech'))],
  ['danish', plain(STOP_WORDS.danish, snowball('Danish'))],
  [
    'dutch',
    plain(
      STOP_WORDS.dutch,
      ['stemmer_override', { rules: [...DUTCH_STEMS].map(([word, stem]) => `${word} => ${stem}`) }],
      snowball('Dutch'),
    ),
  ],
  [
    'english',
    {
      stopwords: STOP_WORDS.english,
      steps: [stemmer('possessive_english'), LOWERCASE, STOP, EXCLUDED, ['porter_stem']],
    },
  ],
  ['finnish', plain(STOP_WORDS.finnish, snowball('Finnish'))],
  [
    'french',
    {
      stopwords: STOP_WORDS.french,
      steps: [elision(ARTICLES.french), LOWERCASE, STOP, EXCLUDED, stemmer('light_french')],
    },
  ],
  ['galician', plain(STOP_WORDS.galician, stemmer('galician'))],
  ['german', plain(STOP_WORDS.german, ['german_normalization'], stemmer('light_german'))],
  [
    'greek',
    { stopwords: STOP_WORDS.greek, steps: [['lowercase', { language: 'greek' }], STOP, stemmer('greek')] },
  ],
  [
    'hindi',
    {
      stopwords: STOP_WORDS.hindi,
      steps: [LOWERCASE, EXCLUDED, ['indic_normalization'], ['hindi_normalization'], STOP, stemmer('hindi')],
    },
  ],
  ['hungarian', plain(STOP_WORDS.hungarian, snowball('Hungarian'))],
  ['indonesian', plain(STOP_WORDS.indonesian, stemmer('indonesian'))],
  [
    'irish',
    {
      stopwords: STOP_WORDS.irish,
      steps: [
        ['stop', { stopwords: IRISH_HYPHENATIONS, ignore_case: 'true' }],
        elision(ARTICLES.irish),
        ['lowercase', { language: 'irish' }],
        STOP,
        EXCLUDED,
        snowball('Irish'),
      ],
    },
  ],
  [
    'italian',
    {
      stopwords: STOP_WORDS.italian,
      steps: [elision(ARTICLES.italian), LOWERCASE, STOP, EXCLUDED, stemmer('light_italian')],
    },
  ],
  ['latvian', plain(STOP_WORDS.latvian, stemmer('latvian'))],
  ['norwegian', plain(STOP_WORDS.norwegian, snowball('Norwegian'))],
  [
    'persian',
    {
      stopwords: STOP_WORDS.persian,
      steps: [LOWERCASE, ['arabic_normalization'], ['persian_normalization'], STOP],
      splitsAtNonJoiners: true,
    },
  ],
  ['portuguese', plain(STOP_WORDS.portuguese, stemmer('light_portuguese'))],
  ['romanian', plain(STOP_WORDS.romanian, snowball('Romanian'))],
  ['russian', plain(STOP_WORDS.russian, snowball('Russian'))],
  [
    'sorani',
    {
      stopwords: STOP_WORDS.sorani,
      steps: [['sorani_normalization'], LOWERCASE, STOP, EXCLUDED, stemmer('sorani')],
    },
  ],
  ['spanish', plain(STOP_WORDS.spanish, stemmer('light_spanish'))],
  ['swedish', plain(STOP_WORDS.swedish, snowball('Swedish'))],
  [
    'turkish',
    {
      stopwords: STOP_WORDS.turkish,
      steps: [['apostrophe'], ['lowercase', { language: 'turkish' }], STOP, EXCLUDED, snowball('Turkish')],
    },
  ],
]);

/** The stop words of the `snowball` analyzer by language. */
export const SNOWBALL_STOP_WORDS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>(
  [
    ['English', STOP_WORDS.english],
    ['Dutch', STOP_WORDS.dutch],
    ['German', STOP_WORDS.german],
    ['German2', STOP_WORDS.german],
    ['French', STOP_WORDS.french],
  ],
);
