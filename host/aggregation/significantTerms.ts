/** `significant_terms`: the terms that tell the documents of a bucket from all. */

import type { PlanBytes } from '../core/planBytes.js';
import { ElasticsearchError, parseFailure, ShardRefusal } from '../errors.js';
import { ownValue } from '../ownNames.js';
import { hashOrder } from '../compat17/javaHash.js';
import { booleanOf, isObject, type JsonObject } from '../json/values.js';
import type { Turns } from '../workLimit.js';
import { Aggregation, type Bucket, mergeBuckets, readBelow, renderBelow } from './aggregation.js';
import { AggregationKind } from '../core/abi/aggregations.js';
import { addBackground, type Background } from './background.js';
import {
  type AggregationContext,
  readKeys,
  sourceKeys,
  scriptsDisabled,
  sourceFrom,
  sourceKey,
} from './body.js';
import { type Include, readIncludes, type TermFilter, termFilterKey } from './include.js';
import { largestOf } from '../compat17/priorityQueue.js';
import { groupByKey } from './keyBuckets.js';
import type { PartialReader } from './reader.js';
import type { Reduction } from './reduction.js';
import { Double, type Rendered } from './rendered.js';
import {
  chiSquare,
  googleDistance,
  type Heuristic,
  jlh,
  mutualInformation,
  percentage,
  supersetProblem,
} from './significance.js';
import { type ValueSource, ValueType, writeSource } from './source.js';
import {
  ALL,
  checkTypes,
  compareTermKeys,
  defaultShardSize,
  readKey,
  renderKey,
  type TermKey,
  type Thresholds,
  thresholdKey,
  validThresholds,
} from './terms.js';

interface SignificantBucket extends Bucket {
  key: TermKey;
  background: number;
  score: number;
}

interface SignificantTerms {
  docs: number;
  backgroundDocs: number;
  buckets: SignificantBucket[];
  source: ValueSource;
}

/** Flag of terms whose document frequencies are wanted. */
const BACKGROUND = 8;

class SignificantTermsAggregation extends Aggregation<SignificantTerms> {
  override readonly shape = 'several';
  readonly #source: ValueSource;
  readonly #thresholds: Thresholds;
  readonly #include: Include;
  readonly #heuristic: Heuristic;
  /** What the terms are told from, where it is not all documents. */
  readonly #background: Background | undefined;

  constructor(
    name: string,
    source: ValueSource,
    thresholds: Thresholds,
    include: Include,
    heuristic: Heuristic,
    background: Background | undefined,
  ) {
    super(name);
    this.#background = background;
    this.#source = source;
    this.#thresholds = thresholds;
    this.#include = include;
    this.#heuristic = heuristic;
  }

  override get isOpen(): boolean {
    return true;
  }

