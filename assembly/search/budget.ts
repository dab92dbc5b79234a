// How much a search may do. The core has no clock: the host says how many units of work fit into its time, and learns from what was
// spent how many that are. A unit is about a posting or a document looked at. What takes long asks before each block whether there
// is any left; without, it stops with what it has found.

let given: u64 = 0;
let used: u64 = 0;

/** Whether the budget is spent. */
export let exhausted: bool = false;

/** Starts a search with a budget of so many units; 0: without bound. */
export function startBudget(units: u32): void {
  given = units ? <u64>units : u64.MAX_VALUE;
  used = 0;
  exhausted = false;
}

/** Spends some units; false where there were none left. */
export function spend(units: u32): bool {
  if (exhausted) return false;
  used += <u64>units;
  if (used > given) exhausted = true;
  return true;
}

/** Units spent so far. */
export function spent(): u32 {
  return <u32>min<u64>(used, u32.MAX_VALUE);
}
