import { interrupted } from './host';

// When a search or a read of terms stops before it is through. The core has no clock: what takes long counts its work, and asks the host
// now and then whether it may go on. A unit is about a posting or a document looked at. Work that may not go on stops with what it has
// found: what is written after that was found before.

/** Units between two questions: some 0.1 to 3 ms. A question takes about 0.1 us, so that it costs less than 0.1 % of the work. */
let step: u64 = 16384;

let used: u64 = 0;
/** Units at which the host is asked next. */
let asked: u64 = 0;

/** Whether the call has been stopped. */
export let exhausted: bool = false;

/** Sets the units between two questions, for calls from now on: tests ask at every place that counts. */
export function questionEvery(units: u32): void {
  step = <u64>units;
}

/** Starts a call. */
export function startWorkLimit(): void {
  used = 0;
  asked = step;
  exhausted = false;
}

/** Counts some units; false where the call has been stopped. */
export function spend(units: u32): bool {
  if (exhausted) return false;
  used += <u64>units;
  if (used >= asked) ask();
  return true;
}

function ask(): void {
  asked = used + step;
  exhausted = interrupted();
}
