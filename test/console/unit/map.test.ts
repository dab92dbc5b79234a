/** What the map works out: places and pixels, points and shapes of every notation, filters of areas. */
import { geoArea, geoContains } from 'd3-geo';
import { describe, expect, it } from 'vitest';
import { type Area, boxBetween, filterOf, readArea } from '../../../console/src/views/map/area.js';
import { distanceBetween, distanceText, metresOf } from '../../../console/src/views/map/distances.js';
import { pointsOf, valuesAt } from '../../../console/src/views/map/geoValues.js';
import { queryOfView } from '../../../console/src/views/map/mapData.js';
import { geometryOf } from '../../../console/src/views/map/shapes.js';
import {
  boundsOf,
  clamped,
  panned,
  precisionFor,
  project,
  unproject,
  viewOf,
  wholeWorld,
  zoomedAt,
} from '../../../console/src/views/map/viewport.js';

const view = clamped({ lon: 175, lat: -20, zoom: 4, width: 800, height: 500 });
const point = { path: 'place', type: 'geo_point' };
const shape = { path: 'place', type: 'geo_shape' };

describe('a view', () => {
  it('finds the place of a pixel, and the pixel of a place, over the date line too', () => {
    const [x, y] = project(view, -170, -25);
    expect(x).toBeGreaterThan(400);
    const [lon, lat] = unproject(view, x, y);
    expect(lon).toBeCloseTo(190, 6);
    expect(lat).toBeCloseTo(-25, 6);
  });

  it('has bounds whose east is less than their west where the date line is within', () => {
    const { west, east, north, south } = boundsOf(view);
    expect(west).toBeGreaterThan(100);
    expect(east).toBeLessThan(-100);
    expect(north).toBeGreaterThan(south);
    expect(boundsOf(wholeWorld(800, 500))).toMatchObject({ west: -180, east: 180 });
  });

  it('keeps the place under a pixel when it is zoomed', () => {
    const before = unproject(view, 100, 100);
    const after = unproject(zoomedAt(view, 100, 100, 1.5), 100, 100);
    expect(after[0]).toBeCloseTo(before[0], 6);
    expect(after[1]).toBeCloseTo(before[1], 6);
  });

  it('stays within the world', () => {
    expect(panned(view, 0, 1e6).lat).toBeLessThan(85.06);
    expect(zoomedAt(view, 0, 0, -100).zoom).toBeCloseTo(Math.log2(800 / 256), 6);
    expect(zoomedAt(view, 0, 0, 100).zoom).toBe(18);
  });

  it('shows all of bounds', () => {
    const around = viewOf({ west: 170, south: -10, east: -170, north: 10 }, 800, 500);
    expect(around.lon).toBe(180);
    const { west, east } = boundsOf(around);
    expect(west).toBeLessThan(170);
    expect(east).toBeGreaterThan(-170);
  });

  it('has finer cells the nearer one comes', () => {
    expect([1, 2, 5, 10, 18].map(precisionFor)).toEqual([1, 2, 3, 5, 8]);
  });
});

describe('points are read', () => {
  it.each([
    ['an object', { lat: 48.8, lon: 2.3 }, [[2.3, 48.8]]],
    ['an object of texts', { lat: '48.8', lon: '2.3' }, [[2.3, 48.8]]],
    ['a text', '48.8, 2.3', [[2.3, 48.8]]],
    ['a list', [2.3, 48.8], [[2.3, 48.8]]],
    [
      'several',
      [{ lat: 1, lon: 2 }, '3,4', [5, 6]],
      [
        [2, 1],
        [4, 3],
        [5, 6],
      ],
    ],
    [
      'several lists',
      [
        [1, 2],
        [3, 4],
      ],
      [
        [1, 2],
        [3, 4],
      ],
    ],
    ['a geohash', 's', [[22.5, 22.5]]],
    ['an object with a geohash', { geohash: 's' }, [[22.5, 22.5]]],
    ['nothing', null, []],
    ['a word', 'nowhere', []],
  ])('from %s', (_, value, expected) => {
    expect(pointsOf(value as never)).toEqual(expected);
  });

  it('from fields in objects, in lists, and with dots in their names', () => {
    const source = { a: [{ p: '1,2' }, { p: '3,4' }], 'b.c': '5,6' };
    expect(valuesAt(source, 'a.p')).toEqual(['1,2', '3,4']);
    expect(valuesAt(source, 'b.c')).toEqual(['5,6']);
    expect(valuesAt(source, 'a.q')).toEqual([]);
  });
});

