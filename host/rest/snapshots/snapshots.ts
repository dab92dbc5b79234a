/** Snapshots: repositories, snapshots in them, restoring. */
import {
  type ElasticsearchError,
  illegalArgument,
  noContent,
  toElasticsearchError,
  validationFailed,
} from '../../errors.js';
import type { Engine } from '../../engine/engine.js';
import { NO_VALUE, nullPointer } from '../../compat17/javaCasts.js';
import { nameOptions } from '../../metadata/names.js';
import { type FlatSettings, flatSettings } from '../../settings/indexSettings.js';
import { isObject, javaText } from '../../json/values.js';
import type { SnapshotRecord } from '../../snapshot/record.js';
import type { RunningSnapshot } from '../../snapshot/snapshots.js';
import { bodyText, parseBody, readFrom } from '../body.js';
import type { Json } from '../json.js';
import { acknowledged, flag, humanJson, json, type RestResponse, type RoutedRequest } from '../request.js';
import type { EndpointGroup, Handler } from '../endpoint.js';
import { statusOfSnapshot } from './snapshotStatus.js';

const ONE = '/_snapshot/{repository}/{snapshot}';
const SHOW = {
  methods: ['GET'],
  privilege: 'cluster:monitor',
  pool: 'snapshot',
  parameters: [],
  ignored: ['local', 'timeout', 'master_timeout'],
  readOnly: true,
} as const;
const CHANGE = { privilege: 'cluster:manage', pool: 'snapshot', masterTimeout: true } as const;

export const snapshotEndpoints: EndpointGroup = {
  name: 'Snapshots',
  purpose: 'Backups of indices in repositories, and bringing them back.',
  tag: 'full',
  endpoints: [
    {
      ...SHOW,
      paths: ['/_snapshot', '/_snapshot/{repository}'],
      action: 'cluster:admin/repository/get',
      handler: showRepositories,
    },
    {
      ...CHANGE,
      methods: ['PUT', 'POST'],
      paths: ['/_snapshot/{repository}'],
      action: 'cluster:admin/repository/put',
      parameters: ['verify'],
      body: 'json',
      handler: changing(putRepository),
    },
    {
      ...CHANGE,
      methods: ['DELETE'],
      paths: ['/_snapshot/{repository}'],
      action: 'cluster:admin/repository/delete',
      parameters: [],
      handler: changing(deleteRepository),
    },
    {
      ...CHANGE,
      methods: ['POST'],
      paths: ['/_snapshot/{repository}/_verify'],
      action: 'cluster:admin/repository/verify',
      parameters: [],
      handler: changing(verify),
    },
    {
      ...SHOW,
      paths: ['/_snapshot/_status', '/_snapshot/{repository}/_status', `${ONE}/_status`],
      action: 'cluster:admin/snapshot/status',
      handler: status,
    },
    {
      ...CHANGE,
      methods: ['PUT', 'POST'],
      paths: [ONE, `${ONE}/_create`],
      action: 'cluster:admin/snapshot/create',
      parameters: ['wait_for_completion'],
      body: 'json',
      indicesInBody: 'json',
      handler: changing(create),
    },
    { ...SHOW, paths: [ONE], action: 'cluster:admin/snapshot/get', handler: get },
    {
      ...CHANGE,
      methods: ['DELETE'],
      paths: [ONE],
      action: 'cluster:admin/snapshot/delete',
      parameters: [],
      handler: changing(remove),
    },
    {
      ...CHANGE,
      methods: ['POST'],
      paths: [`${ONE}/_restore`],
      action: 'cluster:admin/snapshot/restore',
      parameters: ['wait_for_completion'],
      body: 'json',
      indicesInBody: 'json',
      handler: changing(restore),
    },
  ],
};

/** A handler of what a block of the cluster's metadata refuses. */
function changing(handler: Handler): Handler {
  return (engine, request) => {
    engine.cluster.stored.blocks.check('metadata_write');
    return handler(engine, request);
  };
}

// ------------------------------------------------------------------------------------------------ repositories

function showRepositories(engine: Engine, request: RoutedRequest): RestResponse {
  const found = engine.snapshots.repositories.find(listOf(request.path.repository));
  return json(request, 200, Object.fromEntries(found) as unknown as Json);
}

async function putRepository(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const source = bodyText(request);
  const broken = (cause: ElasticsearchError) =>
    cause.exception === 'JsonParseException' ? unreadable(source, cause) : cause;
  const body = parseBody(request, broken);
  if (body === undefined) throw noContent();
  const { type, settings } = body;
  if (type === null) throw nullPointer(NO_VALUE);
  if (settings !== undefined && !isObject(settings))
    throw illegalArgument('Malformed settings section, should include an inner object');
  if (type === undefined) throw validationFailed('type is missing');
  const flat = flatSettings(settings ?? {}, '');
  const metadata = { type: javaText(type), settings: flat };
  await engine.snapshots.putRepository(
    request.path.repository!,
    metadata,
    flag(request.query, 'verify', true),
  );
  return acknowledged(request);
}

