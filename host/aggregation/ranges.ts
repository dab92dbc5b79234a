/** `range`, `date_range`, `ip_range` and `geo_distance`: buckets of values from one bound up to, but not including, another. */

import { tokenOf } from '../json/jsonTokens.js';
import type { PlanBytes } from '../core/planBytes.js';
import { readFormula } from '../query/sort/distanceSort.js';
import { Formula } from '../plan/sortKeys.js';
import { ElasticsearchError, toElasticsearchError } from '../errors.js';
import { distanceUnit, type GeoPoint, readPoint } from '../geo/geoPoints.js';
import { doubleText } from '../numbers/javaNumbers.js';
import { booleanOf, isNumber, isObject, type JsonObject, parseFraction, textOf } from '../json/values.js';
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
import {
  type AggregationContext,
  checkListed,
  malformed,
  readKeys,
  sourceKeys,
  sourceFrom,
  sourceKey,
  unexpectedToken,
} from './body.js';
import { ADDRESS, dateValuesOf, RAW, type ValueFormat } from './format.js';
import type { PartialReader } from './reader.js';
import type { Reduction } from './reduction.js';
import { Double, type Rendered } from './rendered.js';
import { UNKNOWN_FIELD } from '../mapping/field.js';
import { type ValueSource, writeSource } from './source.js';
import { outOfBounds } from '../compat17/javaCasts.js';

/** A range; open ends are infinite. */
interface Range {
  key: string;
  from: number;
  to: number;
}

/** How ranges are shown. */
interface Style {
  keyed: boolean;
  format: ValueFormat;
  /** Whether the bounds are shown as texts too. */
  texts: boolean;
}

/** What a range shows of itself. */
type Head = Readonly<Record<'key' | 'from' | 'from_as_string' | 'to' | 'to_as_string', Rendered | undefined>>;

abstract class Ranges extends Aggregation<Bucket[]> {
  override readonly shape = 'several';
  protected readonly ranges: readonly Range[];
  readonly #style: Style;
  /** Made when they are first shown: they are the same in every bucket above. */
  #heads: readonly Head[] | undefined;

  constructor(name: string, ranges: readonly Range[], style: Style) {
    super(name);
    this.ranges = ranges;
    this.#style = style;
  }

  protected writeRanges(bytes: PlanBytes): void {
    bytes.u16(this.ranges.length);
    for (const { from, to } of this.ranges) {
      bytes.f64(from);
      bytes.f64(to);
    }
  }

  override *read(reader: PartialReader, work: Reduction): Turns<Bucket[]> {
    const buckets: Bucket[] = [];
    for (const _ of this.ranges) buckets.push(yield* readBucket(this.told, reader, work));
    return buckets;
  }

  override *merge(partials: readonly Bucket[][], work: Reduction): Turns<Bucket[]> {
    const merged: Bucket[] = [];
    for (let i = 0; i < this.ranges.length; i++) {
      const group = partials.map((buckets) => buckets[i]!);
      merged.push(yield* mergeBuckets(this.children, group, work));
    }
    return merged;
  }

  override empty(): Bucket[] {
    return this.ranges.map(() => emptyBucket(this.children));
  }

  #makeHeads(): Head[] {
    const { keyed, format, texts } = this.#style;
    return this.ranges.map(({ key, from, to }) => ({
      key: keyed ? undefined : key,
      from: Number.isFinite(from) ? new Double(from) : undefined,
      from_as_string: texts && Number.isFinite(from) ? format.print(from) : undefined,
      to: Number.isFinite(to) ? new Double(to) : undefined,
      to_as_string: texts && Number.isFinite(to) ? format.print(to) : undefined,
    }));
  }

  override *render(buckets: Bucket[], work: Reduction): Turns<Rendered> {
    const { keyed } = this.#style;
    const shown: Rendered[] = [];
    this.#heads ??= this.#makeHeads();
    for (const [i, head] of this.#heads.entries())
      shown.push({
        ...head,
        doc_count: buckets[i]!.docs,
        ...(yield* renderBelow(this.children, buckets[i]!, work)),
      });
    if (!keyed) return { buckets: shown };
    return { buckets: Object.fromEntries(shown.map((bucket, i) => [this.ranges[i]!.key, bucket])) };
  }
}

class ValueRanges extends Ranges {
  readonly #source: ValueSource;

  constructor(name: string, source: ValueSource, ranges: readonly Range[], style: Style) {
    super(name, ranges, style);
    this.#source = source;
  }

  protected override writeHead(bytes: PlanBytes): void {
    bytes.u8(AggregationKind.range);
    writeSource(bytes, this.#source);
    this.writeRanges(bytes);
  }
}

/** Where rings lie. */
export interface Rings {
  field: number;
  origin: GeoPoint;
  unit: number;
  formula: number;
}

class DistanceRanges extends Ranges {
  readonly #rings: Rings;

  constructor(name: string, rings: Rings, ranges: readonly Range[], keyed: boolean) {
    super(name, ranges, { keyed, format: RAW, texts: false });
    this.#rings = rings;
  }

