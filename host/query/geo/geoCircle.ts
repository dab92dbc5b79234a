/** What circles and rings around a point have in common. */

import { type ElasticsearchError, illegalArgument } from '../../errors.js';
import { distanceUnit, type GeoPoint, geohashPoint, parseDistance, textPoint } from '../../geo/geoPoints.js';
import {
  booleanOf,
  isCompound,
  isNumber,
  type JsonObject,
  strictFractionOf,
  textOf,
} from '../../json/values.js';
import type { GeoPointField } from '../../mapping/geo.js';
import type { GeoBox } from '../../plan/nodes/geoBox.js';
import { Formula } from '../../plan/sortKeys.js';
import { readFormula } from '../sort/distanceSort.js';
import { checkIndexed } from './geoField.js';

/** A point given part by part, as a circle's may be. */
export class LoosePoint {
  point: GeoPoint = { lat: 0, lon: 0 };
  name: string | undefined;

  /** An object of any of `lat`, `lon` and `geohash`. */
  object(name: string, value: JsonObject, refuse: (name: string) => ElasticsearchError): void {
    this.name = name;
    for (const [key, each] of Object.entries(value)) {
      if (isCompound(each)) continue;
      if (key === 'lat') this.point = { ...this.point, lat: strictFractionOf(each) };
      else if (key === 'lon') this.point = { ...this.point, lon: strictFractionOf(each) };
      else if (key === 'geohash') this.point = geohashPoint(textOf(each) ?? '');
      else throw refuse(name);
    }
  }

  /** A scalar under a name that is no option: `field`, `field.lat`, `field.lon` or `field.geohash`. */
  scalar(name: string, value: unknown): void {
    const part = /^(.*)\.(lat|lon|geohash)$/.exec(name);
    this.name = part === null ? name : part[1];
    if (part?.[2] === 'lat') this.point = { ...this.point, lat: strictFractionOf(value) };
    else if (part?.[2] === 'lon') this.point = { ...this.point, lon: strictFractionOf(value) };
    else if (part?.[2] === 'geohash') this.point = geohashPoint(textOf(value) ?? '');
    else this.point = textPoint(textOf(value) ?? '');
  }
}

/** What circles and rings have in common. */
export interface CircleOptions {
  unit: number;
  formula: Formula;
  optimize: string | undefined;
  normalize: boolean;
}

/** The options of which nothing is said. */
export function circleOptions(): CircleOptions {
  return { unit: 1, formula: Formula.sloppy_arc, optimize: 'memory', normalize: true };
}

/** Reads an option that circles and rings share; false if it is none. */
export function readCircleOption(options: CircleOptions, key: string, value: unknown): boolean {
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
export function readDistance(value: unknown, { unit, formula }: CircleOptions): number {
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

export function boxOf(
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

/** The double before or after another. */
export function neighbour(value: number, up: boolean): number {
  const view = new DataView(new ArrayBuffer(8));
  if (value === 0) return up ? Number.MIN_VALUE : -Number.MIN_VALUE;
  view.setFloat64(0, value);
  view.setBigInt64(0, view.getBigInt64(0) + (up === value > 0 ? 1n : -1n));
  return view.getFloat64(0);
}

/** The names of the formulas, as filters print them. */
export const FORMULA_NAMES = {
  [Formula.sloppy_arc]: 'SLOPPY_ARC',
  [Formula.arc]: 'ARC',
  [Formula.plane]: 'PLANE',
  [Formula.factor]: 'FACTOR',
};
