/** `terms`: a bucket for each value. */

import { tokenOf } from '../json/jsonTokens.js';
import type { PlanBytes } from '../core/planBytes.js';
import { ElasticsearchError, illegalArgument, parseFailure } from '../errors.js';
import { doubleText } from '../numbers/javaNumbers.js';
import { booleanOf, strictIntOf, isObject, type JsonObject } from '../json/values.js';
import type { Turns } from '../workLimit.js';
import {
  Aggregation,
  type Bucket,
  isDueForRead,
  isDueForShown,
  mergeBuckets,
  NOTHING_BELOW,
  NOTHING_SHOWN,
  readBelow,
  readBucket,
  renderBelow,
} from './aggregation.js';
import { AggregationKind } from '../core/abi/aggregations.js';
import { type AggregationContext, malformed, readKeys, sourceKeys, sourceFrom, sourceKey } from './body.js';
import { type Include, readIncludes, type TermFilter, termFilterKey, termTest } from './include.js';
import {
  BY_COUNT,
  BY_KEY,
  bucketOrder,
  type Order,
  readOrder,
  type Target,
  targetsOf,
  UNKNOWN_METRIC,
  writeOrders,
} from './order.js';
import { groupByKey } from './keyBuckets.js';
import type { PartialReader } from './reader.js';
import type { Reduction } from './reduction.js';
import { Double, type Rendered } from './rendered.js';
import { addFilter } from './singles.js';
import { sorted } from './sorting.js';
import { familyIdsOf, type ValueSource, ValueType, writeSource } from './source.js';
import { ownValue } from '../ownNames.js';

/** How many buckets are wanted. */
export interface Thresholds {
  size: number;
  shardSize: number;
  minDocCount: number;
  shardMinDocCount: number;
}

export const ALL = 0xffff_ffff;

/** A value: strings as they are, fractions and whole numbers as the core keeps them, in one order. */
export type TermKey = string | bigint;

export interface TermBucket extends Bucket {
  key: TermKey;
  /** How far the count may be off; of a shard's bucket, what its shard may have kept back of others. */
  error: number;
}

