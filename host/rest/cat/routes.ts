/** The compact tables for terminals. */

import type { Engine } from '../../engine/engine.js';
import { illegalArgument } from '../../errors.js';
import type { Privilege } from '../../security/grants.js';
import type { NodeNames } from '../cluster/node.js';
import { type Endpoint, type EndpointGroup, INDICES_OPTIONS, QUERY_STRING } from '../endpoint.js';
import { text } from '../request.js';
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

/** A table: what its rows are, and of what part of its path. */
interface Shown {
  name: string;
  privilege: Privilege;
  table: (engine: Engine, node: NodeNames) => Table;
  part?: string;
  /** Whether `GET /_cat` lists it with its part. */
  listed?: false;
  parameters?: readonly string[];
}

const TABLES: readonly Shown[] = [
  { name: 'allocation', privilege: 'cluster:monitor', table: allocationTable, part: 'nodes', listed: false },
  { name: 'shards', privilege: 'metadata', table: shardsTable, part: 'index', parameters: INDICES_OPTIONS },
  { name: 'master', privilege: 'cluster:monitor', table: masterTable },
  { name: 'nodes', privilege: 'cluster:monitor', table: nodesTable, parameters: ['full_id'] },
  {
    name: 'indices',
    privilege: 'metadata',
    table: indicesTable,
    part: 'index',
    parameters: ['pri', ...INDICES_OPTIONS],
  },
  {
    name: 'segments',
    privilege: 'metadata',
    table: segmentsTable,
    part: 'index',
    parameters: INDICES_OPTIONS,
  },
  {
    name: 'count',
    privilege: 'read',
    table: countTable,
    part: 'index',
    parameters: [...QUERY_STRING, 'routing', 'preference', 'search_type', 'scroll', ...INDICES_OPTIONS],
  },
  {
    name: 'recovery',
    privilege: 'metadata',
    table: recoveryTable,
    part: 'index',
    parameters: ['active_only', ...INDICES_OPTIONS],
  },
  { name: 'health', privilege: 'metadata', table: healthTable },
  { name: 'pending_tasks', privilege: 'cluster:monitor', table: () => pendingTasksTable },
  { name: 'aliases', privilege: 'metadata', table: aliasesTable, part: 'alias' },
  { name: 'thread_pool', privilege: 'cluster:monitor', table: threadPoolTable, parameters: ['full_id'] },
  { name: 'plugins', privilege: 'cluster:monitor', table: pluginsTable, parameters: ['full_id'] },
  {
    name: 'fielddata',
    privilege: 'cluster:monitor',
    table: fielddataTable,
    part: 'fields',
    parameters: ['fields'],
  },
];

const CAT = {
  methods: ['GET'],
  action: 'cluster:monitor/cat',
  counted: true,
  pool: 'management',
  ignored: ['ts', 'local', 'master_timeout'],
  readOnly: true,
  duringRecovery: true,
} as const;

export const catEndpoints: EndpointGroup = {
  name: 'Tables',
  purpose: 'The same for terminals.',
  tag: 'common',
  endpoints: [
    {
      ...CAT,
      paths: ['/_cat'],
      privilege: 'authenticated',
      parameters: ['help'],
      handler: () => text(200, `=^.^=\n${listOfTables()}`),
    },
    {
      ...CAT,
      paths: ['/_cat/{table}'],
      privilege: 'authenticated',
      parameters: [],
      handler: (_, { path }) => Promise.reject(illegalArgument(`No feature for name [${path.table}]`)),
    },
    ...TABLES.map(
      ({ name, privilege, table, part, parameters = [] }): Endpoint => ({
        ...CAT,
        paths: [`/_cat/${name}`, ...(part === undefined ? [] : [`/_cat/${name}/{${part}}`])],
        privilege,
        parameters: ['v', 'h', 'help', 'bytes', 'time', ...parameters],
        handler: (engine, request) => answerTable(engine, table(engine, request.node), request),
      }),
    ),
  ],
};

function listOfTables(): string {
  return TABLES.flatMap(({ name, part, listed = true }) => [
    `/_cat/${name}\n`,
    ...(part === undefined || !listed ? [] : [`/_cat/${name}/{${part}}\n`]),
  ]).join('');
}
