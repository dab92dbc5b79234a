import { illegalArgument } from '../../errors.js';
import { StageKind } from '../../core/abi/stages.js';
import { type CorePart, corePart } from '../part.js';
import type { DefinitionSettings } from '../settings.js';
import { wordList } from '../wordLists.js';
import { refuseFile, wordListPart } from './words.js';

/** The filter `common_grams`: `common_words`, `ignore_case`, `query_mode`. */
export function commonGrams(settings: DefinitionSettings): CorePart[] {
  refuseFile(settings, 'common_words_path');
  const isNone = settings.text('common_words') === '_none_';
  const words = wordList(settings, 'common_words');
  if (words.length === 0 && !isNone) {
    throw illegalArgument(
      'mising or empty [common_words] or [common_words_path] configuration for common_grams token filter',
    );
  }
  const grams = wordListPart(StageKind.commonGrams, words, settings.flag('ignore_case', false));
  return settings.flag('query_mode', false) ? [grams, corePart(StageKind.commonGramsQuery)] : [grams];
}

/** `common_grams` by its bare name knows no words. */
export function commonGramsByName(): CorePart {
  return wordListPart(StageKind.commonGrams, [], false);
}
