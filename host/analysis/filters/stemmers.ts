/** The filters that stem or normalize, by the tables of `../stemmers.ts`. */
import { ElasticsearchError, illegalArgument } from '../../errors.js';
import { StageKind } from '../../core/abi/stages.js';
import { type CorePart, corePart, type TokenFilterPart } from '../part.js';
import type { DefinitionSettings } from '../settings.js';
import {
  lowerCaseOfLanguage,
  normalizerOfFilter,
  snowballStemmer,
  stemmerOfFilter,
  stemmerOfLanguage,
} from '../stemmers.js';
import { wordList } from '../wordLists.js';
import { failing } from './failing.js';
import { wordListPart } from './words.js';
import { ownValue } from '../../ownNames.js';

/** The filter `stemmer`: `language`, or `name`. */
export function stemmer(settings: DefinitionSettings): TokenFilterPart {
  return stem(languageOf(settings, 'porter'), stemmerOfLanguage);
}

/** The filter `snowball`: `language`, or `name`. */
export function snowball(settings: DefinitionSettings): TokenFilterPart {
  return stem(languageOf(settings, 'English'), snowballStemmer);
}

/** 500: Lucene looks for a class of that name. */
export function noStemmer(name: string): ElasticsearchError {
  const nested = new ElasticsearchError('ClassNotFoundException', `org.tartarus.snowball.ext.${name}Stemmer`);
  return new ElasticsearchError('IllegalArgumentException', `Invalid stemmer class specified: ${name}`, {
    status: 500,
    nested,
  });
}

function languageOf(settings: DefinitionSettings, fallback: string): string {
  return settings.text('language', settings.text('name', fallback));
}

/** A language without a stemmer fails where 1.7 looks for the class, when a text comes. */
function stem(language: string, find: (language: string) => number | undefined): TokenFilterPart {
  const number = find(language);
  if (number !== undefined) return stage(StageKind.stem, number);
  const name = language.slice(0, 1).toUpperCase() + language.slice(1);
  return failing(noStemmer(name));
}

function stage(kind: number, number: number): CorePart {
  return corePart(kind, (args) => args.u8(number));
}

/** Filters named after a language whose stemmer is Snowball's. */
const SNOWBALL_FILTERS: Readonly<Record<string, string>> = { russian_stem: 'Russian' };

/** The filter of a stemmer that has one of its own; with `stem_exclusion`, which it leaves alone. */
export function stemmerFilter(name: string): (settings: DefinitionSettings) => CorePart[] {
  return (settings) => {
    const excluded = wordList(settings, 'stem_exclusion');
    const number = stemmerOfFilter(name) ?? snowballStemmer(ownValue(SNOWBALL_FILTERS, name) ?? '');
    if (number === undefined) throw illegalArgument(`the token filter [${name}] is not offered yet`);
    const part = stage(StageKind.stem, number);
    return excluded.length > 0 ? [wordListPart(StageKind.keywordMarker, excluded, false), part] : [part];
  };
}

/** The filter of a normalizer. */
export function normalizerFilter(name: string): () => CorePart {
  return () => {
    const number = normalizerOfFilter(name);
    if (number === undefined) throw illegalArgument(`the token filter [${name}] is not offered yet`);
    return stage(StageKind.normalize, number);
  };
}

/** The filter `lowercase`: `language`, where Greek, Irish and Turkish have rules of their own. */
export function lowercase(settings: DefinitionSettings): TokenFilterPart {
  const language = settings.text('language');
  if (language === undefined) return corePart(StageKind.lowercase);
  const number = lowerCaseOfLanguage(language);
  if (number === undefined)
    return failing(illegalArgument(`language [${language}] not support for lower case`));
  return stage(StageKind.normalize, number);
}
