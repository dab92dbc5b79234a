/** Single documents: index, create, get, exists, delete. */
import { ElasticsearchError, validationFailed, withoutWriteFailed } from '../../errors.js';
import type { Engine } from '../../engine/engine.js';
import type { IndexedOperation } from '../../engine/writing.js';
import type { OpenIndex } from '../../metadata/openIndex.js';
import type { WorkLimit } from '../../workLimit.js';
import type { DocumentId, SearchedShard } from '../../shard/searchedShard.js';
import type { Shard } from '../../shard/shard.js';
import {
  checkTtl,
  parseVersionType,
  type VersionType,
  type WriteResult,
  wrongVersion,
} from '../../shard/operation.js';
import { parseTime } from '../../time/durations.js';
import { invokedOnNull, nullPointer } from '../../compat17/javaCasts.js';
import type { VisibleDocument } from '../../mapping/sourcePaths.js';
import type { Version } from '../../storage/versions.js';
import { fieldsOf } from './documentFields.js';
import type { Json } from '../json.js';
import { flag, JSON_TYPE, json, long, type RestResponse, type RoutedRequest, text } from '../request.js';
import { type EndpointGroup, SOURCE_FILTER, VERSION, WRITE } from '../endpoint.js';
import { anyVersion } from './versions.js';
import { wantedCopies } from './writeParameters.js';
import { shownSource, type SourceChoice, sourceParams } from '../search/sourceParams.js';

const INDEX = {
  privilege: 'write',
  action: 'indices:data/write/index',
  pool: 'index',
  parameters: [...WRITE, 'op_type'],
  ignored: ['replication', 'percolate'],
  duringRecovery: true,
} as const;
const GET = {
  privilege: 'read',
  action: 'indices:data/read/get',
  pool: 'get',
  parameters: ['routing', 'parent', ...VERSION, 'refresh', 'fields', ...SOURCE_FILTER, 'realtime'],
  ignored: ['preference'],
  readOnly: true,
  onlyReads: true,
  duringRecovery: true,
} as const;

export const documentEndpoints: EndpointGroup = {
  name: 'Documents',
  purpose: 'Single documents: index, create, get, exists, delete.',
  tag: 'core',
  endpoints: [
    {
      ...INDEX,
      methods: ['POST'],
      paths: ['/{index}/{type}'],
      handler: (engine, request) => put(engine, request, request.path.id, false),
    },
    {
      ...INDEX,
      methods: ['PUT', 'POST'],
      paths: ['/{index}/{type}/{id}'],
      handler: (engine, request) => put(engine, request, request.path.id, false),
    },
    {
      ...INDEX,
      methods: ['PUT', 'POST'],
      paths: ['/{index}/{type}/{id}/_create'],
      handler: (engine, request) => put(engine, request, request.path.id, true),
    },
    { ...GET, methods: ['GET'], paths: ['/{index}/{type}/{id}'], handler: get },
    { ...GET, methods: ['GET'], paths: ['/{index}/{type}/{id}/_source'], handler: source },
    {
      ...GET,
      methods: ['HEAD'],
      paths: ['/{index}/{type}/{id}', '/{index}/{type}/{id}/_source'],
      handler: exists,
    },
    {
      methods: ['DELETE'],
      paths: ['/{index}/{type}/{id}'],
      privilege: 'write',
      action: 'indices:data/write/delete',
      pool: 'index',
      parameters: ['routing', 'parent', ...VERSION, 'refresh', 'timeout', 'consistency'],
      ignored: ['replication', 'timestamp', 'ttl'],
      duringRecovery: true,
      handler: remove,
    },
  ],
};

async function put(
  engine: Engine,
  request: RoutedRequest,
  id: string | undefined,
  create: boolean,
): Promise<RestResponse> {
  const opType = request.query.get('op_type');
  if (opType !== undefined && opType !== 'index' && opType !== 'create') {
    return noSuchOperation(request, opType);
  }
  const op: IndexedOperation = {
    kind: 'index',
    create: create || opType === 'create' || id === undefined,
    source: request.body,
    // Behind the others: Node 20 makes a slow object of one that gets new properties behind a spread.
    ...common(request, id ?? engine.idFor(request.path.index!, request.path.type!, request.body)),
  };
  const { index, result } = await one(engine, request, op);
  const { version, fresh } = result;
  return json(request, fresh ? 201 : 200, {
    _index: index,
    _type: op.type,
    _id: op.id,
    _version: version,
    created: fresh,
  });
}

