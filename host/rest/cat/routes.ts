/** The compact tables for terminals. */
import { illegalArgument } from '../../errors.js';
import type { Engine } from '../../index/engine.js';
import type { NodeNames } from '../node.js';
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
  const tables: readonly (readonly [name: string, table: Table, part?: string, listed?: boolean])[] = [
    ['allocation', allocationTable(engine, names), 'nodes', false],
    ['shards', shardsTable(engine, names), 'index'],
    ['master', masterTable(engine, names)],
    ['nodes', nodesTable(engine, names)],
    ['indices', indicesTable(engine), 'index'],
    ['segments', segmentsTable(engine, names), 'index'],
    ['count', countTable(engine), 'index'],
    ['recovery', recoveryTable(engine, names), 'index'],
    ['health', healthTable(engine, names)],
    ['pending_tasks', pendingTasksTable],
    ['aliases', aliasesTable(engine), 'alias'],
    ['thread_pool', threadPoolTable(engine, names)],
    ['plugins', pluginsTable],
    ['fielddata', fielddataTable(engine, names), 'fields'],
  ];
  const list = tables
    .flatMap(([name, , part, listed = true]) => [
      `/_cat/${name}\n`,
      ...(part === undefined || !listed ? [] : [`/_cat/${name}/{${part}}\n`]),
    ])
    .join('');
  const routes: Route[] = [
    ['GET', '/_cat', () => text(200, `=^.^=\n${list}`)],
    [
      'GET',
      '/_cat/{table}',
      ({ path }) => Promise.reject(illegalArgument(`No feature for name [${path.table}]`)),
    ],
  ];
  for (const [name, table, part] of tables) {
    routes.push(['GET', `/_cat/${name}`, (request) => answerTable(table, request)]);
    if (part !== undefined)
      routes.push(['GET', `/_cat/${name}/{${part}}`, (request) => answerTable(table, request)]);
  }
  return routes;
}
