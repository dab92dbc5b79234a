/** Stored scripts and stored search templates. */

import type { Engine } from '../../engine/engine.js';
import type { UpdateScripts } from '../../engine/scriptedUpdate.js';
import { illegalArgument, noContent, toElasticsearchError } from '../../errors.js';
import { jsonText } from '../../json/jsonText.js';
import { SCRIPT_INDEX } from '../../metadata/scriptIndex.js';
import { Passes } from '../../passes.js';
import { Mustache } from '../../query/compound/mustache.js';
import { scripts } from '../../script/lateScripts.js';
import { checkVersion, parseVersionType, type VersionType } from '../../shard/operation.js';
import type { Version } from '../../storage/versions.js';
import { bodyText, javaParse, parseBody } from '../body.js';
import { noSuchOperation } from '../documents/documents.js';
import { anyVersion } from '../documents/versions.js';
import { type Endpoint, type EndpointGroup, VERSION } from '../endpoint.js';
import { json, long, type RestResponse, type RoutedRequest } from '../request.js';

const LANGUAGES = ['groovy', 'expression', 'mustache', 'native'];

/** What keeps texts of a language, `{lang}` of the path if none is fixed, in bodies with a key. */
function storing(path: string, key: 'script' | 'template', fixed?: string): Endpoint[] {
  const change = {
    privilege: 'cluster:manage',
    pool: 'management',
    parameters: [...VERSION, 'op_type'],
  } as const;
  return [
    {
      ...change,
      methods: ['PUT', 'POST'],
      paths: [path],
      action: 'indices:data/write/script/put',
      handler: (engine, request) => put(engine, request, fixed, key),
    },
    {
      ...change,
      methods: ['PUT', 'POST'],
      paths: [`${path}/_create`],
      action: 'indices:data/write/script/put',
      handler: (engine, request) => create(engine, request, fixed, key),
    },
    {
      ...change,
      methods: ['DELETE'],
      paths: [path],
      action: 'indices:data/write/script/delete',
      handler: (engine, request) => remove(engine, request, fixed),
    },
    {
      methods: ['GET'],
      paths: [path],
      privilege: 'cluster:monitor',
      action: 'indices:data/read/script/get',
      pool: 'management',
      parameters: VERSION,
      readOnly: true,
      handler: (engine, request) => get(engine, request, fixed, key),
    },
  ];
}

export const scriptEndpoints: EndpointGroup = {
  name: 'Stored scripts and search templates',
  purpose: 'Texts that are kept: expressions, and searches with parameters to put in.',
  tag: 'full',
  endpoints: [
    ...storing('/_scripts/{lang}/{id}', 'script'),
    ...storing('/_search/template/{id}', 'template', 'mustache'),
  ],
};

function languageOf({ path }: RoutedRequest, fixed: string | undefined): string {
  const language = fixed ?? path.lang!;
  if (!LANGUAGES.includes(language)) throw illegalArgument(`script_lang not supported [${language}]`);
  return language;
}

/** The version that a request wants. */
function versionOf({ query }: RoutedRequest): { version: Version | undefined; versionType: VersionType } {
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
  const text = typeof given === 'string' ? given : jsonText(given);
  if (language === 'mustache') checkTemplate(text);
  if (language === 'expression') checkExpression(text);
  if (language === 'groovy') checkGroovy(engine.updateScripts, text);
  const id = request.path.id!;
  const write = { ...wanted, create: operation === 'create' };
  const { version, fresh } = await engine.scripts.put(language, id, request.body, write);
  return json(request, fresh ? 201 : 200, { _id: id, _version: version, created: fresh });
}

/** 400 for an expression that can't be read. */
function checkExpression(text: string): void {
  try {
    scripts.loaded.readExpression(text);
  } catch (e) {
    throw illegalArgument(`Unable to parse [${text}] lang [expression]`, toElasticsearchError(e));
  }
}

/** 400 for a script that can't be read, where such scripts may run. */
function checkGroovy({ groovy }: UpdateScripts, text: string): void {
  if (groovy?.allows('indexed') !== true) return;
  try {
    groovy.check(text);
  } catch (e) {
    throw illegalArgument(`Unable to parse [${text}] lang [groovy]`, toElasticsearchError(e));
  }
}

/** 400 for a template that can't be read. */
function checkTemplate(text: string): void {
  try {
    new Mustache(text);
  } catch (e) {
    throw illegalArgument(`Unable to parse [${text}] lang [mustache]`, toElasticsearchError(e));
  }
}

async function get(
  engine: Engine,
  request: RoutedRequest,
  fixed: string | undefined,
  key: 'script' | 'template',
): Promise<RestResponse> {
  const lang = languageOf(request, fixed);
  const id = request.path.id!;
  const version = versionOf(request);
  const found = await new Passes(request.limit).run(() => engine.scripts.get(lang, id, version));
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
  const { fresh, version } = await engine.scripts.delete(language, id, wanted);
  return json(request, fresh ? 200 : 404, {
    found: fresh,
    _index: SCRIPT_INDEX,
    _type: language,
    _id: id,
    _version: version,
  });
}
