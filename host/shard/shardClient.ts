/** The one interface through which the engine talks to a shard, wherever it lives. */
import type { CoreStats, FieldBytes } from '../core/stats.js';
import type { CoreField } from '../core/instance.js';
import type { SearchResult, SegmentInfo } from '../core/result.js';
import type { SearchMemory } from '../core/searchMemory.js';
import type { WorkLimit } from '../workLimit.js';

/** A segment as a checkpoint sees it. */
export interface CheckpointSegment extends SegmentInfo {
  /** The image, for segments that the caller didn't know. */
  image: Uint8Array | undefined;
  /** The bitset of live documents, empty when all live. */
  liveSet: Uint8Array;
}

/** What must be kept for the shard to come back without its documents being indexed again. */
export interface Checkpoint {
  /** Every operation up to this one is in the segments. */
  seq: number;
  segments: CheckpointSegment[];
}

/** A segment and the keys of its documents. */
export interface SegmentKeys {
  id: number;
  keys: Float64Array;
}

/** Stats of one shard. */
export interface ShardStats {
  segments: SegmentInfo[];
  /** Bytes of linear memory of the core that hosts it, other shards included. */
  memoryBytes: number;
  stats: CoreStats;
  /** Milliseconds that merging took. */
  mergeTime: number;
  /** What searches have needed of fields' values. */
  fielddata: FieldBytes[];
  /** Bytes of the terms and postings of the fields that were asked for, in their order. */
  fields: number[];
}

/**
 * One shard. Calls take effect in the order they are made; a promise may resolve later than that of a call made after
 * it. Any call can fail with {@link ShardLost}: then the shard must be opened anew and filled from storage.
 */
export interface ShardClient {
  /** Before the first document that uses the fields. */
  define(fields: readonly CoreField[]): Promise<void>;
  /**
   * A batch of operations, as `BatchWriter` makes them; visible with the next refresh. With a `CoreError` the shard can't take it,
   * mostly for want of memory: it keeps the batch and tries again with every refresh, which fails as long as that does.
   * @param seq the newest operation in it
   */
  apply(batch: Uint8Array, seq: number): Promise<void>;
  /** When it resolves, all that was applied before the call is searchable. */
  refresh(): Promise<void>;
  /** @param limit ends it before it is through: a plan that takes part of an answer gets one, another a `CoreError` */
  search(plan: Uint8Array, limit: WorkLimit): Promise<SearchResult>;
  /** Reads dictionaries (`assembly/search/README.md`, *Reads of terms*). @param limit ends it with a `CoreError` */
  terms(request: Uint8Array, limit: WorkLimit): Promise<Uint8Array>;
  /** Which of the plans, each behind its length as a u32, match any document: a byte each, 0 or 1, or 2 where it can't be told. */
  matches(plans: Uint8Array, limit: WorkLimit): Promise<Uint8Array>;
  /** Adds a segment from its image; a damaged one is a `CoreError`. @param isGiven the caller needs the image no more */
  load(image: Uint8Array, liveSet: Uint8Array, isGiven?: boolean): Promise<SegmentInfo>;
  /** @param known ids of segments whose images the caller has */
  checkpoint(known: readonly number[]): Promise<Checkpoint>;
  /** The segments without the uids that some searches need, with the keys of their documents. */
  withoutUids(): Promise<SegmentKeys[]>;
  /** Gives a segment its uids; without effect where it is gone. */
  giveUids(segment: number, uids: Uint8Array): Promise<void>;
  /** Merges down to that many segments. */
  forceMerge(maxSegments: number): Promise<void>;
  /** @param fields numbers of fields whose bytes are wanted */
  stats(fields: readonly number[]): Promise<ShardStats>;
  /** Drops what is made again when it is needed. @param what parts of `Cache` */
  clear(what: number): Promise<void>;
  /** Drops the shard. */
  close(): Promise<void>;
}

/** Where shards live: this thread, or worker threads. */
export interface ShardTransport {
  /** An empty shard. */
  open(): Promise<ShardClient>;
  /** Bytes of fields' values that searches have needed, of all shards, as far as is known. */
  readonly fielddata: number;
  /** Bounds them: searches that need more are refused. */
  limitFielddata(bytes: number): void;
  /** What searches take besides, and may take; undefined where that is not counted. */
  readonly searchMemory?: SearchMemory;
  /** Ends everything. */
  close(): Promise<void>;
}

/** The instance that hosted the shard is gone, with all that was in it. */
export class ShardLost extends Error {
  override readonly name = 'ShardLost';
}
