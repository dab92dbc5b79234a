/** `min`, `max`, `sum`, `avg`, `stats`, `extended_stats` and `value_count`. */

import type { PlanBytes } from '../core/planBytes.js';
import { doubleText } from '../numbers/javaNumbers.js';
import { type JsonObject, parseFraction, textOf } from '../json/values.js';
import { type Aggregation, Metric, MetricAggregation, type OrderTarget } from './aggregation.js';
import { AggregationKind } from '../core/abi/aggregations.js';
import {
  type AggregationContext,
  malformed,
  readKeys,
  type SourceKeys,
  type SourceRules,
  sourceKeys,
  sourceFrom,
  sourceKey,
} from './body.js';
import { UNKNOWN_METRIC } from './order.js';
import { familyCount } from './families.js';
import type { PartialReader } from './reader.js';
import { Double, type Rendered } from './rendered.js';
import { type ValueSource, writeScript, writeSource } from './source.js';

/** Numbers about the values of a bucket, and how its shard shows them. */
export interface Stats {
  count: number;
  sum: number;
  min: number;
  max: number;
  squares: number;
  source: ValueSource;
}

/** What can be told of them, by 1.7's names. */
const NUMBERS = {
  count: ({ count }: Stats) => count,
  min: ({ count, min }: Stats) => (count === 0 ? Number.POSITIVE_INFINITY : min),
  max: ({ count, max }: Stats) => (count === 0 ? Number.NEGATIVE_INFINITY : max),
  avg: ({ count, sum }: Stats) => sum / count,
  sum: ({ sum }: Stats) => sum,
  sum_of_squares: ({ squares }: Stats) => squares,
  variance: ({ squares, sum, count }: Stats) => (squares - (sum * sum) / count) / count,
  std_deviation: (stats: Stats): number => Math.sqrt(NUMBERS.variance(stats)),
} as const;
type NumberName = keyof typeof NUMBERS;

abstract class OfNumbers extends MetricAggregation<Stats> {
  protected readonly source: ValueSource;
  readonly #targets: ReadonlyMap<string, OrderTarget>;

  constructor(name: string, source: ValueSource, names: readonly NumberName[]) {
    super(name);
    this.source = source;
    this.#targets = new Map(names.map((each) => [each, { metric: Metric[each], argument: 0 }]));
  }

  override targets(): ReadonlyMap<string, OrderTarget> {
    return this.#targets;
  }

  protected override writeHead(bytes: PlanBytes): void {
    bytes.u8(AggregationKind.stats);
    writeSource(bytes, this.source);
  }

  override readAtOnce(reader: PartialReader): Stats {
    const [count, sum, min, max, squares] = [
      reader.f64(),
      reader.f64(),
      reader.f64(),
      reader.f64(),
      reader.f64(),
    ];
    return { count, sum, min, max, squares, source: this.source };
  }

  override mergeAtOnce(partials: readonly Stats[]): Stats {
    const total = this.empty();
    for (const { count, sum, min, max, squares, source } of partials) {
      if (!total.source.mapped) total.source = source;
      if (count === 0) continue;
      total.min = total.count === 0 ? min : Math.min(total.min, min);
      total.max = total.count === 0 ? max : Math.max(total.max, max);
      total.count += count;
      total.sum += sum;
      total.squares += squares;
    }
    return total;
  }

  override empty(): Stats {
    return { count: 0, sum: 0, min: 0, max: 0, squares: 0, source: this.source };
  }

  override number(stats: Stats, name: string): number {
    return NUMBERS[name as NumberName](stats);
  }
}

/** A number as a text, where the field's values have a format of their own. */
function asText(value: number, { format }: ValueSource): string | undefined {
  return format.isRaw ? undefined : format.print(value);
}

/** Whether there is a number to show: `min` and `max` start from what is beyond all numbers, `avg` divides by their count. */
function isKnown(which: NumberName, value: number, { count }: Stats): boolean {
  if (which === 'avg') return count > 0;
  return which === 'sum' || Math.abs(value) !== Number.POSITIVE_INFINITY;
}

class OneNumber extends OfNumbers {
  readonly #which: NumberName;

  constructor(name: string, source: ValueSource, which: NumberName) {
    super(name, source, [which]);
    this.#which = which;
  }

