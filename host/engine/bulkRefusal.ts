/** What 1.7 refuses a whole bulk for: it reads the times and the parents of all its documents before it writes any of them. */
import { type ElasticsearchError, noParentField, toElasticsearchError } from '../errors.js';
import type { ClusterInterface } from '../metadata/clusterView.js';
import type { OpenIndex } from '../metadata/openIndex.js';
import type { IndexedOperation } from './writing.js';

/** Why a bulk with this document is refused; undefined where it isn't. */
export function bulkRefusal(
  cluster: ClusterInterface,
  { index: name, kind, type, parent, timestamp }: IndexedOperation,
): ElasticsearchError | undefined {
  if (kind !== 'index') return undefined;
  const index = indexNamed(cluster, name);
  if (index === undefined || index.closed) return undefined;
  const mapping = index.model.type(type);
  if (
    parent !== undefined &&
    (mapping === undefined ? !index.model.hasDefault : mapping.parent === undefined)
  )
    return noParentField();
  if (timestamp === undefined || mapping === undefined) return undefined;
  try {
    mapping.meta.timestamp.parseTime(timestamp);
  } catch (e) {
    return toElasticsearchError(e);
  }
  return undefined;
}

/** The index of a name or behind an alias of one index. */
function indexNamed(cluster: ClusterInterface, name: string): OpenIndex | undefined {
  const [behind, ...more] = cluster.behind(name) ?? [];
  return more.length > 0 ? undefined : cluster.find(behind ?? name);
}
