/**
 * What a kind of query, filter, function, sort, aggregation or suggester may tell of beside the documents that the search finds. Each
 * registry says it of each kind; a kind of which nothing is said reaches nothing and is refused where that matters.
 */
import type { ElasticsearchError } from '../errors.js';

/**
 * - `found`: nothing else. How often words are in all documents may show in scores.
 * - `named`: documents that it names, in any index; each is got as the caller may.
 * - `scripts`: stored scripts and search templates, which every search may use.
 * - `index`: all documents of the index, whatever the filter of an alias lets through: relatives, words, counts.
 */
export type Reach = 'found' | 'named' | 'scripts' | 'index';

/**
 * Set where the caller may see nothing of an index but what the filter of an alias lets through: the 403 for something that reaches
 * beyond.
 */
export type Confined = ((what: string) => ElasticsearchError) | undefined;

/** Refuses what reaches beyond the documents that are found, or says nothing of it, where the caller is confined to them. */
export function checkReach(what: string, reach: Reach | undefined, confined: Confined): void {
  if (confined !== undefined && (reach === undefined || reach === 'index')) throw confined(what);
}
