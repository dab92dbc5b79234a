/** How many hits a shard is asked for. */

/** Where in a plan the number of wanted hits stands. */
const PLAN_K = 8;

/** No shard can have more hits than it has had documents: an enormous size costs nothing. */
export function bounded(plan: Uint8Array, documents: number, all: boolean): Uint8Array {
  const view = new DataView(plan.buffer, plan.byteOffset, plan.byteLength);
  const k = view.getUint32(PLAN_K, true);
  if (k <= documents && !all) return plan;
  const copy = plan.slice();
  // Zero would mean the total alone, without a maximum score.
  new DataView(copy.buffer).setUint32(PLAN_K, Math.max(1, documents), true);
  return copy;
}
