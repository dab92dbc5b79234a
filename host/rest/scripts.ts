/** Stored scripts, stored search templates, and searches by template. */
import { ElasticsearchError, illegalArgument, noContent, toElasticsearchError } from '../errors.js';
import { Mustache } from '../dsl/mustache.js';
import { readExpression } from '../expression/script.js';
import type { Engine } from '../index/engine.js';
import { checkVersion, parseVersionType, type VersionType, wrongVersion } from '../index/operation.js';
import { placeOfScript, SCRIPT_INDEX } from '../index/stored.js';
import { isObject } from '../mapping/values.js';
import { bodyText, javaParse, parseBody } from './body.js';
import { json, long, type RestResponse, type RoutedRequest } from './request.js';
import { anyVersion, noSuchOperation } from './documents.js';
import type { Route } from './router.js';
import { readBody, readPlace } from './searchCall.js';
import { runSearch } from './searching.js';

const LANGUAGES = ['groovy', 'expression', 'mustache', 'native'];

/** The routes of this family. */
export function scriptRoutes(engine: Engine): Route[] {
  const routes: Route[] = [];
  for (const [path, language, key] of [
    ['/_scripts/{lang}/{id}', undefined, 'script'],
    ['/_search/template/{id}', 'mustache', 'template'],
  ] as const) {
    routes.push(
      ['PUT|POST', path, 'clusterManage', (request) => put(engine, request, language, key)],
      ['PUT|POST', `${path}/_create`, 'clusterManage', (request) => create(engine, request, language, key)],
      ['GET', path, 'monitor', (request) => get(engine, request, language, key)],
      ['DELETE', path, 'clusterManage', (request) => remove(engine, request, language)],
    );
  }
  for (const place of ['', '/{index}', '/{index}/{type}'])
    routes.push(['GET|POST', `${place}/_search/template`, 'read', (request) => search(engine, request)]);
  return routes;
}

function languageOf({ path }: RoutedRequest, fixed: string | undefined): string {
  const language = fixed ?? path.lang!;
  if (!LANGUAGES.includes(language)) throw illegalArgument(`script_lang not supported [${language}]`);
  return language;
}

/** The version that a request wants. */
function versionOf({ query }: RoutedRequest): { version: number | undefined; versionType: VersionType } {
  const version = anyVersion(long(query, 'version'));
  const versionType = parseVersionType(query.get('version_type'));
  return { version, versionType };
}

function create(
  engine: Engine,
  request: RoutedRequest,
  fixed: string | undefined,
  key: 'script' | 'template',
): Promise<RestResponse> {
  return put(engine, { ...request, query: new Map([...request.query, ['op_type', 'create']]) }, fixed, key);
}

async function put(
  engine: Engine,
  request: RoutedRequest,
  fixed: string | undefined,
  key: 'script' | 'template',
): Promise<RestResponse> {
  const language = languageOf(request, fixed);
  const wanted = versionOf(request);
  const operation = request.query.get('op_type') ?? 'index';
  if (operation !== 'index' && operation !== 'create') return noSuchOperation(request, operation);
  checkVersion(wanted.version, wanted.versionType);
  const body = parseBody(request, javaParse);
  if (body === undefined) throw noContent();
  const given = body[key] ?? body.template ?? body.script;
  if (given === undefined) throw illegalArgument(`Unable to find script in : ${bodyText(request)}`);
  const text = typeof given === 'string' ? given : JSON.stringify(given);
  if (language === 'mustache') compiled(text);
  if (language === 'expression') checkExpression(text);
  const id = request.path.id!;
  const write = { ...wanted, create: operation === 'create' };
  const { version, created } = await engine.cluster.stored.putScript(language, id, text, write);
  return json(request, created ? 201 : 200, { _id: id, _version: version, created });
}

/** 400 for an expression that can't be read. */
function checkExpression(text: string): void {
  try {
    readExpression(text);
  } catch (e) {
    throw illegalArgument(`Unable to parse [${text}] lang [expression]`, toElasticsearchError(e));
  }
}

/** 400 for a template that can't be read. */
function compiled(text: string): Mustache {
  try {
    return new Mustache(text);
  } catch (e) {
    throw illegalArgument(`Unable to parse [${text}] lang [mustache]`, toElasticsearchError(e));
  }
}

function get(
  engine: Engine,
  request: RoutedRequest,
  fixed: string | undefined,
  key: 'script' | 'template',
): RestResponse {
  const lang = languageOf(request, fixed);
  const id = request.path.id!;
  const { version, versionType } = versionOf(request);
  const found = engine.cluster.stored.script(lang, id);
  const wrong = wrongVersion(placeOfScript(lang, id), found?.version ?? -1, version, versionType);
  if (found !== undefined && wrong !== undefined) throw wrong;
  if (found === undefined) return json(request, 404, { lang, _id: id, found: false });
  return json(request, 200, { lang, _id: id, found: true, _version: found.version, [key]: found.script });
}

async function remove(
  engine: Engine,
  request: RoutedRequest,
  fixed: string | undefined,
): Promise<RestResponse> {
  const language = languageOf(request, fixed);
  const id = request.path.id!;
  const wanted = versionOf(request);
  checkVersion(wanted.version, wanted.versionType);
  const { found, version } = await engine.cluster.stored.deleteScript(language, id, wanted);
  return json(request, found ? 200 : 404, {
    found,
    _index: SCRIPT_INDEX,
    _type: language,
    _id: id,
    _version: version,
  });
}

async function search(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const body = parseBody(request, javaParse);
  if (body === undefined) throw noContent();
  const text = templateOf(engine, body).render(body.params ?? {});
  const call = { ...readPlace(request.path, request.query), ...readBody(text, {}) };
  return json(request, 200, await runSearch(engine, call));
}

/** The template in a body: as text, as an object, or by the id of a stored one. */
function templateOf(engine: Engine, { template, id }: Record<string, unknown>): Mustache {
  const wanted = id ?? (isObject(template) && Object.keys(template).length === 1 ? template.id : undefined);
  if (typeof wanted === 'string') {
    const stored = engine.cluster.stored.script('mustache', wanted);
    if (stored !== undefined) return compiled(stored.script);
    throw illegalArgument(`Unable to find script [${SCRIPT_INDEX}/mustache/${wanted}]`);
  }
  if (isObject(template) && typeof template.file === 'string')
    throw illegalArgument(`Unable to find on disk script ${template.file}`);
  if (template === undefined) {
    const cause = new ElasticsearchError('NullPointerException', null, { status: 500 });
    throw new ElasticsearchError('ElasticsearchParseException', 'no template found', { nested: cause });
  }
  return compiled(typeof template === 'string' ? template : JSON.stringify(template));
}