  override renderAtOnce(stats: Stats): Rendered {
    const value = this.number(stats, this.#which);
    if (!isKnown(this.#which, value, stats)) return { value: null };
    return { value: new Double(value), value_as_string: asText(value, stats.source) };
  }
}

const STATS_NAMES: readonly NumberName[] = ['count', 'min', 'max', 'avg', 'sum'];

export class AllNumbers extends OfNumbers {
  constructor(name: string, source: ValueSource) {
    super(name, source, STATS_NAMES);
  }

  override renderAtOnce(stats: Stats): Rendered {
    return renderStats(stats);
  }
}

/** What `stats` shows. */
function renderStats(stats: Stats): { [key: string]: Rendered | undefined } {
  const { count, source } = stats;
  const shown: { [key: string]: Rendered | undefined } = { count };
  for (const key of ['min', 'max', 'avg', 'sum'] as const)
    shown[key] = count === 0 ? null : new Double(NUMBERS[key](stats));
  if (count > 0) {
    for (const key of ['min', 'max', 'avg', 'sum'] as const)
      shown[`${key}_as_string`] = asText(NUMBERS[key](stats), source);
  }
  return shown;
}

const EXTENDED_NAMES: readonly NumberName[] = [...STATS_NAMES, 'sum_of_squares', 'variance', 'std_deviation'];

class ExtendedNumbers extends OfNumbers {
  readonly #sigma: number;

  constructor(name: string, source: ValueSource, sigma: number) {
    super(name, source, EXTENDED_NAMES);
    this.#sigma = sigma;
  }

  override targets(): ReadonlyMap<string, OrderTarget> {
    const none = { metric: UNKNOWN_METRIC, argument: 0 };
    return new Map([...super.targets(), ['std_upper', none], ['std_lower', none]]);
  }

  override number(stats: Stats, name: string): number {
    if (name === 'std_upper') return this.#bound(stats, 1);
    if (name === 'std_lower') return this.#bound(stats, -1);
    return super.number(stats, name);
  }

  #bound(stats: Stats, side: 1 | -1): number {
    return NUMBERS.avg(stats) + side * this.#sigma * NUMBERS.std_deviation(stats);
  }

  override renderAtOnce(stats: Stats): Rendered {
    const { count, source } = stats;
    const some = (value: number) => (count === 0 ? null : new Double(value));
    const text = (value: number) => (count === 0 ? undefined : asText(value, source));
    const [upper, lower] = [this.#bound(stats, 1), this.#bound(stats, -1)];
    const { sum_of_squares: squares, variance, std_deviation: deviation } = NUMBERS;
    const texts = count > 0 && !source.format.isRaw;
    return {
      ...renderStats(stats),
      sum_of_squares: some(squares(stats)),
      variance: some(variance(stats)),
      std_deviation: some(deviation(stats)),
      std_deviation_bounds: { upper: some(upper), lower: some(lower) },
      sum_of_squares_as_string: text(squares(stats)),
      variance_as_string: text(variance(stats)),
      std_deviation_as_string: text(deviation(stats)),
      std_deviation_bounds_as_string: texts
        ? { upper: source.format.print(upper), lower: source.format.print(lower) }
        : undefined,
    };
  }
}

const OF_NUMBERS = { formats: true, wanted: 'numeric' } as const;

/** Reads the keys of a metric that has nothing but a source. */
export function sourceOnly(name: string, body: JsonObject, rules: Omit<SourceRules, 'name'>): SourceKeys {
  const keys = sourceKeys({ name, ...rules });
  readKeys(name, body, (value, token, key) => sourceKey(keys, value, token, key), []);
  return keys;
}

function oneNumber(which: NumberName) {
  return (name: string, body: JsonObject, context: AggregationContext): Aggregation =>
    new OneNumber(
      name,
      sourceFrom(sourceOnly(name, body, { type: which, ...OF_NUMBERS }), name, 'number', context),
      which,
    );
}

export const minAggregation = oneNumber('min');
export const maxAggregation = oneNumber('max');
export const sumAggregation = oneNumber('sum');
export const avgAggregation = oneNumber('avg');

export function statsAggregation(name: string, body: JsonObject, context: AggregationContext): Aggregation {
  return new AllNumbers(
    name,
    sourceFrom(sourceOnly(name, body, { type: 'stats', ...OF_NUMBERS }), name, 'number', context),
  );
}

export function extendedStatsAggregation(
  name: string,
  body: JsonObject,
  context: AggregationContext,
): Aggregation {
  const keys = sourceKeys({ type: 'extended_stats', name, formats: true, wanted: 'numeric' });
  let sigma = 2;
  readKeys(
    name,
    body,
    (value, token, key) => {
      if (key !== 'sigma' || token !== 'VALUE_NUMBER') return sourceKey(keys, value, token, key);
      sigma = parseFraction(textOf(value) ?? '');
      return true;
    },
    ['VALUE_NUMBER'],
  );
  if (sigma < 0) throw malformed(`[sigma] must not be negative. Value provided was${doubleText(sigma)}`);
  return new ExtendedNumbers(name, sourceFrom(keys, name, 'number', context), sigma);
}

interface Count {
  count: number;
  source: ValueSource;
}

export class ValueCount extends MetricAggregation<Count> {
  readonly #source: ValueSource;

  constructor(name: string, source: ValueSource) {
    super(name);
    this.#source = source;
  }

  override targets(): ReadonlyMap<string, OrderTarget> {
    return VALUE;
  }

  protected override writeHead(bytes: PlanBytes): void {
    bytes.u8(AggregationKind.count);
    const { field, script } = this.#source;
    bytes.u16(field);
    bytes.u8(script === undefined ? 0 : 1);
    if (script !== undefined) writeScript(bytes, script);
  }

  override readAtOnce(reader: PartialReader): Count {
    return { count: reader.f64(), source: this.#source };
  }

  override mergeAtOnce(partials: readonly Count[]): Count {
    const mapped = partials.find(({ source }) => source.mapped);
    return {
      count: partials.reduce((sum, { count }) => sum + count, 0),
      source: mapped?.source ?? this.#source,
    };
  }

  override empty(): Count {
    return { count: 0, source: this.#source };
  }

  override renderAtOnce({ count, source }: Count): Rendered {
    return { value: count, value_as_string: asText(count, source) };
  }

  override number({ count }: Count): number {
    return count;
  }
}

const VALUE = new Map([['value', { metric: Metric.count, argument: 0 }]]);

export function valueCountAggregation(
  name: string,
  body: JsonObject,
  context: AggregationContext,
): Aggregation {
  const keys = sourceOnly(name, body, { type: 'value_count' });
  const source = sourceFrom(keys, name, 'any', context);
  if (keys.field === '_parent' && keys.script === undefined) return familyCount(name, context);
  return new ValueCount(name, source);
}
