/** Updates of single documents. */
import { applyUpdate, checkUpdate, readUpdate } from '../../engine/documentUpdate.js';
import type { Engine } from '../../engine/engine.js';
import type { IndexedOperation } from '../../engine/writing.js';
import { updatedFields } from './documentFields.js';
import { common, one } from './documents.js';
import { type Json, Raw } from '../json.js';
import { int, json, type RestResponse, type RoutedRequest } from '../request.js';
import { type EndpointGroup, WRITE } from '../endpoint.js';

export const updateEndpoints: EndpointGroup = {
  name: 'Update',
  purpose: 'Changes parts of a document, or inserts it.',
  tag: 'core',
  endpoints: [
    {
      methods: ['POST'],
      paths: ['/{index}/{type}/{id}/_update'],
      privilege: 'write',
      action: 'indices:data/write/update',
      pool: 'index',
      parameters: [...WRITE, 'fields', 'retry_on_conflict', 'lang', 'script', 'script_id', 'script_file'],
      ignored: ['replication', 'scripted_upsert'],
      handler: update,
    },
  ],
};

async function update(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const { query, path } = request;
  const at = common(request, path.id!);
  const retries = int(query, 'retry_on_conflict') ?? 0;
  const asked = readUpdate(request.body, query);
  checkUpdate(asked, at.version, at.versionType, retries);
  const op: IndexedOperation = {
    ...at,
    kind: 'update',
    change: (current, place) => applyUpdate(asked, current, place, engine.updateScripts),
  };
  const { index, result } = await one(engine, request, op);
  const fields = query.get('fields')?.split(',') ?? asked.fields;
  return json(request, result.fresh ? 201 : 200, {
    _index: index,
    _type: op.type,
    _id: op.id,
    _version: result.version,
    get: fields === undefined || result.document === undefined ? undefined : shown(fields, result.document),
  });
}

/** The document after the update, as far as it was asked for. */
function shown(fields: readonly string[], document: Parameters<typeof updatedFields>[1]): Json {
  return {
    found: true,
    _source: fields.includes('_source') ? new Raw(document.source) : undefined,
    fields: updatedFields(fields, document),
  };
}
