/** `_cluster/stats`: what all indices and all nodes come to together. */
import type { Engine } from '../../engine/engine.js';
import { total } from '../../engine/stats.js';
import { isObject } from '../../json/values.js';
import type { Endpoint } from '../endpoint.js';
import { Float, type Json } from '../json.js';
import { humanJson, type RestResponse, type RoutedRequest } from '../request.js';
import { allCopies } from './copyStats.js';
import { nodesOf } from './elsewhere.js';
import { healthOf } from './health.js';
import { metricsOf } from './metrics.js';
import { WIRE_VERSION } from './node.js';

const decoder = new TextDecoder();

/** What of nodes is summed up: what they are, and what they do. */
const INFO = 'os,jvm';
const STATS = 'os,process,jvm,fs';

/** What monitoring tools read where nothing is known. */
const NO_DISK = {
  total_in_bytes: 0,
  free_in_bytes: 0,
  available_in_bytes: 0,
  disk_reads: 0,
  disk_writes: 0,
  disk_io_op: 0,
  disk_read_size_in_bytes: 0,
  disk_write_size_in_bytes: 0,
  disk_io_size_in_bytes: 0,
};

/** Parts of `_nodes` or `_nodes/stats` of this node, by the metrics of a comma list. */
export type ShowNode = (engine: Engine, request: RoutedRequest, metrics: string) => Promise<Json> | Json;

/** The handler, over what shows this node. */
export function clusterStats(info: ShowNode, stats: ShowNode): Endpoint['handler'] {
  return async (engine, request) => {
    const [infos, doings] = await Promise.all([
      ofAllNodes(engine, request, `/_nodes/${INFO}`, info(engine, request, INFO)),
      ofAllNodes(engine, request, `/_nodes/stats/${STATS}`, stats(engine, request, STATS)),
    ]);
    return answerStats(engine, request, infos, doings);
  };
}

/** What nodes tell of themselves at a path, by their ids; those that don't answer are left out. */
async function ofAllNodes(
  engine: Engine,
  { node }: RoutedRequest,
  path: string,
  own: Json | Promise<Json>,
): Promise<Map<string, Reading>> {
  const others = node.isAsked === true ? [] : ((await engine.replication?.elsewhere(path)) ?? []);
  const found = new Map([[engine.nodeId, new Reading(await own)]]);
  for (const bytes of others) {
    const { nodes } = JSON.parse(decoder.decode(bytes)) as { nodes?: unknown };
    for (const [id, each] of Object.entries(isObject(nodes) ? nodes : {})) found.set(id, new Reading(each));
  }
  return found;
}

/** An answer whose shape isn't trusted, as another node has sent it. */
class Reading {
  readonly #value: unknown;

  constructor(value: unknown) {
    this.#value = value;
  }

  at(path: string): unknown {
    let value = this.#value;
    for (const name of path.split('.'))
      value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
    return value;
  }

  /** 0 for what is no number. */
  number(path: string): number {
    const value = this.at(path);
    return typeof value === 'number' ? value : 0;
  }

  text(path: string): string {
    return String(this.at(path) ?? '');
  }
}

async function answerStats(
  engine: Engine,
  request: RoutedRequest,
  infos: ReadonlyMap<string, Reading>,
  stats: ReadonlyMap<string, Reading>,
): Promise<RestResponse> {
  const open = engine.cluster.all().filter(({ closed }) => !closed);
  const statuses = ['green', 'yellow', 'red'];
  const worst = Math.max(0, ...open.map((index) => statuses.indexOf(healthOf(engine, index).status)));
  return humanJson(request, 200, {
    timestamp: engine.now(),
    cluster_name: request.node.cluster,
    status: statuses[worst]!,
    indices: await ofIndices(engine),
    nodes: ofNodes(engine, request, [...infos.values()], [...stats.values()]),
  });
}

