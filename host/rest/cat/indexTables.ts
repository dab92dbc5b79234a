/** The tables about indices: indices, shards, segments, recoveries, aliases, counts. */
import { countDocuments } from '../../engine/counting.js';
import type { Engine } from '../../engine/engine.js';
import { total } from '../../engine/stats.js';
import { METADATA_CALL, nameOptions } from '../../metadata/names.js';
import type { OpenIndex } from '../../metadata/openIndex.js';
import { wildcard } from '../../text/wildcard.js';
import { isFalse } from '../../numbers/javaBooleans.js';
import { bodyText } from '../body.js';
import { allCopies } from '../cluster/copyStats.js';
import type { ShardCopy } from '../../replication/shardCopies.js';
import { shardCopies } from '../cluster/shardCopies.js';
import { nodesOf } from '../cluster/elsewhere.js';
import { healthOf, unassignedSince } from '../cluster/health.js';
import { memoryOf, metricsOf } from '../cluster/metrics.js';
import { allRecoveries, percent } from '../cluster/recoveries.js';
import { NO_PLATFORM, type NodeNames } from '../cluster/node.js';
import { flag, type RoutedRequest } from '../request.js';
import { queryString, readBody, readPlace } from '../search/searchCall.js';
import { readStats } from '../indices/statistics.js';
import { clockCells, clockColumns } from './clock.js';
import { figureCells, statColumns } from './statColumns.js';
import { Bytes, type Column, column, Millis, type Row, type Table } from './table.js';

const right = { right: true };
const hidden = { right: true, hidden: true };

/** What the columns of primaries say of themselves where the others say something else. */
const OF_PRIMARIES: Record<string, string> = {
  'store.size': 'store size of primaries',
  'memory.total': 'total user memory',
};

/** `_cat/indices`. */
export function indicesTable(engine: Engine): Table {
  const twins = [
    column('store.size', 'ss,storeSize', 'store size of primaries & replicas', right),
    ...statColumns().map((each) => ({
      ...each,
      description: each.description.replace(/ counts$/, ' count'),
    })),
    column('memory.total', 'tm,memoryTotal', 'total used memory', hidden),
  ];
  return {
    columns: [
      column('health', 'h', 'current health status'),
      column('status', 's', 'open/close status'),
      column('index', 'i,idx', 'index name'),
      column('pri', 'p,shards.primary,shardsPrimary', 'number of primary shards', right),
      column('rep', 'r,shards.replica,shardsReplica', 'number of replica shards', right),
      column('docs.count', 'dc,docsCount', 'available docs', right),
      column('docs.deleted', 'dd,docsDeleted', 'deleted docs', right),
      ...twins.flatMap((each): Column[] => {
        const { alias: _, ...rest } = each;
        const description = OF_PRIMARIES[each.name] ?? each.description;
        return [
          { ...each, sibling: 'pri' },
          { ...rest, name: `pri.${each.name}`, description },
        ];
      }),
    ],
    async rows({ path, query }) {
      const indices = engine.resolve(path.index, nameOptions(query, { expandClosed: true }), 'metadata_read');
      const all = await allCopies(engine, indices);
      return all.map(({ index, primaries, sum }): Row => {
        if (index.closed) return { status: 'close', index: index.name };
        return {
          health: healthOf(engine, index).status,
          status: 'open',
          index: index.name,
          pri: index.shards.length,
          rep: index.metadata.settings.replicas,
          'docs.count': primaries.documents,
          'docs.deleted': primaries.deleted,
          'store.size': new Bytes(sum.storeBytes),
          'pri.store.size': new Bytes(primaries.storeBytes),
          ...figureCells(metricsOf(sum)),
          ...figureCells(metricsOf(primaries), 'pri.'),
          'memory.total': new Bytes(memoryOf(sum)),
          'pri.memory.total': new Bytes(memoryOf(primaries)),
        };
      });
    },
  };
}

/** The path of a table of these indices; undefined for none. */
function ofNames(table: string, indices: readonly OpenIndex[]): string | undefined {
  const names = indices.map(({ name }) => encodeURIComponent(name)).join(',');
  return names === '' ? undefined : `/_cat/${table}/${names}`;
}

