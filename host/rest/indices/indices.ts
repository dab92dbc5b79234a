/** Indices and types: create, delete, exists, get, open, close. */
import { illegalArgument, indexMissing, validationFailed } from '../../errors.js';
import { showAlias } from '../../metadata/aliases.js';
import type { Engine } from '../../engine/engine.js';
import { asMap } from '../../compat17/javaCasts.js';
import { Passes } from '../../passes.js';
import { type NameOptions, nameOptions } from '../../metadata/names.js';
import { wildcard } from '../../text/wildcard.js';
import type { OpenIndex } from '../../metadata/openIndex.js';
import { renderSettings } from '../../settings/indexSettings.js';
import { createFailed, parseBody } from '../body.js';
import type { Json } from '../json.js';
import { acknowledged, flag, json, type RestResponse, type RoutedRequest, text } from '../request.js';
import { type EndpointGroup, INDICES_OPTIONS, ofIndices } from '../endpoint.js';
import { settingsOfText } from './settingsText.js';

/** The version of 1.7.3 as its settings show it. */
const CREATED_BY = '1070399';
/** Wildcards find open and closed indices. */
const EVERY: NameOptions = { expandClosed: true };

const CHANGE = {
  privilege: 'manage',
  pool: 'management',
  parameters: INDICES_OPTIONS,
  masterTimeout: true,
} as const;
const SHOW = {
  privilege: 'metadata',
  pool: 'management',
  parameters: ['flat_settings', ...INDICES_OPTIONS],
  ignored: ['local', 'timeout', 'master_timeout'],
  readOnly: true,
} as const;

export const indexEndpoints: EndpointGroup = {
  name: 'Indices',
  purpose: 'Create, delete, exists, get, open, close.',
  tag: 'core',
  endpoints: [
    {
      ...CHANGE,
      methods: ['PUT', 'POST'],
      paths: ['/{index}'],
      action: 'indices:admin/create',
      body: 'json',
      handler: create,
    },
    { ...CHANGE, methods: ['DELETE'], paths: ['/{index}'], action: 'indices:admin/delete', handler: remove },
    {
      ...CHANGE,
      methods: ['DELETE'],
      paths: ['/'],
      action: 'indices:admin/delete',
      handler: () => Promise.reject(validationFailed('index / indices is missing')),
    },
    { ...CHANGE, methods: ['POST'], paths: ofIndices('/_open'), action: 'indices:admin/open', handler: open },
    {
      ...CHANGE,
      methods: ['POST'],
      paths: ofIndices('/_close'),
      action: 'indices:admin/close',
      handler: close,
    },
    { ...SHOW, methods: ['HEAD'], paths: ['/{index}'], action: 'indices:admin/exists', handler: exists },
    {
      ...SHOW,
      methods: ['HEAD'],
      paths: ['/{index}/{type}'],
      action: 'indices:admin/types/exists',
      handler: typeExists,
    },
    { ...SHOW, methods: ['GET'], paths: ['/{index}'], action: 'indices:admin/get', handler: showIndex },
    {
      ...SHOW,
      methods: ['GET'],
      paths: ['/{index}/{feature}'],
      action: 'indices:admin/get',
      handler: (engine, request) => get(engine, request, request.path.feature),
    },
  ],
};

/** Shows an index, as `GET /{index}` does. */
export function showIndex(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  return get(engine, request, undefined);
}

async function create(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const body = request.body.includes(0x7b)
    ? (parseBody(request, createFailed) ?? {})
    : settingsOfText(new TextDecoder().decode(request.body));
  const named = ['settings', 'mappings', 'aliases', 'warmers'].some((key) => key in body);
  const { settings, mappings, aliases, warmers } = named
    ? body
    : { settings: body, mappings: undefined, aliases: undefined, warmers: undefined };
  for (const part of [mappings, warmers]) if (part !== undefined) asMap(part);
  for (const mapping of Object.values(mappings ?? {})) asMap(mapping);
  if (settings !== undefined && settings !== null) asMap(settings);
  await engine.cluster.create(request.path.index!, { settings, mappings, aliases, warmers }, request.limit);
  return acknowledged(request);
}

