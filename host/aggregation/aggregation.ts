/**
 * An aggregation: what the core is told to do, how its partials are read, reduced over the shards, and shown. Each shard gives one
 * partial for each bucket above; partials of several shards are merged by the aggregation of any of them.
 */

import type { PlanBytes } from '../core/planBytes.js';
import type { Turns } from '../workLimit.js';
import type { PartialReader } from './reader.js';
import type { Reduction } from './reduction.js';
import { valueBytes } from './valueBytes.js';
import type { Rendered } from './rendered.js';

/** Numbers of metrics that a shard can order buckets by. */
export const Metric = {
  docs: 0,
  count: 1,
  min: 2,
  max: 3,
  sum: 4,
  avg: 5,
  sum_of_squares: 6,
  variance: 7,
  std_deviation: 8,
} as const;

/** What a number of an aggregation is called in an order, and how a shard finds it. */
export interface OrderTarget {
  metric: number;
  argument: number;
}

export abstract class Aggregation<P = unknown> {
  readonly name: string;
  /** Those below, in the order of the request. */
  children: readonly Aggregation[] = [];

  /**
   * Where the aggregations below have their documents, if not where this one has: in the objects of a nested field, or outside of
   * them; and whether there is a nested aggregation above these.
   */
  inside: { path: string | undefined; nested: boolean } | undefined;

  /** Whether the mapping lacks what it goes by, where 1.7 then leaves out the aggregations below. */
  leavesOutBelow = false;

  constructor(name: string) {
    this.name = name;
  }

  /** The aggregations below that the core is told of. */
  get told(): readonly Aggregation[] {
    return this.leavesOutBelow ? [] : this.children;
  }

  /** The kind of bucket: one for each bucket above, several, or none. */
  abstract readonly shape: 'single' | 'several' | 'metric';

  /** The numbers of an aggregation by which buckets can be ordered; a single one goes without name. */
  targets(): ReadonlyMap<string, OrderTarget> {
    return this.shape === 'single' ? SINGLE : NONE;
  }

  /** Whether a name belongs to the only number that there is. */
  get isSingleValue(): boolean {
    return this.targets().size === 1;
  }

  /** Whether it was asked for, not only for the sake of others. */
  get isShown(): boolean {
    return true;
  }

  /** Whether nobody knows beforehand how many buckets there will be. */
  get isOpen(): boolean {
    return false;
  }

  /** Fails where it is found out only when a search begins that the aggregations below don't fit. */
  check(): void {}

  /** Writes kind and payload. */
  protected abstract writeHead(bytes: PlanBytes): void;

  /** Writes what stands behind the children. */
  protected writeTail(_bytes: PlanBytes): void {}

  /** Writes the aggregation for the core. */
  write(bytes: PlanBytes): void {
    this.writeHead(bytes);
    bytes.u16(this.told.length);
    for (const child of this.told) child.write(bytes);
    this.writeTail(bytes);
  }

  /** Reads a shard's partial. */
  abstract read(reader: PartialReader, work: Reduction): Turns<P>;

  /** Reduces the partials of shards, at least one. */
  abstract merge(partials: readonly P[], work: Reduction): Turns<P>;

  /** What a bucket without documents has. */
  abstract empty(): P;

  abstract render(partial: P, work: Reduction): Turns<Rendered>;

  /** A number of a reduced partial that buckets are ordered by. */
  number(_partial: P, _name: string): number {
    return Number.NaN;
  }
}

/** An aggregation without buckets: what it has is read, reduced and shown at once. */
export abstract class MetricAggregation<P = unknown> extends Aggregation<P> {
  override readonly shape = 'metric';

  /** Reads a shard's partial. */
  abstract readAtOnce(reader: PartialReader): P;
  /** Reduces the partials of shards, at least one. */
  abstract mergeAtOnce(partials: readonly P[]): P;
  abstract renderAtOnce(partial: P): Rendered;

  // biome-ignore lint/correctness/useYield: it takes no time
  override *read(reader: PartialReader): Turns<P> {
    return this.readAtOnce(reader);
  }

  // biome-ignore lint/correctness/useYield: it takes no time
  override *merge(partials: readonly P[]): Turns<P> {
    return this.mergeAtOnce(partials);
  }

