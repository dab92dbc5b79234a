import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Box } from '../../host/geo/box.js';
import { outsideTerms, shapeTerms, touchingTerms } from '../../host/geo/cells.js';
import { readShape } from '../../host/geo/geoJson.js';
import { type GridKind, gridOf, levelsFor, WORLD } from '../../host/geo/grid.js';
import { selfCrossing } from '../../host/geo/selfCrossing.js';
import { Relation, type Shape } from '../../host/geo/shape.js';

type Point = [number, number];

/** Naively: the angles under which the edges are seen add up to a whole turn. */
function winds(ring: readonly Point[], [x, y]: Point): boolean {
  let turn = 0;
  for (let i = 1; i < ring.length; i++) {
    const [ax, ay] = [ring[i - 1]![0] - x, ring[i - 1]![1] - y];
    const [bx, by] = [ring[i]![0] - x, ring[i]![1] - y];
    turn += Math.atan2(ax * by - ay * bx, ax * bx + ay * by);
  }
  return Math.abs(turn) > Math.PI;
}

/** Naively: by the angle between unit vectors, in degrees. */
function angle([ax, ay]: Point, [bx, by]: Point): number {
  const vector = (x: number, y: number) => {
    const [lon, lat] = [(x * Math.PI) / 180, (y * Math.PI) / 180];
    return [Math.cos(lat) * Math.cos(lon), Math.cos(lat) * Math.sin(lon), Math.sin(lat)];
  };
  const [a, b] = [vector(ax, ay), vector(bx, by)];
  return (Math.acos(Math.min(1, a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!)) * 180) / Math.PI;
}

const within = (low: number, high: number) => fc.double({ min: low, max: high, noNaN: true });

/** Star-shaped rings, around a point. */
const ringArb = fc
  .tuple(within(-100, 100), within(-60, 60), fc.array(within(0.5, 25), { minLength: 3, maxLength: 9 }))
  .map(([x, y, radii]): Point[] => {
    const points = radii.map((radius, i): Point => {
      const at = (2 * Math.PI * i) / radii.length;
      return [x + radius * Math.cos(at), y + radius * Math.sin(at)];
    });
    return [...points, points[0]!];
  });

const boxArb = fc
  .tuple(within(-150, 140), within(-85, 60), within(0.01, 30), within(0.01, 25))
  .map(([west, south, w, h]): Box => ({ west, south, east: west + w, north: south + h }));

/** A grid of points in a box, its corners too. */
function pointsIn({ west, south, east, north }: Box): Point[] {
  const points: Point[] = [];
  for (let i = 0; i <= 6; i++)
    for (let j = 0; j <= 6; j++)
      points.push([west + ((east - west) * i) / 6, south + ((north - south) * j) / 6]);
  return points;
}

function checkRelation(shape: Shape, box: Box, holds: (point: Point) => boolean): void {
  const relation = shape.relate(box);
  const inside = pointsIn(box).map(holds);
  if (relation === Relation.within) expect(inside).not.toContain(false);
  if (relation === Relation.apart) expect(inside).not.toContain(true);
  // A box of which some is inside and some is not is neither.
  if (inside.includes(true) && inside.includes(false)) expect(relation).toBe(Relation.crosses);
}

describe('boxes lie to shapes as their points do', () => {
  test('polygons', () => {
    fc.assert(
      fc.property(ringArb, boxArb, (ring, box) => {
        const shape = readShape({ type: 'polygon', coordinates: [ring] }, 'right')!;
        checkRelation(shape, box, (point) => winds(ring, point));
      }),
    );
  });

  test('polygons with a hole', () => {
    fc.assert(
      fc.property(ringArb, boxArb, (ring, box) => {
        const middle: Point = [
          ring.slice(1).reduce((sum, [x]) => sum + x, 0) / (ring.length - 1),
          ring.slice(1).reduce((sum, [, y]) => sum + y, 0) / (ring.length - 1),
        ];
        const hole = ring.map(([x, y]): Point => [(x + middle[0]) / 2, (y + middle[1]) / 2]);
        fc.pre(hole.every((point) => winds(ring, point)));
        const shape = readShape({ type: 'polygon', coordinates: [ring, hole] }, 'right')!;
        checkRelation(shape, box, (point) => winds(ring, point) && !winds(hole, point));
      }),
    );
  });

  test('circles, over poles and the date line too', () => {
    const circle = fc.tuple(within(-180, 180), within(-90, 90), within(0.1, 60));
    fc.assert(
      fc.property(circle, boxArb, ([x, y, size], box) => {
        const metres = (size * Math.PI * 6_371_008.7714) / 180;
        const shape = readShape({ type: 'circle', coordinates: [x, y], radius: `${metres}m` }, 'right')!;
        const far = pointsIn(box).map((point) => angle([x, y], point));
        if (far.some((each) => each < size - 1e-6)) expect(shape.relate(box)).not.toBe(Relation.apart);
        if (far.some((each) => each > size + 1e-6)) expect(shape.relate(box)).not.toBe(Relation.within);
        if (Math.max(...far) < size - 12) expect(shape.relate(box)).toBe(Relation.within);
        if (Math.min(...far) > size + 12) expect(shape.relate(box)).toBe(Relation.apart);
      }),
    );
  });
});

