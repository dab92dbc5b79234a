/** Statistics of indices: stats, segments, status, recoveries. */
import type { Engine } from '../../engine/engine.js';
import { type Stats, statsOf, type ShardStats, total } from '../../engine/stats.js';
import { DOCUMENT_CALL, nameOptions } from '../../metadata/names.js';
import type { OpenIndex } from '../../metadata/openIndex.js';
import type { Json } from '../json.js';
import { allCopies, type CopyStats, type IndexCopies } from '../cluster/copyStats.js';
import { chosenMetrics, detailsOf, type Metrics, metricsOf } from '../cluster/metrics.js';
import { allRecoveries, recoveryJson } from '../cluster/recoveries.js';
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
      parameters: ['active_only', 'detailed', ...INDICES_OPTIONS],
      handler: recovery,
    },
  ],
};

/** An index with the stats of its shards on this node. */
interface IndexStats {
  index: OpenIndex;
  shards: ShardStats[];
  sum: Stats;
}

/** Reads the stats of the shards of an index on this node. */
export async function readStats(engine: Engine, index: OpenIndex): Promise<IndexStats> {
  const shards = await statsOf(index, engine);
  return { index, shards, sum: total(shards.map(({ stats }) => stats)) };
}

async function copiesOfAll(engine: Engine, { path, query }: RoutedRequest): Promise<IndexCopies[]> {
  return allCopies(engine, engine.resolve(path.index, nameOptions(query, DOCUMENT_CALL), 'metadata_read'));
}

async function indexStats(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const { path, query } = request;
  const level = query.get('level') ?? 'indices';
  const all = await copiesOfAll(engine, request);
  const details = detailsOf(query);
  const metrics = (stats: Stats): Metrics => chosenMetrics(metricsOf(stats, details), path.metric);
  const both = (primaries: Stats, sum: Stats) => ({ primaries: metrics(primaries), total: metrics(sum) });
  const perIndex = (each: IndexCopies): Json => ({
    ...both(each.primaries, each.sum),
    shards: level === 'shards' ? byShard(each, (copy) => copyStats(copy, metrics)) : undefined,
  });
  const header = { _shards: headerOf(all) };
  if (!['cluster', 'indices', 'shards'].includes(level.toLowerCase())) return answer(request, 200, header);
  return answer(request, 200, {
    ...header,
    _all: both(total(all.map(({ primaries }) => primaries)), total(all.map(({ sum }) => sum))),
    indices:
      level === 'cluster'
        ? undefined
        : Object.fromEntries(all.map((each) => [each.index.name, perIndex(each)])),
  });
}

/** How many copies have told of themselves; those that are nowhere, or don't answer, count as shards alone, as in 1.7. */
function headerOf(all: readonly IndexCopies[]): Json {
  let total = 0;
  let successful = 0;
  for (const { index, copies } of all) {
    total += Math.max(copies.length, index.shards.length * (1 + index.metadata.settings.replicas));
    successful += copies.length - index.shards.filter(({ gone }) => gone !== undefined).length;
  }
  return { total, successful, failed: 0 };
}

/** What is shown of the copies of each shard, by its number. */
function byShard({ index, copies }: IndexCopies, show: (copy: CopyStats) => Json): Json {
  const shown = new Map(index.shards.map(({ number }): [string, Json[]] => [String(number), []]));
  for (const copy of copies) shown.get(String(copy.number))!.push(show(copy));
  return Object.fromEntries([...shown].filter(([, each]) => each.length > 0));
}

/** The stats of a copy, with where it is. */
export function copyStats(copy: CopyStats, metrics: (stats: Stats) => Metrics): Json {
  const { node, isPrimary, isActive, stats = total([]) } = copy;
  return {
    routing: { state: 'STARTED', primary: isPrimary, node, relocating_node: null },
    ...metrics(stats),
    commit: {
      generation: stats.counters.flushes + 1,
      user_data: commitData(copy, stats),
      num_docs: stats.documents,
    },
    ...(isActive ? {} : { state: 'FAILED' }),
  };
}

/** What a commit of 1.7 says beside its segments: its translog, and the mark of a synced flush. */
function commitData({ syncId, opened }: CopyStats, { counters }: Stats): Json {
  const data = { translog_id: String(opened + counters.flushes) };
  return syncId === undefined ? data : { ...data, sync_id: syncId };
}

async function segments(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const all = await copiesOfAll(engine, request);
  const show = ({ node, isPrimary, stats }: CopyStats): Json => {
    const each = stats?.segments ?? [];
    const committed = stats?.uncheckpointed === 0;
    return {
      routing: { state: 'STARTED', primary: isPrimary, node },
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
    _shards: headerOf(all),
    indices: Object.fromEntries(all.map((each) => [each.index.name, { shards: byShard(each, show) }])),
  });
}

async function status(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const all = await copiesOfAll(engine, request);
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
  const indices = all.map((each) => {
    const { index, primaries, sum } = each;
    const show = ({ number, node, isPrimary, stats = total([]) }: CopyStats): Json => {
      const { translog, ...rest } = common(stats);
      return {
        routing: {
          state: 'STARTED',
          primary: isPrimary,
          node,
          relocating_node: null,
          shard: number,
          index: index.name,
        },
        state: 'STARTED',
        index: { size_in_bytes: stats.storeBytes },
        translog: { id: index.shards[number]!.uid, ...translog },
        ...rest,
      };
    };
    const size = { primary_size_in_bytes: primaries.storeBytes, size_in_bytes: sum.storeBytes };
    // 1.7 sums up documents over primaries, all else over all copies.
    const { docs } = common(primaries);
    return [index.name, { index: size, ...common(sum), docs, shards: byShard(each, show) }] as const;
  });
  return answer(request, 200, { _shards: headerOf(all), indices: Object.fromEntries(indices) });
}

async function recovery(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const { path, query, node: names } = request;
  const indices = engine.resolve(path.index, nameOptions(query, DOCUMENT_CALL), 'metadata_read');
  const isActive = flag(query, 'active_only');
  const isDetailed = flag(query, 'detailed');
  const all = await allRecoveries(engine, names, indices);
  const shown = all.flatMap(({ index, recoveries }) => {
    const chosen = recoveries.filter(({ stage }) => stage !== 'DONE' || !isActive);
    if (chosen.length === 0 && isActive) return [];
    return [[index.name, { shards: chosen.map((each) => recoveryJson(each, isDetailed)) }]];
  });
  return answer(request, 200, Object.fromEntries(shown));
}
