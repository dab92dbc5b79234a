/** The settings of indices: get and put. */
import { ElasticsearchError } from '../../errors.js';
import type { Engine } from '../../engine/engine.js';
import { nameOptions } from '../../metadata/names.js';
import { flatSettings } from '../../settings/indexSettings.js';
import type { Json } from '../json.js';
import { bodyText, parseBody, readFrom } from '../body.js';
import { Passes } from '../../passes.js';
import { settingsOf } from './indices.js';
import { acknowledged, flag, json, type RestResponse, type RoutedRequest } from '../request.js';
import { type EndpointGroup, INDICES_OPTIONS, ofIndices } from '../endpoint.js';
import { settingsOfText } from './settingsText.js';
import { isCompound } from '../../json/values.js';
import { putAll, putOwn } from '../../ownNames.js';

export const settingsEndpoints: EndpointGroup = {
  name: 'Settings',
  purpose: 'The settings of indices; every setting is a parameter too.',
  tag: 'core',
  endpoints: [
    {
      methods: ['GET'],
      paths: [...ofIndices('/_settings'), ...ofIndices('/_settings/{name}')],
      privilege: 'metadata',
      action: 'indices:monitor/settings/get',
      pool: 'management',
      parameters: ['flat_settings', ...INDICES_OPTIONS],
      ignored: ['local', 'timeout', 'master_timeout'],
      readOnly: true,
      handler: get,
    },
    {
      methods: ['PUT'],
      paths: ofIndices('/_settings'),
      privilege: 'manage',
      action: 'indices:admin/settings/update',
      pool: 'management',
      parameters: INDICES_OPTIONS,
      ignored: ['flat_settings'],
      masterTimeout: true,
      body: 'json',
      handler: put,
    },
  ],
};

async function get(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const { path, query } = request;
  const names = path.name === undefined || path.name === '_all' ? undefined : path.name.split(',');
  const flat = flag(query, 'flat_settings');
  const out: Record<string, Json> = {};
  for (const index of engine.resolve(
    path.index,
    nameOptions(query, { expandClosed: true }),
    'metadata_read',
  )) {
    if (request.limit.isDue(INDEX_STEPS)) await request.limit.yield();
    const settings = await new Passes(request.limit).run(() => settingsOf(index, flat, names), true);
    if (names === undefined || Object.keys(settings as object).length > 0)
      putOwn<Json>(out, index.name, { settings });
  }
  return json(request, 200, out);
}

/** Steps of a work limit that the settings of an index are. */
const INDEX_STEPS = 1024;

/** Parameters that are not settings. */
const PARAMETERS = new Set([
  'pretty',
  'human',
  'case',
  'format',
  'filter_path',
  'source',
  'error_trace',
  'timeout',
  'master_timeout',
  'index',
  'expand_wildcards',
  'ignore_unavailable',
  'allow_no_indices',
]);

/** 500: a text that no settings can be read from. */
function unloadable(source: string, cause: ElasticsearchError): ElasticsearchError {
  const options = { status: 500, nested: readFrom(source, cause) };
  return new ElasticsearchError('SettingsException', `Failed to load settings from [${source}]`, options);
}

async function put(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const { path, query } = request;
  const change: Record<string, unknown> = {};
  for (const [name, value] of query) if (!PARAMETERS.has(name)) putOwn(change, name, value);
  const text = bodyText(request).trim();
  if (text.startsWith('{') && text !== '{') {
    const body = parseBody(request, (cause) => unloadable(bodyText(request), cause)) ?? {};
    const { settings } = body;
    const wrapped = Object.keys(body).length === 1 && isCompound(settings);
    putAll(change, wrapped ? (settings as Record<string, unknown>) : body);
  } else if (text !== '') {
    putAll(change, settingsOfText(text));
  }
  const defaults = { expandClosed: true, allowNoIndices: false };
  await engine.cluster.putSettings(path.index, flatSettings(change), nameOptions(query, defaults));
  return acknowledged(request);
}