describe('shapes', () => {
  const square = [
    [0, 0],
    [10, 0],
    [10, 10],
    [0, 10],
    [0, 0],
  ];
  const hole = [
    [4, 4],
    [6, 4],
    [6, 6],
    [4, 6],
    [4, 4],
  ];
  const contains = (json: object, lon: number, lat: number) =>
    geoContains(geometryOf(json as never)!, [lon, lat]);

  it.each([
    ['counterclockwise', square],
    ['clockwise', [...square].reverse()],
  ])('of polygons are what is within, %s', (_, ring) => {
    const polygon = { type: 'Polygon', coordinates: [ring, hole] };
    expect(contains(polygon, 2, 2)).toBe(true);
    expect(contains(polygon, 5, 5)).toBe(false);
    expect(contains(polygon, 40, 40)).toBe(false);
  });

  it('of polygons and boxes cross the date line', () => {
    const ring = [
      [170, -10],
      [-170, -10],
      [-170, 10],
      [170, 10],
      [170, -10],
    ];
    for (const json of [
      { type: 'polygon', coordinates: [ring] },
      {
        type: 'envelope',
        coordinates: [
          [170, 10],
          [-170, -10],
        ],
      },
    ]) {
      expect(contains(json, 179, 0)).toBe(true);
      expect(contains(json, -179, 0)).toBe(true);
      expect(contains(json, 0, 0)).toBe(false);
    }
  });

  it('of boxes have straight sides, also wide ones', () => {
    const wide = {
      type: 'envelope',
      coordinates: [
        [-170, 60],
        [170, 50],
      ],
    };
    expect(contains(wide, 0, 55)).toBe(true);
    expect(contains(wide, 0, 70)).toBe(false);
    expect(contains(wide, 180, 55)).toBe(false);
  });

  it('of circles have their radius', () => {
    const area = geoArea(geometryOf({ type: 'circle', coordinates: [0, 0], radius: '111.195km' })!);
    expect(area / (Math.PI * (Math.PI / 180) ** 2)).toBeCloseTo(1, 1);
  });

  it.each([
    ['POINT', { coordinates: [1, 2] }, 'Point'],
    ['MultiPoint', { coordinates: [[1, 2]] }, 'MultiPoint'],
    [
      'linestring',
      {
        coordinates: [
          [1, 2],
          [3, 4],
        ],
      },
      'LineString',
    ],
    [
      'multilinestring',
      {
        coordinates: [
          [
            [1, 2],
            [3, 4],
          ],
        ],
      },
      'MultiLineString',
    ],
    ['multipolygon', { coordinates: [[square], [hole]] }, 'MultiPolygon'],
    ['geometrycollection', { geometries: [{ type: 'point', coordinates: [1, 2] }] }, 'GeometryCollection'],
  ])('are read: %s', (type, rest, expected) => {
    expect(geometryOf({ type, ...rest } as never)?.type).toBe(expected);
  });

  it.each([
    { type: 'polygon', coordinates: [1, 2] },
    { type: 'ball' },
    'x',
    { type: 'circle', coordinates: [1, 2] },
  ])('are none: %j', (json) => {
    expect(geometryOf(json as never)).toBeUndefined();
  });
});

describe('an area', () => {
  const box: Area = { kind: 'box', left: 170, top: 10, right: -170, bottom: -10 };
  const circle: Area = { kind: 'circle', lon: 2, lat: 48, metres: 12_345 };
  const polygon: Area = {
    kind: 'polygon',
    points: [
      [0, 0],
      [5, 5],
      [10, 0],
    ],
  };

  it('is a filter of points', () => {
    expect(filterOf(box, point)).toEqual({
      geo_bounding_box: { place: { top_left: { lat: 10, lon: 170 }, bottom_right: { lat: -10, lon: -170 } } },
    });
    expect(filterOf(circle, point)).toEqual({
      geo_distance: { distance: '12.35km', place: { lat: 48, lon: 2 } },
    });
    expect(filterOf(polygon, point)).toEqual({
      geo_polygon: {
        place: {
          points: [
            { lat: 0, lon: 0 },
            { lat: 5, lon: 5 },
            { lat: 0, lon: 10 },
          ],
        },
      },
    });
  });

  it('is a filter of shapes, two over the date line', () => {
    expect(filterOf(box, shape)).toEqual({
      bool: {
        should: [
          {
            geo_shape: {
              place: {
                shape: {
                  type: 'envelope',
                  coordinates: [
                    [170, 10],
                    [180, -10],
                  ],
                },
              },
            },
          },
          {
            geo_shape: {
              place: {
                shape: {
                  type: 'envelope',
                  coordinates: [
                    [-180, 10],
                    [-170, -10],
                  ],
                },
              },
            },
          },
        ],
      },
    });
    expect(filterOf(circle, shape)).toMatchObject({ geo_shape: { place: { shape: { radius: '12.35km' } } } });
  });

  it('is none where a polygon crosses the date line', () => {
    expect(() =>
      filterOf(
        {
          kind: 'polygon',
          points: [
            [170, 0],
            [-170, 0],
            [180, 9],
          ],
        },
        point,
      ),
    ).toThrow('date line');
  });

  it('is a box between two places that were dragged', () => {
    expect(boxBetween([190, 10], [170, -5])).toEqual({
      kind: 'box',
      left: 170,
      right: -170,
      top: 10,
      bottom: -5,
    });
    expect(boxBetween([-200, 10], [200, -5])).toMatchObject({ left: -180, right: 180 });
  });

  it('is read from an address, where it is one', () => {
    for (const area of [box, circle, polygon]) expect(readArea(JSON.stringify(area))).toEqual(area);
    for (const text of [null, '', '{', '{"kind":"box"}', '{"kind":"polygon","points":[1]}', '{"kind":"x"}'])
      expect(readArea(text)).toBeUndefined();
  });

  it('narrows the query beside the bounds of the view', () => {
    const bounds = { west: -10, south: 0, east: 10, north: 10 };
    expect(queryOfView({ query: undefined, field: point, bounds, area: circle })).toMatchObject({
      filtered: { filter: { bool: { must: [{ geo_bounding_box: {} }, { geo_distance: {} }] } } },
    });
  });
});

describe('distances', () => {
  it.each([
    ['12km', 12_000],
    ['5 mi', 8046.72],
    ['300', 300],
    ['1.5NM', 2778],
    ['far', undefined],
    ['5 parsecs', undefined],
  ])('are read: %s', (text, metres) => {
    expect(metresOf(text)).toBe(metres);
  });

  it('are written, and measured', () => {
    expect([850, 12_345].map(distanceText)).toEqual(['850m', '12.35km']);
    expect(distanceBetween([2.35, 48.85], [13.4, 52.52]) / 1000).toBeCloseTo(878, -1);
  });
});
