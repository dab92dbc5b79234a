/** The best of several queries, and part of what the others score. */

import { NodeCode } from '../../core/abi/plan.js';
import { count } from '../../core/planBytes.js';
import { floatText } from '../../numbers/javaNumbers.js';
import { boosted } from '../boost.js';
import type { PlanNode } from '../nodes.js';
import type { Printed } from '../printed.js';
import { anyOf } from '../termKeys.js';
import type { NodeKind } from './kind.js';

export interface DisMaxNode extends Printed {
  kind: 'disMax';
  boost: number;
  tieBreaker: number;
  nodes: PlanNode[];
}

export const disMaxKind: NodeKind<DisMaxNode> = {
  write(node, out, depth) {
    out.u8(NodeCode.disMax);
    out.f32(node.boost);
    out.f32(node.tieBreaker);
    out.u16(count(node.nodes));
    for (const each of node.nodes) out.node(each, depth + 1);
  },
  print({ nodes, tieBreaker }, printer) {
    const tie = tieBreaker === 0 ? '' : `~${floatText(tieBreaker)}`;
    return `(${nodes.map((each) => printer.inner(each)).join(' | ')})${tie}`;
  },
  rewrite(node, rewriting) {
    const [only] = node.nodes;
    if (only === undefined) return { kind: 'none' };
    if (node.nodes.length === 1) return boosted(rewriting.query(only), node.boost);
    return { ...node, nodes: node.nodes.map(rewriting.query) };
  },
  children: ({ nodes }) => nodes,
  mapQueries: (node, change) => ({ ...node, nodes: node.nodes.map(change) }),
  required: ({ nodes }, of) => anyOf(nodes.map(of)),
};
