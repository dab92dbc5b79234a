import { Segment } from '../segment/segment';
import { Aggregation } from './aggregation';
import { Partials } from './partials';
import { Vectors } from './vector';

/** The aggregations of a search, and how far it has come. Lives in the request arena, and each aggregation knows it. */
@unmanaged
export class AggregationContext {
  vectors: Vectors;
  partials: Partials;
  /** Array and number of the aggregations of the top. */
  tops: usize;
  count: u32;

  // While they are decoded: how many there are, and the plan's filters, which they name by number.
  nodes: u32;
  filterCount: u32;

  /** Documents that the query matched. */
  matched: u64;
  /** The segment that is opened, the number of its first document in the shard, and that of the next one's. */
  segment: Segment;
  docBase: u32;
  nextBase: u32;

  /** The pass through a segment: whether its documents are all there are, for what is global, and whether scores are wanted. */
  isGlobal: bool;
  isScoring: bool;
  /** How many documents wait for the rest of their batch (aggregate.ts). */
  batched: u32;
  /** A Matcher that scores the documents; 0: each has the score 1. The batch that has been scored, ascending (hits.ts). */
  scorer: usize;
  scoredDocs: usize;
  scoredCount: u32;

  @inline top(i: u32): Aggregation {
    return changetype<Aggregation>(load<usize>(this.tops + <usize>i * sizeof<usize>()));
  }
}
