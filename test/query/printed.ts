/** What tests of the query language share: queries as `_validate/query` prints them. */

import type { SearchContext } from '../../host/query/searchContext.js';
import { validateQuery } from '../../host/query/validate.js';
import { contextOf, modelOf } from '../model/support.js';

/** Texts, a keyword, numbers, a date and a boolean. */
export const model = modelOf({
  t: {
    properties: {
      plain: { type: 'string' },
      other: { type: 'string' },
      key: { type: 'string', index: 'not_analyzed' },
      n: { type: 'integer' },
      l: { type: 'long' },
      d: { type: 'double' },
      f: { type: 'float' },
      at: { type: 'date' },
      ok: { type: 'boolean' },
    },
  },
});

/** The text of a query, or its error. */
export function printed(query: unknown, more: Partial<SearchContext> = {}): string {
  const answer = validateQuery({ query }, contextOf(model, more));
  return answer.valid ? (answer.explanation ?? '') : answer.error;
}
