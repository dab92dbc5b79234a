/** Nodes: what this one is, what it does, and the cluster's stats. */

import type { Engine } from '../../engine/engine.js';
import { type Stats, total } from '../../engine/stats.js';
import { ElasticsearchError } from '../../errors.js';
import type { BreakerStats } from '../../limits/breakers.js';
import { POOLS, type PoolStats } from '../../limits/threadPools.js';
import { isObject } from '../../json/values.js';
import { isFalse } from '../../numbers/javaBooleans.js';
import { sizeText } from '../../settings/sizes.js';
import { wildcard } from '../../text/wildcard.js';
import { type EndpointGroup, STATISTICS } from '../endpoint.js';
import { copyStats, readStats } from '../indices/statistics.js';
import { Float, type Json } from '../json.js';
import { humanJson, int, millis, type RestResponse, type RoutedRequest, text } from '../request.js';
import { clusterStats } from './clusterStats.js';
import { ownCopy, ownDistantWork } from './copyStats.js';
import { attributesOf, elsewhere, masterOf, textsElsewhere } from './elsewhere.js';
import { chosenMetrics, type Details, detailsOf, type Metrics, metricsOf } from './metrics.js';
import {
  httpAddress,
  NO_PLATFORM,
  type NodeNames,
  SHORT_BUILD,
  transportAddress,
  WIRE_VERSION,
} from './node.js';
import { fsStats, networkStats, osStats, processStats, runtimeStats } from './platformStats.js';

const INFO = ['settings', 'os', 'process', 'jvm', 'thread_pool', 'network', 'transport', 'http', 'plugins'];
const STATS = [
  'indices',
  'os',
  'process',
  'jvm',
  'thread_pool',
  'network',
  'fs',
  'transport',
  'http',
  'breaker',
];

/** How far the stats of indices are told apart. */
const LEVELS = ['node', 'indices', 'shards'];

const SHOW = {
  methods: ['GET'],
  privilege: 'cluster:monitor',
  pool: 'management',
  readOnly: true,
  duringRecovery: true,
} as const;

export const nodeEndpoints: EndpointGroup = {
  name: 'Nodes',
  purpose: 'What the node is and does.',
  tag: 'common',
  endpoints: [
    {
      ...SHOW,
      paths: ['/_nodes', '/_nodes/{nodes}', '/_nodes/{nodes}/{metrics}', '/_nodes/{nodes}/info/{metrics}'],
      action: 'cluster:monitor/nodes/info',
      parameters: [],
      ignored: ['flat_settings', 'timeout'],
      handler: nodesInfo,
    },
    {
      ...SHOW,
      paths: ['/_cluster/stats', '/_cluster/stats/nodes/{nodes}'],
      action: 'cluster:monitor/stats',
      counted: true,
      parameters: [],
      ignored: ['flat_settings', 'timeout'],
      handler: clusterStats(
        (engine, { node }, metrics) => nodeInfo(engine, node, metrics.split(',')),
        (engine, { node }, metrics) => nodeStats(engine, node, metrics.split(','), undefined, new Map()),
      ),
    },
    {
      ...SHOW,
      paths: ['/_nodes', '/_nodes/{nodes}'].flatMap((place) => [
        `${place}/stats`,
        `${place}/stats/{metrics}`,
        `${place}/stats/{metrics}/{indices}`,
      ]),
      action: 'cluster:monitor/nodes/stats',
      counted: true,
      parameters: ['level', ...STATISTICS],
      ignored: ['timeout'],
      handler: nodesStats,
    },
    {
      ...SHOW,
      paths: ['/_nodes', '/_nodes/{nodes}', '/_cluster/nodes', '/_cluster/nodes/{nodes}'].flatMap((place) => [
        `${place}/hot_threads`,
        `${place}/hotthreads`,
      ]),
      action: 'cluster:monitor/nodes/hot_threads',
      parameters: ['type', 'interval', 'snapshots', 'threads'],
      ignored: ['ignore_idle_threads', 'timeout'],
      handler: hotThreads,
    },
    {
      methods: ['POST'],
      paths: ['/_shutdown', '/_cluster/nodes/_shutdown', '/_cluster/nodes/{nodes}/_shutdown'],
      privilege: 'cluster:manage',
      action: 'cluster:admin/nodes/shutdown',
      pool: 'management',
      parameters: [],
      duringRecovery: true,
      handler: refuseShutdown,
    },
  ],
};

