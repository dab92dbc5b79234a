/** Percolation: which registered queries match a document; several at once. */

import type { Rendered } from '../../aggregation/rendered.js';
import type { Engine } from '../../engine/engine.js';
import { ElasticsearchError, toElasticsearchError, validationFailed } from '../../errors.js';
import { looksLikeJson, parseLax } from '../../json/laxJson.js';
import { isObject, type JsonObject } from '../../json/values.js';
import { DOCUMENT_CALL, nameOptions } from '../../metadata/names.js';
import { atMost } from '../../search/atMost.js';
import type { Match } from '../../search/percolating.js';
import { withDocuments } from '../../shard/searchedShard.js';
import { parseVersionType, wrongVersion } from '../../shard/operation.js';
import { inTurns, type Turns, type WorkLimit } from '../../workLimit.js';
import { bodyText, javaParse } from '../body.js';
import { broadcastCounts } from '../broadcast.js';
import { type EndpointGroup, type Handler, INDICES_OPTIONS, ofTypes, VERSION } from '../endpoint.js';
import { Float, type Json } from '../json.js';
import { bodyLines, headerText, notLines } from '../lines.js';
import { isLong, type ReadText, readText } from '../readText.js';
import { json, long, type RestResponse, type RoutedRequest } from '../request.js';
import { tookSince } from '../took.js';
import { aggregationsJson } from './aggregations.js';
import { copyChoice, preferredCopies, preferredShards, readBody } from './searchCall.js';

/** Parameters, of the request or of a line's header. */
type Parameters = ReadonlyMap<string, string>;

/** One percolation. */
interface Call {
  index: string | undefined;
  type: string | undefined;
  /** Of a document that is there. */
  id: string | undefined;
  parameters: Parameters;
  text: string;
  /** What came of parsing the text, where that has been done. */
  read: ReadText | undefined;
  onlyCount: boolean;
}

const PERCOLATE = {
  methods: ['GET', 'POST'],
  privilege: 'read',
  pool: 'percolate',
  parameters: [
    'percolate_format',
    'percolate_index',
    'percolate_type',
    'percolate_routing',
    'percolate_preference',
    'routing',
    'parent',
    'preference',
    ...VERSION,
    ...INDICES_OPTIONS,
  ],
  readOnly: true,
} as const;

export const percolateEndpoints: EndpointGroup = {
  name: 'Percolate',
  purpose: 'Which registered queries match a document. They are the documents of the type `.percolator`.',
  tag: 'full',
  endpoints: [
    {
      ...PERCOLATE,
      body: 'json',
      paths: ['/{index}/{type}/_percolate', '/{index}/{type}/{id}/_percolate'],
      action: 'indices:data/read/percolate',
      handler: single(false),
    },
    {
      ...PERCOLATE,
      body: 'json',
      paths: ['/{index}/{type}/_percolate/count', '/{index}/{type}/{id}/_percolate/count'],
      action: 'indices:data/read/percolate',
      handler: single(true),
    },
    {
      ...PERCOLATE,
      paths: ofTypes('/_mpercolate'),
      action: 'indices:data/read/mpercolate',
      indicesInBody: 'headers',
      handler: several,
    },
  ],
};

function single(onlyCount: boolean): Handler {
  return async (engine, request) =>
    json(request, 200, await percolate(engine, callOf(request, onlyCount), request.limit));
}

function callOf(request: RoutedRequest, onlyCount: boolean): Call {
  const { index, type, id } = request.path;
  return {
    index,
    type,
    id,
    parameters: request.query,
    text: bodyText(request),
    read: request.read,
    onlyCount,
  };
}

async function percolate(engine: Engine, call: Call, limit: WorkLimit): Promise<Json> {
  const started = performance.now();
  const { parameters, id } = call;
  const given = (name: string) => parameters.get(`percolate_${name}`);
  const index = id === undefined ? call.index : (given('index') ?? call.index);
  // Registered queries are in force when they are acknowledged, whichever node did that; documents too.
  await engine.current(index);
  if (id !== undefined && index !== call.index) await engine.current(call.index);
  const source = id === undefined ? undefined : await stored(engine, { ...call, id }, limit);
  const type = id === undefined ? call.type : (given('type') ?? call.type);
  if (type === undefined || type === '') throw validationFailed('type is missing');
  const routing = (id === undefined ? undefined : given('routing')) ?? parameters.get('routing');
  const preference = (id === undefined ? undefined : given('preference')) ?? parameters.get('preference');
  const targets = engine.targets(index, routing?.split(','), nameOptions(parameters, DOCUMENT_CALL));
  const { body, unreadable } = readBody(call.text, {}, call.read);
  const onlyShards = preferredShards(preference);
  const copies = copyChoice(engine, preferredCopies(preference));
  const found = await engine.percolate(targets, {
    type,
    body,
    unreadable,
    source,
    onlyShards,
    copies,
    limit,
  });
  const idsOnly = parameters.get('percolate_format') === 'ids';
  const work = limit.untimed();
  const shown = async (part: Rendered | undefined) =>
    part === undefined ? undefined : inTurns(aggregationsJson(part, engine.nodeId, work), work);
  return {
    took: tookSince(started),
    _shards: broadcastCounts(found.shards, found.failures),
    total: found.total,
    matches: call.onlyCount
      ? undefined
      : found.matches.map((match) => (idsOnly ? match.id : matchJson(match))),
    facets: await shown(found.facets),
    aggregations: await shown(found.aggregations),
  };
}

