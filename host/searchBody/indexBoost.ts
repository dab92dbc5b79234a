/** `indices_boost`: what the scores of an index count. */

import type { PlanNode } from '../plan/nodes.js';
import { BoostMode, ScoreMode } from '../plan/scoreFunction.js';

/** A query whose scores count so many times, on one index of several. */
export function timesBoost(query: PlanNode, boost: number): PlanNode {
  if (boost === 1) return query;
  return {
    kind: 'functionScore',
    boost: 1,
    query,
    single: true,
    functions: [{ function: { type: 'factor', factor: boost } }],
    scoreMode: ScoreMode.multiply,
    boostMode: BoostMode.multiply,
  };
}