async function deleteRepository(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  for (const pattern of listOf(request.path.repository)) await engine.snapshots.repositories.delete(pattern);
  return acknowledged(request);
}

async function verify(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const told = await engine.snapshots.checkRepository(request.path.repository!);
  const nodes = told.length > 0 ? told : [{ node: engine.nodeId, name: request.node.node }];
  return json(request, 200, {
    nodes: Object.fromEntries(nodes.map(({ node, name }) => [node, { name }])),
  });
}

// ------------------------------------------------------------------------------------------------ snapshots

/** What the node answers that makes the snapshot which a request is about; undefined where that is this one, or there is none. */
async function atItsNode(
  engine: Engine,
  { method, uri, body, node, path, limit }: RoutedRequest,
): Promise<RestResponse | undefined> {
  const { replication, snapshots } = engine;
  const running = snapshots.elsewhere;
  if (replication === undefined || running?.action !== 'create' || node.isAsked === true) return undefined;
  const { repository = running.repository, snapshot } = path;
  const names = listOf(snapshot);
  const isMeant = names.length === 0 || names.includes('_all') || names.includes(running.snapshot);
  if (repository !== running.repository || !isMeant) return undefined;
  return replication.forward(running.node, { method, uri, body }, limit);
}

/** 400: what a snapshot is asked for with can't be read; whatever is wrong with it stands behind the whole of it. */
function unreadable(source: string, cause: ElasticsearchError): ElasticsearchError {
  return illegalArgument(`failed to parse repository source [${source}]`, readFrom(source, cause));
}

/** What `read` makes of the body of a request. */
function readBody<T>(request: RoutedRequest, read: (body: Body) => T): T {
  try {
    return read(parseBody(request));
  } catch (e) {
    throw unreadable(bodyText(request), toElasticsearchError(e));
  }
}

async function create(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const { repository, snapshot } = request.path;
  const asked = readBody(request, (body) => {
    const problem = 'malformed settings section, should indices an inner object';
    if (body?.settings !== undefined && !isObject(body.settings)) throw illegalArgument(problem);
    return {
      wanted: indicesOf(body),
      options: optionsOf(body),
      includeGlobalState: boolOf(body, 'include_global_state', true),
      partial: boolOf(body, 'partial', false),
    };
  });
  const { wanted, options, includeGlobalState, partial } = asked;
  // The repository is looked for before the indices.
  await engine.snapshots.repositories.open(repository!);
  const indices = engine.resolve(wanted.length === 0 ? undefined : wanted.join(','), options);
  const running = await engine.snapshots.create({
    repository: repository!,
    snapshot: snapshot!,
    indices,
    includeGlobalState,
    partial,
  });
  if (!flag(request.query, 'wait_for_completion')) return json(request, 200, { accepted: true });
  return humanJson(request, 200, { snapshot: infoOf(await running.done) });
}

async function get(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const { repository, snapshot } = request.path;
  const told = await atItsNode(engine, request);
  if (told !== undefined) return told;
  const found = await engine.snapshots.find(repository!, listOf(snapshot));
  return humanJson(request, 200, { snapshots: found.map(infoOf) });
}

async function remove(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const { repository, snapshot } = request.path;
  const told = await atItsNode(engine, request);
  if (told !== undefined) return told;
  await engine.snapshots.delete(repository!, snapshot!);
  return acknowledged(request);
}

async function status(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const { repository, snapshot } = request.path;
  const told = await atItsNode(engine, request);
  if (told !== undefined) return told;
  const { running } = engine.snapshots;
  const names = listOf(snapshot);
  if (repository === undefined || names.length === 0) {
    const shown = running !== undefined && (repository ?? running.repository) === running.repository;
    return humanJson(request, 200, {
      snapshots: shown ? [statusOfSnapshot(running.repository, running)] : [],
    });
  }
  const found = await engine.snapshots.find(repository, names);
  return humanJson(request, 200, { snapshots: found.map((each) => statusOfSnapshot(repository, each)) });
}

async function restore(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const { repository, snapshot } = request.path;
  const wanted = readBody(request, readRestore);
  let accepted!: () => void;
  const begun = new Promise<undefined>((resolve) => {
    accepted = () => resolve(undefined);
  });
  const restoring = engine.snapshots.restore(repository!, snapshot!, wanted, accepted);
  const early = flag(request.query, 'wait_for_completion') ? undefined : begun;
  const result = await Promise.race(early === undefined ? [restoring] : [restoring, early]);
  if (result === undefined) {
    restoring.catch((e) => engine.warn(`restoring [${repository}:${snapshot}]: ${e}`));
    return json(request, 200, { accepted: true });
  }
  const { indices, shards } = result;
  return json(request, 200, {
    snapshot: { snapshot: snapshot!, indices, shards: { total: shards, failed: 0, successful: shards } },
  });
}

