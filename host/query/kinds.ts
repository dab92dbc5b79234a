/** The registry of queries and filters. Each kind says in its own file how it is read, and what it may tell of. */

import { andOrFilter, notFilter } from './compound/andOrNot.js';
import { boolFilter, boolQuery } from './compound/bool.js';
import { boostingQuery } from './compound/boosting.js';
import { constantScoreQuery } from './compound/constantScore.js';
import { disMaxQuery } from './compound/disMax.js';
import { filteredQuery } from './compound/filtered.js';
import { functionScoreQuery } from './compound/functionScore.js';
import { indicesFilter, indicesQuery } from './compound/indices.js';
import { limitFilter } from './compound/limit.js';
import { matchAllFilter, matchAllQuery } from './compound/matchAll.js';
import { fqueryFilter, queryFilter } from './compound/queryFilter.js';
import { scriptFilter } from './compound/script.js';
import { templateQuery, wrapperFilter, wrapperQuery } from './compound/wrapped.js';
import type { FilterKind, QueryKind } from './context.js';
import { commonQuery } from './fulltext/common.js';
import { fuzzyLikeThisFieldQuery, fuzzyLikeThisQuery } from './fulltext/fuzzyLikeThis.js';
import { matchQuery } from './fulltext/match.js';
import { moreLikeThisFieldQuery, moreLikeThisQuery } from './fulltext/moreLikeThis.js';
import { multiMatchQuery } from './fulltext/multiMatch.js';
import { queryStringQuery } from './fulltext/queryString.js';
import { simpleQueryStringQuery } from './fulltext/simpleQueryString.js';
import { geoBoundingBoxFilter } from './geo/geoBoundingBox.js';
import { geoDistanceFilter } from './geo/geoDistance.js';
import { geoDistanceRangeFilter } from './geo/geoDistanceRange.js';
import { geohashCellFilter } from './geo/geohashCell.js';
import { geoPolygonFilter } from './geo/geoPolygon.js';
import { geoShapeFilter, geoShapeQuery } from './geo/geoShape.js';
import { nestedFilter, nestedQuery } from './joining/nested.js';
import {
  hasChildFilter,
  hasChildQuery,
  hasParentFilter,
  hasParentQuery,
  topChildrenQuery,
} from './joining/parentChild.js';
import {
  spanFirstQuery,
  spanMaskQuery,
  spanMultiQuery,
  spanNearQuery,
  spanNotQuery,
  spanOrQuery,
  spanTermQuery,
} from './span/spans.js';
import { existsFilter, missingFilter } from './term/existenceFilters.js';
import { idsFilter, idsQuery } from './term/ids.js';
import { prefixFilter, regexpFilter } from './term/patternFilters.js';
import { fuzzyQuery, prefixQuery, regexpQuery, wildcardQuery } from './term/patterns.js';
import { rangeQuery } from './term/range.js';
import { numericRangeFilter, rangeFilter } from './term/rangeFilters.js';
import { termFilter, termQuery } from './term/term.js';
import { termsFilter, termsQuery } from './term/terms.js';
import { typeFilter } from './term/type.js';

/** The queries. What stands inside one says for itself what it may tell of. */
export const QUERY_KINDS: readonly QueryKind[] = [
  boolQuery,
  boostingQuery,
  commonQuery,
  constantScoreQuery,
  disMaxQuery,
  filteredQuery,
  functionScoreQuery,
  fuzzyLikeThisFieldQuery,
  fuzzyLikeThisQuery,
  fuzzyQuery,
  geoShapeQuery,
  hasChildQuery,
  hasParentQuery,
  idsQuery,
  indicesQuery,
  matchAllQuery,
  matchQuery,
  moreLikeThisFieldQuery,
  moreLikeThisQuery,
  multiMatchQuery,
  nestedQuery,
  prefixQuery,
  queryStringQuery,
  rangeQuery,
  regexpQuery,
  simpleQueryStringQuery,
  spanFirstQuery,
  spanMaskQuery,
  spanMultiQuery,
  spanNearQuery,
  spanNotQuery,
  spanOrQuery,
  spanTermQuery,
  templateQuery,
  termQuery,
  termsQuery,
  topChildrenQuery,
  wildcardQuery,
  wrapperQuery,
];

/** The filters. */
export const FILTER_KINDS: readonly FilterKind[] = [
  andOrFilter,
  boolFilter,
  existsFilter,
  fqueryFilter,
  geoBoundingBoxFilter,
  geoDistanceFilter,
  geoDistanceRangeFilter,
  geoPolygonFilter,
  geoShapeFilter,
  geohashCellFilter,
  hasChildFilter,
  hasParentFilter,
  idsFilter,
  indicesFilter,
  limitFilter,
  matchAllFilter,
  missingFilter,
  nestedFilter,
  notFilter,
  numericRangeFilter,
  prefixFilter,
  queryFilter,
  rangeFilter,
  regexpFilter,
  scriptFilter,
  termFilter,
  termsFilter,
  typeFilter,
  wrapperFilter,
];

const queries = byName(QUERY_KINDS);
const filters = byName(FILTER_KINDS);

function byName<K extends { names: readonly string[] }>(kinds: readonly K[]): ReadonlyMap<string, K> {
  return new Map(kinds.flatMap((kind) => kind.names.map((name) => [name, kind] as const)));
}

/** The kind of query of a name in JSON. */
export function queryKind(name: string): QueryKind | undefined {
  return queries.get(name);
}

/** The kind of filter of a name in JSON. */
export function filterKind(name: string): FilterKind | undefined {
  return filters.get(name);
}
