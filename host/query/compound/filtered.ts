/** `filtered`: a query within a filter. */

import { queryParsing } from '../../errors.js';
import { isCompound, parseWhole } from '../../json/values.js';
import { type Dsl, IGNORED, matchAll, Options, type QueryCompiler, type QueryKind } from '../context.js';
import { constantOf } from './constantScore.js';

const STRATEGIES =
  /^(query_first|queryFirst|random_access_always|randomAccessAlways|leap_frog|leapFrog|leap_frog_(query|filter)_first|leapFrog(Query|Filter)First)$/;
/** How many documents of a filter are still looked up one by one. */
const THRESHOLD = /^(?:random_access_|randomAccess)(.*)$/s;

function checkStrategy(strategy: string, dsl: Dsl): void {
  if (STRATEGIES.test(strategy)) return;
  const threshold = THRESHOLD.exec(strategy)?.[1];
  if (threshold === undefined)
    throw queryParsing(dsl.index, `[filtered] strategy value not supported [${strategy}]`);
  parseWhole(threshold, -(2n ** 31n), 2n ** 31n - 1n);
}

const read: QueryCompiler = (body, dsl) => {
  const options = new Options(dsl, 'filtered', body, 'query', { ignored: IGNORED });
  const inner = options.object('query');
  const condition = options.object('filter');
  const strategy = options.text('strategy');
  const boost = options.boost();
  options.end();
  if (strategy !== undefined) checkStrategy(strategy, dsl);
  if (inner !== undefined && !isCompound(inner)) throw options.unsupported('query');
  if (condition !== undefined && !isCompound(condition)) {
    throw options.unsupported('filter');
  }
  const query =
    inner === undefined ? matchAll() : dsl.optionalQuery(inner, () => options.unsupported('query'));
  if (query === undefined) return undefined;
  const unexpectedToken = () => options.unsupported('filter');
  const filter = condition === undefined ? undefined : dsl.filter(condition, unexpectedToken);
  // Without a filter, or with one that everything passes, the boost is lost, as in 1.7.
  if (filter === undefined || filter.kind === 'all') return query;
  if (query.kind === 'all' && query.boost === 1) return constantOf(filter, boost);
  return { kind: 'filtered', boost, query, filter };
};

export const filteredQuery: QueryKind = {
  names: ['filtered'],
  read,
  reach: 'found',
  keepsName: ({ kind }) => kind === 'filtered',
};
