import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PlanNode } from '../../host/plan/nodes.js';
import type { RangeNode } from '../../host/plan/nodes/range.js';
import type { GeoBox } from '../../host/plan/nodes/geoBox.js';
import { Formula } from '../../host/plan/sortKeys.js';
import { doubleTerm, longTerm, textTerm } from '../../host/mapping/terms.js';
import { demandEqual } from '../support/demandEqual.js';
import { coreOf, FIELD, index, matches, type NaiveDocument, randomDocuments } from './columnShards.js';
import { BUILDS } from '../support/cores.js';

const RUNS = Number(process.env.RESILIN_FUZZ_RUNS ?? 1);

/** The haversine formula, plainly; and that over tables, which is off by its rounding and knows the earth's diameter. */
function angle(a: readonly [number, number], b: readonly [number, number]): number {
  const [x1, x2] = [(a[0] * Math.PI) / 180, (b[0] * Math.PI) / 180];
  const h1 = (1 - Math.cos(x1 - x2)) / 2;
  const h2 = (1 - Math.cos(((a[1] - b[1]) * Math.PI) / 180)) / 2;
  return 2 * Math.asin(Math.min(1, Math.sqrt(h1 + Math.cos(x1) * Math.cos(x2) * h2)));
}

function radius(latitude: number): number {
  // As Lucene's table: 1025 steps to a pole that comes at the 2049th part of a half turn.
  const step = Math.floor(Math.abs(latitude) / (Math.PI / 2 / 1024) + 0.5) % 1025;
  const [a, b] = [6378137, 6356752.3142];
  if (step === 0 || step === 1024) return step === 0 ? a : b;
  const at = (Math.PI * step) / 2049;
  const [cos, sin] = [Math.cos(at), Math.sin(at)];
  return Math.sqrt(((a * a * cos) ** 2 + (b * b * sin) ** 2) / ((a * cos) ** 2 + (b * sin) ** 2));
}

function distanceOf(formula: Formula, a: readonly [number, number], b: readonly [number, number]): number {
  if (formula === Formula.plane)
    return Math.sqrt((a[1] - b[1]) ** 2 + (a[0] - b[0]) ** 2) * ((6378137 * Math.PI * 2) / 360);
  return angle(a, b) * radius((((a[0] + b[0]) / 2) * Math.PI) / 180);
}

function within({ top, left, bottom, right }: GeoBox, [lat, lon]: readonly [number, number]): boolean {
  if (lat > top || lat < bottom) return false;
  return left > right ? lon >= left || lon <= right : lon >= left && lon <= right;
}

/** The keys of a list that another one has not. */
function missing(keys: readonly number[], from: readonly number[]): number[] {
  const others = new Set(from);
  return keys.filter((key) => !others.has(key));
}

const point = fc.record({
  lat: fc.double({ min: -90, max: 90, noNaN: true }),
  lon: fc.double({ min: -180, max: 180, noNaN: true }),
});