export interface Terms {
  buckets: TermBucket[];
  /** Documents in buckets that are not shown. */
  others: number;
  /** How far counts may be off at most; -1 if nobody knows. */
  error: number;
  source: ValueSource;
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
const scratch = new DataView(new ArrayBuffer(8));

/** The double that the core keeps as a whole number of the same order. */
export function doubleOf(ordered: bigint): number {
  scratch.setBigInt64(0, ordered < 0n ? ordered ^ 0x7fff_ffff_ffff_ffffn : ordered);
  return scratch.getFloat64(0);
}

export function readKey(reader: PartialReader, { type, script, uids }: ValueSource): TermKey {
  if (uids === true) return reader.shard?.uid(Number(reader.i64())) ?? '';
  if (script !== undefined && type === ValueType.string) return doubleText(doubleOf(reader.i64()));
  return type === ValueType.string ? utf8.decode(reader.bytes(reader.u32())) : reader.i64();
}

/** The keys of a bucket of the core. */
function keysOf(reader: PartialReader, source: ValueSource): readonly TermKey[] {
  if (source.namesOf === undefined) return [readKey(reader, source)];
  const document = reader.shard?.document(Number(reader.i64()));
  return document === undefined ? [] : source.namesOf(document);
}

/** Compares by UTF-8 bytes, which is by code points. */
export function compareTermKeys(a: TermKey, b: TermKey): number {
  if (typeof a === 'bigint' || typeof b === 'bigint') return a < b ? -1 : a > b ? 1 : 0;
  if (a === b) return 0;
  const n = Math.min(a.length, b.length);
  for (let i = 0; i < n; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (x === y) continue;
    // Surrogates stand for code points above all others.
    const [high, low] = [x >= 0xd800 && x < 0xe000, y >= 0xd800 && y < 0xe000];
    if (high !== low) return high ? 1 : -1;
    return x - y;
  }
  return a.length - b.length;
}

/** `key`, and `key_as_string` where the field has a format. */
export function renderKey(
  key: TermKey,
  { type, format }: ValueSource,
): { [name: string]: Rendered | undefined } {
  if (typeof key === 'string') return { key };
  const value = type === ValueType.double ? doubleOf(key) : key;
  return {
    key: typeof value === 'number' ? new Double(value) : value,
    key_as_string: format.isRaw ? undefined : format.print(value),
  };
}

/** 500: shards that have strings and shards that have numbers. */
export function checkTypes(sources: readonly ValueSource[]): ValueSource {
  const mapped = sources.filter((source) => source.mapped);
  const [first] = mapped;
  if (first === undefined) return sources[0]!;
  if (mapped.some(({ type }) => type !== first.type))
    throw new ElasticsearchError(
      'ClassCastException',
      'buckets of one aggregation have keys of different types',
    );
  return first;
}

/** Whether terms are texts that are made only here of what the core has. */
function isTextual({ script, uids, type }: ValueSource): boolean {
  return uids === true || (script !== undefined && type === ValueType.string);
}

/** Flag: the empty string has no bucket. */
const NOT_EMPTY = 32;

interface TermsDetails {
  /** Which of the terms that the core doesn't know may have buckets. */
  wanted?: ((term: string) => boolean) | undefined;
  /** Whether the empty string has no bucket. */
  leavesOutEmpty?: boolean;
}

export class TermsAggregation extends Aggregation<Terms> {
  override readonly shape: 'several' | 'metric' = 'several';
  readonly #source: ValueSource;
  readonly #thresholds: Thresholds;
  readonly #orders: readonly Order[];
  readonly #include: Include;
  readonly #showErrors: boolean;
  readonly #wanted: ((term: string) => boolean) | undefined;
  readonly #leavesOutEmpty: boolean;
  #found: Target[] | undefined;

  constructor(
    name: string,
    source: ValueSource,
    thresholds: Thresholds,
    orders: readonly Order[],
    include: Include,
    showErrors: boolean,
    { wanted, leavesOutEmpty = false }: TermsDetails = {},
  ) {
    super(name);
    this.#wanted = wanted;
    this.#leavesOutEmpty = leavesOutEmpty;
    this.#source = source;
    this.#thresholds = thresholds;
    this.#orders = orders;
    this.#include = include;
    this.#showErrors = showErrors;
  }

  override get isOpen(): boolean {
    return true;
  }

  override check(): void {
    this.#targets;
  }

  get #targets(): Target[] {
    this.#found ??= targetsOf(this.#orders, this.children);
    return this.#found;
  }

