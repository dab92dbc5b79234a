/** `minimum_should_match`: `2`, `-1`, `75%`, `-25%`, `2<75% 9<-3`. */

import { outOfBounds } from '../../compat17/javaCasts.js';
import { Occur } from '../../core/abi/plan.js';
import { numberFormat } from '../../errors.js';
import type { PlanNode } from '../../plan/nodes.js';

/** How many of `optional` clauses must match. Percentages are cut towards zero, in float arithmetic. */
export function minimumShouldMatch(optional: number, specification: string): number {
  const spec = specification.trim();
  if (spec.includes('<')) {
    let result = optional;
    for (const condition of spec.replace(/\s*<\s*/g, '<').split(' ')) {
      const [bound = '', wanted] = condition.split('<');
      if (optional <= int(bound)) return result;
      if (wanted === undefined) throw outOfBounds(1, 1, 400);
      result = minimumShouldMatch(optional, wanted);
    }
    return result;
  }
  const f = Math.fround;
  const amount = spec.endsWith('%')
    ? f(f(Math.imul(optional, int(spec.slice(0, -1)))) * f(1 / 100))
    : int(spec);
  const cut = Math.trunc(amount);
  return Math.max(0, Math.min(optional, amount < 0 ? optional + cut : cut));
}

/** Sets how many optional clauses must match, if it is a boolean query; what comes to zero sets nothing. */
export function applyMinimum(node: PlanNode, specification: string | undefined): PlanNode {
  if (specification === undefined || node.kind !== 'boolean') return node;
  const optional = node.clauses.filter((clause) => clause.occur === Occur.Should).length;
  const minimum = minimumShouldMatch(optional, specification);
  return minimum > 0 ? { ...node, minimum } : node;
}

/** How many of n clauses must match, for every n up to the most; none where nothing is specified. */
export function minimumsOf(most: number, specification: string | undefined): number[] {
  return Array.from({ length: most + 1 }, (_, n) =>
    specification === undefined ? 0 : minimumShouldMatch(n, specification),
  );
}

function int(text: string): number {
  const value = /^[+-]?\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= -0x8000_0000 && value <= 0x7fff_ffff)) throw numberFormat(text);
  return value;
}
