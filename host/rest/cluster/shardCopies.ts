/** The copies of a shard as health, tables and the state of the cluster show them: those of one node, or of a cluster's. */
import type { Engine } from '../../engine/engine.js';
import type { OpenIndex } from '../../metadata/openIndex.js';
import type { ShardCopy } from '../../replication/shardCopies.js';

/** The copies of a shard, the primary first. */
export function shardCopies(engine: Engine, index: OpenIndex, number: number): ShardCopy[] {
  const { replication } = engine;
  return replication?.nodes.hasJoined === true
    ? replication.shardCopies(index, number)
    : ofOneNode(engine, index, number);
}

function ofOneNode({ nodeId }: Engine, index: OpenIndex, number: number): ShardCopy[] {
  const { active, opening } = index.shards[number]!;
  const state = opening ? 'INITIALIZING' : active ? 'STARTED' : 'UNASSIGNED';
  const first: ShardCopy = { state, primary: true, node: state === 'UNASSIGNED' ? undefined : nodeId };
  const { replicas } = index.metadata.settings;
  return [
    first,
    ...Array.from(
      { length: replicas },
      (): ShardCopy => ({ state: 'UNASSIGNED', primary: false, node: undefined }),
    ),
  ];
}
