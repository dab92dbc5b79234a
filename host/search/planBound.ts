/** How many hits a shard is asked for. */

/** Where in a plan the number of wanted hits stands. */
const PLAN_K = 8;

/** So many cost nothing, whatever a shard has. */
const FEW = 1000;

/** No shard can have more hits than it has had documents: an enormous size costs nothing. */
export function bounded(
  plan: Uint8Array,
  shard: { readonly documentBound: number },
  all: boolean,
): Uint8Array {
  let k = 0;
  for (let i = 3; i >= 0; i--) k = k * 256 + plan[PLAN_K + i]!;
  if (k <= FEW && !all) return plan;
  const documents = shard.documentBound;
  if (k <= documents && !all) return plan;
  const copy = plan.slice();
  // Zero would mean the total alone, without a maximum score.
  new DataView(copy.buffer).setUint32(PLAN_K, Math.max(1, documents), true);
  return copy;
}
