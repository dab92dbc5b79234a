/**
 * The queries and filters that most searches are made of. The others (kinds.ts) are a part of the host for themselves, known by their names.
 */
import { LatePart } from '../latePart.js';
import { andOrFilter, notFilter } from './compound/andOrNot.js';
import { boolFilter, boolQuery } from './compound/bool.js';
import { constantScoreQuery } from './compound/constantScore.js';
import { disMaxQuery } from './compound/disMax.js';
import { filteredQuery } from './compound/filtered.js';
import { matchAllFilter, matchAllQuery } from './compound/matchAll.js';
import { queryFilter } from './compound/queryFilter.js';
import type { FilterKind, QueryKind } from './context.js';
import { matchQuery } from './fulltext/match.js';
import { multiMatchQuery } from './fulltext/multiMatch.js';
import { existsFilter, missingFilter } from './term/existenceFilters.js';
import { idsFilter, idsQuery } from './term/ids.js';
import { prefixFilter } from './term/patternFilters.js';
import { fuzzyQuery, prefixQuery, wildcardQuery } from './term/patterns.js';
import { rangeQuery } from './term/range.js';
import { rangeFilter } from './term/rangeFilters.js';
import { termFilter, termQuery } from './term/term.js';
import { termsFilter, termsQuery } from './term/terms.js';
import { typeFilter } from './term/type.js';

const queries = byName<QueryKind>([
  boolQuery,
  constantScoreQuery,
  disMaxQuery,
  filteredQuery,
  fuzzyQuery,
  idsQuery,
  matchAllQuery,
  matchQuery,
  multiMatchQuery,
  prefixQuery,
  rangeQuery,
  termQuery,
  termsQuery,
  wildcardQuery,
]);
const filters = byName<FilterKind>([
  andOrFilter,
  boolFilter,
  existsFilter,
  idsFilter,
  matchAllFilter,
  missingFilter,
  notFilter,
  prefixFilter,
  queryFilter,
  rangeFilter,
  termFilter,
  termsFilter,
  typeFilter,
]);

/** The names of all others. */
export const RARE_NAMES: readonly string[] = (
  'boosting common function_score functionScore fuzzy_like_this_field fuzzyLikeThisField flt_field fltField fuzzy_like_this ' +
  'fuzzyLikeThis flt geo_shape geoShape has_child hasChild has_parent hasParent indices more_like_this_field moreLikeThisField ' +
  'mlt_field more_like_this moreLikeThis mlt nested query_string queryString regexp simple_query_string simpleQueryString ' +
  'span_first spanFirst field_masking_span fieldMaskingSpan span_multi spanMulti span_near spanNear span_not spanNot span_or ' +
  'spanOr span_term spanTerm template top_children topChildren wrapper fquery geo_bounding_box geoBoundingBox geo_bbox geoBbox ' +
  'geo_distance geoDistance geo_distance_range geoDistanceRange geo_polygon geoPolygon geohash_cell geohashCell limit ' +
  'numeric_range numericRange script'
).split(' ');
const rare = new Set(RARE_NAMES);

/** A search may be asked for by a parameter alone, which is a query_string. */
export const kinds = new LatePart(
  'queries and filters',
  [...RARE_NAMES, '[?&]q='],
  () => import('./kinds.js'),
);

/** Whether one of the others may have a name. */
const isThere = (name: string): boolean => kinds.isLoaded || rare.has(name);

function byName<K extends { names: readonly string[] }>(list: readonly K[]): ReadonlyMap<string, K> {
  return new Map(list.flatMap((kind) => kind.names.map((name) => [name, kind] as const)));
}

/** The kind of query of a name in JSON. */
export function queryKind(name: string): QueryKind | undefined {
  return queries.get(name) ?? (isThere(name) ? kinds.loaded.queryKind(name) : undefined);
}

/** The kind of filter of a name in JSON. */
export function filterKind(name: string): FilterKind | undefined {
  return filters.get(name) ?? (isThere(name) ? kinds.loaded.filterKind(name) : undefined);
}
