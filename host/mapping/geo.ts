/** `geo_point` fields. */

import type { AnalyzerRegistry } from '../analysis/registry.js';
import type { BatchWriter } from '../core/batch.js';
import { ElasticsearchError, mapperParsing, toElasticsearchError } from '../errors.js';
import { compressed, compressedStep } from '../geo/compressedPoints.js';
import { Column, type CoreOptions, LeafField } from './field.js';
import { readTraits, TERM_TRAITS } from './fieldTraits.js';
import {
  arrayPoint,
  type GeoPoint,
  geohashLevels,
  geohashOf,
  isCoordinates,
  MAX_GEOHASH,
  normalizePoint,
  parseDistance,
  readPoint,
  textPoint,
} from '../geo/geoPoints.js';
import { doubleText } from '../numbers/javaNumbers.js';
import { NumberField, ONE_TERM } from './numbers.js';
import { StringField } from './strings.js';
import { encodeDouble, halves, textTerm } from './terms.js';
import { booleanOf, intOf, isCompound, isNumber, type JsonObject, textOf } from '../json/values.js';

/** What the mapping says; what is undefined was not given. */
interface GeoOptions {
  latLon: boolean;
  geohash: boolean;
  geohashPrefix: boolean;
  precision: number;
  validateLat: boolean;
  validateLon: boolean;
  normalizeLat: boolean;
  normalizeLon: boolean;
  /** As given, which is how they are shown. */
  echoed: JsonObject;
}

/** A point: one term of its two coordinates, sixteen bytes, and what the mapping wants besides. */
export class GeoPointField extends LeafField {
  override readonly type = 'geo_point';
  override readonly core: CoreOptions = { ...ONE_TERM, flags: Column.geo };
  override readonly ownsArrays = true;
  readonly #options: GeoOptions;
  readonly #lat: NumberField | undefined;
  readonly #lon: NumberField | undefined;
  readonly #hash: StringField | undefined;

  override allText(): undefined {
    return undefined;
  }

