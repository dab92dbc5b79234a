/** Index templates: put, get, exists, delete. */
import { type ElasticsearchError, illegalArgument, noContent } from '../../errors.js';
import { showAlias } from '../../metadata/aliases.js';
import type { Engine } from '../../engine/engine.js';
import { readWarmers } from '../../metadata/indexCreation.js';
import { renderSettings } from '../../settings/indexSettings.js';
import { type IndexTemplate, readTemplate } from '../../metadata/templates.js';
import { parseBody } from '../body.js';
import type { Json } from '../json.js';
import { acknowledged, flag, int, json, type RestResponse, type RoutedRequest, text } from '../request.js';
import type { EndpointGroup } from '../endpoint.js';

const CHANGE = {
  paths: ['/_template/{name}'],
  privilege: 'cluster:manage',
  pool: 'management',
  masterTimeout: true,
} as const;
const SHOW = {
  privilege: 'cluster:monitor',
  action: 'indices:admin/template/get',
  pool: 'management',
  ignored: ['local', 'timeout', 'master_timeout'],
  readOnly: true,
} as const;

export const templateEndpoints: EndpointGroup = {
  name: 'Index templates',
  purpose: 'What new indices start from.',
  tag: 'core',
  endpoints: [
    {
      ...CHANGE,
      methods: ['PUT', 'POST'],
      action: 'indices:admin/template/put',
      parameters: ['create', 'order', 'template'],
      ignored: ['flat_settings'],
      body: 'json',
      handler: put,
    },
    {
      ...CHANGE,
      methods: ['DELETE'],
      action: 'indices:admin/template/delete',
      parameters: [],
      handler: remove,
    },
    {
      ...SHOW,
      methods: ['GET'],
      paths: ['/_template', '/_template/{name}'],
      parameters: ['flat_settings'],
      handler: get,
    },
    {
      ...SHOW,
      methods: ['HEAD'],
      paths: ['/_template/{name}'],
      parameters: [],
      handler: (engine, request) => text(find(engine, request).length > 0 ? 200 : 404),
    },
  ],
};

async function put(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const { path, query } = request;
  const failed = (cause: ElasticsearchError) =>
    cause.exception === 'JsonParseException'
      ? illegalArgument('failed to parse template source', cause)
      : cause;
  const body = parseBody(request, failed);
  if (body === undefined) throw noContent();
  const template = readTemplate(body, { template: query.get('template'), order: int(query, 'order') });
  await engine.cluster.stored.putTemplate(path.name!, template, flag(query, 'create'));
  return acknowledged(request);
}

function find(engine: Engine, { path }: RoutedRequest): [string, IndexTemplate][] {
  return engine.cluster.stored.matchingTemplates(path.name?.split(','));
}

function get(engine: Engine, request: RoutedRequest): RestResponse {
  const found = find(engine, request);
  const { name } = request.path;
  const missing = found.length === 0 && name !== undefined && !name.includes('*');
  const flat = flag(request.query, 'flat_settings', true);
  const shown = found.map(([each, template]) => [each, show(template, flat)]);
  return json(request, missing ? 404 : 200, Object.fromEntries(shown));
}

/** A template as answers show it; its settings flat unless asked otherwise. */
export function show(stored: IndexTemplate, flat: boolean): Json {
  const { order, template, settings, mappings, aliases, warmers } = stored;
  return {
    order,
    template,
    settings: renderSettings(settings, flat) as Json,
    mappings: mappings as Json,
    warmers: warmers === undefined ? undefined : (readWarmers(warmers) as unknown as Json),
    aliases: Object.fromEntries(
      Object.entries(aliases).map(([name, alias]) => [name, showAlias(alias) as Json]),
    ),
  };
}

async function remove(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  await engine.cluster.stored.deleteTemplates(request.path.name!);
  return acknowledged(request);
}
