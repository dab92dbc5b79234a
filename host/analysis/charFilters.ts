/** The char filters by type. */
import { htmlStripCharFilter } from './charFilters/htmlStrip.js';
import { mappingCharFilter } from './charFilters/mapping.js';
import { patternReplaceCharFilter } from './charFilters/patternReplace.js';
import type { CharFilterPart } from './part.js';
import type { DefinitionSettings } from './settings.js';

/** Makes a char filter of its settings; throws an {@link ElasticsearchError} that says what is wrong with them. */
export type CharFilterFactory = (settings: DefinitionSettings) => CharFilterPart;

export const charFilters: ReadonlyMap<string, CharFilterFactory> = new Map<string, CharFilterFactory>([
  ['html_strip', htmlStripCharFilter],
  ['mapping', mappingCharFilter],
  ['pattern_replace', patternReplaceCharFilter],
]);
