/** Filters on points: circles, rings, boxes, polygons and cells of geohashes. */

import { checkVertexCount } from '../../geo/vertices.js';
import { ElasticsearchError, illegalArgument, queryParsing } from '../../errors.js';
import { GeoPointField } from '../../mapping/geo.js';
import {
  distanceUnit,
  type GeoPoint,
  geohashLevels,
  geohashNeighbours,
  geohashOf,
  geohashPoint,
  geoParse,
  normalizePoint,
  parseDistance,
  readPoint,
  textPoint,
} from '../../geo/geoPoints.js';
import { doubleText } from '../../numbers/javaNumbers.js';
import { textTerm } from '../../mapping/terms.js';
import {
  booleanOf,
  fractionOf,
  isCompound,
  isNumber,
  isObject,
  type JsonObject,
  textOf,
} from '../../json/values.js';
import {
  asFilter,
  type Dsl,
  type FilterCompiler,
  type FilterKind,
  IGNORED,
  ofType,
  type ResolvedField,
  resolve,
} from '../context.js';
import type { PlanNode } from '../../plan/nodes.js';
import type { GeoBox } from '../../plan/nodes/geoBox.js';
import { readFormula } from '../sort/sort.js';
import { Formula } from '../../plan/sortKeys.js';

/** What stands beside the field in a filter; each key once. */
function entriesOf(body: unknown, dsl: Dsl): [string, unknown][] {
  if (!isObject(body)) throw queryParsing(dsl.index, '[_na] filter malformed, no field after start_object');
  return Object.entries(body).filter(([key]) => !IGNORED.has(key));
}

/** The geo_point field of that name. */
function geoField(name: string | undefined, dsl: Dsl): { resolved: ResolvedField; field: GeoPointField } {
  if (name === undefined) throw new ElasticsearchError('NullPointerException', '', { status: 400 });
  const resolved = resolve(dsl, name);
  const { field } = resolved;
  if (field === undefined) throw queryParsing(dsl.index, `failed to find geo_point field [${name}]`);
  if (!(field instanceof GeoPointField))
    throw queryParsing(dsl.index, `field [${name}] is not a geo_point field`);
  return { resolved, field };
}

/** A point given part by part, as a circle's may be. */
class LoosePoint {
  point: GeoPoint = { lat: 0, lon: 0 };
  name: string | undefined;

  /** An object of any of `lat`, `lon` and `geohash`. */
  object(name: string, value: JsonObject, refuse: (name: string) => ElasticsearchError): void {
    this.name = name;
    for (const [key, each] of Object.entries(value)) {
      if (isCompound(each)) continue;
      if (key === 'lat') this.point = { ...this.point, lat: fractionOf(each) };
      else if (key === 'lon') this.point = { ...this.point, lon: fractionOf(each) };
      else if (key === 'geohash') this.point = geohashPoint(textOf(each) ?? '');
      else throw refuse(name);
    }
  }

  /** A scalar under a name that is no option: `field`, `field.lat`, `field.lon` or `field.geohash`. */
  scalar(name: string, value: unknown): void {
    const part = /^(.*)\.(lat|lon|geohash)$/.exec(name);
    this.name = part === null ? name : part[1];
    if (part?.[2] === 'lat') this.point = { ...this.point, lat: fractionOf(value) };
    else if (part?.[2] === 'lon') this.point = { ...this.point, lon: fractionOf(value) };
    else if (part?.[2] === 'geohash') this.point = geohashPoint(textOf(value) ?? '');
    else this.point = textPoint(textOf(value) ?? '');
  }
}

/** What circles and rings have in common. */
interface CircleOptions {
  unit: number;
  formula: Formula;
  optimize: string | undefined;
  normalize: boolean;
}

/** Reads an option that circles and rings share; false if it is none. */
function readCircleOption(options: CircleOptions, key: string, value: unknown): boolean {
  switch (key) {
    case 'unit':
      options.unit = distanceUnit(textOf(value) ?? '');
      return true;
    case 'distance_type':
    case 'distanceType':
      options.formula = readFormula(value);
      return true;
    case 'optimize_bbox':
    case 'optimizeBbox':
      options.optimize = textOf(value);
      return true;
    case 'normalize':
      options.normalize = booleanOf(value);
      return true;
    default:
      return false;
  }
}

/** Radii in metres. */
const EQUATOR = 6_378_137;
const POLE = 6_356_752.314_245;

