/** Aliases: many actions at once, one at a time, and what there is. */
import { illegalArgument, noContent, toElasticsearchError } from '../errors.js';
import { type AliasAction, matching, readAlias } from '../index/aliases.js';
import type { Engine } from '../index/engine.js';
import { nameOptions, wildcard } from '../index/names.js';
import { isObject } from '../mapping/values.js';
import { bodyText, javaParse, parseBody } from './body.js';
import { aliasesOf } from './indices.js';
import type { Json } from './json.js';
import { acknowledged, json, type RestResponse, type RoutedRequest, text } from './request.js';
import type { Route } from './router.js';

/** The routes of this family. */
export function aliasRoutes(engine: Engine): Route[] {
  const put = (request: RoutedRequest) => putOne(engine, request);
  const drop = (request: RoutedRequest) => removeOne(engine, request);
  const show = (request: RoutedRequest) => get(engine, request);
  const all = (request: RoutedRequest) => getAll(engine, request);
  const routes: Route[] = [
    ['POST', '/_aliases', 'manage', (request) => update(engine, request)],
    ['PUT', '/_alias', 'manage', put],
    ['GET', '/_aliases', 'look', all],
    ['GET', '/_aliases/{name}', 'look', all],
    ['GET', '/{index}/_aliases', 'look', all],
    ['GET', '/{index}/_aliases/{name}', 'look', all],
    ['GET', '/_alias', 'look', show],
    ['GET', '/_alias/{name}', 'look', show],
    ['GET', '/{index}/_alias', 'look', show],
    ['GET', '/{index}/_alias/{name}', 'look', show],
    ['HEAD', '/_alias/{name}', 'look', (request) => exists(engine, request)],
    ['HEAD', '/{index}/_alias/{name}', 'look', (request) => exists(engine, request)],
    ['HEAD', '/{index}/_alias', 'look', (request) => exists(engine, request)],
  ];
  for (const name of ['_alias', '_aliases']) {
    routes.push(
      ['PUT|POST', `/{index}/${name}/{name}`, 'manage', put],
      ['PUT', `/{index}/${name}`, 'manage', put],
      ['PUT|POST', `/${name}/{name}`, 'manage', put],
      ['DELETE', `/{index}/${name}/{name}`, 'manage', drop],
    );
  }
  return routes;
}

async function update(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const body = parseBody(request, javaParse);
  if (body === undefined) throw noContent();
  const given = Array.isArray(body.actions) ? body.actions : [];
  const actions = given.flatMap((each: unknown) =>
    Object.entries(isObject(each) ? each : {}).map(([name, options]) => action(name, options)),
  );
  await engine.cluster.updateAliases(actions, nameOptions(request.query));
  return acknowledged(request);
}

function action(name: string, options: unknown): AliasAction {
  if (name !== 'add' && name !== 'remove') throw illegalArgument(`Alias action [${name}] not supported`);
  const { index, alias } = isObject(options) ? options : {};
  const text = (value: unknown) =>
    value === undefined || value === null || typeof value === 'object' ? undefined : String(value);
  return { kind: name, index: text(index), alias: text(alias), metadata: readAlias(options) };
}

async function putOne(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const body = bodyText(request).trim() === '' ? {} : (parseBody(request, javaParse) ?? {});
  const index = request.path.index ?? (typeof body.index === 'string' ? body.index : undefined);
  const alias = request.path.name ?? (typeof body.alias === 'string' ? body.alias : undefined);
  if (!index) throw illegalArgument('Alias action [add]: Property [index] was either missing or null');
  const metadata = readAlias(body);
  const options = nameOptions(request.query, { expandClosed: true });
  await engine.cluster.updateAliases([{ kind: 'add', index, alias, metadata }], options);
  return acknowledged(request);
}

async function removeOne(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const { index, name } = request.path;
  const options = nameOptions(request.query, { expandClosed: true });
  await engine.cluster.updateAliases([{ kind: 'remove', index, alias: name, metadata: {} }], options);
  return acknowledged(request);
}

/** Whether an alias is one of those that a comma list of patterns means; undefined means all. */
function nameFilter(list: string | undefined): (name: string) => boolean {
  if (list === undefined || list === '_all' || list === '*') return () => true;
  const tests = list.split(',').map(wildcard);
  return (name) => tests.some((test) => test(name));
}

/** `_alias`: indices without a fitting alias are left out if a name was given. */
function get(engine: Engine, request: RoutedRequest): RestResponse {
  const { index, name } = request.path;
  const passes = nameFilter(name);
  const indices = engine.resolve(index, nameOptions(request.query, { expandClosed: true }));
  const found = indices.filter(
    (each) => name === undefined || Object.keys(each.aliases).some((alias) => passes(alias)),
  );
  if (found.length === 0 && name !== undefined && index === undefined && !name.includes('*'))
    return json(request, 404, { error: `alias [${name}] missing`, status: 404 });
  return json(request, 200, show(found, passes));
}

/** `_aliases`: every index is there. */
function getAll(engine: Engine, request: RoutedRequest): RestResponse {
  const { index, name } = request.path;
  const indices = engine.resolve(index, nameOptions(request.query, { expandClosed: true }));
  return json(request, 200, show(indices, nameFilter(name)));
}

function show(indices: ReturnType<Engine['resolve']>, passes: (name: string) => boolean): Json {
  return Object.fromEntries(indices.map((each) => [each.name, { aliases: aliasesOf(each, passes) }]));
}

function exists(engine: Engine, request: RoutedRequest): RestResponse {
  const { index, name } = request.path;
  let indices: ReturnType<Engine['resolve']>;
  try {
    indices = engine.resolve(index, nameOptions(request.query, { expandClosed: true }));
  } catch (e) {
    if (toElasticsearchError(e).exception !== 'IndexMissingException') throw e;
    return text(404);
  }
  const patterns = (name ?? '_all').split(',');
  return text(indices.some(({ aliases }) => matching(aliases, patterns).length > 0) ? 200 : 404);
}
