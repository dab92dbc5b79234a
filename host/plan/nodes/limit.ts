/** The first documents of each shard. */

import { NodeCode, Occur } from '../../core/abi/plan.js';
import type { PlanNode } from '../nodes.js';
import type { Printed } from '../printed.js';
import type { Clause } from './boolean.js';
import type { NodeKind } from './kind.js';

/** The first documents of each shard that `node` matches. */
export interface LimitNode extends Printed {
  kind: 'limit';
  limit: number;
  node: PlanNode;
}

export const limitKind: NodeKind<LimitNode> = {
  isUnkept: true,
  write(node, out, depth) {
    out.u8(NodeCode.limit);
    out.u32(node.limit);
    out.node(node.node, depth + 1);
  },
  rewrite: (node, rewriting) => ({ ...node, node: rewriting.filter(node.node) }),
  children: ({ node }) => [node],
};

/** A clause; a limit that must pass counts what the clauses before it have let through. */
export function limited(clause: Clause, clauses: readonly Clause[], at: number): Clause {
  const { occur, node } = clause;
  if (node.kind !== 'limit' || occur !== Occur.Must) return clause;
  const before = clauses.slice(0, at);
  const asked = before.filter((each) => each.occur === Occur.Must).map((each) => each.node);
  return { occur, node: { ...node, node: intersection([node.node, ...asked]) } };
}

/** The documents that all these match. */
export function intersection(nodes: readonly PlanNode[]): PlanNode {
  const sets = nodes.filter((node) => node.kind !== 'all');
  const [first = { kind: 'all', boost: 1 }] = sets;
  if (sets.length < 2) return first;
  const clauses = sets.map((node) => ({ occur: Occur.Must, node }));
  return { kind: 'boolean', noCoord: true, boost: 1, minimum: 0, clauses };
}
