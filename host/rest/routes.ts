/** The whole interface: every endpoint that is offered. */
import type { RouteAccess } from '../security/grants.js';
import type { Engine } from '../engine/engine.js';
import { aliasRoutes } from './indices/aliases.js';
import { analyzeRoutes } from './indices/analyze.js';
import { bulkRoutes } from './documents/bulk.js';
import { catRoutes } from './cat/routes.js';
import { clusterRoutes } from './cluster/cluster.js';
import { clusterStateRoutes } from './cluster/clusterState.js';
import { countRoutes } from './search/count.js';
import { documentRoutes } from './documents/documents.js';
import { explainRoutes } from './search/explain.js';
import { fieldStatsRoutes } from './search/fieldStats.js';
import { guard } from './guard.js';
import { indexRoutes, showIndex } from './indices/indices.js';
import { maintenanceRoutes } from './indices/maintenance.js';
import { mappingRoutes } from './indices/mappings.js';
import { mgetRoutes } from './documents/mget.js';
import { moreLikeThisRoutes } from './documents/moreLikeThis.js';
import type { NodeNames } from './cluster/node.js';
import { nodeRoutes } from './cluster/nodes.js';
import { percolateRoutes } from './search/percolate.js';
import { poolOf } from './pools.js';
import { prometheusRoutes } from './cluster/prometheus.js';
import { millis, type RoutedRequest } from './request.js';
import { type Route, Router } from './router.js';
import { scriptRoutes } from './search/scripts.js';
import { scrollRoutes } from './search/scroll.js';
import { searchRoutes } from './search/search.js';
import { searchShardsRoutes } from './search/searchShards.js';
import { searchTemplateRoutes } from './search/searchTemplates.js';
import { settingsRoutes } from './indices/settings.js';
import { snapshotRoutes } from './snapshots/snapshots.js';
import { statisticsRoutes } from './indices/statistics.js';
import { suggestRoutes } from './search/suggest.js';
import { templateRoutes } from './indices/templates.js';
import { termVectorRoutes } from './documents/termVectors.js';
import { updateRoutes } from './documents/update.js';
import { validateRoutes } from './search/validate.js';
import { warmerRoutes } from './indices/warmers.js';

/** Endpoints that belong together. */
export interface RouteFamily {
  name: string;
  /** What they are for. */
  purpose: string;
  /** How many programs need them: every one, most, some. */
  tag: 'core' | 'common' | 'full';
  /** They answer while shards are being opened; the others wait. */
  early?: true;
  /** Their changes take how long to wait for them, which has to be a duration. */
  patient?: true;
  /** Made when they are asked for. */
  readonly routes: readonly Route[];
}

