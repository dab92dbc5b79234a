/** Changes of an index's settings: which may be made when, and what their values may be. */
import { illegalArgument, validationFailed } from '../errors.js';
import {
  any,
  boolean,
  bytes,
  checkOf,
  double,
  doubleTwoOrMore,
  type DynamicSettings,
  integer,
  nonNegative,
  nonNegativeDouble,
  positive,
  time,
  twoOrMore,
} from '../settings/settingChecks.js';
import { type FlatSettings, readSettings, type IndexSettings } from '../settings/indexSettings.js';

/** Settings that may change while an index is open. */
const DYNAMIC: DynamicSettings = [
  ['index.number_of_replicas', nonNegative],
  ['index.auto_expand_replicas', any],
  ['index.priority', nonNegative],
  ['index.refresh_interval', time],
  ['index.gc_deletes', time],
  ['index.blocks.read_only', any],
  ['index.blocks.read', any],
  ['index.blocks.write', any],
  ['index.blocks.metadata', any],
  ['index.cache.query.enable', boolean],
  ['index.codec', any],
  ['index.compound_format', any],
  ['index.compound_on_flush', boolean],
  ['index.index_concurrency', nonNegative],
  ['index.fail_on_merge_failure', any],
  ['index.fail_on_corruption', any],
  ['index.checksum_on_merge', any],
  ['index.merge.scheduler.max_thread_count', any],
  ['index.merge.scheduler.max_merge_count', any],
  ['index.merge.scheduler.auto_throttle', any],
  ['index.merge.policy.min_merge_size', bytes],
  ['index.merge.policy.max_merge_size', bytes],
  ['index.merge.policy.min_merge_docs', positive],
  ['index.merge.policy.max_merge_docs', positive],
  ['index.merge.policy.merge_factor', twoOrMore],
  ['index.merge.policy.expunge_deletes_allowed', double],
  ['index.merge.policy.floor_segment', bytes],
  ['index.merge.policy.max_merge_at_once', twoOrMore],
  ['index.merge.policy.max_merge_at_once_explicit', twoOrMore],
  ['index.merge.policy.max_merged_segment', bytes],
  ['index.merge.policy.segments_per_tier', doubleTwoOrMore],
  ['index.merge.policy.reclaim_deletes_weight', nonNegativeDouble],
  ['index.recovery.initial_shards', any],
  ['index.routing.allocation.require.*', any],
  ['index.routing.allocation.include.*', any],
  ['index.routing.allocation.exclude.*', any],
  ['index.routing.allocation.enable', any],
  ['index.routing.rebalance.enable', any],
  ['index.routing.allocation.disable_allocation', any],
  ['index.routing.allocation.disable_new_allocation', any],
  ['index.routing.allocation.disable_replica_allocation', any],
  ['index.routing.allocation.total_shards_per_node', integer],
  ['index.shared_filesystem.recover_on_any_node', any],
  ['index.store.throttle.type', any],
  ['index.store.throttle.max_bytes_per_sec', bytes],
  ['index.translog.fs.type', any],
  ['index.translog.interval', time],
  ['index.translog.flush_threshold_ops', integer],
  ['index.translog.flush_threshold_size', bytes],
  ['index.translog.flush_threshold_period', time],
  ['index.translog.disable_flush', any],
  // Of this server, and of later versions.
  ['index.translog.durability', any],
  ['index.translog.sync_interval', time],
  ['index.ttl.disable_purge', any],
  ['index.unassigned.node_left.delayed_timeout', time],
  ['index.warmer.enabled', any],
  ['index.indexing.slowlog.threshold.index.*', time],
  ['index.indexing.slowlog.reformat', any],
  ['index.indexing.slowlog.level', any],
  ['index.indexing.slowlog.source', any],
  ['index.search.slowlog.threshold.query.*', time],
  ['index.search.slowlog.threshold.fetch.*', time],
  ['index.search.slowlog.reformat', any],
  ['index.search.slowlog.level', any],
];

const SHARDS = 'index.number_of_shards';
const REPLICAS = 'index.number_of_replicas';

/** An index as far as its settings go. */
export interface SettingsHolder {
  name: string;
  closed: boolean;
  settings: IndexSettings;
}

/** The settings of these indices after a change, in their order; if one can't have it, none has. */
export function changeSettings(indices: readonly SettingsHolder[], change: FlatSettings): IndexSettings[] {
  if (Object.keys(change).length === 0) throw validationFailed('no settings to update');
  if (change[SHARDS] !== undefined) throw illegalArgument("can't change the number of shards for an index");
  const problems: string[] = [];
  const fixed: string[] = [];
  for (const [key, value] of Object.entries(change)) {
    const check = checkOf(DYNAMIC, key);
    if (check === undefined) fixed.push(key);
    const problem = check?.(value, key);
    if (problem !== undefined) problems.push(`[${key}] - ${problem}`);
  }
  if (problems.length > 0) throw illegalArgument(`can't process the settings: [${problems.join(', ')}]`);
  const open = indices.filter(({ closed }) => !closed).map(({ name }) => name);
  if (fixed.length > 0 && open.length > 0) {
    throw illegalArgument(
      `Can't update non dynamic settings[[${fixed.sort().join(', ')}]] for open indices [[${open.join(', ')}]]`,
    );
  }
  const shut = indices.filter(({ closed }) => closed).map(({ name }) => name);
  if (change[REPLICAS] !== undefined && shut.length > 0) {
    throw illegalArgument(
      `Can't update [${REPLICAS}] on closed indices [[${shut.join(', ')}]] - can leave index in an unopenable state`,
    );
  }
  return indices.map(({ name, settings }) => readSettings(name, { ...settings.flat, ...change }));
}
