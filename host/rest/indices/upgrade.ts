/** Upgrading of segments of older versions, of which there are none. */
import type { Engine } from '../../engine/engine.js';
import { DOCUMENT_CALL, nameOptions } from '../../metadata/names.js';
import { allCopies } from '../cluster/copyStats.js';
import { type EndpointGroup, INDICES_OPTIONS, ofIndices } from '../endpoint.js';
import { humanJson, type RestResponse, type RoutedRequest } from '../request.js';
import { IGNORED, upkeep } from './maintenance.js';

export const upgradeEndpoints: EndpointGroup = {
  name: 'Upgrade',
  purpose: 'Segments of older versions: there are none.',
  tag: 'full',
  endpoints: [
    {
      methods: ['POST'],
      paths: ofIndices('/_upgrade'),
      privilege: 'manage',
      action: 'indices:admin/upgrade',
      pool: 'management',
      parameters: INDICES_OPTIONS,
      ignored: [...IGNORED, 'only_ancient_segments'],
      handler: upkeep(
        async () => {},
        (_, indices) => ({
          upgraded_indices: Object.fromEntries(indices.map(({ name }) => [name, '4.10.4'])),
        }),
      ),
    },
    {
      methods: ['GET'],
      paths: ofIndices('/_upgrade'),
      privilege: 'metadata',
      action: 'indices:monitor/upgrade',
      pool: 'management',
      parameters: INDICES_OPTIONS,
      ignored: IGNORED,
      readOnly: true,
      handler: toUpgrade,
    },
  ],
};

/** How much there is, in all copies, and how much of it is of an older version: nothing ever is. */
async function toUpgrade(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const options = nameOptions(request.query, DOCUMENT_CALL);
  const indices = engine.resolve(request.path.index, options, 'metadata_read');
  const all = await allCopies(engine, indices);
  const each = all.map(({ index, sum }) => [index.name, sizes(sum.storeBytes)] as const);
  const bytes = all.reduce((total, { sum }) => total + sum.storeBytes, 0);
  return humanJson(request, 200, { ...sizes(bytes), indices: Object.fromEntries(each) });
}

function sizes(bytes: number): Record<string, number> {
  return { size_in_bytes: bytes, size_to_upgrade_in_bytes: 0, size_to_upgrade_ancient_in_bytes: 0 };
}
