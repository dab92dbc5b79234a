/** A query as a person types it: words in the syntax of Lucene, or JSON. */
import { isObject, type Json, parseJson } from '../api/json';

/** Undefined for an empty text, which matches everything. Throws `SyntaxError` where it begins like JSON and is none. */
export function queryOf(text: string): Json | undefined {
  const typed = text.trim();
  if (typed === '') return undefined;
  if (!typed.startsWith('{')) return { query_string: { query: typed } };
  const json = parseJson(typed);
  // The whole body of a search, as one copies it.
  return isObject(json) && Object.keys(json).length === 1 && json.query !== undefined ? json.query : json;
}

/** A query, narrowed by filters. */
export function filteredQuery(query: Json | undefined, filters: readonly Json[]): Json {
  const all = query ?? { match_all: {} };
  if (filters.length === 0) return all;
  return {
    filtered: { query: all, filter: filters.length === 1 ? filters[0]! : { bool: { must: [...filters] } } },
  };
}
