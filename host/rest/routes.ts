/** The whole interface: every endpoint that is offered. */
export { answerQuestion } from './cluster/answers.js';
import { aliasEndpoints } from './indices/aliases.js';
import { analyzeEndpoints } from './indices/analyze.js';
import { bulkEndpoints } from './documents/bulk.js';
import { catEndpoints } from './cat/routes.js';
import { clusterEndpoints } from './cluster/cluster.js';
import { repairEndpoints } from './cluster/repair.js';
import { clusterStateEndpoints } from './cluster/clusterState.js';
import { countEndpoints } from './search/count.js';
import { documentEndpoints } from './documents/documents.js';
import { explainEndpoints } from './search/explain.js';
import { exportEndpoints } from './indices/exports.js';
import { fieldStatsEndpoints } from './search/fieldStats.js';
import { indexEndpoints } from './indices/indices.js';
import { maintenanceEndpoints } from './indices/maintenance.js';
import { mappingEndpoints } from './indices/mappings.js';
import { mgetEndpoints } from './documents/mget.js';
import { moreLikeThisEndpoints } from './documents/moreLikeThis.js';
import { nodeEndpoints } from './cluster/nodes.js';
import { percolateEndpoints } from './search/percolate.js';
import { prometheusEndpoints } from './cluster/prometheus.js';
import { scriptEndpoints } from './search/scripts.js';
import { scrollEndpoints } from './search/scroll.js';
import { searchEndpoints } from './search/search.js';
import { searchShardsEndpoints } from './search/searchShards.js';
import { searchTemplateEndpoints } from './search/searchTemplates.js';
import { securityEndpoints } from './security/security.js';
import { settingsEndpoints } from './indices/settings.js';
import { snapshotEndpoints } from './snapshots/snapshots.js';
import { statisticsEndpoints } from './indices/statistics.js';
import { suggestEndpoints } from './search/suggest.js';
import { templateEndpoints } from './indices/templates.js';
import { termVectorEndpoints } from './documents/termVectors.js';
import { updateEndpoints } from './documents/update.js';
import { validateEndpoints } from './search/validate.js';
import { upgradeEndpoints } from './indices/upgrade.js';
import { warmerEndpoints } from './indices/warmers.js';
import type { Endpoint, EndpointGroup } from './endpoint.js';

/** The interface, group by group: what the router answers and what docs/api.md lists, in its order. */
export const ENDPOINT_GROUPS: readonly EndpointGroup[] = [
  documentEndpoints,
  updateEndpoints,
  mgetEndpoints,
  bulkEndpoints,
  countEndpoints,
  explainEndpoints,
  searchEndpoints,
  suggestEndpoints,
  percolateEndpoints,
  moreLikeThisEndpoints,
  fieldStatsEndpoints,
  termVectorEndpoints,
  scrollEndpoints,
  validateEndpoints,
  searchTemplateEndpoints,
  scriptEndpoints,
  searchShardsEndpoints,
  analyzeEndpoints,
  indexEndpoints,
  settingsEndpoints,
  mappingEndpoints,
  aliasEndpoints,
  templateEndpoints,
  warmerEndpoints,
  maintenanceEndpoints,
  upgradeEndpoints,
  statisticsEndpoints,
  clusterEndpoints,
  repairEndpoints,
  clusterStateEndpoints,
  nodeEndpoints,
  catEndpoints,
  prometheusEndpoints,
  snapshotEndpoints,
  exportEndpoints,
  securityEndpoints,
];

/** Every endpoint, in the order of the groups. */
export const ENDPOINTS: readonly Endpoint[] = ENDPOINT_GROUPS.flatMap(({ endpoints }) => endpoints);

/** Every method with every path that is offered. */
export function offeredRoutes(): { method: string; path: string; endpoint: Endpoint }[] {
  return ENDPOINTS.flatMap((endpoint) =>
    endpoint.methods.flatMap((method) => endpoint.paths.map((path) => ({ method, path, endpoint }))),
  );
}
