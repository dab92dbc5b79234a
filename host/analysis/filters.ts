/** The token filters by type. One that can be had without settings can also be named in an analyzer by that type. */
import { cjkBigram } from './filters/cjkBigram.js';
import { commonGrams, commonGramsByName } from './filters/commonGrams.js';
import { dictionaryDecompounder, hunspell, hyphenationDecompounder } from './filters/decompounders.js';
import { delimitedPayload } from './filters/delimitedPayload.js';
import { elision } from './filters/elision.js';
import { keep, keepTypes } from './filters/keep.js';
import { keywordMarker, stemmerOverride } from './filters/keywords.js';
import { length, limit, trim, truncate, truncateByName } from './filters/lengths.js';
import { edgeNgram, edgeNgramByName, ngram } from './filters/ngram.js';
import { patternCapture, patternReplace } from './filters/patterns.js';
import { shingle } from './filters/shingle.js';
import { lowercase, normalizerFilter, snowball, stemmer, stemmerFilter } from './filters/stemmers.js';
import { stop } from './filters/stop.js';
import { synonym } from './filters/synonym.js';
import { wordDelimiter } from './filters/wordDelimiter.js';
import { StageKind } from '../core/abi/stages.js';
import type { FilterFactory } from './filterFactory.js';
import { corePart } from './part.js';

/** Filters that are one stemmer, and those that are one normalizer. */
const STEMMERS = [
  'porter_stem',
  'kstem',
  'arabic_stem',
  'brazilian_stem',
  'czech_stem',
  'dutch_stem',
  'french_stem',
  'german_stem',
  'russian_stem',
];
const NORMALIZERS = [
  'arabic_normalization',
  'german_normalization',
  'hindi_normalization',
  'indic_normalization',
  'persian_normalization',
  'scandinavian_normalization',
  'scandinavian_folding',
  'sorani_normalization',
];

export const filters: ReadonlyMap<string, FilterFactory> = new Map<string, FilterFactory>([
  ['lowercase', lowercase],
  ['uppercase', () => corePart(StageKind.uppercase)],
  [
    'asciifolding',
    (settings) =>
      corePart(StageKind.asciifolding, (args) => args.u8(settings.flag('preserve_original', false) ? 1 : 0)),
  ],
  ['stop', stop],
  ['keep', keep],
  ['keep_types', keepTypes],
  ['ngram', ngram],
  ['nGram', ngram],
  ['edge_ngram', edgeNgram],
  ['edgeNGram', edgeNgram],
  ['length', length],
  ['truncate', truncate],
  ['limit', limit],
  ['trim', trim],
  ['reverse', () => corePart(StageKind.reverse)],
  ['synonym', synonym],
  ['shingle', shingle],
  [
    'unique',
    (settings) =>
      corePart(StageKind.unique, (args) => args.u8(settings.flag('only_on_same_position', false) ? 1 : 0)),
  ],
  ['word_delimiter', wordDelimiter],
  ['pattern_replace', patternReplace],
  ['pattern_capture', patternCapture],
  ['dictionary_decompounder', dictionaryDecompounder],
  ['hyphenation_decompounder', hyphenationDecompounder],
  ['hunspell', hunspell],
  ['common_grams', commonGrams],
  ['cjk_bigram', cjkBigram],
  ['elision', elision],
  ['apostrophe', () => corePart(StageKind.apostrophe)],
  ['keyword_marker', keywordMarker],
  ['keyword_repeat', () => corePart(StageKind.keywordRepeat)],
  ['stemmer_override', stemmerOverride],
  ['stemmer', stemmer],
  ['snowball', snowball],
  ['cjk_width', () => corePart(StageKind.cjkWidth)],
  ['delimited_payload_filter', delimitedPayload],
  ['classic', () => corePart(StageKind.classicFilter)],
  // Has done nothing since Lucene 3.1.
  ['standard', () => []],
  // Leaves tokens as they are; its payloads are found by `payloads.ts`.
  ['type_as_payload', () => []],
  ...STEMMERS.map((name): [string, FilterFactory] => [name, stemmerFilter(name)]),
  ...NORMALIZERS.map((name): [string, FilterFactory] => [name, normalizerFilter(name)]),
]);

/** The filters that mean something else where an analyzer names them without a definition. */
export const filtersByName: ReadonlyMap<string, FilterFactory> = new Map<string, FilterFactory>([
  ['truncate', truncateByName],
  ['common_grams', commonGramsByName],
  ['edge_ngram', edgeNgramByName],
  ['edgeNGram', edgeNgramByName],
]);
