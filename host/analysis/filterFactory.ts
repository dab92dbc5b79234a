/** How token filters are made. */
import type { TokenFilterPart } from './part.js';
import type { DefinitionSettings } from './settings.js';

/** What a filter may ask of the index's other definitions: the synonym filter analyzes its rules with a tokenizer. */
export interface FilterContext {
  /** The terms that a tokenizer makes of a text, by the tokenizer's name or type; `settings` are those of the filter, from which 1.7 configures it. */
  tokenize(tokenizer: string, text: string, settings: DefinitionSettings): string[];
}

/** Makes a filter (one part, several, or none) of its settings; throws an {@link ElasticsearchError} that says what is wrong with them. */
export type FilterFactory = (
  settings: DefinitionSettings,
  context: FilterContext,
) => TokenFilterPart | TokenFilterPart[];