/** Points on the lines of a grid and beside them: edges along the borders of cells, and corners on corners, are the hard ones. */
const pointArb = fc.tuple(
  fc.oneof(
    fc.integer({ min: -16, max: 16 }).map((x) => x * 11.25),
    within(-180, 180),
  ),
  fc.oneof(
    fc.integer({ min: -8, max: 8 }).map((y) => y * 11.25),
    within(-90, 90),
  ),
);
const linesArb = fc.oneof(
  fc.array(pointArb, { minLength: 2, maxLength: 9 }).map((points) => ({
    type: 'linestring',
    coordinates: points,
  })),
  fc
    .array(
      fc
        .array(pointArb, { minLength: 3, maxLength: 6 })
        .map((points) => [...points, points[0]!])
        .filter((ring) => selfCrossing([ring]) === undefined),
      { minLength: 1, maxLength: 3 },
    )
    .map((rings) => ({ type: 'multipolygon', coordinates: rings.map((ring) => [ring]) })),
);

test.each<GridKind>(['quadtree', 'geohash'])(
  'what is near a cell of a %s tells how the cells in it lie',
  (kind) => {
    const grid = gridOf(kind, 8);
    fc.assert(
      fc.property(linesArb, fc.array(fc.nat(31), { minLength: 6, maxLength: 6 }), (value, path) => {
        const shape = readShape(value, 'right')!;
        let cell = WORLD;
        let here = shape;
        for (const step of path) {
          const children = grid.children(cell);
          for (const { box } of children) expect(here.relate(box)).toBe(shape.relate(box));
          cell = children[step % children.length]!;
          here = here.near(cell.box);
          expect(here.size).toBeLessThanOrEqual(shape.size);
        }
      }),
    );
  },
);

test('a wide polygon that goes round the wrong way lies across the date line', () => {
  const ring = [
    [170, 10],
    [170, -10],
    [-170, -10],
    [-170, 10],
    [170, 10],
  ];
  const at = (shape: Shape, x: number) => shape.relate({ west: x, east: x + 1, south: 0, north: 1 });
  const across = readShape({ type: 'polygon', coordinates: [ring] }, 'right')!;
  expect([at(across, 175), at(across, -176), at(across, 0)]).toEqual([2, 2, 0]);
  const wide = readShape({ type: 'polygon', coordinates: [[...ring].reverse()] }, 'right')!;
  expect([at(wide, 175), at(wide, -176), at(wide, 0)]).toEqual([0, 0, 2]);
  const left = readShape({ type: 'polygon', orientation: 'left', coordinates: [ring] }, 'right')!;
  expect([at(left, 175), at(left, 0)]).toEqual([0, 2]);
});

