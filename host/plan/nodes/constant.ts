/** What a filter, or a query without its scores, matches, with one score. */

import { NodeCode } from '../../core/abi/plan.js';
import type { PlanNode } from '../nodes.js';
import type { Printed } from '../printed.js';
import type { NodeKind } from './kind.js';

export interface ConstantNode extends Printed {
  kind: 'constant';
  boost: number;
  node: PlanNode;
  /** It stands around a query, not a filter: its terms are highlighted. */
  ofQuery?: boolean | undefined;
}

export const constantKind: NodeKind<ConstantNode> = {
  write(node, out, depth) {
    out.u8(NodeCode.constant);
    out.f32(node.boost);
    out.filter(node.node, depth + 1);
  },
  print: ({ node }, printer) => `ConstantScore(${printer.print(node)})`,
  rewrite(node, rewriting) {
    const inner = rewriting.filter(node.node);
    return inner.kind === 'all' ? { kind: 'all', boost: node.boost } : { ...node, node: inner };
  },
  children: ({ node }) => [node],
  mapQueries: (node, change) => (node.ofQuery === true ? { ...node, node: change(node.node) } : node),
  required: ({ node }, of) => of(node),
};