/** The interface, family by family: what the router answers and what docs/api.md lists. */
export function routeFamilies(engine: Engine, names: NodeNames): RouteFamily[] {
  return [
    {
      name: 'Documents',
      purpose: 'Single documents: index, create, get, exists, delete.',
      tag: 'core',
      early: true,
      get routes() {
        return documentRoutes(engine);
      },
    },
    {
      name: 'Update',
      purpose: 'Changes parts of a document, or inserts it.',
      tag: 'core',
      get routes() {
        return updateRoutes(engine);
      },
    },
    {
      name: 'Multi-get',
      purpose: 'Many documents by their ids.',
      tag: 'core',
      get routes() {
        return mgetRoutes(engine);
      },
    },
    {
      name: 'Bulk',
      purpose: 'Many writes in one request, a line for each action.',
      tag: 'core',
      get routes() {
        return bulkRoutes(engine);
      },
    },
    {
      name: 'Count and delete by query',
      purpose: 'How many documents a query finds; deleting them.',
      tag: 'core',
      get routes() {
        return countRoutes(engine);
      },
    },
    {
      name: 'Explain',
      purpose: 'Why a document matches a query and scores as it does.',
      tag: 'common',
      get routes() {
        return explainRoutes(engine);
      },
    },
    {
      name: 'Search',
      purpose: 'Searches, several of them at once, whether one finds anything.',
      tag: 'core',
      get routes() {
        return searchRoutes(engine);
      },
    },
    {
      name: 'Suggest',
      purpose: 'Words, phrases and completions that may be meant.',
      tag: 'common',
      get routes() {
        return suggestRoutes(engine);
      },
    },
    {
      name: 'Percolate',
      purpose: 'Which registered queries match a document. They are the documents of the type `.percolator`.',
      tag: 'full',
      get routes() {
        return percolateRoutes(engine);
      },
    },
    {
      name: 'More like this',
      purpose: 'Searches for documents like one that is there.',
      tag: 'full',
      get routes() {
        return moreLikeThisRoutes(engine);
      },
    },
    {
      name: 'Field statistics',
      purpose: 'How many documents have a field, and its smallest and largest value.',
      tag: 'full',
      get routes() {
        return fieldStatsRoutes(engine);
      },
    },
    {
      name: 'Term vectors',
      purpose: 'The terms of a document, where they stand in it and how frequent they are.',
      tag: 'full',
      get routes() {
        return termVectorRoutes(engine);
      },
    },
    {
      name: 'Scroll',
      purpose: 'The next page of a search, and letting go of it.',
      tag: 'core',
      get routes() {
        return scrollRoutes(engine);
      },
    },
    {
      name: 'Validate',
      purpose: 'Whether a query can be, and what it comes to.',
      tag: 'common',
      get routes() {
        return validateRoutes(engine);
      },
    },
    {
      name: 'Search templates and stored scripts',
      purpose: 'Searches with parameters put in; texts that are kept.',
      tag: 'full',
      get routes() {
        return [...scriptRoutes(engine), ...searchTemplateRoutes(engine)];
      },
    },
    {
      name: 'Search shards',
      purpose: 'Which shards a search would ask.',
      tag: 'full',
      get routes() {
        return searchShardsRoutes(engine, names);
      },
    },
    {
      name: 'Analyze',
      purpose: 'The tokens of a text.',
      tag: 'common',
      get routes() {
        return analyzeRoutes(engine);
      },
    },
    {
      name: 'Indices',
      purpose: 'Create, delete, exists, get, open, close.',
      tag: 'core',
      patient: true,
      get routes() {
        return indexRoutes(engine);
      },
    },
    {
      name: 'Settings',
      purpose: 'The settings of indices; every setting is a parameter too.',
      tag: 'core',
      patient: true,
      get routes() {
        return settingsRoutes(engine);
      },
    },
    {
      name: 'Mappings',
      purpose: 'What the fields of a type are.',
      tag: 'core',
      patient: true,
      get routes() {
        return mappingRoutes(engine);
      },
    },
    {
      name: 'Aliases',
      purpose: 'Other names of indices, with filters and routing; all actions of a request or none.',
      tag: 'core',
      patient: true,
      get routes() {
        return aliasRoutes(engine);
      },
    },
    {
      name: 'Index templates',
      purpose: 'What new indices start from.',
      tag: 'core',
      patient: true,
      get routes() {
        return templateRoutes(engine);
      },
    },
    {
      name: 'Warmers',
      purpose: 'Kept and shown; nothing needs warming up.',
      tag: 'full',
      patient: true,
      get routes() {
        return warmerRoutes(engine);
      },
    },
    {
      name: 'Maintenance',
      purpose: 'Refresh, flush, optimize, clear caches.',
      tag: 'core',
      get routes() {
        return maintenanceRoutes(engine);
      },
    },
    {
      name: 'Statistics',
      purpose: 'Figures of indices and their shards.',
      tag: 'common',
      early: true,
      get routes() {
        return statisticsRoutes(engine, names);
      },
    },
    {
      name: 'Root and health',
      purpose: 'Who answers, and whether all shards are there.',
      tag: 'core',
      early: true,
      get routes() {
        return clusterRoutes(engine, names);
      },
    },
    {
      name: 'Cluster',
      purpose: 'State, settings, tasks, reroute.',
      tag: 'common',
      early: true,
      patient: true,
      get routes() {
        return clusterStateRoutes(engine, names);
      },
    },
    {
      name: 'Nodes',
      purpose: 'What the node is and does.',
      tag: 'common',
      early: true,
      get routes() {
        return nodeRoutes(engine, names);
      },
    },
    {
      name: 'Tables',
      purpose: 'The same for terminals.',
      tag: 'common',
      early: true,
      get routes() {
        return catRoutes(engine, names);
      },
    },
    {
      name: 'Metrics',
      purpose:
        "The figures in Prometheus' text format; an index called metrics is shown instead at the second path.",
      tag: 'full',
      early: true,
      get routes() {
        return prometheusRoutes(engine, names, showIndex(engine));
      },
    },
    {
      name: 'Snapshots',
      purpose: 'Backups of indices in repositories, and bringing them back.',
      tag: 'full',
      patient: true,
      get routes() {
        return snapshotRoutes(engine, names);
      },
    },
  ];
}

