/** Spans near to one another. */

import { NodeCode } from '../../../core/abi/plan.js';
import { count } from '../../../core/planBytes.js';
import type { SpanNode } from '../../nodes.js';
import type { Printed } from '../../printed.js';
import type { NodeKind } from '../kind.js';

export interface SpanNearNode extends Printed {
  kind: 'spanNear';
  boost: number;
  slop: number;
  inOrder: boolean;
  nodes: SpanNode[];
}

export const spanNearKind: NodeKind<SpanNearNode> = {
  write(node, out, depth) {
    out.u8(NodeCode.spanNear);
    out.f32(node.boost);
    out.u32(node.slop);
    out.u8(node.inOrder ? 1 : 0);
    out.u16(count(node.nodes));
    for (const each of node.nodes) out.node(each, depth + 1);
  },
  print: ({ nodes, slop, inOrder }, printer) => `spanNear([${printer.list(nodes)}], ${slop}, ${inOrder})`,
};
