/** `dis_max`: the best of several queries. */

import { queryParsing } from '../../errors.js';
import { isObject } from '../../json/values.js';
import {
  listed,
  notStarted,
  Options,
  type QueryCompiler,
  type QueryKind,
  unexpectedTokenIn,
} from '../context.js';

const read: QueryCompiler = (body, dsl) => {
  const options = new Options(dsl, 'dis_max', body, 'query', { knowsLists: true });
  const given = options.take('queries');
  const tieBreaker = options.number(0, 'tie_breaker', 'tieBreaker');
  const boost = options.boost();
  options.end();
  if (given === undefined) throw queryParsing(dsl.index, "[dis_max] requires 'queries' field");
  if (!isObject(given) && !Array.isArray(given)) throw options.unsupported('queries');
  const unexpectedToken = unexpectedTokenIn(given, 'query', options, 'queries', dsl);
  if (Array.isArray(given) && !isObject(given[0])) throw notStarted('query', dsl);
  const nodes = listed(given, 'query', dsl).flatMap(
    (query) => dsl.optionalQuery(query, unexpectedToken) ?? [],
  );
  return nodes.length === 0 ? undefined : { kind: 'disMax', boost, tieBreaker, nodes };
};

export const disMaxQuery: QueryKind = { names: ['dis_max', 'disMax'], read, reach: 'found' };
