/** `percentiles` and `percentile_ranks`. */

import { tokenOf } from '../json/jsonTokens.js';
import type { PlanBytes } from '../core/planBytes.js';
import { doubleText } from '../numbers/javaNumbers.js';
import { booleanOf, strictFractionOf, type JsonObject, textOf } from '../json/values.js';
import { type Aggregation, MetricAggregation, type OrderTarget } from './aggregation.js';
import { AggregationKind } from '../core/abi/aggregations.js';
import {
  type AggregationContext,
  checkListed,
  malformed,
  readKeys,
  sourceKeys,
  sourceFrom,
  sourceKey,
} from './body.js';
import { type Centroid, mergeCentroids, quantile, rank } from './digest.js';
import type { PartialReader } from './reader.js';
import { Double, type Rendered } from './rendered.js';
import { type ValueSource, writeSource } from './source.js';

const DEFAULT_PERCENTS = [1, 5, 25, 50, 75, 95, 99];
const DEFAULT_COMPRESSION = 100;
/** A number that shards don't know. */
const UNKNOWN: OrderTarget = { metric: 0xff, argument: 0 };

interface Percentiles {
  centroids: readonly Centroid[];
  source: ValueSource;
}

class PercentilesAggregation extends MetricAggregation<Percentiles> {
  readonly #source: ValueSource;
  readonly #points: readonly number[];
  readonly #ranks: boolean;
  readonly #keyed: boolean;
  readonly #compression: number;

  constructor(
    name: string,
    source: ValueSource,
    options: { points: readonly number[]; ranks: boolean; keyed: boolean; compression: number },
  ) {
    super(name);
    this.#source = source;
    this.#points = options.points;
    this.#ranks = options.ranks;
    this.#keyed = options.keyed;
    this.#compression = options.compression;
  }

  override targets(): ReadonlyMap<string, OrderTarget> {
    return new Map(
      this.#points.flatMap(
        (point) =>
          [
            [String(point), UNKNOWN],
            [doubleText(point), UNKNOWN],
          ] as const,
      ),
    );
  }

  override get isSingleValue(): boolean {
    return false;
  }

  protected override writeHead(bytes: PlanBytes): void {
    bytes.u8(AggregationKind.percentiles);
    writeSource(bytes, this.#source);
    bytes.f64(this.#compression);
  }

  override readAtOnce(reader: PartialReader): Percentiles {
    const centroids: Centroid[] = [];
    for (let n = reader.u32(); n > 0; n--) centroids.push({ mean: reader.f64(), weight: reader.f64() });
    return { centroids, source: this.#source };
  }

  override mergeAtOnce(partials: readonly Percentiles[]): Percentiles {
    const source = partials.find((each) => each.source.mapped)?.source ?? this.#source;
    return {
      centroids: mergeCentroids(
        partials.map(({ centroids }) => centroids),
        this.#compression,
      ),
      source,
    };
  }

  override empty(): Percentiles {
    return { centroids: [], source: this.#source };
  }

  override number({ centroids }: Percentiles, name: string): number {
    return this.#value(centroids, Number(name));
  }

  #value(centroids: readonly Centroid[], point: number): number {
    if (!this.#ranks) return quantile(centroids, point / 100);
    const part = rank(centroids, point) * 100;
    return Math.min(Math.max(part, 0), 100);
  }

  override renderAtOnce({ centroids, source: { format } }: Percentiles): Rendered {
    const values = this.#points.map((point) => ({ point, value: this.#value(centroids, point) }));
    const text = (value: number) => (format.isRaw ? undefined : format.print(value));
    if (!this.#keyed) {
      return {
        values: values.map(({ point, value }) => ({
          key: new Double(point),
          value: new Double(value),
          value_as_string: text(value),
        })),
      };
    }
    return {
      values: Object.fromEntries(
        values.flatMap(({ point, value }): [string, Rendered | undefined][] => {
          const key = doubleText(point);
          return [
            [key, new Double(value)],
            [`${key}_as_string`, text(value)],
          ];
        }),
      ),
    };
  }
}

/** The tokens of the keys that it reads itself. */
const NAMED = ['START_ARRAY', 'VALUE_BOOLEAN', 'VALUE_NUMBER'];

function percentilesOf(ranks: boolean) {
  const pointsKey = ranks ? 'values' : 'percents';
  return (name: string, body: JsonObject, context: AggregationContext): Aggregation => {
    const keys = sourceKeys({ type: 'percentiles', name, formats: !ranks, wanted: 'numeric' });
    let points: number[] | undefined = ranks ? undefined : DEFAULT_PERCENTS;
    let keyed = true;
    let compression = DEFAULT_COMPRESSION;
    for (const [key, value] of Object.entries(body)) {
      const token = tokenOf(value);
      if (key === pointsKey && Array.isArray(value)) {
        checkListed(value.length, pointsKey, name);
        points = value.map(strictFractionOf);
      } else if (key === 'keyed' && token === 'VALUE_BOOLEAN') keyed = booleanOf(value);
      else if (key === 'compression' && token === 'VALUE_NUMBER') compression = Number(textOf(value));
      else readKeys(name, { [key]: value }, (each, what) => sourceKey(keys, each, what, key), NAMED);
    }
    if (points === undefined) throw malformed(`Missing token values in [${name}].`);
    points.sort((a, b) => a - b);
    const source = sourceFrom(keys, name, 'number', context);
    return new PercentilesAggregation(name, source, { points, ranks, keyed, compression });
  };
}

export const percentilesAggregation = percentilesOf(false);
export const percentileRanksAggregation = percentilesOf(true);
