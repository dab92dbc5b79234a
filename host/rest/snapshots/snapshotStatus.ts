/** The status of a snapshot, file by file. */
import { type SnapshotRecord, shardRefs } from '../../snapshot/record.js';
import type { RunningSnapshot, ShardProgress } from '../../snapshot/snapshots.js';
import type { Json } from '../json.js';

/** How far a snapshot is: one that is being made, or one that is there. */
export function statusOfSnapshot(repository: string, snapshot: SnapshotRecord | RunningSnapshot): Json {
  const shards = 'indices' in snapshot ? shardsOf(snapshot) : [...snapshot.shards];
  const indices = shards.map(([name, progress]) => [
    name,
    {
      shards_stats: countsOf(progress),
      stats: statsOf(progress),
      shards: Object.fromEntries(
        progress.map((each, i) => [String(i), { stage: each.stage, stats: statsOf([each]) }]),
      ),
    },
  ]);
  const all = shards.flatMap(([, progress]) => progress);
  return {
    snapshot: snapshot.snapshot,
    repository,
    state: 'indices' in snapshot ? snapshot.state : 'STARTED',
    shards_stats: countsOf(all),
    stats: statsOf(all),
    indices: Object.fromEntries(indices) as Json,
  };
}

function shardsOf({ indices, started }: SnapshotRecord): [string, ShardProgress[]][] {
  return indices.map(({ metadata, shards }) => [
    metadata.name,
    shards.map((shard): ShardProgress => {
      if (shard === null) return { stage: 'FAILURE', files: 0, bytes: 0, started, took: 0 };
      const refs = shardRefs(shard);
      const bytes = refs.reduce((sum, ref) => sum + ref.bytes, 0);
      return { stage: 'DONE', files: refs.length, bytes, started: shard.started, took: shard.took };
    }),
  ]);
}

function countsOf(shards: readonly ShardProgress[]): Json {
  const count = (stage: ShardProgress['stage']) => shards.filter((each) => each.stage === stage).length;
  return {
    initializing: count('INIT'),
    started: count('STARTED'),
    finalizing: 0,
    done: count('DONE'),
    failed: count('FAILURE'),
    total: shards.length,
  };
}

function statsOf(shards: readonly ShardProgress[]): Json {
  const sum = (stat: (shard: ShardProgress) => number) => shards.reduce((all, each) => all + stat(each), 0);
  const files = sum(({ files }) => files);
  const bytes = sum(({ bytes }) => bytes);
  return {
    number_of_files: files,
    processed_files: files,
    total_size_in_bytes: bytes,
    processed_size_in_bytes: bytes,
    start_time: undefined,
    start_time_in_millis: shards.reduce(
      (first, { started }) => Math.min(first, started),
      shards[0]?.started ?? 0,
    ),
    time_in_millis: sum(({ took }) => took),
  };
}
