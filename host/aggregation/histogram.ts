/** `histogram` and `date_histogram`: buckets of equal width, or of the months and years of a calendar. */

import { tokenOf } from '../json/jsonTokens.js';
import type { PlanBytes } from '../core/planBytes.js';
import { ElasticsearchError, numberFormat, ShardRefusal, toElasticsearchError } from '../errors.js';
import { DAY, fixedZone, parseZone, UTC, type Zone } from '../time/calendar.js';
import { booleanOf, castTo, isNumber, isObject, type JsonObject, longOf, textOf } from '../json/values.js';
import { toLong } from '../numbers/javaNumbers.js';
import type { Turns } from '../workLimit.js';
import { Aggregation, emptyBucket, isDueForShown, NOTHING_SHOWN, renderBelow } from './aggregation.js';
import { AggregationKind } from '../core/abi/aggregations.js';
import {
  type AggregationContext,
  malformed,
  readKeys,
  sourceKeys,
  sourceFrom,
  sourceKey,
  VALUES,
} from './body.js';
import { dateValuesOf } from './format.js';
import { introSort } from '../compat17/introSort.js';
import {
  bucketOrder,
  histogramOrderProblem,
  type Order,
  orderEntries,
  readOrder,
  type Target,
  targetsOf,
} from './order.js';
import { pagedHashOrder } from '../compat17/pagedHash.js';
import { type KeyBucket, readKeyBuckets, reduceByKey } from './keyBuckets.js';
import type { PartialReader } from './reader.js';
import type { Reduction } from './reduction.js';
import type { Rendered } from './rendered.js';
import { nextKey, type Rounding, roundKey, writeRounding } from './rounding.js';
import { valueBytes } from './valueBytes.js';
import { sorted } from './sorting.js';
import { type ValueSource, writeSource } from './source.js';

interface Histogram {
  buckets: KeyBucket[];
  source: ValueSource;
}

/** What is wanted of a histogram beside its buckets' width. */
interface Options {
  minDocCount: number;
  keyed: boolean;
  order: Order;
  /** Keys that there are buckets between in any case. */
  bounds: { min: bigint | undefined; max: bigint | undefined };
}

const NO_BOUNDS = { min: undefined, max: undefined };

class HistogramAggregation extends Aggregation<Histogram> {
  override readonly shape = 'several';
  readonly #source: ValueSource;
  readonly #rounding: Rounding;
  readonly #options: Options;
  /** Why two buckets can't be compared. */
  #problem: ElasticsearchError | undefined;

  constructor(name: string, source: ValueSource, rounding: Rounding, options: Options) {
    super(name);
    this.#source = source;
    this.#rounding = rounding;
    this.#options = options;
  }

  override get isOpen(): boolean {
    return true;
  }

