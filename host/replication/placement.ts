/**
 * Which nodes have the copies of an index's shards: the same for whoever works it out of the same nodes and settings. For each shard the nodes
 * are ranked by a hash of index, shard and node (rendezvous hashing), so that a node which comes or goes changes little; the best ones are
 * taken that don't have their share of the index yet. Copies of a shard spread over the values of awareness attributes first. What commands
 * have chosen for a shard changes that shard alone.
 */
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
    const isFree = (node: PlacedNode, taken: readonly PlacedNode[]) =>
      !taken.includes(node) && limits.every((limit) => isWithin(limit, node, taken));
    const taken: PlacedNode[] = [];
    while (taken.length < wanted) {
      const free = ranked.filter((node) => isFree(node, taken));
      const next = free.find(({ id }) => loads.get(id)! < share) ?? leastLoaded(free, loads);
      if (next === undefined) break;
      taken.push(next);
      loads.set(next.id, loads.get(next.id)! + 1);
    }
    const choice = ownValue(chosen, String(shard));
    if (choice !== undefined) return placeChosen(choice, taken, ranked, wanted, isFree, rank);
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
