/** How 1.7 describes what a rescorer made of a score. */
import type { Explanation } from './explanation.js';
import { type Rescore, RescoreMode } from '../plan/plan.js';

/** What 1.7 calls the modes. */
const NAMES: Readonly<Record<RescoreMode, string>> = {
  [RescoreMode.total]: 'sum',
  [RescoreMode.multiply]: 'product',
  [RescoreMode.avg]: 'avg',
  [RescoreMode.max]: 'max',
  [RescoreMode.min]: 'min',
};

/**
 * The explanation of a hit that has been scored again. As in 1.7 it does not count how many hits the rescorer looked at.
 * @param second that of the rescorer's query
 */
export function explainRescore(
  { queryWeight, rescoreWeight, mode }: Rescore,
  first: Explanation,
  second: Explanation | undefined,
): Explanation {
  const primary = weighted(first, queryWeight, 'primaryWeight');
  if (second?.matched !== true) return primary;
  const secondary = weighted(second, rescoreWeight, 'secondaryWeight');
  return {
    value: combined(mode, primary.value, secondary.value),
    description: `${NAMES[mode]} of:`,
    details: [primary, secondary],
    matched: primary.matched,
  };
}

function weighted(own: Explanation, weight: number, name: string): Explanation {
  const value = Math.fround(weight);
  const factor = { value, description: name, details: [], matched: true };
  return {
    value: Math.fround(own.value * value),
    description: 'product of:',
    details: [own, factor],
    matched: own.matched,
  };
}

function combined(mode: RescoreMode, a: number, b: number): number {
  switch (mode) {
    case RescoreMode.total:
      return Math.fround(a + b);
    case RescoreMode.multiply:
      return Math.fround(a * b);
    case RescoreMode.avg:
      return Math.fround(Math.fround(a + b) / 2);
    case RescoreMode.max:
      return Math.max(a, b);
    default:
      return Math.min(a, b);
  }
}