  protected override writeHead(bytes: PlanBytes): void {
    const { include, exclude } = this.#include;
    bytes.u8(AggregationKind.terms);
    writeSource(bytes, this.#source);
    bytes.u8(BACKGROUND | (include === undefined ? 0 : 2) | (exclude === undefined ? 0 : 4));
    // Which terms are the best is known when the shards are together.
    bytes.u32(ALL);
    bytes.u32(this.#thresholds.shardMinDocCount);
    for (const filter of [include, exclude]) if (filter !== undefined) filter.write(bytes);
  }

  protected override writeTail(bytes: PlanBytes): void {
    bytes.u8(0);
  }

  override *read(reader: PartialReader, work: Reduction): Turns<SignificantTerms> {
    const docs = reader.f64();
    const all = reader.f64();
    const told = this.#background;
    const backgroundDocs = told?.docs ?? all;
    const buckets: SignificantBucket[] = [];
    for (let n = reader.u32(); n > 0; n--) {
      const key = readKey(reader, this.#source);
      const count = reader.u32();
      const frequency = reader.f64();
      const background = told?.docsWith(key) ?? frequency;
      const problem = this.#heuristic.problem?.({
        found: count,
        foundDocs: docs,
        background,
        backgroundDocs,
      });
      if (problem !== undefined) throw new ShardRefusal(problem);
      const below = yield* readBelow(this.children, reader, work);
      buckets.push({ key, docs: count, background, score: 0, below });
    }
    return { docs, backgroundDocs, buckets, source: this.#source };
  }

  override *merge(partials: readonly SignificantTerms[], work: Reduction): Turns<SignificantTerms> {
    const source = checkTypes(partials.map((each) => each.source));
    const docs = partials.reduce((sum, each) => sum + each.docs, 0);
    const backgroundDocs = partials.reduce((sum, each) => sum + each.backgroundDocs, 0);
    const { size, minDocCount } = this.#thresholds;
    const buckets: SignificantBucket[] = [];
    for (const group of yield* groupByKey(
      partials.map((each) => this.#given(each)),
      work,
    )) {
      const { key } = group[0]!;
      const background = group.reduce((sum, each) => sum + each.background, 0);
      const bucket = yield* mergeBuckets(this.children, group, work);
      const score = this.#heuristic.score({
        found: bucket.docs,
        foundDocs: docs,
        background,
        backgroundDocs,
      });
      buckets.push({ key, background, score, ...bucket });
    }
    // As 1.7 takes them out of a hash table and puts them into a queue, which decides about those that are equal.
    const byKey = new Map(buckets.map((bucket) => [String(bucket.key), bucket]));
    const best = hashOrder(byKey.keys())
      .map((key) => byKey.get(key)!)
      .filter(({ score, docs: count }) => score > 0 && count >= minDocCount);
    return { docs, backgroundDocs, buckets: mostSignificant(best, Math.min(size, buckets.length)), source };
  }

  /** The buckets that a shard gives: the best by what it knows itself. */
  #given({ docs, backgroundDocs, buckets, source }: SignificantTerms): readonly SignificantBucket[] {
    const { shardSize } = this.#thresholds;
    if (buckets.length <= shardSize) return buckets;
    for (const bucket of buckets)
      bucket.score = this.#heuristic.score({
        found: bucket.docs,
        foundDocs: docs,
        background: bucket.background,
        backgroundDocs,
      });
    const list =
      source.type === ValueType.string ? buckets.toSorted((a, b) => compareTermKeys(a.key, b.key)) : buckets;
    return mostSignificant(list, shardSize);
  }

  override empty(): SignificantTerms {
    return { docs: 0, backgroundDocs: 0, buckets: [], source: this.#source };
  }

  override *render({ docs, buckets, source }: SignificantTerms, work: Reduction): Turns<Rendered> {
    if (!source.mapped) return { buckets: [] };
    const shown: Rendered[] = [];
    for (const bucket of buckets) {
      const { key, key_as_string } = renderKey(bucket.key, source);
      shown.push({
        key,
        // Numbers without a format are shown as texts too.
        key_as_string: typeof bucket.key === 'bigint' ? wholeText(bucket.key, source) : key_as_string,
        doc_count: bucket.docs,
        score: new Double(bucket.score),
        bg_count: bucket.background,
        ...(yield* renderBelow(this.children, bucket, work)),
      });
    }
    return { doc_count: docs, buckets: shown };
  }
}

function mostSignificant(list: readonly SignificantBucket[], most: number): SignificantBucket[] {
  return largestOf(list, most, (a, b) => a.score < b.score);
}

/** The options that each heuristic has. */
const OPTIONS: Record<string, readonly string[] | undefined> = {
  mutual_information: [
    'include_negatives',
    'includeNegatives',
    'background_is_superset',
    'backgroundIsSuperset',
  ],
  chi_square: ['include_negatives', 'includeNegatives', 'background_is_superset', 'backgroundIsSuperset'],
  gnd: ['background_is_superset', 'backgroundIsSuperset'],
};

