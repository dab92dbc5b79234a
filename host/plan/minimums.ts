/** How many of n clauses must match, where n is known to a shard alone. */

import type { PlanBytes } from '../core/planBytes.js';

/** How many of n clauses must match: `minimums[n]` for every n from 0 to the number of terms. */
export type Minimums = readonly number[];

/** @param most the largest n */
export function writeMinimums(minimums: Minimums, most: number, out: PlanBytes): void {
  for (let n = 0; n <= most; n++) out.u16(Math.min(Math.max(minimums[n] ?? 0, 0), 0xffff));
}
