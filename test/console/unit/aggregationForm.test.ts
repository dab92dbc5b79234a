/** Forms of aggregations and their JSON; buckets with their labels and filters. */
import { describe, expect, it } from 'vitest';
import { LosslessNumber, parseJson } from '../../../console/src/api/json.js';
import { type Form, formOf, jsonOf } from '../../../console/src/views/aggregations/aggregationForm.js';
import { resultCsv, rowsOf } from '../../../console/src/views/aggregations/bucketRows.js';
import { resultOf } from '../../../console/src/views/aggregations/buckets.js';
import { calendarInterval, roundInterval } from '../../../console/src/views/aggregations/interval.js';
import { largest, linesOf, seriesOf, ticksOf } from '../../../console/src/views/aggregations/series.js';

const part = (kind: string, field: string, options: Record<string, string> = {}) => ({
  kind,
  field,
  options,
});

describe('a form', () => {
  const forms: [string, Form][] = [
    [
      'terms',
      { levels: [part('terms', 'a.b', { size: '20', order: 'avg_n:desc' })], metrics: [part('avg', 'n')] },
    ],
    [
      'two levels',
      { levels: [part('date_histogram', 'd', { interval: 'month' }), part('terms', 't')], metrics: [] },
    ],
    ['ranges', { levels: [part('range', 'n', { ranges: '-10, 10-20, 20-' })], metrics: [] }],
    ['ranges below zero', { levels: [part('range', 'n', { ranges: '-20..-10, -10..' })], metrics: [] }],
    [
      'ranges of dates',
      { levels: [part('date_range', 'd', { ranges: '..now-1y/d, 2020-01-01..now' })], metrics: [] },
    ],
    [
      'filters',
      { levels: [part('filters', '', { filters: 'old: y:[* TO 1900]\nnew: y:[1900 TO *]' })], metrics: [] },
    ],
    [
      'numbers alone',
      { levels: [], metrics: [part('percentiles', 'n', { percents: '50, 99.9' }), part('cardinality', 't')] },
    ],
  ];

  it.each(forms)('is the same after it was JSON: %s', (_, form) => {
    const made = jsonOf(form);
    expect('json' in made && formOf(made.json)).toEqual(form);
  });

  it('is JSON with numbers of each bucket on each level', () => {
    const form = { levels: [part('terms', 'a'), part('terms', 'b')], metrics: [part('sum', 'n')] };
    expect(jsonOf(form)).toEqual({
      json: {
        by_a: {
          terms: { field: 'a' },
          aggs: {
            by_b: { terms: { field: 'b' }, aggs: { sum_n: { sum: { field: 'n' } } } },
            sum_n: { sum: { field: 'n' } },
          },
        },
      },
    });
  });

  it('says what is missing', () => {
    expect(jsonOf({ levels: [part('terms', '')], metrics: [] })).toEqual({
      missing: 'Terms: choose a field.',
    });
    expect(jsonOf({ levels: [part('histogram', 'n')], metrics: [] })).toEqual({
      missing: 'Histogram: interval is missing.',
    });
    expect(jsonOf({ levels: [part('terms', 't', { size: 'ten' })], metrics: [] })).toMatchObject({
      missing: expect.stringContaining('ten'),
    });
  });

  it('is none where it would lose something', () => {
    expect(formOf({ a: { terms: { field: 'x', collect_mode: 'breadth_first' } } })).toBeUndefined();
    expect(formOf({ a: { top_hits: {} } })).toBeUndefined();
    expect(formOf({ a: { terms: { field: 'x' } }, b: { terms: { field: 'y' } } })).toBeUndefined();
  });
});