async function remove(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const op: IndexedOperation = { ...common(request, request.path.id!), kind: 'delete' };
  const { index, result } = await one(engine, request, op);
  const { version, fresh } = result;
  return json(request, fresh ? 200 : 404, {
    found: fresh,
    _index: index,
    _type: op.type,
    _id: op.id,
    _version: version,
  });
}

/** 400 for an `op_type` that is none, without a status in the body, as in 1.7. */
export function noSuchOperation(request: RoutedRequest, name: string): RestResponse {
  return json(request, 400, {
    error: `opType [${name}] not allowed, either [index] or [create] are allowed`,
  });
}

/** Writes one document, and refreshes its shard if asked. */
export async function one(
  engine: Engine,
  request: RoutedRequest,
  op: IndexedOperation,
): Promise<{ index: string; result: WriteResult }> {
  const outcomes = await engine.write([op]);
  const { index, result } = outcomes[0]!;
  if (result instanceof ElasticsearchError) throw withoutWriteFailed(result);
  if (flag(request.query, 'refresh')) await engine.refreshTouched(outcomes);
  return { index, result };
}

/** What index and delete have in common. */
export function common({ path, query }: RoutedRequest, id: string) {
  const lives = query.get('ttl');
  const ttl = lives === undefined ? undefined : checkTtl(parseTime(lives));
  const copies = wantedCopies(query);
  const version = long(query, 'version');
  return {
    index: path.index!,
    type: path.type!,
    id,
    ...familyOf(query),
    timestamp: query.get('timestamp'),
    ttl,
    version: anyVersion(version),
    versionType: parseVersionType(query.get('version_type')),
    copies,
  };
}

/** The parent that a request names, and the routing value: that of the parent's shard unless another is given. */
function familyOf(query: RoutedRequest['query']) {
  const parent = query.get('parent');
  return { parent, routing: query.get('routing') ?? parent };
}

/** A document that is wanted. */
export interface Wanted {
  index: string;
  type: string;
  id: string;
  routing: string | undefined;
  version: Version | undefined;
  versionType: VersionType;
  realtime: boolean;
}

/** A document that was looked for, and where; the place is told also where there is none. */
export interface Found {
  index: OpenIndex;
  shard: SearchedShard;
  document: VisibleDocument | undefined;
}

/** Shards as one request reads them, whose documents were fetched that it wants. */
export type FetchedShards = ReadonlyMap<Shard, SearchedShard>;

/** Fetches those of the wanted documents that are in shards of other nodes; what can't be is told by {@link find}. */
export async function fetchWanted(
  engine: Engine,
  all: readonly Wanted[],
  limit: WorkLimit,
): Promise<FetchedShards | undefined> {
  if (engine.replication === undefined) return undefined;
  const shards = new Map<Shard, SearchedShard>();
  const ids = new Map<SearchedShard, DocumentId[][]>();
  for (const wanted of all) {
    const at = placeOf(engine, wanted);
    if (at === undefined || at.shard.isHeld) continue;
    let searched = shards.get(at.shard);
    if (searched === undefined) {
      searched = at.shard.searched();
      shards.set(at.shard, searched);
      ids.set(searched, [[], []]);
    }
    const { id, realtime } = wanted;
    ids.get(searched)![realtime ? 1 : 0]!.push(...typesOf(at.index, wanted).map((type) => ({ type, id })));
  }
  const fetching = [...ids].flatMap(([{ elsewhere }, lists]) =>
    lists.map((list, i) => elsewhere?.fetchIds(list, i === 1, limit)),
  );
  await Promise.all(fetching);
  return shards;
}

/** Where a document would be; undefined where {@link find} refuses it. */
function placeOf(engine: Engine, { index: name, routing: given, type, id }: Wanted) {
  try {
    const { index, routing } = engine.readTarget(name, given);
    return { index, shard: index.shardOf(type, id, routing) };
  } catch {
    return undefined;
  }
}

function typesOf(index: OpenIndex, { type }: Wanted): string[] {
  return type === '_all' ? index.model.typeNames() : [type];
}