  override check(): void {
    const { order } = this.#options;
    if (!this.#source.mapped || order.by !== 'metric') return;
    this.#problem = histogramOrderProblem(order.path, this.children);
    if (this.#problem === undefined) this.#targets;
  }

  get #targets(): Target[] {
    return targetsOf([this.#options.order], this.children);
  }

  protected override writeHead(bytes: PlanBytes): void {
    bytes.u8(AggregationKind.histogram);
    writeSource(bytes, this.#source);
    writeRounding(bytes, this.#rounding);
  }

  override *read(reader: PartialReader, work: Reduction): Turns<Histogram> {
    const count = reader.u32();
    if (count > 1 && this.#problem !== undefined) throw new ShardRefusal(this.#problem.detail ?? '');
    const buckets = yield* readKeyBuckets(count, this.children, reader, work);
    return { buckets, source: this.#source };
  }

  override *merge(partials: readonly Histogram[], work: Reduction): Turns<Histogram> {
    const { minDocCount, order } = this.#options;
    const source = partials.find((each) => each.source.mapped)?.source ?? this.#source;
    let buckets = yield* reduceByKey(
      this.children,
      partials.map((each) => each.buckets),
      work,
    );
    const mapped = partials[0]?.source.mapped === true;
    if (minDocCount === 0) buckets = yield* this.#filled(yield* sorted(buckets, byKey, work), mapped, work);
    else {
      // Keys are all different: only other orders show those that are equal as 1.7 happens to.
      if (order.by !== 'key') buckets = pagedHashOrder(buckets);
      buckets = buckets.filter(({ docs }) => docs >= minDocCount);
    }
    if (order.by !== 'metric')
      buckets = yield* sorted(buckets, bucketOrder<KeyBucket>([order], [], byKey), work);
    else if (buckets.length > 1) {
      // Those without documents were put between the others in the direction of the order.
      if (minDocCount === 0 && !order.ascending) buckets.reverse();
      introSort(
        buckets,
        bucketOrder<KeyBucket>([order], this.#targets, () => 0),
      );
    }
    return { buckets, source };
  }

  /** The buckets with those without documents between them, and up to the bounds where the first shard's mapping has the field. */
  *#filled(buckets: readonly KeyBucket[], mapped: boolean, work: Reduction): Turns<KeyBucket[]> {
    const { min, max } = mapped ? this.#options.bounds : NO_BOUNDS;
    const rounding = this.#rounding;
    const out: KeyBucket[] = [];
    const below = valueBytes(emptyBucket(this.children));
    const add = (key: bigint): boolean => {
      work.addEmpty(this.name, below);
      out.push({ key, ...emptyBucket(this.children) });
      return work.isDue();
    };
    const [first] = buckets;
    const start = first === undefined ? max : first.key;
    if (min !== undefined && start !== undefined)
      for (let key = min; key < start || (first === undefined && key === start); key = nextKey(rounding, key))
        if (add(key)) yield;
    let before: KeyBucket | undefined;
    for (const bucket of buckets) {
      if (before !== undefined)
        for (let key = nextKey(rounding, before.key); key < bucket.key; key = nextKey(rounding, key))
          if (add(key)) yield;
      out.push(bucket);
      before = bucket;
    }
    if (max !== undefined && before !== undefined)
      for (let key = nextKey(rounding, before.key); key <= max; key = nextKey(rounding, key))
        if (add(key)) yield;
    return out;
  }

  override empty(): Histogram {
    return { buckets: [], source: this.#source };
  }

  override *render({ buckets, source }: Histogram, work: Reduction): Turns<Rendered> {
    const { format } = source;
    const isLeaf = this.children.length === 0;
    const shown: { key_as_string: string | undefined; key: bigint; doc_count: number }[] = [];
    for (const bucket of buckets) {
      const key_as_string = format.isRaw ? undefined : format.print(Number(bucket.key));
      // Formats may make long texts.
      if (key_as_string !== undefined) work.take(valueBytes(key_as_string));
      if (isLeaf && isDueForShown(work)) yield;
      shown.push({
        key_as_string,
        key: bucket.key,
        doc_count: bucket.docs,
        ...(isLeaf ? NOTHING_SHOWN : yield* renderBelow(this.children, bucket, work)),
      });
    }
    if (!this.#options.keyed) return { buckets: shown };
    return {
      buckets: Object.fromEntries(
        shown.map((bucket) => [bucket.key_as_string ?? String(bucket.key), bucket]),
      ),
    };
  }
}

function byKey(a: KeyBucket, b: KeyBucket): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}

const BY_KEY: Order = { by: 'key', ascending: true, path: '_key' };

/** `order` of a histogram: of several keys the last counts. Of dates, what is no direction is downwards. */
function histogramOrder(value: unknown, ofDates: boolean, name: string): Order {
  let order = BY_KEY;
  for (const [path, direction] of orderEntries(value)) {
    if (typeof direction !== 'string') continue;
    if (!ofDates && direction !== 'asc' && direction !== 'desc')
      throw malformed(
        `Unknown order direction [${direction}] in aggregation [${name}]. Should be either [asc] or [desc]`,
      );
    const known = ofDates && path === '_time' ? '_key' : path;
    order = readOrder(known, direction === 'asc' ? 'asc' : 'desc', '_key', '');
  }
  return order;
}

interface Bounds {
  min?: unknown;
  max?: unknown;
}

/** Keys that both kinds have. */
interface Common {
  minDocCount: number;
  keyed: boolean;
  order: Order;
  bounds: Bounds | undefined;
}

function commonKey(
  common: Common,
  value: unknown,
  token: string,
  key: string,
  name: string,
  ofDates: boolean,
): boolean {
  if (key === 'keyed' && token === 'VALUE_BOOLEAN') common.keyed = booleanOf(value);
  else if ((key === 'min_doc_count' || key === 'minDocCount') && token === 'VALUE_NUMBER')
    common.minDocCount = Math.trunc(Number(textOf(value)));
  else if (key === 'order' && token === 'START_OBJECT') common.order = histogramOrder(value, ofDates, name);
  else if ((key === 'extended_bounds' || key === 'extendedBounds') && isObject(value)) {
    for (const [side, bound] of Object.entries(value)) {
      const what = tokenOf(bound);
      // Of dates only texts and numbers are bounds; numbers leave out what is no value.
      if (ofDates && what !== 'VALUE_STRING' && what !== 'VALUE_NUMBER')
        throw malformed(`Unknown key for a ${what} in [${name}]: [${side}].`);
      if (side === 'min' || side === 'max' || !VALUES.includes(what)) continue;
      throw malformed(`Unknown extended_bounds key for a ${what} in aggregation [${name}]: [${side}].`);
    }
    common.bounds = value;
  } else return false;
  return true;
}

function startCommon(): Common {
  return { minDocCount: 1, keyed: false, order: BY_KEY, bounds: undefined };
}

function missingInterval(name: string): ElasticsearchError {
  return malformed(`Missing required field [interval] for histogram aggregation [${name}]`);
}

/** Refuses bounds the wrong way round. */
function checkBounds(min: bigint | undefined, max: bigint | undefined, name: string): void {
  if (min === undefined || max === undefined || min <= max) return;
  throw malformed(
    `[extended_bounds.min][${min}] cannot be greater than [extended_bounds.max][${max}] for histogram aggregation [${name}]`,
  );
}

/** Reads the bounds by the format of the field. */
function readBounds(
  given: Bounds | undefined,
  source: ValueSource,
  rounding: Rounding,
  context: AggregationContext,
  name: string,
): Options['bounds'] {
  const one = (value: unknown): bigint | undefined => {
    const text = textOf(value);
    if (text === undefined) return undefined;
    if (isNumber(value)) return longOf(value);
    return BigInt(Math.trunc(source.format.parse(text, context.dsl.now)));
  };
  const rounded = (key: bigint | undefined) => (key === undefined ? undefined : roundKey(rounding, key));
  try {
    const [min, max] = [one(given?.min), one(given?.max)];
    if (source.mapped) checkBounds(min, max, name);
    return { min: rounded(min), max: rounded(max) };
  } catch (thrown) {
    context.failure ??= toElasticsearchError(thrown);
    return { min: undefined, max: undefined };
  }
}

/** Marks the body of a histogram whose keys are rounded towards zero, as those of facets are. */
export const TOWARDS_ZERO = Symbol('towards zero');

export function histogramAggregation(
  name: string,
  body: JsonObject,
  context: AggregationContext,
): Aggregation {
  const keys = sourceKeys({ type: 'histogram', name, formats: true, wanted: 'numeric' });
  const common = startCommon();
  let interval = 0n;
  let before = 0n;
  let after = 0n;
  const whole = (value: unknown) => longOf(value);
  readKeys(
    name,
    body,
    (value, token, key) => {
      if (sourceKey(keys, value, token, key)) return true;
      const isValue = VALUES.includes(token);
      if (key === 'interval' && isValue) interval = whole(value);
      else if ((key === 'min_doc_count' || key === 'minDocCount') && isValue)
        common.minDocCount = Number(whole(value));
      else if (key === 'keyed' && isValue) common.keyed = booleanOf(value);
      else if ((key === 'pre_offset' || key === 'preOffset') && isValue) before = whole(value);
      else if ((key === 'post_offset' || key === 'postOffset') && isValue) after = whole(value);
      else return commonKey(common, value, token, key, name, false);
      return true;
    },
    [...VALUES, 'START_OBJECT'],
    `aggregation [${name}]`,
  );
  if (interval < 1n) throw missingInterval(name);
  if (common.bounds !== undefined) {
    const { min, max } = common.bounds;
    const [least, most] = [min, max].map((bound) =>
      VALUES.includes(tokenOf(bound)) ? whole(bound) : undefined,
    );
    checkBounds(least, most, name);
  }
  const source = sourceFrom(keys, name, 'number', context);
  const unit = TOWARDS_ZERO in body ? 4 : 0;
  const rounding: Rounding = { unit, interval, shift: 0n, before, after, zone: undefined, toUtc: false };
  const bounds = readBounds(common.bounds, source, rounding, context, name);
  return new HistogramAggregation(name, source, rounding, { ...common, bounds });
}

const MINUTE = 60_000n;
const HOUR = 60n * MINUTE;
const DAYS = BigInt(DAY);
/** The first Monday. */
const MONDAY = 4n * DAYS;

type Width = Pick<Rounding, 'unit' | 'interval' | 'shift'>;

/** The units of a calendar, by their names. */
const WIDTHS = new Map<string, Width>();
for (const [names, unit, interval, shift] of [
  [['year', '1y'], 3, 1n, 0n],
  [['quarter', '1q'], 2, 1n, 0n],
  [['month', '1M'], 1, 1n, 0n],
  [['week', '1w'], 0, 7n * DAYS, MONDAY],
  [['day', '1d'], 0, DAYS, 0n],
  [['hour', '1h'], 0, HOUR, 0n],
  [['minute', '1m'], 0, MINUTE, 0n],
  [['second', '1s'], 0, 1000n, 0n],
] as const) {
  for (const name of names) WIDTHS.set(name, { unit, interval, shift });
}

const UNIT_MILLIS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: DAY, w: 7 * DAY };

/** A span of time such as `90m` or `1.5d` in milliseconds. */
function spanOf(text: string): number {
  const m = /^(.*?)(ms|[sSmhHdDw])$/.exec(text);
  const number = m === null ? text : (m[1] ?? '');
  const unit = m === null ? 1 : (UNIT_MILLIS[m[2] === 'ms' ? 'ms' : (m[2] ?? '').toLowerCase()] ?? 1);
  if (
    !/^[+-]?(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(number) ||
    (m === null && !/^[+-]?\d+$/.test(number))
  ) {
    const cause = numberFormat(m === null && number !== '' ? text : number);
    throw new ElasticsearchError('ElasticsearchParseException', `Failed to parse [${text}]`, {
      nested: cause,
    });
  }
  return Math.trunc(Number(number) * unit);
}

function widthOf(text: string): Width {
  const width = WIDTHS.get(text);
  if (width !== undefined) return width;
  const span = spanOf(text);
  if (span < 1)
    throw new ElasticsearchError(
      'ElasticsearchIllegalArgumentException',
      'Zero or negative time interval not supported',
    );
  return { unit: 0, interval: toLong(span), shift: 0n };
}

/** A span that may be below zero. */
function offsetOf(text: string): bigint {
  if (text === '')
    throw new ElasticsearchError('StringIndexOutOfBoundsException', 'String index out of range: 0', {
      status: 400,
    });
  return text.startsWith('-') ? -toLong(spanOf(text.slice(1))) : toLong(spanOf(text.replace(/^\+/, '')));
}

function zoneOf(value: unknown): Zone {
  if (isNumber(value)) {
    return fixedZone(Number(castTo(32, value)), 0);
  }
  return parseZone(textOf(value) ?? '');
}

const ZONES = new Set(['pre_zone', 'preZone', 'time_zone', 'timeZone', 'post_zone', 'postZone']);

export function dateHistogramAggregation(
  name: string,
  body: JsonObject,
  context: AggregationContext,
): Aggregation {
  const keys = sourceKeys({ type: 'date_histogram', name, formats: true, wanted: 'date' });
  const common = startCommon();
  let interval: string | undefined;
  let zone: Zone = UTC;
  let postZone: Zone = UTC;
  let before = 0n;
  let after = 0n;
  let adjust = false;
  const read = (value: unknown, token: string, key: string): boolean => {
    const isText = token === 'VALUE_STRING';
    if (ZONES.has(key) && (isText || token === 'VALUE_NUMBER')) {
      if (key.startsWith('post')) postZone = zoneOf(value);
      else zone = zoneOf(value);
    } else if (key === 'interval' && isText) interval = String(value);
    else if ((key === 'pre_offset' || key === 'preOffset') && isText) before = offsetOf(String(value));
    else if ((key === 'post_offset' || key === 'postOffset') && isText) after = offsetOf(String(value));
    else if (key === 'offset' && isText) {
      after = offsetOf(String(value));
      before = -after;
    } else if (key === 'factor' && TOWARDS_ZERO in body) return true;
    else if (
      (key === 'pre_zone_adjust_large_interval' || key === 'preZoneAdjustLargeInterval') &&
      token === 'VALUE_BOOLEAN'
    )
      adjust = booleanOf(value);
    else return commonKey(common, value, token, key, name, true) || sourceKey(keys, value, token, key);
    return true;
  };
  readKeys(name, body, read, [...VALUES, 'START_OBJECT']);
  if (interval === undefined) throw missingInterval(name);
  const width = widthOf(interval);
  let source = sourceFrom(keys, name, 'number', context);
  if (!source.mapped && keys.format !== undefined) source = { ...source, format: dateValuesOf(keys.format) };
  const short = width.unit === 0 && width.interval < 12n * HOUR;
  if (postZone !== UTC) after += BigInt(postZone.offsetAt(0));
  const rounding: Rounding = {
    ...width,
    before,
    after,
    zone: zone === UTC ? undefined : zone,
    toUtc: short || adjust,
  };
  const bounds = readBounds(common.bounds, source, rounding, context, name);
  return new HistogramAggregation(name, source, rounding, { ...common, bounds });
}
