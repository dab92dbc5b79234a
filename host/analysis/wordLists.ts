/** Lists of words in the settings of analyzers and filters. */
import { isCompound } from '../json/values.js';
import { longPart } from '../passes.js';
import type { DefinitionSettings } from './settings.js';
import { namedStopWords } from './stopwords.js';

/** Lists of more words are read as a long part (passes.ts). */
export const MANY_WORDS = 1000;

/** What a word costs in steps of it. */
const WORD_STEPS = 2;

/** The words under a key, names such as `_english_` replaced by their lists; `fallback` where the key is absent or its list empty. */
export function wordList(
  settings: DefinitionSettings,
  key: string,
  fallback: readonly string[] = [],
): readonly string[] {
  const raw = settings.raw(key);
  if (raw === '_none_') return [];
  if (Array.isArray(raw) && raw.length > MANY_WORDS) {
    return longPart(settings.owner, `words of ${key}`, function* (isDue) {
      const found: string[] = [];
      for (const each of raw) {
        if (isDue(WORD_STEPS)) yield;
        if (each === null || isCompound(each)) continue;
        const word = String(each).trim();
        const named = namedStopWords(word);
        if (named === undefined) found.push(word);
        else found.push(...named);
      }
      return found.length === 0 ? fallback : found;
    });
  }
  // 1.7 doesn't trim the parts of a text with commas.
  const words = typeof raw === 'string' ? raw.split(',') : settings.list(key);
  if (words === undefined) return fallback;
  return words.flatMap((word) => namedStopWords(word) ?? word);
}
