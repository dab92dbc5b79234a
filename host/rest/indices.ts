/** Indices and types: create, delete, exists, settings, mappings, refresh. */
import { ElasticsearchError, illegalArgument, indexMissing, validationFailed } from '../errors.js';
import type { Engine } from '../index/engine.js';
import { nameOptions, wildcard } from '../index/names.js';
import type { OpenIndex } from '../index/openIndex.js';
import { renderSettings } from '../index/settings.js';
import { createFailed, parseBody } from './body.js';
import type { Json } from './json.js';
import { flag, int, json, type RestResponse, type RoutedRequest, text } from './request.js';
import type { Route } from './router.js';

/** The version of 1.7.3 as its settings show it. */
const CREATED_BY = '1070399';

/** The routes of this family. */
export function indexRoutes(engine: Engine): Route[] {
  const routes: Route[] = [
    ['PUT|POST', '/{index}', (request) => create(engine, request)],
    ['DELETE', '/{index}', (request) => remove(engine, request)],
    ['DELETE', '/', () => Promise.reject(validationFailed('index / indices is missing'))],
    ['HEAD', '/{index}', (request) => exists(engine, request)],
    ['HEAD', '/{index}/{type}', (request) => typeExists(engine, request)],
    ['GET', '/{index}', (request) => get(engine, request, undefined)],
    ['GET', '/{index}/{feature}', (request) => get(engine, request, request.path.feature)],
    ['GET', '/_settings', (request) => get(engine, request, '_settings')],
    ['POST|GET', '/_refresh', (request) => refresh(engine, request)],
    ['POST|GET', '/{index}/_refresh', (request) => refresh(engine, request)],
    ['POST|GET', '/_optimize', (request) => optimize(engine, request)],
    ['POST|GET', '/{index}/_optimize', (request) => optimize(engine, request)],
  ];
  for (const name of ['_mapping', '_mappings']) {
    const put = (request: RoutedRequest) => putMapping(engine, request);
    const show = (request: RoutedRequest) => getMapping(engine, request);
    routes.push(
      ['PUT|POST', `/${name}`, put],
      ['PUT|POST', `/${name}/{type}`, put],
      ['PUT|POST', `/{index}/${name}`, put],
      ['PUT|POST', `/{index}/${name}/{type}`, put],
      ['PUT|POST', `/{index}/{type}/${name}`, put],
      ['GET', `/${name}`, show],
      ['GET', `/${name}/{type}`, show],
      ['GET', `/{index}/${name}`, show],
      ['GET', `/{index}/${name}/{type}`, show],
      ['GET', `/{index}/{type}/${name}`, show],
    );
  }
  return routes;
}

async function create(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const body = request.body.includes(0x7b) ? (parseBody(request, createFailed) ?? {}) : {};
  const named = ['settings', 'mappings', 'aliases', 'warmers'].some((key) => key in body);
  for (const key of ['aliases', 'warmers']) {
    const part = body[key];
    if (typeof part === 'object' && part !== null && Object.keys(part).length > 0) {
      throw illegalArgument(`[${key}] of a new index are not offered yet`);
    }
  }
  const { settings, mappings } = named ? body : { settings: body, mappings: undefined };
  if (mappings !== undefined && (typeof mappings !== 'object' || mappings === null)) {
    throw new ElasticsearchError('ClassCastException', 'mappings must be an object', { status: 500 });
  }
  await engine.createIndex(request.path.index!, { settings, mappings });
  return json(request, 200, { acknowledged: true });
}

async function remove(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  await engine.deleteIndices(request.path.index, nameOptions(request.query));
  return json(request, 200, { acknowledged: true });
}

function exists(engine: Engine, request: RoutedRequest): RestResponse {
  engine.resolve(request.path.index, nameOptions(request.query, { allowNoIndices: false }));
  return text(200);
}

function typeExists(engine: Engine, request: RoutedRequest): RestResponse {
  const indices = engine.resolve(request.path.index, nameOptions(request.query));
  const types = request.path.type!.split(',');
  const all = indices.length > 0 && indices.every(({ model }) => types.every((type) => model.hasType(type)));
  return text(all ? 200 : 404);
}

