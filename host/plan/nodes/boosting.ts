/** A query, and another that lowers the scores of what it matches too. */

import { NodeCode } from '../../core/abi/plan.js';
import type { PlanNode } from '../nodes.js';
import type { Printed } from '../printed.js';
import type { NodeKind } from './kind.js';

/** Documents of `positive`; those that `negative` matches too have their score multiplied by `negativeBoost`. */
export interface BoostingNode extends Printed {
  kind: 'boosting';
  positive: PlanNode;
  negative: PlanNode;
  negativeBoost: number;
}

export const boostingKind: NodeKind<BoostingNode> = {
  write(node, out, depth) {
    out.u8(NodeCode.boosting);
    out.f32(node.negativeBoost);
    out.node(node.positive, depth + 1);
    out.node(node.negative, depth + 1);
  },
  print: ({ positive, negative }, printer) => `${printer.print(positive)}/${printer.unboosted(negative)}^0.0`,
  // The negative part has no boost, unless it loses that when its terms are looked up, or has none to lose.
  rewrite: (node, rewriting) => ({
    ...node,
    positive: rewriting.query(node.positive),
    negative: rewriting.query(unboosted(node.negative)),
  }),
  children: ({ positive, negative }) => [positive, negative],
  mapQueries: (node, change) => ({ ...node, positive: change(node.positive) }),
  required: ({ positive }, of) => of(positive),
};

function unboosted(node: PlanNode): PlanNode {
  return 'boost' in node ? { ...node, boost: 0 } : node;
}
