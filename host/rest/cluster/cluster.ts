/** The root, the cluster's health. */
import type { Engine } from '../../engine/engine.js';
import { clusterHealth } from './health.js';
import type { Json } from '../json.js';
import { build, type NodeNames, WIRE_VERSION } from './node.js';
import { json, type RoutedRequest, text } from '../request.js';
import type { Route } from '../router.js';

/** The routes of this family. */
export function clusterRoutes(engine: Engine, names: NodeNames): Route[] {
  const health = (request: RoutedRequest) => clusterHealth(engine, names, request);
  return [
    ['GET', '/', 'known', (request) => json(request, 200, root(names), true)],
    ['HEAD', '/', 'known', () => text(200)],
    ['GET', '/_cluster/health', 'look', health],
    ['GET', '/_cluster/health/{index}', 'look', health],
  ];
}

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
