/** Queries as filters: `query`, and `fquery`, which takes the options of filters too. */

import { queryParsing } from '../../errors.js';
import { isCompound } from '../../json/values.js';
import type { PlanNode } from '../../plan/nodes.js';
import { asFilter, type Dsl, type FilterCompiler, type FilterKind, show } from '../context.js';
import { filterOptions, malformed } from '../filterOptions.js';

const query: FilterCompiler = (body, dsl) => {
  if (!isCompound(body)) throw malformed(dsl);
  return wrapped(dsl.optionalQuery(body), dsl);
};

export const queryFilter: FilterKind = { names: ['query'], read: query, reach: 'found' };

const fquery: FilterCompiler = (body, dsl, name) => {
  const options = filterOptions(body, dsl, name);
  const inner = options.object('query');
  options.end();
  if (inner === undefined) throw queryParsing(dsl.index, "[fquery] requires 'query' element");
  const unexpectedToken = () => options.unsupported('query');
  return wrapped(dsl.optionalQuery(inner, unexpectedToken), dsl);
};

export const fqueryFilter: FilterKind = { names: ['fquery'], read: fquery, reach: 'found' };

function wrapped(node: PlanNode | undefined, dsl: Dsl): PlanNode | undefined {
  return node && asFilter(node, () => `QueryWrapperFilter(${show(dsl, node)})`);
}