/** A distance in metres; of the factor formula its cosine. */
function readDistance(value: unknown, { unit, formula }: CircleOptions): number {
  const given = isNumber(value);
  const metres = given ? Number(value) * unit : parseDistance(textOf(value) ?? '', unit);
  return formula === Formula.factor ? Math.cos(metres / EQUATOR) : metres;
}

/** The box around a circle. Points outside it are not looked at. */
function boxAround({ lat, lon }: GeoPoint, metres: number): GeoBox {
  const radians = (degrees: number) => degrees * (Math.PI / 180);
  const degrees = (angle: number) => angle * (180 / Math.PI);
  // By the shortest radius, so that the box is never too small.
  const angle = metres / POLE;
  const [y, x] = [radians(lat), radians(lon)];
  let [south, north] = [y - angle, y + angle];
  let [west, east] = [-Math.PI, Math.PI];
  if (south > -Math.PI / 2 && north < Math.PI / 2) {
    const width = Math.asin(Math.sin(angle) / Math.cos(y));
    west = x - width;
    if (west < -Math.PI) west += 2 * Math.PI;
    east = x + width;
    if (east > Math.PI) east -= 2 * Math.PI;
  } else {
    south = Math.max(south, -Math.PI / 2);
    north = Math.min(north, Math.PI / 2);
  }
  return { top: degrees(north), left: degrees(west), bottom: degrees(south), right: degrees(east) };
}

function boxOf(
  options: CircleOptions,
  point: GeoPoint,
  metres: number,
  field: GeoPointField,
): GeoBox | undefined {
  const { optimize } = options;
  if (optimize === undefined || optimize === 'none' || metres === Number.POSITIVE_INFINITY) return undefined;
  if (optimize === 'indexed') checkIndexed(field);
  else if (optimize !== 'memory')
    throw illegalArgument(`type [${optimize}] for bounding box optimization not supported`);
  return boxAround(point, metres);
}

function checkIndexed(field: GeoPointField): void {
  if (field.hasLatLon) return;
  throw illegalArgument(
    `lat/lon is not enabled (indexed) for field [${field.fullName}], can't use indexed filter on it`,
  );
}

/** The double before or after another. */
function neighbour(value: number, up: boolean): number {
  const view = new DataView(new ArrayBuffer(8));
  if (value === 0) return up ? Number.MIN_VALUE : -Number.MIN_VALUE;
  view.setFloat64(0, value);
  view.setBigInt64(0, view.getBigInt64(0) + (up === value > 0 ? 1n : -1n));
  return view.getFloat64(0);
}

const NAMES = {
  [Formula.sloppy_arc]: 'SLOPPY_ARC',
  [Formula.arc]: 'ARC',
  [Formula.plane]: 'PLANE',
  [Formula.factor]: 'FACTOR',
};

const geoDistance: FilterCompiler = (body, dsl) => {
  const at = new LoosePoint();
  const options: CircleOptions = {
    unit: 1,
    formula: Formula.sloppy_arc,
    optimize: 'memory',
    normalize: true,
  };
  let distance: unknown;
  for (const [key, value] of entriesOf(body, dsl)) {
    if (Array.isArray(value)) {
      at.name = key;
      at.point = readPoint(value);
    } else if (isObject(value)) {
      at.object(key, value, (name) =>
        queryParsing(dsl.index, `[geo_distance] filter does not support [${name}]`),
      );
    } else if (key === 'distance') distance = value;
    else if (!readCircleOption(options, key, value)) at.scalar(key, value);
  }
  if (distance === undefined || distance === null)
    throw queryParsing(dsl.index, "geo_distance requires 'distance' to be specified");
  const metres = readDistance(distance, options);
  const point = options.normalize ? normalizePoint(at.point) : at.point;
  const { resolved, field } = geoField(at.name, dsl);
  const { formula } = options;
  const node: PlanNode = {
    kind: 'geoDistance',
    field: resolved.number,
    formula,
    ...point,
    lower: Number.NEGATIVE_INFINITY,
    upper: neighbour(metres, false),
    box: boxOf(options, point, metres, field),
  };
  const shown = [field.fullName, NAMES[formula], ...[metres, point.lat, point.lon].map(doubleText)].join(
    ', ',
  );
  return ofType(
    resolved,
    asFilter(node, () => `GeoDistanceFilter(${shown})`),
  );
};

