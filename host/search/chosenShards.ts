/** Which shards of an index a request is for. */
import type { OpenIndex } from '../metadata/openIndex.js';
import { shardOf } from '../shard/routing.js';
import type { Shard } from '../shard/shard.js';

/** The shards of routing values; all without one. */
export function chosenShards(
  index: OpenIndex,
  routing: readonly string[] | undefined,
  only?: ReadonlySet<number>,
): readonly Shard[] {
  let { shards } = index;
  if (only !== undefined) shards = shards.filter(({ number }) => only.has(number));
  if (routing === undefined) return shards;
  const numbers = new Set(routing.map((value) => shardOf(value, index.shards.length)));
  return shards.filter(({ number }) => numbers.has(number));
}
