/** Warmers: kept and shown. Nothing here needs warming up. */
import { validationFailed } from '../../errors.js';
import { matching } from '../../metadata/aliases.js';
import type { Engine } from '../../engine/engine.js';
import { parseLax } from '../../json/laxJson.js';
import { DOCUMENT_CALL, nameOptions } from '../../metadata/names.js';
import type { Json } from '../json.js';
import { acknowledged, flag, json, type RestResponse, type RoutedRequest } from '../request.js';
import { type EndpointGroup, INDICES_OPTIONS, ofTypes, SEARCH } from '../endpoint.js';
import { readSearch } from '../search/searchCall.js';

const CHANGE = { privilege: 'manage', pool: 'management', masterTimeout: true } as const;

export const warmerEndpoints: EndpointGroup = {
  name: 'Warmers',
  purpose: 'Kept and shown; nothing needs warming up.',
  tag: 'full',
  endpoints: [
    {
      ...CHANGE,
      methods: ['PUT', 'POST'],
      paths: [...ofTypes('/_warmer/{name}'), ...ofTypes('/_warmers/{name}')],
      action: 'indices:admin/warmers/put',
      parameters: ['query_cache', ...SEARCH],
      body: 'json',
      handler: put,
    },
    {
      ...CHANGE,
      methods: ['DELETE'],
      paths: ['_warmer', '_warmers'].flatMap((each) => [`/{index}/${each}`, `/{index}/${each}/{name}`]),
      action: 'indices:admin/warmers/delete',
      parameters: ['name', ...INDICES_OPTIONS],
      handler: remove,
    },
    {
      methods: ['GET'],
      // Under its other name the whole of it is a feature of GET /{index}.
      paths: ['/_warmer', '/{index}/_warmer', ...ofTypes('/_warmer/{name}'), ...ofTypes('/_warmers/{name}')],
      privilege: 'metadata',
      action: 'indices:admin/warmers/get',
      pool: 'management',
      parameters: INDICES_OPTIONS,
      ignored: ['local', 'timeout', 'master_timeout'],
      readOnly: true,
      handler: get,
    },
  ],
};

/** The search is run once, so that one that can't be is refused. */
async function put(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const { path, query } = request;
  const types = path.type?.split(',') ?? [];
  const targets = engine.targets(path.index, undefined, nameOptions(query, DOCUMENT_CALL));
  const search = readSearch(request);
  const { limit } = request;
  await engine.search(targets, { ...search, limit, ...(types.length === 0 ? {} : { types }) });
  const indices = targets.map(({ index }) => index);
  const warmer = {
    types,
    ...(query.has('query_cache') ? { queryCache: flag(query, 'query_cache') } : {}),
    source: search.text === '' ? {} : parseLax(search.text),
  };
  await engine.cluster.putWarmer(indices, path.name!, warmer);
  return acknowledged(request);
}

/** Indices without a warmer of a name that is asked for are left out. */
function get(engine: Engine, request: RoutedRequest): RestResponse {
  const { path, query } = request;
  const out: Record<string, Json> = {};
  for (const { name, warmers } of engine.resolve(path.index, nameOptions(query), 'metadata_read')) {
    const names = matching(warmers, (path.name ?? '_all').split(','));
    if (names.length === 0 && path.name !== undefined) continue;
    const shown = names.map((each) => [each, warmers[each] as unknown as Json]);
    out[name] = { warmers: Object.fromEntries(shown) };
  }
  return json(request, 200, out);
}

async function remove(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const { path, query } = request;
  const names = path.name ?? query.get('name');
  if (names === undefined) throw validationFailed('warmer names are missing');
  const indices = engine.resolve(path.index, nameOptions(query, { allowNoIndices: false }));
  await engine.cluster.deleteWarmers(indices, names.split(','));
  return acknowledged(request);
}