/** Finds a document. @param fetched what {@link fetchWanted} has fetched for the request */
export function find(engine: Engine, wanted: Wanted, fetched?: FetchedShards): Found {
  const { index, routing } = engine.readTarget(wanted.index, wanted.routing);
  const own = index.shardOf(wanted.type, wanted.id, routing);
  const shard = fetched?.get(own) ?? own;
  const types = typesOf(index, wanted);
  for (const type of types) {
    const document = wanted.realtime
      ? shard.documents.get(type, wanted.id)
      : shard.documents.visible(type, wanted.id);
    if (document === undefined) continue;
    const place = { index: index.name, shard: shard.number, type, id: wanted.id };
    const wrong = wrongVersion(place, document.version, wanted.version, wanted.versionType);
    if (wrong !== undefined) throw wrong;
    return { index, shard, document: index.visible(document) };
  }
  return { index, shard, document: undefined };
}

/** Finds a document, wherever its shard is. */
export async function findOne(engine: Engine, wanted: Wanted, limit: WorkLimit): Promise<Found> {
  const fetched = engine.replication === undefined ? undefined : await fetchWanted(engine, [wanted], limit);
  return find(engine, wanted, fetched);
}

/** What a request by path wants; whether it is there, and its source alone, are asked for without a version. */
async function wantedOf(engine: Engine, { path, query }: RoutedRequest, ofVersion: boolean): Promise<Wanted> {
  const wanted: Wanted = {
    index: path.index!,
    type: path.type!,
    id: path.id!,
    routing: familyOf(query).routing,
    version: ofVersion ? anyVersion(long(query, 'version')) : undefined,
    versionType: ofVersion ? parseVersionType(query.get('version_type')) : 'internal',
    realtime: flag(query, 'realtime', true),
  };
  if (flag(query, 'refresh')) {
    const { index, routing } = engine.readTarget(wanted.index, wanted.routing);
    const shard = index.shardOf(wanted.type, wanted.id, routing);
    await (shard.isHeld ? shard.refresh() : engine.refresh([index]));
  }
  const reading =
    wanted.type === '_all'
      ? undefined
      : engine.prefetch(wanted.index, wanted.type, wanted.id, wanted.routing);
  if (reading !== undefined) await reading;
  return wanted;
}

/** What of a document is shown. */
export interface Shown {
  fields: readonly string[] | undefined;
  source: SourceChoice | undefined;
}

/** A document as get and mget show it. */
export function render({ index, shard }: Found, document: VisibleDocument, { fields, source }: Shown): Json {
  const { type, id, version } = document;
  const refreshed = fields === undefined || shard.documents.visible(type, id)?.version === version;
  const withSource = fields === undefined || fields.includes('_source') || source !== undefined;
  return {
    _index: index.name,
    _type: document.type,
    _id: document.id,
    _version: document.version,
    found: true,
    _source: withSource ? shownSource(document.source, source) : undefined,
    fields:
      fields === undefined ? undefined : fieldsOf(fields, document, index.model, { by: 'id', refreshed }),
  };
}

async function get(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const wanted = await wantedOf(engine, request, true);
  const found = await findOne(engine, wanted, request.limit);
  const { index, document } = found;
  if (document === undefined) {
    const { type, id } = wanted;
    return json(request, 404, { _index: index.name, _type: type, _id: id, found: false });
  }
  const fields = request.query.get('fields')?.split(',');
  return json(request, 200, render(found, document, { fields, source: sourceParams(request.query) }));
}

async function source(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const choice = sourceParams(request.query);
  if (choice?.enabled === false) throw validationFailed('fetching source can not be disabled');
  const { document } = await findOne(engine, await wantedOf(engine, request, false), request.limit);
  // As 1.7 puts it that the mapping keeps no sources.
  if (document?.source.length === 0)
    throw nullPointer(invokedOnNull('org.elasticsearch.common.bytes.BytesReference.length()', 'bytes'));
  const shown = document === undefined ? undefined : shownSource(document.source, choice);
  return shown === undefined ? { ...text(404), contentType: JSON_TYPE } : json(request, 200, shown);
}

async function exists(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const { document } = await findOne(engine, await wantedOf(engine, request, false), request.limit);
  return text(document === undefined ? 404 : 200);
}
