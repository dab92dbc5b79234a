/** Lists of words in the settings of analyzers and filters. */
import type { DefinitionSettings } from './settings.js';
import { namedStopWords } from './stopwords.js';

/** The words under a key, names such as `_english_` replaced by their lists; `fallback` where the key is absent or its list empty. */
export function wordList(
  settings: DefinitionSettings,
  key: string,
  fallback: readonly string[] = [],
): readonly string[] {
  const raw = settings.raw(key);
  if (raw === '_none_') return [];
  // 1.7 doesn't trim the parts of a text with commas.
  const words = typeof raw === 'string' ? raw.split(',') : settings.list(key);
  if (words === undefined) return fallback;
  return words.flatMap((word) => namedStopWords(word) ?? word);
}
