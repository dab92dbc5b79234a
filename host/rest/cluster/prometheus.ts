/** The figures in Prometheus' text format: `GET /metrics`, and `/_prometheus/metrics` where an index is called metrics. */
import { ElasticsearchError } from '../../errors.js';
import type { Engine } from '../../engine/engine.js';
import type { NodeNames } from './node.js';
import type { RestHandler, RestResponse, RoutedRequest } from '../request.js';
import type { Route } from '../router.js';

/** The routes of this family. @param otherwise answers where an index is called metrics */
export function prometheusRoutes(engine: Engine, names: NodeNames, otherwise: RestHandler): Route[] {
  const handler = () => metrics(names);
  const shared = (request: RoutedRequest) =>
    engine.cluster.find('metrics') === undefined && engine.cluster.behind('metrics') === undefined
      ? handler()
      : otherwise({ ...request, path: { index: 'metrics' } });
  return [
    ['GET', '/_prometheus/metrics', 'monitor', handler],
    ['GET', '/metrics', 'monitor', shared],
  ];
}

async function metrics({ meter }: NodeNames): Promise<RestResponse> {
  if (meter === undefined)
    throw new ElasticsearchError('UnsupportedOperationException', 'only a server is measured', {
      status: 501,
    });
  const body = new TextEncoder().encode(await meter.text());
  return { status: 200, contentType: meter.contentType, body };
}
