/** Snapshots are not offered: there are no repositories, and none can be made. */
import { ElasticsearchError, notOffered, validationFailed } from '../errors.js';
import { parseBody } from './body.js';
import { json, type RestResponse, type RoutedRequest } from './request.js';
import type { Route } from './router.js';

/** The routes of this family. */
export function snapshotRoutes(): Route[] {
  const one = '/_snapshot/{repository}/{snapshot}';
  return [
    ['GET', '/_snapshot', (request) => json(request, 200, {})],
    ['GET', '/_snapshot/_status', (request) => json(request, 200, { snapshots: [] })],
    ['PUT|POST', '/_snapshot/{repository}', make],
    ['GET|DELETE', '/_snapshot/{repository}', missing],
    ['POST', '/_snapshot/{repository}/_verify', missing],
    ['GET', '/_snapshot/{repository}/_status', missing],
    ['PUT|POST|GET|DELETE', one, missing],
    ['PUT|POST', `${one}/_create`, missing],
    ['GET', `${one}/_status`, missing],
    ['POST', `${one}/_restore`, missing],
  ];
}

function make(request: RoutedRequest): RestResponse {
  const { type } = parseBody(request) ?? {};
  if (type === undefined) throw validationFailed('type is missing');
  throw notOffered(`a repository of the type [${String(type)}]`);
}

function missing(request: RoutedRequest): RestResponse {
  const { repository } = request.path;
  const all = repository === '_all' || repository?.includes('*');
  if (request.method === 'GET' && all && request.path.snapshot === undefined) return json(request, 200, {});
  throw new ElasticsearchError('RepositoryMissingException', `[${repository}] missing`, { status: 404 });
}