describe.each(BUILDS)('%s core', (build) => {
  const core = coreOf(build);
  const numRuns = (build === 'release' ? 60 : 12) * RUNS;
  const shapes = [
    { name: 'one value', several: false, segments: 1 },
    { name: 'several values', several: true, segments: 2 },
  ];
  describe.each(shapes)('$name', ({ several, segments }) => {
    const documents = randomDocuments(9, 1500, several);
    // Points in clusters, so that small circles find some.
    for (const document of documents) {
      document.points = document.points.map(([lat, lon], i) =>
        (document.key + i) % 3 === 0
          ? [lat, lon]
          : [50 + lat / 90, lon > 0 ? 179.5 + lon / 360 : -179.5 + lon / 360],
      );
    }
    const dead = new Set([3, 700]);
    const shard = index(core, documents, segments, dead);
    const live = documents.filter(({ key }) => !dead.has(key));
    const found = (filter: PlanNode) => matches(core, shard, filter, 2000);
    const having = (test: (document: NaiveDocument) => boolean) => live.filter(test).map(({ key }) => key);

    test('circles and rings hold the points whose distance is in the bounds', () => {
      fc.assert(
        fc.property(
          fc.oneof(
            point,
            fc.constantFrom({ lat: 50, lon: 179.7 }, { lat: 90, lon: 0 }, { lat: 50.4, lon: -179.9 }),
          ),
          fc.constantFrom<Formula[]>(Formula.sloppy_arc, Formula.sloppy_arc, Formula.arc, Formula.plane),
          fc.oneof(fc.constant(Number.NEGATIVE_INFINITY), fc.double({ min: 0, max: 1e6, noNaN: true })),
          fc.oneof(
            fc.constant(Number.POSITIVE_INFINITY),
            fc.double({ min: 0, max: 2e5, noNaN: true }),
            fc.double({ min: 0, max: 2.1e7, noNaN: true }),
          ),
          ({ lat, lon }, formula, lower, upper) => {
            const got = found({
              kind: 'geoDistance',
              field: FIELD.point,
              formula,
              lat,
              lon,
              lower,
              upper,
              box: undefined,
            });
            // Where this test's arithmetic may be off, either answer is right.
            const slack = (limit: number) => Math.abs(limit) * 1e-6 + 1e-3;
            const between = (d: number, sign: number) =>
              d >= lower + (lower === Number.NEGATIVE_INFINITY ? 0 : sign * slack(lower)) &&
              d <= upper - (upper === Number.POSITIVE_INFINITY ? 0 : sign * slack(upper));
            const some = (sign: number) =>
              having(({ points }) =>
                points.some((each) => between(distanceOf(formula, [lat, lon], each), sign)),
              );
            expect(missing(some(1), got)).toEqual([]);
            expect(missing(got, some(-1))).toEqual([]);
          },
        ),
        { seed: 3, numRuns },
      );
    });

    test('boxes hold their edges, and cross the date line', () => {
      fc.assert(
        fc.property(point, point, fc.nat(1499), (a, b, corner) => {
          const [edge] = documents[corner]!.points;
          const box = {
            top: Math.max(a.lat, b.lat, edge?.[0] ?? -90),
            bottom: Math.min(a.lat, b.lat),
            left: a.lon,
            right: edge?.[1] ?? b.lon,
          };
          const got = found({ kind: 'geoBox', field: FIELD.point, box });
          demandEqual(
            got,
            having(({ points }) => points.some((each) => within(box, each))),
          );
        }),
        { seed: 4, numRuns },
      );
      const nothing = { top: Number.NaN, bottom: 0, left: 0, right: 1 };
      expect(found({ kind: 'geoBox', field: FIELD.point, box: nothing })).toEqual([]);
      const whole = { top: 90, bottom: -90, left: -180, right: 180 };
      expect(found({ kind: 'geoBox', field: FIELD.point, box: whole })).toEqual(
        having(({ points }) => points.length > 0),
      );
      expect(found({ kind: 'geoBox', field: FIELD.key, box: whole })).toEqual([]);
    });

    test('polygons hold what is inside', () => {
      fc.assert(
        fc.property(fc.array(point, { minLength: 3, maxLength: 8 }), (corners) => {
          const points = [...corners, corners[0]!];
          const inside = ([lat, lon]: readonly [number, number]) => {
            let odd = false;
            for (let i = 1; i < points.length; i++) {
              const [p, q] = [points[i]!, points[i - 1]!];
              if (!((p.lon < lon && q.lon >= lon) || (q.lon < lon && p.lon >= lon))) continue;
              if (p.lat + ((lon - p.lon) / (q.lon - p.lon)) * (q.lat - p.lat) < lat) odd = !odd;
            }
            return odd;
          };
          const got = found({ kind: 'geoPolygon', field: FIELD.point, points });
          demandEqual(
            got,
            having((document) => document.points.some(inside)),
          );
        }),
        { seed: 6, numRuns },
      );
    });

    test('ranges of many terms are read from columns, with the same answer', () => {
      const bound = fc.option(fc.nat(1000), { nil: undefined });
      const drawn = fc.record({
        field: fc.constantFrom<number[]>(FIELD.long, FIELD.double, FIELD.key),
        from: bound,
        to: bound,
        includeLower: fc.boolean(),
        includeUpper: fc.boolean(),
      });
      const longs = [...new Set(live.flatMap(({ long }) => long))].sort((a, b) => (a < b ? -1 : 1));
      const doubles = [...new Set(live.flatMap(({ double }) => double))].sort((a, b) => a - b);
      const strings = [...new Set(live.flatMap((document) => document.strings))].sort();
      fc.assert(
        fc.property(drawn, ({ field, from, to, includeLower, includeUpper }) => {
          const pool: readonly (bigint | number | string)[] =
            field === FIELD.long ? longs : field === FIELD.double ? doubles : strings;
          const at = (n: number | undefined) =>
            n === undefined ? undefined : pool[Math.floor((n / 1001) * pool.length)]!;
          const [low, high] = [at(from), at(to)];
          const term = (value: bigint | number | string | undefined) => {
            if (value === undefined) return undefined;
            if (typeof value === 'bigint') return longTerm(value);
            return typeof value === 'number' ? doubleTerm(value) : textTerm(value);
          };
          const node: RangeNode = {
            kind: 'range',
            field,
            lower: term(low),
            upper: term(high),
            includeLower,
            includeUpper,
          };
          const inside = (value: bigint | number | string) =>
            (low === undefined ||
              value > low ||
              (includeLower && same(value, low)) ||
              negativeZero(low, value)) &&
            (high === undefined ||
              value < high ||
              (includeUpper && same(value, high)) ||
              negativeZero(value, high));
          const got = found(node);
          demandEqual(
            got,
            having(({ long, double, strings: keys }) =>
              (field === FIELD.long ? long : field === FIELD.double ? double : keys).some(inside),
            ),
          );
        }),
        { seed: 8, numRuns },
      );
    });
  });
});

function same(a: unknown, b: unknown): boolean {
  return Object.is(a, b);
}

/** Whether `low` is -0 and `high` is 0: the one comes before the other. */
function negativeZero(low: unknown, high: unknown): boolean {
  return Object.is(low, -0) && Object.is(high, 0);
}
