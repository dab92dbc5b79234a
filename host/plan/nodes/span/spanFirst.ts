/** Spans near the beginning of a field. */

import { NodeCode } from '../../../core/abi/plan.js';
import type { SpanNode } from '../../nodes.js';
import type { Printed } from '../../printed.js';
import type { NodeKind } from '../kind.js';

export interface SpanFirstNode extends Printed {
  kind: 'spanFirst';
  boost: number;
  node: SpanNode;
  end: number;
}

export const spanFirstKind: NodeKind<SpanFirstNode> = {
  write(node, out, depth) {
    out.u8(NodeCode.spanFirst);
    out.f32(node.boost);
    out.u32(node.end);
    out.node(node.node, depth + 1);
  },
  print: ({ node, end }, printer) => `spanFirst(${printer.print(node)}, ${end})`,
};
