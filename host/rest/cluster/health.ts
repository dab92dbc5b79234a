/** The health of the cluster and its indices, and waiting for it. */
import { ElasticsearchError, indexMissing } from '../../errors.js';
import type { Engine } from '../../engine/engine.js';
import type { OpenIndex } from '../../metadata/openIndex.js';
import type { Json } from '../json.js';
import { dataNodeCount, nodeCount } from './elsewhere.js';
import { int, json, millis, type RestResponse, type RoutedRequest } from '../request.js';

const STATUSES = ['green', 'yellow', 'red'];
const RED = 2;
const STATUS_ENUM = 'action.admin.cluster.health.ClusterHealthStatus';
const PRIORITIES = ['immediate', 'urgent', 'high', 'normal', 'low', 'languid'];
const PRIORITY_ENUM = 'common.Priority';
/** Whoever waits looks again after so many milliseconds. */
const LOOK_MS = 50;

/** How many shards are in which state. */
export interface Health {
  status: string;
  primaries: number;
  active: number;
  initializing: number;
  unassigned: number;
}

/**
 * The health of an index: green with every copy active, yellow where replicas have no other node to live on, red where a shard is out or the
 * index takes no writes. Nodes of a cluster have a copy of every shard; others count as active when they have joined.
 */
export function healthOf(engine: Engine, index: OpenIndex): Health {
  const { shards, metadata } = index;
  const others = nodeCount(engine) - 1;
  const initializing = shards.filter((shard) => shard.opening).length;
  const primaries = shards.filter((shard) => shard.active && !shard.opening).length;
  const active = primaries + others * shards.length;
  const unassigned = Math.max(0, shards.length * (1 + metadata.settings.replicas) - active - initializing);
  const isOut = primaries < shards.length || engine.replication?.failureOf(index) !== undefined;
  const status = isOut ? 'red' : unassigned > 0 ? 'yellow' : 'green';
  return { status, primaries, active, initializing, unassigned };
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

/** Answers with the health of indices, when it is what a request waits for, or the request has waited long enough. */
export async function clusterHealth(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const { query, path, limit, node } = request;
  millis(query, 'master_timeout', 30_000);
  const patience = millis(query, 'timeout', 30_000);
  const waits = readWaits(query);
  const ends = engine.now() + patience;
  let view = lookAt(engine, path.index);
  let left = patience;
  while (!waits(view) && left > 0 && limit.mayWait) {
    await engine.pause(Math.min(left, LOOK_MS));
    view = lookAt(engine, path.index);
    left = ends - engine.now();
  }
  const { indices, sum, status } = view;
  const level = query.get('level');
  return json(request, 200, {
    cluster_name: node.cluster,
    status: STATUSES[status]!,
    timed_out: !waits(view),
    number_of_nodes: nodeCount(engine),
    number_of_data_nodes: dataNodeCount(engine),
    active_primary_shards: sum.primaries,
    active_shards: sum.active,
    relocating_shards: 0,
    initializing_shards: sum.initializing,
    unassigned_shards: sum.unassigned,
    delayed_unassigned_shards: 0,
    number_of_pending_tasks: 0,
    number_of_in_flight_fetch: 0,
    indices:
      level === 'indices' || level === 'shards'
        ? indexHealth(engine, indices, level === 'shards')
        : undefined,
  });
}

/** What a request sees of some indices. */
interface View {
  /** Those of them that are there, and open. */
  indices: readonly OpenIndex[];
  /** Others are not there. */
  missing: boolean;
  /** The worst of them, as a place in {@link STATUSES}. */
  status: number;
  /** How many nodes there are. */
  nodes: number;
  /** Shards of all. */
  sum: Omit<Health, 'status'>;
}

function lookAt(engine: Engine, expression: string | undefined): View {
  const found = engine.resolve(expression, { ignoreUnavailable: true });
  const indices = found.filter(({ closed }) => !closed);
  const missing = expression !== undefined && isMissing(engine, expression);
  const sum = { primaries: 0, active: 0, initializing: 0, unassigned: 0 };
  // What can't be written is as good as out.
  let status = missing || engine.storeFailure !== undefined ? RED : 0;
  for (const health of indices.map((index) => healthOf(engine, index))) {
    status = Math.max(status, STATUSES.indexOf(health.status));
    sum.primaries += health.primaries;
    sum.active += health.active;
    sum.initializing += health.initializing;
    sum.unassigned += health.unassigned;
  }
  return { indices, missing, status, nodes: nodeCount(engine), sum };
}

/** Whether a name is of no index. */
function isMissing(engine: Engine, expression: string): boolean {
  try {
    engine.resolve(expression, { expandClosed: true });
    return false;
  } catch (e) {
    if (!(e instanceof ElasticsearchError) || e.exception !== indexMissing('').exception) throw e;
    return true;
  }
}

/** Whether what is seen is what a request waits for. Names of missing indices are waited for always. */
function readWaits(query: ReadonlyMap<string, string>): (view: View) => boolean {
  const wanted = query.get('wait_for_status')?.toLowerCase();
  if (wanted !== undefined && !STATUSES.includes(wanted)) throw noConstant(STATUS_ENUM, wanted);
  const worst = wanted === undefined ? RED : STATUSES.indexOf(wanted);
  // -1 waits for nothing; no shard is ever on its way.
  const moving = int(query, 'wait_for_relocating_shards') ?? -1;
  const running = int(query, 'wait_for_active_shards') ?? -1;
  // Whatever was changed before is seen.
  const events = query.get('wait_for_events')?.toLowerCase();
  if (events !== undefined && !PRIORITIES.includes(events)) throw noConstant(PRIORITY_ENUM, events);
  const areEnough = nodesWanted(query.get('wait_for_nodes'));
  return ({ missing, status, nodes, sum }) =>
    areEnough(nodes) && !missing && moving >= -1 && status <= worst && sum.active >= running;
}

/** Whether so many nodes satisfy `wait_for_nodes`. */
function nodesWanted(text: string | undefined): (nodes: number) => boolean {
  if (text === undefined || text === '') return () => true;
  const operator = /^(>=|<=|>|<|[gl][et]\()/.exec(text)?.[0] ?? '';
  const number = text.slice(operator.length, operator.endsWith('(') ? -1 : undefined);
  if (!/^[+-]?\d{1,10}$/.test(number))
    throw new ElasticsearchError('NumberFormatException', `For input string: "${number}"`, { status: 500 });
  const n = Number(number);
  switch (operator) {
    case '>=':
    case 'ge(':
      return (nodes) => nodes >= n;
    case '<=':
    case 'le(':
      return (nodes) => nodes <= n;
    case '>':
    case 'gt(':
      return (nodes) => nodes > n;
    case '<':
    case 'lt(':
      return (nodes) => nodes < n;
    default:
      return (nodes) => nodes === n;
  }
}

/** 500: a word that is none of a list. */
function noConstant(list: string, word: string): ElasticsearchError {
  const detail = `No enum constant org.elasticsearch.${list}.${word.toUpperCase()}`;
  return new ElasticsearchError('IllegalArgumentException', detail);
}

function indexHealth(engine: Engine, indices: readonly OpenIndex[], shards: boolean): Json {
  const others = nodeCount(engine) - 1;
  return Object.fromEntries(
    indices.map((index) => {
      const { status, primaries, active, initializing, unassigned } = healthOf(engine, index);
      const { replicas } = index.metadata.settings;
      const counts = { relocating_shards: 0, initializing_shards: initializing };
      const shardHealth = (up: boolean, opening: boolean): Json => ({
        status: !up ? 'red' : replicas > others ? 'yellow' : 'green',
        primary_active: up,
        active_shards: others + (up ? 1 : 0),
        relocating_shards: 0,
        initializing_shards: opening ? 1 : 0,
        unassigned_shards: Math.max(0, replicas - others) + (up || opening ? 0 : 1),
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
