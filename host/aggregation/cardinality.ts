/** `cardinality`: about how many different values there are. */

import type { PlanBytes } from '../core/planBytes.js';
import { booleanOf, type JsonObject, longOf } from '../json/values.js';
import { type Aggregation, MetricAggregation, type OrderTarget } from './aggregation.js';
import { AggregationKind } from '../core/abi/aggregations.js';
import { type AggregationContext, readKeys, sourceFrom, sourceKey, sourceKeys, VALUES } from './body.js';
import { familyCardinality } from './families.js';
import { cardinality, mergeSketches, precisionOf, type Sketch } from './hyperLogLog.js';
import type { PartialReader } from './reader.js';
import type { Rendered } from './rendered.js';
import { classCast } from '../compat17/javaCasts.js';
import { type ValueSource, ValueType, writeSource } from './source.js';
import { ValueCount } from './stats.js';

const DEFAULT_PRECISION = 14;
/** What each level of buckets takes off it. */
const PER_LEVEL = 5;
const LEAST_PRECISION = 4;

const REGISTERS = 0xffff_ffff;
const HASHED = 0x80;
const VALUE: ReadonlyMap<string, OrderTarget> = new Map([['value', { metric: 9, argument: 0 }]]);

const VALUES_CLASS = 'org.elasticsearch.search.aggregations.support.ValuesSource';
const BYTES = `${VALUES_CLASS}$Bytes$WithOrdinals$FieldData`;
const NUMERIC = `${VALUES_CLASS}$Numeric`;

interface Cardinality {
  sketch: Sketch;
  source: ValueSource;
}

class CardinalityAggregation extends MetricAggregation<Cardinality> {
  readonly #source: ValueSource;
  readonly #precision: number;
  /** Whether the values are hashes already. */
  readonly #isHashed: boolean;

  constructor(name: string, source: ValueSource, precision: number, isHashed: boolean) {
    super(name);
    this.#source = source;
    this.#precision = precision;
    this.#isHashed = isHashed;
  }

  override targets(): ReadonlyMap<string, OrderTarget> {
    return VALUE;
  }

  protected override writeHead(bytes: PlanBytes): void {
    bytes.u8(AggregationKind.cardinality);
    const { type } = this.#source;
    writeSource(bytes, { ...this.#source, type: type === ValueType.point ? ValueType.string : type });
    bytes.u8(this.#precision | (this.#isHashed ? HASHED : 0));
  }

  override readAtOnce(reader: PartialReader): Cardinality {
    const n = reader.u32();
    if (n === REGISTERS) return { sketch: reader.bytes(2 ** this.#precision), source: this.#source };
    const sketch = new Set<number>();
    for (let i = 0; i < n; i++) sketch.add(reader.u32());
    return { sketch, source: this.#source };
  }

  override mergeAtOnce(partials: readonly Cardinality[]): Cardinality {
    const source = partials.find((each) => each.source.mapped)?.source ?? this.#source;
    return {
      sketch: mergeSketches(
        partials.map(({ sketch }) => sketch),
        this.#precision,
      ),
      source,
    };
  }

  override empty(): Cardinality {
    return { sketch: new Set(), source: this.#source };
  }

  override renderAtOnce(partial: Cardinality): Rendered {
    const value = this.number(partial);
    const { format } = partial.source;
    return { value, value_as_string: format.isRaw ? undefined : format.print(value) };
  }

  override number({ sketch }: Cardinality): number {
    return cardinality(sketch, this.#precision);
  }
}

export function cardinalityAggregation(
  name: string,
  body: JsonObject,
  context: AggregationContext,
): Aggregation {
  const keys = sourceKeys({ type: 'cardinality', name });
  let rehash: boolean | undefined;
  let precision = Math.max(DEFAULT_PRECISION - PER_LEVEL * context.depth, LEAST_PRECISION);
  readKeys(
    name,
    body,
    (value, token, key) => {
      if (sourceKey(keys, value, token, key)) return true;
      const isValue = VALUES.includes(token);
      if (key === 'rehash' && isValue) rehash = booleanOf(value);
      else if ((key === 'precision_threshold' || key === 'precisionThreshold') && isValue) {
        const threshold = Number(longOf(value));
        if (threshold >= 0) precision = precisionOf(threshold);
      } else return false;
      return true;
    },
    VALUES,
  );
  const source = sourceFrom(keys, name, 'any', context);
  // No two documents have one name: shards know them by numbers of their own.
  const isHashed = !(rehash ?? source.fieldType !== 'murmur3') && source.mapped;
  const isNumeric = source.type === ValueType.long || source.type === ValueType.double;
  if (isHashed && !isNumeric) context.failure ??= classCast(BYTES, NUMERIC);
  if (keys.field === '_parent' && keys.script === undefined) return familyCardinality(name, context);
  if (source.uids === true) return new ValueCount(name, source);
  return new CardinalityAggregation(name, source, precision, isHashed && isNumeric);
}
