import { AGG_CARDINALITY, AGG_COUNT, AGG_STATS } from '../abi/aggregations';
import { Aggregation } from './aggregation';
import { STATS_BYTES } from './stats';

// Single numbers of metrics, which buckets are ordered by on a shard.

const METRIC_COUNT: u8 = 1;
const METRIC_MIN: u8 = 2;
const METRIC_MAX: u8 = 3;
const METRIC_SUM: u8 = 4;
const METRIC_AVG: u8 = 5;
const METRIC_SQUARES: u8 = 6;
const METRIC_VARIANCE: u8 = 7;
const METRIC_DEVIATION: u8 = 8;

/** A number of an aggregation for an owner; NaN where there is none. */
export function metricOf(agg: Aggregation, owner: u32, metric: u8): f64 {
  if (agg.isSingle) return owner < agg.bucketCount ? <f64>agg.counts.u32At(owner) : 0;
  const known = owner < agg.stateCount;
  if (agg.kind == AGG_COUNT) return known ? agg.state.f64At(owner) : 0;
  if (agg.kind == AGG_CARDINALITY) return known ? <f64>agg.counts.u32At(owner) : 0;
  if (agg.kind != AGG_STATS) return NaN;
  const at = agg.state.at + <usize>owner * STATS_BYTES;
  const count = known ? load<f64>(at) : 0;
  if (metric == METRIC_COUNT) return count;
  if (count == 0) {
    if (metric == METRIC_MIN) return Infinity;
    if (metric == METRIC_MAX) return -Infinity;
    return metric == METRIC_SUM || metric == METRIC_SQUARES ? 0 : NaN;
  }
  const sum = load<f64>(at, 8);
  switch (metric) {
    case METRIC_MIN:
      return load<f64>(at, 16);
    case METRIC_MAX:
      return load<f64>(at, 24);
    case METRIC_SUM:
      return sum;
    case METRIC_AVG:
      return sum / count;
    case METRIC_SQUARES:
      return load<f64>(at, 32);
    case METRIC_VARIANCE:
      return (load<f64>(at, 32) - (sum * sum) / count) / count;
    case METRIC_DEVIATION:
      return Math.sqrt((load<f64>(at, 32) - (sum * sum) / count) / count);
    default:
      return NaN;
  }
}
