/** Upkeep on request: refresh, flush, optimize, clear caches. */
import { Cache } from '../../core/stats.js';
import type { Engine } from '../../engine/engine.js';
import { DOCUMENT_CALL, nameOptions } from '../../metadata/names.js';
import type { OpenIndex } from '../../metadata/openIndex.js';
import type { Json } from '../json.js';
import { flag, int, json, type RoutedRequest } from '../request.js';
import { type EndpointGroup, INDICES_OPTIONS, ofIndices, type Handler } from '../endpoint.js';

/** @param perhapsOpen closed indices that the request would be about where another node has opened them, which isn't known now */
type Upkeep = (
  engine: Engine,
  indices: readonly OpenIndex[],
  request: RoutedRequest,
  perhapsOpen: readonly OpenIndex[],
) => Promise<void>;

/** Parts of the caches by the parameters that name them; all without any of these. */
const CACHES: readonly (readonly [what: number, ...names: string[]])[] = [
  [Cache.filters, 'filter', 'filter_cache'],
  [Cache.fielddata, 'field_data', 'fielddata'],
  [Cache.families, 'id', 'id_cache'],
  [0, 'query_cache', 'recycler'],
];

/** Parameters of 1.7 that have nothing to change here. */
export const IGNORED = ['force', 'full', 'operation_threading', 'wait_for_completion'];

export const maintenanceEndpoints: EndpointGroup = {
  name: 'Maintenance',
  purpose: 'Refresh, flush, optimize, clear caches.',
  tag: 'core',
  endpoints: [
    {
      methods: ['GET', 'POST'],
      paths: ofIndices('/_refresh'),
      privilege: 'write',
      action: 'indices:admin/refresh',
      pool: 'refresh',
      parameters: INDICES_OPTIONS,
      ignored: IGNORED,
      handler: upkeep(refresh),
    },
    {
      methods: ['GET', 'POST'],
      paths: ofIndices('/_flush'),
      privilege: 'manage',
      action: 'indices:admin/flush',
      pool: 'flush',
      parameters: INDICES_OPTIONS,
      ignored: [...IGNORED, 'wait_if_ongoing'],
      handler: upkeep((engine, indices) => engine.flush(indices)),
    },
    {
      methods: ['GET', 'POST'],
      paths: ofIndices('/_flush/synced'),
      privilege: 'manage',
      action: 'indices:admin/flush',
      pool: 'flush',
      parameters: INDICES_OPTIONS,
      ignored: IGNORED,
      handler: upkeep((engine, indices) => engine.syncedFlush(indices), synced),
    },
    {
      methods: ['GET', 'POST'],
      paths: ofIndices('/_optimize'),
      privilege: 'manage',
      action: 'indices:admin/optimize',
      pool: 'optimize',
      parameters: ['max_num_segments', 'flush', ...INDICES_OPTIONS],
      ignored: [...IGNORED, 'only_expunge_deletes', 'wait_for_merge'],
      handler: upkeep(optimize),
    },
    {
      methods: ['GET', 'POST'],
      paths: ofIndices('/_cache/clear'),
      privilege: 'manage',
      action: 'indices:admin/cache/clear',
      pool: 'management',
      parameters: [...CACHES.flatMap(([, ...names]) => names), ...INDICES_OPTIONS],
      ignored: [...IGNORED, 'fields', 'filter_keys'],
      handler: upkeep(clearCaches),
    },
  ],
};

/** Answers with what `work` was done on, and what `more` tells of it. */
export function upkeep(
  work: Upkeep,
  more?: (engine: Engine, indices: readonly OpenIndex[]) => object,
): Handler {
  return async (engine, request) => {
    const options = nameOptions(request.query, DOCUMENT_CALL);
    engine.cluster.stored.blocks.check('metadata_write');
    const isKnown = (await engine.replication?.knowOpen(engine.cluster.all())) ?? true;
    const indices = engine.resolve(request.path.index, options, 'metadata_write');
    const all = { ...options, expandClosed: true, forbidClosed: false };
    const closed = isKnown ? [] : engine.resolve(request.path.index, all).filter((index) => index.closed);
    await work(engine, indices, request, closed);
    return json(request, 200, { _shards: shardsHeader(engine, indices), ...more?.(engine, indices) });
  };
}

/** A node whose store takes no commits may not have heard of what was opened, and may hear of it in a moment. */
async function refresh(
  engine: Engine,
  indices: readonly OpenIndex[],
  _: RoutedRequest,
  perhapsOpen: readonly OpenIndex[],
) {
  await engine.refresh(indices, perhapsOpen);
}

async function optimize(engine: Engine, indices: readonly OpenIndex[], { query }: RoutedRequest) {
  const wanted = int(query, 'max_num_segments');
  const segments = Math.max(1, wanted ?? 1);
  if (flag(query, 'flush', true)) await engine.flush(indices);
  await engine.forceMerge(indices, segments);
}

async function clearCaches(engine: Engine, indices: readonly OpenIndex[], { query }: RoutedRequest) {
  const asked = CACHES.filter(([, ...names]) => names.some((name) => flag(query, name)));
  const what = asked.reduce((sum, [part]) => sum + part, 0);
  await engine.clearCaches(indices, asked.length === 0 ? Cache.all : what);
}

function synced(engine: Engine, indices: readonly OpenIndex[]): object {
  return Object.fromEntries(indices.map((index) => [index.name, shardsHeader(engine, [index])]));
}

/** How many copies of shards took part; `total` counts the replicas that no node holds, as 1.7 does. */
export function shardsHeader(engine: Engine, indices: readonly OpenIndex[]): Json {
  let total = 0;
  let successful = 0;
  for (const index of indices)
    for (const { number, gone } of index.shards) {
      const active = engine.replication?.searchableCopiesOf(index, number).length ?? 1;
      total += Math.max(
        active,
        engine.replication?.wantedCopies(index) ?? 1 + index.metadata.settings.replicas,
      );
      if (gone === undefined) successful += active;
    }
  return { total, successful, failed: 0 };
}
