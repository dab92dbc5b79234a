/** Term vectors of documents that are there, and of others that are given. */
import { BatchWriter } from '../../core/batch.js';
import {
  ElasticsearchError,
  illegalArgument,
  limitStatus,
  parseFailure,
  toElasticsearchError,
  validationFailed,
} from '../../errors.js';
import type { Engine } from '../../engine/engine.js';
import type { OpenIndex } from '../../metadata/openIndex.js';
import { parseVersionType } from '../../shard/operation.js';
import type { SearchedShard } from '../../shard/searchedShard.js';
import {
  type FieldVector,
  termVectors,
  type VectorDocument,
  type VectorOptions,
} from '../../search/termVectors.js';
import { hashOrder } from '../../compat17/javaHash.js';
import { jsonBytesInTurns } from '../../json/longJsonText.js';
import { booleanOf, isObject, type JsonObject, textOf } from '../../json/values.js';
import type { Version } from '../../storage/versions.js';
import { javaParse, parseBody } from '../body.js';
import { findOne } from './documents.js';
import type { Json } from '../json.js';
import { flag, json, long, type RestResponse, type RoutedRequest } from '../request.js';
import { type EndpointGroup, ofTypes, VERSION } from '../endpoint.js';
import { tookSince } from '../took.js';
import { anyVersion, bodyVersion } from './versions.js';
import { inTurnsIfLong, type WorkLimit } from '../../workLimit.js';

/** One document of a request. */
interface Item {
  index: string | undefined;
  type: string | undefined;
  id: string | undefined;
  /** In place of one that is there. */
  document: JsonObject | undefined;
  routing: string | undefined;
  version: Version | undefined;
  versionType: string | undefined;
  realtime: boolean;
  options: VectorOptions;
}

const VECTORS = {
  methods: ['GET', 'POST'],
  privilege: 'read',
  pool: 'get',
  ignored: ['preference'],
  readOnly: true,
  body: 'json',
} as const;
const PARAMETERS = [
  'fields',
  'offsets',
  'positions',
  'payloads',
  'term_statistics',
  'field_statistics',
  'dfs',
  'routing',
  'parent',
  'realtime',
  ...VERSION,
] as const;

export const termVectorEndpoints: EndpointGroup = {
  name: 'Term vectors',
  purpose: 'The terms of a document, where they stand in it and how frequent they are.',
  tag: 'full',
  endpoints: [
    {
      ...VECTORS,
      paths: ['/{index}/{type}/_termvector', '/{index}/{type}/{id}/_termvector'],
      action: 'indices:data/read/tv',
      parameters: PARAMETERS,
      handler: single,
    },
    {
      ...VECTORS,
      paths: ofTypes('/_mtermvectors'),
      action: 'indices:data/read/mtv',
      parameters: [...PARAMETERS, 'ids'],
      indicesInBody: 'json',
      handler: several,
    },
  ],
};

async function single(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const item = defaultsOf(request);
  readParameters(item, parseBody(request, javaParse) ?? {});
  const missing = missingOf(item);
  if (missing.length > 0) throw validationFailed(...missing);
  return json(request, 200, await vectorsOf(engine, item, request.limit));
}

async function several(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const defaults = defaultsOf(request);
  const ids = (request.query.get('ids')?.split(',') ?? []).map((id) => id.replace(/\s/g, ''));
  const items: Item[] = [];
  for (const [key, value] of Object.entries(parseBody(request, javaParse) ?? {})) {
    if (Array.isArray(value)) {
      if (key === 'docs') items.push(...value.map((doc) => itemOf(defaults, doc)));
      else if (key === 'ids') ids.push(...value.map(idOf));
      else throw parseFailure(`No parameter named ${key}and type ARRAY`);
    } else if (isObject(value)) {
      if (key !== 'parameters') throw parseFailure(`No parameter named ${key}and type OBJECT`);
      readParameters(defaults, value);
    } else {
      throw parseFailure(`_mtermvectors: Parameter ${key}not supported`);
    }
  }
  for (const id of hashOrder(ids)) items.push({ ...defaults, id });
  if (items.length === 0) throw validationFailed('multi term vectors: no documents requested');
  // 1.7 tells of the last one only.
  const bad = items.findLastIndex((item) => missingOf(item).length > 0);
  if (bad >= 0) throw validationFailed(...missingOf(items[bad]!), `at multi term vectors for doc ${bad}`);
  const docs: Json[] = [];
  for (const item of items) {
    docs.push(
      await vectorsOf(engine, item, request.limit).catch((e): Json => {
        const error = toElasticsearchError(e);
        const text = error.exception === 'IndexMissingException' ? error.detail : error.render();
        return { _index: item.index, _type: item.type, _id: item.id, error: text };
      }),
    );
    if (request.limit.isDue(ITEM_STEPS)) await request.limit.yield();
  }
  return json(request, 200, { docs });
}

function itemOf(defaults: Item, doc: unknown): Item {
  if (!isObject(doc)) throw illegalArgument('docs array element should include an object');
  const item = { ...defaults, options: { ...defaults.options } };
  readParameters(item, doc);
  return item;
}

function idOf(id: unknown): string {
  const text = textOf(id);
  if (text === undefined) throw illegalArgument('ids array element should only contain ids');
  return text;
}

/** What a request lacks, in the words of 1.7. */
function missingOf({ index, type, id, document }: Item): string[] {
  return [
    ...(index === undefined ? ['index is missing'] : []),
    ...(type === undefined ? ['type is missing'] : []),
    ...(id === undefined && document === undefined ? ['id or doc is missing'] : []),
  ];
}