/** Documents count once, whatever else counts for each copy, as in 1.7. */
async function ofIndices(engine: Engine): Promise<Json> {
  const open = engine.cluster.all().filter(({ closed }) => !closed);
  const health = open.map((index) => healthOf(engine, index));
  const active = health.map((each) => each.active);
  const primaries = health.map((each) => each.primaries);
  const replication = active.map((all, i) => (primaries[i] === 0 ? 0 : all / primaries[i]! - 1));
  const all = sum(active);
  const first = sum(primaries);
  const copies = await allCopies(engine, open);
  const sums = total(copies.map((each) => each.sum));
  sums.counters.add(engine.past);
  const { store, fielddata, filter_cache, id_cache, completion, segments, percolate } = metricsOf(sums);
  return {
    count: open.length,
    shards:
      open.length === 0
        ? {}
        : {
            total: all,
            primaries: first,
            replication: new Float(first === 0 ? 0 : all / first - 1),
            index: {
              shards: spread(active),
              primaries: spread(primaries),
              replication: spread(replication),
            },
          },
    docs: metricsOf(total(copies.map((each) => each.primaries))).docs!,
    store: store!,
    fielddata: fielddata!,
    filter_cache: filter_cache!,
    id_cache: id_cache!,
    completion: completion!,
    segments: segments!,
    percolate: percolate!,
  };
}

function ofNodes(
  engine: Engine,
  { node }: RoutedRequest,
  infos: readonly Reading[],
  stats: readonly Reading[],
): Json {
  const nodes = nodesOf(engine, node);
  const data = nodes.filter((each) => each.data).length;
  // As 1.7 does: machines and their disks count once, however many nodes an address has.
  const machines = firstOfEach(infos, (info) => info.text('ip'));
  const disks = firstOfEach(stats, (each) => each.text('transport_address').replace(/:\d+\]$/, ''));
  const files = stats
    .map((each) => each.number('process.open_file_descriptors'))
    .filter((count) => count > 0);
  const add = (all: readonly Reading[], path: string) => sum(all.map((each) => each.number(path)));
  return {
    count: {
      total: nodes.length,
      master_only: 0,
      data_only: 0,
      master_data: data,
      client: nodes.length - data,
    },
    versions: [WIRE_VERSION],
    os: {
      available_processors: add(machines, 'os.available_processors'),
      mem: { total_in_bytes: add(machines, 'os.mem.total_in_bytes') },
      cpu: counted(machines.map((each) => each.at('os.cpu'))),
    },
    process: {
      cpu: { percent: add(stats, 'process.cpu.percent') },
      open_file_descriptors:
        files.length === 0
          ? { min: -1, max: -1, avg: -1 }
          : {
              min: Math.min(...files),
              max: Math.max(...files),
              avg: Math.trunc(sum(files) / files.length),
            },
    },
    jvm: {
      max_uptime_in_millis: Math.max(0, ...stats.map((each) => each.number('jvm.uptime_in_millis'))),
      versions: counted(
        infos.map((each) => ({
          version: each.text('jvm.version'),
          vm_name: each.text('jvm.vm_name'),
          vm_version: each.text('jvm.vm_version'),
          vm_vendor: each.text('jvm.vm_vendor'),
        })),
      ),
      mem: {
        heap_used_in_bytes: add(stats, 'jvm.mem.heap_used_in_bytes'),
        heap_max_in_bytes: add(stats, 'jvm.mem.heap_max_in_bytes'),
      },
      threads: add(stats, 'jvm.threads.count'),
    },
    fs: Object.fromEntries(Object.keys(NO_DISK).map((name) => [name, add(disks, `fs.total.${name}`)])),
    plugins: [],
  };
}

/** Each object once, with how many there are of it. */
function counted(all: readonly unknown[]): Json {
  const counts = new Map<string, number>();
  for (const each of all.map((value) => JSON.stringify(value ?? {})))
    counts.set(each, (counts.get(each) ?? 0) + 1);
  return [...counts].map(([text, count]) => ({ ...(JSON.parse(text) as Record<string, Json>), count }));
}

function firstOfEach(all: readonly Reading[], key: (each: Reading) => string): Reading[] {
  const found = new Map<string, Reading>();
  for (const each of all) if (!found.has(key(each))) found.set(key(each), each);
  return [...found.values()];
}

function sum(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0);
}

function spread(values: readonly number[]): Json {
  return {
    min: values.length === 0 ? 0 : Math.min(...values),
    max: Math.max(0, ...values),
    avg: new Float(values.length === 0 ? 0 : sum(values) / values.length),
  };
}
