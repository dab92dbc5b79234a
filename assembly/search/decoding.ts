import { Query } from '../plan/query';
import { Shard } from '../segment/shards';
import { Plan } from './plan';

/** Reads a node behind its kind; `scoring` where it may score. */
export type Decode = (d: Decoding, node: Query, depth: u32, scoring: bool) => void;

/** A plan whose nodes are being read. */
@unmanaged
export class Decoding {
  plan: Plan;
  shard: Shard;
  /** Nodes read so far. */
  nodes: u32;
  /** Every filter is read, even one of which all is kept: what is told of filters, and of the terms in them, takes their nodes. */
  readsFilters: bool;

  /** Sets whether scores decide about matches; how that was before. */
  swapScored(scored: bool): bool {
    const before = this.plan.scored;
    this.plan.scored = scored;
    return before;
  }
}
