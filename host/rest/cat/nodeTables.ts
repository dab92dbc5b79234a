/** The tables about the cluster and its node: health, nodes, master, allocation, pools of threads and others. */
import type { Engine } from '../../engine/engine.js';
import { POOLS, type PoolName, type PoolStats } from '../../limits/threadPools.js';
import { wildcard } from '../../text/wildcard.js';
import { allCopies } from '../cluster/copyStats.js';
import { dataNodeCount, masterOf, nodeCount, nodesOf } from '../cluster/elsewhere.js';
import { healthOf } from '../cluster/health.js';
import { NO_PLATFORM, type NodeNames, SHORT_BUILD, WIRE_VERSION } from '../cluster/node.js';
import { indicesStats, isMeant } from '../cluster/nodes.js';
import { shardCopies } from '../cluster/shardCopies.js';
import { flag, type RoutedRequest } from '../request.js';
import { list } from '../search/searchCall.js';
import { clockCells, clockColumns } from './clock.js';
import { figureCells, statColumns } from './statColumns.js';
import { Bytes, type Column, column, type Row, type Table } from './table.js';

const right = { right: true };
const hidden = { hidden: true };
const hiddenRight = { right: true, hidden: true };

/** `_cat/health`. */
export function healthTable(engine: Engine, { cluster }: NodeNames): Table {
  return {
    columns: [
      ...clockColumns('seconds since 1970-01-01 00:00:00', 'ts,hms,hhmmss', 'time in HH:MM:SS'),
      column('cluster', 'cl', 'cluster name'),
      column('status', 'st', 'health status'),
      column('node.total', 'nt,nodeTotal', 'total number of nodes', right),
      column('node.data', 'nd,nodeData', 'number of nodes that can store data', right),
      column('shards', 't,sh,shards.total,shardsTotal', 'total number of shards', right),
      column('pri', 'p,shards.primary,shardsPrimary', 'number of primary shards', right),
      column('relo', 'r,shards.relocating,shardsRelocating', 'number of relocating nodes', right),
      column('init', 'i,shards.initializing,shardsInitializing', 'number of initializing nodes', right),
      column('unassign', 'u,shards.unassigned,shardsUnassigned', 'number of unassigned shards', right),
      column('pending_tasks', 'pt,pendingTasks', 'number of pending tasks', right),
    ],
    rows() {
      const each = engine.cluster
        .all()
        .filter(({ closed }) => !closed)
        .map((index) => healthOf(engine, index));
      const statuses = ['green', 'yellow', 'red'];
      const worst = Math.max(0, ...each.map(({ status }) => statuses.indexOf(status)));
      const sum = (of: 'active' | 'primaries' | 'unassigned' | 'relocating' | 'initializing') =>
        each.reduce((all, health) => all + health[of], 0);
      return [
        {
          ...clockCells(engine),
          cluster,
          status: statuses[worst],
          'node.total': nodeCount(engine),
          'node.data': dataNodeCount(engine),
          shards: sum('active'),
          pri: sum('primaries'),
          relo: sum('relocating'),
          init: sum('initializing'),
          unassign: sum('unassigned'),
          pending_tasks: 0,
        },
      ];
    },
  };
}

/** `_cat/master`. */
export function masterTable(engine: Engine, { node, platform = NO_PLATFORM }: NodeNames): Table {
  return {
    columns: [
      column('id', '', 'node id'),
      column('host', 'h', 'host name'),
      column('ip', '', 'ip address '),
      column('node', 'n', 'node name'),
    ],
    rows: () => {
      const id = masterOf(engine);
      const own = { id, host: platform.host, ip: platform.ip, node };
      const other =
        id === engine.nodeId ? undefined : engine.replication?.nodes.all.find((each) => each.id === id);
      if (other === undefined) return [own];
      const host = other.http.replace(/:\d+$/, '');
      return [{ id, host, ip: host, node: other.name }];
    },
  };
}

