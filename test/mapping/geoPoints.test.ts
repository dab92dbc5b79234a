import { describe, expect, test } from 'vitest';
import { BatchWriter } from '../../host/core/batch.js';
import { toElasticsearchError } from '../../host/errors.js';
import { DocumentParser } from '../../host/mapping/documents.js';
import {
  geohashLevels,
  geohashNeighbours,
  geohashOf,
  geohashPoint,
  normalizePoint,
  parseDistance,
} from '../../host/geo/geoPoints.js';
import { MappingModel } from '../../host/mapping/model.js';
import { naiveRegistry } from '../model/support.js';

describe('geohashes', () => {
  test('of points, and back to the middle of their cell', () => {
    expect(geohashOf({ lat: 50.0755, lon: 14.4378 }, 6)).toBe('u2fkbe');
    const { lat, lon } = geohashPoint('u2fkbe');
    expect(Math.abs(lat - 50.0755)).toBeLessThan(0.003);
    expect(Math.abs(lon - 14.4378)).toBeLessThan(0.006);
    expect(() => geohashPoint('no point!')).toThrow("the character 'o' is not a valid geohash character");
  });

  test('have eight neighbours, fewer at a pole, and some across the date line', () => {
    expect(geohashNeighbours('u2f').sort()).toEqual(
      ['u29', 'u2c', 'u2d', 'u2e', 'u2g', 'u34', 'u35', 'u31'].sort(),
    );
    expect(geohashNeighbours('zzz')).toHaveLength(5);
    expect(
      geohashNeighbours(geohashOf({ lat: 10, lon: 179.9 }, 3)).some((hash) => hash.startsWith('8')),
    ).toBe(true);
  });

  test('get as long as a precision asks', () => {
    expect([40_000_000, 100_000, 5000, 1, 0].map(geohashLevels)).toEqual([1, 4, 6, 11, 12]);
  });
});

test.each([
  [
    { lat: 91, lon: 0 },
    { lat: 89, lon: 180 },
  ],
  [
    { lat: 0, lon: 181 },
    { lat: 0, lon: -179 },
  ],
  [
    { lat: 95, lon: 190 },
    { lat: 85, lon: 10 },
  ],
  [
    { lat: -90, lon: -180 },
    { lat: -90, lon: 180 },
  ],
  [
    { lat: 45, lon: 10 },
    { lat: 45, lon: 10 },
  ],
])('points come into range: %j', (given, expected) => {
  expect(normalizePoint(given)).toEqual(expected);
});

test.each([
  ['12km', 12_000],
  ['500 km', 500_000],
  ['3', 3],
  ['1mi', 1609.344],
  ['2nmi', 3704],
  ['2NM', 3704],
  ['10in', 0.254],
  ['7mm', 0.007],
])('a distance of %s is %d metres', (text, metres) => {
  expect(parseDistance(text)).toBeCloseTo(metres, 9);
});

test.each(['far', '300parsec', '500KM', 'km', ''])('%s is no distance', (text) => {
  expect(() => parseDistance(text)).toThrow(`For input string: "${text}"`);
});

describe('points of documents', () => {
  const model = new MappingModel(naiveRegistry());
  model.putMapping('t', {
    properties: { p: { type: 'geo_point' }, strict: { type: 'geo_point', normalize: false } },
  });
  const parser = new DocumentParser(model);
  const write = (source: unknown): string => {
    try {
      parser.parse(new BatchWriter(), 1, { type: 't', id: '1', source });
      return 'fine';
    } catch (e) {
      return toElasticsearchError(e).render();
    }
  };

  test.each([
    ['1,2'],
    ['u2fkbn'],
    [{ lat: 1, lon: 2 }],
    [{ lat: '1.5', lon: '2.5' }],
    [{ geohash: 'u2f' }],
    [[1, 2]],
    [[1, 2, 3]],
    [
      [
        [1, 2],
        [3, 4],
      ],
    ],
    [['1,2', { lat: 3, lon: 4 }]],
    [[]],
    [null],
    ['100,200'],
  ])('may be %j', (p) => {
    expect(write({ p })).toBe('fine');
  });

  // As Elasticsearch 1.7.3 answered.
  test.each([
    [
      'no point!',
      "ElasticsearchIllegalArgumentException[the character 'o' is not a valid geohash character]",
    ],
    ['1,2,3', 'NumberFormatException[For input string: "2,3"]'],
    [{ lat: 1 }, 'ElasticsearchParseException[field [lon] missing]'],
    [{ lon: 1 }, 'ElasticsearchParseException[field [lat] missing]'],
    [{ lat: 'a', lon: 1 }, 'NumberFormatException[For input string: "a"]'],
    [true, 'ElasticsearchParseException[geo_point expected]'],
    [5, 'ElasticsearchParseException[geo_point expected]'],
    [
      { lat: 1, lon: 2, alt: 3 },
      "ElasticsearchParseException[field must be either 'lat', 'lon' or 'geohash']",
    ],
  ])('may not be %j', (p, cause) => {
    expect(write({ p })).toBe(`MapperParsingException[failed to parse]; nested: ${cause}; `);
  });

  test('are refused out of range where they are not normalized', () => {
    expect(write({ strict: '91,0' })).toContain('illegal latitude value [91.0] for strict');
    expect(write({ strict: '0,-181.5' })).toContain('illegal longitude value [-181.5] for strict');
  });
});
