/** Points on the earth: the forms in which documents and queries give them, geohashes, and how 1.7 brings them into range. */

import { ElasticsearchError, jsonParse, numberFormat } from '../errors.js';
import { isNumber, isObject, parseFraction, textOf } from '../json/values.js';

/** A point in degrees. */
export interface GeoPoint {
  lat: number;
  lon: number;
}

/** The characters of geohashes, five bits each. */
export const BASE32 = '0123456789bcdefghjkmnpqrstuvwxyz';
/** The most characters of a geohash. */
export const MAX_GEOHASH = 12;

/** 400: a point that can't be read. */
export function geoParse(detail: string): ElasticsearchError {
  return new ElasticsearchError('ElasticsearchParseException', detail);
}

/** Bounds of a geohash's cell in degrees. */
export interface Cell {
  south: number;
  north: number;
  west: number;
  east: number;
}

/** The cell of a geohash; refuses characters that geohashes don't have. */
export function geohashCell(hash: string): Cell {
  let [south, north, west, east] = [-90, 90, -180, 180];
  let even = true;
  for (const char of hash) {
    const bits = BASE32.indexOf(char);
    if (bits < 0) {
      throw new ElasticsearchError(
        'ElasticsearchIllegalArgumentException',
        `the character '${char}' is not a valid geohash character`,
      );
    }
    for (let mask = 16; mask > 0; mask >>= 1) {
      if (even) {
        const middle = (west + east) / 2;
        if (bits & mask) west = middle;
        else east = middle;
      } else {
        const middle = (south + north) / 2;
        if (bits & mask) south = middle;
        else north = middle;
      }
      even = !even;
    }
  }
  return { south, north, west, east };
}

/** The point that a geohash stands for: the middle of its cell. */
export function geohashPoint(hash: string): GeoPoint {
  const { south, north, west, east } = geohashCell(hash);
  return { lat: (south + north) / 2, lon: (west + east) / 2 };
}

/** The geohash of a point with that many characters. */
export function geohashOf({ lat, lon }: GeoPoint, length = MAX_GEOHASH): string {
  let [south, north, west, east] = [-90, 90, -180, 180];
  let hash = '';
  let even = true;
  while (hash.length < length) {
    let bits = 0;
    for (let i = 0; i < 5; i++) {
      if (even) {
        const middle = (west + east) / 2;
        bits = (bits << 1) | (lon > middle ? 1 : 0);
        if (lon > middle) west = middle;
        else east = middle;
      } else {
        const middle = (south + north) / 2;
        bits = (bits << 1) | (lat > middle ? 1 : 0);
        if (lat > middle) south = middle;
        else north = middle;
      }
      even = !even;
    }
    hash += BASE32[bits];
  }
  return hash;
}

/** The eight cells around a geohash's, without those beyond a pole. */
export function geohashNeighbours(hash: string): string[] {
  const { south, north, west, east } = geohashCell(hash);
  const [height, width] = [north - south, east - west];
  const middle = geohashPoint(hash);
  const around = new Set<string>();
  for (const y of [-1, 0, 1]) {
    const lat = middle.lat + y * height;
    if (lat > 90 || lat < -90) continue;
    for (const x of [-1, 0, 1]) {
      let lon = middle.lon + x * width;
      if (lon > 180) lon -= 360;
      else if (lon < -180) lon += 360;
      around.add(geohashOf({ lat, lon }, hash.length));
    }
  }
  around.delete(hash);
  return [...around];
}

/** A point that is given as one text: `lat,lon` or a geohash. */
export function textPoint(text: string): GeoPoint {
  const comma = text.indexOf(',');
  if (comma < 0) return geohashPoint(text);
  return { lat: parseFraction(text.slice(0, comma)), lon: parseFraction(text.slice(comma + 1)) };
}

/** A number as the JSON parser gives it; texts are no numbers here. */
function strictNumber(value: unknown): number {
  if (isNumber(value)) return Number(value);
  if (typeof value === 'string') {
    throw jsonParse('Current token (VALUE_STRING) not numeric, can not use numeric value accessors');
  }
  const token = value === undefined ? 'END_ARRAY' : value === null ? 'VALUE_NULL' : 'START_OBJECT';
  throw jsonParse(`Current token (${token}) not numeric, can not use numeric value accessors`);
}

/** Whether an array is one point, `[lon, lat]`, and not several. */
export function isCoordinates(array: readonly unknown[]): boolean {
  return isNumber(array[0]);
}

/** The point of an array `[lon, lat]`; what follows is read over. */
export function arrayPoint(array: readonly unknown[]): GeoPoint {
  return { lon: strictNumber(array[0]), lat: strictNumber(array[1]) };
}

function coordinate(value: unknown, name: string): number {
  if (isNumber(value)) return Number(value);
  const text = textOf(value);
  if (text === undefined || typeof value === 'boolean') throw geoParse(`${name} must be a number`);
  return parseFraction(text);
}

