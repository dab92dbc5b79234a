/** The cluster's state and settings, and the calls that would move shards between nodes. */
import { ElasticsearchError, illegalArgument, noContent, parseFailure, validationFailed } from '../errors.js';
import type { Engine } from '../index/engine.js';
import { applicable } from '../index/clusterSettings.js';
import { meansAll } from '../index/names.js';
import type { OpenIndex } from '../index/openIndex.js';
import { flatSettings, renderSettings } from '../index/settings.js';
import { blocksOf, type ShownBlock } from '../index/blocks.js';
import { isObject } from '../mapping/values.js';
import { javaParse, parseBody } from './body.js';
import { settingsOf } from './indices.js';
import type { Json } from './json.js';
import { type NodeNames, transportAddress } from './node.js';
import { flag, json, type RestResponse, type RoutedRequest } from './request.js';
import type { Route } from './router.js';
import { show as showTemplate } from './templates.js';

/** The routes of this family. */
export function clusterStateRoutes(engine: Engine, names: NodeNames): Route[] {
  const state = (request: RoutedRequest) => clusterState(engine, names, request);
  return [
    ['GET', '/_cluster/state', 'monitor', state],
    ['GET', '/_cluster/state/{metric}', 'monitor', state],
    ['GET', '/_cluster/state/{metric}/{index}', 'monitor', state],
    ['GET', '/_cluster/settings', 'monitor', (request) => getSettings(engine, request)],
    ['PUT', '/_cluster/settings', 'clusterManage', (request) => putSettings(engine, request)],
    ['GET', '/_cluster/pending_tasks', 'monitor', (request) => json(request, 200, { tasks: [] })],
    ['POST', '/_cluster/reroute', 'clusterManage', (request) => reroute(engine, names, request)],
  ];
}

type Part = (engine: Engine, names: NodeNames, indices: readonly OpenIndex[]) => Record<string, Json>;

const PARTS: Record<string, Part> = {
  version: (engine) => ({ version: engine.cluster.version }),
  master_node: (engine) => ({ master_node: engine.nodeId }),
  blocks: (engine, _names, indices) => ({ blocks: blocks(engine, indices) }),
  nodes: (engine, names) => ({
    nodes: {
      [engine.nodeId]: { name: names.node, transport_address: transportAddress(names), attributes: {} },
    },
  }),
  metadata: (engine, _names, indices) => ({ metadata: metadata(engine, indices) }),
  routing_table: routing,
};

function clusterState(engine: Engine, names: NodeNames, request: RoutedRequest): RestResponse {
  const { path } = request;
  const list = path.metric?.split(',').filter((metric) => metric !== '') ?? [];
  const all = list.length === 0 || list.includes('_all');
  const wanted = Object.keys(PARTS).filter(
    (part) => all || list.includes(part) || (part === 'routing_table' && list.includes('routing_nodes')),
  );
  const indices = indicesOf(engine, path.index);
  const parts = wanted.map((part) => PARTS[part]!(engine, names, indices));
  return json(request, 200, Object.assign({ cluster_name: names.cluster }, ...parts));
}

/** What doesn't exist is left out. */
function indicesOf(engine: Engine, expression: string | undefined): OpenIndex[] {
  if (meansAll(expression)) return engine.cluster.all();
  return engine.cluster.resolve(expression, { ignoreUnavailable: true, expandClosed: true });
}

const CLOSED: ShownBlock = { id: 4, description: 'index closed', levels: ['read', 'write'] };

function blocks(engine: Engine, indices: readonly OpenIndex[]): Json {
  const shown = (blocks: readonly ShownBlock[]): Json =>
    Object.fromEntries(
      blocks.map(({ id, description, levels }) => [
        String(id),
        { description, retryable: false, levels: [...levels] },
      ]),
    );
  const global = engine.cluster.stored.blocks.shown;
  const blocked = indices
    .map(({ name, closed, settings }) => ({
      name,
      blocks: [...(closed ? [CLOSED] : []), ...blocksOf(settings)],
    }))
    .filter(({ blocks }) => blocks.length > 0);
  return {
    ...(global.length === 0 ? {} : { global: shown(global) }),
    ...(blocked.length === 0
      ? {}
      : { indices: Object.fromEntries(blocked.map(({ name, blocks }) => [name, shown(blocks)])) }),
  };
}

function metadata(engine: Engine, indices: readonly OpenIndex[]): Json {
  const templates = engine.cluster.stored.matchingTemplates(undefined);
  return {
    templates: Object.fromEntries(
      templates.map(([name, template]) => {
        const {
          order,
          template: pattern,
          settings,
          mappings,
        } = showTemplate(template, false) as Record<string, Json>;
        return [name, { template: pattern!, order: order!, settings: settings!, mappings: mappings! }];
      }),
    ),
    indices: Object.fromEntries(
      indices.map((index) => [
        index.name,
        {
          state: index.closed ? 'close' : 'open',
          settings: settingsOf(index, false),
          mappings: index.model.toJSON() as Json,
          aliases: Object.keys(index.aliases),
        },
      ]),
    ),
  };
}

