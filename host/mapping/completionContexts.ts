/** Contexts of completion fields: what a completion must share with a request beside its beginning. */
import { parseFailure } from '../errors.js';
import {
  geohashCellSize,
  geohashLevels,
  geohashNeighbours,
  geohashOf,
  isCoordinates,
  MAX_GEOHASH,
  parseDistance,
  readPoint,
} from '../geo/geoPoints.js';
import { isNumber, isObject, type JsonObject, textOf } from '../json/values.js';
import { ownValue } from '../ownNames.js';

/** A document as contexts see it. */
export interface ContextDocument {
  type: string;
  source: JsonObject;
}

/** One context of a field. */
export interface CompletionContext {
  readonly name: string;
  /** The values of a document; `given` is what its completion says, undefined where it says nothing. */
  values(given: unknown, document: ContextDocument): string[];
  /** The values that a request asks for. */
  asked(given: unknown): string[];
  toJSON(): JsonObject;
}

/** The contexts of a definition, by name. */
export function readContexts(definition: unknown): CompletionContext[] {
  if (!isObject(definition)) return [];
  return Object.entries(definition)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, config]) => {
      const options = isObject(config) ? config : {};
      const type = textOf(options.type);
      if (type === 'category') return new CategoryContext(name, options);
      if (type === 'geo') return new GeoContext(name, options);
      if (type === undefined) throw parseFailure(`missing [type] in context mapping`);
      throw parseFailure(`unknown context type[${type}]`);
    });
}

function listOf(value: unknown): unknown[] {
  return value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];
}

function textsOf(value: unknown): string[] {
  return listOf(value).flatMap((each) => textOf(each) ?? []);
}

/** The scalar values at a path of a source. */
function valuesAt(value: unknown, path: readonly string[]): unknown[] {
  if (Array.isArray(value)) return value.flatMap((each) => valuesAt(each, path));
  const [name, ...rest] = path;
  if (name === undefined) return value === undefined || value === null ? [] : [value];
  return isObject(value) ? valuesAt(ownValue(value, name), rest) : [];
}

const TYPE = '_type';

/** Words, such as a color. */
class CategoryContext implements CompletionContext {
  readonly name: string;
  readonly #path: string;
  readonly #defaults: readonly string[];

  constructor(name: string, options: JsonObject) {
    this.name = name;
    this.#path = textOf(options.path) ?? TYPE;
    this.#defaults = textsOf(options.default);
  }

  values(given: unknown, { type, source }: ContextDocument): string[] {
    if (given !== undefined && given !== null) {
      if (isObject(given))
        throw parseFailure('FieldConfig must be either [null], a string or a list of strings');
      const values = textsOf(given);
      if (values.length === 0) throw parseFailure('FieldConfig must contain a least one category');
      return values;
    }
    if (this.#path === TYPE) return this.#defaults.length > 0 ? [...this.#defaults] : [type];
    const values = textsOf(valuesAt(source, this.#path.split('.')));
    return values.length > 0 ? values : [...this.#defaults];
  }

  asked(given: unknown): string[] {
    return given === null || given === undefined ? [...this.#defaults] : textsOf(given);
  }

  toJSON(): JsonObject {
    return { type: 'category', path: this.#path, default: [...this.#defaults] };
  }
}

/** RepositoryLocations, as cells of geohashes. */
class GeoContext implements CompletionContext {
  readonly name: string;
  readonly #path: string | undefined;
  readonly #precision: readonly number[];
  readonly #neighbors: boolean;
  readonly #defaults: readonly string[] | undefined;

  constructor(name: string, options: JsonObject) {
    this.name = name;
    this.#path = textOf(options.path);
    const precision = listOf(options.precision).map(keptLevelsOf);
    this.#precision = precision.length > 0 ? [...new Set(precision)].sort((a, b) => a - b) : [MAX_GEOHASH];
    this.#neighbors =
      options.neighbors === undefined || options.neighbors === true || options.neighbors === 'true';
    this.#defaults = options.default === undefined ? undefined : locations(options.default);
  }

  values(given: unknown, { source }: ContextDocument): string[] {
    let hashes = given === undefined || given === null ? [] : locations(given);
    if (hashes.length === 0 && this.#path !== undefined)
      hashes = pointsAt(source, this.#path.split('.')).flatMap(locations);
    if (hashes.length === 0) hashes = [...(this.#defaults ?? [])];
    const cells = new Set<string>();
    for (const hash of hashes) {
      for (const levels of this.#precision) {
        const cell = hash.slice(0, levels);
        if (this.#neighbors) for (const each of geohashNeighbours(cell)) cells.add(each);
        cells.add(cell);
      }
    }
    return [...cells];
  }

  asked(given: unknown): string[] {
    if (given === undefined || given === null) return [...(this.#defaults ?? [])];
    let point = given;
    let precision = this.#precision;
    if (isObject(given)) {
      const { precision: own, value, ...rest } = given;
      const [unknown] = Object.keys(rest).filter(
        (key) => key !== 'lat' && key !== 'lon' && key !== 'geohash',
      );
      if (unknown !== undefined) throw parseFailure(`unexpected fieldname [${unknown}]`);
      if (own !== undefined) precision = listOf(own).map(levelsOf);
      if (value !== undefined && Object.keys(rest).length > 0)
        throw parseFailure('only lat/lon or [value] is allowed');
      point = value ?? rest;
      if (value === undefined && Object.keys(rest).length === 0) throw parseFailure('location is missing');
    }
    const hash = hashOf(point);
    return [...new Set(precision.map((levels) => hash.slice(0, Math.max(1, Math.min(levels, hash.length)))))];
  }

  toJSON(): JsonObject {
    return {
      type: 'geo',
      precision: [...this.#precision],
      neighbors: this.#neighbors,
      ...(this.#defaults === undefined ? {} : { default: [...this.#defaults] }),
      ...(this.#path === undefined ? {} : { path: this.#path }),
    };
  }
}

/** A number of characters, or the distance that they are for. */
function levelsOf(value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value)) return Math.max(1, Math.min(value, MAX_GEOHASH));
  return geohashLevels(isNumber(value) ? Number(value) : parseDistance(textOf(value) ?? ''));
}

/** The same where documents are kept: of a distance that the cells must not fall short of. */
function keptLevelsOf(value: unknown): number {
  const levels = levelsOf(value);
  if (typeof value === 'number' && Number.isInteger(value)) return levels;
  const metres = typeof value === 'number' ? value : parseDistance(textOf(value) ?? '');
  return geohashCellSize(levels) < metres ? Math.max(1, levels - 1) : levels;
}

/** A geohash in full, as it is given or of a point. */
function hashOf(value: unknown): string {
  if (typeof value === 'string' && !value.includes(',')) return value;
  return geohashOf(readPoint(value));
}

/** One location or several. */
function locations(value: unknown): string[] {
  if (!Array.isArray(value) || isCoordinates(value)) return [hashOf(value)];
  return value.map(hashOf);
}

/** The points at a path of a source, in whatever form. */
function pointsAt(value: unknown, path: readonly string[]): unknown[] {
  const [name, ...rest] = path;
  if (name === undefined) return value === undefined || value === null ? [] : [value];
  if (Array.isArray(value)) return value.flatMap((each) => pointsAt(each, path));
  return isObject(value) ? pointsAt(ownValue(value, name), rest) : [];
}