/** The router over an engine. */
export function createRouter(engine: Engine, names: NodeNames): Router {
  const over = (view: Engine) => routeFamilies(view, names).map((family) => waiting(view, names, family));
  const routes = over(engine).map((make) => make());
  return new Router(routes.flat(), guard(engine, routes, over));
}

/** Makes the routes of a family, each as it is carried out. */
function waiting(engine: Engine, names: NodeNames, family: RouteFamily): () => Route[] {
  return () => {
    const given = family.patient ? patient(family.routes) : family.routes;
    const routes = pooled(engine, names, given);
    return family.early ? routes : whenReady(engine, routes);
  };
}

const PATIENCE = ['timeout', 'master_timeout'];

/** The routes, those of changes refusing durations that are none. */
function patient(routes: readonly Route[]): Route[] {
  return routes.map(([methods, template, access, handler]): Route => {
    if (methods.includes('GET') || methods === 'HEAD') return [methods, template, access, handler];
    const checked = (request: RoutedRequest) => {
      for (const name of PATIENCE) millis(request.query, name);
      return handler(request);
    };
    return [methods, template, access, checked];
  });
}

/** The routes, each waiting for the shards of its indices to be open. */
function whenReady(engine: Engine, routes: readonly Route[]): Route[] {
  return routes.map(
    ([methods, template, access, handler]): Route => [
      methods,
      template,
      access,
      (request) =>
        engine.cluster.opening
          ? engine.ready(request.path.index).then(() => handler(request))
          : handler(request),
    ],
  );
}

/** The routes, each waiting for its turn, and measured. */
function pooled(engine: Engine, { meter }: NodeNames, routes: readonly Route[]): Route[] {
  const { pools } = engine;
  return routes.flatMap(([methods, template, access, handler]) =>
    methods.split('|').map((method): Route => {
      const pool = poolOf(method, template);
      const turns = pools.pool(pool);
      const answered = meter?.route(method, template, pool);
      const reads = isRead(method, access);
      const inTurn = async (request: RoutedRequest) => {
        const started = performance.now();
        const limit = reads ? request.limit.within(engine.readTimeout) : request.limit;
        try {
          const waiting = turns.enter();
          if (waiting !== undefined) await waiting;
          try {
            if (waiting !== undefined) limit.check();
            return await handler({ ...request, limit });
          } finally {
            turns.leave();
          }
        } finally {
          answered?.((performance.now() - started) / 1000);
        }
      };
      return [method, template, access, inTurn];
    }),
  );
}

/** Whether a route changes nothing: its time is bounded. Changes are carried out in slices, however long they take. */
function isRead(method: string, access: RouteAccess): boolean {
  return method === 'GET' || method === 'HEAD' || access === 'read';
}

/** The endpoints that are offered. */
export function offeredRoutes(engine: Engine, names: NodeNames): Route[] {
  return routeFamilies(engine, names).flatMap(({ routes }) => routes);
}
