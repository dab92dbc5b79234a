/** An index as a file, which engines elsewhere open. */
import { illegalArgument } from '../../errors.js';
import { DOCUMENT_CALL } from '../../metadata/names.js';
import type { Engine } from '../../engine/engine.js';
import { StreamedExport } from '../../snapshot/streamedExport.js';
import type { RestResponse, RoutedRequest } from '../request.js';
import type { EndpointGroup } from '../endpoint.js';

export const exportEndpoints: EndpointGroup = {
  name: 'Export',
  purpose: 'An index as one file, which the package resilin opens elsewhere. 1.7 has none.',
  tag: 'full',
  endpoints: [
    {
      methods: ['GET'],
      paths: ['/{index}/_export'],
      privilege: 'manage',
      action: 'indices:data/read/export',
      pool: 'snapshot',
      parameters: [],
      handler: exportOne,
    },
  ],
};

async function exportOne(engine: Engine, { path }: RoutedRequest): Promise<RestResponse> {
  const indices = engine.resolve(path.index, { ...DOCUMENT_CALL, allowNoIndices: false }, 'read');
  const [index, another] = indices;
  if (another !== undefined)
    throw illegalArgument(`[${path.index}] means ${indices.length} indices, and a file is of one`);
  const stream = await StreamedExport.of(index!);
  return { status: 200, contentType: 'application/octet-stream', body: EMPTY, stream };
}

const EMPTY = new Uint8Array(0);
