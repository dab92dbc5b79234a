/** `geohash_grid` and `geo_bounds`. */

import type { PlanBytes } from '../core/planBytes.js';
import { illegalArgument } from '../errors.js';
import { BASE32 } from '../geo/geoPoints.js';
import { booleanOf, strictIntOf, type JsonObject } from '../json/values.js';
import type { Turns } from '../workLimit.js';
import { Aggregation, MetricAggregation, isDueForShown, NOTHING_SHOWN, renderBelow } from './aggregation.js';
import { AggregationKind } from '../core/abi/aggregations.js';
import { type AggregationContext, readKeys, sourceFrom, sourceKey, sourceKeys } from './body.js';
import { type KeyBucket, readKeyBuckets, reduceByKey } from './keyBuckets.js';
import type { PartialReader } from './reader.js';
import type { Reduction } from './reduction.js';
import { Double, type Rendered } from './rendered.js';
import { sorted } from './sorting.js';
import { ALL, defaultShardSize } from './terms.js';

class GridAggregation extends Aggregation<KeyBucket[]> {
  override readonly shape = 'several';
  readonly #field: number;
  readonly #precision: number;
  readonly #size: number;
  readonly #shardSize: number;

  constructor(name: string, field: number, precision: number, size: number, shardSize: number) {
    super(name);
    this.#field = field;
    this.#precision = precision;
    this.#size = size;
    this.#shardSize = shardSize;
  }

  override get isOpen(): boolean {
    return true;
  }

