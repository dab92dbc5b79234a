import {
  AGG_CHILDREN,
  AGG_FILTER,
  AGG_GLOBAL,
  AGG_MISSING,
  AGG_NESTED,
  AGG_REVERSE_NESTED,
  AGG_STATS,
} from '../abi/aggregations';
import { Column } from '../docvalues/column';
import { Program } from '../expression/program';
import { AggregationContext } from './context';
import { Vector } from './vector';

/** Aggregations as the plan has them (README.md): a tree of nodes, each with the buckets that it has made so far. */

/** In place of a filter's number: documents that are not nested. */
export const NOT_NESTED: u32 = 0xffff;

/** What stands for a field: the documents' keys. */
export const KEYS: u16 = 0xfffe;

/** Documents and values that are worked on at once. */
export const BATCH: u32 = 1024;

/** Flags of terms. */
export const TERMS_EMPTY: u8 = 1;
export const TERMS_INCLUDE: u8 = 2;
export const TERMS_EXCLUDE: u8 = 4;
export const TERMS_BACKGROUND: u8 = 8;
/** Flag: the empty string has no bucket. */
export const TERMS_NOT_EMPTY: u8 = 32;

/** What buckets are ordered by. */
export const ORDER_COUNT: u8 = 0;
export const ORDER_KEY: u8 = 1;
export const ORDER_METRIC: u8 = 2;

@unmanaged
export class Order {
  what: u8;
  ascending: bool;
  /** The aggregation below, and which of its numbers. */
  target: Aggregation;
  metric: u8;
  /** A percentage or a value, where the metric needs one. */
  argument: f64;
}

/**
 * A node. Buckets are numbered over all buckets of the parent, in which they lie: those are their owners. The top of the tree
 * has one owner, number 0. Metrics have as many states as there are owners.
 */
@unmanaged
export class Aggregation {
  context: AggregationContext;
  kind: u8;
  /** Type of the values: a column's kind. */
  type: u8;
  flags: u8;
  field: u16;
  /** Array and number of Aggregation pointers. */
  children: usize;
  childCount: u32;
  /** Whether there is one owner only. */
  isTop: bool;

  // Of terms and grids: how many buckets a shard gives of each owner, in which order, and how many documents they must have.
  shardSize: u32;
  minimum: u32;
  orders: usize;
  orderCount: u32;
  /** Automatons, or sorted arrays of i64. */
  include: usize;
  includeCount: u32;
  exclude: usize;
  excludeCount: u32;

  // Of ranges and rings: pairs of f64; of filters: array of u16, numbers of filters.
  ranges: usize;
  rangeCount: u32;
  formula: u8;
  unit: f64;
  latitude: f64;
  longitude: f64;
  /** Of numbers: whether of each document only the first in the range counts. */
  takesFirst: bool;
  precision: u8;
  /** Of cardinality: whether values are taken as hashes. */
  isHashed: bool;
  compression: f64;

  // Of histograms: README.md, *Rounding*.
  roundingUnit: u8;
  interval: i64;
  shift: i64;
  before: i64;
  after: i64;
  toUtc: bool;
  zones: usize;
  zoneCount: u32;
  /** The piece that the last value was in: keys of [pieceFrom, pieceEnd) are pieceKey. */
  pieceFrom: i64;
  pieceEnd: i64;
  pieceKey: i64;
  /** The offset of [zoneFrom, zoneEnd). */
  zoneFrom: i64;
  zoneEnd: i64;
  zoneOffset: i64;

  /** The program that makes the values, of those of the field where there is one; 0: there is none. */
  script: usize;
  /** The type of those of the field, 0 where there is none. */
  scriptField: u8;

  @inline get program(): Program {
    return changetype<Program>(this.script);
  }

