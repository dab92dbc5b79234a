/** Figures under the names that statistics give them. */
import type { Figures } from '../index/figures.js';
import type { Json } from './json.js';

/** What statistics show of some shards, by the name of the part. */
export type Metrics = Record<string, Record<string, Json>>;

/** Names in the path, where they differ from those in the answer. */
const PATH_NAMES: Record<string, string> = { merge: 'merges', filter_cache: 'filter_cache' };

const ms = Math.round;

/** All of it; `contexts` are the searches that are kept open. */
export function metricsOf(figures: Figures, contexts: number): Metrics {
  const { counters: c, segments, bytes } = figures;
  return {
    docs: { count: figures.documents, deleted: figures.deleted },
    store: { size_in_bytes: bytes, throttle_time_in_millis: 0 },
    indexing: {
      index_total: c.indexed,
      index_time_in_millis: ms(c.indexTime),
      index_current: 0,
      delete_total: c.deleted,
      delete_time_in_millis: ms(c.deleteTime),
      delete_current: 0,
      noop_update_total: c.noops,
      is_throttled: false,
      throttle_time_in_millis: 0,
    },
    get: {
      total: c.found + c.missing,
      time_in_millis: 0,
      exists_total: c.found,
      exists_time_in_millis: 0,
      missing_total: c.missing,
      missing_time_in_millis: 0,
      current: 0,
    },
    search: {
      open_contexts: contexts,
      query_total: c.queries,
      query_time_in_millis: ms(c.queryTime),
      query_current: c.queriesNow,
      fetch_total: c.fetches,
      fetch_time_in_millis: ms(c.fetchTime),
      fetch_current: 0,
    },
    merges: {
      current: 0,
      current_docs: 0,
      current_size_in_bytes: 0,
      total: c.merges,
      total_time_in_millis: ms(c.mergeTime),
      total_docs: 0,
      total_size_in_bytes: 0,
    },
    refresh: { total: c.refreshes, total_time_in_millis: ms(c.refreshTime) },
    flush: { total: c.flushes, total_time_in_millis: ms(c.flushTime) },
    warmer: { current: 0, total: 0, total_time_in_millis: 0 },
    filter_cache: { memory_size_in_bytes: 0, evictions: 0 },
    id_cache: { memory_size_in_bytes: 0 },
    fielddata: { memory_size_in_bytes: 0, evictions: 0 },
    percolate: {
      total: c.percolations,
      time_in_millis: ms(c.percolateTime),
      current: 0,
      memory_size_in_bytes: -1,
      memory_size: '-1b',
      queries: figures.registered,
    },
    completion: { size_in_bytes: 0 },
    segments: {
      count: segments.length,
      // Segments live in memory as they are kept.
      memory_in_bytes: bytes,
      index_writer_memory_in_bytes: 0,
      index_writer_max_memory_in_bytes: 67_108_864 * figures.shards,
      version_map_memory_in_bytes: 0,
      fixed_bit_set_memory_in_bytes: 0,
    },
    translog: { operations: figures.uncheckpointed, size_in_bytes: 0 },
    suggest: { total: c.suggestions, time_in_millis: ms(c.suggestTime), current: 0 },
    query_cache: { memory_size_in_bytes: 0, evictions: 0, hit_count: 0, miss_count: 0 },
    recovery: { current_as_source: 0, current_as_target: 0, throttle_time_in_millis: 0 },
  };
}

/** Those that a comma list names; all without one, or with `_all`. */
export function chosenMetrics(metrics: Metrics, list: string | undefined): Metrics {
  const names = list?.split(',').filter((name) => name !== '') ?? [];
  if (names.length === 0 || names.includes('_all')) return metrics;
  const wanted = new Set(names.map((name) => PATH_NAMES[name] ?? name));
  return Object.fromEntries(Object.entries(metrics).filter(([name]) => wanted.has(name)));
}
