/** Counting, and deleting what a query finds. */

import { checkedQuery, countDocuments } from '../../engine/counting.js';
import { deleteByQuery } from '../../engine/deletion.js';
import type { Engine } from '../../engine/engine.js';
import { ElasticsearchError, toElasticsearchError, validationFailed } from '../../errors.js';
import { nameOptions } from '../../metadata/names.js';
import { Passes } from '../../passes.js';
import type { QueryFailure } from '../../search/queryFailure.js';
import { bodyText } from '../body.js';
import { broadcastCounts, worstStatus } from '../broadcast.js';
import { wantedCopies } from '../documents/writeParameters.js';
import { type EndpointGroup, INDICES_OPTIONS, ofTypes, QUERY_STRING } from '../endpoint.js';
import type { Json } from '../json.js';
import { float, json, type RestResponse, type RoutedRequest, terminateAfterOf } from '../request.js';
import { copyChoice, list, queryString, readBody, readPlace } from './searchCall.js';

export const countEndpoints: EndpointGroup = {
  name: 'Count and delete by query',
  purpose: 'How many documents a query finds; deleting them.',
  tag: 'core',
  endpoints: [
    {
      methods: ['GET', 'POST'],
      paths: ofTypes('/_count'),
      privilege: 'read',
      action: 'indices:data/read/count',
      pool: 'search',
      parameters: [...QUERY_STRING, 'routing', 'preference', 'terminate_after', ...INDICES_OPTIONS],
      ignored: ['min_score', 'search_type', 'scroll'],
      readOnly: true,
      onlyReads: true,
      body: 'json',
      handler: count,
    },
    {
      methods: ['DELETE'],
      paths: ['/{index}/_query', '/{index}/{type}/_query'],
      privilege: 'write',
      action: 'indices:data/write/delete/by_query',
      pool: 'index',
      parameters: [...QUERY_STRING, 'routing', 'preference', ...INDICES_OPTIONS],
      ignored: ['consistency', 'replication', 'timeout'],
      body: 'json',
      handler: remove,
    },
  ],
};

/** The body or, without one, the query that the parameters stand for. */
function bodyOf(request: RoutedRequest) {
  const text = bodyText(request);
  const query = text === '' ? queryString(request.query) : undefined;
  return query === undefined ? readBody(text, {}, request.read) : { body: { query }, text: '' };
}

async function count(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const { query } = request;
  const { index, names, types, routing, onlyShards, preference } = readPlace(request.path, query);
  const targets = engine.targets(index, routing, { ...names, keepsFilters: true });
  const more: Record<string, unknown> = {};
  float(query, 'min_score');
  const terminateAfter = terminateAfterOf(query);
  if (terminateAfter !== undefined) more.terminate_after = terminateAfter;
  const found = await countDocuments(
    engine,
    targets,
    bodyOf(request),
    types,
    request.limit,
    more,
    onlyShards,
    copyChoice(engine, preference),
  );
  const { total, failures } = found;
  return json(request, worstStatus(total, failures), {
    terminated_early: more.terminate_after === undefined ? undefined : found.terminatedEarly,
    count: found.count,
    _shards: broadcastCounts(total, failures),
  });
}

function counts(
  total: number,
  failures: readonly QueryFailure[],
  show: (failure: QueryFailure) => Json,
): Json {
  return {
    total,
    successful: total - failures.length,
    failed: failures.length,
    failures: failures.length === 0 ? undefined : failures.map(show),
  };
}

async function remove(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const { path, query } = request;
  wantedCopies(query);
  const body = bodyOf(request);
  if (body.body !== undefined && body.text === '' && !query.has('q') && bodyText(request) === '')
    throw validationFailed('source is missing');
  const types = list(path.type);
  const options = nameOptions(query, { allowNoIndices: false });
  engine.cluster.stored.checkNamed(path.index);
  for (const index of engine.resolve(path.index, options)) {
    if (!index.closed) continue;
    throw new ElasticsearchError('ClusterBlockException', 'blocked by: [FORBIDDEN/4/index closed];');
  }
  const routing = list(query.get('routing'));
  const targets = engine.targets(path.index, routing.length === 0 ? undefined : routing, options);
  const out: Record<string, Json> = {};
  const passes = new Passes(request.limit);
  let status = 200;
  for (const target of targets) {
    const { index } = target;
    const failures: QueryFailure[] = [];
    try {
      const asked = await checkedQuery(engine, target, body, types, passes);
      if (asked === undefined)
        throw new ElasticsearchError('QueryParsingException', `[${index.name}] Required query is missing`);
      index.checkBlock('write');
      await deleteByQuery(engine, target, asked, types.length === 0 ? undefined : types);
    } catch (e) {
      const error = toElasticsearchError(e);
      status = Math.max(status, error.status);
      failures.push(...index.shards.map(({ number }) => ({ index: index.name, shard: number, error })));
    }
    const shown = ({ shard, error }: QueryFailure): Json => ({
      index: index.name,
      shard,
      reason: error.render(),
    });
    out[index.name] = { _shards: counts(index.shards.length, failures, shown) };
  }
  return json(request, status, { _indices: out });
}