  // In the segment that is being aggregated.
  column: usize;
  /** Filters: array of Matcher pointers, 0 where nothing matches. */
  matchers: usize;
  /** Joins: documents that are not nested (segment/blocks.ts), 0 where all are; those that it puts out; of the nested ones, those above. */
  roots: usize;
  wanted: usize;
  above: usize;
  /** Strings: the terms (TermCursor), and per ordinal 1 + the term's number, 1 << 31 where it is excluded. */
  terms: usize;
  segmentTerms: Vector;
  /** Where reading stands: document of the batch, value of the document. */
  readDoc: u32;
  readValue: u32;
  /** Joins: the nested document that comes next, and the segment's documents. */
  readPart: u32;
  docCount: u32;
  /** Joins: whether there was no room for more of the batch's: it goes on where it stopped. */
  goesOn: bool;

  /** Strings: how many ordinals there are. */
  ordinals: u32;
  /** Keys: whether a document with more values than a batch has is being read, and how many have been; buckets' last ones in `state`. */
  readsLong: bool;
  longCount: u32;
  /** Histograms: pieces of the column (pieces.ts); 0 where they are too many. */
  pieceCount: u32;
  pieceShift: u32;
  pieceLeast: i64;
  pieceStarts: Vector;
  pieceKeys: Vector;
  pieceSlots: Vector;
  /** Buckets + 1 by owner and number within the segment, of which there are `locals` (buckets.ts). */
  locals: u32;
  localBuckets: Vector;
  /** Whether documents are counted by blocks of 128 (blocks.ts), the tally by number within the segment, and bounds of ranges, which last as long as the request. */
  byBlocks: bool;
  tally: Vector;
  bounds: usize;
  boundCount: u32;

  /** Children: the field of their parents' uids; numbers of the segment's parents, buckets by number (children.ts). */
  childField: u16;
  numbers: usize;
  heads: Vector;
  links: Vector;
  linkCount: u32;

  // Buckets.
  bucketCount: u32;
  counts: Vector;
  owners: Vector;
  /** i64 keys; of strings the number of the term. */
  keys: Vector;
  /** Hash table of bucket numbers + 1 by owner and key. */
  table: Vector;
  tableSize: u32;
  lastOwner: u32;
  lastKey: i64;
  lastBucket: u32;
  /** Strings: u32 offset of each term's bytes; the bytes; table of term numbers + 1. */
  termOffsets: Vector;
  termBytes: Vector;
  termBytesUsed: u32;
  termTable: Vector;
  termTableSize: u32;
  termCount: u32;
  /** Documents in the background by term; documents of all. */
  background: Vector;
  backgroundDocs: u64;

  /** Of top hits: the SortSection, 0: by score. */
  sort: usize;

  // Metrics.
  state: Vector;
  stateCount: u32;
  log: Vector;
  logCount: u32;
  /** Percentiles: how long the log may become before it is thinned out. */
  logFull: u32;

  // Scratch for a batch: values (i64), documents' places in it (u32), what goes down to the children, a column's block.
  values: usize;
  places: usize;
  outDocs: usize;
  outOwners: usize;
  block: usize;

  @inline get opened(): Column {
    return changetype<Column>(this.column);
  }
  @inline child(i: u32): Aggregation {
    return changetype<Aggregation>(load<usize>(this.children + <usize>i * sizeof<usize>()));
  }
  /** Whether its values are distances of points. */
  @inline get isMeasured(): bool {
    return this.kind == AGG_STATS && this.rangeCount != 0 && !this.takesFirst;
  }
  @inline get isBuckets(): bool {
    return this.kind < AGG_STATS;
  }
  /** Whether each owner has exactly one bucket, of the owner's number. */
  @inline get isSingle(): bool {
    return (
      this.kind == AGG_FILTER ||
      this.kind == AGG_GLOBAL ||
      this.kind == AGG_MISSING ||
      this.kind == AGG_CHILDREN ||
      this.isJoin
    );
  }
  /** Whether it goes from documents to their nested ones, or back. */
  @inline get isJoin(): bool {
    return this.kind == AGG_NESTED || this.kind == AGG_REVERSE_NESTED;
  }
  @inline order(i: u32): Order {
    return changetype<Order>(load<usize>(this.orders + <usize>i * sizeof<usize>()));
  }
}
