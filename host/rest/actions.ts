/** What a route does, by the names that 1.7 has for actions. */
import type { RouteAccess } from '../security/grants.js';

/** By the last fixed part of the path; of those that do different things with different methods, what reads. */
const BY_PATH: Readonly<Record<string, string>> = {
  _search: 'indices:data/read/search',
  template: 'indices:data/read/search',
  exists: 'indices:data/read/exists',
  _msearch: 'indices:data/read/msearch',
  _count: 'indices:data/read/count',
  _mget: 'indices:data/read/mget',
  _source: 'indices:data/read/get',
  _explain: 'indices:data/read/explain',
  _mlt: 'indices:data/read/mlt',
  _suggest: 'indices:data/read/suggest',
  _percolate: 'indices:data/read/percolate',
  _mpercolate: 'indices:data/read/mpercolate',
  _termvector: 'indices:data/read/tv',
  _mtermvectors: 'indices:data/read/mtv',
  _field_stats: 'indices:data/read/field_stats',
  scroll: 'indices:data/read/scroll',
  query: 'indices:admin/validate/query',
  _analyze: 'indices:admin/analyze',
  _search_shards: 'indices:admin/shards/search_shards',
  _bulk: 'indices:data/write/bulk',
  _update: 'indices:data/write/update',
  _create: 'indices:data/write/index',
  _query: 'indices:data/write/delete/by_query',
  _refresh: 'indices:admin/refresh',
  _flush: 'indices:admin/flush',
  synced: 'indices:admin/flush',
  _optimize: 'indices:admin/optimize',
  _upgrade: 'indices:admin/upgrade',
  clear: 'indices:admin/cache/clear',
  _open: 'indices:admin/open',
  _close: 'indices:admin/close',
  _stats: 'indices:monitor/stats',
  _segments: 'indices:monitor/segments',
  _status: 'indices:monitor/status',
  _recovery: 'indices:monitor/recovery',
};

/** What changes something, and what shows it. */
const BY_FAMILY: Readonly<Record<string, readonly [change: string, show: string]>> = {
  _alias: ['indices:admin/aliases', 'indices:admin/aliases/get'],
  _aliases: ['indices:admin/aliases', 'indices:admin/aliases/get'],
  _mapping: ['indices:admin/mapping/put', 'indices:admin/mappings/get'],
  _mappings: ['indices:admin/mapping/put', 'indices:admin/mappings/get'],
  field: ['indices:admin/mapping/put', 'indices:admin/mappings/fields/get'],
  _settings: ['indices:admin/settings/update', 'indices:monitor/settings/get'],
  _warmer: ['indices:admin/warmers/put', 'indices:admin/warmers/get'],
  _warmers: ['indices:admin/warmers/put', 'indices:admin/warmers/get'],
  _template: ['indices:admin/template/put', 'indices:admin/template/get'],
  _snapshot: ['cluster:admin/snapshot', 'cluster:admin/snapshot/get'],
  _scripts: ['indices:data/write/script/put', 'indices:data/read/script/get'],
  _nodes: ['cluster:monitor/nodes', 'cluster:monitor/nodes'],
  _cat: ['cluster:monitor/cat', 'cluster:monitor/cat'],
  state: ['cluster:monitor/state', 'cluster:monitor/state'],
  health: ['cluster:monitor/health', 'cluster:monitor/health'],
  settings: ['cluster:admin/settings/update', 'cluster:monitor/state'],
  reroute: ['cluster:admin/reroute', 'cluster:admin/reroute'],
};

/** Where the path has no fixed part: an index or a document. */
const BY_METHOD: Readonly<Record<RouteAccess, Readonly<Record<string, string>>>> = {
  read: { '': 'indices:data/read/get' },
  write: { '': 'indices:data/write/index', DELETE: 'indices:data/write/delete' },
  manage: {
    '': 'indices:admin/create',
    DELETE: 'indices:admin/delete',
  },
  look: { '': 'indices:admin/get', HEAD: 'indices:admin/exists' },
  known: { '': 'cluster:monitor/main' },
  monitor: { '': 'cluster:monitor' },
  clusterManage: { '': 'cluster:admin' },
};

/** The action of a route, for the texts of refusals. */
export function actionOf(methods: string, template: string, access: RouteAccess): string {
  const fixed = template.split('/').filter((part) => part !== '' && !part.startsWith('{'));
  const changes = access === 'manage' || access === 'clusterManage' || access === 'write';
  const last = fixed.at(-1);
  if (last !== undefined) {
    if (template === '/_search/template/{id}')
      return changes ? 'indices:data/write/script/put' : 'indices:data/read/script/get';
    const family = BY_FAMILY[last] ?? BY_FAMILY[fixed[0]!];
    const own = BY_PATH[last];
    if (own !== undefined && fixed[0] !== '_cat' && fixed[0] !== '_snapshot') return own;
    if (family !== undefined) return family[changes ? 0 : 1];
  }
  const byMethod = BY_METHOD[access];
  return byMethod[methods.split('|')[0]!] ?? byMethod['']!;
}