  // biome-ignore lint/correctness/useYield: it takes no time
  override *render(partial: P): Turns<Rendered> {
    return this.renderAtOnce(partial);
  }
}

const NONE: ReadonlyMap<string, OrderTarget> = new Map();
const SINGLE: ReadonlyMap<string, OrderTarget> = new Map([
  ['doc_count', { metric: Metric.docs, argument: 0 }],
]);

/** A bucket: its documents, and what the aggregations below have; undefined or missing where these are left out. */
export interface Bucket {
  docs: number;
  below: unknown[];
}

export function* readBucket(
  children: readonly Aggregation[],
  reader: PartialReader,
  work: Reduction,
): Turns<Bucket> {
  const docs = reader.u32();
  return { docs, below: yield* readBelow(children, reader, work) };
}

/** What a bucket without aggregations below has of them, and what it shows of them. */
export const NOTHING_BELOW: unknown[] = [];
export const NOTHING_SHOWN: { [name: string]: Rendered } = {};

/**
 * Counts a bucket without aggregations below that is read; whether others should get the event loop. A generator for each such bucket,
 * where it is read, reduced and shown, made a reduction take twice as long.
 */
export function isDueForRead(work: Reduction): boolean {
  work.take(HELD_BYTES);
  return work.isDue();
}

/** The same where it is shown. */
export function isDueForShown(work: Reduction): boolean {
  work.take(SHOWN_BYTES);
  return work.isDue();
}

export function* readBelow(
  children: readonly Aggregation[],
  reader: PartialReader,
  work: Reduction,
): Turns<unknown[]> {
  if (isDueForRead(work)) yield;
  const below: unknown[] = [];
  for (const child of children)
    below.push(
      child instanceof MetricAggregation ? child.readAtOnce(reader) : yield* child.read(reader, work),
    );
  return below;
}

export function* mergeBuckets(
  children: readonly Aggregation[],
  buckets: readonly Bucket[],
  work: Reduction,
): Turns<Bucket> {
  if (work.isDue(buckets.length)) yield;
  work.take(HELD_BYTES);
  const below: unknown[] = [];
  for (let i = 0; i < children.length; i++) {
    // What shards have that work it out at all.
    const present = buckets.map((each) => each.below[i]).filter((each) => each !== undefined);
    const child = children[i]!;
    if (present.length === 0) below.push(undefined);
    else
      below.push(
        child instanceof MetricAggregation ? child.mergeAtOnce(present) : yield* child.merge(present, work),
      );
  }
  return { docs: buckets.reduce((sum, { docs }) => sum + docs, 0), below };
}

export function emptyBucket(children: readonly Aggregation[]): Bucket {
  return { docs: 0, below: children.map((child) => child.empty()) };
}

/** A bucket as a shard has it, or all of them together. */
const HELD_BYTES = 100;
/** A bucket that is shown, and the place of what another one shows in it. */
const SHOWN_BYTES = 150;
const PLACE_BYTES = 50;

/** What each has shown of its first bucket; of others it shows about as much. */
const shownBytes = new WeakMap<Aggregation, number>();

function shownBytesOf(metric: Aggregation, shown: Rendered): number {
  let bytes = shownBytes.get(metric);
  if (bytes === undefined) {
    bytes = valueBytes(shown);
    shownBytes.set(metric, bytes);
  }
  return bytes;
}

/** What the aggregations below show, by their names. */
export function* renderBelow(
  children: readonly Aggregation[],
  { below }: Bucket,
  work: Reduction,
): Turns<{ [name: string]: Rendered }> {
  if (work.isDue()) yield;
  const shown: [string, Rendered][] = [];
  for (let i = 0; i < children.length; i++) {
    const child = children[i]!;
    const own = below[i];
    if (own === undefined) continue;
    if (child instanceof MetricAggregation) {
      const rendered = child.renderAtOnce(own);
      work.take(shownBytesOf(child, rendered));
      shown.push([child.name, rendered]);
    } else shown.push([child.name, yield* child.render(own, work)]);
  }
  work.take(SHOWN_BYTES + PLACE_BYTES * shown.length);
  return Object.fromEntries(shown);
}
