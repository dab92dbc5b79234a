/** A multi-term query as a span: any of its terms. */

import { NodeCode } from '../../../core/abi/plan.js';
import type { Printed } from '../../printed.js';
import type { NodeKind } from '../kind.js';
import type { MultiTermNode } from '../multiTerm.js';

export interface SpanMultiNode extends Printed {
  kind: 'spanMulti';
  boost: number;
  node: MultiTermNode;
}

export const spanMultiKind: NodeKind<SpanMultiNode> = {
  write(node, out, depth) {
    out.u8(NodeCode.spanMulti);
    out.f32(node.boost);
    out.node(node.node, depth + 1);
  },
  print: ({ node }, printer) => `SpanMultiTermQueryWrapper(${printer.print(node)})`,
};
