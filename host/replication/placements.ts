/** Where the copies of all indices are placed, as this node sees the others: nodes that went keep their places for a while. */
import type { OpenIndex } from '../metadata/openIndex.js';
import { ownValue } from '../ownNames.js';
import type { FlatSettings } from '../settings/indexSettings.js';
import type { Clock } from '../time/clock.js';
import { parseTime } from '../time/durations.js';
import {
  type AllocatedNode,
  awarenessOf,
  enabledAllocation,
  filteredOut,
  wantedCopies,
} from './allocation.js';
import type { KnownNodes } from './knownNodes.js';
import type { ClusterNode, Nodes } from './nodes.js';
import { placeIndex } from './placement.js';

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
  /** Whether every node with data has a copy of everything. */
  isEverywhere: boolean;
  /** Nodes have come or gone, or no place is kept for one any more. */
  changed(): void;
}

/** A data node that was there. */
interface AbsentNode {
  node: ClusterNode;
  since: number;
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
    { shards: readonly (readonly string[])[]; settings: FlatSettings; replicas: number }
  >();
  #cancel = () => {};
  #unlisten = () => {};

  constructor(context: PlacementsContext) {
    this.#context = context;
  }

  /** Begins to follow which nodes there are: from now on others are waited for that were there before. */
  follow(): void {
    const { clock, known } = this.#context;
    for (const node of known.read()) this.#absent.set(node.id, { node, since: clock.now() });
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
    const { settings } = index.metadata;
    const known = this.#placed.get(index.metadata.uuid);
    if (known?.settings === settings.flat && known.replicas === settings.replicas) return known.shards;
    const shards = this.#place(index);
    this.#placed.set(index.metadata.uuid, { shards, settings: settings.flat, replicas: settings.replicas });
    return shards;
  }

  /** How many copies each shard of an index is to have. */
  wanted({ metadata }: OpenIndex): number {
    const { self, nodes, isEverywhere } = this.#context;
    const own = self();
    const others = nodes.data.filter(({ id }) => id !== nodes.self).length;
    if (isEverywhere) return Number.MAX_SAFE_INTEGER;
    return wantedCopies(metadata.settings, others + (own === undefined ? 0 : 1));
  }

  /** Nodes that went, and whose places in an index are kept still. */
  delayed(index: OpenIndex): ClusterNode[] {
    const now = this.#context.clock.now();
    const delay = this.#delayOf(index.metadata.settings.flat);
    return [...this.#absent.values()].filter(({ since }) => now - since < delay).map(({ node }) => node);
  }

  /** Whether an index may be given further copies; `isNew` tells whether it was just made. */
  allows({ metadata }: OpenIndex, isPrimary: boolean, isNew: boolean): boolean {
    const enabled = enabledAllocation(metadata.settings.flat, this.#context.settings());
    if (enabled === 'all') return true;
    if (enabled === 'none' || !isPrimary) return false;
    return enabled === 'primaries' || isNew;
  }

  #place(index: OpenIndex): readonly (readonly string[])[] {
    const { self, nodes, settings } = this.#context;
    const { uuid, shardUids, settings: of } = index.metadata;
    const cluster = settings();
    const own = self();
    const others = nodes.data.filter(({ id }) => id !== nodes.self);
    const all: AllocatedNode[] = [...others, ...this.delayed(index), ...(own === undefined ? [] : [own])];
    const able = all.filter((node) => filteredOut(node, of.flat, cluster) === undefined);
    return placeIndex(uuid, shardUids.length, this.wanted(index), able, awarenessOf(cluster));
  }

  #delayOf(flat: FlatSettings): number {
    return delayOf(flat) ?? this.#context.graceMs;
  }

  /** Notes which nodes have gone, and which have come back. */
  #look(): void {
    const { nodes, clock } = this.#context;
    const { data, self } = nodes;
    const now = clock.now();
    for (const node of this.#known)
      if (node.id !== self && !data.some(({ id }) => id === node.id))
        this.#absent.set(node.id, { node, since: now });
    for (const { id } of data) this.#absent.delete(id);
    this.#known = data;
    this.#keep();
    this.forget();
    this.#expireLater();
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
      const over = clock.now() - Math.max(graceMs, longestDelay());
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
