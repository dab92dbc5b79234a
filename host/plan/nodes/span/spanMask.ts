/** Spans of another field, taken for spans of `field`. */

import { NodeCode } from '../../../core/abi/plan.js';
import type { SpanNode } from '../../nodes.js';
import type { Printed } from '../../printed.js';
import type { NodeKind } from '../kind.js';

export interface SpanMaskNode extends Printed {
  kind: 'spanMask';
  field: number;
  boost: number;
  node: SpanNode;
}

export const spanMaskKind: NodeKind<SpanMaskNode> = {
  write(node, out, depth) {
    out.u8(NodeCode.spanMask);
    out.u16(node.field);
    out.f32(node.boost);
    out.node(node.node, depth + 1);
  },
  print: ({ node, field }, printer) => `mask(${printer.print(node)}) as ${printer.name(field)}`,
};
