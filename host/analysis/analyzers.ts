/** The analyzers of Elasticsearch 1.7 that are no custom chain: their parts, with and without settings. */
import { notOffered } from '../errors.js';
import type { AnalyzerParts } from './compile.js';
import { failing } from './filters/failing.js';
import { noStemmer } from './filters/stemmers.js';
import { wordListPart } from './filters/words.js';
import { StageKind } from '../core/abi/stages.js';
import { EXCLUDED, type FilterStep, LANGUAGES, SNOWBALL_STOP_WORDS, STOP } from './languages.js';
import { corePart, type HostTokenFilter, type TokenFilterPart, type TokenizerPart } from './part.js';
import { DefinitionSettings } from './settings.js';
import { ENGLISH_POSSESSIVE, snowballStemmer } from './stemmers.js';
import { STOP_WORDS } from './stopwords.js';
import { wordList } from './wordLists.js';

/** Makes parts of their types, as an index does that has no definitions. */
export interface PartMaker {
  tokenizer(type: string, settings: DefinitionSettings): TokenizerPart;
  filter(type: string, settings: DefinitionSettings): TokenFilterPart[];
  charFilter(type: string, settings: DefinitionSettings): AnalyzerParts['charFilters'][number];
}

type Factory = (settings: DefinitionSettings, make: PartMaker) => AnalyzerParts;

/** What takes `'s` away; this analyzer knows the ASCII apostrophe only. */
const ASCII_ONLY = 1;

const NONE = new DefinitionSettings('', {});

/** A stage with these words; nothing where there are none. */
function withWords(kind: number, words: readonly string[], ignoreCase = false): TokenFilterPart[] {
  return words.length === 0 ? [] : [wordListPart(kind, words, ignoreCase)];
}

function excluded(settings: DefinitionSettings): TokenFilterPart[] {
  return withWords(StageKind.keywordMarker, wordList(settings, 'stem_exclusion'));
}

function lowercase(): TokenFilterPart {
  return corePart(StageKind.lowercase);
}

/** The words of `stopwords`, which `stopwords_case` (that is: ignore it) lets match in any case: 1.7 lower-cases only the list. */
function stopWords(settings: DefinitionSettings, fallback: readonly string[]): TokenFilterPart[] {
  const words = wordList(settings, 'stopwords', fallback);
  return withWords(StageKind.stop, words, words !== fallback && settings.flag('stopwords_case', false));
}

function standardTokenizer(settings: DefinitionSettings, make: PartMaker): TokenizerPart {
  return make.tokenizer('standard', settings);
}

const standard: Factory = (settings, make) => ({
  charFilters: [],
  tokenizer: standardTokenizer(settings, make),
  filters: [lowercase(), ...stopWords(settings, [])],
});

function language(name: string): Factory {
  const { stopwords, steps, splitsAtNonJoiners } = LANGUAGES.get(name)!;
  return (settings, make) => {
    const part = (step: FilterStep): TokenFilterPart[] => {
      if (step === STOP) return stopWords(settings, stopwords);
      if (step === EXCLUDED) return excluded(settings);
      return make.filter(step[0], new DefinitionSettings(name, step[1] ?? {}));
    };
    const nonJoiners = new DefinitionSettings(name, { mappings: ['\\u200C=>\\u0020'] });
    return {
      charFilters: splitsAtNonJoiners === true ? [make.charFilter('mapping', nonJoiners)] : [],
      tokenizer: corePart(StageKind.standard),
      filters: steps.flatMap(part),
    };
  };
}

const snowball: Factory = (settings, make) => {
  const name = settings.text('language') ?? settings.text('name', 'English');
  const stems: TokenFilterPart[] =
    snowballStemmer(name) === undefined
      ? [failing(noStemmer(name))]
      : make.filter('snowball', new DefinitionSettings('', { language: name }));
  const possessive = ['English', 'Porter', 'Lovins'].includes(name)
    ? [corePart(StageKind.stem, (args) => args.u8(ENGLISH_POSSESSIVE).u8(ASCII_ONLY))]
    : [];
  return {
    charFilters: [],
    tokenizer: corePart(StageKind.standard),
    filters: [
      ...possessive,
      lowercase(),
      ...stopWords(settings, SNOWBALL_STOP_WORDS.get(name) ?? []),
      ...stems,
    ],
  };
};

const pattern: Factory = (settings, make) => ({
  charFilters: [],
  tokenizer: make.tokenizer('pattern', settings),
  filters: [...(settings.flag('lowercase', true) ? [lowercase()] : []), ...stopWords(settings, [])],
});

/** The analyzers by type. */
export const analyzers: ReadonlyMap<string, Factory> = new Map<string, Factory>([
  ['standard', standard],
  ['default', standard],
  [
    'standard_html_strip',
    // In 1.7 it strips nothing.
    standard,
  ],
  [
    'simple',
    (_settings, make) => ({ charFilters: [], tokenizer: make.tokenizer('lowercase', NONE), filters: [] }),
  ],
  [
    'whitespace',
    (_settings, make) => ({ charFilters: [], tokenizer: make.tokenizer('whitespace', NONE), filters: [] }),
  ],
  ['keyword', () => ({ charFilters: [], tokenizer: corePart(StageKind.keyword), filters: [] })],
  [
    'stop',
    (settings, make) => ({
      charFilters: [],
      tokenizer: make.tokenizer('lowercase', NONE),
      filters: stopWords(settings, STOP_WORDS.english),
    }),
  ],
  ['pattern', pattern],
  ['snowball', snowball],
  [
    'classic',
    (settings, make) => ({
      charFilters: [],
      tokenizer: make.tokenizer('classic', settings),
      filters: [...make.filter('classic', NONE), lowercase(), ...stopWords(settings, STOP_WORDS.english)],
    }),
  ],
  [
    'chinese',
    () => ({
      charFilters: [],
      tokenizer: corePart(StageKind.chinese),
      filters: [],
    }),
  ],
  [
    'thai',
    () => {
      throw notOffered('the thai analyzer, which needs a dictionary of the language,');
    },
  ],
  ...[...LANGUAGES.keys()].map((name) => [name, language(name)] as const),
]);

/** Flag of the letter tokenizer: as PatternAnalyzer cuts. */
const AS_PATTERN = 2;

/** Lower case of whole words, in which a sigma at the end has a form of its own. */
const lowerCaseWords: HostTokenFilter = {
  // biome-ignore lint/correctness/useYield: as long as writing the tokens takes
  *filterTokens(list) {
    for (const token of list.tokens) token.term = token.term.toLowerCase();
    return list;
  },
};

/** Analyzers that are something else when named without a definition: Lucene's own pattern analyzer splits at what is no letter. */
export const prebuilt: ReadonlyMap<string, Factory> = new Map<string, Factory>([
  [
    'pattern',
    () => ({
      charFilters: [],
      tokenizer: corePart(StageKind.letter, (args) => args.u8(AS_PATTERN)),
      filters: [lowerCaseWords],
    }),
  ],
]);