/** `_cat/nodes`. */
export function nodesTable(engine: Engine, { node, platform = NO_PLATFORM }: NodeNames): Table {
  return {
    columns: [
      column('id', 'id,nodeId', 'unique node id', hidden),
      column('pid', 'p', 'process id', hidden),
      column('host', 'h', 'host name'),
      column('ip', 'i', 'ip address'),
      column('port', 'po', 'bound transport port', hidden),
      column('version', 'v', 'es version', hidden),
      column('build', 'b', 'es build hash', hidden),
      column('jdk', 'j', 'jdk version', hidden),
      column('disk.avail', 'd,disk,diskAvail', 'available disk space', hiddenRight),
      column('heap.current', 'hc,heapCurrent', 'used heap', hiddenRight),
      column('heap.percent', 'hp,heapPercent', 'used heap ratio', right),
      column('heap.max', 'hm,heapMax', 'max configured heap', hiddenRight),
      column('ram.current', 'rc,ramCurrent', 'used machine memory', hiddenRight),
      column('ram.percent', 'rp,ramPercent', 'used machine memory ratio', right),
      column('ram.max', 'rm,ramMax', 'total machine memory', hiddenRight),
      column('file_desc.current', 'fdc,fileDescriptorCurrent', 'used file descriptors', hiddenRight),
      column('file_desc.percent', 'fdp,fileDescriptorPercent', 'used file descriptor ratio', hiddenRight),
      column('file_desc.max', 'fdm,fileDescriptorMax', 'max file descriptors', hiddenRight),
      column('load', 'l', 'most recent load avg', right),
      column('uptime', 'u', 'node uptime', hiddenRight),
      column('node.role', 'r,role,dc,nodeRole', 'd:data node, c:client node'),
      column('master', 'm', 'm:master-eligible, *:current master'),
      column('name', 'n', 'node name'),
      ...statColumns('warmer'),
    ],
    elsewhere: () => '/_cat/nodes',
    async rows({ query }) {
      const memory = platform.memory();
      const percent = (part: number, all: number) => (all === 0 ? 0 : Math.round((100 * part) / all));
      const used = memory.total - memory.free;
      const disk = platform.disk();
      const files = platform.openFiles();
      const maxFiles = platform.maxFiles();
      return [
        {
          id: shownId(engine, query),
          pid: platform.pid,
          host: platform.host,
          ip: platform.ip,
          port: 9300,
          version: WIRE_VERSION,
          build: SHORT_BUILD,
          jdk: platform.runtime.version,
          'disk.avail': disk === undefined ? undefined : new Bytes(disk.available),
          'heap.current': new Bytes(memory.heapUsed),
          'heap.percent': percent(memory.heapUsed, memory.heapMax),
          'heap.max': new Bytes(memory.heapMax),
          'ram.current': new Bytes(used),
          'ram.percent': percent(used, memory.total),
          'ram.max': new Bytes(memory.total),
          'file_desc.current': files,
          'file_desc.percent': maxFiles <= 0 ? 0 : Math.trunc((100 * files) / maxFiles),
          'file_desc.max': maxFiles,
          load: platform.load()[0]?.toFixed(2),
          uptime: uptimeText(platform.uptime().process),
          'node.role': engine.replication?.hasData === false ? 'c' : 'd',
          master: masterOf(engine) === engine.nodeId ? '*' : 'm',
          name: node,
          ...figureCells(await indicesStats(engine)),
        },
      ];
    },
  };
}

/** `2.5h`. */
function uptimeText(seconds: number): string {
  const [unit, size] =
    seconds >= 86_400 ? ['d', 86_400] : seconds >= 3600 ? ['h', 3600] : seconds >= 60 ? ['m', 60] : ['s', 1];
  return `${Math.trunc((seconds / (size as number)) * 10) / 10}${unit}`;
}