/** Boxes as shapes: which relation they have is plain, but for what the cells round. */
describe.each<GridKind>(['quadtree', 'geohash'])('cells of a %s', (kind) => {
  const grid = gridOf(kind, levelsFor(kind, 1000));
  const error = 0.025;
  const envelope = ({ west, south, east, north }: Box) =>
    readShape(
      {
        type: 'envelope',
        coordinates: [
          [west, north],
          [east, south],
        ],
      },
      'right',
    )!;
  /** What the cells of a box may add to it. */
  const slack = ({ west, south, east, north }: Box) =>
    2 *
    Math.max(
      ...[grid.levelFor(Math.hypot(east - west, north - south) * 0.5 * error * 0.2)].map((level) => {
        let cell = WORLD;
        for (let i = 0; i < level; i++) cell = grid.children(cell)[0]!;
        return Math.max(cell.box.east - cell.box.west, cell.box.north - cell.box.south) * 32;
      }),
    );

  test('join the shapes that have something in common', () => {
    fc.assert(
      fc.property(boxArb, boxArb, (a, b) => {
        const terms = new Set(shapeTerms(envelope(a), grid, error));
        const touches = touchingTerms(envelope(b), grid, error).some((term) => terms.has(term));
        const apart = Math.max(a.west - b.east, b.west - a.east, a.south - b.north, b.south - a.north);
        if (apart <= 0) expect(touches).toBe(true);
        else if (apart > slack(a) + slack(b)) expect(touches).toBe(false);
      }),
      { numRuns: 60 },
    );
  });

  test('know the shapes that lie within another', () => {
    fc.assert(
      fc.property(boxArb, boxArb, (a, b) => {
        const terms = new Set(shapeTerms(envelope(a), grid, error));
        const outside = outsideTerms(envelope(b), grid, error).some((term) => terms.has(term));
        const room = Math.min(a.west - b.west, b.east - a.east, a.south - b.south, b.north - a.north);
        if (room > slack(a) + slack(b)) expect(outside).toBe(false);
        else if (room < -slack(a) - slack(b)) expect(outside).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  test('a point has one cell a level', () => {
    fc.assert(
      fc.property(within(-180, 180), within(-90, 90), (x, y) => {
        const shape = readShape({ type: 'point', coordinates: [x, y] }, 'right')!;
        const terms = shapeTerms(shape, grid, error);
        expect(terms).toHaveLength(grid.levels + 1);
        let cell = WORLD;
        for (const name of terms.slice(0, -1)) {
          cell = grid.children(cell).find((child) => child.name === name)!;
          const { west, east, south, north } = cell.box;
          expect(x >= west && x <= east && y >= south && y <= north).toBe(true);
        }
      }),
      { numRuns: 50 },
    );
  });
});

/** The levels that Elasticsearch 1.7.3 shows of a mapping with that precision. */
test('levels by precision', () => {
  expect(levelsFor('quadtree', 1000)).toBe(16);
  expect(levelsFor('geohash', 0)).toBe(24);
});

describe('what is no shape is refused', () => {
  test.each<[unknown, string]>([
    ['text', 'Shape must be an object consisting of type and coordinates'],
    [{ type: 'blob', coordinates: [1, 2] }, 'unknown geo_shape [blob]'],
    [{ coordinates: [1, 2] }, 'Shape type not included'],
    [{ type: 'point' }, 'Coordinates not included'],
    [{ type: 'point', coordinates: [181, 2] }, 'Bad X value 181.0 is not in boundary'],
    [{ type: 'point', coordinates: [[1, 2]] }, 'multipoint data provided when single point data expected.'],
    [{ type: 'point', coordinates: [1, 2], radius: '1m' }, 'Field [radius] is supported for [circle] only'],
    [{ type: 'linestring', coordinates: [[1, 2]] }, 'Invalid number of points in LineString (found 1'],
    [
      {
        type: 'polygon',
        coordinates: [
          [
            [0, 0],
            [1, 0],
            [0, 0],
          ],
        ],
      },
      'Invalid number of points in LinearRing',
    ],
    [
      {
        type: 'polygon',
        coordinates: [
          [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 1],
          ],
        ],
      },
      'coordinates are not closed',
    ],
    [{ type: 'envelope', coordinates: [[0, 0]] }, 'Invalid number of points (1) provided for geo_shape'],
    [{ type: 'geometrycollection', geometries: {} }, 'Geometries must be an array of geojson objects'],
    [{ type: 'multipoint', coordinates: [null] }, 'coordinates cannot contain NULL values'],
  ])('%j', (value, message) => {
    expect(() => readShape(value, 'right')).toThrow(message);
  });

  test('anything else is read or refused, never more', () => {
    const json = fc.jsonValue({ maxDepth: 6 });
    const type = fc.constantFrom('point', 'polygon', 'multipolygon', 'circle', 'linestring', 'envelope');
    fc.assert(
      fc.property(type, json, json, (name, coordinates, radius) => {
        try {
          readShape({ type: name, coordinates, radius }, 'right');
        } catch (error) {
          expect((error as { status?: number }).status).toBe(400);
        }
      }),
    );
  });

  test('a shape of too many cells', () => {
    const shape = readShape(
      {
        type: 'envelope',
        coordinates: [
          [-170, 80],
          [170.123, -80.321],
        ],
      },
      'right',
    )!;
    expect(() => shapeTerms(shape, gridOf('quadtree', 50), 0)).toThrow('too many points and cells');
  });
});

describe('a polygon whose rings cross is none', () => {
  const polygon = (...rings: Point[][]) => readShape({ type: 'polygon', coordinates: rings }, 'right');
  const square: Point[] = [
    [0, 0],
    [10, 0],
    [10, 10],
    [0, 10],
    [0, 0],
  ];

  test('a ring that crosses itself, and a hole that leaves its shell', () => {
    const bow: Point[] = [
      [0, 0],
      [10, 10],
      [10, 0],
      [0, 10],
      [0, 0],
    ];
    expect(() => polygon(bow)).toThrow('Self-intersection at or near point (5.0, 5.0, NaN)');
    const hole = square.map(([x, y]): Point => [x / 2 + 7.5, y / 2 + 2.5]);
    expect(() => polygon(square, hole)).toThrow(
      /^InvalidShapeException\[Self-intersection at or near point \(10\.0, /,
    );
  });

  test('rings that touch are fine', () => {
    const hole: Point[] = [
      [5, 0],
      [7, 5],
      [3, 5],
      [5, 0],
    ];
    expect(polygon(square, hole)).toBeDefined();
    fc.assert(fc.property(ringArb, (ring) => polygon(ring) !== undefined));
  });
});