function readRestore(body: Body) {
  const { settings } = body ?? {};
  if (settings !== undefined && !isObject(settings)) throw illegalArgument('malformed settings section');
  for (const key of Object.keys(body ?? {}))
    if (!RESTORE_KEYS.has(key)) throw illegalArgument(`Unknown parameter ${key}`);
  const { ignoreUnavailable = false, allowNoIndices = true } = optionsOf(body);
  return {
    indices: indicesOf(body),
    ignoreUnavailable,
    allowNoIndices,
    renamePattern: textOf(body, 'rename_pattern'),
    renameReplacement: textOf(body, 'rename_replacement'),
    includeGlobalState: boolOf(body, 'include_global_state', true),
    includeAliases: boolOf(body, 'include_aliases', true),
    partial: boolOf(body, 'partial', false),
    indexSettings: settingsOf(body),
    ignoreIndexSettings: ignoredOf(body),
  };
}

/** A snapshot as answers show it. */
function infoOf(snapshot: SnapshotRecord | RunningSnapshot): Json {
  if (!('indices' in snapshot)) {
    const { shards, started } = snapshot;
    const progress = [...shards.values()].flat();
    const failed = progress.filter(({ stage }) => stage === 'FAILURE').length;
    const successful = progress.filter(({ stage }) => stage === 'DONE').length;
    return {
      ...headOf(snapshot.snapshot, [...shards.keys()], 'IN_PROGRESS'),
      ...timesOf('start', started),
      failures: [],
      shards: { total: progress.length, failed, successful },
    };
  }
  const { indices, failures, started, ended, state, reason } = snapshot;
  const total = indices.reduce((sum, { shards }) => sum + shards.length, 0);
  const names = indices.map(({ metadata }) => metadata.name);
  return {
    ...headOf(snapshot.snapshot, names, state),
    ...(reason === undefined ? {} : { reason }),
    ...timesOf('start', started),
    ...timesOf('end', ended),
    duration_in_millis: ended - started,
    failures: failures.map((failure) => ({
      index: failure.index,
      reason: failure.reason,
      shard_id: failure.shard,
      status: 'INTERNAL_SERVER_ERROR',
    })),
    shards: { total, failed: failures.length, successful: total - failures.length },
  };
}

function headOf(snapshot: string, indices: string[], state: string): Record<string, Json> {
  return { snapshot, version_id: 1_070_399, version: '1.7.3', indices, state };
}

function timesOf(name: string, ms: number): Record<string, Json> {
  return { [`${name}_time`]: new Date(ms).toISOString(), [`${name}_time_in_millis`]: ms };
}

// ------------------------------------------------------------------------------------------------ requests

type Body = Record<string, unknown> | undefined;

const NAME_KEYS = ['ignore_unavailable', 'allow_no_indices', 'expand_wildcards'];
const RESTORE_KEYS = new Set([
  ...NAME_KEYS,
  ...['ignoreUnavailable', 'allowNoIndices', 'expandWildcards', 'indices', 'partial', 'settings'],
  ...['include_global_state', 'include_aliases', 'rename_pattern', 'rename_replacement'],
  ...['index_settings', 'ignore_index_settings'],
]);

function listOf(names: string | undefined): string[] {
  return (names ?? '').split(',').filter((name) => name !== '');
}

function indicesOf(body: Body): string[] {
  return stringsOf(body?.indices, 'malformed indices section, should be an array of strings');
}

function ignoredOf(body: Body): string[] {
  const problem = 'malformed ignore_index_settings section, should be an array of strings';
  return stringsOf(body?.ignore_index_settings, problem);
}

function stringsOf(value: unknown, problem: string): string[] {
  if (value === undefined) return [];
  if (typeof value === 'string') return listOf(value);
  if (Array.isArray(value)) return value.map(String);
  throw illegalArgument(problem);
}

/** Which indices a missing name means; a request with a body is lenient by default. */
function optionsOf(body: Body) {
  const given = NAME_KEYS.flatMap((key): [string, string][] => {
    const value = body?.[key];
    if (value === undefined) return [];
    return [[key, Array.isArray(value) ? value.join(',') : String(value)]];
  });
  return nameOptions(new Map(given), { ignoreUnavailable: body !== undefined });
}

function boolOf(body: Body, key: string, otherwise: boolean): boolean {
  const value = body?.[key];
  if (value === undefined) return otherwise;
  if (typeof value === 'boolean') return value;
  if (key !== 'partial') throw illegalArgument(`malformed ${key}, should be boolean`);
  return !['false', '0', 'off', 'no', ''].includes(String(value));
}

function textOf(body: Body, key: string): string | undefined {
  const value = body?.[key];
  if (value !== undefined && typeof value !== 'string') throw illegalArgument(`malformed ${key}`);
  return value;
}

function settingsOf(body: Body): FlatSettings {
  const value = body?.index_settings;
  if (value === undefined) return {};
  if (!isObject(value)) throw illegalArgument('malformed index_settings section');
  return flatSettings(value);
}
