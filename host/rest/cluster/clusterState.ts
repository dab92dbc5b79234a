/** The cluster's state and settings, and the calls that would move shards between nodes. */
import { noContent, validationFailed } from '../../errors.js';
import type { Engine } from '../../engine/engine.js';
import { applicable } from '../../metadata/clusterSettings.js';
import { asMap } from '../../compat17/javaCasts.js';
import { meansAll, type NameOptions, nameOptions } from '../../metadata/names.js';
import type { OpenIndex } from '../../metadata/openIndex.js';
import { flatSettings, renderSettings } from '../../settings/indexSettings.js';
import { blocksOf, type ShownBlock } from '../../settings/blocks.js';
import { isObject } from '../../json/values.js';
import { Passes } from '../../passes.js';
import { javaParse, parseBody } from '../body.js';
import { settingsOf } from '../indices/indices.js';
import { unassignedSince } from './health.js';
import type { Json } from '../json.js';
import type { ShardCopy } from '../../replication/shardCopies.js';
import { shardCopies } from './shardCopies.js';
import { attributesOf, masterOf, nodesOf } from './elsewhere.js';
import { type NodeNames, otherAddress, transportAddress } from './node.js';
import type { Allocation } from '../../replication/reroute/allocation.js';
import { explainCommands, knownNodes, readCommands } from './reroute.js';
import { flag, json, millis, type RestResponse, type RoutedRequest } from '../request.js';
import { type EndpointGroup, INDICES_OPTIONS } from '../endpoint.js';
import { show as showTemplate } from '../indices/templates.js';

const SHOW = {
  methods: ['GET'],
  privilege: 'cluster:monitor',
  action: 'cluster:monitor/state',
  pool: 'management',
  ignored: ['local', 'timeout', 'master_timeout'],
  readOnly: true,
  duringRecovery: true,
} as const;
const CHANGE = {
  privilege: 'cluster:manage',
  pool: 'management',
  masterTimeout: true,
  duringRecovery: true,
  body: 'json',
} as const;

export const clusterStateEndpoints: EndpointGroup = {
  name: 'Cluster',
  purpose: 'State, settings, tasks, reroute.',
  tag: 'common',
  endpoints: [
    {
      ...SHOW,
      paths: ['/_cluster/state', '/_cluster/state/{metric}', '/_cluster/state/{metric}/{index}'],
      parameters: ['flat_settings', 'metric', ...INDICES_OPTIONS],
      handler: clusterState,
    },
    { ...SHOW, paths: ['/_cluster/settings'], parameters: ['flat_settings'], handler: getSettings },
    {
      ...SHOW,
      paths: ['/_cluster/pending_tasks'],
      action: 'cluster:monitor/task',
      parameters: [],
      handler: (_, request) => json(request, 200, { tasks: [] }),
    },
    {
      ...CHANGE,
      methods: ['PUT'],
      paths: ['/_cluster/settings'],
      action: 'cluster:admin/settings/update',
      parameters: ['flat_settings'],
      handler: putSettings,
    },
    {
      ...CHANGE,
      methods: ['POST'],
      paths: ['/_cluster/reroute'],
      action: 'cluster:admin/reroute',
      parameters: ['explain', 'dry_run', 'metric'],
      handler: reroute,
    },
  ],
};

/** What of the state is shown. */
interface Shown {
  engine: Engine;
  names: NodeNames;
  indices: readonly OpenIndex[];
  /** Only of these indices: templates belong to none. */
  narrowed: boolean;
  flat: boolean;
  /** Where copies are, if that isn't as it is. */
  allocation?: Allocation;
}

type Part = (shown: Shown) => Record<string, Json>;

const PARTS: Record<string, Part> = {
  version: ({ engine }) => ({ version: engine.cluster.version }),
  master_node: ({ engine }) => ({ master_node: masterOf(engine) }),
  blocks: ({ engine }) => ({ blocks: blocks(engine) }),
  nodes: ({ engine, names }) => ({
    nodes: Object.fromEntries(
      nodesOf(engine, names).map(({ id, name, http, data, attributes }) => {
        const address = id === engine.nodeId ? transportAddress(names) : otherAddress(http);
        return [
          id,
          {
            name,
            transport_address: address,
            attributes: attributesOf({ data, ...(attributes === undefined ? {} : { attributes }) }),
          },
        ];
      }),
    ),
  }),
  metadata: (shown) => ({ metadata: metadata(shown) }),
  routing_table: routingTable,
  routing_nodes: routingNodes,
  allocations: () => ({ allocations: [] }),
};

/** Calls for the state: what doesn't exist is left out, wildcards find open indices. */
const STATE_CALL: NameOptions = { ignoreUnavailable: true };

async function clusterState(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  return json(request, 200, await new Passes(request.limit).run(() => stateOf(engine, request)));
}

function stateOf(engine: Engine, request: RoutedRequest): Json {
  const names = request.node;
  const { path, query } = request;
  millis(query, 'master_timeout');
  const list = path.metric?.split(',').filter((metric) => metric !== '') ?? [];
  const all = list.length === 0 || list.includes('_all');
  const wanted = all ? Object.keys(PARTS) : partsOf(list);
  const narrowed = !meansAll(path.index);
  const indices = narrowed
    ? engine.cluster.resolve(path.index, nameOptions(query, STATE_CALL))
    : engine.cluster.all();
  const shown = { engine, names, indices, narrowed, flat: flag(query, 'flat_settings') };
  const parts = wanted.map((part) => PARTS[part]!(shown));
  return Object.assign({ cluster_name: names.cluster }, ...parts);
}

