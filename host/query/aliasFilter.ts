/** Filters of aliases, as they are checked before there is a search. */
import { compileQuery } from './compileQuery.js';
import type { SearchContext } from './searchContext.js';

/** Refuses a filter that can't be read, or names fields that the mapping doesn't have. Dates of ranges are read by searches. */
export function checkAliasFilter(context: SearchContext): void {
  compileQuery(undefined, { ...context, strictFields: true, lateErrors: [] });
}
