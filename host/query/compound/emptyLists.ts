/** What 1.7 makes of `[]` where a query or filter has its options: its parser goes on past the list, each kind in its own way. */

import { ElasticsearchError, parseFailure, queryParsing } from '../../errors.js';

const QUERIES: Readonly<Record<string, string>> = {
  span_first: '[span_first] query does not support [null]',
  span_near: '[span_near] query does not support [null]',
  span_not: '[span_not] query does not support [null]',
  span_or: '[span_or] query does not support [null]',
  terms: '[terms] query does not support [null]',
  in: '[terms] query does not support [null]',
};

const FILTERS: Readonly<Record<string, string>> = {
  geo_distance: "geo_distance requires 'distance' to be specified",
  geo_polygon: '[geo_polygon] unexpected token type [END_ARRAY]',
  limit: 'No value specified for limit filter',
  script: 'script must be provided with a [script] filter',
  geo_shape: 'No Shape defined',
  indices: "[indices] requires 'filter' element",
};

/** Those that end with an exception of Java. */
const CRASHING = new Set(['template', 'geo_bounding_box', 'geo_bbox', 'geo_distance_range', 'regexp']);

/** 400: the query of that name has an empty list; undefined where that is the same as no options. */
export function emptyQuery(name: string, index: string): ElasticsearchError | undefined {
  if (name === 'template') return crash();
  return Object.hasOwn(QUERIES, name) ? queryParsing(index, QUERIES[name]!) : undefined;
}

/** 400: the same of a filter. */
export function emptyFilter(name: string, index: string): ElasticsearchError | undefined {
  if (name === 'geohash_cell') return parseFailure('geohash_cell must be an object');
  if (CRASHING.has(name)) return crash();
  return Object.hasOwn(FILTERS, name) ? queryParsing(index, FILTERS[name]!) : undefined;
}

function crash(): ElasticsearchError {
  return new ElasticsearchError('NullPointerException', null, { status: 400 });
}