  protected override writeHead(bytes: PlanBytes): void {
    bytes.u8(AggregationKind.geohash);
    bytes.u16(this.#field);
    bytes.u8(this.#precision);
    bytes.u32(this.#shardSize);
  }

  protected override writeTail(bytes: PlanBytes): void {
    // The most documents first, and of cells with as many the last.
    bytes.u8(2);
    for (const by of [0, 1]) {
      bytes.u8(by);
      bytes.u8(0);
    }
  }

  override read(reader: PartialReader, work: Reduction): Turns<KeyBucket[]> {
    return readKeyBuckets(reader.u32(), this.children, reader, work);
  }

  override *merge(partials: readonly KeyBucket[][], work: Reduction): Turns<KeyBucket[]> {
    const cells = yield* reduceByKey(this.children, partials, work);
    const best = yield* sorted(
      cells,
      (a, b) => b.docs - a.docs || (a.key < b.key ? 1 : a.key > b.key ? -1 : 0),
      work,
    );
    return best.slice(0, this.#size);
  }

  override empty(): KeyBucket[] {
    return [];
  }

  override *render(cells: KeyBucket[], work: Reduction): Turns<Rendered> {
    const shown: Rendered[] = [];
    const isLeaf = this.children.length === 0;
    for (const cell of cells) {
      if (isLeaf && isDueForShown(work)) yield;
      shown.push({
        key: this.#hash(cell.key),
        doc_count: cell.docs,
        ...(isLeaf ? NOTHING_SHOWN : yield* renderBelow(this.children, cell, work)),
      });
    }
    return { buckets: shown };
  }

  #hash(key: bigint): string {
    let text = '';
    for (let i = this.#precision - 1; i >= 0; i--) text += BASE32[Number((key >> BigInt(5 * i)) & 31n)];
    return text;
  }
}

export function gridAggregation(name: string, body: JsonObject, context: AggregationContext): Aggregation {
  const keys = sourceKeys({ type: 'geohash_grid', name, scripts: false });
  let precision = 5;
  let size = 10_000;
  let shardSize = -1;
  readKeys(name, body, (value, token, key) => {
    const isNumber = token === 'VALUE_NUMBER';
    if (key === 'precision' && isNumber) precision = strictIntOf(value);
    else if (key === 'size' && isNumber) size = strictIntOf(value);
    else if ((key === 'shard_size' || key === 'shardSize') && isNumber) shardSize = strictIntOf(value);
    else sourceKey(keys, value, token, key);
    // What is anything else is nothing to 1.7.
    return true;
  });
  if (shardSize === 0) shardSize = ALL;
  if (size === 0) size = ALL;
  if (shardSize < 0) shardSize = size === ALL ? ALL : defaultShardSize(size, context.shards);
  const { field } = sourceFrom(keys, name, 'point', context);
  if (precision < 1 || precision > 12) {
    const range = 'Long-based geohashes only support precisions between 1 and 12';
    context.dsl.refuse(illegalArgument(`Illegal precision length of ${precision}. ${range}`));
    precision = 1;
  }
  return new GridAggregation(name, field, precision, size, Math.min(Math.max(shardSize, size), ALL));
}

/** Bounds of points; longitudes below zero apart from the others. NaN: none. */
interface Bounds {
  bottom: number;
  top: number;
  east: [number, number];
  west: [number, number];
}

class BoundsAggregation extends MetricAggregation<Bounds> {
  readonly #field: number;
  readonly #wrap: boolean;

  constructor(name: string, field: number, wrap: boolean) {
    super(name);
    this.#field = field;
    this.#wrap = wrap;
  }

  protected override writeHead(bytes: PlanBytes): void {
    bytes.u8(AggregationKind.bounds);
    bytes.u16(this.#field);
  }

  override readAtOnce(reader: PartialReader): Bounds {
    const [bottom, top] = [reader.f64(), reader.f64()];
    return { bottom, top, east: [reader.f64(), reader.f64()], west: [reader.f64(), reader.f64()] };
  }

  override mergeAtOnce(partials: readonly Bounds[]): Bounds {
    const least = (numbers: number[]) => extreme(numbers, Math.min);
    const most = (numbers: number[]) => extreme(numbers, Math.max);
    return {
      bottom: least(partials.map(({ bottom }) => bottom)),
      top: most(partials.map(({ top }) => top)),
      east: [least(partials.map(({ east }) => east[0])), most(partials.map(({ east }) => east[1]))],
      west: [least(partials.map(({ west }) => west[0])), most(partials.map(({ west }) => west[1]))],
    };
  }

  override empty(): Bounds {
    return {
      bottom: Number.NaN,
      top: Number.NaN,
      east: [Number.NaN, Number.NaN],
      west: [Number.NaN, Number.NaN],
    };
  }

  override renderAtOnce(bounds: Bounds): Rendered {
    if (Number.isNaN(bounds.top)) return {};
    const [left, right] = this.#sides(bounds);
    return {
      bounds: {
        top_left: { lat: new Double(bounds.top), lon: new Double(left) },
        bottom_right: { lat: new Double(bounds.bottom), lon: new Double(right) },
      },
    };
  }

  /** West and east; across the date line where the box is smaller that way. */
  #sides({ east, west }: Bounds): [number, number] {
    if (Number.isNaN(west[0])) return east;
    if (Number.isNaN(east[0])) return west;
    const straight = east[1] - west[0];
    const around = 360 - east[0] + west[1];
    return this.#wrap && around < straight ? [east[0], west[1]] : [west[0], east[1]];
  }
}

function extreme(numbers: readonly number[], of: (...numbers: number[]) => number): number {
  const some = numbers.filter((number) => !Number.isNaN(number));
  return some.length === 0 ? Number.NaN : of(...some);
}

export function boundsAggregation(name: string, body: JsonObject, context: AggregationContext): Aggregation {
  const keys = sourceKeys({ type: 'geo_bounds', name, scripts: false, formats: true });
  let wrap = true;
  readKeys(
    name,
    body,
    (value, token, key) => {
      if ((key === 'wrap_longitude' || key === 'wrapLongitude') && token === 'VALUE_BOOLEAN')
        wrap = booleanOf(value);
      else return sourceKey(keys, value, token, key);
      return true;
    },
    'all',
    `aggregation [${name}]`,
  );
  return new BoundsAggregation(name, sourceFrom(keys, name, 'point', context).field, wrap);
}
