/** Upkeep on request: refresh, flush, optimize, clear caches, upgrade. */
import { Cache } from '../../core/stats.js';
import type { Engine } from '../../engine/engine.js';
import { statsOf } from '../../engine/stats.js';
import { DOCUMENT_CALL, nameOptions } from '../../metadata/names.js';
import type { IndexLevel } from '../../security/grants.js';
import type { OpenIndex } from '../../metadata/openIndex.js';
import type { Json } from '../json.js';
import { figures, flag, int, json, type RestResponse, type RoutedRequest } from '../request.js';
import type { Route } from '../router.js';

type Upkeep = (engine: Engine, indices: readonly OpenIndex[], request: RoutedRequest) => Promise<void>;

const nothing: Upkeep = async () => {};

/** The routes of this family. */
export function maintenanceRoutes(engine: Engine): Route[] {
  const routes: Route[] = [];
  const add = (
    name: string,
    access: IndexLevel,
    upkeep: Upkeep,
    more?: (indices: readonly OpenIndex[]) => object,
    methods = 'GET|POST',
  ) => {
    const handler = (request: RoutedRequest) => run(engine, request, upkeep, more);
    for (const place of ['', '/{index}']) routes.push([methods, `${place}/${name}`, access, handler]);
  };
  add('_refresh', 'write', (_, indices) => engine.refresh(indices));
  add('_flush', 'manage', (_, indices) => engine.flush(indices));
  add('_flush/synced', 'manage', (_, indices) => engine.syncedFlush(indices), synced);
  add('_optimize', 'manage', optimize);
  add('_cache/clear', 'manage', clearCaches);
  add('_upgrade', 'manage', nothing, upgraded, 'POST');
  for (const place of ['', '/{index}'])
    routes.push(['GET', `${place}/_upgrade`, 'look', (request) => toUpgrade(engine, request)]);
  return routes;
}

async function run(
  engine: Engine,
  request: RoutedRequest,
  upkeep: Upkeep,
  more?: (indices: readonly OpenIndex[]) => object,
): Promise<RestResponse> {
  const options = nameOptions(request.query, DOCUMENT_CALL);
  engine.cluster.stored.blocks.check('metadata_write');
  const indices = engine.resolve(request.path.index, options, 'metadata_write');
  await upkeep(engine, indices, request);
  return json(request, 200, { _shards: shardsHeader(indices), ...more?.(indices) });
}

const optimize: Upkeep = async (engine, indices, { query }) => {
  const wanted = int(query, 'max_num_segments');
  const segments = Math.max(1, wanted ?? 1);
  if (flag(query, 'flush', true)) await engine.flush(indices);
  await engine.forceMerge(indices, segments);
};

/** Parts of the caches by the parameters that name them; all without any of these. */
const CACHES: readonly (readonly [what: number, ...names: string[]])[] = [
  [Cache.filters, 'filter', 'filter_cache'],
  [Cache.fielddata, 'field_data', 'fielddata'],
  [Cache.families, 'id', 'id_cache'],
  [0, 'query_cache', 'recycler'],
];

const clearCaches: Upkeep = async (engine, indices, { query }) => {
  const asked = CACHES.filter(([, ...names]) => names.some((name) => flag(query, name)));
  const what = asked.reduce((sum, [part]) => sum + part, 0);
  await engine.clearCaches(indices, asked.length === 0 ? Cache.all : what);
};

function synced(indices: readonly OpenIndex[]): object {
  return Object.fromEntries(indices.map((index) => [index.name, shardsHeader([index])]));
}

function upgraded(indices: readonly OpenIndex[]): object {
  return { upgraded_indices: Object.fromEntries(indices.map(({ name }) => [name, '4.10.4'])) };
}

/** How much is of an older version: nothing ever is. */
async function toUpgrade(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const options = nameOptions(request.query, DOCUMENT_CALL);
  const indices = engine.resolve(request.path.index, options, 'metadata_read');
  let all = 0;
  const each: Record<string, Json> = {};
  for (const index of indices) {
    let bytes = 0;
    for (const { figures } of await statsOf(index, engine.scrolls)) bytes += figures?.bytes ?? 0;
    each[index.name] = sizes(bytes);
    all += bytes;
  }
  return figures(request, 200, { ...sizes(all), indices: each });
}

function sizes(bytes: number): Record<string, number> {
  return { size_in_bytes: bytes, size_to_upgrade_in_bytes: 0, size_to_upgrade_ancient_in_bytes: 0 };
}

/** How many copies of shards took part; `total` counts the replicas that one node can't hold, as 1.7 does. */
export function shardsHeader(indices: readonly OpenIndex[]): Json {
  let total = 0;
  let successful = 0;
  for (const { shards, metadata } of indices) {
    total += shards.length * (1 + metadata.settings.replicas);
    successful += shards.length;
  }
  return { total, successful, failed: 0 };
}
