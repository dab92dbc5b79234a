/**
 * Lucene's rewriting of queries, as far as it shows in scores: wrappers around a single query go, and their boosts are
 * multiplied in 32-bit floats, from the inside out. Each kind of node says what becomes of it.
 */

import { kindOf, type PlanNode } from './nodes.js';
import { printedAs } from './printed.js';

/** How a node rewrites the ones in it. */
export interface Rewriting {
  query(node: PlanNode): PlanNode;
  filter(node: PlanNode): PlanNode;
}

const REWRITING: Rewriting = { query: rewrite, filter: rewriteFilter };

/** The query as it is weighed and scored. */
export function rewrite(node: PlanNode): PlanNode {
  return kindOf(node).rewrite?.(node, REWRITING) ?? node;
}

/** The same for what is only matched: scores don't count, so more can go. */
export function rewriteFilter(node: PlanNode): PlanNode {
  const result = rewrite(node);
  if (result.kind === 'constant') return printedAs(result.node, node);
  if (result.kind === 'filtered' && result.query.kind === 'all') return result.filter;
  return result;
}
