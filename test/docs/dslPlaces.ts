/** The places of a search body whose parameters are asked for, each with a body around it that is right as it stands. */
import { filters, queries } from './examples.js';

/** A place: `around` gives the body of a search in which `inside` stands there. */
export interface Place {
  name: string;
  inside: Readonly<Record<string, unknown>>;
  around: (inside: object) => object;
}

type Fields = Readonly<Record<string, unknown>>;

const MATCH_ALL = { match_all: {} };
const ORIGIN = { origin: 1990, scale: 10 };

/** Queries below the name of a field: their options, where the example has the short form. */
const OF_FIELDS: Readonly<Record<string, Fields>> = {
  match: { query: 'rose' },
  match_phrase: { query: 'rose' },
  match_phrase_prefix: { query: 'rose' },
  term: { value: 'rose' },
  range: { gte: 1900 },
  prefix: { value: 'ro' },
  wildcard: { value: 'r*e' },
  regexp: { value: 'r.se' },
  fuzzy: { value: 'rase' },
  common: { query: 'the rose', cutoff_frequency: 0.01 },
  more_like_this_field: { like_text: 'rose' },
  fuzzy_like_this_field: { like_text: 'rose' },
  span_term: { value: 'rose' },
  geo_shape: { shape: { type: 'point', coordinates: [0, 0] } },
};

/** Names that are others' names. */
const SECOND_NAMES = new Set(['mlt', 'geo_bbox', 'in', 'numeric_range']);

const queryPlaces: Place[] = Object.entries(queries).flatMap(([name, example]): Place[] => {
  if (SECOND_NAMES.has(name)) return [];
  const field = name === 'range' ? 'year' : name === 'geo_shape' ? 'area' : 'title';
  const options = OF_FIELDS[name];
  if (options !== undefined)
    return [
      {
        name: `query/${name}/*`,
        inside: options,
        around: (inside) => ({ query: { [name]: { [field]: inside } } }),
      },
    ];
  return [
    {
      name: `query/${name}`,
      inside: example as Fields,
      around: (inside) => ({ query: { [name]: inside } }),
    },
  ];
});

/** Filters whose options stand below the name of a field too. */
const FILTERS_OF_FIELDS: Readonly<Record<string, readonly [string, Fields]>> = {
  range: ['year', { gte: 1900 }],
  regexp: ['author', { value: 'E.o' }],
  geo_shape: ['area', { shape: { type: 'point', coordinates: [0, 0] } }],
  geo_bounding_box: ['place', { top_left: '1,0', bottom_right: '0,1' }],
  geo_polygon: ['place', { points: ['0,0', '0,1', '1,1'] }],
};

/** Filters that may be written as an object with a list. */
const LISTS: Readonly<Record<string, Fields>> = {
  and: { filters: [{ term: { author: 'Eco' } }] },
  or: { filters: [{ term: { author: 'Eco' } }] },
  not: { filter: { term: { author: 'Eco' } } },
};

const filterPlaces: Place[] = Object.entries(filters).flatMap(([name, example]): Place[] => {
  if (SECOND_NAMES.has(name) || name === 'query') return [];
  const around = (inside: object) => ({ query: { filtered: { filter: { [name]: inside } } } });
  const whole = { name: `filter/${name}`, inside: LISTS[name] ?? (example as Fields), around };
  const [field, options] = FILTERS_OF_FIELDS[name] ?? [];
  if (field === undefined) return [whole];
  const { [field]: _, ...beside } = example as Record<string, unknown>;
  const below = (inside: object) => around({ ...beside, [field]: inside });
  return [whole, { name: `filter/${name}/*`, inside: options!, around: below }];
});

/** One right body of each aggregation. */
export const AGGREGATIONS: Readonly<Record<string, Fields>> = {
  terms: { field: 'author' },
  significant_terms: { field: 'author' },
  range: { field: 'year', ranges: [{ to: 1900 }] },
  date_range: { field: 'date', ranges: [{ to: 'now' }] },
  ip_range: { field: 'ip', ranges: [{ mask: '10.0.0.0/8' }] },
  geo_distance: { field: 'place', origin: '0,0', ranges: [{ to: 10 }] },
  histogram: { field: 'year', interval: 10 },
  date_histogram: { field: 'date', interval: 'year' },
  geohash_grid: { field: 'place' },
  filter: MATCH_ALL,
  filters: { filters: { all: MATCH_ALL } },
  missing: { field: 'author' },
  global: {},
  min: { field: 'year' },
  max: { field: 'year' },
  sum: { field: 'year' },
  avg: { field: 'year' },
  stats: { field: 'year' },
  extended_stats: { field: 'year' },
  value_count: { field: 'year' },
  cardinality: { field: 'author' },
  percentiles: { field: 'year' },
  percentile_ranks: { field: 'year', values: [1900] },
  geo_bounds: { field: 'place' },
  top_hits: {},
  scripted_metric: { map_script: '1' },
  nested: { path: 'loans' },
  reverse_nested: {},
  children: { type: 'review' },
};

