/** function_score, as far as it needs no values of fields. */

import type { FunctionScoreNode } from '../../host/plan/nodes/functionScore.js';
import { BoostMode, ScoreMode } from '../../host/plan/scoreFunction.js';

const f = Math.fround;

/** The score of a document that its query gives `score` and whose filters let `passing` through. */
export function functionFactor(
  node: FunctionScoreNode,
  passing: FunctionScoreNode['functions'],
  score: number,
): number {
  const values = passing.map(({ weight }) => (weight === undefined ? 1 : f(weight)));
  const sum = values.reduce((a, b) => a + b, 0);
  const weights = passing.reduce((a, { weight }) => f(a + f(weight ?? 1)), 0);
  let factor = 1;
  if (values.length > 0) {
    if (node.single || node.scoreMode === ScoreMode.first) factor = values[0]!;
    else if (node.scoreMode === ScoreMode.multiply) factor = values.reduce((a, b) => a * b, 1);
    else if (node.scoreMode === ScoreMode.max) factor = Math.max(...values);
    else if (node.scoreMode === ScoreMode.min) factor = Math.min(...values);
    else if (weights !== 0) factor = node.scoreMode === ScoreMode.avg ? sum / weights : sum;
  }
  const bounded = Math.min(factor, node.maxBoost === undefined ? Number.MAX_VALUE : f(node.maxBoost));
  const boost = f(node.boost);
  switch (node.boostMode) {
    case BoostMode.multiply:
      return f(boost * score * bounded);
    case BoostMode.replace:
      return f(boost * bounded);
    case BoostMode.sum:
      return f(boost * (score + bounded));
    case BoostMode.avg:
      return f((boost * (bounded + score)) / 2);
    case BoostMode.max:
      return f(boost * Math.max(score, bounded));
    default:
      return f(boost * Math.min(score, bounded));
  }
}