/** Refuses options that a heuristic doesn't have, each in its words. */
function checkOptions(name: string, options: JsonObject): void {
  const known = ownValue(OPTIONS, name);
  const [first] = Object.keys(options);
  // So 1.7 names the first.
  if ((name === 'jlh' || name === 'percentage') && first !== undefined)
    throw parseFailure(`expected }, got ${first} instead in ${name === 'jlh' ? 'jhl' : name} score`);
  const unknown = known && Object.keys(options).find((key) => !known.includes(key));
  if (unknown !== undefined) throw parseFailure(`Field ${unknown} unknown for ${name}`);
}

/** A heuristic by its name. */
function heuristicOf(name: string, given: JsonObject): Heuristic | undefined {
  checkOptions(name, given);
  const options: JsonObject = {
    include_negatives: given.include_negatives ?? given.includeNegatives,
    background_is_superset: given.background_is_superset ?? given.backgroundIsSuperset,
  };
  const negatives = options.include_negatives !== undefined && booleanOf(options.include_negatives);
  const inside = options.background_is_superset === undefined || booleanOf(options.background_is_superset);
  const checked = inside ? { problem: supersetProblem } : {};
  switch (name) {
    case 'jlh':
      return { score: jlh };
    case 'percentage':
      return { score: percentage };
    case 'mutual_information':
      return { score: mutualInformation(negatives, inside), ...checked };
    case 'chi_square':
      return { score: chiSquare(negatives, inside), ...checked };
    case 'gnd':
      return { score: googleDistance(inside), ...checked };
    case 'script_heuristic':
      throw scriptsDisabled();
    default:
      return undefined;
  }
}

export function significantTermsAggregation(
  name: string,
  body: JsonObject,
  context: AggregationContext,
): Aggregation {
  const keys = sourceKeys({ type: 'significant_terms', name, scripts: false, formats: true });
  const thresholds: Thresholds = { size: 10, shardSize: -1, minDocCount: 3, shardMinDocCount: 0 };
  const filters: TermFilter = {};
  let heuristic: Heuristic = { score: jlh };
  let filter: JsonObject | undefined;
  readKeys(name, body, (value, token, key) => {
    if (isObject(value)) {
      const found = heuristicOf(key, value);
      if (found !== undefined) {
        heuristic = found;
        return true;
      }
      if (key === 'background_filter' || key === 'backgroundFilter') {
        filter = value;
        return true;
      }
    }
    if ((key === 'execution_hint' || key === 'executionHint') && token === 'VALUE_STRING') return true;
    return (
      thresholdKey(thresholds, value, token, key) ||
      termFilterKey(filters, value, token, key) ||
      sourceKey(keys, value, token, key)
    );
  });
  // Twice as many as of other terms: what is significant is harder to tell within a shard.
  if (thresholds.shardSize === -1)
    thresholds.shardSize = 2 * defaultShardSize(thresholds.size, context.shards);
  const valid = validThresholds(thresholds);
  const source = sourceFrom(keys, name, 'any', context);
  if (source.type === ValueType.point && source.mapped)
    context.failure ??= new ElasticsearchError(
      'AggregationExecutionException',
      `sigfnificant_terms aggregation cannot be applied to field [${keys.field}]. It can only be applied to numeric or string fields.`,
    );
  if (source.type === ValueType.double)
    context.failure ??= new ElasticsearchError(
      'UnsupportedOperationException',
      'No support for examining floating point numerics',
    );
  const type = source.type === ValueType.point ? ValueType.string : source.type;
  const known = { ...source, type };
  const include = readIncludes(filters, known, name, context);
  const background = filter === undefined ? undefined : addBackground(filter, known, context);
  return new SignificantTermsAggregation(name, known, valid, include, heuristic, background);
}

function wholeText(key: bigint, { format }: ValueSource): string {
  return format.isRaw ? String(key) : format.print(Number(key));
}