function matchJson({ index, id, score, highlight }: Match): Json {
  return {
    _index: index,
    _id: id,
    _score: score === undefined || score === 0 ? undefined : new Float(score),
    highlight: highlight as Json | undefined,
  };
}

const utf8 = new TextDecoder();

/** The source of a document that is there; 404 without it. */
async function stored(
  engine: Engine,
  { index: name = '', type = '', id, parameters }: Call & { id: string },
  limit: WorkLimit,
): Promise<JsonObject> {
  const target = engine.readTarget(name, parameters.get('routing') ?? parameters.get('parent'));
  const own = target.index.shardOf(type, id, target.routing);
  const shard = await withDocuments(own, [{ type, id }], true, limit);
  const document = shard.documents.get(type, id);
  if (document === undefined) {
    throw new ElasticsearchError('DocumentMissingException', `[_na][_na] [${type}][${id}]: document missing`);
  }
  const wrong = wrongVersion(
    { index: target.index.name, shard: shard.number, type, id },
    document.version,
    long(parameters, 'version'),
    parseVersionType(parameters.get('version_type')),
  );
  if (wrong !== undefined) throw wrong;
  const source: unknown = parseLax(utf8.decode(document.source));
  return isObject(source) ? source : {};
}

/** Keys of a header under the names of the parameters they stand for. */
const HEADERS: Record<string, string> = {
  id: 'id',
  index: 'index',
  indices: 'index',
  type: 'type',
  percolate_index: 'percolate_index',
  percolate_indices: 'percolate_index',
  percolateIndex: 'percolate_index',
  percolateIndices: 'percolate_index',
  percolate_type: 'percolate_type',
  percolateType: 'percolate_type',
  preference: 'preference',
  routing: 'routing',
  percolate_preference: 'percolate_preference',
  percolatePreference: 'percolate_preference',
  percolate_routing: 'percolate_routing',
  percolateRouting: 'percolate_routing',
  version: 'version',
  version_type: 'version_type',
  versionType: 'version_type',
  ignore_unavailable: 'ignore_unavailable',
  ignoreUnavailable: 'ignore_unavailable',
  allow_no_indices: 'allow_no_indices',
  allowNoIndices: 'allow_no_indices',
  expand_wildcards: 'expand_wildcards',
  expandWildcards: 'expand_wildcards',
};

async function several(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const body = request.body.length > 0 ? request.body : new TextEncoder().encode(bodyText(request));
  if (body.length === 0 || !looksLikeJson(body)) throw notLines(body);
  const { limit } = request;
  const calls = await inTurns(readCalls(body, request), limit);
  if (calls.length === 0) throw validationFailed('no requests added');
  const work = limit.untimed();
  const responses = await atMost(AT_ONCE, calls, async ({ line, ...call }): Promise<Json> => {
    if (work.due) await work.yield();
    try {
      const read = isLong(line) ? await readText(line, limit) : undefined;
      const text = read?.text ?? utf8.decode(line);
      return await percolate(engine, { ...call, text, read }, limit);
    } catch (e) {
      return { error: toElasticsearchError(e).render() };
    }
  });
  return json(request, 200, { responses });
}

/** Percolations of one request that are carried out together: each has a shard for its document. */
const AT_ONCE = 16;
/** Steps of a work limit that reading a header takes. */
const HEADER_STEPS = 40;

/** One of several: its body isn't read yet. */
type LineCall = Omit<Call, 'text' | 'read'> & { line: Uint8Array };

/** A line with what is percolated, a line with the document, and so on. */
function* readCalls(body: Uint8Array, { path, query, limit }: RoutedRequest): Turns<LineCall[]> {
  const lines = bodyLines(body);
  const calls: LineCall[] = [];
  for (let i = 0; i + 1 < lines.length; i += 2) {
    if (limit.isDue(HEADER_STEPS)) yield;
    const [kind, header] = headerOf(lines[i]!);
    const parameters = new Map(query);
    for (const [key, value] of Object.entries(header)) {
      const name = Object.hasOwn(HEADERS, key) ? HEADERS[key] : undefined;
      if (name !== undefined) parameters.set(name, headerText(value) ?? '');
    }
    const index = parameters.get('index') ?? path.index;
    const type = parameters.get('type') ?? path.type;
    const line = lines[i + 1]!;
    calls.push({ index, type, id: parameters.get('id'), parameters, line, onlyCount: kind === 'count' });
  }
  return calls;
}

function headerOf(line: Uint8Array): [kind: string, header: JsonObject] {
  let parsed: unknown;
  try {
    parsed = parseLax(utf8.decode(line));
  } catch (e) {
    throw javaParse(toElasticsearchError(e));
  }
  const [kind] = isObject(parsed) ? Object.keys(parsed) : [];
  const header = isObject(parsed) && kind !== undefined ? parsed[kind] : undefined;
  if (kind !== 'percolate' && kind !== 'count') {
    const detail = `Expected field name but got [${kind ?? ''}]`;
    throw new ElasticsearchError('ElasticsearchIllegalArgumentException', detail);
  }
  return [kind, isObject(header) ? header : {}];
}
