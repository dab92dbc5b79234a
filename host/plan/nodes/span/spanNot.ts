/** Spans that others don't come near. */

import { NodeCode } from '../../../core/abi/plan.js';
import type { SpanNode } from '../../nodes.js';
import type { Printed } from '../../printed.js';
import type { NodeKind } from '../kind.js';

export interface SpanNotNode extends Printed {
  kind: 'spanNot';
  boost: number;
  include: SpanNode;
  exclude: SpanNode;
  pre: number;
  post: number;
}

export const spanNotKind: NodeKind<SpanNotNode> = {
  write(node, out, depth) {
    out.u8(NodeCode.spanNot);
    out.f32(node.boost);
    out.u32(node.pre);
    out.u32(node.post);
    out.node(node.include, depth + 1);
    out.node(node.exclude, depth + 1);
  },
  print: ({ include, exclude, pre, post }, printer) =>
    `spanNot(${printer.print(include)}, ${printer.print(exclude)}, ${pre}, ${post})`,
};
