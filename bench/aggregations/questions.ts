import { CENTRE } from '../place.js';

/** A search over all documents, what it is called, and how fast it must be. */
export interface Question {
  readonly name: string;
  readonly body: Record<string, unknown>;
  /** Most milliseconds for a million documents. */
  readonly most?: number;
  /** Least million documents a second. */
  readonly least?: number;
}

const within = {
  filtered: {
    filter: { geo_distance: { distance: '500km', place: CENTRE, _cache: false, optimize_bbox: 'none' } },
  },
};
const rings = {
  geo_distance: {
    field: 'place',
    origin: CENTRE,
    unit: 'km',
    ranges: [{ to: 100 }, { from: 100, to: 200 }, { from: 200, to: 350 }, { from: 350 }],
  },
};

function aggregate(name: string, aggregation: unknown, target: Partial<Question> = {}): Question {
  return { name, body: { size: 0, aggs: { a: aggregation } }, ...target };
}

/** Sorts and aggregations; what has a target comes first. */
export const questions: readonly Question[] = [
  aggregate('terms, 1,000 keywords', { terms: { field: 'page' } }, { most: 6 }),
  aggregate(
    'date_histogram by day, times in any order',
    { date_histogram: { field: 'at', interval: 'day' } },
    { most: 6 },
  ),
  aggregate(
    'date_histogram by day, times that ascend',
    { date_histogram: { field: 'logged', interval: 'day' } },
    { most: 6 },
  ),
  { name: 'geo_distance filter, all match', body: { size: 0, query: within }, least: 150 },
  aggregate('geo_distance, four rings', rings, { least: 60 }),
  { name: 'geo_distance filter and four rings', body: { size: 0, query: within, aggs: { a: rings } } },
  { name: 'top 10 by a long', body: { sort: { bytes: 'desc' } }, most: 5 },
  { name: 'top 10 by a time that ascends, downwards', body: { sort: { logged: 'desc' } }, most: 5 },
  { name: 'top 10 by a keyword and a long', body: { sort: [{ page: 'asc' }, { bytes: 'asc' }] } },
  { name: 'top 10 by distance', body: { sort: { _geo_distance: { place: CENTRE, unit: 'km' } } } },
  {
    name: 'top 10 by distance, the farthest',
    body: { sort: { _geo_distance: { place: CENTRE, order: 'desc' } } },
  },
  aggregate('date_histogram by month, a time zone', {
    date_histogram: { field: 'at', interval: 'month', time_zone: 'Europe/Prague' },
  }),
  aggregate('terms, several values, 50 keywords', { terms: { field: 'tags' } }),
  aggregate('terms by a whole number with many values', { terms: { field: 'bytes' } }),
  aggregate('histogram of a fraction', { histogram: { field: 'price', interval: 50 } }),
  aggregate('range of a fraction, three ranges', {
    range: { field: 'price', ranges: [{ to: 100 }, { from: 100, to: 500 }, { from: 500 }] },
  }),
  aggregate('filters, two', {
    filters: { filters: [{ term: { host: 'host-1' } }, { range: { price: { gte: 500 } } }] },
  }),
  aggregate('geohash_grid, precision 5', { geohash_grid: { field: 'place', precision: 5 } }),
  aggregate('stats of a fraction', { stats: { field: 'price' } }),
  aggregate('cardinality of 1,000 keywords', { cardinality: { field: 'page' } }),
  aggregate('cardinality of a million numbers', { cardinality: { field: 'bytes' } }),
  aggregate('percentiles of a fraction', { percentiles: { field: 'price' } }),
  aggregate('geo_bounds', { geo_bounds: { field: 'place' } }),
  aggregate('terms, 20 hosts, each with stats', {
    terms: { field: 'host' },
    aggs: { s: { stats: { field: 'price' } } },
  }),
  aggregate('terms, 20 hosts, each by day', {
    terms: { field: 'host' },
    aggs: { d: { date_histogram: { field: 'at', interval: 'day' } } },
  }),
  aggregate('terms, 1,000 pages, ordered by an average', {
    terms: { field: 'page', order: { p: 'desc' } },
    aggs: { p: { avg: { field: 'price' } } },
  }),
  aggregate('significant_terms', { significant_terms: { field: 'page' } }),
];
