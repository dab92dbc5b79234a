/** Documents by the nested documents in them. */

import { type JoinMode, NodeCode } from '../../core/abi/plan.js';
import type { PlanNode } from '../nodes.js';
import type { Printed } from '../printed.js';
import type { NodeKind } from './kind.js';

/** Documents that have a nested one which matches. */
export interface NestedNode extends Printed {
  kind: 'nested';
  boost: number;
  mode: JoinMode;
  /** Matches nested documents. */
  node: PlanNode;
  /** The documents that the nested ones are parts of, where these are nested too; undefined: those that aren't. */
  parents: PlanNode | undefined;
}

export const nestedKind: NodeKind<NestedNode> = {
  write(node, out, depth) {
    out.u8(NodeCode.nested);
    out.u8(node.mode);
    out.u8(node.parents === undefined ? 0 : 1);
    out.f32(node.boost);
    out.node(node.node, depth + 1);
    if (node.parents !== undefined) out.node(node.parents, depth + 1);
  },
  print: ({ node }, printer) => `ToParentBlockJoinQuery (${printer.print(node)})`,
  // Lucene's joins of blocks print without their boosts.
  printsBare: () => true,
  rewrite: (node, rewriting) => ({ ...node, node: rewriting.query(node.node) }),
  children: ({ node }) => [node],
};
