/** Where the copies of all indices are placed, as this node sees the others: nodes that went keep their places for a while. */
import type { ChosenByShard, ChosenNodes } from '../metadata/chosenNodes.js';
import type { OpenIndex } from '../metadata/openIndex.js';
import { ownValue } from '../ownNames.js';
import { expandedReplicas, type FlatSettings } from '../settings/indexSettings.js';
import type { Clock } from '../time/clock.js';
import { elapsed } from '../time/elapsed.js';
import { parseTime } from '../time/durations.js';
import {
  type AllocatedNode,
  awarenessOf,
  enabledAllocation,
  filteredOut,
  mostPerNode,
} from './allocation.js';
import { watermarksOf } from './diskWatermarks.js';
import type { KnownNodes } from './knownNodes.js';
import type { ClusterNode, Nodes } from './nodes.js';
import { placeIndex, type PlacementLimits } from './placement.js';

/** What placements need of the node. */
export interface PlacementsContext {
  nodes: Nodes;
  /** Those that were there when a process of this node ended before. */
  known: KnownNodes;
  clock: Clock;
  /** This node, which may not have joined yet; undefined where it has no data. */
  self(): AllocatedNode | undefined;
  /** The settings of the cluster. */
  settings(): Readonly<FlatSettings>;
  /** Milliseconds that places of nodes that went are kept where an index doesn't say. */
  graceMs: number;
  /** The longest time that indices say. */
  longestDelay(): number;
  /** All indices. */
  indices(): readonly OpenIndex[];
  /** Whether every node with data has a copy of everything. */
  isEverywhere: boolean;
  /** Nodes have come or gone, or no place is kept for one any more. */
  changed(): void;
}

/** A data node that was there. */
interface AbsentNode {
  node: ClusterNode;
  since: number;
  /** The uuids of the indices that it knew: in others it has no places. */
  indices: ReadonlySet<string>;
}

/** How often it is looked whether places are kept no more. */
const EXPIRY_MS = 1000;
const DELAY = 'index.unassigned.node_left.delayed_timeout';

export class Placements {
  readonly #context: PlacementsContext;
  readonly #absent = new Map<string, AbsentNode>();
  #known: readonly ClusterNode[] = [];
  #placed = new Map<
    string,
    {
      shards: readonly (readonly string[])[];
      settings: FlatSettings;
      replicas: number;
      chosen: ChosenByShard | undefined;
    }
  >();
  #cancel = () => {};
  #unlisten = () => {};

  constructor(context: PlacementsContext) {
    this.#context = context;
    // Indices are opened before it is known who lives.
    const { nodes, indices } = context.known.read();
    const since = elapsed(context.clock);
    for (const node of nodes) this.#absent.set(node.id, { node, since, indices });
  }

  /** Begins to follow which nodes there are: from now on others are waited for that were there before. */
  follow(): void {
    const since = elapsed(this.#context.clock);
    for (const node of this.#absent.values()) node.since = since;
    this.#look();
    this.#unlisten = this.#context.nodes.onChange(() => {
      this.#look();
      this.#context.changed();
    });
  }

  close(): void {
    this.#unlisten();
    this.#cancel();
  }

  /** The settings, or what this depends on besides, have changed. */
  forget(): void {
    this.#placed.clear();
  }

  /** The ids of the nodes that each shard of an index is placed on. Some of them may be away. */
  of(index: OpenIndex): readonly (readonly string[])[] {
    const { settings, chosen, uuid } = index.metadata;
    const { flat, replicas } = settings;
    const known = this.#placed.get(uuid);
    if (known?.settings === flat && known.replicas === replicas && known.chosen === chosen)
      return known.shards;
    const shards = this.#place(index, chosen);
    this.#placed.set(uuid, { shards, settings: flat, replicas, chosen });
    return shards;
  }

  /** The ids of the nodes that a shard would be placed on by a choice; without one where that is undefined. */
  ifChosen(index: OpenIndex, shard: number, choice: ChosenNodes | undefined): readonly string[] {
    return this.#place(index, choice === undefined ? {} : { [shard]: choice })[shard] ?? [];
  }

  /** How many copies each shard of an index is to have. */
  wanted(index: OpenIndex): number {
    return this.#context.isEverywhere ? Number.MAX_SAFE_INTEGER : 1 + this.replicas(index);
  }

  /** How many replicas an index has: as many as it says, or as there are nodes for. A node that went counts while its places are kept. */
  replicas(index: OpenIndex): number {
    const { self, nodes } = this.#context;
    const { settings } = index.metadata;
    const range = settings.flat['index.auto_expand_replicas'];
    if (range === undefined) return settings.replicas;
    const others = nodes.data.filter(({ id }) => id !== nodes.self);
    const count = others.length + this.delayed(index).length + (self() === undefined ? 0 : 1);
    return expandedReplicas(range, count) ?? settings.replicas;
  }

