/** Warmers: kept and shown. Nothing here needs warming up. */
import { validationFailed } from '../../errors.js';
import { matching } from '../../metadata/aliases.js';
import type { Engine } from '../../engine/engine.js';
import { parseLax } from '../../json/laxJson.js';
import { DOCUMENT_CALL, nameOptions } from '../../metadata/names.js';
import type { Json } from '../json.js';
import { acknowledged, flag, json, type RestResponse, type RoutedRequest } from '../request.js';
import type { Route } from '../router.js';
import { readSearch } from '../search/searchCall.js';

/** The routes of this family. */
export function warmerRoutes(engine: Engine): Route[] {
  const routes: Route[] = [];
  for (const name of ['_warmer', '_warmers']) {
    const change = (request: RoutedRequest) => put(engine, request);
    const show = (request: RoutedRequest) => get(engine, request);
    const drop = (request: RoutedRequest) => remove(engine, request);
    // Under its other name the whole of it is a feature of GET /{index}.
    if (name === '_warmer')
      routes.push(['GET', '/_warmer', 'look', show], ['GET', '/{index}/_warmer', 'look', show]);
    routes.push(
      ['PUT|POST', `/${name}/{name}`, 'manage', change],
      ['PUT|POST', `/{index}/${name}/{name}`, 'manage', change],
      ['PUT|POST', `/{index}/{type}/${name}/{name}`, 'manage', change],
      ['GET', `/${name}/{name}`, 'look', show],
      ['GET', `/{index}/${name}/{name}`, 'look', show],
      ['GET', `/{index}/{type}/${name}/{name}`, 'look', show],
      ['DELETE', `/{index}/${name}`, 'manage', drop],
      ['DELETE', `/{index}/${name}/{name}`, 'manage', drop],
    );
  }
  return routes;
}

/** The search is run once, so that one that can't be is refused. */
async function put(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const { path, query } = request;
  const types = path.type?.split(',') ?? [];
  const targets = engine.targets(path.index, undefined, nameOptions(query, DOCUMENT_CALL));
  const search = readSearch(request);
  await engine.search(targets, { ...search, ...(types.length === 0 ? {} : { types }) });
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
