/** How fast the core works: it has no clock, so that a time is given to it as units of work (assembly/search/budget.ts). */

/** Where in a plan its options stand, and the budget, milliseconds until here. */
const OPTIONS = 6;
const BUDGET = 12;
/** The option of plans with a budget. */
const HAS_BUDGET = 1024;
/** Units a millisecond, before any was measured; and what is believed at least and at most. */
const FIRST = 50_000;
const LEAST = 2_000;
const MOST = 2_000_000;
/** Shorter searches say little. */
const MEASURABLE_MS = 2;
/** What a new measurement counts. */
const SHARE = 0.3;

/** Learns from the searches that had a budget. */
export class Pace {
  #rate = FIRST;

  /** Runs a plan; one with a time gets the work that fits into it. */
  search(plan: Uint8Array, run: (plan: Uint8Array) => Uint8Array): Uint8Array {
    const view = new DataView(plan.buffer, plan.byteOffset, plan.byteLength);
    if (plan.length < BUDGET + 4 || (view.getUint16(OPTIONS, true) & HAS_BUDGET) === 0) return run(plan);
    const copy = plan.slice();
    const units = Math.min(view.getUint32(BUDGET, true) * this.#rate, 0xffff_ffff);
    new DataView(copy.buffer).setUint32(BUDGET, Math.max(1, Math.floor(units)), true);
    const started = performance.now();
    const result = run(copy);
    const ms = performance.now() - started;
    const spent = new DataView(result.buffer, result.byteOffset).getUint32(result.byteLength - 4, true);
    if (ms >= MEASURABLE_MS) {
      const rate = Math.min(Math.max(spent / ms, LEAST), MOST);
      this.#rate += SHARE * (rate - this.#rate);
    }
    return result;
  }
}