/** Every copy of every shard: the first on this node, the others nowhere. */
export function copiesOf(engine: Engine, { name, shards, metadata: { settings } }: OpenIndex): Json[][] {
  return shards.map(({ number, active }) => {
    const on = (primary: boolean, up: boolean): Json => ({
      state: up ? 'STARTED' : 'UNASSIGNED',
      primary,
      node: up ? engine.nodeId : null,
      relocating_node: null,
      shard: number,
      index: name,
    });
    const replicas = Array.from({ length: settings.replicas }, () => on(false, false));
    return [on(true, active), ...replicas];
  });
}

function routing(engine: Engine, _names: NodeNames, indices: readonly OpenIndex[]): Record<string, Json> {
  const copies = new Map(
    indices.filter(({ closed }) => !closed).map((index) => [index.name, copiesOf(engine, index)]),
  );
  const every = [...copies.values()].flat(2) as { node: string | null }[];
  return {
    routing_table: {
      indices: Object.fromEntries(
        [...copies].map(([name, shards]) => [
          name,
          { shards: Object.fromEntries(shards.map((shard, number) => [String(number), shard])) },
        ]),
      ),
    },
    routing_nodes: {
      unassigned: every.filter(({ node }) => node === null),
      nodes: { [engine.nodeId]: every.filter(({ node }) => node !== null) },
    },
    allocations: [],
  };
}

// ------------------------------------------------------------------------------------------------ settings

function getSettings(engine: Engine, request: RoutedRequest): RestResponse {
  const { persistent, transient } = engine.cluster.stored.settings;
  const flat = flag(request.query, 'flat_settings');
  return json(request, 200, {
    persistent: renderSettings(persistent, flat) as Json,
    transient: renderSettings(transient, flat) as Json,
  });
}

async function putSettings(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const body = parseBody(request, javaParse);
  if (body === undefined) throw noContent();
  for (const part of [body.persistent, body.transient]) {
    if (part === undefined || isObject(part)) continue;
    const detail = 'java.lang.Integer cannot be cast to java.util.Map';
    throw new ElasticsearchError('ClassCastException', detail, { status: 500 });
  }
  const flat = (part: unknown) => (isObject(part) ? flatSettings(part, '') : {});
  const given = { persistent: flat(body.persistent), transient: flat(body.transient) };
  if (Object.keys({ ...given.persistent, ...given.transient }).length === 0)
    throw validationFailed('no settings to update');
  const persistent = applicable(given.persistent);
  const transient = applicable(given.transient);
  await engine.cluster.stored.putSettings(persistent, transient);
  const shown = flag(request.query, 'flat_settings');
  return json(request, 200, {
    acknowledged: true,
    persistent: renderSettings(persistent, shown) as Json,
    transient: renderSettings(transient, shown) as Json,
  });
}

// ------------------------------------------------------------------------------------------------ reroute

const COMMANDS = ['move', 'cancel', 'allocate'];

function reroute(engine: Engine, names: NodeNames, request: RoutedRequest): RestResponse {
  const body = parseBody(request, javaParse);
  for (const [name, value] of Object.entries(body ?? {})) {
    if (name === 'commands' && Array.isArray(value)) continue;
    throw parseFailure(`failed to parse reroute request, got value with wrong field name [${name}]`);
  }
  const commands = Array.isArray(body?.commands) ? body.commands : [];
  for (const command of commands) {
    for (const [name, options] of Object.entries(isObject(command) ? command : {})) {
      if (!COMMANDS.includes(name))
        throw illegalArgument(`No allocation command factory registered for name [${name}]`);
      const { index, shard, node, from_node: from } = isObject(options) ? options : {};
      if (index === undefined) throw parseFailure(`[${name}] command missing the index parameter`);
      if (shard === undefined) throw parseFailure(`[${name}] command missing the shard parameter`);
      const asked = String(from ?? node);
      if (asked !== engine.nodeId && asked !== names.node)
        throw illegalArgument(`failed to resolve [${asked} ], no matching nodes`);
      throw illegalArgument(
        `[${name}] can't ${name} [${String(index)}][${String(shard)}]: there is only one node`,
      );
    }
  }
  const metric =
    request.query.get('metric')?.split(',') ?? Object.keys(PARTS).filter((part) => part !== 'metadata');
  const all = metric.includes('_all');
  const indices = engine.cluster.all();
  const parts = Object.keys(PARTS)
    .filter((part) => all || metric.includes(part))
    .map((part) => PARTS[part]!(engine, names, indices));
  const explanations: Json = flag(request.query, 'explain') ? [] : undefined!;
  return json(request, 200, { acknowledged: true, state: Object.assign({}, ...parts), explanations });
}
