import { OPTION_EXPLAIN, OPTION_GATHER, OPTION_NESTED, PLAN_AGGREGATIONS } from '../abi/plan';
import { AggregationContext } from '../aggregation/context';
import { Query } from '../plan/query';
import { Segment } from '../segment/segment';
import { SortSection } from '../sort/sortKeys';

/** One rescoring of the first hits. */
@unmanaged
export class Rescore {
  window: u32;
  queryWeight: f32;
  rescoreWeight: f32;
  mode: u8;
  query: Query;
}

/** What a plan (README.md) asks for. Lives in the request arena, as all that it refers to does; its bytes are referred to in place. */
@unmanaged
export class Plan {
  flags: u8;
  options: u16;
  /** How many hits are wanted. */
  hits: u32;
  root: Query;
  postFilter: Query | null;
  minScore: f32;
  terminateAfter: u32;
  /** Address and number of similarities (similarities.ts). */
  similarities: usize;
  similarityCount: u32;
  /** Statistics in place of the shard's (dfsStatistics.ts): address and number of the terms, and of the fields. */
  termStatistics: usize;
  termStatisticsCount: u32;
  fieldStatistics: usize;
  fieldStatisticsCount: u32;
  /** Address and number of the keys of the documents to explain. */
  explained: usize;
  explainedCount: u32;
  /** Array and number of Rescore pointers. */
  rescores: usize;
  rescoreCount: u32;
  /** Arrays and numbers of Query pointers: named nodes, filters of aggregations. */
  named: usize;
  namedCount: u32;
  filters: usize;
  filterCount: u32;
  /** Without keys where hits go by their scores. */
  sort: SortSection;
  /** Only where there are any. */
  aggregations: AggregationContext;

  // What is noted while its nodes are read: what the search has to do besides.
  /** Whether a function score of the nodes read has a minimum score: scores decide about matches. */
  scored: bool;
  /** Whether anything goes by which documents the filters around let through: such a one where scores count for nothing else, or a sum. */
  tested: bool;
  /** Whether there are joins or limits among them, which are worked out before all else. */
  joins: bool;
  /** Whether a function depends on the uids of documents. */
  needsUids: bool;

  @inline rescore(i: u32): Rescore {
    return changetype<Rescore>(load<usize>(this.rescores + <usize>i * sizeof<usize>()));
  }

  /** Whether hits are sorted by keys. */
  @inline get isSorted(): bool {
    return this.sort.count != 0;
  }

  /** Whether there are aggregations. */
  @inline get isAggregating(): bool {
    return (this.flags & PLAN_AGGREGATIONS) != 0;
  }

  /** Whether documents are explained, and none searched for. */
  @inline get isExplaining(): bool {
    return (this.options & OPTION_EXPLAIN) != 0;
  }

  /** Whether statistics are asked for, and no documents. */
  @inline get isGathering(): bool {
    return (this.options & OPTION_GATHER) != 0;
  }

  /** The documents of a segment that the search sees; 0: all. */
  @inline seen(seg: Segment): usize {
    return this.options & OPTION_NESTED ? seg.live : seg.visible;
  }
}