function objectPoint(value: Record<string, unknown>): GeoPoint {
  let lat: number | undefined;
  let lon: number | undefined;
  let hash: string | undefined;
  for (const [key, each] of Object.entries(value)) {
    if (key === 'lat') lat = coordinate(each, 'latitude');
    else if (key === 'lon') lon = coordinate(each, 'longitude');
    else if (key === 'geohash') {
      if (typeof each !== 'string') throw geoParse('geohash must be a string');
      hash = each;
    } else throw geoParse("field must be either 'lat', 'lon' or 'geohash'");
  }
  if (hash !== undefined) {
    if (lat !== undefined || lon !== undefined) throw geoParse('field must be either lat/lon or geohash');
    return geohashPoint(hash);
  }
  if (lat === undefined) throw geoParse('field [lat] missing');
  if (lon === undefined) throw geoParse('field [lon] missing');
  return { lat, lon };
}

/** One point in any form: an object, `[lon, lat]`, `"lat,lon"`, or a geohash. */
export function readPoint(value: unknown): GeoPoint {
  if (typeof value === 'string') return textPoint(value);
  if (Array.isArray(value)) {
    value.forEach((each, i) => {
      if (!isNumber(each)) throw geoParse('Numeric value expected');
      if (i > 1) throw geoParse('only two values allowed');
    });
    // One number is a longitude without latitude: a point that is nowhere.
    const [lon = Number.NaN, lat = Number.NaN] = value.map(Number);
    return { lat, lon };
  }
  if (isObject(value)) return objectPoint(value);
  throw geoParse('geo_point expected');
}

function modulus(dividend: number, divisor: number): number {
  let rest = dividend % divisor;
  if (rest <= 0) rest += divisor;
  return rest > divisor / 2 ? rest - divisor : rest;
}

/** A point within -90..90 and -180..180, beyond a pole on the other side of it. */
export function normalizePoint(point: GeoPoint, lat = true, lon = true): GeoPoint {
  let { lat: y, lon: x } = point;
  const turnsLon = lon && (x > 180 || x <= -180);
  if (lat && (y > 90 || y <= -90)) {
    y = modulus(y, 360);
    const beyond = y < -90 || y > 90;
    if (y < -90) y = -180 - y;
    else if (y > 90) y = 180 - y;
    if (beyond) x += turnsLon || modulus(x, 360) <= 0 ? 180 : -180;
  }
  return { lat: y, lon: turnsLon ? modulus(x, 360) : x };
}

/** Metres of the units of distances, by their names. */
const UNITS = new Map<string, number>();
for (const [metres, ...names] of [
  [0.0254, 'in', 'inch'],
  [0.9144, 'yd', 'yards'],
  [0.3048, 'ft', 'feet'],
  [1000, 'km', 'kilometers'],
  [1852, 'NM', 'nmi', 'nauticalmiles'],
  [0.001, 'mm', 'millimeters'],
  [0.01, 'cm', 'centimeters'],
  [1609.344, 'mi', 'miles'],
  [1, 'm', 'meters'],
] as const) {
  for (const name of names) UNITS.set(name, metres);
}
/** Longer names end in shorter ones. */
const UNIT_ORDER = [
  'inch',
  'in',
  'yards',
  'yd',
  'feet',
  'ft',
  'kilometers',
  'km',
  'nauticalmiles',
  'nmi',
  'NM',
];
UNIT_ORDER.push('millimeters', 'mm', 'centimeters', 'cm', 'miles', 'mi', 'meters', 'm');

/** Metres of a unit of distance. */
export function distanceUnit(name: string): number {
  const metres = UNITS.get(name);
  if (metres === undefined) {
    throw new ElasticsearchError('ElasticsearchIllegalArgumentException', `No distance unit match [${name}]`);
  }
  return metres;
}

/** A distance such as `12km` or `3`, in metres; numbers without unit have the given one. */
export function parseDistance(text: string, unit = 1): number {
  const suffix = UNIT_ORDER.find((name) => text.endsWith(name));
  const number = suffix === undefined ? text : text.slice(0, -suffix.length);
  if (number.trim() === '') throw numberFormat(text);
  return parseFraction(number) * (suffix === undefined ? unit : UNITS.get(suffix)!);
}

/** Lengths of the equator and of half a meridian in metres, as 1.7 has them. */
const EQUATOR = 2 * Math.PI * 6_378_137;
export const MERIDIAN = Math.PI * 6_356_752.314_245;

/** How often the globe must be halved both ways until a cell is at most about so many metres across. */
export function halvingsFor(metres: number): number {
  return Math.ceil(Math.log2(Math.ceil((EQUATOR * (1 + MERIDIAN / EQUATOR)) / metres)));
}

/** How many metres a cell of geohashes with so many characters is across. */
export function geohashCellSize(levels: number): number {
  const [more, fewer] = [Math.ceil(levels / 2), Math.floor(levels / 2)];
  return Math.hypot(EQUATOR / 2 ** (3 * more + 2 * fewer), MERIDIAN / 2 ** (2 * more + 3 * fewer));
}

/** How many characters a geohash needs so that its cell is at most about so many metres across. */
export function geohashLevels(metres: number): number {
  return geohashLevelsUpTo(MAX_GEOHASH, metres);
}

/** The same for geohashes that may have `most` characters. */
export function geohashLevelsUpTo(most: number, metres: number): number {
  if (!(metres > 0)) return most;
  const halvings = halvingsFor(metres);
  if (halvings === 0) return 1;
  // Two characters halve the width five times.
  const left = halvings % 5;
  const levels = 2 * Math.floor(halvings / 5) + (left > 3 ? 2 : left > 0 ? 1 : 0);
  return Math.min(levels, most);
}
