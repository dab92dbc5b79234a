/** Any of several spans. */

import { NodeCode } from '../../../core/abi/plan.js';
import { count } from '../../../core/planBytes.js';
import type { SpanNode } from '../../nodes.js';
import type { Printed } from '../../printed.js';
import type { NodeKind } from '../kind.js';

export interface SpanOrNode extends Printed {
  kind: 'spanOr';
  boost: number;
  nodes: SpanNode[];
}

export const spanOrKind: NodeKind<SpanOrNode> = {
  write(node, out, depth) {
    out.u8(NodeCode.spanOr);
    out.f32(node.boost);
    out.u16(count(node.nodes));
    for (const each of node.nodes) out.node(each, depth + 1);
  },
  print: ({ nodes }, printer) => `spanOr([${printer.list(nodes)}])`,
};
