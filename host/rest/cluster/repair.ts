/**
 * Repairing what nodes share when its log has lost messages, the metadata or an index: what would be done, and doing it. `resilin cluster repair`
 * asks for both.
 */
import type { Engine } from '../../engine/engine.js';
import { illegalArgument, notOffered } from '../../errors.js';
import type { Replication } from '../../replication/replication.js';
import { parseBody } from '../body.js';
import type { EndpointGroup } from '../endpoint.js';
import type { Json } from '../json.js';
import { json, type RestResponse, type RoutedRequest } from '../request.js';

export const repairEndpoints: EndpointGroup = {
  name: 'Repair',
  purpose: 'Of the metadata, or an index, of a cluster whose log has lost messages.',
  tag: 'full',
  endpoints: [
    {
      methods: ['GET'],
      paths: ['/_cluster/repair'],
      privilege: 'cluster:manage',
      pool: 'management',
      action: 'cluster:admin/repair',
      parameters: ['from'],
      readOnly: true,
      handler: overview,
    },
    {
      methods: ['POST'],
      paths: ['/_cluster/repair'],
      privilege: 'cluster:manage',
      pool: 'management',
      action: 'cluster:admin/repair',
      parameters: [],
      body: 'json',
      handler: carryOutMetadata,
    },
    {
      methods: ['GET'],
      paths: ['/_cluster/repair/{index}'],
      privilege: 'cluster:manage',
      pool: 'management',
      action: 'cluster:admin/repair',
      parameters: [],
      readOnly: true,
      handler: planIndex,
    },
    {
      methods: ['POST'],
      paths: ['/_cluster/repair/{index}'],
      privilege: 'cluster:manage',
      pool: 'management',
      action: 'cluster:admin/repair',
      parameters: [],
      body: 'json',
      handler: carryOut,
    },
  ],
};

function clusterOf({ replication }: Engine): Replication {
  if (replication === undefined) throw notOffered('a repair where there is no cluster');
  return replication;
}

/** What is wrong: with the metadata, and with indices. */
async function overview(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const replication = clusterOf(engine);
  const metadata = await replication.metadataRepair.plan(request.query.get('from'));
  const indices = engine.cluster.all().flatMap((index) => {
    const reason = index.closed ? undefined : replication.lastingFailureOf(index);
    return reason === undefined ? [] : [{ index: index.name, reason }];
  });
  return json(request, 200, { metadata, indices } as unknown as Json);
}

async function carryOutMetadata(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const { from, position } = parseBody(request) ?? {};
  if (typeof from !== 'string' || !Number.isSafeInteger(position))
    throw illegalArgument('a repair takes [from] and [position] as GET of the same address shows them');
  const done = await clusterOf(engine).metadataRepair.carryOut(from, position as number);
  return json(request, 200, { acknowledged: true, ...done } as unknown as Json);
}

async function planIndex(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const { repairs, nodes } = clusterOf(engine);
  const plan = await repairs.plan(engine.index(request.path.index!));
  const names = new Map(nodes.all.map(({ id, name }) => [id, name]));
  const found = plan.found.map((copy) => ({ ...copy, name: names.get(copy.node) }));
  return json(request, 200, { ...plan, found } as unknown as Json);
}

async function carryOut(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const { uuid, copies } = parseBody(request) ?? {};
  if (typeof uuid !== 'string' || !Array.isArray(copies))
    throw illegalArgument('a repair takes [uuid] and [copies] as GET of the same address shows them');
  const done = await clusterOf(engine).repairs.carryOut(
    engine.index(request.path.index!),
    uuid,
    copies.map(String),
  );
  return json(request, 200, { acknowledged: true, ...done } as unknown as Json);
}
