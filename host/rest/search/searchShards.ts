/** Which shards a search would ask. */
import type { Engine } from '../../engine/engine.js';
import { indexMissing } from '../../errors.js';
import { nameOptions } from '../../metadata/names.js';
import { chosenShards } from '../../search/chosenShards.js';
import { copiesOf } from '../cluster/clusterState.js';
import { nodesOf } from '../cluster/elsewhere.js';
import { otherAddress, transportAddress } from '../cluster/node.js';
import { type EndpointGroup, INDICES_OPTIONS, ofTypes } from '../endpoint.js';
import type { Json } from '../json.js';
import { json, type RestResponse, type RoutedRequest } from '../request.js';
import { copyChoice, list, preferredCopies, preferredShards } from './searchCall.js';

export const searchShardsEndpoints: EndpointGroup = {
  name: 'Search shards',
  purpose: 'Which shards a search would ask.',
  tag: 'full',
  endpoints: [
    {
      methods: ['GET', 'POST'],
      paths: ofTypes('/_search_shards'),
      privilege: 'read',
      action: 'indices:admin/shards/search_shards',
      pool: 'management',
      parameters: ['routing', 'preference', ...INDICES_OPTIONS],
      ignored: ['local'],
      readOnly: true,
      handler: shards,
    },
  ],
};

/** Preferences for which copies that can't be asked yet are none. */
const STRICT = /^_(primary|only_local|onlyLocal|only_node)(:|$)/;

/** A copy, as the table of shards shows it. */
type Copy = ReturnType<typeof copiesOf>[number][number];

/** The copies of a shard that a search may ask, the preferred one first; a replica without a node of its own can't be asked. */
function askedCopies(
  copies: readonly Copy[],
  preference: string,
  ids: readonly string[] | undefined,
  self: string,
): Copy[] {
  const all = copies.filter(({ node }) => node !== null);
  if (ids === undefined && preference !== '_local') return all;
  const first = (ids ?? [self]).flatMap((id) => all.find(({ node }) => node === id) ?? []);
  return STRICT.test(preference) ? first : [...first, ...all.filter((copy) => !first.includes(copy))];
}

function shards(engine: Engine, request: RoutedRequest): RestResponse {
  const names = request.node;
  const { path, query } = request;
  const routing = list(query.get('routing'));
  const only = preferredShards(query.get('preference'));
  const preference = preferredCopies(query.get('preference'));
  const choice = copyChoice(engine, preference);
  const targets = engine.cluster.targets(
    path.index,
    routing.length === 0 ? undefined : routing,
    nameOptions(query, { ignoreUnavailable: true }),
  );
  const groups = targets.flatMap(({ index, routing: own }): Json[] => {
    // The table of shards knows nothing of a closed index.
    if (index.closed) throw indexMissing(index.name);
    const copies = copiesOf(engine, index);
    return chosenShards(index, own, only).map(
      ({ number }) =>
        askedCopies(copies[number]!, preference, choice?.(index, number), engine.nodeId) as Json,
    );
  });
  const named = new Set((groups as { node: string }[][]).flat().map(({ node }) => node));
  const nodes = nodesOf(engine, names).filter(({ id }) => named.has(id));
  return json(request, 200, {
    nodes: Object.fromEntries(
      nodes.map(({ id, name, http }) => {
        const address = id === engine.nodeId ? transportAddress(names) : otherAddress(http);
        return [id, { name, transport_address: address }];
      }),
    ),
    shards: groups,
  });
}
