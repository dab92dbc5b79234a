/** `constant_score`: what a filter or a query matches, with one score. */

import { queryParsing } from '../../errors.js';
import type { PlanNode } from '../../plan/nodes.js';
import { CACHED, constant, matchAll, Options, type QueryCompiler, type QueryKind } from '../context.js';

const read: QueryCompiler = (body, dsl) => {
  const options = new Options(dsl, 'constant_score', body, 'query', { ignored: CACHED });
  const condition = options.object('filter');
  const inner = options.object('query');
  const boost = options.boost();
  options.end();
  if (condition === undefined && inner === undefined) {
    throw queryParsing(dsl.index, "[constant_score] requires either 'filter' or 'query' element");
  }
  const filter =
    condition === undefined ? undefined : dsl.filter(condition, () => options.unsupported('filter'));
  const query =
    inner === undefined ? undefined : dsl.optionalQuery(inner, () => options.unsupported('query'));
  // A filter goes before a query.
  if (filter !== undefined) return constantOf(filter, boost);
  return query && { kind: 'constant', boost, node: query, ofQuery: true };
};

export const constantScoreQuery: QueryKind = {
  names: ['constant_score', 'constantScore'],
  read,
  reach: 'found',
};

/** A constant score over a filter. */
export function constantOf(filter: PlanNode, boost: number): PlanNode {
  if (filter.kind === 'all') return matchAll(boost);
  return constant(filter, boost);
}
