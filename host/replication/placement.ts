/**
 * Which nodes have the copies of an index's shards: the same for whoever works it out of the same nodes and settings. For each shard the nodes
 * are ranked by a hash of index, shard and node (rendezvous hashing), so that a node which comes or goes changes little; the best ones are
 * taken that don't have their share of the index yet. Copies of a shard spread over the values of awareness attributes first. What commands
 * have chosen for a shard changes that shard alone. Where a node may have only so many copies of an index, those with the fewest are taken.
 */
import type { FullDisk } from './diskWatermarks.js';
import type { ChosenByShard, ChosenNodes } from '../metadata/chosenNodes.js';
import { ownValue } from '../ownNames.js';
import { xxh32 } from '../storage/xxh32.js';

/** A node that copies may be placed on. */
export interface PlacedNode {
  id: string;
  attributes: Readonly<Record<string, string>>;
}

/** An attribute whose values copies of a shard are spread over. */
export interface Awareness {
  attribute: string;
  /** Values that count though no node may have them; those of the nodes count too. */
  forced: readonly string[];
}

/** What a node may have besides. */
export interface PlacementLimits {
  /** Copies of the index; undefined for any number. */
  mostPerNode?: number | undefined;
  /** Whether a node has a copy of a shard: that may stay, however full the disk is. */
  has(node: string, shard: number): boolean;
  /** How full a node's disk is: one above a watermark gets no copies but the first of a new index, above the high one not even that. */
  fullDisk(node: string): FullDisk | undefined;
}

const NO_LIMITS: PlacementLimits = { has: () => false, fullDisk: () => undefined };
const encoder = new TextEncoder();
/** Ranks that were worked out: copies are placed anew whenever metadata change. */
const ranks = new Map<string, number>();
const MOST_RANKS = 10_000;

/**
 * The nodes of each shard, in the order of their ranks; fewer than `copies` where there are not so many.
 * @param nodes those that may have copies of the index
 * @param chosen what commands have chosen; nodes of it that may not have copies count for nothing
 */
export function placeIndex(
  uuid: string,
  shards: number,
  copies: number,
  nodes: readonly PlacedNode[],
  awareness: readonly Awareness[] = [],
  chosen: ChosenByShard = {},
  nodeLimits: PlacementLimits = NO_LIMITS,
): string[][] {
  // Where copies are spread over an attribute, nodes without it are none.
  const able = nodes.filter(({ attributes }) => awareness.every(({ attribute }) => attribute in attributes));
  const wanted = Math.min(copies, able.length);
  const loads = new Map(able.map(({ id }) => [id, 0]));
  const limits = awareness.map(({ attribute, forced }) => {
    const values = new Set([...forced, ...able.map(({ attributes }) => attributes[attribute]!)]);
    return { attribute, most: Math.ceil(copies / Math.max(1, values.size)) };
  });
  const share = able.length === 0 ? 0 : Math.ceil((shards * wanted) / able.length);
  return Array.from({ length: shards }, (_, shard) => {
    const rank = (id: string) => rankOf(uuid, shard, id);
    const ranked = able
      .map((node) => ({ node, rank: rank(node.id) }))
      .sort((a, b) => b.rank - a.rank || (a.node.id < b.node.id ? -1 : 1))
      .map(({ node }) => node);
    const { mostPerNode = Number.POSITIVE_INFINITY, has, fullDisk } = nodeLimits;
    const isNew = !able.some(({ id }) => has(id, shard));
    const mayHave = (node: PlacedNode, taken: readonly PlacedNode[]) =>
      !taken.includes(node) && limits.every((limit) => isWithin(limit, node, taken));
    const hasRoom = ({ id }: PlacedNode) => fullDisk(id) === undefined || has(id, shard);
    const isBelow = ({ id }: PlacedNode) => loads.get(id)! < mostPerNode;
    const isAllowed = (node: PlacedNode) => isBelow(node) && hasRoom(node);
    const isFree = (node: PlacedNode, taken: readonly PlacedNode[]) =>
      mayHave(node, taken) && isAllowed(node);
    const best = (free: readonly PlacedNode[]) =>
      (mostPerNode < Number.POSITIVE_INFINITY ? undefined : free.find(({ id }) => loads.get(id)! < share)) ??
      leastLoaded(free, loads);
    const taken: PlacedNode[] = [];
    const take = (isAble: (node: PlacedNode) => boolean) => {
      const next = best(ranked.filter((node) => isAble(node) && mayHave(node, taken)));
      if (next === undefined) return false;
      taken.push(next);
      loads.set(next.id, loads.get(next.id)! + 1);
      return true;
    };
    while (taken.length < wanted && take(isAllowed));
    if (taken.length === 0 && isNew) take((node) => isBelow(node) && fullDisk(node.id) === 'low');
    // What can't go elsewhere stays.
    while (taken.length < wanted && take(({ id }) => has(id, shard)));
    const choice = ownValue(chosen, String(shard));
    if (choice !== undefined) {
      const count = (ids: readonly string[], by: number) => {
        for (const id of ids) loads.set(id, loads.get(id)! + by);
      };
      const before = taken.map(({ id }) => id);
      count(before, -1);
      const placed = placeChosen(choice, taken, ranked, wanted, isFree, rank);
      // A choice changes nothing for other shards, but where there is an upper limit.
      count(mostPerNode < Number.POSITIVE_INFINITY ? placed : before, 1);
      return placed;
    }
    return taken.sort((a, b) => ranked.indexOf(a) - ranked.indexOf(b)).map(({ id }) => id);
  });
}

