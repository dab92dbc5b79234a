/** Parents by their children, and children by their parents. */

import { ChildScore, NodeCode } from '../../core/abi/plan.js';
import type { PlanNode } from '../nodes.js';
import type { Printed } from '../printed.js';
import type { NodeKind } from './kind.js';

/**
 * Parents of the children that a query finds, or children of the parents: the documents whose uid in the field `outer` is that in
 * the field `inner` of a document which `node` finds. `node` is a search of its own, with its own norm.
 */
export interface JoinNode extends Printed {
  kind: 'join';
  boost: number;
  mode: ChildScore;
  inner: number;
  outer: number;
  /** How many documents must be found, from `least` on; at `most` 0: any number. */
  least: number;
  most: number;
  /** Only the best documents found are joined, `factor` times the wanted hits, and `growth` times as many if that is too few. */
  top?: { factor: number; growth: number } | undefined;
  node: PlanNode;
}

export const joinKind: NodeKind<JoinNode> = {
  isUnkept: true,
  write(node, out, depth) {
    out.u8(NodeCode.join);
    out.f32(node.boost);
    out.u8(node.mode);
    out.u16(node.inner);
    out.u16(node.outer);
    for (const each of [node.least, node.most, node.top?.factor ?? 0, node.top?.growth ?? 0]) out.u32(each);
    out.node(node.node, depth + 1);
  },
  // Those that neither score nor count print without their boosts.
  printsBare: ({ mode, least, most }) => mode === ChildScore.none && least === 0 && most === 0,
  rewrite: (node, rewriting) => ({ ...node, node: rewriting.query(node.node) }),
  children: ({ node }) => [node],
};
