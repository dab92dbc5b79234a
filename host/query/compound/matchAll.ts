/** `match_all`, as a query and as a filter. */

import {
  asFilter,
  type FilterCompiler,
  type FilterKind,
  matchAll,
  NOTHING,
  Options,
  type QueryCompiler,
  type QueryKind,
} from '../context.js';
import { filterOptions } from '../filterOptions.js';

const query: QueryCompiler = (body, dsl) => {
  const options = new Options(dsl, 'match_all', body, 'query', { ignored: NOTHING });
  const boost = options.boost();
  options.end();
  return matchAll(boost);
};

export const matchAllQuery: QueryKind = { names: ['match_all', 'matchAll'], read: query, reach: 'found' };

const filter: FilterCompiler = (body, dsl, name) => {
  filterOptions(body, dsl, name);
  return asFilter(matchAll(), () => '*:*');
};

export const matchAllFilter: FilterKind = { names: ['match_all', 'matchAll'], read: filter, reach: 'found' };