/** `_cat/shards`. */
export function shardsTable(engine: Engine, { node, platform = NO_PLATFORM }: NodeNames): Table {
  const shownShards = ({ path, query }: RoutedRequest): OpenIndex[] => {
    const options = { ...nameOptions(query, METADATA_CALL), ignoreUnavailable: true };
    return engine.resolve(path.index, options, 'metadata_read').filter(({ closed }) => !closed);
  };
  return {
    columns: [
      column('index', 'i,idx', 'index name'),
      column('shard', 's,sh', 'shard name'),
      column('prirep', 'p,pr,primaryOrReplica', 'primary or replica'),
      column('state', 'st', 'shard state'),
      column('docs', 'd,dc', 'number of docs in shard', right),
      column('store', 'sto', 'store size of shard (how much disk it uses)', right),
      column('ip', '', 'ip of node where it lives'),
      column('id', '', 'unique id of node where it lives', { hidden: true }),
      column('node', 'n', 'name of node where it lives'),
      column('unassigned.reason', 'ur', 'reason shard is unassigned', { hidden: true }),
      column('unassigned.at', 'ua', 'time shard became unassigned (UTC)', { hidden: true }),
      column('unassigned.for', 'uf', 'time has been unassigned', hidden),
      column('unassigned.details', 'ud', 'additional details as to why the shard became unassigned', {
        hidden: true,
      }),
      ...statColumns('query_cache', 'suggest'),
    ],
    elsewhere: (request) => ofNames('shards', shownShards(request)),
    async rows(request) {
      const { node: names } = request;
      const indices = shownShards(request);
      const all = await Promise.all(indices.map((index) => readStats(engine, index)));
      const fetches = engine.replication?.copies.progress ?? [];
      return all.flatMap(({ index, shards: told }) => {
        const statsOf = new Map(told.map(({ shard, stats }) => [shard.number, stats]));
        return index.shards.flatMap((shard): Row[] => {
          const stats = statsOf.get(shard.number);
          const at = { index: index.name, shard: shard.number };
          const copies = shardCopies(engine, index, shard.number);
          const here = copies.find((copy) => copy.node === engine.nodeId);
          const own = stats ?? total([]);
          const fetch = fetches.find(({ uuid, shard: of }) => uuid === index.uuid && of === shard.number);
          const coming =
            fetch === undefined ? undefined : new Bytes(fetch.files.copiedBytes + fetch.rows.copiedBytes);
          const held: Row = {
            ...at,
            prirep: here?.primary === true ? 'p' : 'r',
            state: here?.state ?? (shard.opening ? 'INITIALIZING' : 'STARTED'),
            // A copy that is being made has no documents yet, but what has come of it.
            docs: shard.isHeld ? own.documents : undefined,
            store: shard.isHeld ? new Bytes(own.storeBytes) : coming,
            ip: platform.ip,
            id: engine.nodeId,
            node: `${node}${targetText(engine, names, here)}`,
            ...figureCells(metricsOf(own)),
          };
          const { flat } = index.metadata.settings;
          const shadow = !isFalse(flat['index.shadow_replicas'] ?? 'false');
          const nowhere = (copy: ShardCopy): Row => {
            const { reason, at: since, details } = unassignedSince(engine, index, copy);
            return {
              ...at,
              prirep: copy.primary ? 'p' : shadow ? 's' : 'r',
              state: 'UNASSIGNED',
              'unassigned.reason': reason,
              'unassigned.at': new Date(since).toISOString(),
              'unassigned.for': new Millis(engine.now() - since),
              'unassigned.details': details,
            };
          };
          const rows = here === undefined ? [] : [held];
          // Each node tells of its own.
          if (names.isAsked !== true)
            for (const copy of copies) if (copy.state === 'UNASSIGNED') rows.push(nowhere(copy));
          return rows;
        });
      });
    },
  };
}

/** Where a copy is going, as the table of shards shows it: ` -> 10.0.0.3 three`. */
function targetText(engine: Engine, names: NodeNames, copy: ShardCopy | undefined): string {
  const target = nodesOf(engine, names).find(({ id }) => id === copy?.relocatingNode);
  return target === undefined ? '' : ` -> ${target.http.replace(/:\d+$/, '')} ${target.name}`;
}

/** `_cat/segments`. */
export function segmentsTable(engine: Engine, names: NodeNames): Table {
  const { platform = NO_PLATFORM } = names;
  return {
    columns: [
      column('index', 'i,idx', 'index name'),
      column('shard', 's,sh', 'shard name'),
      column('prirep', 'p,pr,primaryOrReplica', 'primary or replica'),
      column('ip', '', 'ip of node where it lives'),
      column('id', '', 'unique id of node where it lives', { hidden: true }),
      column('segment', 'seg', 'segment name'),
      column('generation', 'g,gen', 'segment generation', right),
      column('docs.count', 'dc,docsCount', 'number of docs in segment', right),
      column('docs.deleted', 'dd,docsDeleted', 'number of deleted docs in segment', right),
      column('size', 'si', 'segment size in bytes', right),
      column('size.memory', 'sm,sizeMemory', 'segment memory in bytes', right),
      column('committed', 'ic,isCommitted', 'is segment committed'),
      column('searchable', 'is,isSearchable', 'is segment searched'),
      column('version', 'v,ver', 'version'),
      column('compound', 'ico,isCompound', 'is segment compound'),
    ],
    async rows({ path, query }) {
      const indices = engine.resolve(path.index, nameOptions(query, { forbidClosed: true }), 'metadata_read');
      const all = await allCopies(engine, indices);
      const addresses = new Map(
        nodesOf(engine, names).map(({ id, http }) => [id, http.replace(/:\d+$/, '')]),
      );
      return all.flatMap(({ index, copies }) =>
        copies.flatMap(({ number, node, isPrimary, stats }) =>
          (stats?.segments ?? []).map(
            ({ id, documents, deleted, bytes }): Row => ({
              index: index.name,
              shard: number,
              prirep: isPrimary ? 'p' : 'r',
              ip: node === engine.nodeId ? platform.ip : addresses.get(node),
              id: node,
              segment: `_${(id - 1).toString(36)}`,
              generation: id - 1,
              'docs.count': documents,
              'docs.deleted': deleted,
              size: new Bytes(bytes),
              'size.memory': bytes,
              committed: String(stats?.uncheckpointed === 0),
              searchable: 'true',
              version: '4.10.4',
              compound: 'true',
            }),
          ),
        ),
      );
    },
  };
}

