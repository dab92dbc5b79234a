/** Shapes of GeoJSON, with the `envelope` and `circle` of 1.7. */

import { ElasticsearchError, illegalArgument, parseFailure } from '../errors.js';
import { parseDistance } from './geoPoints.js';
import { doubleText } from '../numbers/javaNumbers.js';
import { fractionOf, isObject, type JsonObject, textOf } from '../json/values.js';
import type { Position } from './box.js';
import { type IsDue, longPart, remembered } from '../passes.js';
import type { Turns } from '../workLimit.js';
import { selfCrossingInTurns } from './selfCrossing.js';
import { BoxPart, CirclePart, LinePart, PointPart, PolygonPart, Shape } from './shape.js';

/** Which way the points of a polygon's shell go round. It counts for polygons wider than half the globe. */
export type Orientation = 'right' | 'left';

/** Shapes in shapes, at most. */
const MAX_DEPTH = 20;
/** The length of a degree on the sphere of 1.7's circles. */
const METRES_PER_DEGREE = (Math.PI * 6_371_008.7714) / 180;

const TYPES = new Set([
  'point',
  'multipoint',
  'linestring',
  'multilinestring',
  'polygon',
  'multipolygon',
  'geometrycollection',
  'envelope',
  'circle',
]);

/** A point, or lists of what `coordinates` may hold. */
type Node = Position | Node[];

/** Reads a shape; undefined for null. Refuses what is none with 1.7's errors. */
export function readShape(value: unknown, orientation: Orientation): Shape | undefined {
  return remembered(value, `shape ${orientation}`, () => {
    const parts = readParts(value, orientation, 0);
    return parts === undefined ? undefined : Shape.of(parts);
  });
}

/** Reads the name of an orientation. */
export function readOrientation(value: unknown): Orientation {
  const name = textOf(value) ?? '';
  switch (name.toLowerCase()) {
    case 'right':
    case 'counterclockwise':
    case 'ccw':
      return 'right';
    case 'left':
    case 'clockwise':
    case 'cw':
      return 'left';
    default:
      throw new ElasticsearchError(
        'IllegalArgumentException',
        `Unknown orientation [${name.toLowerCase()}]`,
        {
          status: 400,
        },
      );
  }
}

type Parts = Parameters<typeof Shape.of>[0];

function readParts(value: unknown, around: Orientation, depth: number): Parts | undefined {
  if (value === null || value === undefined) return undefined;
  if (!isObject(value)) throw parseFailure('Shape must be an object consisting of type and coordinates');
  if (depth > MAX_DEPTH) throw parseFailure(`shapes are nested more than ${MAX_DEPTH} levels deep`);
  const orientation = value.orientation === undefined ? around : readOrientation(value.orientation);
  const type = readType(value);
  const collection = type === 'geometrycollection';
  const { coordinates } = value;
  const given =
    coordinates === undefined
      ? undefined
      : longPart(coordinates, 'coordinates', (isDue) => readNode(coordinates, 0, isDue));
  if (type === undefined) throw parseFailure('Shape type not included');
  if (given === undefined && !collection) throw parseFailure('Coordinates not included');
  if (collection && value.geometries === undefined) throw parseFailure('geometries not included');
  if (value.radius !== undefined && type !== 'circle')
    throw parseFailure('Field [radius] is supported for [circle] only');
  if (collection) return readGeometries(value.geometries, orientation, depth);
  const node = given!;
  switch (type) {
    case 'point':
      return [new PointPart(onePoint(node))];
    case 'multipoint':
      return pointsOf(node).map((point) => new PointPart(inWorld(point)));
    case 'linestring':
      return [LinePart.of(lineOf(node))];
    case 'multilinestring':
      return listOf(node).map((each) => LinePart.of(lineOf(each)));
    case 'polygon':
      return [polygonOf(node, orientation, value, 0)];
    case 'multipolygon':
      return listOf(node).map((each, i) => polygonOf(each, orientation, value, i));
    case 'envelope':
      return [envelopeOf(node)];
    default:
      return [circleOf(node, value.radius)];
  }
}

function readType({ type }: JsonObject): string | undefined {
  if (type === undefined) return undefined;
  const name = textOf(type) ?? '';
  if (!TYPES.has(name.toLowerCase())) throw illegalArgument(`unknown geo_shape [${name}]`);
  return name.toLowerCase();
}

function readGeometries(value: unknown, orientation: Orientation, depth: number): Parts {
  if (!Array.isArray(value)) throw parseFailure('Geometries must be an array of geojson objects');
  return value.flatMap((each) => readParts(each, orientation, depth + 1) ?? []);
}

/** Steps of a work limit that a point takes. */
const POINT_STEPS = 4;

function* readNode(value: unknown, depth: number, isDue: IsDue): Turns<Node> {
  if (!isNodeList(value, depth)) return positionOf(value as unknown[]);
  const nodes: Node[] = [];
  for (const each of value) {
    if (isDue(POINT_STEPS)) yield;
    // Most are points, which are read without a generator each.
    nodes.push(
      isNodeList(each, depth + 1) ? yield* readNode(each, depth + 1, isDue) : positionOf(each as unknown[]),
    );
  }
  return nodes;
}

/** Whether that is a list of points or of lists, rather than a point; refuses what is neither. */
function isNodeList(value: unknown, depth: number): value is unknown[] {
  if (value === null) throw illegalArgument('coordinates cannot contain NULL values)');
  if (!Array.isArray(value) || depth > 4)
    throw parseFailure('Shape must be an object consisting of type and coordinates');
  const [first] = value;
  return value.length === 0 || Array.isArray(first) || first === null;
}

