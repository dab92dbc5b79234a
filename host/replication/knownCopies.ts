/** The copies of shards as this node knows them: where they are placed, and which nodes have some that may be searched. */
import type { OpenIndex } from '../metadata/openIndex.js';
import type { CountedPeers } from './countedPeers.js';
import type { ClusterNode, Nodes } from './nodes.js';
import type { Placements } from './placements.js';
import { successorOf } from './reroute/nodeChoice.js';

/** What is known of other nodes, and of this one. */
export interface KnownCopiesContext {
  nodes: Nodes;
  peers: CountedPeers;
  placements: Placements;
  /** Whether every node with data has a copy of everything. */
  isEverywhere: boolean;
  /** Whether this node's copy may be searched. */
  isSearchable(index: OpenIndex, shard: number): boolean;
  /** Why this node's store takes no commits now; undefined where it does. */
  stalled(): string | undefined;
}

export class KnownCopies {
  readonly #context: KnownCopiesContext;

  constructor(context: KnownCopiesContext) {
    this.#context = context;
  }

  /** The living nodes that a shard is placed on, whoever is asked in the same order. Not all of them may have their copies yet. */
  placed(index: OpenIndex, shard: number, ids = this.#placedIds(index, shard)): ClusterNode[] {
    const { data } = this.#context.nodes;
    return ids.flatMap((id) => data.find((node) => node.id === id) ?? []);
  }

  /** Whether a copy of a shard is on a node that it isn't placed on any more. */
  isMoving(index: OpenIndex, shard: number): boolean {
    const ids = this.#placedIds(index, shard);
    return this.searchable(index, shard).some(({ id }) => !ids.includes(id));
  }

  /** How many copies each shard of an index is to have. */
  wanted(index: OpenIndex): number {
    const { isEverywhere, placements } = this.#context;
    const { replicas } = index.metadata.settings;
    return isEverywhere ? 1 + replicas : placements.wanted(index);
  }

  /**
   * The living nodes with a copy of a shard that may be searched, whoever is asked in the same order; the first is shown as the primary.
   * @param ids the nodes that it is placed on, where that isn't as it is
   * @param choice by which it is placed there
   */
  searchable(
    index: OpenIndex,
    shard: number,
    ids = this.#placedIds(index, shard),
    choice = index.metadata.chosen?.[shard],
  ): ClusterNode[] {
    const { data, self } = this.#context.nodes;
    const { uuid } = index.metadata;
    const having = data.filter(({ id, copies }) => {
      if (id === self) return this.#context.isSearchable(index, shard);
      const told = copies?.[uuid];
      // Who has not told of an index yet has just heard of it.
      if (Array.isArray(told)) return told.includes(shard);
      return ids.includes(id) && !('origin' in index.metadata) && !('continued' in index.metadata);
    });
    const rank = ({ id }: ClusterNode) => {
      const place = ids.indexOf(id);
      if (place >= 0) return place;
      // A copy that goes to another node stays in its place until that has one.
      const successor = ids.indexOf(successorOf(choice, id) ?? '');
      return successor < 0 ? ids.length : successor + 0.5;
    };
    return having.sort((a, b) => rank(a) - rank(b));
  }

  /** Whether this node does what is done once for a shard: its copy is the first. */
  isFirst(index: OpenIndex, shard: number): boolean {
    return this.searchable(index, shard)[0]?.id === this.#context.nodes.self;
  }

  /**
   * The living nodes with a copy of a shard that may be searched: this one first where it is one of them, then the ones with the fewest
   * questions of this node under way.
   */
  leastBusy(index: OpenIndex, shard: number): ClusterNode[] {
    const { nodes, peers } = this.#context;
    const { self } = nodes;
    const busy = ({ id }: ClusterNode) => (id === self ? -1 : peers.underWay(id));
    return this.searchable(index, shard).sort((a, b) => busy(a) - busy(b));
  }

  /** Why no copy of a shard takes writes now: those that may be searched are on nodes whose stores take none; undefined where one does. */
  stalled(index: OpenIndex, shard: number): string | undefined {
    const reasons = this.searchable(index, shard).map((node) => this.#stallOf(node));
    return reasons.every((reason) => reason !== undefined) ? reasons.join('; ') || undefined : undefined;
  }

  /** Why nodes take no writes now. */
  stalledNodes(): string[] {
    return this.#context.nodes.all.flatMap((node) => this.#stallOf(node) ?? []);
  }

  #stallOf({ id, name, stalled: told }: ClusterNode): string | undefined {
    const { nodes, stalled } = this.#context;
    const reason = id === nodes.self ? stalled() : told;
    return reason === undefined ? undefined : `the node [${name}] takes no writes now: ${reason}`;
  }

  #placedIds(index: OpenIndex, shard: number): readonly string[] {
    return this.#context.placements.of(index)[shard] ?? [];
  }
}