const FEATURES = new Map([
  ['_settings', 'settings'],
  ['_mapping', 'mappings'],
  ['_mappings', 'mappings'],
  ['_alias', 'aliases'],
  ['_aliases', 'aliases'],
  ['_warmer', 'warmers'],
  ['_warmers', 'warmers'],
]);

function get(engine: Engine, request: RoutedRequest, features: string | undefined): RestResponse {
  const { index } = request.path;
  // A lone part that starts like an endpoint is taken for a feature that doesn't exist.
  if (index?.startsWith('_') && index !== '_all') {
    throw features === undefined ? illegalArgument(`No feature for name [${index}]`) : indexMissing(index);
  }
  const wanted = new Set<string>();
  for (const name of features?.split(',') ?? ['_aliases', '_mappings', '_settings', '_warmers']) {
    const feature = FEATURES.get(name);
    if (feature === undefined) throw illegalArgument(`No feature for name [${name}]`);
    wanted.add(feature);
  }
  const indices = engine.resolve(index, nameOptions(request.query));
  const parts = (each: OpenIndex): Json => ({
    aliases: wanted.has('aliases') ? {} : undefined,
    mappings: wanted.has('mappings') ? (each.model.toJSON() as Json) : undefined,
    settings: wanted.has('settings') ? settingsOf(each, flag(request.query, 'flat_settings')) : undefined,
    warmers: wanted.has('warmers') ? {} : undefined,
  });
  return json(request, 200, Object.fromEntries(indices.map((each) => [each.name, parts(each)])));
}

function settingsOf({ metadata }: OpenIndex, flat: boolean): Json {
  const all = {
    'index.creation_date': String(metadata.created),
    'index.uuid': metadata.uuid,
    'index.version.created': CREATED_BY,
    ...metadata.settings.flat,
  };
  return renderSettings(all, flat) as Json;
}

async function putMapping(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const body = parseBody(request);
  const problems: string[] = [];
  if (request.path.type === undefined) problems.push('mapping type is missing');
  if (body === undefined) problems.push('mapping source is empty');
  if (problems.length > 0) throw validationFailed(...problems);
  const type = request.path.type!;
  const indices = engine.resolve(request.path.index, nameOptions(request.query, { allowNoIndices: false }));
  const options = { ignoreConflicts: flag(request.query, 'ignore_conflicts') };
  for (const index of indices) await engine.putMapping(index, type, body, options);
  return json(request, 200, { acknowledged: true });
}

function getMapping(engine: Engine, request: RoutedRequest): RestResponse {
  const indices = engine.resolve(request.path.index, nameOptions(request.query));
  const types = request.path.type?.split(',');
  const out: Record<string, Json> = {};
  for (const index of indices) {
    const all = index.model.toJSON() as Record<string, Json>;
    const all_ = types === undefined || types.includes('_all');
    const mappings = Object.fromEntries(
      Object.entries(all).filter(([type]) => all_ || types.some((each) => matches(each, type))),
    );
    if (types === undefined || Object.keys(mappings).length > 0) out[index.name] = { mappings };
  }
  return json(request, 200, out);
}

function matches(pattern: string, type: string): boolean {
  return wildcard(pattern)(type);
}

async function refresh(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const indices = engine.resolve(request.path.index, nameOptions(request.query));
  await engine.refresh(indices);
  return json(request, 200, { _shards: shardsHeader(indices) });
}

async function optimize(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const indices = engine.resolve(request.path.index, nameOptions(request.query));
  await engine.forceMerge(indices, Math.max(1, int(request.query, 'max_num_segments') ?? 1));
  return json(request, 200, { _shards: shardsHeader(indices) });
}

/** `total` counts the replicas that one node can't hold, as 1.7 does. */
function shardsHeader(indices: readonly OpenIndex[]): Json {
  let total = 0;
  let successful = 0;
  for (const { shards, metadata } of indices) {
    total += shards.length * (1 + metadata.settings.replicas);
    successful += shards.length;
  }
  return { total, successful, failed: 0 };
}
