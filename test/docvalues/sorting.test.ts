import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeSortValues, type SortValue, type SortValueType } from '../../host/core/sortValues.js';
import { geohashPoint } from '../../host/geo/geoPoints.js';
import { type ColumnKey, Formula, type SortKey, SortMode } from '../../host/plan/sortKeys.js';
import { coreOf, FIELD, index, type NaiveDocument, randomDocuments, search } from './columnShards.js';
import { BUILDS } from '../support/cores.js';

const RUNS = Number(process.env.RESILIN_FUZZ_RUNS ?? 1);
const utf8 = new TextEncoder();
const text = new TextDecoder();

/** By the order of the bits: as Java compares doubles. */
function compare(a: bigint | number | string, b: bigint | number | string): number {
  if (typeof a === 'number' && typeof b === 'number' && a === b)
    return Object.is(a, b) ? 0 : Object.is(a, -0) ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** What a document is sorted by; null if it has nothing and goes to an end. */
function sortValueOf(document: NaiveDocument, key: ColumnKey): bigint | number | string | null {
  const own: (bigint | number | string)[] =
    key.type === 'long' ? document.long : key.type === 'double' ? document.double : document.strings;
  const values = [...new Map(own.map((value) => [Object.is(value, -0) ? '-0' : value, value])).values()];
  values.sort(compare);
  if (values.length === 0) {
    const { missing } = key;
    if (missing instanceof Uint8Array) return text.decode(missing);
    return typeof missing === 'string' ? null : missing;
  }
  if (key.mode === SortMode.max) return values.at(-1)!;
  if (values.length === 1 || key.mode === SortMode.min || key.type === 'string') return values[0]!;
  if (key.type === 'double') {
    const sum = (values as number[]).reduce((a, b) => a + b, 0);
    return key.mode === SortMode.sum ? sum : sum / values.length;
  }
  const sum = BigInt.asIntN(
    64,
    (values as bigint[]).reduce((a, b) => a + b),
  );
  if (key.mode === SortMode.sum) return sum;
  return BigInt(Math.floor(Number(sum) / values.length + 0.5));
}

function naiveOrder(documents: readonly NaiveDocument[], keys: readonly ColumnKey[]) {
  const rows = documents.map((document) => ({
    key: document.key,
    values: keys.map((key) => sortValueOf(document, key)),
  }));
  return rows.sort((a, b) => {
    for (const [i, key] of keys.entries()) {
      const [x, y] = [a.values[i]!, b.values[i]!];
      if (x === null || y === null) {
        if (x === y) continue;
        return (x === null) === (key.missing === 'last') ? 1 : -1;
      }
      const order = compare(x, y);
      if (order !== 0) return key.descending ? -order : order;
    }
    return a.key - b.key;
  });
}

const shared = {
  kind: fc.constant('column' as const),
  descending: fc.boolean(),
  single: fc.constant(false),
  mode: fc.constantFrom<SortMode[]>(0, 1, 2, 3),
};
const columnKey: fc.Arbitrary<ColumnKey<never>> = fc.oneof(
  fc.record({
    ...shared,
    field: fc.constantFrom<number[]>(FIELD.long, FIELD.long, 99),
    type: fc.constant('long' as const),
    missing: fc.constantFrom(2n ** 63n - 1n, -(2n ** 63n), 5000n),
  }),
  fc.record({
    ...shared,
    field: fc.constant<number>(FIELD.double),
    type: fc.constant('double' as const),
    missing: fc.constantFrom(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 12.5),
  }),
  fc.record({
    ...shared,
    field: fc.constantFrom<number[]>(FIELD.key, FIELD.key, 99),
    type: fc.constant('string' as const),
    missing: fc.constantFrom<ColumnKey['missing'][]>(
      'first',
      'last',
      utf8.encode('k2'),
      utf8.encode('k2x'),
      utf8.encode('z'),
    ),
  }),
);

function shown(value: SortValue): bigint | number | string | null {
  return value instanceof Uint8Array ? text.decode(value) : value;
}

const ARC_POINT = [geohashPoint('u2fkbn').lat, geohashPoint('u2fkbn').lon] as const;

describe.each(BUILDS)('%s core', (build) => {
  const core = coreOf(build);
  const shapes = [
    { name: 'one segment', count: 900, segments: 1, several: false, dead: 0 },
    { name: 'one segment of several values', count: 700, segments: 1, several: true, dead: 0 },
    { name: 'segments with deletions', count: 1200, segments: 4, several: false, dead: 7 },
    { name: 'segments of several values with deletions', count: 600, segments: 3, several: true, dead: 5 },
    { name: 'many windows', count: 13_000, segments: 1, several: false, dead: 0 },
  ];
  test.each(shapes)('hits come in the order of their keys: $name', ({ count, segments, several, dead }) => {
    const documents = randomDocuments(count, count, several);
    const deleted = new Set(
      documents.filter(({ key }) => dead > 0 && key % dead === 3).map(({ key }) => key),
    );
    const shard = index(core, documents, segments, deleted);
    const live = documents.filter(({ key }) => !deleted.has(key));
    fc.assert(
      fc.property(
        fc.array(columnKey, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(1, 10, 57, 5000),
        fc.constantFrom('w1', undefined),
        (drawn, k, word) => {
          // A field that isn't there has nothing.
          const own = drawn.map((key) => (key.field === 99 ? { ...key, field: 0xffff } : key));
          const having = word === undefined ? live : live.filter(({ words }) => words.includes(word));
          const stripped = having.map((document) => {
            const gone = own.filter(({ field }) => field === 0xffff).map(({ type }) => type);
            return gone.length === 0 ? document : { ...document, gone };
          });
          const naive = naiveOrder(
            stripped.map((document) =>
              'gone' in document
                ? {
                    ...document,
                    long: document.gone.includes('long') ? [] : document.long,
                    strings: document.gone.includes('string') ? [] : document.strings,
                  }
                : document,
            ),
            own,
          );
          fc.pre(
            new Set(own.map(({ type, field }) => `${type} ${field}`)).size ===
              new Set(own.map(({ type }) => type)).size,
          );
          const result = search(core, shard, {
            k,
            sort: { keys: own, trackScores: false },
            ...(word === undefined
              ? {}
              : { root: { kind: 'term', field: FIELD.text, boost: 1, term: utf8.encode(word) } }),
          });
          expect(result.total).toBe(having.length);
          expect(result.maxScore).toBeNaN();
          const types = own.map(({ type }): SortValueType => type);
          const values = decodeSortValues(result.sortValues, result.keys.length, types);
          const expected = naive.slice(0, k);
          expect([...result.keys]).toEqual(expected.map(({ key }) => key));
          expect(values.map((row) => row.map(shown))).toEqual(expected.map((row) => row.values));
        },
      ),
      { seed: 5, numRuns: (build === 'release' ? 40 : 12) * RUNS },
    );
    core.dropShard(shard);
  });

  test('scores are a key, or come along', () => {
    const documents = randomDocuments(3, 2000, false);
    const shard = index(core, documents, 3, new Set([5, 77, 1999]));
    const root = {
      kind: 'boolean' as const,
      noCoord: false,
      boost: 1,
      minimum: 0,
      clauses: ['w1', 'w2'].map((word) => ({
        occur: 1 as const,
        node: { kind: 'term' as const, field: FIELD.text, boost: 1, term: utf8.encode(word) },
      })),
    };
    const plain = search(core, shard, { root, k: 3000 });
    const scores = new Map([...plain.keys].map((key, i) => [key, plain.scores[i]!]));
    const up = search(core, shard, {
      root,
      k: 3000,
      sort: { keys: [{ kind: 'score', descending: false }], trackScores: false },
    });
    expect([...up.scores]).toEqual([...scores.values()].sort((a, b) => a - b));
    expect([...up.keys].map((key) => scores.get(key))).toEqual([...up.scores]);
    const tracked = search(core, shard, {
      root,
      k: 20,
      sort: { keys: [{ kind: 'document', descending: true }], trackScores: true },
    });
    expect([...tracked.keys]).toEqual([...scores.keys()].sort((a, b) => b - a).slice(0, 20));
    expect([...tracked.scores]).toEqual([...tracked.keys].map((key) => scores.get(key)));
    expect(tracked.maxScore).toBe(plain.maxScore);
    core.dropShard(shard);
  });

  // Recorded from Elasticsearch 1.7.3.
  test.each([
    [Formula.sloppy_arc, [50.0755, 14.4378], [49.1951, 16.6068], 1000, 184.18083942406798],
    [Formula.sloppy_arc, [50.0755, 14.4378], [48.2082, 16.3738], 1, 250670.14762933415],
    [Formula.sloppy_arc, [50.0755, 14.4378], [-36.8509, 174.7645], 1609.344, 11111.688090497391],
    [Formula.sloppy_arc, [50.0755, 14.4378], [-90, 0], 1609.344, 9685.37299407419],
    [Formula.sloppy_arc, [0, 180], [10, 179.999], 1000, 1113.1667152215864],
    [Formula.sloppy_arc, [0, 0], [-1.2921, 36.8219], 1000, 4101.159250265511],
    [Formula.arc, ARC_POINT, [49.1951, 16.6068], 1000, 186.09594916270646],
    [Formula.arc, ARC_POINT, [48.2082, 16.3738], 1000, 252.6825322757791],
    [Formula.arc, ARC_POINT, [51.0543, 3.7174], 1000, 762.011215915015],
    [Formula.plane, [50.0755, 14.4378], [53.0793, 8.8017], 1, 710951.1259337505],
    [Formula.plane, [50.0755, 14.4378], [51.0543, 3.7174], 1, 1198353.2874041738],
  ] as const)('distances are those of 1.7: %j', (formula, from, to, unit, expected) => {
    const document = { ...randomDocuments(1, 1, false)[0]!, points: [[to[0], to[1]] as [number, number]] };
    const shard = index(core, [document], 1, new Set());
    const key: SortKey<never> = {
      kind: 'distance',
      descending: false,
      field: FIELD.point,
      formula,
      unit,
      points: [{ lat: from[0], lon: from[1] }],
      mode: SortMode.min,
    };
    const { sortValues } = search(core, shard, { sort: { keys: [key], trackScores: false } });
    expect(decodeSortValues(sortValues, 1, ['double'])).toEqual([[expected]]);
    core.dropShard(shard);
  });

  test('distances of several points to several others are taken by mode', () => {
    const points: [number, number][] = [
      [10, 10],
      [20, 20],
      [0, 50],
    ];
    const documents = randomDocuments(1, 3, false).map((document, i) => ({
      ...document,
      points: i === 2 ? [] : points.slice(0, i + 2),
    }));
    const shard = index(core, documents, 1, new Set());
    const others = [
      { lat: 0, lon: 0 },
      { lat: 30, lon: 30 },
    ];
    const of = (mode: SortMode, pairs = others) => {
      const key = {
        kind: 'distance',
        descending: false,
        field: FIELD.point,
        formula: Formula.plane,
      } as const;
      const sort = { keys: [{ ...key, unit: 1, points: pairs, mode }], trackScores: false };
      const { keys, sortValues } = search(core, shard, { sort });
      const values = decodeSortValues(sortValues, keys.length, ['double']);
      return new Map([...keys].map((each, i) => [each, values[i]![0] as number]));
    };
    const single = (i: number, other: { lat: number; lon: number }) =>
      Math.hypot(points[i]![0] - other.lat, points[i]![1] - other.lon) * ((6378137 * Math.PI * 2) / 360);
    const all = [0, 1].flatMap((i) => others.map((other) => single(i, other)));
    expect(of(SortMode.min).get(1)).toBeCloseTo(Math.min(...all), 5);
    expect(of(SortMode.max).get(1)).toBeCloseTo(Math.max(...all), 5);
    expect(of(SortMode.avg).get(1)).toBeCloseTo(all.reduce((a, b) => a + b) / 4, 5);
    expect(of(SortMode.min).get(3)).toBe(Number.MAX_VALUE);
    core.dropShard(shard);
  });

  test('more hits may be wanted than there are documents', () => {
    const shard = index(core, randomDocuments(1, 50, false), 1, new Set());
    const keys: SortKey<never>[] = [{ kind: 'document', descending: false }];
    const result = search(core, shard, { k: 0xffff_ffff, sort: { keys, trackScores: false } });
    expect([result.total, result.keys.length]).toEqual([50, 50]);
    core.dropShard(shard);
  });
});
