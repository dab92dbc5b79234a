/**
 * Words of `_all` where fields have boosts: 1.7 scores them like spans, times the mean of the boosts that the word has in the
 * document. A word without any is not boosted.
 */

import type { AllBoost } from '../mapping/model.js';
import type { FunctionScoreNode, PlanNode } from './plan.js';
import { BoostMode, ScoreMode } from './scoreFunction.js';
import { combine } from './sets.js';

/** With more boosts than that, only words of up to two different ones get their mean. */
const MAX_COMBINED = 5;

/** The query for a word of `_all`, which is this field of the core. */
export function allTerm(field: number, term: Uint8Array, boosts: readonly AllBoost[]): FunctionScoreNode {
  const sets = boosts.map(({ fields }) => {
    const lists = fields.map((number): PlanNode => ({ kind: 'terms', field: number, terms: [term] }));
    return combine([], lists, [])!;
  });
  const functions = subsets(boosts.length).map((chosen) => ({
    function: { type: 'one' } as const,
    weight: Math.fround(chosen.reduce((sum, i) => sum + boosts[i]!.boost, 0) / chosen.length),
    filter: combine(
      chosen.map((i) => sets[i]!),
      [],
      [],
    )!,
  }));
  const query = { kind: 'spanTerm' as const, field, boost: 1, term };
  return {
    kind: 'functionScore',
    boost: 1,
    query,
    single: false,
    functions,
    // The first that fits: those of several boosts stand before those of one.
    scoreMode: ScoreMode.first,
    boostMode: BoostMode.multiply,
    isAllTerm: true,
    text: () => `_all:${new TextDecoder().decode(term)}`,
  };
}

/** Subsets of the first `n` numbers, the largest ones first. */
function subsets(n: number): number[][] {
  const found: number[][] = [];
  if (n <= MAX_COMBINED) {
    for (let bits = 1; bits < 1 << n; bits++) found.push([...Array(n).keys()].filter((i) => (bits >> i) & 1));
  } else {
    for (let i = 0; i < n; i++) {
      found.push([i]);
      for (let j = 0; j < i; j++) found.push([j, i]);
    }
  }
  return found.sort((a, b) => b.length - a.length);
}
