/** Statistics of indices: stats, segments, status, recoveries. */
import type { Engine } from '../../engine/engine.js';
import { type Stats, statsOf, type ShardStats, total } from '../../engine/stats.js';
import { DOCUMENT_CALL, nameOptions } from '../../metadata/names.js';
import type { OpenIndex } from '../../metadata/openIndex.js';
import type { RecoveryProgress } from '../../shard/recoveryProgress.js';
import type { Shard } from '../../shard/shard.js';
import type { Json } from '../json.js';
import { shardsHeader } from './maintenance.js';
import { chosenMetrics, detailsOf, type Metrics, metricsOf } from '../cluster/metrics.js';
import { NO_PLATFORM, transportAddress } from '../cluster/node.js';
import { humanJson as answer, flag, type RestResponse, type RoutedRequest } from '../request.js';
import { type EndpointGroup, INDICES_OPTIONS, ofIndices, STATISTICS } from '../endpoint.js';

const SHOW = {
  methods: ['GET'],
  privilege: 'metadata',
  pool: 'management',
  readOnly: true,
  duringRecovery: true,
} as const;

export const statisticsEndpoints: EndpointGroup = {
  name: 'Statistics',
  purpose: 'Statistics of indices and their shards.',
  tag: 'common',
  endpoints: [
    {
      ...SHOW,
      paths: [...ofIndices('/_stats'), ...ofIndices('/_stats/{metric}'), '/_stats/{metric}/{indexMetric}'],
      action: 'indices:monitor/stats',
      counted: true,
      parameters: ['level', ...STATISTICS, ...INDICES_OPTIONS],
      handler: indexStats,
    },
    {
      ...SHOW,
      paths: ofIndices('/_segments'),
      action: 'indices:monitor/segments',
      parameters: INDICES_OPTIONS,
      ignored: ['operation_threading'],
      handler: segments,
    },
    {
      ...SHOW,
      paths: ofIndices('/_status'),
      action: 'indices:monitor/status',
      counted: true,
      parameters: INDICES_OPTIONS,
      ignored: ['recovery', 'snapshot', 'operation_threading'],
      handler: status,
    },
    {
      ...SHOW,
      paths: ofIndices('/_recovery'),
      action: 'indices:monitor/recovery',
      parameters: ['active_only', ...INDICES_OPTIONS],
      ignored: ['detailed'],
      handler: recovery,
    },
  ],
};

/** An index with the stats of its shards. */
interface IndexStats {
  index: OpenIndex;
  shards: ShardStats[];
  sum: Stats;
}

async function statsOfAll(engine: Engine, { path, query }: RoutedRequest): Promise<IndexStats[]> {
  const indices = engine.resolve(path.index, nameOptions(query, DOCUMENT_CALL), 'metadata_read');
  return Promise.all(indices.map((index) => readStats(engine, index)));
}

/** Reads the stats of an index. */
export async function readStats(engine: Engine, index: OpenIndex): Promise<IndexStats> {
  const shards = await statsOf(index, engine);
  return { index, shards, sum: total(shards.map(({ stats }) => stats)) };
}

async function indexStats(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const { path, query } = request;
  const level = query.get('level') ?? 'indices';
  const all = await statsOfAll(engine, request);
  const details = detailsOf(query);
  const metrics = (stats: Stats): Metrics => chosenMetrics(metricsOf(stats, details), path.metric);
  // Replicas have no node to be on: all there is, is primaries.
  const both = (shown: Metrics): Json => ({ primaries: shown, total: shown });
  const everything = metrics(total(all.map(({ sum }) => sum)));
  const perIndex = (each: IndexStats): Json => ({
    ...(both(metrics(each.sum)) as object),
    shards:
      level === 'shards'
        ? Object.fromEntries(
            each.shards.map((shard) => [String(shard.shard.number), [shardStats(engine, shard, metrics)]]),
          )
        : undefined,
  });
  const header = { _shards: shardsHeader(all.map(({ index }) => index)) };
  if (!['cluster', 'indices', 'shards'].includes(level.toLowerCase())) return answer(request, 200, header);
  return answer(request, 200, {
    ...header,
    _all: both(everything),
    indices:
      level === 'cluster'
        ? undefined
        : Object.fromEntries(all.map((each) => [each.index.name, perIndex(each)])),
  });
}

/** The stats of a shard, with where it is. */
export function shardStats(
  engine: Engine,
  { shard, stats }: ShardStats,
  metrics: (stats: Stats) => Metrics,
): Json {
  const own = stats ?? total([]);
  return {
    routing: { state: 'STARTED', primary: true, node: engine.nodeId, relocating_node: null },
    ...metrics(own),
    commit: {
      generation: own.counters.flushes + 1,
      user_data: commitData(shard, own),
      num_docs: own.documents,
    },
    ...(shard.active ? {} : { state: 'FAILED' }),
  };
}

/** What a commit of 1.7 says beside its segments: its translog, and the mark of a synced flush. */
function commitData({ syncId, recovery }: Shard, { counters }: Stats): Json {
  const data = { translog_id: String(recovery.started + counters.flushes) };
  return syncId === undefined ? data : { ...data, sync_id: syncId };
}

