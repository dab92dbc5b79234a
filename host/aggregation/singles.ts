/** `filter`, `filters`, `missing` and `global`: documents of some kind among those of the bucket above. */

import { tokenOf } from '../json/jsonTokens.js';
import type { PlanBytes } from '../core/planBytes.js';
import { invokedOnNull } from '../compat17/javaCasts.js';
import { ElasticsearchError } from '../errors.js';
import { isObject, type JsonObject } from '../json/values.js';
import type { Turns } from '../workLimit.js';
import {
  Aggregation,
  type Bucket,
  emptyBucket,
  mergeBuckets,
  readBucket,
  renderBelow,
} from './aggregation.js';
import { AggregationKind } from '../core/abi/aggregations.js';
import { type AggregationContext, checkListed, malformed, readKeys } from './body.js';
import type { PartialReader } from './reader.js';
import type { Reduction } from './reduction.js';
import type { Rendered } from './rendered.js';

/** One bucket for each bucket above. */
export abstract class Single extends Aggregation<Bucket> {
  override readonly shape = 'single';

  override read(reader: PartialReader, work: Reduction): Turns<Bucket> {
    return readBucket(this.told, reader, work);
  }

  override merge(partials: readonly Bucket[], work: Reduction): Turns<Bucket> {
    return mergeBuckets(this.children, partials, work);
  }

  override empty(): Bucket {
    return emptyBucket(this.children);
  }

  override *render(bucket: Bucket, work: Reduction): Turns<Rendered> {
    return { doc_count: bucket.docs, ...(yield* renderBelow(this.children, bucket, work)) };
  }

  override number({ docs }: Bucket): number {
    return docs;
  }
}

export class Filter extends Single {
  readonly #filter: number;

  constructor(name: string, filter: number) {
    super(name);
    this.#filter = filter;
  }

  protected override writeHead(bytes: PlanBytes): void {
    bytes.u8(AggregationKind.filter);
    bytes.u16(this.#filter);
  }
}

/** All documents, or all that pass a filter: the core has them in a filter below. */
export class Global extends Single {
  readonly #filter: number | undefined;

  constructor(name: string, filter?: number) {
    super(name);
    this.#filter = filter;
  }

  protected override writeHead(bytes: PlanBytes): void {
    bytes.u8(AggregationKind.global);
    if (this.#filter === undefined) return;
    bytes.u16(1);
    bytes.u8(AggregationKind.filter);
    bytes.u16(this.#filter);
  }

  override read(reader: PartialReader, work: Reduction): Turns<Bucket> {
    if (this.#filter !== undefined) reader.u32();
    return super.read(reader, work);
  }
}

/** A bucket for each of several filters, with names or without. */
class Filters extends Aggregation<Bucket[]> {
  override readonly shape = 'several';
  readonly #names: readonly string[] | undefined;
  readonly #filters: readonly number[];

  constructor(name: string, filters: readonly number[], names: readonly string[] | undefined) {
    super(name);
    this.#filters = filters;
    this.#names = names;
  }

  protected override writeHead(bytes: PlanBytes): void {
    bytes.u8(AggregationKind.filters);
    bytes.u16(this.#filters.length);
    for (const filter of this.#filters) bytes.u16(filter);
  }

  override *read(reader: PartialReader, work: Reduction): Turns<Bucket[]> {
    const buckets: Bucket[] = [];
    for (const _ of this.#filters) buckets.push(yield* readBucket(this.children, reader, work));
    return buckets;
  }

  override *merge(partials: readonly Bucket[][], work: Reduction): Turns<Bucket[]> {
    const merged: Bucket[] = [];
    for (let i = 0; i < this.#filters.length; i++) {
      const group = partials.map((buckets) => buckets[i]!);
      merged.push(yield* mergeBuckets(this.children, group, work));
    }
    return merged;
  }

  override empty(): Bucket[] {
    return this.#filters.map(() => emptyBucket(this.children));
  }

  override *render(buckets: Bucket[], work: Reduction): Turns<Rendered> {
    const shown: Rendered[] = [];
    for (const bucket of buckets)
      shown.push({ doc_count: bucket.docs, ...(yield* renderBelow(this.children, bucket, work)) });
    if (this.#names === undefined) return { buckets: shown };
    return { buckets: Object.fromEntries(shown.map((bucket, i) => [this.#names![i]!, bucket])) };
  }
}

/** Compiles a filter and returns its number; an empty one matches everything. */
export function addFilter(json: unknown, { dsl, filters }: AggregationContext): number {
  const node = dsl.filter(json) ?? { kind: 'all', boost: 1 };
  filters.push(node);
  return filters.length - 1;
}

export function filterAggregation(name: string, body: JsonObject, context: AggregationContext): Aggregation {
  return new Filter(name, addFilter(body, context));
}

export function filtersAggregation(name: string, body: JsonObject, context: AggregationContext): Aggregation {
  let entries: [string | undefined, unknown][] | undefined;
  readKeys(name, body, (value, token, key) => {
    if (key !== 'filters') return false;
    if (isObject(value)) entries = Object.entries(value);
    else if (Array.isArray(value)) entries = value.map((each) => [undefined, each]);
    else return false;
    return token !== '';
  });
  if (entries === undefined)
    throw new ElasticsearchError(
      'NullPointerException',
      invokedOnNull('java.lang.Boolean.booleanValue()', 'keyed'),
      { status: 400 },
    );
  checkListed(entries.length, 'filters', name);
  const numbers = entries.map(([, json]) => addFilter(json, context));
  const named = isObject(body.filters) ? entries.map(([key]) => key!) : undefined;
  return new Filters(name, numbers, named);
}

export function globalAggregation(name: string, body: JsonObject, context: AggregationContext): Aggregation {
  // 1.7 takes the value of a key for what stands behind the body.
  for (const value of Object.values(body)) {
    const detail = `Expected [FIELD_NAME] under a [START_OBJECT], but got a [${tokenOf(value)}] in [${name}]`;
    throw malformed(detail);
  }
  if (context.parent !== undefined) {
    context.failure ??= new ElasticsearchError(
      'AggregationExecutionException',
      `Aggregation [${context.parent}] cannot have a global sub-aggregation [${name}]. Global aggregations can only be defined as top level aggregations`,
    );
    // Where what is above is left out, so is this.
    return nowhere(name, context);
  }
  const filter = context.everything();
  return new Global(name, filter === undefined ? undefined : context.filters.push(filter) - 1);
}

/** No documents, because the mapping has none of the kind. */
export function nowhere(name: string, { filters }: AggregationContext): Aggregation {
  filters.push({ kind: 'none' });
  return new Filter(name, filters.length - 1);
}

/** The same, where 1.7 leaves out the aggregations below too. */
export function nothingBelow(name: string, context: AggregationContext): Aggregation {
  const made = nowhere(name, context);
  made.leavesOutBelow = true;
  return made;
}