/** The nodes of a shard by a choice: those that it names, then those that would have been taken, those that it rules out last. */
function placeChosen(
  { on, off }: ChosenNodes,
  before: readonly PlacedNode[],
  ranked: readonly PlacedNode[],
  wanted: number,
  isFree: (node: PlacedNode, taken: readonly PlacedNode[]) => boolean,
  rank: (id: string) => number,
): string[] {
  const taken: PlacedNode[] = [];
  const isOff = ({ id }: PlacedNode) => off.includes(id);
  const inOrder = [
    ...ranked.filter(({ id }) => Object.hasOwn(on, id)),
    ...before.filter((node) => !isOff(node)),
    ...ranked.filter((node) => !isOff(node)),
    ...ranked,
  ];
  for (const node of inOrder) if (taken.length < wanted && isFree(node, taken)) taken.push(node);
  // Who takes another's place has its rank: the copy in the place of a primary is the primary.
  const rankOfPlace = (id: string) => rank(ownValue(on, id) ?? id);
  const isNamed = (id: string) => Number(Object.hasOwn(on, id));
  return taken
    .map(({ id }) => id)
    .sort((a, b) => rankOfPlace(b) - rankOfPlace(a) || isNamed(b) - isNamed(a) || (a < b ? -1 : 1));
}

/** Whether fewer of the chosen nodes than the limit have the same value of the attribute. */
function isWithin(
  { attribute, most }: { attribute: string; most: number },
  node: PlacedNode,
  chosen: readonly PlacedNode[],
): boolean {
  const value = node.attributes[attribute];
  return chosen.filter(({ attributes }) => attributes[attribute] === value).length < most;
}

function leastLoaded(
  nodes: readonly PlacedNode[],
  loads: ReadonlyMap<string, number>,
): PlacedNode | undefined {
  let least: PlacedNode | undefined;
  for (const node of nodes)
    if (least === undefined || loads.get(node.id)! < loads.get(least.id)!) least = node;
  return least;
}

function rankOf(uuid: string, shard: number, node: string): number {
  const name = `${uuid}/${shard}/${node}`;
  let rank = ranks.get(name);
  if (rank === undefined) {
    const bytes = encoder.encode(name);
    rank = xxh32(new DataView(bytes.buffer), 0, bytes.length) >>> 0;
    if (ranks.size >= MOST_RANKS) ranks.clear();
    ranks.set(name, rank);
  }
  return rank;
}
