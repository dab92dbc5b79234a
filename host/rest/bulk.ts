/** Bulk: action lines and source lines in, one item of the answer per action out. */
import { ElasticsearchError, noContent, notOffered, validationFailed } from '../errors.js';
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
  const operations: IndexedOperation[] = [];
  for (const action of actions) {
    if (action.kind === 'update') continue;
    if (action.id === undefined && action.kind === 'delete') throw validationFailed('id is missing');
    operations.push(operationOf(action, action.id ?? engine.newDocumentId()));
  }
  const outcomes = await engine.write(operations);
  if (flag(request.query, 'refresh')) await refreshTouched(engine, operations, outcomes);
  let errors = false;
  let next = 0;
  const items = actions.map((action): Json => {
    if (action.kind === 'update') {
      errors = true;
      const error = notOffered('update');
      const { index, type, id } = action;
      return { update: { _index: index, _type: type, _id: id, status: error.status, error: error.render() } };
    }
    const outcome = outcomes[next]!;
    errors ||= outcome.result instanceof ElasticsearchError;
    return item(action, operations[next++]!, outcome);
  });
  return json(request, 200, { took: Math.round(performance.now() - started), errors, items });
}

function operationOf(action: BulkAction, id: string): IndexedOperation {
  return {
    index: action.index!,
    type: action.type!,
    id,
    kind: action.kind === 'delete' ? 'delete' : 'index',
    create: action.kind === 'create' || action.id === undefined,
    routing: action.routing,
    version: action.version,
    versionType: action.versionType,
    ...(action.source === undefined ? {} : { source: action.source }),
  };
}

function item(action: BulkAction, op: IndexedOperation, { shard, result }: OperationOutcome): Json {
  const at = { _index: op.index, _type: op.type, _id: op.id };
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

async function refreshTouched(
  engine: Engine,
  operations: readonly IndexedOperation[],
  outcomes: readonly OperationOutcome[],
): Promise<void> {
  const shards = new Set(
    outcomes.flatMap(({ shard }, i) => {
      const { index } = operations[i]!;
      return shard < 0 || !engine.hasIndex(index) ? [] : [engine.index(index).shards[shard]!];
    }),
  );
  await Promise.all([...shards].map((shard) => shard.refresh()));
}
