/**
 * Words of `_all` where fields have boosts: 1.7 scores them like spans, times the mean of the boosts of those of their occurrences in
 * the document that have one. A word without any is not boosted.
 */

import type { AllBoost } from '../../mapping/coreFields.js';
import type { FunctionScoreNode } from '../../plan/nodes/functionScore.js';
import { BoostMode, ScoreMode } from '../../plan/scoreFunction.js';

/** The query for a word of `_all`, which is this field of the core. */
export function allTerm(field: number, term: Uint8Array, boosts: readonly AllBoost[]): FunctionScoreNode {
  return {
    kind: 'functionScore',
    boost: 1,
    query: { kind: 'spanTerm', field, boost: 1, term },
    single: false,
    functions: boosts.flatMap(({ boost, fields }) =>
      fields.map((number) => ({
        function: { type: 'frequency' } as const,
        weight: boost,
        filter: { kind: 'term' as const, field: number, boost: 1, term },
      })),
    ),
    scoreMode: ScoreMode.first,
    boostMode: BoostMode.multiply,
    isAllTerm: true,
    text: () => `_all:${new TextDecoder().decode(term)}`,
  };
}