/** What 1.7 says where it is told not to be shut down by requests: here any page could send one. */
function refuseShutdown(): never {
  throw new ElasticsearchError('ElasticsearchIllegalStateException', 'Shutdown is disabled');
}

/** Whether a comma list of ids, names, addresses, patterns and kinds of nodes means this node. */
export function isMeant(
  engine: Engine,
  { node, platform = NO_PLATFORM, isAsked = false }: NodeNames,
  list: string | undefined,
): boolean {
  if (list === undefined || list === '') return true;
  const own = [engine.nodeId, node, platform.ip, platform.host];
  const hasData = engine.replication?.hasData !== false;
  let found = false;
  for (const each of list.split(',')) {
    const [, name, value = ''] = /^([^:]*):(.*)$/.exec(each) ?? [];
    // What has data may be a master. Such kinds add their nodes, or take them out again; other attributes add.
    if (name === 'data' || name === 'master') found = hasData ? !isFalse(value) : found;
    else if (name !== undefined) found ||= hasAttribute(ownAttributes(engine), name, value);
    else if (each === '_local') found ||= !isAsked;
    else if (each === '_master') found ||= masterOf(engine) === engine.nodeId;
    else if (each === '_all' || own.some(wildcard(each))) found = true;
  }
  return found;
}

function ownAttributes({ replication }: Engine): Record<string, string> {
  if (replication === undefined) return {};
  return attributesOf({ data: replication.hasData, attributes: replication.attributes });
}

/** The attributes of this node, if it has any. */
function shownAttributes(engine: Engine): { attributes?: Record<string, string> } {
  const attributes = ownAttributes(engine);
  return Object.keys(attributes).length === 0 ? {} : { attributes };
}

/** Whether one of a node's attributes has such a name and such a value, both patterns. */
function hasAttribute(attributes: Readonly<Record<string, string>>, name: string, value: string): boolean {
  const [isNamed, isValue] = [wildcard(name), wildcard(value)];
  return Object.entries(attributes).some(([key, each]) => isNamed(key) && isValue(each));
}

async function nodesInfo(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const names = request.node;
  let { nodes, metrics } = request.path;
  // A lone part is the names of metrics if it can be.
  if (metrics === undefined && nodes?.split(',').every((each) => INFO.includes(each))) {
    metrics = nodes;
    nodes = undefined;
  }
  const wanted = metrics === undefined || metrics === '_all' ? INFO : metrics.split(',');
  const node = isMeant(engine, names, nodes) ? { [engine.nodeId]: nodeInfo(engine, names, wanted) } : {};
  const all = { ...node, ...(await nodesElsewhere(engine, request, nodes)) };
  return humanJson(request, 200, { cluster_name: names.cluster, nodes: all });
}

/** What other nodes tell of themselves. */
async function nodesElsewhere(
  engine: Engine,
  request: RoutedRequest,
  nodes: string | undefined,
): Promise<Record<string, Json>> {
  if (nodes === '_local') return {};
  const others = await elsewhere(engine, request);
  return Object.assign({}, ...others.map((each) => (isObject(each) ? each.nodes : {})));
}

