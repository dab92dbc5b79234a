/** The copies of a shard as health, tables and the state of the cluster show them: where they live, and in which state they are. */
import type { Engine } from '../../engine/engine.js';
import type { OpenIndex } from '../../metadata/openIndex.js';

/** A copy, or a place for one. */
export interface ShardCopy {
  state: 'STARTED' | 'RELOCATING' | 'INITIALIZING' | 'UNASSIGNED';
  primary: boolean;
  /** The node that has it, or makes it; undefined for one that is nowhere. */
  node: string | undefined;
  /** Where it is going. */
  relocatingNode?: string;
  /** Whether its place is kept for a node that went. */
  isDelayed?: boolean;
}

/** The copies of a shard, the primary first. */
export function shardCopies(engine: Engine, index: OpenIndex, number: number): ShardCopy[] {
  const { replication } = engine;
  if (replication?.nodes.hasJoined !== true) return ofOneNode(engine, index, number);
  const searchable = replication.searchableCopiesOf(index, number).map(({ id }) => id);
  const placed = replication.placementOf(index, number).map(({ id }) => id);
  const making = placed.filter((id) => !searchable.includes(id));
  const wanted = replication.wantedCopies(index);
  const staying = searchable.filter((id) => placed.includes(id));
  // Those that are about to be dropped are shown as long as they are needed.
  const leaving = searchable
    .filter((id) => !placed.includes(id))
    .slice(0, Math.max(0, wanted - staying.length));
  const shown = searchable.filter((id) => staying.includes(id) || leaving.includes(id));
  const copies = shown.map((node, place): ShardCopy => {
    const target = leaving.includes(node) ? making[leaving.indexOf(node)] : undefined;
    const primary = place === 0;
    if (target === undefined) return { state: 'STARTED', primary, node };
    return { state: 'RELOCATING', primary, node, relocatingNode: target };
  });
  // Without a copy that could be searched there is none that others could be made of.
  const begun = searchable.length === 0 ? [] : making.slice(Math.min(leaving.length, making.length));
  for (const node of begun)
    if (copies.length < wanted) copies.push({ state: 'INITIALIZING', primary: false, node });
  const delayed = replication.delayedCopies(index, number);
  for (let missing = 0; copies.length < wanted; missing++) {
    const primary = copies.length === 0;
    copies.push({ state: 'UNASSIGNED', primary, node: undefined, isDelayed: missing < delayed });
  }
  return copies;
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
