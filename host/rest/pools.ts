/** Which requests share a pool: by the method and the last fixed part of the path. */
import type { PoolName } from '../limits/threadPools.js';

const BY_PATH: Readonly<Record<string, PoolName>> = {
  _bulk: 'bulk',
  _update: 'index',
  _create: 'index',
  _mget: 'get',
  _source: 'get',
  _explain: 'get',
  _termvector: 'get',
  _mtermvectors: 'get',
  _search: 'search',
  _msearch: 'search',
  _count: 'search',
  _validate: 'search',
  _mlt: 'search',
  exists: 'search',
  scroll: 'search',
  template: 'search',
  _suggest: 'suggest',
  _percolate: 'percolate',
  _mpercolate: 'percolate',
  count: 'percolate',
  _refresh: 'refresh',
  _flush: 'flush',
  _optimize: 'optimize',
  _snapshot: 'snapshot',
  _restore: 'snapshot',
};
const DOCUMENT = '/{index}/{type}/{id}';

/** The pool of a route. Changes of metadata and figures are managed. */
export function poolOf(method: string, template: string): PoolName {
  const fixed = template.split('/').filter((part) => part !== '' && !part.startsWith('{'));
  if (fixed.length === 0) {
    if (template !== DOCUMENT && template !== '/{index}/{type}') return 'management';
    if (method === 'GET' || (method === 'HEAD' && template === DOCUMENT)) return 'get';
    return method === 'HEAD' ? 'management' : 'index';
  }
  if (fixed.at(-1) === '_query') return method === 'DELETE' ? 'index' : 'search';
  // `/_search/template/{id}` keeps a text; `_cat/count` is a table.
  if (fixed[0] === '_cat' || (fixed[0] === '_search' && fixed[1] === 'template' && template.includes('{id}')))
    return 'management';
  const own = BY_PATH[fixed.at(-1)!];
  return own ?? BY_PATH[fixed[0]!] ?? 'management';
}
