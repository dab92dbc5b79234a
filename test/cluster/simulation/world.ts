/**
 * What the cluster of a seed is like, and what happens in it. A world is small, and its history short: two indices at most, a handful of
 * documents, a handful of faults. What goes wrong in a cluster goes wrong between few events, so that many short histories find more than few
 * long ones in the same time; the end of each, where all is mended and compared, finds what its faults have done. Of each kind of
 * request and of fault a world has only some, so that each is often among few others.
 */
import type { Random } from '../../torture/random.js';
import { ACTIONS, type ActionName } from './actions.js';
import { FAULTS, type FaultName } from './faultPlan.js';

export interface World {
  /** Ids of the nodes. */
  readonly nodes: readonly string[];
  /** Those of them that have no copies of shards. */
  readonly withoutData: readonly string[];
  /** Whether indices say how many copies there are; every node with data has one otherwise. */
  readonly placed: boolean;
  readonly replicas: number;
  /** Milliseconds for which the places of nodes that went are kept. */
  readonly graceMs: number;
  readonly indices: readonly string[];
  /** Of each index. */
  readonly shards: number;
  /** Documents of each index that clients write. */
  readonly documents: number;
  readonly clients: number;
  /** Milliseconds between two requests of a client, at most. */
  readonly pauseMs: number;
  readonly actions: readonly ActionName[];
  readonly faults: readonly FaultName[];
  /** Milliseconds between two faults, at most. */
  readonly faultsEveryMs: number;
  /** For how long there are requests and faults. */
  readonly lastsMs: number;
  /** Milliseconds after which a node that isn't heard of is gone; what it is divided by gives whole ones. */
  readonly memberTtlMs: number;
  /** Milliseconds that a disk takes for a commit, at most. */
  readonly diskMs: number;
}

/** Chance of each kind of request and of fault to be part of a world. */
const TAKEN = 0.6;
/** Chance that indices say how many copies there are. */
const PLACED = 0.7;

export function worldOf(random: Random): World {
  const some = <T>(all: readonly T[]): T[] => {
    const taken = all.filter(() => random.chance(TAKEN));
    return taken.length > 0 ? taken : [all[random.below(all.length)]!];
  };
  const among = <T>(values: readonly T[]): T => values[random.below(values.length)]!;
  const faultsEveryMs = among([500, 1000, 2000]);
  const count = among([2, 3, 3, 3, 4]);
  const nodes = ['a', 'b', 'c', 'd'].slice(0, count);
  const hasClient = count > 2 && random.chance(0.3);
  return {
    nodes,
    withoutData: hasClient ? nodes.slice(-1) : [],
    placed: random.chance(PLACED),
    replicas: among([0, 1, 1, 2]),
    graceMs: among([500, 5000, 60_000]),
    indices: among([['books'], ['books'], ['books', 'more']]),
    shards: among([1, 1, 2]),
    documents: 2 + random.below(3),
    clients: 2 + random.below(2),
    pauseMs: among([100, 300, 600]),
    // Without writes nothing is tried.
    actions: ['write', ...some(ACTIONS)],
    faults: some(FAULTS),
    faultsEveryMs,
    lastsMs: faultsEveryMs * (2 + random.below(2)),
    memberTtlMs: among([1500, 9000]),
    diskMs: among([2, 2, 20, 200]),
  };
}