const geoDistanceRange: FilterCompiler = (body, dsl) => {
  const at = new LoosePoint();
  const options: CircleOptions = {
    unit: 1,
    formula: Formula.sloppy_arc,
    optimize: 'memory',
    normalize: true,
  };
  let [from, to]: unknown[] = [];
  let [includeLower, includeUpper] = [true, true];
  for (const [key, value] of entriesOf(body, dsl)) {
    if (isCompound(value)) {
      at.name = key;
      at.point = readPoint(value);
      continue;
    }
    switch (key) {
      case 'from':
        from = value;
        break;
      case 'to':
        to = value;
        break;
      case 'gt':
      case 'gte':
      case 'ge':
        from = value;
        includeLower = key !== 'gt';
        break;
      case 'lt':
      case 'lte':
      case 'le':
        to = value;
        includeUpper = key !== 'lt';
        break;
      case 'include_lower':
      case 'includeLower':
        includeLower = booleanOf(value);
        break;
      case 'include_upper':
      case 'includeUpper':
        includeUpper = booleanOf(value);
        break;
      default:
        if (!readCircleOption(options, key, value)) at.scalar(key, value);
    }
  }
  let lower = Number.NEGATIVE_INFINITY;
  let upper = Number.POSITIVE_INFINITY;
  if (from !== undefined && from !== null) {
    lower = readDistance(from, options);
    if (!includeLower) lower = neighbour(lower, true);
  }
  if (to !== undefined && to !== null) {
    upper = readDistance(to, options);
    if (!includeUpper) upper = neighbour(upper, false);
  }
  const point = options.normalize ? normalizePoint(at.point) : at.point;
  const { resolved, field } = geoField(at.name, dsl);
  const { formula } = options;
  const box = boxOf(options, point, upper, field);
  const node: PlanNode = {
    kind: 'geoDistance',
    field: resolved.number,
    formula,
    ...point,
    lower,
    upper,
    box,
  };
  const range = `[${doubleText(lower)} - ${doubleText(upper)}]`;
  const shown = [field.fullName, NAMES[formula], range, ...[point.lat, point.lon].map(doubleText)].join(', ');
  return ofType(
    resolved,
    asFilter(node, () => `GeoDistanceRangeFilter(${shown})`),
  );
};

/** The corners of a box; a side that is not given is NaN, and nothing is in it. */
function readBox(value: JsonObject): { box: GeoBox; field: string | undefined } {
  const box: GeoBox = { top: Number.NaN, left: Number.NaN, bottom: Number.NaN, right: Number.NaN };
  let field: string | undefined;
  for (const [key, each] of Object.entries(value)) {
    switch (key) {
      case 'field':
        field = textOf(each);
        break;
      case 'top':
      case 'left':
      case 'bottom':
      case 'right':
        box[key] = fractionOf(each);
        break;
      default: {
        const corner = /^(top|bottom)(?:_(left|right)|(Left|Right))$/.exec(key);
        if (corner === null) throw geoParse(`Unexpected field [${key}]`);
        const point = readPoint(each);
        box[corner[1] as 'top' | 'bottom'] = point.lat;
        box[(corner[2] ?? corner[3]!).toLowerCase() as 'left' | 'right'] = point.lon;
      }
    }
  }
  return { box, field };
}

/** A box with its corners in range; one all around the earth stays that. */
function normalizeBox({ top, left, bottom, right }: GeoBox): GeoBox {
  const whole = (right - left) % 360 === 0 && right > left;
  const topLeft = normalizePoint({ lat: top, lon: left }, true, !whole);
  const bottomRight = normalizePoint({ lat: bottom, lon: right }, true, !whole);
  return {
    top: topLeft.lat,
    left: whole ? -180 : topLeft.lon,
    bottom: bottomRight.lat,
    right: whole ? 180 : bottomRight.lon,
  };
}

const geoBoundingBox: FilterCompiler = (body, dsl) => {
  let name: string | undefined;
  let box: GeoBox = { top: Number.NaN, left: Number.NaN, bottom: Number.NaN, right: Number.NaN };
  let normalize = true;
  let type = 'memory';
  for (const [key, value] of entriesOf(body, dsl)) {
    if (isObject(value)) {
      const read = readBox(value);
      box = read.box;
      name = read.field ?? key;
    } else if (key === 'normalize') normalize = booleanOf(value);
    else if (key === 'type') type = textOf(value) ?? '';
    else if (!Array.isArray(value))
      throw queryParsing(dsl.index, `[geo_bbox] filter does not support [${key}]`);
  }
  if (normalize) box = normalizeBox(box);
  const { resolved, field } = geoField(name, dsl);
  if (type === 'indexed') checkIndexed(field);
  else if (type !== 'memory') {
    throw queryParsing(
      dsl.index,
      `geo bounding box type [${type}] not supported, either 'indexed' or 'memory' are allowed`,
    );
  }
  const { top, left, bottom, right } = box;
  const corner = (lat: number, lon: number) => `[${doubleText(lat)}, ${doubleText(lon)}]`;
  const node: PlanNode = { kind: 'geoBox', field: resolved.number, box };
  const shown = `${field.fullName}, ${corner(top, left)}, ${corner(bottom, right)}`;
  const range = (part: string, from: number, to: number) =>
    `${field.fullName}.${part}:[${doubleText(from)} TO ${doubleText(to)}]`;
  const text = () => {
    if (type !== 'indexed') return `GeoBoundingBoxFilter(${shown})`;
    if (left <= right) return `BooleanFilter(+${range('lon', left, right)} +${range('lat', bottom, top)})`;
    const open = (from: string, to: string) => `${field.fullName}.lon:[${from} TO ${to}]`;
    const outside = `${open('*', doubleText(right))} ${open(doubleText(left), '*')}`;
    return `BooleanFilter(${outside} +${range('lat', bottom, top)})`;
  };
  return ofType(resolved, asFilter(node, text));
};

