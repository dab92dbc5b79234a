/** Plans: what the core is asked, as a tree of nodes and what goes with it; searchBody/encode.ts writes the bytes. */

import type { PlanBytes } from '../core/planBytes.js';
import type { Similarity } from '../similarity/similarities.js';
import type { PlanNode } from './nodes.js';
import type { Sort } from './sortKeys.js';
import type { Statistics } from './statistics.js';

/** Aggregations as a plan knows them: the filters that they ask, and a tree that writes itself. */
export interface PlannedAggregations {
  readonly filters: readonly PlanNode[];
  readonly list: readonly { write(bytes: PlanBytes): void }[];
}

/** A whole plan. */
export interface Plan {
  /** How many hits are wanted; 0 for the total alone. */
  k: number;
  /** Score document by document, never in bulk. */
  inOrder: boolean;
  root: PlanNode;
  postFilter?: PlanNode | undefined;
  /** Sorts the hits by more than their scores. */
  sort?: Sort<PlanNode> | undefined;
  /** What the matches are aggregated to. */
  aggregations?: PlannedAggregations | undefined;
  /** Documents that score less don't count. */
  minScore?: number | undefined;
  /** One after the other, each on the hits that the one before left in order. */
  rescore?: Rescore[] | undefined;
  /** Nodes of which the result tells, for every hit, whether they match it; as filters. */
  named?: PlanNode[] | undefined;
  /** Stop a segment's search after so many documents. */
  terminateAfter?: number | undefined;
  /** Milliseconds that the search may take. */
  timeout?: number | undefined;
  /** A shard that is stopped answers with what it has found by then, and its result tells so (`takeStopped`). */
  partial?: boolean;
  /** Don't search: explain the documents with these keys. */
  explain?: readonly number[] | undefined;
  /** Don't search: give the document frequencies of all terms. */
  gather?: boolean | undefined;
  /** Fields that are not scored with the default similarity. */
  similarities?: ReadonlyMap<number, Similarity> | undefined;
  /** Nested documents are found like others. */
  findsNested?: boolean | undefined;
  /** Statistics of all shards together, in place of this shard's. */
  statistics?: Statistics | undefined;
}

/** Scores the first `window` hits again. */
export interface Rescore {
  window: number;
  node: PlanNode;
  queryWeight: number;
  rescoreWeight: number;
  mode: RescoreMode;
}
export const RescoreMode = { total: 0, multiply: 1, avg: 2, max: 3, min: 4 } as const;
export type RescoreMode = (typeof RescoreMode)[keyof typeof RescoreMode];

/** The shard that a plan is for, where the plan depends on it. */
export interface PlanShard {
  readonly number: number;
  readonly documents: {
    /** The key under which searches find a document, by `type#id`. */
    visibleKey(uid: string): number | undefined;
    /** The keys of those whose `type#id` begins so. */
    visibleKeys(prefix: string, accepts?: (uid: string) => boolean): number[];
    /**
     * Whether the keys of documents are filled in by whoever has them, where the plan has a list of so many from that position on. Without:
     * they are known.
     */
    fillLater?(at: number, uids: readonly string[]): boolean;
  };
}

/** A shard without documents. */
export const EMPTY_SHARD: PlanShard = {
  number: 0,
  documents: { visibleKey: () => undefined, visibleKeys: () => [] },
};

/** Limits of the core. */
export const MAX_DEPTH = 64;
export const MAX_NODES = 16_384;
/** The most clauses of one boolean query, as in 1.7. */
export const MAX_CLAUSES = 1024;
