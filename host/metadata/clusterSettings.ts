/** The settings of the cluster that can be changed. */
import {
  any,
  boolean,
  bytes,
  type Check,
  checkOf,
  type DynamicSettings,
  float,
  integer,
  memory,
  nonNegativeDouble,
  nonNegativeFloat,
  nonNegativeTime,
  positive,
  time,
} from '../settings/settingChecks.js';
import type { FlatSettings } from '../settings/indexSettings.js';

const ALLOCATION = 'cluster.routing.allocation';
const REBALANCE = ['always', 'indices_primaries_active', 'indices_all_active'];

const rebalance: Check = (value, key) =>
  REBALANCE.includes(value.toLowerCase())
    ? undefined
    : `the value of ${key} must be one of: [${REBALANCE.join(', ')}]`;

/** There is one node. */
const masters: Check = (value, key) =>
  integer(value, key) ??
  (Number(value) > 1 ? `cannot set ${key} to more than the current master nodes count [1]` : undefined);

const DYNAMIC: DynamicSettings = [
  [`${ALLOCATION}.awareness.attributes`, any],
  [`${ALLOCATION}.awareness.force.*`, any],
  [`${ALLOCATION}.balance.index`, float],
  [`${ALLOCATION}.balance.primary`, float],
  [`${ALLOCATION}.balance.shard`, float],
  [`${ALLOCATION}.balance.threshold`, nonNegativeFloat],
  [`${ALLOCATION}.allow_rebalance`, rebalance],
  [`${ALLOCATION}.cluster_concurrent_rebalance`, integer],
  [`${ALLOCATION}.enable`, any],
  ['cluster.routing.rebalance.enable', any],
  [`${ALLOCATION}.disable_new_allocation`, any],
  [`${ALLOCATION}.disable_allocation`, any],
  [`${ALLOCATION}.disable_replica_allocation`, any],
  [`${ALLOCATION}.include.*`, any],
  [`${ALLOCATION}.exclude.*`, any],
  [`${ALLOCATION}.require.*`, any],
  [`${ALLOCATION}.node_initial_primaries_recoveries`, integer],
  [`${ALLOCATION}.node_concurrent_recoveries`, integer],
  [`${ALLOCATION}.disk.watermark.low`, any],
  [`${ALLOCATION}.disk.watermark.high`, any],
  [`${ALLOCATION}.disk.threshold_enabled`, any],
  [`${ALLOCATION}.disk.include_relocations`, any],
  [`${ALLOCATION}.disk.reroute_interval`, nonNegativeTime],
  [`${ALLOCATION}.snapshot.relocation_enabled`, any],
  ['cluster.blocks.read_only', any],
  ['cluster.info.update.interval', nonNegativeTime],
  ['cluster.info.update.timeout', nonNegativeTime],
  ['cluster.service.slow_task_logging_threshold', nonNegativeTime],
  ['discovery.zen.minimum_master_nodes', masters],
  ['discovery.zen.no_master_block', any],
  ['discovery.zen.publish_timeout', nonNegativeTime],
  ['discovery.zen.rejoin_on_master_gone', boolean],
  ['indices.cache.filter.size', any],
  ['indices.cache.filter.expire', time],
  ['indices.cache.filter.concurrency_level', positive],
  ['search.default_search_timeout', time],
  ['indices.store.throttle.type', any],
  ['indices.store.throttle.max_bytes_per_sec', bytes],
  ['indices.ttl.interval', time],
  ['indices.mapping.additional_mapping_change_time', time],
  ['indices.recovery.file_chunk_size', bytes],
  ['indices.recovery.translog_ops', integer],
  ['indices.recovery.translog_size', bytes],
  ['indices.recovery.compress', any],
  ['indices.recovery.concurrent_streams', positive],
  ['indices.recovery.concurrent_small_file_streams', positive],
  ['indices.recovery.max_bytes_per_sec', bytes],
  ['indices.recovery.max_size_per_sec', bytes],
  ['indices.recovery.retry_delay_state_sync', nonNegativeTime],
  ['indices.recovery.retry_delay_network', nonNegativeTime],
  ['indices.recovery.activity_timeout', nonNegativeTime],
  ['indices.recovery.internal_action_timeout', nonNegativeTime],
  ['indices.recovery.internal_action_long_timeout', nonNegativeTime],
  ['indices.log.retention.size', bytes],
  ['indices.log.retention.age', nonNegativeTime],
  ['indices.breaker.total.limit', memory],
  ['indices.breaker.fielddata.limit', memory],
  ['indices.breaker.fielddata.overhead', nonNegativeDouble],
  ['indices.breaker.request.limit', memory],
  ['indices.breaker.request.overhead', nonNegativeDouble],
  ['action.destructive_requires_name', any],
  ['transport.tracer.include*', any],
  ['transport.tracer.exclude*', any],
  ['threadpool.*', any],
  ['logger.*', any],
];

/** Those that can be changed to these values; all others are passed over in silence, as in 1.7. */
export function applicable(settings: FlatSettings): FlatSettings {
  return Object.fromEntries(
    Object.entries(settings).filter(([key, value]) => {
      const check = checkOf(DYNAMIC, key);
      return check !== undefined && check(value, key) === undefined;
    }),
  );
}
