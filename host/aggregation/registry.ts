/** The aggregations by name. */

import { ElasticsearchError } from '../errors.js';
import type { JsonObject } from '../json/values.js';
import type { Aggregation } from './aggregation.js';
import { type AggregationContext, malformed, readKeys, scriptsDisabled, VALUES } from './body.js';
import { cardinalityAggregation } from './cardinality.js';
import { childrenAggregation } from './children.js';
import { DISTANCES, distancesAggregation } from './distances.js';
import { FIRST_NUMBERS, firstNumbersAggregation } from './firstNumbers.js';
import { boundsAggregation, gridAggregation } from './geo.js';
import { dateHistogramAggregation, histogramAggregation } from './histogram.js';
import { nestedAggregation, reverseNestedAggregation } from './nested.js';
import { percentileRanksAggregation, percentilesAggregation } from './percentiles.js';
import { dateRangeAggregation, distanceAggregation, ipRangeAggregation, rangeAggregation } from './ranges.js';
import { significantTermsAggregation } from './significantTerms.js';
import {
  filterAggregation,
  filtersAggregation,
  globalAggregation,
  missingAggregation,
  nowhere,
} from './singles.js';
import {
  avgAggregation,
  extendedStatsAggregation,
  maxAggregation,
  minAggregation,
  statsAggregation,
  sumAggregation,
  valueCountAggregation,
} from './stats.js';
import { termsAggregation } from './terms.js';
import { topHitsAggregation } from './topHits.js';

export type AggregationParser = (name: string, body: JsonObject, context: AggregationContext) => Aggregation;

const parsers: Record<string, AggregationParser | undefined> = {
  terms: termsAggregation,
  significant_terms: significantTermsAggregation,
  range: rangeAggregation,
  date_range: dateRangeAggregation,
  ip_range: ipRangeAggregation,
  geo_distance: distanceAggregation,
  [DISTANCES]: distancesAggregation,
  [FIRST_NUMBERS]: firstNumbersAggregation,
  histogram: histogramAggregation,
  date_histogram: dateHistogramAggregation,
  geohash_grid: gridAggregation,
  filter: filterAggregation,
  filters: filtersAggregation,
  missing: missingAggregation,
  global: globalAggregation,
  min: minAggregation,
  max: maxAggregation,
  sum: sumAggregation,
  avg: avgAggregation,
  stats: statsAggregation,
  extended_stats: extendedStatsAggregation,
  value_count: valueCountAggregation,
  cardinality: cardinalityAggregation,
  percentiles: percentilesAggregation,
  percentile_ranks: percentileRanksAggregation,
  geo_bounds: boundsAggregation,
  top_hits: topHitsAggregation,
  scripted_metric: scriptedMetric,
  nested: nestedAggregation,
  reverse_nested: reverseNestedAggregation,
  children: childrenAggregation,
};

/** Scripts are disabled, which 1.7 finds out when a search begins. */
function scriptedMetric(name: string, body: JsonObject, context: AggregationContext): Aggregation {
  readKeys(
    name,
    body,
    (_, token, key) => {
      if (token === 'START_OBJECT') return /^(params|reduce_params|reduceParams)$/.test(key);
      return token === 'VALUE_STRING' && /^(lang|(init|map|combine|reduce)_script(_file|_id)?)$/.test(key);
    },
    [...VALUES, 'START_OBJECT'],
  );
  if (['', '_file', '_id'].every((suffix) => body[`map_script${suffix}`] === undefined))
    throw malformed(`map_script field is required in [${name}].`);
  const { exception, detail } = scriptsDisabled();
  context.failure ??= new ElasticsearchError(exception, detail);
  return nowhere(name, context);
}

/** The parser of a type; `name` is the aggregation's. */
export function typeOf(type: string, name: string): AggregationParser {
  const parser = Object.hasOwn(parsers, type) ? parsers[type] : undefined;
  if (parser !== undefined) return parser;
  throw malformed(`Could not find aggregator type [${type}] in [${name}]`);
}