function nodeInfo(engine: Engine, names: NodeNames, wanted: readonly string[]): Json {
  const { platform = NO_PLATFORM } = names;
  const { total: memory, heapMax } = platform.memory();
  const http = httpAddress(names);
  const transport = transportAddress(names);
  const started = Date.now() - Math.round(platform.uptime().process * 1000);
  const parts: Record<string, () => Json> = {
    settings: () => ({ name: names.node, cluster: { name: names.cluster }, client: { type: 'node' } }),
    os: () => ({
      refresh_interval_in_millis: 1000,
      available_processors: platform.processors,
      cpu: cpuOf(names),
      mem: { total_in_bytes: memory },
      swap: { total_in_bytes: platform.swap().total },
    }),
    process: () => ({
      refresh_interval_in_millis: 1000,
      id: platform.pid,
      max_file_descriptors: platform.maxFiles(),
      mlockall: false,
    }),
    jvm: () => ({
      pid: platform.pid,
      version: platform.runtime.version,
      vm_name: platform.runtime.name,
      vm_version: platform.runtime.version,
      vm_vendor: platform.runtime.name,
      start_time_in_millis: started,
      mem: {
        heap_init_in_bytes: 0,
        heap_max_in_bytes: heapMax,
        non_heap_init_in_bytes: 0,
        non_heap_max_in_bytes: 0,
        direct_max_in_bytes: heapMax,
      },
      gc_collectors: [],
      memory_pools: [],
    }),
    thread_pool: () => Object.fromEntries(POOLS.map((pool) => [pool, poolInfo(engine.pools.stats(pool))])),
    network: () => ({
      refresh_interval_in_millis: 5000,
      primary_interface: { address: platform.ip, name: '', mac_address: '' },
    }),
    transport: () => ({ bound_address: transport, publish_address: transport, profiles: {} }),
    http: () => ({
      bound_address: http,
      publish_address: http,
      max_content_length_in_bytes: names.maxBody ?? 104_857_600,
    }),
    plugins: () =>
      (names.plugins ?? []).map(({ name, version, description, url }) => ({
        name,
        version,
        description,
        url,
        jvm: false,
        site: true,
      })),
  };
  return {
    name: names.node,
    transport_address: transport,
    host: platform.host,
    ip: platform.ip,
    version: WIRE_VERSION,
    build: SHORT_BUILD,
    http_address: http,
    ...shownAttributes(engine),
    ...Object.fromEntries(
      wanted.flatMap((part) => (Object.hasOwn(parts, part) ? [[part, parts[part]!()]] : [])),
    ),
  };
}

function cpuOf({ platform = NO_PLATFORM }: NodeNames): Record<string, Json> {
  const { cpu, processors } = platform;
  return {
    vendor: '',
    model: cpu.model,
    mhz: cpu.mhz,
    total_cores: processors,
    total_sockets: 1,
    cores_per_socket: processors,
    cache_size_in_bytes: 0,
  };
}

async function nodesStats(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const names = request.node;
  const { nodes, metrics, indices } = request.path;
  const wanted = metrics === undefined || metrics === '_all' ? STATS : metrics.split(',');
  const node = isMeant(engine, names, nodes)
    ? { [engine.nodeId]: await nodeStats(engine, names, wanted, indices, request.query) }
    : {};
  const all = { ...node, ...(await nodesElsewhere(engine, request, nodes)) };
  return humanJson(request, 200, { cluster_name: names.cluster, nodes: all });
}