/** `_cat/allocation`. */
export function allocationTable(engine: Engine, { node, platform = NO_PLATFORM }: NodeNames): Table {
  return {
    columns: [
      column('shards', 's', 'number of shards on node', right),
      column('disk.used', 'du,diskUsed', 'disk used (total, not just ES)', right),
      column('disk.avail', 'da,diskAvail', 'disk available', right),
      column('disk.total', 'dt,diskTotal', 'total capacity of all volumes', right),
      column('disk.percent', 'dp,diskPercent', 'percent disk used', right),
      column('host', 'h', 'host of node'),
      column('ip', '', 'ip of node'),
      column('node', 'n', 'name of node'),
    ],
    elsewhere: ({ path }) => `/_cat/allocation/${path.nodes ?? ''}`.replace(/\/$/, ''),
    rows(request) {
      const { path } = request;
      const each = engine.cluster
        .all()
        .filter(({ closed }) => !closed)
        .map((index) => healthOf(engine, index));
      const active = engine.cluster
        .all()
        .filter(({ closed }) => !closed)
        .flatMap((index) => index.shards.flatMap(({ number }) => shardCopies(engine, index, number)))
        .filter((copy) => copy.node === engine.nodeId).length;
      const isAsked = request.node.isAsked === true;
      const waiting = isAsked ? 0 : each.reduce((all, health) => all + health.unassigned, 0);
      const disk = platform.disk();
      const used = disk === undefined ? undefined : disk.total - disk.available;
      const own: Row = {
        shards: active,
        'disk.used': used === undefined ? undefined : new Bytes(used),
        'disk.avail': disk === undefined ? undefined : new Bytes(disk.available),
        'disk.total': disk === undefined ? undefined : new Bytes(disk.total),
        'disk.percent': used === undefined ? undefined : Math.floor((100 * used) / disk!.total),
        host: platform.host,
        ip: platform.ip,
        node,
      };
      // Nodes without data have nothing to tell unless they are named.
      const here = isMeant(engine, request.node, path.nodes ?? 'data:true');
      return [...(here ? [own] : []), ...(waiting > 0 ? [{ shards: waiting, node: 'UNASSIGNED' }] : [])];
    },
  };
}

const PREFIXES: Record<PoolName, string> = {
  bulk: 'b',
  flush: 'f',
  generic: 'ge',
  get: 'g',
  index: 'i',
  management: 'ma',
  merge: 'm',
  optimize: 'o',
  percolate: 'p',
  refresh: 'r',
  search: 's',
  snapshot: 'sn',
  suggest: 'su',
  warmer: 'w',
};

/** What is told of a pool: name, end of the alias, the words around its name, its value. */
const POOL_STATS: readonly (readonly [
  string,
  string,
  (pool: string) => string,
  (stats: PoolStats) => string | number | undefined,
])[] = [
  ['type', 't', (pool) => `${pool} thread pool type`, () => 'fixed'],
  ['active', 'a', (pool) => `number of active ${pool} threads`, ({ active }) => active],
  ['size', 's', (pool) => `number of ${pool} threads`, ({ size }) => size],
  ['queue', 'q', (pool) => `number of ${pool} threads in queue`, ({ queue }) => queue],
  [
    'queueSize',
    'qs',
    (pool) => `maximum number of ${pool} threads in queue`,
    ({ queueSize }) => (queueSize < 0 ? undefined : queueSize),
  ],
  ['rejected', 'r', (pool) => `number of rejected ${pool} threads`, ({ rejected }) => rejected],
  ['largest', 'l', (pool) => `highest number of seen active ${pool} threads`, ({ largest }) => largest],
  ['completed', 'c', (pool) => `number of completed ${pool} threads`, ({ completed }) => completed],
  ['min', 'mi', (pool) => `minimum number of ${pool} threads`, ({ size }) => size],
  ['max', 'ma', (pool) => `maximum number of ${pool} threads`, ({ size }) => size],
  ['keepAlive', 'k', (pool) => `${pool} thread keep alive time`, () => undefined],
];

/** `_cat/thread_pool`. */
export function threadPoolTable(engine: Engine, { platform = NO_PLATFORM }: NodeNames): Table {
  const shown = (pool: string, stat: string) =>
    ['bulk', 'index', 'search'].includes(pool) && ['active', 'queue', 'rejected'].includes(stat);
  const pools = POOLS.flatMap((pool) =>
    POOL_STATS.map(
      ([stat, end, words]): Column =>
        column(`${pool}.${stat}`, `${PREFIXES[pool]}${end}`, words(pool), {
          ...(stat === 'type' || stat === 'keepAlive' ? {} : right),
          ...(shown(pool, stat) ? {} : hidden),
        }),
    ),
  );
  return {
    columns: [
      column('id', 'nodeId', 'unique node id', hidden),
      column('pid', 'p', 'process id', hidden),
      column('host', 'h', 'host name'),
      column('ip', 'i', 'ip address'),
      column('port', 'po', 'bound transport port', hidden),
      ...pools,
    ],
    elsewhere: () => '/_cat/thread_pool',
    rows: ({ query }) => [
      {
        id: shownId(engine, query),
        pid: platform.pid,
        host: platform.host,
        ip: platform.ip,
        port: 9300,
        ...Object.fromEntries(
          POOLS.flatMap((pool) =>
            POOL_STATS.map(([stat, , , value]) => [`${pool}.${stat}`, value(engine.pools.stats(pool))]),
          ),
        ),
      },
    ],
  };
}