  /** Nodes that went, and whose places in an index are kept still. */
  delayed(index: OpenIndex): ClusterNode[] {
    const now = elapsed(this.#context.clock);
    const { uuid, settings } = index.metadata;
    const delay = this.#delayOf(settings.flat);
    const isKept = ({ since, indices }: AbsentNode) => now - since < delay && indices.has(uuid);
    return [...this.#absent.values()].filter(isKept).map(({ node }) => node);
  }

  /** The nodes that went, and whose places of a shard are kept still, with when they went, in milliseconds. */
  leftOf(index: OpenIndex, shard: number): { node: string; at: number }[] {
    const { clock } = this.#context;
    const ids = this.of(index)[shard] ?? [];
    // What is shown is a time of the clock on the wall.
    const counted = clock.now() - elapsed(clock);
    return this.delayed(index).flatMap(({ id }) =>
      ids.includes(id) ? [{ node: id, at: counted + this.#absent.get(id)!.since }] : [],
    );
  }

  /** Whether a node that a shard is placed on may make a copy; `isNew` tells whether the index was just made. */
  allows(index: OpenIndex, shard: number, node: string, isNew: boolean): boolean {
    const { settings, chosen } = index.metadata;
    const enabled = enabledAllocation(settings.flat, this.#context.settings());
    // Commands are carried out whatever is enabled.
    if (enabled === 'all' || Object.hasOwn(chosen?.[shard]?.on ?? {}, node)) return true;
    if (enabled === 'none' || this.of(index)[shard]?.[0] !== node) return false;
    return enabled === 'primaries' || isNew;
  }

  #place(index: OpenIndex, chosen: ChosenByShard = {}): readonly (readonly string[])[] {
    const { self, nodes, settings } = this.#context;
    const { uuid, shardUids, settings: of } = index.metadata;
    const cluster = settings();
    const own = self();
    const others = nodes.data.filter(({ id }) => id !== nodes.self);
    const all: AllocatedNode[] = [...others, ...this.delayed(index), ...(own === undefined ? [] : [own])];
    const able = all.filter((node) => filteredOut(node, of.flat, cluster) === undefined);
    const limits = this.#limits(uuid, of.flat, all, cluster);
    return placeIndex(uuid, shardUids.length, this.wanted(index), able, awarenessOf(cluster), chosen, limits);
  }

  #limits(
    uuid: string,
    flat: FlatSettings,
    all: readonly AllocatedNode[],
    cluster: Readonly<FlatSettings>,
  ): PlacementLimits {
    const byId = new Map(all.map((node) => [node.id, node]));
    // As in 1.7 a single node has all that there is, however full its disk is.
    const counts = all.length > 1 && watermarksOf(cluster) !== undefined;
    return {
      mostPerNode: mostPerNode(flat),
      has: (id, shard) => byId.get(id)?.copies?.[uuid]?.includes(shard) === true,
      fullDisk: (id) => (counts ? byId.get(id)?.fullDisk : undefined),
    };
  }

  #delayOf(flat: FlatSettings): number {
    return delayOf(flat) ?? this.#context.graceMs;
  }

  /** Notes which nodes have gone, and which have come back. */
  #look(): void {
    const { nodes, clock } = this.#context;
    const { data, self } = nodes;
    const now = elapsed(clock);
    for (const node of this.#known)
      if (node.id !== self && !data.some(({ id }) => id === node.id))
        this.#absent.set(node.id, { node, since: now, indices: this.#knownTo(node) });
    for (const { id } of data) this.#absent.delete(id);
    this.#known = data;
    this.#keep();
    this.forget();
    this.#expireLater();
  }

  /** The uuids of the indices that a node knew: it has told of open ones. Where it went before it heard of one, it has nothing of that. */
  #knownTo({ copies = {} }: ClusterNode): Set<string> {
    const closed = this.#context.indices().filter((index) => index.closed);
    return new Set([...Object.keys(copies), ...closed.map(({ metadata }) => metadata.uuid)]);
  }

  /** Has those kept that places are kept for when this node is started again. */
  #keep(): void {
    const { nodes, known } = this.#context;
    const absent = [...this.#absent.values()].map(({ node }) => node);
    known.write([...this.#known, ...absent].filter(({ id }) => id !== nodes.self));
  }

  /** Looks now and then whether places are kept no more. */
  #expireLater(): void {
    this.#cancel();
    if (this.#absent.size === 0) return;
    this.#cancel = this.#context.clock.after(EXPIRY_MS, () => {
      const { clock, graceMs, longestDelay } = this.#context;
      const over = elapsed(clock) - Math.max(graceMs, longestDelay());
      for (const [id, { since }] of this.#absent) if (since < over) this.#absent.delete(id);
      this.#keep();
      this.forget();
      this.#context.changed();
      this.#expireLater();
    });
  }
}

/** How long places in an index are kept, in milliseconds, where its settings say that. */
export function delayOf(flat: FlatSettings): number | undefined {
  const given = ownValue(flat, DELAY);
  return given === undefined ? undefined : parseTime(given);
}
