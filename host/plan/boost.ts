/** Boosts of nodes. */

import { floatText } from '../numbers/javaNumbers.js';
import type { PlanNode } from './nodes.js';

/** A boost as it stands behind a query; of 1 nothing. */
export function boostText(boost: number): string {
  return boost === 1 ? '' : `^${floatText(boost)}`;
}

/** The query with its boost multiplied. */
export function boosted(node: PlanNode, boost: number): PlanNode {
  if (boost === 1 || !('boost' in node)) return node;
  return { ...node, boost: Math.fround(boost * node.boost) };
}
