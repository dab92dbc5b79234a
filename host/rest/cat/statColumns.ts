/** The columns of stats that the tables of indices, shards and nodes share; shown only on request. */
import type { Metrics } from '../cluster/metrics.js';
import { Bytes, type Cell, type Column, column, Millis } from './table.js';

/** Name, aliases, description, and where the stat is among the metrics. */
const STATS: readonly (readonly [name: string, alias: string, description: string, at: string])[] = [
  ['completion.size', 'cs,completionSize', 'size of completion', 'completion.size_in_bytes'],
  ['fielddata.memory_size', 'fm,fielddataMemory', 'used fielddata cache', 'fielddata.memory_size_in_bytes'],
  ['fielddata.evictions', 'fe,fielddataEvictions', 'fielddata evictions', 'fielddata.evictions'],
  [
    'filter_cache.memory_size',
    'fcm,filterCacheMemory',
    'used filter cache',
    'filter_cache.memory_size_in_bytes',
  ],
  ['filter_cache.evictions', 'fce,filterCacheEvictions', 'filter cache evictions', 'filter_cache.evictions'],
  ['query_cache.memory_size', 'qcm,queryCacheMemory', 'used query cache', 'query_cache.memory_size_in_bytes'],
  ['query_cache.evictions', 'qce,queryCacheEvictions', 'query cache evictions', 'query_cache.evictions'],
  ['query_cache.hit_count', 'qchc,queryCacheHitCount', 'query cache hit counts', 'query_cache.hit_count'],
  ['query_cache.miss_count', 'qcmc,queryCacheMissCount', 'query cache miss counts', 'query_cache.miss_count'],
  ['flush.total', 'ft,flushTotal', 'number of flushes', 'flush.total'],
  ['flush.total_time', 'ftt,flushTotalTime', 'time spent in flush', 'flush.total_time_in_millis'],
  ['get.current', 'gc,getCurrent', 'number of current get ops', 'get.current'],
  ['get.time', 'gti,getTime', 'time spent in get', 'get.time_in_millis'],
  ['get.total', 'gto,getTotal', 'number of get ops', 'get.total'],
  ['get.exists_time', 'geti,getExistsTime', 'time spent in successful gets', 'get.exists_time_in_millis'],
  ['get.exists_total', 'geto,getExistsTotal', 'number of successful gets', 'get.exists_total'],
  ['get.missing_time', 'gmti,getMissingTime', 'time spent in failed gets', 'get.missing_time_in_millis'],
  ['get.missing_total', 'gmto,getMissingTotal', 'number of failed gets', 'get.missing_total'],
  ['id_cache.memory_size', 'im,idCacheMemory', 'used id cache', 'id_cache.memory_size_in_bytes'],
  [
    'indexing.delete_current',
    'idc,indexingDeleteCurrent',
    'number of current deletions',
    'indexing.delete_current',
  ],
  [
    'indexing.delete_time',
    'idti,indexingDeleteTime',
    'time spent in deletions',
    'indexing.delete_time_in_millis',
  ],
  ['indexing.delete_total', 'idto,indexingDeleteTotal', 'number of delete ops', 'indexing.delete_total'],
  [
    'indexing.index_current',
    'iic,indexingIndexCurrent',
    'number of current indexing ops',
    'indexing.index_current',
  ],
  [
    'indexing.index_time',
    'iiti,indexingIndexTime',
    'time spent in indexing',
    'indexing.index_time_in_millis',
  ],
  ['indexing.index_total', 'iito,indexingIndexTotal', 'number of indexing ops', 'indexing.index_total'],
  ['merges.current', 'mc,mergesCurrent', 'number of current merges', 'merges.current'],
  ['merges.current_docs', 'mcd,mergesCurrentDocs', 'number of current merging docs', 'merges.current_docs'],
  ['merges.current_size', 'mcs,mergesCurrentSize', 'size of current merges', 'merges.current_size_in_bytes'],
  ['merges.total', 'mt,mergesTotal', 'number of completed merge ops', 'merges.total'],
  ['merges.total_docs', 'mtd,mergesTotalDocs', 'docs merged', 'merges.total_docs'],
  ['merges.total_size', 'mts,mergesTotalSize', 'size merged', 'merges.total_size_in_bytes'],
  ['merges.total_time', 'mtt,mergesTotalTime', 'time spent in merges', 'merges.total_time_in_millis'],
  ['percolate.current', 'pc,percolateCurrent', 'number of current percolations', 'percolate.current'],
  [
    'percolate.memory_size',
    'pm,percolateMemory',
    'memory used by percolations',
    'percolate.memory_size_in_bytes',
  ],
  [
    'percolate.queries',
    'pq,percolateQueries',
    'number of registered percolation queries',
    'percolate.queries',
  ],
  ['percolate.time', 'pti,percolateTime', 'time spent percolating', 'percolate.time_in_millis'],
  ['percolate.total', 'pto,percolateTotal', 'total percolations', 'percolate.total'],
  ['refresh.total', 'rto,refreshTotal', 'total refreshes', 'refresh.total'],
  ['refresh.time', 'rti,refreshTime', 'time spent in refreshes', 'refresh.total_time_in_millis'],
  ['search.fetch_current', 'sfc,searchFetchCurrent', 'current fetch phase ops', 'search.fetch_current'],
  ['search.fetch_time', 'sfti,searchFetchTime', 'time spent in fetch phase', 'search.fetch_time_in_millis'],
  ['search.fetch_total', 'sfto,searchFetchTotal', 'total fetch ops', 'search.fetch_total'],
  ['search.open_contexts', 'so,searchOpenContexts', 'open search contexts', 'search.open_contexts'],
  ['search.query_current', 'sqc,searchQueryCurrent', 'current query phase ops', 'search.query_current'],
  ['search.query_time', 'sqti,searchQueryTime', 'time spent in query phase', 'search.query_time_in_millis'],
  ['search.query_total', 'sqto,searchQueryTotal', 'total query phase ops', 'search.query_total'],
  ['segments.count', 'sc,segmentsCount', 'number of segments', 'segments.count'],
  ['segments.memory', 'sm,segmentsMemory', 'memory used by segments', 'segments.memory_in_bytes'],
  [
    'segments.index_writer_memory',
    'siwm,segmentsIndexWriterMemory',
    'memory used by index writer',
    'segments.index_writer_memory_in_bytes',
  ],
  [
    'segments.index_writer_max_memory',
    'siwmx,segmentsIndexWriterMaxMemory',
    'maximum memory index writer may use before it must write buffered documents to a new segment',
    'segments.index_writer_max_memory_in_bytes',
  ],
  [
    'segments.version_map_memory',
    'svmm,segmentsVersionMapMemory',
    'memory used by version map',
    'segments.version_map_memory_in_bytes',
  ],
  [
    'segments.fixed_bitset_memory',
    'sfbm,fixedBitsetMemory',
    'memory used by fixed bit sets for nested object field types and type filters for types referred in _parent fields',
    'segments.fixed_bit_set_memory_in_bytes',
  ],
  ['warmer.current', 'wc,warmerCurrent', 'current warmer ops', 'warmer.current'],
  ['warmer.total', 'wto,warmerTotal', 'total warmer ops', 'warmer.total'],
  ['warmer.total_time', 'wtt,warmerTotalTime', 'time spent in warmers', 'warmer.total_time_in_millis'],
  ['suggest.current', 'suc,suggestCurrent', 'number of current suggest ops', 'suggest.current'],
  ['suggest.time', 'suti,suggestTime', 'time spend in suggest', 'suggest.time_in_millis'],
  ['suggest.total', 'suto,suggestTotal', 'number of suggest ops', 'suggest.total'],
];

/** Those whose names don't begin with one of these parts. */
export function statColumns(...without: string[]): Column[] {
  return STATS.filter(([name]) => !without.some((part) => name.startsWith(`${part}.`))).map(
    ([name, alias, description]) => column(name, alias, description, { right: true, hidden: true }),
  );
}

/** The cells of all of these columns. */
export function figureCells(metrics: Metrics, prefix = ''): Record<string, Cell> {
  return Object.fromEntries(STATS.map(([name, , , at]) => [`${prefix}${name}`, cellOf(metrics, at)]));
}

function cellOf(metrics: Metrics, at: string): Cell {
  const [part, key] = at.split('.') as [string, string];
  const value = metrics[part]?.[key];
  if (typeof value !== 'number') return undefined;
  if (key.endsWith('_in_bytes')) return new Bytes(value);
  return key.endsWith('_in_millis') ? new Millis(value) : value;
}
