/** How finely the clock of the platform measures: browsers round it, to a tenth of a millisecond or to a whole one. */

const READINGS = 20;
/** Readings after which a clock is finer than what lies between two of them. */
const MOST = 10_000_000;

/** Milliseconds of the clock's step: the median of the differences that it shows. */
export function clockStep(now: () => number = () => performance.now()): number {
  const steps: number[] = [];
  let last = now();
  for (let i = 0; i < MOST && steps.length < READINGS; i++) {
    const next = now();
    if (next > last) steps.push(next - last);
    last = next;
  }
  steps.sort((a, b) => a - b);
  return steps[steps.length >> 1] ?? 0;
}