/** `_cat/recovery`. */
export function recoveryTable(engine: Engine, names: NodeNames): Table {
  return {
    columns: [
      column('index', 'i,idx', 'index name'),
      column('shard', 's,sh', 'shard name'),
      column('time', 't,ti', 'recovery time'),
      column('type', 'ty', 'recovery type'),
      column('stage', 'st', 'recovery stage'),
      column('source_host', 'shost', 'source host'),
      column('target_host', 'thost', 'target host'),
      column('repository', 'rep', 'repository'),
      column('snapshot', 'snap', 'snapshot'),
      column('files', 'f', 'number of files to recover'),
      column('files_percent', 'fp', 'percent of files recovered'),
      column('bytes', 'b', 'size to recover in bytes'),
      column('bytes_percent', 'bp', 'percent of bytes recovered'),
      column('total_files', 'tf', 'total number of files'),
      column('total_bytes', 'tb', 'total number of bytes'),
      column('translog', 'tr', 'translog operations recovered'),
      column('translog_percent', 'trp', 'percent of translog recovery'),
      column('total_translog', 'trt', 'current total translog operations'),
    ],
    async rows({ path, query }) {
      const indices = engine.resolve(path.index, nameOptions(query, { forbidClosed: true }), 'metadata_read');
      const isActive = flag(query, 'active_only');
      const all = await allRecoveries(engine, names, indices);
      return all.flatMap(({ index, recoveries }) =>
        recoveries
          .filter(({ stage }) => stage !== 'DONE' || !isActive)
          .map(({ shard, ms, type, stage, source, target, files, bytes, operations }): Row => {
            const ofBytes = percent(bytes.reused + bytes.recovered, bytes.total, '0.0%');
            return {
              index: index.name,
              shard,
              time: ms,
              type: type.toLowerCase(),
              stage: stage.toLowerCase(),
              source_host: String(source.host ?? target.host),
              target_host: String(target.host),
              repository: String(source.repository ?? 'n/a'),
              snapshot: String(source.snapshot ?? 'n/a'),
              files: files.total - files.reused,
              files_percent: percent(files.reused + files.recovered, files.total, '0.0%'),
              bytes: bytes.total - bytes.reused,
              bytes_percent: ofBytes,
              total_files: files.total,
              total_bytes: bytes.total,
              translog: operations.recovered,
              translog_percent: percent(operations.recovered, operations.total, '100.0%'),
              total_translog: operations.total,
            };
          }),
      );
    },
  };
}

/** `_cat/aliases`. */
export function aliasesTable(engine: Engine): Table {
  return {
    columns: [
      column('alias', 'a', 'alias name'),
      column('index', 'i,idx', 'index alias points to'),
      column('filter', 'f,fi', 'filter'),
      column('routing.index', 'ri,routingIndex', 'index routing'),
      column('routing.search', 'rs,routingSearch', 'search routing'),
    ],
    rows({ path }) {
      const tests = path.alias === undefined ? undefined : path.alias.split(',').map(wildcard);
      return engine.cluster.all().flatMap(({ name, aliases }) =>
        Object.entries(aliases)
          .filter(([alias]) => tests === undefined || tests.some((test) => test(alias)))
          .map(
            ([alias, { filter, indexRouting, searchRouting }]): Row => ({
              alias,
              index: name,
              filter: filter === undefined ? '-' : '*',
              'routing.index': indexRouting ?? '-',
              'routing.search': searchRouting ?? '-',
            }),
          ),
      );
    },
  };
}

/** `_cat/count`. */
export function countTable(engine: Engine): Table {
  return {
    columns: [
      ...clockColumns(
        'seconds since 1970-01-01 00:00:00, that the count was executed',
        'ts,hms',
        'time that the count was executed',
      ),
      column('count', 'dc,docs.count,docsCount', 'the document count'),
    ],
    async rows(request) {
      const { index, names, types, routing } = readPlace(request.path, request.query);
      const text = bodyText(request);
      const query = text === '' ? queryString(request.query) : undefined;
      const body = query === undefined ? readBody(text, {}, request.read) : { body: { query } };
      const targets = engine.targets(index, routing, { ...names, keepsFilters: true });
      const { count } = await countDocuments(engine, targets, body, types, request.limit);
      return [{ ...clockCells(engine), count }];
    },
  };
}