const aggregation = (type: string, inside: object) => {
  const own = { a: { [type]: inside } };
  return { aggs: type === 'reverse_nested' ? { n: { nested: { path: 'loans' }, aggs: own } } : own };
};

const aggregationPlaces: Place[] = Object.entries(AGGREGATIONS)
  .filter(([type]) => type !== 'filter')
  .map(([type, inside]) => ({
    name: `aggregation/${type}`,
    inside,
    around: (given: object) => aggregation(type, given),
  }));

const rangesOf = (type: 'range' | 'date_range' | 'ip_range' | 'geo_distance', range: Fields): Place => ({
  name: `aggregation/${type}/ranges`,
  inside: range,
  around: (inside) => aggregation(type, { ...AGGREGATIONS[type], ranges: [inside] }),
});

/** The bodies of suggesters. */
export const SUGGESTERS: Readonly<Record<string, Fields>> = {
  term: { field: 'title' },
  phrase: { field: 'title' },
  completion: { field: 'completed' },
};

const suggest = (type: string, inside: object) => ({ suggest: { s: { text: 'rose', [type]: inside } } });
const scored = (inside: object) => ({ query: { function_score: { functions: [inside] } } });
const decay = (name: 'gauss' | 'exp' | 'linear'): Place => ({
  name: `function/${name}/*`,
  inside: ORIGIN,
  around: (inside) => scored({ [name]: { year: inside } }),
});
const inner = (inside: object) => ({
  query: { nested: { path: 'loans', query: MATCH_ALL, inner_hits: inside } },
});

export const PLACES: readonly Place[] = [
  { name: 'search', inside: {}, around: (inside) => inside },
  ...queryPlaces,
  ...filterPlaces,
  ...aggregationPlaces,
  rangesOf('range', { to: 1900 }),
  rangesOf('date_range', { to: 'now' }),
  rangesOf('ip_range', { mask: '10.0.0.0/8' }),
  rangesOf('geo_distance', { to: 10 }),
  { name: 'function', inside: { weight: 2 }, around: scored },
  {
    name: 'function/field_value_factor',
    inside: { field: 'year' },
    around: (inside) => scored({ field_value_factor: inside }),
  },
  { name: 'function/random_score', inside: {}, around: (inside) => scored({ random_score: inside }) },
  {
    name: 'function/script_score',
    inside: { script: '1', lang: 'expression' },
    around: (inside) => scored({ script_score: inside }),
  },
  decay('gauss'),
  decay('exp'),
  decay('linear'),
  { name: 'inner_hits', inside: {}, around: inner },
  { name: 'sort/*', inside: { order: 'asc' }, around: (inside) => ({ sort: [{ year: inside }] }) },
  {
    name: 'sort/_geo_distance',
    inside: { place: '0,0' },
    around: (inside) => ({ sort: [{ _geo_distance: inside }] }),
  },
  {
    name: 'sort/_script',
    inside: { script: '1', lang: 'expression', type: 'number' },
    around: (inside) => ({ sort: [{ _script: inside }] }),
  },
  { name: 'source', inside: {}, around: (inside) => ({ _source: inside }) },
  {
    name: 'highlight',
    inside: { fields: { title: {} } },
    around: (inside) => ({ highlight: inside }),
  },
  {
    name: 'highlight/fields/*',
    inside: {},
    around: (inside) => ({ highlight: { fields: { title: inside } } }),
  },
  {
    name: 'suggestion',
    inside: { text: 'rose', term: { field: 'title' } },
    around: (inside) => ({ suggest: { s: inside } }),
  },
  ...Object.entries(SUGGESTERS).map(([type, inside]) => ({
    name: `suggester/${type}`,
    inside,
    around: (given: object) => suggest(type, given),
  })),
  {
    name: 'suggester/phrase/direct_generator',
    inside: { field: 'title' },
    around: (inside) => suggest('phrase', { field: 'title', direct_generator: [inside] }),
  },
  {
    name: 'suggester/phrase/highlight',
    inside: { pre_tag: '<b>', post_tag: '</b>' },
    around: (inside) => suggest('phrase', { field: 'title', highlight: inside }),
  },
  {
    name: 'suggester/completion/fuzzy',
    inside: {},
    around: (inside) => suggest('completion', { field: 'completed', fuzzy: inside }),
  },
  {
    name: 'rescore',
    inside: { window_size: 10, query: { rescore_query: MATCH_ALL } },
    around: (inside) => ({ rescore: inside }),
  },
  {
    name: 'rescore/query',
    inside: { rescore_query: MATCH_ALL },
    around: (inside) => ({ rescore: { query: inside } }),
  },
];
