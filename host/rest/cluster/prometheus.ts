/** Statistics in Prometheus' text format: `GET /metrics`, and `/_prometheus/metrics` where an index is called metrics. */
import { ElasticsearchError } from '../../errors.js';
import { showIndex } from '../indices/indices.js';
import type { NodeNames } from './node.js';
import type { RestResponse } from '../request.js';
import type { EndpointGroup } from '../endpoint.js';

const METRICS = {
  methods: ['GET'],
  privilege: 'cluster:monitor',
  action: 'cluster:monitor/metrics',
  counted: true,
  pool: 'management',
  parameters: [],
  readOnly: true,
  duringRecovery: true,
} as const;

export const prometheusEndpoints: EndpointGroup = {
  name: 'Metrics',
  purpose:
    "Statistics in Prometheus' text format; an index called metrics is shown instead at the second path.",
  tag: 'full',
  endpoints: [
    { ...METRICS, paths: ['/_prometheus/metrics'], handler: (_, request) => metrics(request.node) },
    {
      ...METRICS,
      paths: ['/metrics'],
      handler: (engine, request) =>
        engine.cluster.find('metrics') === undefined && engine.cluster.behind('metrics') === undefined
          ? metrics(request.node)
          : showIndex(engine, { ...request, path: { index: 'metrics' } }),
    },
  ],
};

async function metrics({ meter }: NodeNames): Promise<RestResponse> {
  if (meter === undefined)
    throw new ElasticsearchError('UnsupportedOperationException', 'only a server is measured', {
      status: 501,
    });
  const body = new TextEncoder().encode(await meter.text());
  return { status: 200, contentType: meter.contentType, body };
}
