/** Aliases: many actions at once, one at a time, and what there is. */
import { illegalArgument, noContent, toElasticsearchError } from '../../errors.js';
import { type AliasAction, AliasOptions, matching } from '../../metadata/aliases.js';
import type { Engine } from '../../engine/engine.js';
import { type NameOptions, nameOptions } from '../../metadata/names.js';
import { wildcard } from '../../text/wildcard.js';
import { isScalar, type Token, Tokens } from '../../metadata/jsonTokenReader.js';
import { bodyText, javaParse, parseBody } from '../body.js';
import { aliasesOf } from './indices.js';
import type { Json } from '../json.js';
import { acknowledged, json, type RestResponse, type RoutedRequest, text } from '../request.js';
import { type EndpointGroup, INDICES_OPTIONS } from '../endpoint.js';

/** What an alias is asked for by: `{name}` is one too. */
const COMMON = {
  pool: 'management',
  parameters: INDICES_OPTIONS,
  indexParts: ['index', 'name'],
} as const;
const SHOW = {
  ...COMMON,
  privilege: 'metadata',
  action: 'indices:admin/aliases/get',
  ignored: ['local', 'timeout', 'master_timeout'],
  readOnly: true,
} as const;
const CHANGE = {
  ...COMMON,
  privilege: 'manage',
  action: 'indices:admin/aliases',
  masterTimeout: true,
  body: 'json',
  indicesInBody: 'json',
} as const;

export const aliasEndpoints: EndpointGroup = {
  name: 'Aliases',
  purpose: 'Other names of indices, with filters and routing; all actions of a request or none.',
  tag: 'core',
  endpoints: [
    { ...CHANGE, methods: ['POST'], paths: ['/_aliases'], handler: update },
    {
      ...CHANGE,
      methods: ['PUT'],
      paths: ['/_alias', '/{index}/_alias', '/{index}/_aliases'],
      handler: putOne,
    },
    {
      ...CHANGE,
      methods: ['PUT', 'POST'],
      paths: ['/_alias/{name}', '/{index}/_alias/{name}', '/_aliases/{name}', '/{index}/_aliases/{name}'],
      handler: putOne,
    },
    {
      ...CHANGE,
      methods: ['DELETE'],
      paths: ['/{index}/_alias/{name}', '/{index}/_aliases/{name}'],
      handler: removeOne,
    },
    {
      ...SHOW,
      methods: ['GET'],
      paths: [
        '/_aliases',
        '/_aliases/{name}',
        '/{index}/_aliases',
        '/{index}/_aliases/{name}',
        '/_alias',
        '/{index}/_alias',
      ],
      handler: getAll,
    },
    { ...SHOW, methods: ['GET'], paths: ['/_alias/{name}', '/{index}/_alias/{name}'], handler: get },
    {
      ...SHOW,
      methods: ['HEAD'],
      paths: ['/_alias/{name}', '/{index}/_alias', '/{index}/_alias/{name}'],
      handler: exists,
    },
  ],
};

/** How the indices of actions are found: a pattern finds open ones, and one at least. */
const OF_ACTIONS: NameOptions = { allowNoIndices: false };

async function update(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const body = parseBody(request, javaParse);
  if (body === undefined) throw noContent();
  await engine.cluster.updateAliases(readActions(body), OF_ACTIONS, request.limit);
  return acknowledged(request);
}

/**
 * The actions in the lists of a body, by whatever name these are. What stands at an unknown place of an action is passed over
 * up to the end of the first object in it: a name behind that is taken for another action.
 */
function readActions(body: unknown): AliasAction[] {
  const actions: AliasAction[] = [];
  const tokens = new Tokens(body);
  tokens.next();
  for (let token = tokens.next(); token !== 'END_OBJECT' && token !== undefined; token = tokens.next()) {
    if (token !== 'START_ARRAY') continue;
    for (let inner = tokens.next(); inner !== 'END_ARRAY' && inner !== undefined; inner = tokens.next()) {
      if (inner === 'FIELD_NAME') actions.push(readAction(tokens.name!, tokens));
    }
  }
  return actions;
}

