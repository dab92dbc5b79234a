/** The whole interface: every endpoint that is offered, and those of 1.7 that aren't yet. */
import { notOffered } from '../errors.js';
import type { Engine } from '../index/engine.js';
import { aliasRoutes } from './aliases.js';
import { analyzeRoutes } from './analyze.js';
import { bulkRoutes } from './bulk.js';
import { catRoutes } from './cat/routes.js';
import { clusterRoutes } from './cluster.js';
import { clusterStateRoutes } from './clusterState.js';
import { nodeRoutes } from './nodes.js';
import { statisticsRoutes } from './statistics.js';
import type { NodeNames } from './node.js';
import { countRoutes } from './count.js';
import { documentRoutes } from './documents.js';
import { indexRoutes } from './indices.js';
import { maintenanceRoutes } from './maintenance.js';
import { mappingRoutes } from './mappings.js';
import { mgetRoutes } from './mget.js';
import { type Route, Router } from './router.js';
import { scrollRoutes } from './scroll.js';
import { searchRoutes } from './searching.js';
import { settingsRoutes } from './settings.js';
import { templateRoutes } from './templates.js';
import { updateRoutes } from './update.js';
import { validateRoutes } from './validate.js';
import { warmerRoutes } from './warmers.js';

/** Endpoints of 1.7 that would otherwise be taken for something else. */
const NOT_YET: readonly [methods: string, names: readonly string[], places: readonly string[]][] = [
  [
    'GET|POST',
    ['_suggest', '_percolate', '_field_stats', '_search_shards'],
    ['', '/{index}', '/{index}/{type}'],
  ],
  ['GET|POST', ['_search/template'], ['', '/{index}', '/{index}/{type}']],
  ['GET|POST', ['_explain', '_mlt', '_termvector', '_percolate'], ['/{index}/{type}/{id}']],
  ['GET|PUT|POST|DELETE', ['_snapshot', '_snapshot/{repository}', '_snapshot/{repository}/{name}'], ['']],
];

/** The router over an engine. */
export function createRouter(engine: Engine, names: NodeNames): Router {
  return new Router([...routesNotOffered(), ...offeredRoutes(engine, names)]);
}

/** The endpoints that are offered. */
export function offeredRoutes(engine: Engine, names: NodeNames): Route[] {
  return [
    ...clusterRoutes(engine, names),
    ...clusterStateRoutes(engine, names),
    ...nodeRoutes(engine, names),
    ...statisticsRoutes(engine, names),
    ...catRoutes(engine, names),
    ...indexRoutes(engine),
    ...settingsRoutes(engine),
    ...mappingRoutes(engine),
    ...aliasRoutes(engine),
    ...templateRoutes(engine),
    ...warmerRoutes(engine),
    ...maintenanceRoutes(engine),
    ...documentRoutes(engine),
    ...updateRoutes(engine),
    ...mgetRoutes(engine),
    ...bulkRoutes(engine),
    ...countRoutes(engine),
    ...searchRoutes(engine),
    ...scrollRoutes(engine),
    ...analyzeRoutes(engine),
    ...validateRoutes(engine),
  ];
}

/** The endpoints that are known and refused. */
export function routesNotOffered(): Route[] {
  return NOT_YET.flatMap(([methods, names, places]) =>
    places.flatMap((place) =>
      names.map(
        (name): Route => [
          methods,
          `${place}/${name}`,
          () => Promise.reject(notOffered(`the endpoint [${place}/${name}]`)),
        ],
      ),
    ),
  );
}
