/**
 * Shapes as `geo_shape` takes them (GeoJSON's types in any case, `envelope` and `circle`), as geometries to draw. Edges are straight in longitude
 * and latitude there, and great circles here: long ones get points between. A ring may run either way round there; here what is left of it is out.
 */
import { geoCircle } from 'd3-geo';
import type { Geometry, Position } from 'geojson';
import { isObject, type Json, type JsonObject } from '../../api/json';
import { metresOf } from './distances';

/** Degrees of the longest edge that is left as it is. */
const LONGEST = 2;
/** Points that are put into one edge, at most. */
const MOST_BETWEEN = 180;
const METRES_PER_DEGREE = 111_195;

/** Undefined for what is no shape. */
export function geometryOf(shape: Json | undefined): Geometry | undefined {
  if (!isObject(shape) || typeof shape.type !== 'string') return undefined;
  const { coordinates } = shape;
  switch (shape.type.toLowerCase()) {
    case 'point':
      return isPosition(coordinates) ? { type: 'Point', coordinates } : undefined;
    case 'multipoint':
      return isLine(coordinates) ? { type: 'MultiPoint', coordinates } : undefined;
    case 'linestring':
      return isLine(coordinates) ? { type: 'LineString', coordinates: withPoints(coordinates) } : undefined;
    case 'multilinestring':
      return isLines(coordinates)
        ? { type: 'MultiLineString', coordinates: coordinates.map(withPoints) }
        : undefined;
    case 'polygon':
      return isLines(coordinates) ? { type: 'Polygon', coordinates: ringsOf(coordinates) } : undefined;
    case 'multipolygon':
      return Array.isArray(coordinates) && coordinates.every(isLines)
        ? { type: 'MultiPolygon', coordinates: coordinates.map(ringsOf) }
        : undefined;
    case 'envelope':
      return envelope(coordinates);
    case 'circle':
      return circle(shape);
    case 'geometrycollection':
      return Array.isArray(shape.geometries)
        ? {
            type: 'GeometryCollection',
            geometries: shape.geometries.flatMap((each) => geometryOf(each) ?? []),
          }
        : undefined;
    default:
      return undefined;
  }
}

/** A box in degrees, with the date line between its sides where the left one is greater. */
export function boxGeometry(left: number, top: number, right: number, bottom: number): Geometry {
  const east = right < left ? right + 360 : right;
  const ring: Position[] = [
    [left, bottom],
    [left, top],
    [east, top],
    [east, bottom],
    [left, bottom],
  ];
  return { type: 'Polygon', coordinates: [withPoints(ring)] };
}

/** @param metres its radius */
export function circleGeometry(lon: number, lat: number, metres: number): Geometry {
  return geoCircle()
    .center([lon, lat])
    .radius(Math.min(179.9, metres / METRES_PER_DEGREE))
    .precision(2)();
}

function envelope(corners: Json | undefined): Geometry | undefined {
  if (!isLine(corners) || corners.length !== 2) return undefined;
  const [[left, top], [right, bottom]] = corners as [[number, number], [number, number]];
  return boxGeometry(left, Math.max(top, bottom), right, Math.min(top, bottom));
}

function circle({ coordinates, radius }: JsonObject): Geometry | undefined {
  const metres = metresOf(typeof radius === 'number' ? String(radius) : radius);
  if (!isPosition(coordinates) || metres === undefined) return undefined;
  return circleGeometry(coordinates[0]!, coordinates[1]!, metres);
}

/** The outer ring runs clockwise, holes the other way. */
function ringsOf(rings: Position[][]): Position[][] {
  return rings.map((ring, i) => {
    const straight = unwrapped(ring);
    const isClockwise = signedArea(straight) < 0;
    return withPoints(isClockwise === (i === 0) ? straight : straight.reverse());
  });
}

/** Longitudes that go on beyond 180 where an edge is shorter that way. */
function unwrapped(line: readonly Position[]): Position[] {
  let shift = 0;
  return line.map(([lon, lat], i) => {
    const before = line[i - 1];
    if (before !== undefined) {
      if (lon! - before[0]! > 180) shift -= 360;
      else if (lon! - before[0]! < -180) shift += 360;
    }
    return [lon! + shift, lat!];
  });
}

/** Positive where it runs counterclockwise. */
function signedArea(ring: readonly Position[]): number {
  let sum = 0;
  for (let i = 1; i < ring.length; i++) {
    const [[x1, y1], [x2, y2]] = [ring[i - 1]!, ring[i]!];
    sum += x1! * y2! - x2! * y1!;
  }
  return sum;
}

function withPoints(line: readonly Position[]): Position[] {
  const all: Position[] = [];
  line.forEach((to, i) => {
    const from = line[i - 1];
    if (from !== undefined) {
      const [dx, dy] = [to[0]! - from[0]!, to[1]! - from[1]!];
      const parts = Math.min(MOST_BETWEEN, Math.ceil(Math.max(Math.abs(dx), Math.abs(dy)) / LONGEST));
      for (let part = 1; part < parts; part++)
        all.push([from[0]! + (dx * part) / parts, from[1]! + (dy * part) / parts]);
    }
    all.push(to);
  });
  return all;
}

function isPosition(value: Json | undefined): value is [number, number] {
  return Array.isArray(value) && value.length >= 2 && value.every((each) => typeof each === 'number');
}

function isLine(value: Json | undefined): value is [number, number][] {
  return Array.isArray(value) && value.length > 0 && value.every(isPosition);
}

function isLines(value: Json | undefined): value is [number, number][][] {
  return Array.isArray(value) && value.length > 0 && value.every(isLine);
}
