/** One small valid example of everything that Elasticsearch 1.7 has a name for: what the compatibility page asks for. */

const span = { span_term: { title: 'rose' } };

/** Queries by name. */
export const queries: Record<string, unknown> = {
  match: { title: 'rose' },
  match_phrase: { title: 'the rose' },
  match_phrase_prefix: { title: 'the ro' },
  multi_match: { query: 'rose', fields: ['title', 'author'] },
  match_all: {},
  term: { title: 'rose' },
  terms: { title: ['rose', 'name'] },
  in: { title: ['rose', 'name'] },
  range: { year: { gte: 1900 } },
  prefix: { title: 'ro' },
  wildcard: { title: 'r*e' },
  regexp: { title: 'r.se' },
  fuzzy: { title: 'rase' },
  ids: { values: ['1'] },
  bool: { must: { match: { title: 'rose' } } },
  filtered: { query: { match: { title: 'rose' } }, filter: { term: { author: 'Eco' } } },
  constant_score: { filter: { term: { author: 'Eco' } } },
  dis_max: { queries: [{ match: { title: 'rose' } }, { match: { author: 'Eco' } }] },
  boosting: {
    positive: { match: { title: 'rose' } },
    negative: { match: { title: 'name' } },
    negative_boost: 0.5,
  },
  function_score: { query: { match: { title: 'rose' } } },
  query_string: { query: 'title:rose' },
  simple_query_string: { query: 'rose', fields: ['title'] },
  common: { title: { query: 'the rose', cutoff_frequency: 0.01 } },
  more_like_this: { fields: ['title'], like_text: 'rose' },
  mlt: { fields: ['title'], like_text: 'rose' },
  more_like_this_field: { title: { like_text: 'rose' } },
  fuzzy_like_this: { fields: ['title'], like_text: 'rose' },
  fuzzy_like_this_field: { title: { like_text: 'rose' } },
  nested: { path: 'title', query: { match_all: {} } },
  has_child: { type: 'x', query: { match_all: {} } },
  has_parent: { parent_type: 'x', query: { match_all: {} } },
  top_children: { type: 'x', query: { match_all: {} } },
  indices: { indices: ['books'], query: { match_all: {} } },
  span_term: { title: 'rose' },
  span_first: { match: span, end: 3 },
  span_near: { clauses: [span, span], slop: 1 },
  span_or: { clauses: [span] },
  span_not: { include: span, exclude: span },
  span_multi: { match: { prefix: { title: 'ro' } } },
  field_masking_span: { query: span, field: 'title' },
  geo_shape: { place: { shape: { type: 'point', coordinates: [0, 0] } } },
  template: { query: { match_all: {} } },
  wrapper: { query: 'eyJtYXRjaF9hbGwiOnt9fQ==' },
};

/** Filters by name. */
export const filters: Record<string, unknown> = {
  term: { author: 'Eco' },
  terms: { author: ['Eco'] },
  in: { author: ['Eco'] },
  range: { year: { gte: 1900 } },
  numeric_range: { year: { gte: 1900 } },
  bool: { must: { term: { author: 'Eco' } } },
  and: [{ term: { author: 'Eco' } }],
  or: [{ term: { author: 'Eco' } }],
  not: { term: { author: 'Eco' } },
  exists: { field: 'author' },
  missing: { field: 'author' },
  prefix: { author: 'E' },
  regexp: { author: 'E.o' },
  ids: { values: ['1'] },
  type: { value: 'book' },
  match_all: {},
  query: { match: { title: 'rose' } },
  fquery: { query: { match: { title: 'rose' } } },
  limit: { value: 10 },
  nested: { path: 'title', filter: { match_all: {} } },
  has_child: { type: 'x', query: { match_all: {} } },
  has_parent: { parent_type: 'x', query: { match_all: {} } },
  geo_distance: { distance: '1km', place: '0,0' },
  geo_distance_range: { from: '1km', to: '2km', place: '0,0' },
  geo_bounding_box: { place: { top_left: '1,0', bottom_right: '0,1' } },
  geo_bbox: { place: { top_left: '1,0', bottom_right: '0,1' } },
  geo_polygon: { place: { points: ['0,0', '0,1', '1,1'] } },
  geo_shape: { place: { shape: { type: 'point', coordinates: [0, 0] } } },
  geohash_cell: { cell: { lat: 0, lon: 0 }, precision: 3 },
  script: { script: '1 == 1' },
  indices: { indices: ['books'], filter: { match_all: {} } },
};

