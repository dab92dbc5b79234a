/** The compact tables for terminals. */
import { illegalArgument } from '../../errors.js';
import type { RouteAccess } from '../../security/grants.js';
import type { Engine } from '../../engine/engine.js';
import type { NodeNames } from '../cluster/node.js';
import { text } from '../request.js';
import type { Route } from '../router.js';
import {
  aliasesTable,
  countTable,
  indicesTable,
  recoveryTable,
  segmentsTable,
  shardsTable,
} from './indexTables.js';
import {
  allocationTable,
  fielddataTable,
  healthTable,
  masterTable,
  nodesTable,
  pendingTasksTable,
  pluginsTable,
  threadPoolTable,
} from './nodeTables.js';
import { answerTable, type Table } from './table.js';

/** The routes of this family. */
export function catRoutes(engine: Engine, names: NodeNames): Route[] {
  type Entry = readonly [name: string, access: RouteAccess, table: Table, part?: string, listed?: boolean];
  const tables: readonly Entry[] = [
    ['allocation', 'monitor', allocationTable(engine, names), 'nodes', false],
    ['shards', 'look', shardsTable(engine, names), 'index'],
    ['master', 'monitor', masterTable(engine, names)],
    ['nodes', 'monitor', nodesTable(engine, names)],
    ['indices', 'look', indicesTable(engine), 'index'],
    ['segments', 'look', segmentsTable(engine, names), 'index'],
    ['count', 'read', countTable(engine), 'index'],
    ['recovery', 'look', recoveryTable(engine, names), 'index'],
    ['health', 'look', healthTable(engine, names)],
    ['pending_tasks', 'monitor', pendingTasksTable],
    ['aliases', 'look', aliasesTable(engine), 'alias'],
    ['thread_pool', 'monitor', threadPoolTable(engine, names)],
    ['plugins', 'monitor', pluginsTable],
    ['fielddata', 'monitor', fielddataTable(engine, names), 'fields'],
  ];
  const list = tables
    .flatMap(([name, , , part, listed = true]) => [
      `/_cat/${name}\n`,
      ...(part === undefined || !listed ? [] : [`/_cat/${name}/{${part}}\n`]),
    ])
    .join('');
  const routes: Route[] = [
    ['GET', '/_cat', 'known', () => text(200, `=^.^=\n${list}`)],
    [
      'GET',
      '/_cat/{table}',
      'known',
      ({ path }) => Promise.reject(illegalArgument(`No feature for name [${path.table}]`)),
    ],
  ];
  for (const [name, access, table, part] of tables) {
    routes.push(['GET', `/_cat/${name}`, access, (request) => answerTable(table, request)]);
    if (part !== undefined)
      routes.push(['GET', `/_cat/${name}/{${part}}`, access, (request) => answerTable(table, request)]);
  }
  return routes;
}
