/** Bulk: action lines and source lines in, one item of the answer per action out. */
import { ElasticsearchError, noContent, validationFailed } from '../errors.js';
import { applyUpdate, checkUpdate, readUpdate } from '../index/documentUpdate.js';
import type { Engine, IndexedOperation, OperationOutcome } from '../index/engine.js';
import { type BulkAction, parseBulk } from './bulkBody.js';
import { looksLikeJson } from '../index/laxJson.js';
import type { Json } from './json.js';
import { flag, json, type RestResponse, type RoutedRequest } from './request.js';
import type { Route } from './router.js';

/** The routes of this family. */
export function bulkRoutes(engine: Engine): Route[] {
  const handler = (request: RoutedRequest) => bulk(engine, request);
  return [
    ['PUT|POST', '/_bulk', handler],
    ['PUT|POST', '/{index}/_bulk', handler],
    ['PUT|POST', '/{index}/{type}/_bulk', handler],
  ];
}

async function bulk(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const started = performance.now();
  if (!looksLikeJson(request.body)) throw noContent();
  const actions = parseBulk(request.body, {
    index: request.path.index,
    type: request.path.type,
    routing: request.query.get('routing'),
  });
  if (actions.length === 0) throw validationFailed('no requests added');
  const missing = actions.flatMap((action) => [
    ...(action.index === undefined ? ['index is missing'] : []),
    ...(action.type === undefined ? ['type is missing'] : []),
  ]);
  if (missing.length > 0) throw validationFailed(...missing);
  const operations = actions.map((action) => {
    if (action.id === undefined && (action.kind === 'delete' || action.kind === 'update'))
      throw validationFailed('id is missing');
    const id = action.id ?? engine.idFor(action.index!, action.type!, action.source!);
    return operationOf(action, id);
  });
  const outcomes = await engine.write(operations);
  if (flag(request.query, 'refresh')) await engine.refreshTouched(outcomes);
  const errors = outcomes.some(({ result }) => result instanceof ElasticsearchError);
  const items = actions.map((action, i) => item(action, operations[i]!, outcomes[i]!));
  return json(request, 200, { took: Math.round(performance.now() - started), errors, items });
}

function operationOf(action: BulkAction, id: string): IndexedOperation {
  const op = {
    index: action.index!,
    type: action.type!,
    id,
    routing: action.routing ?? action.parent,
    parent: action.parent,
    version: action.version,
    versionType: action.versionType,
  };
  if (action.kind === 'delete') return { ...op, kind: 'delete' };
  if (action.kind === 'update') {
    const asked = readUpdate(action.source!, NO_PARAMETERS);
    checkUpdate(asked, action.version, action.versionType, action.retries);
    return {
      ...op,
      kind: 'update',
      change: (current, place) => applyUpdate(asked, current, { ...place, shard: NO_SHARD }),
    };
  }
  const create = action.kind === 'create' || action.id === undefined;
  return { ...op, kind: 'index', create, source: action.source! };
}

/** What 1.7 calls the shard of an update in a bulk. */
const NO_SHARD = -1;
const NO_PARAMETERS: ReadonlyMap<string, string> = new Map();

function item(action: BulkAction, op: IndexedOperation, { index, shard, result }: OperationOutcome): Json {
  const at = { _index: index, _type: op.type, _id: op.id };
  let name: string = action.kind;
  if (action.kind === 'index' && action.id === undefined) name = 'create';
  if (result instanceof ElasticsearchError) {
    // What no shard has seen is reported as index, whatever it was.
    if (shard < 0 && action.kind === 'delete') name = 'index';
    return { [name]: { ...at, status: result.status, error: result.render() } };
  }
  const { version, fresh } = result;
  if (op.kind === 'delete')
    return { delete: { ...at, _version: version, status: fresh ? 200 : 404, found: fresh } };
  return { [name]: { ...at, _version: version, status: fresh ? 201 : 200 } };
}