  protected override writeHead(bytes: PlanBytes): void {
    const { minDocCount, shardMinDocCount } = this.#thresholds;
    const shardSize = this.#sortsHere ? ALL : this.#thresholds.shardSize;
    const { include, exclude } = this.#include;
    bytes.u8(AggregationKind.terms);
    writeSource(bytes, this.#source);
    bytes.u8(
      (this.#leavesOutEmpty ? NOT_EMPTY : 0) |
        (minDocCount === 0 ? 1 : 0) |
        (include === undefined ? 0 : 2) |
        (exclude === undefined ? 0 : 4),
    );
    bytes.u32(shardSize);
    bytes.u32(minDocCount === 0 ? 0 : shardMinDocCount);
    for (const filter of [include, exclude]) if (filter !== undefined) filter.write(bytes);
  }

  protected override writeTail(bytes: PlanBytes): void {
    if (this.#sortsHere) writeOrders(bytes, [BY_KEY], []);
    else writeOrders(bytes, this.#orders, this.#targets);
  }

  override *read(reader: PartialReader, work: Reduction): Turns<Terms> {
    let others = reader.f64();
    let buckets: TermBucket[] = [];
    const isLeaf = this.children.length === 0;
    for (let n = reader.u32(); n > 0; n--) {
      const keys = keysOf(reader, this.#source);
      const docs = reader.u32();
      if (isLeaf && isDueForRead(work)) yield;
      const below = isLeaf ? NOTHING_BELOW : yield* readBelow(this.children, reader, work);
      for (const key of keys) buckets.push({ key, docs, error: 0, below });
    }
    if (this.#source.namesOf !== undefined) buckets = yield* this.#together([buckets], work);
    if (this.#sortsHere) {
      const wanted = this.#wanted;
      const some = wanted === undefined ? buckets : buckets.filter(({ key }) => wanted(String(key)));
      const all = yield* sorted(some, this.#order, work);
      buckets = all.slice(0, this.#thresholds.shardSize);
      for (const { docs } of all.slice(buckets.length)) others += docs;
    }
    const error = this.#errorOf(buckets);
    for (const bucket of buckets) bucket.error = error;
    return { buckets, others, error, source: this.#source };
  }

  /** Buckets of one key as one. */
  *#together(lists: readonly (readonly TermBucket[])[], work: Reduction): Turns<TermBucket[]> {
    const merged: TermBucket[] = [];
    for (const group of yield* groupByKey(lists, work)) {
      const { key, error } = group[0]!;
      const { docs, below } = yield* mergeBuckets(this.children, group, work);
      merged.push({ key, error, docs, below });
    }
    return merged;
  }

  /** Whether the core can't put the buckets in order: fractions that are shown as texts, or by numbers that it hasn't got. */
  get #sortsHere(): boolean {
    return isTextual(this.#source) || this.#targets.some(({ found }) => found.metric === UNKNOWN_METRIC);
  }

  get #order(): (a: TermBucket, b: TermBucket) => number {
    return bucketOrder<TermBucket>(this.#orders, this.#targets, (a, b) => compareTermKeys(a.key, b.key));
  }

  /** How many documents a shard may have kept back of a term that it didn't give. */
  #errorOf(buckets: readonly TermBucket[]): number {
    if (buckets.length < this.#thresholds.shardSize) return 0;
    const [order] = this.#orders;
    if (order?.by === 'count' && !order.ascending) return buckets.at(-1)?.docs ?? 0;
    return order?.by === 'key' ? 0 : -1;
  }

  override *merge(partials: readonly Terms[], work: Reduction): Turns<Terms> {
    const source = checkTypes(partials.map((each) => each.source));
    const errors = partials.map(({ error }) => error);
    const unknown = errors.includes(-1);
    const sum = errors.reduce((all, error) => all + error, 0);
    const { size, minDocCount } = this.#thresholds;
    const merged: TermBucket[] = [];
    for (const group of yield* groupByKey(
      partials.map(({ buckets }) => buckets),
      work,
    )) {
      const { key } = group[0]!;
      const error = unknown ? -1 : sum - group.reduce((all, each) => all + each.error, 0);
      const { docs, below } = yield* mergeBuckets(this.children, group, work);
      merged.push({ key, error, docs, below });
    }
    const enough = yield* sorted(
      merged.filter(({ docs }) => docs >= minDocCount),
      this.#order,
      work,
    );
    const all = merged.reduce((docs, bucket) => docs + bucket.docs, 0);
    const buckets = enough.slice(0, size);
    const shown = buckets.reduce((docs, bucket) => docs + bucket.docs, 0);
    const kept = partials.reduce((docs, { others }) => docs + others, 0);
    // Too few documents are no others.
    const few = all - enough.reduce((docs, bucket) => docs + bucket.docs, 0);
    return {
      buckets,
      others: kept + all - shown - few,
      error: unknown ? -1 : partials.length === 1 ? 0 : sum,
      source,
    };
  }

  override empty(): Terms {
    return { buckets: [], others: 0, error: 0, source: this.#source };
  }

  override *render({ buckets, others, error, source }: Terms, work: Reduction): Turns<Rendered> {
    const shown: Rendered[] = [];
    const isLeaf = this.children.length === 0;
    for (const bucket of buckets) {
      const { key, key_as_string } = renderKey(bucket.key, source);
      if (isLeaf && isDueForShown(work)) yield;
      shown.push({
        key,
        key_as_string,
        doc_count: bucket.docs,
        doc_count_error_upper_bound: this.#showErrors ? bucket.error : undefined,
        // Behind the others: Node 20 makes a slow object of one that gets new properties behind a spread.
        ...(isLeaf ? NOTHING_SHOWN : yield* renderBelow(this.children, bucket, work)),
      });
    }
    return { doc_count_error_upper_bound: error, sum_other_doc_count: others, buckets: shown };
  }
}

/** How many buckets a shard gives where nobody says it, so that the best of all shards are likely among them. */
export function defaultShardSize(size: number, shards: number): number {
  return shards === 1 ? size : Math.max(10, size * Math.min(10, shards));
}

/** Thresholds as they were given; -1 where there is none. */
export function validThresholds(given: Thresholds): Thresholds {
  const size = given.size === 0 ? ALL : given.size;
  const shardSize = Math.max(given.shardSize === 0 ? ALL : given.shardSize, size);
  if (size < 0 || given.minDocCount < 0) {
    throw new ElasticsearchError(
      'ElasticsearchException',
      'parameters [requiredSize] and [minDocCount] must be >=0 in terms aggregation.',
      { status: 400 },
    );
  }
  return {
    size,
    shardSize: Math.min(shardSize, ALL),
    minDocCount: given.minDocCount,
    shardMinDocCount: Math.min(Math.max(given.shardMinDocCount, 0), given.minDocCount),
  };
}

/** Takes a key in that says how many buckets are wanted. */
export function thresholdKey(thresholds: Thresholds, value: unknown, token: string, key: string): boolean {
  const name = ownValue(THRESHOLDS, key);
  const isText = token === 'VALUE_STRING' && name === 'size';
  if (name === undefined || (token !== 'VALUE_NUMBER' && !isText)) return false;
  thresholds[name] = strictIntOf(value);
  return true;
}

const THRESHOLDS: Record<string, keyof Thresholds | undefined> = {
  size: 'size',
  shard_size: 'shardSize',
  shardSize: 'shardSize',
  min_doc_count: 'minDocCount',
  minDocCount: 'minDocCount',
  shard_min_doc_count: 'shardMinDocCount',
  shardMinDocCount: 'shardMinDocCount',
};

/** Ways in which 1.7 may find the buckets of texts. */
const HINTS = new Set(['map', 'global_ordinals', 'global_ordinals_hash', 'global_ordinals_low_cardinality']);

/** Refuses an order of working that 1.7 doesn't know. */
function checkCollectMode(mode: string): void {
  if (mode !== 'depth_first' && mode !== 'breadth_first')
    throw parseFailure(`No collect_mode found for value [${mode}]`);
}

/** One order: of several keys the last counts. */
function termsOrder(value: unknown, name: string): Order {
  if (!isObject(value)) throw malformed(`Order elements must be of type object in [${name}].`);
  let order: Order | undefined;
  for (const [path, direction] of Object.entries(value)) {
    if (typeof direction !== 'string')
      throw malformed(`Unexpected token ${tokenOf(direction)} for [order] in [${name}].`);
    const complaint = `Unknown terms order direction [${direction}] in terms aggregation [${name}]`;
    order = readOrder(path, direction, '_term', complaint);
  }
  if (order === undefined) throw malformed(`Must specify at least one field for [order] in [${name}].`);
  return order;
}

export function termsAggregation(name: string, body: JsonObject, context: AggregationContext): Aggregation {
  const keys = sourceKeys({ type: 'terms', name, formats: true });
  const thresholds: Thresholds = { size: 10, shardSize: -1, minDocCount: 1, shardMinDocCount: 0 };
  const filters: TermFilter = {};
  let orders: Order[] = [BY_COUNT];
  let showErrors = false;
  let hint: string | undefined;
  readKeys(name, body, (value, token, key) => {
    if (key === 'order' && Array.isArray(value)) orders = value.map((each) => termsOrder(each, name));
    else if (key === 'order' && isObject(value)) orders = [termsOrder(value, name)];
    else if (token === 'VALUE_BOOLEAN') {
      // Others are nothing to 1.7.
      if (key === 'show_term_doc_count_error' || key === 'showTermDocCountError')
        showErrors = booleanOf(value);
    } else if ((key === 'collect_mode' || key === 'collectMode') && token === 'VALUE_STRING')
      checkCollectMode(String(value));
    else if ((key === 'execution_hint' || key === 'executionHint') && token === 'VALUE_STRING')
      hint = String(value);
    else if (!thresholdKey(thresholds, value, token, key) && !termFilterKey(filters, value, token, key))
      return sourceKey(keys, value, token, key);
    return true;
  });
  const [first] = orders;
  const byTerm = orders.length === 1 && first?.by === 'key';
  if (!byTerm && thresholds.shardSize === -1)
    thresholds.shardSize = defaultShardSize(thresholds.size, context.shards);
  // With 0 it lists terms of documents that were not found.
  if (thresholds.minDocCount <= 0) context.dsl.checkReach('min_doc_count', 'index');
  const valid = validThresholds(thresholds);
  const given = sourceFrom(keys, name, 'any', context);
  const ofFamilies = keys.field === '_parent' && keys.script === undefined;
  const source = ofFamilies ? familyIdsOf(context.dsl.model) : given;
  if (source.type === ValueType.point && source.mapped) {
    context.failure ??= new ElasticsearchError(
      'AggregationExecutionException',
      `terms aggregation cannot be applied to field [${keys.field}]. It can only be applied to numeric or string fields.`,
    );
  }
  if (hint !== undefined && source.mapped && source.type === ValueType.string && !HINTS.has(hint)) {
    context.failure ??= illegalArgument(
      `Unknown \`execution_hint\`: [${hint}], expected any of [${[...HINTS].join(', ')}]`,
    );
  }
  const type = source.type === ValueType.point ? ValueType.string : source.type;
  const known = { ...source, type };
  const isHere = isTextual(known);
  const include = isHere ? {} : readIncludes(filters, known, name, context);
  const wanted = isHere && Object.keys(filters).length > 0 ? termTest(filters) : undefined;
  if (!orders.some(({ by }) => by === 'key')) orders.push(BY_KEY);
  if (keys.field === '_index' && keys.script === undefined) {
    const { index } = context.dsl;
    const filter = addFilter({}, context);
    const whole = { ...source, mapped: true };
    return new IndexTerms({ index, filter }, name, whole, valid, orders, include, showErrors);
  }
  return new TermsAggregation(name, known, valid, orders, include, showErrors, {
    wanted,
    // So does 1.7 where it works without ordinals.
    leavesOutEmpty: hint === 'map',
  });
}

/** The name of an index, and the filter that all of its documents pass. */
interface Whole {
  index: string;
  filter: number;
}

/** Terms of `_index`: a shard's documents are all in one bucket. */
class IndexTerms extends TermsAggregation {
  readonly #whole: Whole;

  constructor(whole: Whole, ...given: ConstructorParameters<typeof TermsAggregation>) {
    super(...given);
    this.#whole = whole;
  }

  protected override writeHead(bytes: PlanBytes): void {
    bytes.u8(AggregationKind.filter);
    bytes.u16(this.#whole.filter);
  }

  protected override writeTail(): void {}

  override *read(reader: PartialReader, work: Reduction): Turns<Terms> {
    const { docs, below } = yield* readBucket(this.children, reader, work);
    const buckets = docs === 0 ? [] : [{ key: this.#whole.index, docs, error: 0, below }];
    return { ...this.empty(), buckets };
  }
}