describe('buckets', () => {
  const filtersOf = (aggs: object, aggregations: object) =>
    resultOf(JSON.parse(JSON.stringify(aggs)), {
      aggregations: parseJson(JSON.stringify(aggregations)),
    }).group?.buckets.map(({ label, filter }) => [label, filter]);

  it('of terms keep all digits of a long', () => {
    const aggs = { a: { terms: { field: 'n' } } };
    const answer = parseJson(
      '{"aggregations":{"a":{"buckets":[{"key":9007199254740993,"doc_count":1}]}}}',
    ) as object;
    const [bucket] = resultOf(aggs, answer as never).group!.buckets;
    expect(bucket!.label).toBe('9007199254740993');
    expect(bucket!.filter).toEqual({ term: { n: new LosslessNumber('9007199254740993') } });
  });

  it('of dates end where the next begins', () => {
    const filters = filtersOf(
      { a: { date_histogram: { field: 'd', interval: 'month' } } },
      {
        a: {
          buckets: [{ key: Date.UTC(2024, 1, 1), key_as_string: '2024-02-01T00:00:00.000Z', doc_count: 3 }],
        },
      },
    );
    expect(filters).toEqual([
      ['2024-02', { range: { d: { gte: Date.UTC(2024, 1, 1), lt: Date.UTC(2024, 2, 1) } } }],
    ]);
  });

  it('of ranges, filters, cells and missing values have filters', () => {
    expect(
      filtersOf(
        { a: { range: { field: 'n' } } },
        { a: { buckets: [{ key: '*-10.0', to: 10, doc_count: 1 }] } },
      ),
    ).toEqual([['*-10.0', { range: { n: { lt: 10 } } }]]);
    expect(
      filtersOf(
        { a: { filters: { filters: { x: { term: { t: 1 } } } } } },
        { a: { buckets: { x: { doc_count: 1 } } } },
      ),
    ).toEqual([['x', { term: { t: 1 } }]]);
    expect(filtersOf({ a: { missing: { field: 'n' } } }, { a: { doc_count: 4 } })).toEqual([
      ['a', { missing: { field: 'n' } }],
    ]);
    expect(
      filtersOf({ a: { geohash_grid: { field: 'p' } } }, { a: { buckets: [{ key: 'u', doc_count: 1 }] } }),
    ).toEqual([
      [
        'u',
        { geo_bounding_box: { p: { top_left: { lat: 90, lon: 0 }, bottom_right: { lat: 45, lon: 45 } } } },
      ],
    ]);
  });

  const nested = resultOf(
    { a: { terms: { field: 'c' }, aggs: { b: { terms: { field: 't' } }, m: { stats: { field: 'n' } } } } },
    {
      hits: { total: 7 },
      aggregations: {
        a: {
          doc_count_error_upper_bound: 2,
          sum_other_doc_count: 3,
          buckets: [
            {
              key: 'x, "y"',
              doc_count: 4,
              b: { buckets: [{ key: 'q', doc_count: 4 }] },
              m: { min: 1, max: null },
            },
          ],
        },
      },
    },
  );

  it('within buckets are rows with the filters of both', () => {
    expect(nested.group).toMatchObject({ others: 3, error: 2 });
    const [row] = rowsOf(nested.group!);
    expect(row!.labels).toEqual(['x, "y"', 'q']);
    expect(row!.filters).toEqual([{ term: { c: 'x, "y"' } }, { term: { t: 'q' } }]);
  });

  it('are CSV', () => {
    expect(resultCsv(nested)).toBe('c,t,documents,m.min,m.max\r\n"x, ""y""",q,4,,\r\n');
  });

  it('beyond six are drawn together', () => {
    const inner = { kind: 'terms', name: 'b', field: 'b', others: 0, error: 0 };
    const bucket = (label: string, count: number) => ({
      label,
      key: label,
      count,
      filter: undefined,
      measures: new Map(),
      inner: undefined,
    });
    const buckets = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((label, i) => bucket(label, i));
    const group = { ...inner, buckets: [{ ...bucket('x', 21), inner: { ...inner, buckets } }] };
    expect(seriesOf(group, '')).toEqual({ labels: ['g', 'f', 'e', 'd', 'c'], hasRest: true });
    expect(linesOf(group, '', 'documents')).toBeUndefined();
  });
});

describe('scales', () => {
  it('have room for parts that are more than the whole', () => {
    const bucket = (label: string, count: number) => ({
      label,
      key: label,
      count,
      filter: undefined,
      measures: new Map(),
      inner: undefined,
    });
    const inner = { kind: 'terms', name: 'b', field: 'b', others: 0, error: 0 };
    // Three documents, each with two values.
    const whole = { ...bucket('x', 3), inner: { ...inner, buckets: [bucket('a', 3), bucket('b', 3)] } };
    expect(largest([whole], '', ['a', 'b'])).toBe(6);
    expect(largest([whole], '')).toBe(3);
  });

  it('have round ticks', () => {
    expect(ticksOf(3800)).toEqual([0, 1000, 2000, 3000, 4000]);
    expect(ticksOf(0)).toEqual([0, 1]);
  });

  it('have round intervals', () => {
    expect(roundInterval(0, 270)).toBe(10);
    expect(roundInterval(0, 1)).toBe(0.05);
    expect(roundInterval(5, 5)).toBe(1);
    expect(calendarInterval(Date.UTC(2020, 0), Date.UTC(2024, 0))).toBe('month');
    expect(calendarInterval(Date.UTC(1000, 0), Date.UTC(2024, 0))).toBe('year');
  });
});