  constructor(fullName: string, definition: JsonObject, registry: AnalyzerRegistry) {
    const { boost: _boost, ...kept } = definition;
    super(fullName, readTraits(kept, TERM_TRAITS));
    this.#options = readOptions(definition);
    const { latLon, geohash, geohashPrefix } = this.#options;
    if (latLon) {
      this.#lat = new NumberField(`${fullName}.lat`, 'double', {});
      this.#lon = new NumberField(`${fullName}.lon`, 'double', {});
      this.parts.push(this.#lat, this.#lon);
    }
    if (geohash || geohashPrefix) {
      this.#hash = new StringField(`${fullName}.geohash`, { index: 'not_analyzed' }, registry);
      this.parts.push(this.#hash);
    }
  }

  /** Whether latitude and longitude are fields of their own, which the indexed kinds of filters need. */
  get hasLatLon(): boolean {
    return this.#options.latLon;
  }

  /** The field with the geohashes and all they begin with. */
  get prefixField(): StringField | undefined {
    return this.#options.geohashPrefix ? this.#hash : undefined;
  }

  override write(batch: BatchWriter, value: unknown): void {
    try {
      this.#read(batch, value);
    } catch (error) {
      const cause = toElasticsearchError(error);
      throw cause.exception === 'MapperParsingException' ? cause : mapperParsing('failed to parse', cause);
    }
  }

  override *partsOf(list: readonly unknown[]): Iterable<readonly unknown[]> {
    // A number would be a coordinate at the head of a list, and is no point elsewhere.
    const isPoint = (each: unknown) => typeof each === 'string' || isCompound(each);
    if (list.length <= PART || !list.every(isPoint)) yield list;
    else for (let at = 0; at < list.length; at += PART) yield list.slice(at, at + PART);
  }

  #read(batch: BatchWriter, value: unknown): void {
    for (const { point, hash } of pointsOf(value)) this.#point(batch, point, hash);
  }

  /** Points as texts, latitude first. */
  override valuesForSearch(value: unknown): unknown[] {
    return pointsOf(value).map(({ point }) => pointText(this.#normal(point)));
  }

  #normal(given: GeoPoint): GeoPoint {
    const { normalizeLat, normalizeLon } = this.#options;
    return normalizeLat || normalizeLon ? normalizePoint(given, normalizeLat, normalizeLon) : given;
  }

  #point(batch: BatchWriter, given: GeoPoint, hash?: string): void {
    const { validateLat, validateLon, geohashPrefix, precision } = this.#options;
    const point = this.#normal(given);
    if (validateLat && (point.lat > 90 || point.lat < -90)) throw this.#illegal('latitude', point.lat);
    if (validateLon && (point.lon > 180 || point.lon < -180)) throw this.#illegal('longitude', point.lon);
    if (this.number < 0) return;
    batch.term(this.number, this.#term(point));
    this.#lat?.write(batch, point.lat);
    this.#lon?.write(batch, point.lon);
    if (this.#hash === undefined) return;
    const text = hash ?? geohashOf(point);
    const longest = Math.min(precision, text.length);
    for (let length = geohashPrefix ? 1 : longest; length <= longest; length++)
      this.#hash.write(batch, text.slice(0, length));
  }

  #illegal(what: string, value: number): ElasticsearchError {
    const shown = Number.isInteger(value) ? `${value}.0` : String(value);
    return new ElasticsearchError(
      'ElasticsearchIllegalArgumentException',
      `illegal ${what} value [${shown}] for ${this.shortName}`,
    );
  }

  /** A point is found by its text as 1.7 indexes it, and by no other that means it. */
  override term(value: unknown): Uint8Array {
    const text = textOf(value) ?? '';
    const [lat, lon, more] = text.split(',');
    if (lat === undefined || lon === undefined || more !== undefined) return textTerm(text);
    const point = { lat: Number(lat), lon: Number(lon) };
    return pointText(point) === text ? this.#term(point) : textTerm(text);
  }

  /** Documents that are there keep the precision that the mapping had. */
  #term(point: GeoPoint): Uint8Array {
    const step = compressedStep(this.traits.fielddata);
    return pointTerm(step === undefined ? point : compressed(point, step));
  }

  protected override echo(): JsonObject {
    return { type: 'geo_point', ...this.#options.echoed };
  }

  protected override mergeOwn(other: GeoPointField, conflicts: string[]): void {
    const [mine, its] = [this.#options, other.#options];
    const check = (differs: boolean, what: string) => {
      if (differs) conflicts.push(`mapper [${this.fullName}] has different ${what}`);
    };
    check(mine.latLon !== its.latLon, 'lat_lon');
    check((mine.geohash || mine.geohashPrefix) !== (its.geohash || its.geohashPrefix), 'geohash');
    check(mine.precision !== its.precision, 'geohash_precision');
    check(mine.geohashPrefix !== its.geohashPrefix, 'geohash_prefix');
    check(mine.normalizeLat !== its.normalizeLat, 'normalize_lat');
    check(mine.normalizeLon !== its.normalizeLon, 'normalize_lon');
    check(mine.echoed.precision_step !== its.echoed.precision_step, 'precision_step');
    check(mine.validateLat !== its.validateLat, 'validate_lat');
    check(mine.validateLon !== its.validateLon, 'validate_lon');
  }
}

/** Points of a long list that are written at a time. */
const PART = 256;

/** The points of a value, each with the geohash that it is given as. */
function pointsOf(value: unknown): { point: GeoPoint; hash?: string | undefined }[] {
  if (value === null || value === undefined) return [];
  if (typeof value === 'string') return [textOrHash(value)];
  if (!Array.isArray(value)) return [{ point: readPoint(value) }];
  if (isCoordinates(value)) return [{ point: arrayPoint(value) }];
  return value.map((each) => (typeof each === 'string' ? textOrHash(each) : { point: readPoint(each) }));
}

function textOrHash(text: string): { point: GeoPoint; hash: string | undefined } {
  return { point: textPoint(text), hash: text.includes(',') ? undefined : text };
}

/** A point as 1.7 indexes it. */
export function pointText({ lat, lon }: GeoPoint): string {
  return `${doubleText(lat)},${doubleText(lon)}`;
}

/** The term of a point: its coordinates as the terms of fractions. */
export function pointTerm({ lat, lon }: GeoPoint): Uint8Array {
  const term = new Uint8Array(16);
  const view = new DataView(term.buffer);
  for (const [i, value] of [lat, lon].entries()) {
    encodeDouble(value);
    view.setUint32(8 * i, halves.high);
    view.setUint32(8 * i + 4, halves.low);
  }
  return term;
}

function readOptions(definition: JsonObject): GeoOptions {
  const echoed: JsonObject = {};
  const flag = (key: string, fallback: boolean): boolean =>
    definition[key] === undefined ? fallback : booleanOf(definition[key]);
  const latLon = flag('lat_lon', false);
  const geohash = flag('geohash', false);
  const geohashPrefix = flag('geohash_prefix', false);
  const validate = flag('validate', true);
  const normalize = flag('normalize', true);
  const options: GeoOptions = {
    latLon,
    geohash,
    geohashPrefix,
    precision: readPrecision(definition.geohash_precision),
    validateLat: flag('validate_lat', validate),
    validateLon: flag('validate_lon', validate),
    normalizeLat: flag('normalize_lat', normalize),
    normalizeLon: flag('normalize_lon', normalize),
    echoed,
  };
  if (latLon) echoed.lat_lon = true;
  if (geohash || geohashPrefix) echoed.geohash = true;
  if (geohashPrefix) echoed.geohash_prefix = true;
  if (options.precision !== MAX_GEOHASH) echoed.geohash_precision = options.precision;
  if (definition.precision_step !== undefined) echoed.precision_step = intOf(definition.precision_step);
  echoBoth(echoed, 'validate', options.validateLat, options.validateLon);
  echoBoth(echoed, 'normalize', options.normalizeLat, options.normalizeLon);
  return options;
}

/** Shows what is not as usual, for both coordinates at once where that is the same. */
function echoBoth(echoed: JsonObject, name: string, lat: boolean, lon: boolean): void {
  if (lat && lon) return;
  if (!(lat || lon)) echoed[name] = false;
  else if (lat) echoed[`${name}_lon`] = false;
  else echoed[`${name}_lat`] = false;
}

/** A number of characters, or a distance that the cells must not exceed. */
function readPrecision(value: unknown): number {
  if (value === undefined || value === null) return MAX_GEOHASH;
  if (isNumber(value)) return Math.trunc(Number(value));
  const text = textOf(value) ?? '';
  return /^\d+$/.test(text) ? Number(text) : geohashLevels(parseDistance(text));
}
