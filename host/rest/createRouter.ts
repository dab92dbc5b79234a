/** The router, which knows all endpoints: in browsers the frequent ones at first, the others when one of them is asked for. */
import type { Engine } from '../engine/engine.js';
import { LatePart } from '../latePart.js';
import type { NodeNames } from './cluster/node.js';
import { bulkEndpoints } from './documents/bulk.js';
import { documentEndpoints } from './documents/documents.js';
import { mgetEndpoints } from './documents/mget.js';
import { updateEndpoints } from './documents/update.js';
import { indexEndpoints } from './indices/indices.js';
import { maintenanceEndpoints } from './indices/maintenance.js';
import { mappingEndpoints } from './indices/mappings.js';
import { Router } from './router.js';
import { countEndpoints } from './search/count.js';
import { scrollEndpoints } from './search/scroll.js';
import { searchEndpoints } from './search/search.js';

/** What programs that index and search ask for. */
const FREQUENT = [
  documentEndpoints,
  updateEndpoints,
  mgetEndpoints,
  bulkEndpoints,
  countEndpoints,
  searchEndpoints,
  scrollEndpoints,
  indexEndpoints,
  mappingEndpoints,
  maintenanceEndpoints,
].flatMap(({ endpoints }) => endpoints);

/** All of them. The router finds out by itself when it needs them. */
const routes = new LatePart('the interface', [], () => import('./routes.js'));

/** The router over an engine. @param node what answers tell of the node */
export function createRouter(engine: Engine, node: NodeNames): Router {
  return new Router(engine, node, FREQUENT, routes);
}
