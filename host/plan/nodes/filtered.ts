/** What a query matches of the documents that a filter lets through. */

import { NodeCode } from '../../core/abi/plan.js';
import type { PlanNode } from '../nodes.js';
import type { Printed } from '../printed.js';
import { fewest } from '../termKeys.js';
import type { NodeKind } from './kind.js';
import { intersection } from './limit.js';
import { loneTerm } from './terms.js';

export interface FilteredNode extends Printed {
  kind: 'filtered';
  boost: number;
  query: PlanNode;
  filter: PlanNode;
}

export const filteredKind: NodeKind<FilteredNode> = {
  write(node, out, depth) {
    out.u8(NodeCode.filtered);
    out.f32(node.boost);
    out.node(node.query, depth + 1);
    out.filter(node.filter, depth + 1);
  },
  print: ({ query, filter }, printer) => `filtered(${printer.print(query)})->${printer.print(filter)}`,
  rewrite(node, rewriting) {
    const query = rewriting.query(node.query);
    const filter = loneTerm(rewriting.filter(node.filter));
    // A limit counts what it is asked about: what the query, or the filter around it, lets through.
    if (filter.kind === 'limit' && filter.node.kind === 'all')
      return { ...node, query, filter: { ...filter, node: query } };
    if (query.kind === 'constant' && query.node.kind === 'limit')
      return { ...query, node: { ...query.node, node: intersection([query.node.node, filter]) } };
    if (query.kind !== 'all') return { ...node, query, filter };
    const boost = Math.fround(node.boost * query.boost);
    return { kind: 'constant', boost, node: rewriting.filter(node.filter) };
  },
  children: ({ query, filter }) => [query, filter],
  required: ({ query, filter }, of) => fewest([of(query), of(filter)]),
};