function positionOf(value: readonly unknown[]): Position {
  if (value.length < 2) throw parseFailure('coordinates need a longitude and a latitude');
  return [fractionOf(value[0]), fractionOf(value[1])];
}

function isPosition(node: Node): node is Position {
  return typeof node[0] === 'number';
}

function onePoint(node: Node): Position {
  if (node.length === 0) {
    throw parseFailure(
      'Invalid number of points (0) provided when expecting a single coordinate ([lat, lng])',
    );
  }
  if (!isPosition(node)) throw parseFailure('multipoint data provided when single point data expected.');
  return inWorld(node);
}

function pointsOf(node: Node): Position[] {
  if (isPosition(node)) {
    throw parseFailure(
      'single coordinate found when expecting an array of coordinates. ' +
        'change type to point or change data to an array of >0 coordinates',
    );
  }
  if (node.length === 0) {
    throw parseFailure(
      'No data provided for multipoint object when expecting >0 points (e.g., [[lat, lng]] or [[lat, lng], ...])',
    );
  }
  for (const each of node as Node[])
    if (!isPosition(each)) throw parseFailure('multipoint data provided when single point data expected.');
  return node as Position[];
}

function listOf(node: Node): Node[] {
  return isPosition(node) ? [node as unknown as Node] : (node as Node[]);
}

function lineOf(node: Node): Position[] {
  const length = isPosition(node) ? 0 : node.length;
  if (length < 2) {
    throw parseFailure(`Invalid number of points in LineString (found ${length} - must be >= 2)`);
  }
  return pointsOf(node);
}

function ringOf(node: Node | undefined): Position[] {
  if (node === undefined || isPosition(node)) {
    const detail = node === undefined ? 'No coordinate array provided' : 'Found a single coordinate';
    throw parseFailure(
      `Invalid LinearRing found. ${detail}${node === undefined ? '' : ' when expecting a coordinate array'}`,
    );
  }
  if (node.length < 4) {
    throw parseFailure(`Invalid number of points in LinearRing (found ${node.length} - must be >= 4)`);
  }
  const ring = pointsOf(node);
  const [first, last] = [ring[0]!, ring.at(-1)!];
  if (first[0] !== last[0] || first[1] !== last[1])
    throw parseFailure('Invalid LinearRing found (coordinates are not closed)');
  return ring;
}

/**
 * A polygon. Where its shell is wider than half the globe and goes round the wrong way, the other side of the globe is meant: it
 * lies across the date line.
 * @param owner what it stands in, and `place` which of the polygons there it is
 */
function polygonOf(node: Node, orientation: Orientation, owner: JsonObject, place: number): PolygonPart {
  if (isPosition(node) || node.length === 0) {
    throw parseFailure(
      'Invalid LinearRing provided for type polygon. Linear ring must be an array of coordinates',
    );
  }
  const rings = (node as Node[]).map(ringOf);
  const at = longPart(owner, `crossing ${place}`, (isDue) => selfCrossingInTurns(rings, isDue));
  if (at !== undefined) {
    const [x, y] = at.map(doubleText);
    throw invalidShape(`Self-intersection at or near point (${x}, ${y}, NaN)`);
  }
  const [shell] = rings;
  let [west, east] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [x] of shell!) {
    west = Math.min(west, x);
    east = Math.max(east, x);
  }
  const width = east - west;
  const counterclockwise = areaOf(shell!) > 0;
  if (width > 180 && width !== 360 && counterclockwise !== (orientation === 'right')) {
    return PolygonPart.of(
      rings.map((ring) => ring.map(([x, y]): Position => (x < 0 ? [x + 360, y] : [x, y]))),
    );
  }
  return PolygonPart.of(rings);
}

/** Twice the area of a ring; negative if it goes round clockwise. */
function areaOf(ring: readonly Position[]): number {
  let area = 0;
  for (let i = 1; i < ring.length; i++) {
    const [ax, ay] = ring[i - 1]!;
    const [bx, by] = ring[i]!;
    area += ax * by - bx * ay;
  }
  return area;
}

function envelopeOf(node: Node): BoxPart {
  const corners = isPosition(node) ? [] : (node as Node[]);
  if (corners.length !== 2) {
    throw parseFailure(
      `Invalid number of points (${corners.length}) provided for geo_shape ('envelope') when expecting an array of 2 coordinates`,
    );
  }
  const [[ax, ay], [bx, by]] = corners.map(onePoint) as [Position, Position];
  return new BoxPart({
    west: Math.min(ax, bx),
    east: Math.max(ax, bx),
    south: Math.min(ay, by),
    north: Math.max(ay, by),
  });
}

function circleOf(node: Node, radius: unknown): CirclePart {
  const centre = onePoint(node);
  const text = textOf(radius);
  if (text === undefined) throw parseFailure('a circle needs a radius');
  return new CirclePart(centre, parseDistance(text) / METRES_PER_DEGREE);
}

/** Refuses points that are nowhere. */
function inWorld(position: Position): Position {
  const [x, y] = position;
  for (const [name, value, most] of [['X', x, 180] as const, ['Y', y, 90] as const]) {
    if (Math.abs(value) <= most) continue;
    throw invalidShape(
      `Bad ${name} value ${doubleText(value)} is not in boundary Rect(minX=-180.0,maxX=180.0,minY=-90.0,maxY=90.0)`,
    );
  }
  return position;
}

function invalidShape(detail: string): ElasticsearchError {
  return new ElasticsearchError('InvalidShapeException', detail, { status: 400 });
}
