/** The term suggester: for each word of a text those like it. */
import { illegalArgument } from '../errors.js';
import type { JsonObject } from '../json/values.js';
import {
  type Compiled,
  type Entry,
  fieldNamed,
  noneTold,
  numberNamed,
  readCommon,
  shardSizeOf,
  type SuggestContext,
  type Suggestion,
  tokensOf,
} from './context.js';
import { defaultSettings, readSetting, similarWords, termOf } from './spellchecker.js';
import { isCompound } from '../json/values.js';

export function termSuggester(body: JsonObject, context: SuggestContext): Compiled {
  const settings = defaultSettings();
  const common = noneTold();
  for (const [name, value] of Object.entries(body)) {
    if (value === null || isCompound(value))
      throw illegalArgument(`suggester[term]  doesn't support field [${name}]`);
    if (!readCommon(common, name, value, context) && !readSetting(settings, name, value))
      throw illegalArgument(`suggester[term] doesn't support [${name}]`);
  }
  const { field = '', analyzer, size } = common;
  const wanted = shardSizeOf(common);
  const of = (text: string): Suggestion => ({
    size,
    order: settings.sort === 'frequency' ? 'termFrequency' : 'termScore',
    async run(shard) {
      const tokens = tokensOf(text, fieldNamed(field, context), analyzer, context);
      const known = numberNamed(field, context);
      const [{ documents: maxDoc }, frequencies] = await Promise.all([
        shard.statistics([]),
        shard.frequencies(tokens.map(({ term }) => termOf(known, term))),
      ]);
      const entries: Entry[] = [];
      // A long text is looked at word by word, so that others get their turn.
      for (const [i, { term, startOffset, endOffset }] of tokens.entries()) {
        const misspelled = { field: known, word: term, documents: frequencies[i]!.documents, maxDoc };
        const words = await similarWords(shard, misspelled, settings, wanted);
        const options = words.map(({ word, score, freq }) => ({ text: word, score, freq }));
        entries.push({ text: term, offset: startOffset, length: endOffset - startOffset, options });
      }
      return entries;
    },
  });
  return { field: common.field, of };
}