/** `_cat/fielddata`. */
export function fielddataTable(engine: Engine, names: NodeNames): Table {
  const { platform = NO_PLATFORM } = names;
  /** Bytes of the copies on each node, by field. */
  const read = async (): Promise<Map<string, Map<string, number>>> => {
    const nodes = new Map(nodesOf(engine, names).map(({ id }) => [id, new Map<string, number>()]));
    const open = engine.cluster.all().filter(({ closed }) => !closed);
    for (const { copies } of await allCopies(engine, open))
      for (const { node, stats } of copies)
        for (const [field, bytes] of stats?.fielddata ?? []) {
          const sizes = nodes.get(node);
          sizes?.set(field, (sizes.get(field) ?? 0) + bytes);
        }
    return nodes;
  };
  // The columns are asked for before the rows.
  let sizes: Promise<Map<string, Map<string, number>>> | undefined;
  return {
    columns: [
      column('id', '', 'node id'),
      column('host', 'h', 'host name'),
      column('ip', '', 'ip address'),
      column('node', 'n', 'node name'),
      column('total', '', 'total field data usage', right),
    ],
    async more(request) {
      sizes ??= read();
      const asked = fieldsOf(request);
      const tests = asked.map(wildcard);
      const fields = new Set([...(await sizes).values()].flatMap((each) => [...each.keys()]));
      return [...fields]
        .filter((field) => tests.length === 0 || tests.some((test) => test(field)))
        .map((field) => column(field, '', '', right));
    },
    async rows() {
      sizes ??= read();
      const found = await sizes;
      return nodesOf(engine, names).map(({ id, name, http }): Row => {
        const isOwn = id === engine.nodeId;
        const host = http.replace(/:\d+$/, '');
        const fields = [...(found.get(id) ?? [])];
        return {
          id,
          host: isOwn ? platform.host : host,
          ip: isOwn ? platform.ip : host,
          node: name,
          total: new Bytes(fields.reduce((sum, [, size]) => sum + size, 0)),
          ...Object.fromEntries(fields.map(([field, size]) => [field, new Bytes(size)])),
        };
      });
    },
  };
}

function fieldsOf({ path, query }: RoutedRequest): string[] {
  return list(path.fields ?? query.get('fields'));
}

/** `_cat/pending_tasks`. */
export const pendingTasksTable: Table = {
  columns: [
    column('insertOrder', 'o', 'task insertion order', right),
    column('timeInQueue', 't', 'how long task has been in queue', right),
    column('priority', 'p', 'task priority'),
    column('source', 's', 'task source'),
  ],
  rows: () => [],
};

/** `_cat/plugins`. */
export function pluginsTable(engine: Engine, { node, plugins = [] }: NodeNames): Table {
  return {
    columns: [
      column('id', '', 'unique node id', hidden),
      column('name', 'n', 'node name'),
      column('component', 'c', 'component'),
      column('version', 'v', 'component version'),
      column('type', 't', 'type (j for JVM, s for Site)'),
      column('url', 'u', 'url for site plugins'),
      column('description', 'd', 'plugin details', hidden),
    ],
    elsewhere: () => '/_cat/plugins',
    rows: ({ query }) =>
      plugins.map(({ name, version, description, url }) => ({
        id: shownId(engine, query),
        name: node,
        component: name,
        version,
        type: 's',
        url,
        description,
      })),
  };
}

/** Enough of an id to tell nodes apart, or all of it on request. */
function shownId({ nodeId }: Engine, query: ReadonlyMap<string, string>): string {
  return flag(query, 'full_id') ? nodeId : nodeId.slice(0, 4);
}
