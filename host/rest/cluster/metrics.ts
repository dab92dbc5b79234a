/** Stats under the names that statistics give them. */
import type { SearchCounters, WriteCounters } from '../../shard/counters.js';
import type { Stats } from '../../engine/stats.js';
import { wildcard } from '../../text/wildcard.js';
import type { Json } from '../json.js';
import { ownValue } from '../../ownNames.js';

/** What statistics show of some shards, by the name of the part. */
export type Metrics = Record<string, Record<string, Json>>;

/** What is shown name by name besides, as patterns. */
export interface Details {
  /** Of documents that were written. */
  types?: readonly string[];
  /** Of searches. */
  groups?: readonly string[];
  /** Whose values searches have needed. */
  fielddata?: readonly string[];
  completion?: readonly string[];
}

/** Names in the path, where they differ from those in the answer. */
const PATH_NAMES: Record<string, string> = { merge: 'merges', filter_cache: 'filter_cache' };
/** Most bytes of documents that are in no segment yet, of a shard. */
const BUFFER_BYTES = 67_108_864;

const ms = Math.round;

/** What the parameters of a request ask for name by name. */
export function detailsOf(query: ReadonlyMap<string, string>): Details {
  const list = (name: string) =>
    query
      .get(name)
      ?.split(',')
      .filter((each) => each !== '');
  const [types, groups, fields] = ['types', 'groups', 'fields'].map(list);
  const fielddata = list('fielddata_fields') ?? fields;
  const completion = list('completion_fields') ?? fields;
  return {
    ...(types === undefined ? {} : { types }),
    ...(groups === undefined ? {} : { groups }),
    ...(fielddata === undefined ? {} : { fielddata }),
    ...(completion === undefined ? {} : { completion }),
  };
}

/** All of it. */
export function metricsOf(stats: Stats, details: Details = {}): Metrics {
  const { counters: c, segments, bytes, storeBytes, merging } = stats;
  return {
    docs: { count: stats.documents, deleted: stats.deleted },
    store: { size_in_bytes: storeBytes, throttle_time_in_millis: 0 },
    indexing: {
      ...writes(c.writes),
      ...byName('types', c.types, details.types, writes),
    },
    get: {
      total: c.found + c.missing,
      time_in_millis: ms(c.foundTime + c.missingTime),
      exists_total: c.found,
      exists_time_in_millis: ms(c.foundTime),
      missing_total: c.missing,
      missing_time_in_millis: ms(c.missingTime),
      current: 0,
    },
    search: {
      open_contexts: stats.contexts,
      ...searches(c.searches),
      ...byName('groups', c.groups, details.groups, searches),
    },
    merges: {
      current: merging.count,
      current_docs: merging.documents,
      current_size_in_bytes: merging.bytes,
      total: c.merges,
      total_time_in_millis: ms(c.mergeTime),
      total_docs: c.mergedDocuments,
      total_size_in_bytes: c.mergedBytes,
    },
    refresh: { total: c.refreshes, total_time_in_millis: ms(c.refreshTime) },
    flush: { total: c.flushes, total_time_in_millis: ms(c.flushTime) },
    warmer: { current: 0, total: 0, total_time_in_millis: 0 },
    filter_cache: { memory_size_in_bytes: stats.filters.bytes, evictions: stats.filters.evictions },
    id_cache: { memory_size_in_bytes: stats.fielddata.get('_parent') ?? 0 },
    fielddata: {
      memory_size_in_bytes: sum(stats.fielddata.values()),
      evictions: 0,
      ...byName('fields', stats.fielddata, details.fielddata, (size) => ({ memory_size_in_bytes: size })),
    },
    percolate: {
      total: c.percolations,
      time_in_millis: ms(c.percolateTime),
      current: c.percolationsNow,
      memory_size_in_bytes: -1,
      memory_size: '-1b',
      queries: stats.registered,
    },
    completion: {
      size_in_bytes: sum(stats.completions.values()),
      ...byName('fields', stats.completions, details.completion, (size) => ({ size_in_bytes: size })),
    },
    segments: {
      count: segments.length,
      // Segments live in memory as they are kept.
      memory_in_bytes: bytes,
      index_writer_memory_in_bytes: stats.bufferBytes,
      index_writer_max_memory_in_bytes: BUFFER_BYTES * stats.shards,
      version_map_memory_in_bytes: stats.versionMapBytes,
      fixed_bit_set_memory_in_bytes: stats.hidingBytes,
    },
    translog: { operations: stats.uncheckpointed, size_in_bytes: stats.uncheckpointedBytes },
    suggest: { total: c.suggestions, time_in_millis: ms(c.suggestTime), current: c.suggestionsNow },
    query_cache: { memory_size_in_bytes: 0, evictions: 0, hit_count: 0, miss_count: 0 },
    recovery: { current_as_source: 0, current_as_target: 0, throttle_time_in_millis: 0 },
  };
}

function writes(c: WriteCounters): Record<string, Json> {
  return {
    index_total: c.indexed,
    index_time_in_millis: ms(c.indexTime),
    index_current: c.indexingNow,
    delete_total: c.deleted,
    delete_time_in_millis: ms(c.deleteTime),
    delete_current: c.deletingNow,
    noop_update_total: c.noops,
    is_throttled: false,
    throttle_time_in_millis: 0,
  };
}

function searches(c: SearchCounters): Record<string, Json> {
  return {
    query_total: c.queries,
    query_time_in_millis: ms(c.queryTime),
    query_current: c.queriesNow,
    fetch_total: c.fetches,
    fetch_time_in_millis: ms(c.fetchTime),
    fetch_current: 0,
  };
}

/** Those whose names are asked for, if any are asked for and there are some. */
function byName<T>(
  key: string,
  all: ReadonlyMap<string, T>,
  patterns: readonly string[] | undefined,
  show: (value: T) => Json,
): Record<string, Json> {
  if (patterns === undefined || patterns.length === 0) return {};
  const every = patterns.length === 1 && patterns[0] === '_all';
  const found = [...all].filter(([name]) => every || patterns.some((each) => wildcard(each)(name)));
  return found.length === 0
    ? {}
    : { [key]: Object.fromEntries(found.map(([name, value]) => [name, show(value)])) };
}

function sum(values: Iterable<number>): number {
  let all = 0;
  for (const value of values) all += value;
  return all;
}

/** Bytes of memory that all of it takes, as `_cat/indices` sums them up. */
export function memoryOf(stats: Stats): number {
  const { filters, fielddata, bytes, bufferBytes, versionMapBytes } = stats;
  return filters.bytes + sum(fielddata.values()) + bytes + bufferBytes + versionMapBytes;
}

/** Those that a comma list names; all without one, or with `_all`. */
export function chosenMetrics(metrics: Metrics, list: string | undefined): Metrics {
  const names = list?.split(',').filter((name) => name !== '') ?? [];
  if (names.length === 0 || names.includes('_all')) return metrics;
  const wanted = new Set(names.map((name) => ownValue(PATH_NAMES, name) ?? name));
  return Object.fromEntries(Object.entries(metrics).filter(([name]) => wanted.has(name)));
}
