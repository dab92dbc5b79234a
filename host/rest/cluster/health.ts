/** The health of the cluster and its indices, and waiting for it. */
import { ElasticsearchError, indexMissing } from '../../errors.js';
import type { Engine } from '../../engine/engine.js';
import type { OpenIndex } from '../../metadata/openIndex.js';
import type { Json } from '../json.js';
import { dataNodeCount, nodeCount } from './elsewhere.js';
import type { ShardCopy } from '../../replication/shardCopies.js';
import { shardCopies } from './shardCopies.js';
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
  /** On their way from one node to another; active too. */
  relocating: number;
  initializing: number;
  unassigned: number;
  /** Of those that are unassigned, how many wait for a node that went. */
  delayed: number;
}

const PARTS = ['primaries', 'active', 'relocating', 'initializing', 'unassigned', 'delayed'] as const;

/**
 * The health of an index: green with every copy active, yellow where some of them are nowhere or being made, red where a shard has none that could
 * be searched, or the index takes no writes.
 */
export function healthOf(engine: Engine, index: OpenIndex): Health {
  const all = shardHealths(engine, index);
  const { replication } = engine;
  const isOut = replication !== undefined && replication.takesNoWrites(index) !== undefined;
  return { ...summed(all), status: isOut ? 'red' : worstOf(all) };
}

/** The health of each shard of an index. */
function shardHealths(engine: Engine, index: OpenIndex): Health[] {
  return index.shards.map(({ number }) => {
    const copies = shardCopies(engine, index, number);
    const count = (...states: ShardCopy['state'][]) =>
      copies.filter(({ state }) => states.includes(state)).length;
    const isUp = copies.some(({ primary, state }) => primary && isActive(state));
    const active = count('STARTED', 'RELOCATING');
    return {
      status: !isUp ? 'red' : active < copies.length ? 'yellow' : 'green',
      primaries: isUp ? 1 : 0,
      active,
      relocating: count('RELOCATING'),
      initializing: count('INITIALIZING'),
      unassigned: count('UNASSIGNED'),
      delayed: copies.filter(({ left }) => left !== undefined).length,
    };
  });
}

function isActive(state: ShardCopy['state']): boolean {
  return state === 'STARTED' || state === 'RELOCATING';
}

function worstOf(all: readonly Health[]): string {
  return STATUSES[Math.max(0, ...all.map(({ status }) => STATUSES.indexOf(status)))]!;
}

function summed(all: readonly Omit<Health, 'status'>[]): Omit<Health, 'status'> {
  const sum = { primaries: 0, active: 0, relocating: 0, initializing: 0, unassigned: 0, delayed: 0 };
  for (const each of all) for (const part of PARTS) sum[part] += each[part];
  return sum;
}

/** Why a copy of an index's shards lives nowhere, and since when, in milliseconds since 1970. */
export function unassignedSince(
  { started }: Engine,
  { metadata }: OpenIndex,
  { left }: Pick<ShardCopy, 'left'> = {},
): { reason: string; at: number; details?: string } {
  if (left !== undefined) return { reason: 'NODE_LEFT', at: left.at, details: `node_left[${left.node}]` };
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
    relocating_shards: sum.relocating,
    initializing_shards: sum.initializing,
    unassigned_shards: sum.unassigned,
    delayed_unassigned_shards: sum.delayed,
    number_of_pending_tasks: 0,
    number_of_in_flight_fetch: 0,
    reasons: engine.replication?.troubles(indices),
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
  const all = indices.map((index) => healthOf(engine, index));
  // What can't be written, or changed, is as good as out.
  const isOut =
    missing || engine.storeFailure !== undefined || engine.replication?.metadataFailure !== undefined;
  const status = isOut ? RED : STATUSES.indexOf(worstOf(all));
  const sum = summed(all);
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
  // -1 waits for nothing.
  const moving = int(query, 'wait_for_relocating_shards') ?? -1;
  const running = int(query, 'wait_for_active_shards') ?? -1;
  // Whatever was changed before is seen.
  const events = query.get('wait_for_events')?.toLowerCase();
  if (events !== undefined && !PRIORITIES.includes(events)) throw noConstant(PRIORITY_ENUM, events);
  const areEnough = nodesWanted(query.get('wait_for_nodes'));
  return ({ missing, status, nodes, sum }) =>
    areEnough(nodes) &&
    !missing &&
    (moving === -1 || sum.relocating <= moving) &&
    status <= worst &&
    sum.active >= running;
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
  return Object.fromEntries(
    indices.map((index) => {
      const { status, primaries, ...counts } = healthOf(engine, index);
      return [
        index.name,
        {
          status,
          number_of_shards: index.shards.length,
          number_of_replicas: index.metadata.settings.replicas,
          active_primary_shards: primaries,
          ...shownCounts(counts),
          shards: shards
            ? Object.fromEntries(
                shardHealths(engine, index).map(({ status: own, primaries: up, ...each }, number) => [
                  String(number),
                  { status: own, primary_active: up > 0, ...shownCounts(each) },
                ]),
              )
            : undefined,
        },
      ];
    }),
  );
}

function shownCounts({ active, relocating, initializing, unassigned }: Omit<Health, 'status' | 'primaries'>) {
  return {
    active_shards: active,
    relocating_shards: relocating,
    initializing_shards: initializing,
    unassigned_shards: unassigned,
  };
}
