import { interrupted } from '../host';

// When a search stops before it is through. The core has no clock: what takes long counts its work, and asks the host now and then
// whether it may go on. A unit is about a posting or a document looked at. A search that may not stops with what it has found.

/** Units between two questions: some 0.1 to 3 ms. A question takes about 0.1 us, so that it costs less than 0.1 % of the work. */
const STEP: u64 = 16384;

let used: u64 = 0;
/** Units at which the host is asked next. */
let asked: u64 = 0;

/** Whether the search has been stopped. */
export let exhausted: bool = false;

/** Starts a search. */
export function startBudget(): void {
  used = 0;
  asked = STEP;
  exhausted = false;
}

/** Counts some units; false where the search has been stopped. */
export function spend(units: u32): bool {
  if (exhausted) return false;
  used += <u64>units;
  if (used >= asked) ask();
  return true;
}

function ask(): void {
  asked = used + STEP;
  exhausted = interrupted();
}
