/** The root, the cluster's health. */
import { clusterHealth } from './health.js';
import type { Json } from '../json.js';
import { build, type NodeNames, WIRE_VERSION } from './node.js';
import { json, text } from '../request.js';
import type { EndpointGroup } from '../endpoint.js';

const ROOT = {
  paths: ['/'],
  privilege: 'authenticated',
  action: 'cluster:monitor/main',
  pool: 'management',
  parameters: [],
  readOnly: true,
  duringRecovery: true,
} as const;

export const clusterEndpoints: EndpointGroup = {
  name: 'Root and health',
  purpose: 'Who answers, and whether all shards are there.',
  tag: 'core',
  endpoints: [
    { ...ROOT, methods: ['GET'], handler: (_, request) => json(request, 200, root(request.node), true) },
    { ...ROOT, methods: ['HEAD'], handler: () => text(200) },
    {
      methods: ['GET'],
      paths: ['/_cluster/health', '/_cluster/health/{index}'],
      privilege: 'metadata',
      action: 'cluster:monitor/health',
      pool: 'management',
      parameters: [
        'level',
        'wait_for_status',
        'wait_for_nodes',
        'wait_for_active_shards',
        'wait_for_relocating_shards',
        'wait_for_events',
        'timeout',
      ],
      ignored: ['local', 'master_timeout'],
      readOnly: true,
      duringRecovery: true,
      handler: clusterHealth,
    },
  ],
};

function root({ node, cluster, version }: NodeNames): Json {
  return {
    status: 200,
    name: node,
    cluster_name: cluster,
    version: {
      number: WIRE_VERSION,
      build_hash: build(version),
      build_timestamp: '2015-10-15T12:09:00Z',
      build_snapshot: false,
      lucene_version: '4.10.4',
    },
    tagline: 'You Know, for Search',
  };
}