/** The table of shards comes with what 1.x had told together with it. */
function partsOf(metrics: readonly string[]): string[] {
  const table = metrics.includes('routing_table');
  return Object.keys(PARTS).filter((part) =>
    part === 'routing_nodes'
      ? table || metrics.includes(part)
      : part === 'allocations'
        ? table
        : metrics.includes(part),
  );
}

const CLOSED: ShownBlock = { id: 4, description: 'index closed', levels: ['read', 'write'] };

/** The blocks of all indices, whichever are asked for. */
function blocks(engine: Engine): Json {
  const shown = (blocks: readonly ShownBlock[]): Json =>
    Object.fromEntries(
      blocks.map(({ id, description, levels }) => [
        String(id),
        { description, retryable: false, levels: [...levels] },
      ]),
    );
  const global = engine.cluster.stored.blocks.shown;
  const blocked = engine.cluster
    .all()
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

function metadata({ engine, indices, narrowed, flat }: Shown): Json {
  const templates = narrowed ? [] : engine.cluster.stored.matchingTemplates(undefined);
  return {
    templates: Object.fromEntries(
      templates.map(([name, template]) => {
        const {
          order,
          template: pattern,
          settings,
          mappings,
        } = showTemplate(template, flat) as Record<string, Json>;
        return [name, { template: pattern!, order: order!, settings: settings!, mappings: mappings! }];
      }),
    ),
    indices: Object.fromEntries(
      indices.map((index) => [
        index.name,
        {
          state: index.closed ? 'close' : 'open',
          settings: settingsOf(index, flat),
          mappings: index.model.toJSON() as Json,
          aliases: Object.keys(index.aliases),
        },
      ]),
    ),
  };
}

/** Every copy of every shard. @param allocation where they are; as it is, without */
export function copiesOf(engine: Engine, index: OpenIndex, allocation?: Allocation): ShownCopy[][] {
  const { name, shards } = index;
  const unassigned = (copy: ShardCopy) => {
    const { reason, at, details } = unassignedSince(engine, index, copy);
    return { reason, at: new Date(at).toISOString(), details };
  };
  return shards.map(({ number }) =>
    (allocation?.copies(index, number) ?? shardCopies(engine, index, number)).map(
      (copy): ShownCopy => ({
        state: copy.state,
        primary: copy.primary,
        node: copy.node ?? null,
        relocating_node: copy.relocatingNode ?? null,
        shard: number,
        index: name,
        unassigned_info: copy.state === 'UNASSIGNED' ? unassigned(copy) : undefined,
      }),
    ),
  );
}

/** A copy as the state shows it. */
type ShownCopy = { [name: string]: Json | undefined } & {
  state: ShardCopy['state'];
  node: string | null;
  relocating_node: string | null;
};

function routingTable({ engine, indices, allocation }: Shown): Record<string, Json> {
  const tables = indices
    .filter(({ closed }) => !closed)
    .map((index) => {
      const shards = copiesOf(engine, index, allocation).map((shard, number) => [
        String(number),
        shard as Json[],
      ]);
      return [index.name, { shards: Object.fromEntries(shards) }];
    });
  return { routing_table: { indices: Object.fromEntries(tables) } };
}

function routingNodes({ engine, indices, allocation }: Shown): Record<string, Json> {
  const every = indices
    .filter(({ closed }) => !closed)
    .flatMap((index) => copiesOf(engine, index, allocation).flat());
  // A copy on its way is on both nodes.
  const arriving = every.flatMap((copy): ShownCopy[] =>
    copy.state === 'RELOCATING'
      ? [{ ...copy, state: 'INITIALIZING', node: copy.relocating_node, relocating_node: copy.node }]
      : [],
  );
  const nodes = engine.replication?.nodes.data.map(({ id }) => id) ?? [engine.nodeId];
  const of = (id: string | null) => [...every, ...arriving].filter(({ node }) => node === id) as Json[];
  return {
    routing_nodes: {
      unassigned: of(null),
      nodes: Object.fromEntries(nodes.map((id) => [id, of(id)])),
    },
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
    if (part !== undefined && part !== null) asMap(part);
  }
  // Of null 1.7 makes a text, and of that a setting of that name.
  const flat = (part: unknown) =>
    isObject(part) ? flatSettings(part, '') : part === null ? { null: '' } : {};
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

async function reroute(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const names = request.node;
  const { replication } = engine;
  const explain = flag(request.query, 'explain');
  const isDryRun = flag(request.query, 'dry_run');
  const commands = readCommands(request);
  const rerouted = await replication?.reroute(knownNodes(engine, names), commands, { explain, isDryRun });
  const explanations = rerouted?.explanations ?? explainCommands(engine, names, commands, explain);
  const metrics = request.query.get('metric')?.split(',');
  const every = Object.keys(PARTS);
  const told =
    metrics === undefined
      ? every.filter((part) => part !== 'metadata')
      : metrics.includes('_all')
        ? every
        : partsOf(metrics);
  const state: Shown = {
    engine,
    names,
    indices: engine.cluster.all(),
    narrowed: false,
    flat: false,
    ...(rerouted === undefined ? {} : { allocation: rerouted.allocation }),
  };
  const parts = told.map((part) => PARTS[part]!(state));
  return json(request, 200, {
    acknowledged: rerouted?.acknowledged ?? true,
    state: Object.assign({}, ...parts),
    explanations: explain ? (explanations as unknown as Json) : undefined,
  });
}
