/** Single documents: index, create, get, exists, delete. */
import { ElasticsearchError, illegalArgument, notOffered } from '../errors.js';
import type { Engine, IndexedOperation } from '../index/engine.js';
import { parseVersionType, type WriteResult, wrongVersion } from '../index/operation.js';
import { parseTime } from '../index/settings.js';
import { flag, json, long, type RestResponse, type RoutedRequest, text } from './request.js';
import type { Route } from './router.js';
import { shownSource, sourceParams } from './sourceParams.js';

/** In 1.7 -3 stands for "no version given". */
const ANY_VERSION = -3;

/** The routes of this family. */
export function documentRoutes(engine: Engine): Route[] {
  const index = (create: boolean) => (request: RoutedRequest) =>
    put(engine, request, request.path.id, create);
  return [
    ['POST', '/{index}/{type}', (request) => put(engine, request, undefined, false)],
    ['PUT|POST', '/{index}/{type}/{id}', index(false)],
    ['PUT|POST', '/{index}/{type}/{id}/_create', index(true)],
    ['GET|HEAD', '/{index}/{type}/{id}', (request) => get(engine, request)],
    ['GET|HEAD', '/{index}/{type}/{id}/_source', (request) => source(engine, request)],
    ['DELETE', '/{index}/{type}/{id}', (request) => remove(engine, request)],
  ];
}

async function put(
  engine: Engine,
  request: RoutedRequest,
  id: string | undefined,
  create: boolean,
): Promise<RestResponse> {
  const opType = request.query.get('op_type');
  if (opType !== undefined && opType !== 'index' && opType !== 'create') {
    return json(request, 400, {
      error: `opType [${opType}] not allowed, either [index] or [create] are allowed`,
    });
  }
  const op: IndexedOperation = {
    ...common(request, id ?? engine.newDocumentId()),
    kind: 'index',
    create: create || opType === 'create' || id === undefined,
    source: request.body,
  };
  const { version, fresh } = await one(engine, request, op);
  return json(request, fresh ? 201 : 200, {
    _index: op.index,
    _type: op.type,
    _id: op.id,
    _version: version,
    created: fresh,
  });
}

async function remove(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const op: IndexedOperation = { ...common(request, request.path.id!), kind: 'delete' };
  const { version, fresh } = await one(engine, request, op);
  return json(request, fresh ? 200 : 404, {
    found: fresh,
    _index: op.index,
    _type: op.type,
    _id: op.id,
    _version: version,
  });
}

/** Writes one document, and refreshes its shard if asked. */
async function one(engine: Engine, request: RoutedRequest, op: IndexedOperation): Promise<WriteResult> {
  const [outcome] = await engine.write([op]);
  if (outcome!.result instanceof ElasticsearchError) throw outcome!.result;
  if (flag(request.query, 'refresh')) await engine.index(op.index).shards[outcome!.shard]!.refresh();
  return outcome!.result;
}

/** What index and delete have in common; parameters that mean nothing on one node are checked and let be. */
function common({ path, query }: RoutedRequest, id: string) {
  for (const name of ['timeout', 'ttl']) {
    const value = query.get(name);
    if (value === undefined) continue;
    const ms = parseTime(value);
    if (name === 'ttl' && ms <= 0)
      throw illegalArgument(`TTL value must be > 0. Illegal value provided [${value}]`);
  }
  const consistency = query.get('consistency');
  if (consistency !== undefined && !['default', 'one', 'quorum', 'all'].includes(consistency)) {
    throw illegalArgument(`No write consistency match [${consistency}]`);
  }
  const replication = query.get('replication');
  if (replication !== undefined && !['default', 'async', 'sync'].includes(replication)) {
    throw illegalArgument(
      `No replication type match for [${replication}], should be either \`async\`, or \`sync\``,
    );
  }
  if (query.has('parent'))
    throw illegalArgument("Can't specify parent if no parent field has been configured");
  const version = long(query, 'version');
  return {
    index: path.index!,
    type: path.type!,
    id,
    routing: query.get('routing'),
    version: version === ANY_VERSION ? undefined : version,
    versionType: parseVersionType(query.get('version_type')),
  };
}

async function find(engine: Engine, request: RoutedRequest) {
  const { path, query } = request;
  if (query.has('fields')) throw notOffered('the parameter [fields] of get');
  if (!flag(query, 'realtime', true)) throw notOffered('the parameter [realtime=false]');
  const routing = query.get('routing') ?? query.get('parent');
  const index = engine.index(path.index!);
  const shard = index.shardOf(path.type!, path.id!, routing);
  if (flag(query, 'refresh')) await shard.refresh();
  const document = engine.get(path.index!, path.type!, path.id!, routing);
  if (document === undefined) return undefined;
  const place = { index: index.name, shard: shard.number, type: document.type, id: document.id };
  const wrong = wrongVersion(
    place,
    document.version,
    long(query, 'version'),
    parseVersionType(query.get('version_type')),
  );
  if (wrong !== undefined) throw wrong;
  return document;
}

async function get(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const found = await find(engine, request);
  const { index, type, id } = request.path;
  if (found === undefined) return json(request, 404, { _index: index, _type: type, _id: id, found: false });
  return json(request, 200, {
    _index: index,
    _type: found.type,
    _id: found.id,
    _version: found.version,
    found: true,
    _source: shownSource(found.source, sourceParams(request.query)),
  });
}

async function source(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const found = await find(engine, request);
  if (found === undefined) return text(404);
  const shown = shownSource(found.source, sourceParams(request.query));
  return shown === undefined ? text(404) : json(request, 200, shown);
}
