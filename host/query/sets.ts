/** Sets of documents put together: how filters become one node. */

import { Occur } from '../core/abi/plan.js';
import type { PlanNode } from '../plan/nodes.js';
import { matchAll } from './context.js';

/** Those in all of `must`, in none of `mustNot` and, if there is a `should`, in at least one of them. */
export function combine(
  must: readonly PlanNode[],
  should: readonly PlanNode[],
  mustNot: readonly PlanNode[],
): PlanNode | undefined {
  if (must.length + should.length + mustNot.length === 0) return undefined;
  const [first] = [...must, ...should];
  if (first !== undefined && mustNot.length === 0 && must.length + should.length === 1) return first;
  const required = must.length + should.length === 0 ? [matchAll()] : must;
  return {
    kind: 'boolean',
    noCoord: true,
    boost: 1,
    minimum: should.length > 0 && required.length > 0 ? 1 : 0,
    clauses: [
      ...required.map((node) => ({ occur: Occur.Must, node })),
      ...should.map((node) => ({ occur: Occur.Should, node })),
      ...mustNot.map((node) => ({ occur: Occur.MustNot, node })),
    ],
  };
}
