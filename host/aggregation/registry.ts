/** The aggregations by name. */

import type { JsonObject } from '../json/values.js';
import type { Reach } from '../query/reach.js';
import type { Aggregation } from './aggregation.js';
import { type AggregationContext, malformed } from './body.js';
import { cardinalityAggregation } from './cardinality.js';
import { childrenAggregation } from './children.js';
import { DISTANCES, distancesAggregation } from './distances.js';
import { FIRST_NUMBERS, firstNumbersAggregation } from './firstNumbers.js';
import { boundsAggregation, gridAggregation } from './geo.js';
import { dateHistogramAggregation, histogramAggregation } from './histogram.js';
import { missingAggregation } from './missing.js';
import { nestedAggregation, reverseNestedAggregation } from './nested.js';
import { percentileRanksAggregation, percentilesAggregation } from './percentiles.js';
import { dateRangeAggregation, distanceAggregation, ipRangeAggregation, rangeAggregation } from './ranges.js';
import { scriptedMetricAggregation } from './scriptedMetric.js';
import { significantTermsAggregation } from './significantTerms.js';
import { filterAggregation, filtersAggregation, globalAggregation } from './singles.js';
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

/** A type of aggregation: how its body is read, and what it may tell of beside the documents that are aggregated. */
export interface AggregationKind {
  readonly read: AggregationParser;
  readonly reach: Reach;
}

/** The types by name. Those over values may make them by scripts. What is aggregated below one says for itself what it tells of. */
export const AGGREGATION_KINDS: Readonly<Record<string, AggregationKind>> = {
  terms: { read: termsAggregation, reach: 'scripts' },
  // Of its background, all documents of the index.
  significant_terms: { read: significantTermsAggregation, reach: 'index' },
  range: { read: rangeAggregation, reach: 'scripts' },
  date_range: { read: dateRangeAggregation, reach: 'scripts' },
  ip_range: { read: ipRangeAggregation, reach: 'scripts' },
  geo_distance: { read: distanceAggregation, reach: 'scripts' },
  [DISTANCES]: { read: distancesAggregation, reach: 'scripts' },
  [FIRST_NUMBERS]: { read: firstNumbersAggregation, reach: 'scripts' },
  histogram: { read: histogramAggregation, reach: 'scripts' },
  date_histogram: { read: dateHistogramAggregation, reach: 'scripts' },
  geohash_grid: { read: gridAggregation, reach: 'scripts' },
  filter: { read: filterAggregation, reach: 'found' },
  filters: { read: filtersAggregation, reach: 'found' },
  missing: { read: missingAggregation, reach: 'scripts' },
  global: { read: globalAggregation, reach: 'found' },
  min: { read: minAggregation, reach: 'scripts' },
  max: { read: maxAggregation, reach: 'scripts' },
  sum: { read: sumAggregation, reach: 'scripts' },
  avg: { read: avgAggregation, reach: 'scripts' },
  stats: { read: statsAggregation, reach: 'scripts' },
  extended_stats: { read: extendedStatsAggregation, reach: 'scripts' },
  value_count: { read: valueCountAggregation, reach: 'scripts' },
  cardinality: { read: cardinalityAggregation, reach: 'scripts' },
  percentiles: { read: percentilesAggregation, reach: 'scripts' },
  percentile_ranks: { read: percentileRanksAggregation, reach: 'scripts' },
  geo_bounds: { read: boundsAggregation, reach: 'scripts' },
  top_hits: { read: topHitsAggregation, reach: 'found' },
  scripted_metric: { read: scriptedMetricAggregation, reach: 'scripts' },
  nested: { read: nestedAggregation, reach: 'found' },
  reverse_nested: { read: reverseNestedAggregation, reach: 'found' },
  children: { read: childrenAggregation, reach: 'index' },
};

/** A type; `name` is the aggregation's. */
export function kindOf(type: string, name: string): AggregationKind {
  const kind = Object.hasOwn(AGGREGATION_KINDS, type) ? AGGREGATION_KINDS[type] : undefined;
  if (kind !== undefined) return kind;
  throw malformed(`Could not find aggregator type [${type}] in [${name}]`);
}
