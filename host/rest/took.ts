/** How long a request took, as its answer says. */

/** Whole milliseconds since that time of `performance.now()`; at least one, as 1.7 has it. */
export function tookSince(started: number): number {
  return Math.max(1, Math.round(performance.now() - started));
}
