/** The root, the cluster's health. */
import { ElasticsearchError, indexMissing } from '../errors.js';
import type { Engine } from '../index/engine.js';
import { nameOptions } from '../index/names.js';
import type { OpenIndex } from '../index/openIndex.js';
import type { Json } from './json.js';
import { build, type NodeNames, WIRE_VERSION } from './node.js';
import { int, json, millis, type RestResponse, type RoutedRequest, text } from './request.js';
import type { Route } from './router.js';

const STATUSES = ['green', 'yellow', 'red'];
const STATUS_ENUM = 'action.admin.cluster.health.ClusterHealthStatus';
const PRIORITIES = ['immediate', 'urgent', 'high', 'normal', 'low', 'languid'];
const PRIORITY_ENUM = 'common.Priority';

/** The routes of this family. */
export function clusterRoutes(engine: Engine, names: NodeNames): Route[] {
  const health = (request: RoutedRequest) => clusterHealth(engine, names, request);
  return [
    ['GET', '/', 'known', (request) => json(request, 200, root(names), true)],
    ['HEAD', '/', 'known', () => text(200)],
    ['GET', '/_cluster/health', 'look', health],
    ['GET', '/_cluster/health/{index}', 'look', health],
  ];
}

function root({ node, cluster, version }: NodeNames): Json {
  return {
    status: 200,
    name: node,
    cluster_name: cluster,
    version: {
      number: WIRE_VERSION,
      build_hash: build(version),
      build_timestamp: '2015-10-15T12:09:00Z',
      build_snapshot: false,
      lucene_version: '4.10.4',
    },
    tagline: 'You Know, for Search',
  };
}

export interface Health {
  status: string;
  primaries: number;
  active: number;
  initializing: number;
  unassigned: number;
}

/** The health of an index: green with every copy active, yellow where replicas have no second node to live on, red where a shard is out. */
export function healthOf({ shards, metadata }: OpenIndex): Health {
  const initializing = shards.filter((shard) => shard.opening).length;
  const active = shards.filter((shard) => shard.active && !shard.opening).length;
  const unassigned = shards.length * (1 + metadata.settings.replicas) - active - initializing;
  const status = active < shards.length ? 'red' : unassigned > 0 ? 'yellow' : 'green';
  return { status, primaries: active, active, initializing, unassigned };
}

/** Why copies of an index's shards live nowhere, and since when, in milliseconds since 1970. */
export function unassignedSince(
  { started }: Engine,
  { metadata }: OpenIndex,
): { reason: string; at: number } {
  return metadata.created < started
    ? { reason: 'CLUSTER_RECOVERED', at: started }
    : { reason: 'INDEX_CREATED', at: metadata.created };
}

async function clusterHealth(
  engine: Engine,
  { cluster }: NodeNames,
  request: RoutedRequest,
): Promise<RestResponse> {
  const { query, path } = request;
  millis(query, 'master_timeout', 30_000);
  const patience = millis(query, 'timeout', 30_000);
  const wanted = query.get('wait_for_status')?.toLowerCase();
  if (wanted !== undefined && !STATUSES.includes(wanted)) throw noConstant(STATUS_ENUM, wanted);
  const moving = int(query, 'wait_for_relocating_shards') ?? -1;
  const running = int(query, 'wait_for_active_shards') ?? -1;
  const events = query.get('wait_for_events')?.toLowerCase();
  if (events !== undefined && !PRIORITIES.includes(events)) throw noConstant(PRIORITY_ENUM, events);
  const nodes = nodesWanted(query.get('wait_for_nodes'));
  if (wanted !== undefined && engine.cluster.opening) await engine.readyWithin(path.index, patience);
  let indices: OpenIndex[] = [];
  let missing = false;
  try {
    indices = engine.resolve(path.index, nameOptions(query)).filter(({ closed }) => !closed);
  } catch (e) {
    if (!(e instanceof ElasticsearchError) || e.exception !== indexMissing('').exception) throw e;
    missing = true;
  }
  const each = indices.map(healthOf);
  const sum = (of: (health: Health) => number) => each.reduce((total, health) => total + of(health), 0);
  const worst = each.reduce((most, { status }) => Math.max(most, STATUSES.indexOf(status)), missing ? 2 : 0);
  const timedOut =
    missing ||
    (wanted !== undefined && worst > STATUSES.indexOf(wanted)) ||
    moving < -1 ||
    running > sum((health) => health.active) ||
    !nodes;
  const level = query.get('level');
  return json(request, 200, {
    cluster_name: cluster,
    status: STATUSES[worst]!,
    timed_out: timedOut,
    number_of_nodes: 1,
    number_of_data_nodes: 1,
    active_primary_shards: sum((health) => health.primaries),
    active_shards: sum((health) => health.active),
    relocating_shards: 0,
    initializing_shards: sum((health) => health.initializing),
    unassigned_shards: sum((health) => health.unassigned),
    delayed_unassigned_shards: 0,
    number_of_pending_tasks: 0,
    number_of_in_flight_fetch: 0,
    indices: level === 'indices' || level === 'shards' ? indexHealth(indices, level === 'shards') : undefined,
  });
}

/** Whether one node satisfies `wait_for_nodes`. */
function nodesWanted(text: string | undefined): boolean {
  if (text === undefined || text === '') return true;
  const operator = /^(>=|<=|>|<|[gl][et]\()/.exec(text)?.[0] ?? '';
  const number = text.slice(operator.length, operator.endsWith('(') ? -1 : undefined);
  if (!/^[+-]?\d{1,10}$/.test(number))
    throw new ElasticsearchError('NumberFormatException', `For input string: "${number}"`, { status: 500 });
  const n = Number(number);
  switch (operator) {
    case '>=':
    case 'ge(':
      return 1 >= n;
    case '<=':
    case 'le(':
      return 1 <= n;
    case '>':
    case 'gt(':
      return 1 > n;
    case '<':
    case 'lt(':
      return 1 < n;
    default:
      return n === 1;
  }
}

/** 500: a word that is none of a list. */
function noConstant(list: string, word: string): ElasticsearchError {
  const detail = `No enum constant org.elasticsearch.${list}.${word.toUpperCase()}`;
  return new ElasticsearchError('IllegalArgumentException', detail);
}

function indexHealth(indices: readonly OpenIndex[], shards: boolean): Json {
  return Object.fromEntries(
    indices.map((index) => {
      const { status, primaries, active, initializing, unassigned } = healthOf(index);
      const { replicas } = index.metadata.settings;
      const counts = { relocating_shards: 0, initializing_shards: initializing };
      const shardHealth = (up: boolean, opening: boolean): Json => ({
        status: !up ? 'red' : replicas > 0 ? 'yellow' : 'green',
        primary_active: up,
        active_shards: up ? 1 : 0,
        relocating_shards: 0,
        initializing_shards: opening ? 1 : 0,
        unassigned_shards: replicas + (up || opening ? 0 : 1),
      });
      return [
        index.name,
        {
          status,
          number_of_shards: index.shards.length,
          number_of_replicas: replicas,
          active_primary_shards: primaries,
          active_shards: active,
          ...counts,
          unassigned_shards: unassigned,
          shards: shards
            ? Object.fromEntries(
                index.shards.map((shard) => [
                  String(shard.number),
                  shardHealth(shard.active && !shard.opening, shard.opening),
                ]),
              )
            : undefined,
        },
      ];
    }),
  );
}
