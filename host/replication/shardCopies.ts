/** The copies of a shard as health, tables and the state of the cluster show them: where they live, and in which state they are. */
import type { ChosenNodes } from '../metadata/chosenNodes.js';
import type { OpenIndex } from '../metadata/openIndex.js';
import { successorOf } from './reroute/nodeChoice.js';
import type { Rerouting } from './reroute/rerouting.js';

/** A copy, or a place for one. */
export interface ShardCopy {
  state: 'STARTED' | 'RELOCATING' | 'INITIALIZING' | 'UNASSIGNED';
  primary: boolean;
  /** The node that has it, or makes it; undefined for one that is nowhere. */
  node: string | undefined;
  /** Where it is going. */
  relocatingNode?: string;
  /** The node that had it and went, for which its place is kept, and when that was, in milliseconds. */
  left?: { node: string; at: number };
}

/** What commands would make of a shard, or have just made of it. */
export interface ChangedShard {
  choice: ChosenNodes | undefined;
  /** Nodes whose copies are made anew. */
  cancelled: ReadonlySet<string>;
}

/** What is asked about the cluster. */
export interface CopiesView {
  /** The nodes with a copy that may be searched, the best placed one first. @param places by which they are ranked; as it is placed, without */
  searchableCopiesOf(
    index: OpenIndex,
    shard: number,
    places?: readonly string[],
    choice?: ChosenNodes,
  ): readonly { id: string }[];
  /** The living ones of the nodes that a shard is placed on. */
  placementOf(index: OpenIndex, shard: number, places?: readonly string[]): readonly { id: string }[];
  wantedCopies(index: OpenIndex): number;
  /** The nodes that went, and whose places of a shard are kept still. */
  leftOf(index: OpenIndex, shard: number): { node: string; at: number }[];
  readonly rerouting: Pick<Rerouting, 'placesOf' | 'mayMake'>;
}

/** The copies of a shard, the primary first. @param changed without, as it is */
export function shardCopies(
  replication: CopiesView,
  index: OpenIndex,
  number: number,
  changed?: ChangedShard,
): ShardCopy[] {
  const choice = changed === undefined ? index.metadata.chosen?.[number] : changed.choice;
  const ids = changed === undefined ? undefined : replication.rerouting.placesOf(index, number, choice);
  const searchable = replication
    .searchableCopiesOf(index, number, ids, choice)
    .map(({ id }) => id)
    .filter((id) => changed?.cancelled.has(id) !== true);
  const placed = replication.placementOf(index, number, ids).map(({ id }) => id);
  const making = placed.filter(
    (id) => !searchable.includes(id) && replication.rerouting.mayMake(index, number, id, choice),
  );
  const wanted = replication.wantedCopies(index);
  const staying = searchable.filter((id) => placed.includes(id));
  // Those that are about to be dropped are shown as long as they are needed.
  const leaving = searchable
    .filter((id) => !placed.includes(id))
    .slice(0, Math.max(0, wanted - staying.length));
  const targets = targetsOf(leaving, making, choice);
  const shown = searchable.filter((id) => staying.includes(id) || leaving.includes(id));
  const copies = shown.map((node, place): ShardCopy => {
    const target = targets.get(node);
    const primary = place === 0;
    if (target === undefined) return { state: 'STARTED', primary, node };
    return { state: 'RELOCATING', primary, node, relocatingNode: target };
  });
  // Without a copy that could be searched there is none that others could be made of.
  const moving = [...targets.values()];
  const begun = searchable.length === 0 ? [] : making.filter((id) => !moving.includes(id));
  for (const node of begun)
    if (copies.length < wanted) copies.push({ state: 'INITIALIZING', primary: false, node });
  const left = replication.leftOf(index, number);
  while (copies.length < wanted) {
    const gone = left.shift();
    const primary = copies.length === 0;
    copies.push({
      state: 'UNASSIGNED',
      primary,
      node: undefined,
      ...(gone === undefined ? {} : { left: gone }),
    });
  }
  return copies;
}

/** Where each copy that is leaving goes: to the node that was chosen in its place, else to the next that makes one. */
function targetsOf(
  leaving: readonly string[],
  making: readonly string[],
  choice: ChosenNodes | undefined,
): Map<string, string> {
  const targets = new Map<string, string>();
  for (const node of leaving) {
    const successor = successorOf(choice, node);
    if (successor !== undefined && making.includes(successor)) targets.set(node, successor);
  }
  const taken = new Set(targets.values());
  const rest = making.filter((id) => !taken.has(id));
  for (const node of leaving) {
    if (targets.has(node)) continue;
    const next = rest.shift();
    if (next !== undefined) targets.set(node, next);
  }
  return targets;
}
