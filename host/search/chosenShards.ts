/** Which shards of an index a request is for. */
import type { OpenIndex } from '../metadata/openIndex.js';
import { shardOf } from '../shard/routing.js';
import type { SearchedShard } from '../shard/searchedShard.js';
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

/** The nodes whose copies of a shard may be asked, in their order; undefined where any may. */
export type CopyChoice = (index: OpenIndex, shard: number) => readonly string[] | undefined;

/** Shards of an index as one request searches them. */
export function searchedShards(
  index: OpenIndex,
  shards: readonly Shard[] = index.shards,
  copies?: CopyChoice,
): readonly SearchedShard[] {
  if (copies !== undefined) return shards.map((shard) => shard.searched(copies(index, shard.number)));
  return shards.every(({ isHeld }) => isHeld) ? shards : shards.map((shard) => shard.searched());
}
