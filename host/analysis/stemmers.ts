/**
 * Which stemmers and normalizations the core has, and the names under which the token filters of Elasticsearch 1.7 know
 * them. A number goes to the core (assembly/analysis/stem/stemmers.ts).
 */

/** The stemmers made with Snowball, by the names of their classes in Lucene: numbers 2 to 24. */
const SNOWBALL = new Map(
  [
    'Armenian',
    'Basque',
    'Catalan',
    'Danish',
    'Dutch',
    'English',
    'Finnish',
    'French',
    'German',
    'German2',
    'Hungarian',
    'Irish',
    'Italian',
    'Kp',
    'Lovins',
    'Norwegian',
    'Porter',
    'Portuguese',
    'Romanian',
    'Russian',
    'Spanish',
    'Swedish',
    'Turkish',
  ].map((name, i) => [name, i + 2]),
);

/** Takes `'s` away; a chain may give it a further argument, 1: with the ASCII apostrophe only. */
export const ENGLISH_POSSESSIVE = 85;

/** Porter's stemmer as Lucene writes it by hand. */
export const PORTER = 1;

/** Stemmers of Lucene that are not made with Snowball, by the `stemmer` filter's names for them. */
const BY_HAND: readonly (readonly [string, number])[] = [
  ['arabic', 80],
  ['brazilian', 81],
  ['bulgarian', 82],
  ['czech', 83],
  ['minimal_english', 84],
  ['possessive_english', ENGLISH_POSSESSIVE],
  ['light_finish', 86],
  ['light_finnish', 86],
  ['light_french', 87],
  ['minimal_french', 88],
  ['light_german', 89],
  ['minimal_german', 90],
  ['galician', 91],
  ['minimal_galician', 92],
  ['greek', 93],
  ['hindi', 94],
  ['light_hungarian', 95],
  ['indonesian', 96],
  ['light_italian', 97],
  ['latvian', 98],
  ['light_norwegian', 99],
  ['minimal_norwegian', 100],
  ['light_nynorsk', 101],
  ['minimal_nynorsk', 102],
  ['light_portuguese', 103],
  ['minimal_portuguese', 104],
  ['portuguese_rslp', 105],
  ['light_russian', 106],
  ['sorani', 107],
  ['light_spanish', 108],
  ['light_swedish', 109],
  ['light_english', 110],
  ['kstem', 110],
];

/** Of these, the ones that are filters under a name of their own. */
const FILTERS_BY_HAND: readonly (readonly [string, number])[] = [
  ['arabic_stem', 80],
  ['brazilian_stem', 81],
  ['czech_stem', 83],
  ['kstem', 110],
  ['dutch_stem', 111],
  ['french_stem', 112],
  ['german_stem', 113],
];

/**
 * The `language` (or `name`) of the `stemmer` filter, in lower case, where it does not mean the Snowball stemmer of that
 * name in `SNOWBALL`.
 */
const STEMMER_NAMES = new Map<string, number>([
  ...BY_HAND,
  ...BY_HAND.map(([name, id]) => [name.replace('_', ''), id] as const),
  ['english', PORTER],
  ['porter', PORTER],
  ['porter2', snowball('English')],
  ['dutchkp', snowball('Kp')],
  ['dutch_kp', snowball('Kp')],
]);

/** The filters that are one stemmer under a name of their own. */
const FILTERS = new Map<string, number>([
  ...FILTERS_BY_HAND,
  ['porter_stem', PORTER],
  ['porterStem', PORTER],
]);

function snowball(name: string): number {
  return SNOWBALL.get(name) ?? 0;
}

/** The stemmer of a `snowball` filter's language, such as `English` or `german2`; undefined if there is none. */
export function snowballStemmer(language: string): number | undefined {
  return SNOWBALL.get(language.slice(0, 1).toUpperCase() + language.slice(1));
}

/** The stemmer of a `stemmer` filter's language, such as `light_german`; undefined if there is none. */
export function stemmerOfLanguage(language: string): number | undefined {
  const name = language.toLowerCase();
  return STEMMER_NAMES.get(name) ?? snowballStemmer(name);
}

/** The stemmer of a filter that needs no language, such as `porter_stem`; undefined if there is none of that name. */
export function stemmerOfFilter(filter: string): number | undefined {
  return FILTERS.get(filter);
}

/** Filters that rewrite letters, by name: numbers for assembly/analysis/normalize/normalizers.ts. */
const NORMALIZERS = new Map<string, number>([
  ['arabic_normalization', 60],
  ['persian_normalization', 61],
  ['german_normalization', 62],
  ['hindi_normalization', 63],
  ['indic_normalization', 64],
  ['sorani_normalization', 65],
  ['scandinavian_normalization', 66],
  ['scandinavian_folding', 67],
]);

/** The normalizer of a filter such as `arabic_normalization`; undefined if there is none of that name. */
export function normalizerOfFilter(filter: string): number | undefined {
  return NORMALIZERS.get(filter);
}

/** The normalizers behind the `lowercase` filter's languages. */
const LOWER_CASE = new Map<string, number>([
  ['greek', 68],
  ['turkish', 69],
  ['irish', 70],
]);

/** The normalizer of a `lowercase` filter's `language`; undefined if it has none. */
export function lowerCaseOfLanguage(language: string): number | undefined {
  return LOWER_CASE.get(language.toLowerCase());
}