/** Field types of a mapping. */
export const fieldTypes = [
  'string',
  'long',
  'integer',
  'short',
  'byte',
  'double',
  'float',
  'date',
  'boolean',
  'object',
  'ip',
  'binary',
  'token_count',
  'geo_point',
  'geo_shape',
  'nested',
  'completion',
  'murmur3',
  'multi_field',
];

/** Parts of a search body. */
export const searchParts: Record<string, unknown> = {
  query: { match_all: {} },
  from: 0,
  size: 1,
  post_filter: { term: { author: 'Eco' } },
  filter: { term: { author: 'Eco' } },
  _source: ['title'],
  sort: ['year'],
  fields: ['title'],
  aggs: { authors: { terms: { field: 'author' } } },
  aggregations: { authors: { terms: { field: 'author' } } },
  facets: { authors: { terms: { field: 'author' } } },
  highlight: { fields: { title: {} } },
  suggest: { s: { text: 'rose', term: { field: 'title' } } },
  rescore: { query: { rescore_query: { match_all: {} } } },
  min_score: 0.1,
  explain: true,
  version: true,
  timeout: '1s',
  terminate_after: 1,
  stats: ['a'],
  track_scores: true,
  script_fields: { a: { script: '1' } },
  fielddata_fields: ['author'],
  partial_fields: { a: { include: 'title' } },
  indices_boost: { books: 2 },
};

/** Parameters of a search with a value. */
export const parameters: Record<string, string> = {
  from: '0',
  size: '1',
  routing: '1',
  preference: '_local',
  search_type: 'count',
  timeout: '1s',
  version: 'true',
  _source: 'title',
  _source_include: 'title',
  _source_exclude: 'title',
  ignore_unavailable: 'true',
  allow_no_indices: 'true',
  expand_wildcards: 'open',
  pretty: 'true',
  q: 'rose',
  sort: 'year',
  fields: 'title',
  fielddata_fields: 'author',
  scroll: '1m',
  explain: 'true',
  suggest_field: 'title',
  terminate_after: '1',
};

type Request = readonly [method: string, uri: string, body?: unknown];

const search = (query: unknown): Request => ['POST', '/books/_search', { query }];
const filter = (body: unknown): Request => search({ filtered: { filter: body } });
const mapping = (type: unknown): Request => ['PUT', '/books/_mapping/other', { other: type }];
const field = (definition: unknown): Request => mapping({ properties: { f: definition } });

/** Parts of what works that don't, with requests that are refused for them. */
export const inside: readonly (readonly [what: string, ...requests: Request[]])[] = [
  [
    '`format` of `range`, a `terms` filter that looks its terms up',
    search({ range: { year: { gte: 1, format: 'yyyy' } } }),
    filter({ terms: { title: { index: 'books', id: '1', path: 'title' } } }),
  ],
  [
    'searching `_routing`, `_parent`, `_timestamp`, `_ttl`, `_size` or `_index`',
    ...['_routing', '_parent', '_timestamp', '_ttl', '_size', '_index'].map((name) =>
      search({ term: { [name]: 'x' } }),
    ),
  ],
  [
    '`_parent`, `_timestamp` and `_ttl` of a mapping',
    mapping({ _parent: { type: 'book' } }),
    mapping({ _timestamp: { enabled: true } }),
    mapping({ _ttl: { enabled: true } }),
  ],
  ['a boost inside a document', ['PUT', '/books/book/2', { title: { value: 'x', boost: 2 } }]],
];