function readAction(kind: string, tokens: Tokens): AliasAction {
  if (kind !== 'add' && kind !== 'remove') throw illegalArgument(`Alias action [${kind}] not supported`);
  const given: { index?: string; alias?: string } = {};
  const options = new AliasOptions();
  for (let token = tokens.next(); token !== 'END_OBJECT' && token !== undefined; token = tokens.next()) {
    takeOption(token, tokens, given, options);
  }
  return { kind, indices: [given.index], aliases: [given.alias], metadata: options.metadata };
}

function takeOption(
  token: Token,
  tokens: Tokens,
  given: { index?: string; alias?: string },
  options: AliasOptions,
): void {
  const { name } = tokens;
  if (isScalar(token)) {
    if (name === 'index' || name === 'alias') given[name] = String(tokens.value);
    else options.put(name, tokens.value);
  } else if (token === 'START_OBJECT' && name === 'filter') {
    options.filter = tokens.value as object;
    tokens.skip();
  }
}

/** Adds one alias; what the body says stands over what the path says. */
async function putOne(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const options = new AliasOptions();
  const given: { index?: string; alias?: string } = {};
  if (bodyText(request) !== '') {
    const body = parseBody(request, javaParse);
    const tokens = new Tokens(body);
    for (let token = tokens.next(); token !== undefined; token = tokens.next())
      takeOption(token, tokens, given, options);
  }
  const { index = request.path.index, alias = request.path.name } = given;
  const indices = index?.split(',').filter((part) => part !== '') ?? [];
  const action: AliasAction = { kind: 'add', indices, aliases: [alias], metadata: options.metadata };
  await engine.cluster.updateAliases([action], OF_ACTIONS, request.limit);
  return acknowledged(request);
}

async function removeOne(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const { index, name } = request.path;
  const aliases = name!.split(',').filter((part) => part !== '');
  const action: AliasAction = { kind: 'remove', indices: index!.split(','), aliases, metadata: {} };
  await engine.cluster.updateAliases([action], OF_ACTIONS, request.limit);
  return acknowledged(request);
}

/** Whether an alias is one of those that a comma list of patterns means; undefined means all. */
function nameFilter(list: string | undefined): (name: string) => boolean {
  if (list === undefined || list === '_all' || list === '*') return () => true;
  const tests = list.split(',').map(wildcard);
  return (name) => tests.some((test) => test(name));
}

/** `_alias` of a name: indices without a fitting alias are left out. */
function get(engine: Engine, request: RoutedRequest): RestResponse {
  const { index, name } = request.path;
  const passes = nameFilter(name);
  const indices = engine.resolve(index, nameOptions(request.query, { expandClosed: true }), 'metadata_read');
  const found = indices.filter((each) => Object.keys(each.aliases).some((alias) => passes(alias)));
  if (found.length === 0 && index === undefined && !name!.includes('*'))
    return json(request, 404, { error: `alias [${name}] missing`, status: 404 });
  return json(request, 200, show(found, passes));
}

/** `_aliases`, and `_alias` without a name: every index is there, and one that is missing is passed over, as by the state of the cluster. */
function getAll(engine: Engine, request: RoutedRequest): RestResponse {
  const { index, name } = request.path;
  const options = index === undefined ? { expandClosed: true } : { ignoreUnavailable: true };
  const indices = engine.resolve(index, options);
  return json(request, 200, show(indices, nameFilter(name)));
}

function show(indices: ReturnType<Engine['resolve']>, passes: (name: string) => boolean): Json {
  return Object.fromEntries(indices.map((each) => [each.name, { aliases: aliasesOf(each, passes) }]));
}

function exists(engine: Engine, request: RoutedRequest): RestResponse {
  const { index, name } = request.path;
  let indices: ReturnType<Engine['resolve']>;
  try {
    indices = engine.resolve(index, nameOptions(request.query, { expandClosed: true }), 'metadata_read');
  } catch (e) {
    if (toElasticsearchError(e).exception !== 'IndexMissingException') throw e;
    return text(404);
  }
  const patterns = (name ?? '_all').split(',');
  return text(indices.some(({ aliases }) => matching(aliases, patterns).length > 0) ? 200 : 404);
}