  protected override writeHead(bytes: PlanBytes): void {
    bytes.u8(AggregationKind.distance);
    writeRings(bytes, this.#rings);
    this.writeRanges(bytes);
  }
}

/** Writes the field, and from where, how and in which unit distances are measured. */
export function writeRings(bytes: PlanBytes, { field, origin, unit, formula }: Rings): void {
  bytes.u16(field);
  bytes.u8(formula);
  // The factor is no distance.
  bytes.f64(formula === Formula.factor ? 1 : unit);
  bytes.f64(origin.lat);
  bytes.f64(origin.lon);
}

/** A range as it is given. */
interface Given {
  key: string | undefined;
  from: number | string | undefined;
  to: number | string | undefined;
  mask: string | undefined;
}

const WANTED = { range: 'numeric', date_range: 'date', ip_range: 'ip' } as const;

/** 400: 1.7 looks for keys inside an array that means nothing to a date_range. */
function insideArray([first]: readonly unknown[], key: string, name: string): ElasticsearchError {
  const token = first === undefined ? 'END_ARRAY' : tokenOf(first);
  if (token !== 'VALUE_BOOLEAN') return unexpectedToken(token, `[${name}]`);
  return malformed(`Unknown key for a ${token} in [${name}]: [${key}].`);
}

/** @param strict whether a range may say nothing else */
function readRanges(value: readonly unknown[], name: string, strict = false): Given[] {
  checkListed(value.length, 'ranges', name);
  return value.filter(isObject).map((json) => {
    const given: Given = { key: undefined, from: undefined, to: undefined, mask: undefined };
    for (const [key, bound] of Object.entries(json)) {
      const simple =
        typeof bound === 'string' ? bound : textOf(bound) === undefined ? undefined : Number(bound);
      if (key === 'from') given.from = simple;
      else if (key === 'to') given.to = simple;
      else if (key === 'key' && typeof bound === 'string') given.key = bound;
      else if (strict && ['VALUE_NUMBER', 'VALUE_STRING'].includes(tokenOf(bound)))
        throw malformed(`Unknown key for a ${tokenOf(bound)} in [${name}]: [ranges].`);
      else if (key === 'mask' && typeof bound === 'string') given.mask = bound;
    }
    return given;
  });
}

/** 500: 1.7 looks at the first range before it looks whether there is one. */
function noRanges(context: AggregationContext): void {
  context.failure ??= outOfBounds(0, 0);
}

/** Reads a bound; a text that is none makes the search fail when it begins. */
export function bound(
  value: number | string | undefined,
  open: number,
  format: ValueFormat,
  context: AggregationContext,
) {
  if (value === undefined) return open;
  if (typeof value === 'number') return value;
  try {
    return format.parse(value, context.dsl.now);
  } catch (thrown) {
    const error = toElasticsearchError(thrown);
    const status = error.exception === 'NumberFormatException' ? 500 : error.status;
    context.failure ??= new ElasticsearchError(error.exception, error.detail, {
      status,
      nested: error.nested,
    });
    return open;
  }
}

function byBounds(a: Range, b: Range): number {
  return a.from !== b.from ? (a.from < b.from ? -1 : 1) : a.to !== b.to ? (a.to < b.to ? -1 : 1) : 0;
}

/** Bounds of an address mask such as `10.0.0.0/8`, computed in 32 bits as 1.7 does. */
function maskRange(mask: string): { from: number; to: number } {
  const parts = mask.split(/[./]/).map(Number);
  if (parts.length !== 5 || parts.some((part) => !Number.isInteger(part)))
    throw malformed(`invalid mask [${mask}] in aggregation`);
  const [a = 0, b = 0, c = 0, d = 0, length = 0] = parts;
  const address = (a << 24) | ((b & 255) << 16) | ((c & 255) << 8) | (d & 255);
  const bits = -1 << (32 - length);
  const from = (address & bits) >>> 0;
  const to = ((address & bits) + ~bits) >>> 0;
  return {
    from: from === 0 ? Number.NEGATIVE_INFINITY : from,
    to: to === 0xffff_ffff ? Number.POSITIVE_INFINITY : to + 1,
  };
}

/** `range`, `date_range` and `ip_range`. */
function valueRanges(kind: 'range' | 'date_range' | 'ip_range') {
  return (name: string, body: JsonObject, context: AggregationContext): Aggregation => {
    const keys = sourceKeys({ type: kind, name, formats: kind !== 'ip_range', wanted: WANTED[kind] });
    let given: Given[] | undefined;
    let keyed = false;
    readKeys(
      name,
      body,
      (value, token, key) => {
        if (key === 'ranges' && Array.isArray(value)) given = readRanges(value, name, kind === 'date_range');
        else if (kind === 'date_range' && Array.isArray(value)) throw insideArray(value, key, name);
        else if (key === 'keyed' && token === 'VALUE_BOOLEAN') keyed = booleanOf(value);
        else return sourceKey(keys, value, token, key);
        return true;
      },
      ['START_ARRAY', 'VALUE_BOOLEAN'],
    );
    if (given === undefined) throw malformed(`Missing [ranges] in ranges aggregator [${name}]`);
    let source = sourceFrom(keys, name, 'number', context);
    if (kind === 'date_range' && !source.mapped)
      source = { ...source, format: dateValuesOf(keys.format ?? 'dateOptionalTime') };
    if (given.length === 0) noRanges(context);
    if (kind === 'ip_range' && source.mapped && source.fieldType !== 'ip')
      context.failure ??= new ElasticsearchError('NumberFormatException', 'multiple points');
    const format = kind === 'ip_range' ? ADDRESS : source.format;
    const ranges = given.map(({ key, from, to, mask }): Range => {
      const bounds =
        mask === undefined
          ? {
              from: bound(from, Number.NEGATIVE_INFINITY, format, context),
              to: bound(to, Number.POSITIVE_INFINITY, format, context),
            }
          : maskRange(mask);
      return { key: key ?? mask ?? keyOf(bounds, format), ...bounds };
    });
    const style = { keyed, format, texts: true };
    const made = new ValueRanges(name, source, ranges.sort(byBounds), style);
    made.leavesOutBelow = !source.mapped;
    return made;
  };
}

function keyOf({ from, to }: Pick<Range, 'from' | 'to'>, format: ValueFormat): string {
  return `${Number.isFinite(from) ? format.print(from) : '*'}-${Number.isFinite(to) ? format.print(to) : '*'}`;
}

export const rangeAggregation = valueRanges('range');
export const dateRangeAggregation = valueRanges('date_range');
export const ipRangeAggregation = valueRanges('ip_range');

const NOWHERE: GeoPoint = { lat: Number.NaN, lon: Number.NaN };

function readOrigin(key: string, value: unknown, name: string): GeoPoint {
  if (Array.isArray(value) && value.length > 2)
    throw malformed(
      `malformed [${key}] geo point array in [${name}] geo_distance aggregation. a geo point array must be of the form [lon, lat]`,
    );
  // Of a list with too few numbers, nothing is at any distance.
  if (Array.isArray(value) && value.length < 2) return NOWHERE;
  if (!isObject(value)) return readPoint(value);
  const [lat, lon] = [value.lat, value.lon];
  if (!isNumber(lat) || !isNumber(lon)) {
    const last = Object.keys(value).at(-1) ?? key;
    throw malformed(
      `malformed [${last}] geo point object. either [lat] or [lon] (or both) are missing in [${name}] geo_distance aggregation`,
    );
  }
  return { lat: parseFraction(textOf(lat) ?? ''), lon: parseFraction(textOf(lon) ?? '') };
}

const DISTANCE_TOKENS = ['VALUE_STRING', 'VALUE_BOOLEAN', 'START_ARRAY'];
const ORIGINS = new Set(['origin', 'point', 'center', 'por']);

export function distanceAggregation(
  name: string,
  body: JsonObject,
  context: AggregationContext,
): Aggregation {
  const keys = sourceKeys({ type: 'geo_distance', name, scripts: false });
  let given: Given[] | undefined;
  let keyed = false;
  let origin: GeoPoint | undefined;
  let unit = 1;
  let formula = 0;
  for (const [key, value] of Object.entries(body)) {
    const isText = typeof value === 'string';
    if (ORIGINS.has(key) && (isText || Array.isArray(value) || isObject(value)))
      origin = readOrigin(key, value, name);
    else if (key === 'field' && isText) keys.field = value;
    else if (key === 'unit' && isText) unit = distanceUnit(value);
    else if ((key === 'distance_type' || key === 'distanceType') && isText) formula = readFormula(value);
    else if (key === 'keyed' && typeof value === 'boolean') keyed = value;
    else if (key === 'ranges' && Array.isArray(value)) given = readRanges(value, name);
    else
      readKeys(name, { [key]: value }, (each, token, k) => sourceKey(keys, each, token, k), DISTANCE_TOKENS);
  }
  if (given === undefined) throw malformed(`Missing [ranges] in geo_distance aggregator [${name}]`);
  if (origin === undefined) throw malformed(`Missing [origin] in geo_distance aggregator [${name}]`);
  const { field, mapped } = sourceFrom(keys, name, 'point', context);
  if (given.length === 0) noRanges(context);
  const ranges = given.map(({ key, from, to }): Range => {
    const start = bound(from, 0, RAW, context);
    const end = bound(to, Number.POSITIVE_INFINITY, RAW, context);
    // What is given as a text doesn't count.
    const [near, far] = [from, to].map((each) => (typeof each === 'number' ? each : undefined));
    const left = near === undefined || near === 0 ? '*' : doubleText(near);
    const right = far === undefined || !Number.isFinite(far) ? '*' : doubleText(far);
    return { key: key ?? `${left}-${right}`, from: start, to: end };
  });
  const rings =
    origin === NOWHERE
      ? { field: UNKNOWN_FIELD, origin: { lat: 0, lon: 0 }, unit, formula }
      : { field, origin, unit, formula };
  const made = new DistanceRanges(name, rings, ranges.sort(byBounds), keyed);
  made.leavesOutBelow = !mapped;
  return made;
}
