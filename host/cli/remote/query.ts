/** `--query` as it is typed. */
import { UsageError } from '../flags.js';

/** A query in JSON, the body of a search with one, or words for a query_string; throws {@link UsageError}. */
export function parseQuery(text: string | undefined): unknown {
  if (text?.trimStart().startsWith('{') !== true)
    return text === undefined ? undefined : { query_string: { query: text } };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (e) {
    throw new UsageError(`--query is no JSON: ${(e as Error).message}`);
  }
  // The body of a search.
  return (value as { query?: unknown }).query ?? value;
}