function defaultsOf({ path, query }: RoutedRequest): Item {
  return {
    index: path.index,
    type: path.type,
    id: path.id,
    document: undefined,
    routing: query.get('routing') ?? query.get('parent'),
    version: long(query, 'version'),
    versionType: query.get('version_type'),
    realtime: flag(query, 'realtime', true),
    options: {
      fields: query.get('fields')?.split(','),
      offsets: flag(query, 'offsets', true),
      positions: flag(query, 'positions', true),
      payloads: flag(query, 'payloads', true),
      fieldStatistics: flag(
        query,
        query.has('fieldStatistics') ? 'fieldStatistics' : 'field_statistics',
        true,
      ),
      termStatistics: flag(query, query.has('termStatistics') ? 'termStatistics' : 'term_statistics', false),
      dfs: flag(query, 'dfs', false),
      analyzers: {},
    },
  };
}

/** What a body says over the parameters. */
function readParameters(item: Item, body: JsonObject): void {
  const options = { ...item.options };
  for (const [key, value] of Object.entries(body)) {
    switch (key) {
      case 'fields':
        if (!Array.isArray(value))
          throw parseFailure(
            'The parameter fields must be given as an array! Use syntax : "fields" : ["field1", "field2",...]',
          );
        options.fields = value.flatMap((each) => textOf(each) ?? []);
        break;
      case 'offsets':
        options.offsets = booleanOf(value);
        break;
      case 'positions':
        options.positions = booleanOf(value);
        break;
      case 'payloads':
        options.payloads = booleanOf(value);
        break;
      case 'term_statistics':
      case 'termStatistics':
        options.termStatistics = booleanOf(value);
        break;
      case 'field_statistics':
      case 'fieldStatistics':
        options.fieldStatistics = booleanOf(value);
        break;
      case 'dfs':
        options.dfs = booleanOf(value);
        break;
      case 'per_field_analyzer':
      case 'perFieldAnalyzer':
        options.analyzers = Object.fromEntries(
          Object.entries(isObject(value) ? value : {}).map(([field, name]) => [field, textOf(name) ?? '']),
        );
        break;
      case '_index':
        item.index = textOf(value);
        break;
      case '_type':
        item.type = textOf(value);
        break;
      case '_id':
        if (item.document !== undefined)
          throw parseFailure('Either "id" or "doc" can be specified, but not both!');
        item.id = textOf(value);
        break;
      case 'doc':
        if (item.id !== undefined) throw parseFailure('Either "id" or "doc" can be specified, but not both!');
        item.document = isObject(value) ? value : {};
        break;
      case '_routing':
      case 'routing':
      case '_parent':
      case 'parent':
        item.routing = textOf(value);
        break;
      case '_version':
      case 'version':
        item.version = bodyVersion(value);
        break;
      case '_version_type':
      case '_versionType':
      case 'version_type':
      case 'versionType':
        item.versionType = textOf(value);
        break;
      default:
        throw parseFailure(`The parameter ${key} is not valid for term vector request!`);
    }
  }
  item.options = options;
}

/** Steps of a work limit that the vectors of a document take, so many that the clock is looked at for each. */
const ITEM_STEPS = 1024;

/** 500, whatever goes wrong once there is something to look at, but for what this server's limits say. */
async function vectorsOf(engine: Engine, item: Item, limit: WorkLimit): Promise<Json> {
  const started = performance.now();
  const { index: name = '', type = '', id, options, routing, document: given } = item;
  const took = () => tookSince(started);
  const vectors = async (index: OpenIndex, shard: SearchedShard, document: VectorDocument) => {
    try {
      // What it brings joins the mapping, as in 1.7.
      if (document.kind === 'given') {
        const { source } = document;
        const encode = () =>
          inTurnsIfLong(index.encodeGiven(new BatchWriter(1024), 1, { type, id: '', source }, limit), limit);
        await (engine.replication?.given.admitting(encode) ?? encode());
      }
      return vectorsJson(await termVectors(index, shard, document, options, limit));
    } catch (e) {
      const nested = toElasticsearchError(e);
      throw new ElasticsearchError('ElasticsearchException', 'failed to execute term vector request', {
        status: limitStatus(nested) ?? 500,
        nested,
      });
    }
  };
  if (given !== undefined) {
    const { index } = engine.at('write').readTarget(name, routing);
    const source = await inTurnsIfLong(
      jsonBytesInTurns(given, (steps) => limit.isDue(steps)),
      limit,
    );
    const shard = (routing === undefined ? index.shards[0]! : index.shardFor(routing)).searched();
    const found = await vectors(index, shard, { type, source, kind: 'given' });
    return { _index: index.name, _type: type, _version: 0, found: true, took: took(), term_vectors: found };
  }
  const wanted = {
    index: name,
    type,
    id: id ?? '',
    routing,
    version: anyVersion(item.version),
    versionType: parseVersionType(item.versionType),
    realtime: item.realtime,
  };
  const { index, shard, document } = await findOne(engine, wanted, limit);
  const place = { _index: index.name, _type: type, _id: id };
  if (document === undefined) return { ...place, _version: 0, found: false, took: took() };
  const isRefreshed = shard.documents.visible(document.type, document.id)?.version === document.version;
  const found = await vectors(index, shard, {
    type: document.type,
    source: document.whole ?? document.source,
    kind: isRefreshed ? 'refreshed' : 'written',
  });
  return { ...place, _version: document.version, found: true, took: took(), term_vectors: found };
}

function vectorsJson(vectors: Record<string, FieldVector>): Json {
  return vectors as unknown as Json;
}
