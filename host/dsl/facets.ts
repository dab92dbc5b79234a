/** The facets of older versions, which aggregations replace. */

import { type ElasticsearchError, illegalArgument } from '../errors.js';
import { isObject } from '../mapping/values.js';

/** What replaces the facets of older versions. */
const INSTEAD: Record<string, string> = {
  terms: 'terms',
  terms_stats: 'terms] with [stats',
  range: 'range',
  histogram: 'histogram',
  date_histogram: 'date_histogram',
  filter: 'filter',
  query: 'filter',
  statistical: 'extended_stats',
  geo_distance: 'geo_distance',
};

/** 400: facets; names the aggregation to use. */
export function facetsRefused(json: unknown): ElasticsearchError {
  const [first] = isObject(json) ? Object.values(json) : [];
  const kind = isObject(first) ? Object.keys(first).find((key) => INSTEAD[key] !== undefined) : undefined;
  const instead = kind === undefined ? '' : `, such as [${INSTEAD[kind]}] for the facet [${kind}]`;
  return illegalArgument(`[facets] of a search is not offered yet, use [aggregations]${instead}`);
}