async function nodeStats(
  engine: Engine,
  names: NodeNames,
  wanted: readonly string[],
  indexMetrics: string | undefined,
  query: ReadonlyMap<string, string>,
): Promise<Json> {
  const { platform = NO_PLATFORM } = names;
  const timestamp = engine.now();
  const transport = transportAddress(names);
  const level = query.get('level') ?? 'node';
  const parts: Record<string, () => Json | Promise<Json>> = {
    indices: () => indicesStats(engine, indexMetrics, level, detailsOf(query)),
    os: () => osStats(platform, timestamp),
    process: () => processStats(platform, timestamp),
    jvm: () => runtimeStats(platform, timestamp),
    thread_pool: () =>
      Object.fromEntries(
        POOLS.map((pool) => {
          const { size, queue, active, rejected, largest, completed } = engine.pools.stats(pool);
          return [pool, { threads: size, queue, active, rejected, largest, completed }];
        }),
      ),
    network: () => networkStats(platform),
    fs: () => fsStats(platform, timestamp),
    transport: () => ({
      server_open: 0,
      rx_count: 0,
      rx_size_in_bytes: 0,
      tx_count: 0,
      tx_size_in_bytes: 0,
    }),
    http: () => {
      const { open, opened } = platform.connections();
      return { current_open: open, total_opened: opened };
    },
    breaker: () => breakers(engine),
  };
  const shown: Record<string, Json> = {};
  for (const part of wanted) {
    if (part === 'indices' && !LEVELS.includes(level.toLowerCase())) continue;
    if (Object.hasOwn(parts, part)) shown[part === 'breaker' ? 'breakers' : part] = await parts[part]!();
  }
  return {
    timestamp,
    name: names.node,
    transport_address: transport,
    host: platform.host,
    ip: [transport, 'NONE'],
    ...shownAttributes(engine),
    ...shown,
  };
}

/** Stats of all indices together, with what this node did for shards that others have; by index or by shard on request. */
export async function indicesStats(
  engine: Engine,
  list?: string,
  level?: string,
  details: Details = {},
): Promise<Metrics & { indices?: Record<string, Json>; shards?: Record<string, Json> }> {
  const open = engine.cluster.all().filter(({ closed }) => !closed);
  const all = await Promise.all(
    open.map(async (index) => {
      const { shards, sum: copies } = await readStats(engine, index);
      const work = ownDistantWork(engine, index).map(({ stats }) => stats);
      return { index, shards, sum: work.length === 0 ? copies : total([copies, ...work]) };
    }),
  );
  const sum = total(all.map((each) => each.sum));
  // What indices have done that are there no more counts on, as in 1.7.
  sum.counters.add(engine.past);
  const metrics = (stats: Stats) => chosenMetrics(metricsOf(stats, details), list);
  const shown = metrics(sum);
  if (level === 'indices')
    return {
      ...shown,
      indices: Object.fromEntries(all.map(({ index, sum: own }) => [index.name, metrics(own)])),
    };
  if (level !== 'shards') return shown;
  const shards = all.map(({ index, shards }): [string, Json] => [
    index.name,
    shards.map((each) => ({ [String(each.shard.number)]: copyStats(ownCopy(engine, index, each), metrics) })),
  ]);
  return { ...shown, shards: Object.fromEntries(shards) };
}

function poolInfo({ size, queueSize }: PoolStats): Json {
  const queue = queueSize < 0 ? -1 : queueSize % 1000 === 0 ? `${queueSize / 1000}k` : String(queueSize);
  return { type: 'fixed', min: size, max: size, queue_size: queue };
}

function breakers(engine: Engine): Json {
  const { fielddata, request, parent } = engine.breakers.stats;
  const shown = ({ limit, used, overhead, tripped }: BreakerStats): Json => ({
    limit_size_in_bytes: limit,
    limit_size: sizeText(limit),
    estimated_size_in_bytes: used,
    estimated_size: sizeText(used),
    overhead: new Float(overhead),
    tripped,
  });
  return { fielddata: shown(fielddata), request: shown(request), parent: shown(parent) };
}

async function hotThreads(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const { path, query, node: names } = request;
  int(query, 'threads');
  millis(query, 'interval');
  int(query, 'snapshots');
  const type = query.get('type') ?? 'cpu';
  if (!['cpu', 'wait', 'block'].includes(type)) return text(200);
  const { platform = NO_PLATFORM } = names;
  const head = `::: [${names.node}][${engine.nodeId}][${platform.host}][${transportAddress(names)}]`;
  const use = `${platform.cpuPercent()}% cpu usage since the start by the process`;
  const own = isMeant(engine, names, path.nodes) ? `${head}\n   ${use}\n\n` : '';
  const others = path.nodes === '_local' ? [] : await textsElsewhere(engine, request);
  return text(200, [own, ...others].join(''));
}
