/** Repairing an index whose log has lost messages: what would be done, and doing it. `resilin cluster repair` asks for both. */
import type { Engine } from '../../engine/engine.js';
import { illegalArgument, notOffered } from '../../errors.js';
import { parseBody } from '../body.js';
import type { EndpointGroup } from '../endpoint.js';
import type { Json } from '../json.js';
import { json, type RestResponse, type RoutedRequest } from '../request.js';

export const repairEndpoints: EndpointGroup = {
  name: 'Repair',
  purpose: 'Of an index of a cluster whose log has lost messages.',
  tag: 'full',
  endpoints: [
    {
      methods: ['GET'],
      paths: ['/_cluster/repair/{index}'],
      privilege: 'cluster:manage',
      pool: 'management',
      action: 'cluster:admin/repair',
      parameters: [],
      readOnly: true,
      handler: plan,
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

function repairsOf({ replication }: Engine) {
  if (replication === undefined) throw notOffered('a repair where there is no cluster');
  return replication.repairs;
}

async function plan(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const found = await repairsOf(engine).plan(engine.index(request.path.index!));
  return json(request, 200, found as unknown as Json);
}

async function carryOut(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const { uuid, copies } = parseBody(request) ?? {};
  if (typeof uuid !== 'string' || !Array.isArray(copies))
    throw illegalArgument('a repair takes [uuid] and [copies] as GET of the same address shows them');
  const done = await repairsOf(engine).carryOut(engine.index(request.path.index!), uuid, copies.map(String));
  return json(request, 200, { acknowledged: true, ...done } as unknown as Json);
}
