/** `_field_stats`: what indices know of fields. */

import type { Engine } from '../../engine/engine.js';
import { validationFailed } from '../../errors.js';
import { DOCUMENT_CALL, nameOptions } from '../../metadata/names.js';
import { type FieldSummary, fieldStatistics } from '../../search/fieldStatistics.js';
import { broadcastCounts } from '../broadcast.js';
import { type EndpointGroup, INDICES_OPTIONS, ofIndices } from '../endpoint.js';
import type { Json } from '../json.js';
import { json, type RestResponse, type RoutedRequest } from '../request.js';
import { list } from './searchCall.js';

export const fieldStatsEndpoints: EndpointGroup = {
  name: 'Field statistics',
  purpose: 'How many documents have a field, and its smallest and largest value.',
  tag: 'full',
  endpoints: [
    {
      methods: ['GET', 'POST'],
      paths: ofIndices('/_field_stats'),
      privilege: 'read',
      action: 'indices:data/read/field_stats',
      pool: 'management',
      parameters: ['fields', 'level', ...INDICES_OPTIONS],
      readOnly: true,
      handler: fieldStats,
    },
  ],
};

async function fieldStats(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const { path, query } = request;
  const level = query.get('level') ?? 'cluster';
  if (level !== 'cluster' && level !== 'indices') throw validationFailed(`invalid level option [${level}]`);
  const targets = engine.targets(path.index, undefined, nameOptions(query, DOCUMENT_CALL));
  const names = list(query.get('fields'));
  const { found, total, failures } = await fieldStatistics(
    targets,
    names,
    level === 'indices',
    request.limit,
  );
  const indices = [...found].map(([name, fields]): [string, Json] => [
    name,
    { fields: Object.fromEntries([...fields].map(([field, summary]) => [field, summaryJson(summary)])) },
  ]);
  return json(request, 200, {
    _shards: broadcastCounts(total, failures),
    indices: Object.fromEntries(indices),
  });
}

function summaryJson(summary: FieldSummary): Json {
  const { maxDoc, documents, postings, occurrences, smallest, largest, print } = summary;
  return {
    max_doc: maxDoc,
    doc_count: documents,
    density: documents < 0 || maxDoc <= 0 ? -1 : Math.trunc((documents * 100) / maxDoc),
    sum_doc_freq: postings,
    sum_total_term_freq: occurrences,
    min_value: print(smallest),
    max_value: print(largest),
  };
}