async function segments(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const all = await statsOfAll(engine, request);
  const routing = { state: 'STARTED', primary: true, node: engine.nodeId };
  const shard = ({ stats }: ShardStats): Json => {
    const each = stats?.segments ?? [];
    const committed = stats?.uncheckpointed === 0;
    return {
      routing,
      num_committed_segments: committed ? each.length : 0,
      num_search_segments: each.length,
      segments: Object.fromEntries(
        each.map(({ id, documents, deleted, bytes }) => [
          `_${(id - 1).toString(36)}`,
          {
            generation: id - 1,
            num_docs: documents,
            deleted_docs: deleted,
            size_in_bytes: bytes,
            memory_in_bytes: bytes,
            committed,
            search: true,
            version: '4.10.4',
            compound: true,
          },
        ]),
      ),
    };
  };
  return answer(request, 200, {
    _shards: shardsHeader(all.map(({ index }) => index)),
    indices: perShard(all, shard),
  });
}

function perShard(all: readonly IndexStats[], shard: (stats: ShardStats) => Json): Json {
  return Object.fromEntries(
    all.map(({ index, shards }) => [
      index.name,
      { shards: Object.fromEntries(shards.map((each) => [String(each.shard.number), [shard(each)]])) },
    ]),
  );
}

async function status(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const all = await statsOfAll(engine, request);
  const common = (stats: Stats) => {
    const { merges, refresh, flush } = metricsOf(stats);
    const { documents, deleted, uncheckpointed } = stats;
    return {
      translog: { operations: uncheckpointed },
      docs: { num_docs: documents, max_doc: documents + deleted, deleted_docs: deleted },
      merges: merges!,
      refresh: refresh!,
      flush: flush!,
    };
  };
  const indices = all.map(({ index, shards, sum }) => {
    const shard = ({ shard: { number, uid }, stats }: ShardStats): Json => {
      const own = stats ?? total([]);
      const { translog, ...rest } = common(own);
      return {
        routing: {
          state: 'STARTED',
          primary: true,
          node: engine.nodeId,
          relocating_node: null,
          shard: number,
          index: index.name,
        },
        state: 'STARTED',
        index: { size_in_bytes: own.storeBytes },
        translog: { id: uid, ...translog },
        ...rest,
      };
    };
    const shown = Object.fromEntries(shards.map((each) => [String(each.shard.number), [shard(each)]]));
    const size = { primary_size_in_bytes: sum.storeBytes, size_in_bytes: sum.storeBytes };
    return [index.name, { index: size, ...common(sum), shards: shown }] as const;
  });
  return answer(request, 200, {
    _shards: shardsHeader(all.map(({ index }) => index)),
    indices: Object.fromEntries(indices),
  });
}

async function recovery(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const names = request.node;
  const { path, query } = request;
  const indices = engine.resolve(path.index, nameOptions(query, DOCUMENT_CALL), 'metadata_read');
  const active = flag(query, 'active_only');
  const { platform = NO_PLATFORM } = names;
  const node = {
    id: engine.nodeId,
    host: platform.host,
    transport_address: transportAddress(names),
    ip: platform.ip,
    name: names.node,
  };
  const shown = indices.flatMap(({ name, shards, restoredFrom }) => {
    const chosen = shards.filter(({ opening }) => opening || !active);
    if (chosen.length === 0 && active) return [];
    const source = restoredFrom === undefined ? node : { ...restoredFrom };
    const type = restoredFrom === undefined ? 'GATEWAY' : 'SNAPSHOT';
    const each = chosen.map(({ number, recovery }) => ({
      id: number,
      type,
      ...recoveryOf(recovery, engine.now(), source, node),
    }));
    return [[name, { shards: each }]];
  });
  return answer(request, 200, Object.fromEntries(shown));
}

function recoveryOf(
  progress: RecoveryProgress,
  now: number,
  source: Json,
  target: Json,
): Record<string, Json> {
  const { stage, started, stopped, files, operations, indexMs, replayMs, problems } = progress;
  const done = stage === 'DONE';
  const total = done ? progress.ms : started === 0 ? 0 : now - started;
  return {
    stage,
    primary: true,
    start_time_in_millis: started,
    ...(done ? { stop_time_in_millis: stopped } : {}),
    total_time_in_millis: total,
    source,
    target,
    index: {
      size: {
        total_in_bytes: files.bytes,
        reused_in_bytes: files.reusedBytes,
        recovered_in_bytes: 0,
        percent: percent(files.reusedBytes, files.bytes, '0.0%'),
      },
      files: {
        total: files.total,
        reused: files.reused,
        recovered: 0,
        percent: percent(files.reused, files.total, '0.0%'),
      },
      total_time_in_millis: indexMs,
      source_throttle_time_in_millis: 0,
      target_throttle_time_in_millis: 0,
    },
    translog: {
      recovered: operations.recovered,
      total: operations.total,
      percent: percent(operations.recovered, operations.total, '100.0%'),
      total_on_start: operations.total,
      total_time_in_millis: replayMs,
    },
    start: { check_index_time_in_millis: 0, total_time_in_millis: total },
    // 1.7 has nothing to say here.
    ...(problems.length === 0 ? {} : { rebuilt: { from: 'documents', because: problems } }),
  };
}

/** A share in percent, as recoveries tell it. */
export function percent(part: number, total: number, ofNothing: string): string {
  return total === 0 ? ofNothing : `${((100 * part) / total).toFixed(1)}%`;
}