async function remove(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  await engine.cluster.delete(request.path.index, nameOptions(request.query, EVERY));
  return acknowledged(request);
}

async function open(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const defaults = { expandOpen: false, expandClosed: true, allowNoIndices: false };
  await engine.cluster.openIndices(indexOf(engine, request), nameOptions(request.query, defaults));
  return acknowledged(request);
}

async function close(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const options = nameOptions(request.query, { allowNoIndices: false });
  await engine.cluster.closeIndices(indexOf(engine, request), options);
  return acknowledged(request);
}

/** The indices that are opened or closed. */
function indexOf(engine: Engine, { path }: RoutedRequest): string {
  if (path.index === undefined) throw validationFailed('index is missing');
  engine.cluster.stored.checkNamed(path.index);
  return path.index;
}

function exists(engine: Engine, request: RoutedRequest): RestResponse {
  const { index } = request.path;
  // A lone part that starts like an endpoint would be one.
  if (index?.startsWith('_') && index !== '_all') return text(404);
  engine.resolve(index, nameOptions(request.query, { ...EVERY, allowNoIndices: false }), 'metadata_read');
  return text(200);
}

function typeExists(engine: Engine, request: RoutedRequest): RestResponse {
  const indices = engine.resolve(request.path.index, nameOptions(request.query, EVERY), 'metadata_read');
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

async function get(engine: Engine, request: RoutedRequest, named: string | undefined): Promise<RestResponse> {
  return json(request, 200, await new Passes(request.limit).run(() => partsOf(engine, request, named)));
}

function partsOf(engine: Engine, request: RoutedRequest, named: string | undefined): Json {
  // A lone part that starts like an endpoint is a list of features, of all indices.
  const lone = named === undefined && request.path.index?.startsWith('_') && request.path.index !== '_all';
  const [index, features] = lone ? [undefined, request.path.index] : [request.path.index, named];
  const wanted = new Set<string>();
  for (const name of features?.split(',') ?? ['_aliases', '_mappings', '_settings', '_warmers']) {
    const feature = FEATURES.get(name);
    if (feature === undefined) throw illegalArgument(`No feature for name [${name}]`);
    wanted.add(feature);
  }
  if (index?.startsWith('_') && index !== '_all') throw indexMissing(index);
  const indices = engine.resolve(index, nameOptions(request.query), 'metadata_read');
  const parts = (each: OpenIndex): Json => ({
    aliases: wanted.has('aliases') ? aliasesOf(each) : undefined,
    mappings: wanted.has('mappings') ? (each.model.toJSON() as Json) : undefined,
    settings: wanted.has('settings') ? settingsOf(each, flag(request.query, 'flat_settings')) : undefined,
    warmers: wanted.has('warmers') ? (each.warmers as unknown as Json) : undefined,
  });
  return Object.fromEntries(indices.map((each) => [each.name, parts(each)]));
}

/** The aliases of an index as answers show them; of all of them those whose names pass. */
export function aliasesOf(index: OpenIndex, passes: (name: string) => boolean = () => true): Json {
  return Object.fromEntries(
    Object.entries(index.aliases)
      .filter(([name]) => passes(name))
      .map(([name, alias]) => [name, showAlias(alias) as Json]),
  );
}

/** The settings of an index as answers show them; of all of them those that one of the patterns matches. */
export function settingsOf({ metadata }: OpenIndex, flat: boolean, patterns?: readonly string[]): Json {
  const given = metadata.settings.flat;
  const own = {
    'index.creation_date': String(metadata.created),
    'index.uuid': metadata.uuid,
    'index.version.created': CREATED_BY,
  };
  if (patterns === undefined) return renderSettings(given, flat, own) as Json;
  const tests = patterns.map(wildcard);
  const kept = Object.entries({ ...own, ...given }).filter(([name]) => tests.some((test) => test(name)));
  return renderSettings(Object.fromEntries(kept), flat) as Json;
}
