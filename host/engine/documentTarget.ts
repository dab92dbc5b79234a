/** Where single documents are: the index of their name, or the one behind an alias. */
import { illegalArgument, indexClosed } from '../errors.js';
import type { Cluster } from '../metadata/cluster.js';
import type { ClusterInterface } from '../metadata/clusterView.js';
import type { OpenIndex } from '../metadata/openIndex.js';
import { ownValue } from '../ownNames.js';

/** Where a single document is written or read. */
export interface DocumentTarget {
  index: OpenIndex;
  /** The given one, or that of the alias. */
  routing: string | undefined;
}

/**
 * Where a single document is; undefined if there is no such index.
 * @param cluster what who asks may see; what is behind an alias of it is looked up in `node`
 */
export function documentTarget(
  cluster: ClusterInterface,
  node: Cluster,
  name: string,
  routing: string | undefined,
): DocumentTarget | undefined {
  const own = cluster.find(name);
  if (own !== undefined) {
    if (own.closed) throw indexClosed(name);
    return { index: own, routing };
  }
  const behind = cluster.behind(name);
  if (behind === undefined) return undefined;
  if (behind.length > 1) {
    throw illegalArgument(
      `Alias [${name}] has more than one indices associated with it [[${behind.join(', ')}]], can't execute a single index op`,
    );
  }
  const index = node.index(behind[0]!);
  if (index.closed) throw indexClosed(index.name);
  const fixed = ownValue(index.aliases, name)?.indexRouting;
  if (fixed !== undefined && routing !== undefined && routing !== fixed) {
    throw illegalArgument(
      `Alias [${name}] has index routing associated with it [${fixed}], and was provided with routing value [${routing}], rejecting operation`,
    );
  }
  if (fixed?.includes(',')) {
    throw illegalArgument(
      `index/alias [${name}] provided with routing value [${fixed}] that resolved to several routing values, rejecting operation`,
    );
  }
  return { index, routing: fixed ?? routing };
}