const geoPolygon: FilterCompiler = (body, dsl) => {
  const refuse = (what: string) => queryParsing(dsl.index, `[geo_polygon] filter does not support [${what}]`);
  let name: string | undefined;
  let points: GeoPoint[] = [];
  let normalize = true;
  for (const [key, value] of entriesOf(body, dsl)) {
    if (isObject(value)) {
      name = key;
      for (const [inner, list] of Object.entries(value)) {
        if (inner !== 'points' || !Array.isArray(list)) throw refuse(inner);
        checkVertexCount(list.length);
        points = list.map(readPoint);
      }
    } else if (key === 'normalize') normalize = booleanOf(value);
    else if (!Array.isArray(value)) throw refuse(key);
  }
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined)
    throw queryParsing(dsl.index, 'no points defined for geo_polygon filter');
  const closed = first.lat === last.lat && first.lon === last.lon;
  if (points.length < (closed ? 4 : 3))
    throw queryParsing(dsl.index, 'too few points defined for geo_polygon filter');
  if (!closed) points.push(first);
  if (normalize) points = points.map((point) => normalizePoint(point));
  const { resolved, field } = geoField(name, dsl);
  const node: PlanNode = { kind: 'geoPolygon', field: resolved.number, points };
  const shown = points.map(({ lat, lon }) => `[${doubleText(lat)}, ${doubleText(lon)}]`).join(', ');
  return ofType(
    resolved,
    asFilter(node, () => `GeoPolygonFilter(${field.fullName}, [${shown}])`),
  );
};

const geohashCell: FilterCompiler = (body, dsl) => {
  let name: string | undefined;
  let hash: string | undefined;
  let levels = -1;
  let neighbours = false;
  for (const [key, value] of entriesOf(body, dsl)) {
    if (key === 'precision') {
      const text = typeof value === 'string' ? value : undefined;
      levels = text === undefined ? Math.trunc(fractionOf(value)) : geohashLevels(parseDistance(text));
    } else if (key === 'neighbors') neighbours = booleanOf(value);
    else {
      name = key;
      const isHash = typeof value === 'string' && value.indexOf(',') <= 0;
      hash = isHash ? value : geohashOf(readPoint(value));
    }
  }
  if (hash === undefined) throw queryParsing(dsl.index, 'no geohash value provided to geohash_cell filter');
  const { resolved, field } = geoField(name, dsl);
  const { prefixField } = field;
  if (prefixField === undefined) {
    const detail = `can't execute geohash_cell on field [${name}], geohash_prefix is not enabled`;
    throw queryParsing(dsl.index, detail);
  }
  const cell = levels > 0 ? hash.slice(0, levels) : hash;
  const cells = neighbours ? [cell, ...geohashNeighbours(cell)] : [cell];
  return ofType(resolved, { kind: 'terms', field: prefixField.number, terms: cells.map(textTerm) });
};

/** The geo filters by their names. */
export const geoFilterKinds: readonly FilterKind[] = [
  { names: ['geo_distance', 'geoDistance'], read: geoDistance, reach: 'found' },
  { names: ['geo_distance_range', 'geoDistanceRange'], read: geoDistanceRange, reach: 'found' },
  {
    names: ['geo_bounding_box', 'geoBoundingBox', 'geo_bbox', 'geoBbox'],
    read: geoBoundingBox,
    reach: 'found',
  },
  { names: ['geo_polygon', 'geoPolygon'], read: geoPolygon, reach: 'found' },
  { names: ['geohash_cell', 'geohashCell'], read: geohashCell, reach: 'found' },
];
