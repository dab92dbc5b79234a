/** Which nodes may have copies of an index, by the settings of the cluster and of the index: filters, awareness, the number of copies. */
import { ownValue } from '../ownNames.js';
import type { FlatSettings } from '../settings/indexSettings.js';
import { wildcard } from '../text/wildcard.js';
import type { DiskSpace, FullDisk } from './diskWatermarks.js';
import type { Awareness } from './placement.js';

/** What settings can say of a node. */
export interface AllocatedNode {
  id: string;
  name: string;
  /** Host and port where it answers HTTP; empty where it doesn't. */
  http: string;
  attributes: Readonly<Record<string, string>>;
  /** The disk that its data are on. */
  disk?: DiskSpace | undefined;
  /** The watermark that its disk is above. */
  fullDisk?: FullDisk | undefined;
  /** The shards that it has copies of, by the uuid of their index. */
  copies?: Readonly<Record<string, readonly number[]>>;
}

const CLUSTER = 'cluster.routing.allocation';
const INDEX = 'index.routing.allocation';
const AWARENESS = `${CLUSTER}.awareness.`;

/** Why a node may not have copies, as 1.7's decider of filters says it; undefined where it may. */
export function filteredOut(
  node: AllocatedNode,
  index: FlatSettings,
  cluster: Readonly<FlatSettings>,
): string | undefined {
  for (const [settings, prefix, whose] of [
    [cluster, CLUSTER, 'global'],
    [index, INDEX, 'index'],
  ] as const) {
    for (const kind of ['require', 'include', 'exclude'] as const) {
      const filters = filtersOf(settings, `${prefix}.${kind}.`);
      if (filters.length === 0) continue;
      const matches = filters.map(([field, patterns]) => isMatched(node, field, patterns));
      const isOut =
        kind === 'require'
          ? !matches.every(Boolean)
          : kind === 'include'
            ? !matches.some(Boolean)
            : matches.some(Boolean);
      if (!isOut) continue;
      const operator = kind === 'require' ? ' AND ' : ' OR ';
      const shown = filters
        .map(([field, patterns]) => `${field}:"${patterns.split(',').join(operator)}"`)
        .join(',');
      const verb = kind === 'exclude' ? 'matches' : 'does not match';
      const called = kind === 'require' ? 'required' : kind;
      return `node ${verb} ${whose} ${called} filters [${shown}]`;
    }
  }
  return undefined;
}

function filtersOf(settings: Readonly<FlatSettings>, prefix: string): [field: string, patterns: string][] {
  return Object.entries(settings)
    .filter(([key, value]) => key.startsWith(prefix) && value !== '')
    .map(([key, value]) => [key.slice(prefix.length), value]);
}

function isMatched({ id, name, http, attributes }: AllocatedNode, field: string, patterns: string): boolean {
  const host = http.replace(/:\d+$/, '');
  const known: Record<string, string | undefined> = {
    _id: id,
    _name: name,
    name,
    _ip: host,
    _publish_ip: host,
    _host_ip: host,
    _host: host,
  };
  const value = Object.hasOwn(known, field) ? known[field] : attributes[field];
  return value !== undefined && patterns.split(',').some((pattern) => wildcard(pattern.trim())(value));
}

/** The attributes that copies of a shard are spread over. */
export function awarenessOf(cluster: Readonly<FlatSettings>): Awareness[] {
  const attributes = (cluster[`${AWARENESS}attributes`] ?? '').split(',').map((each) => each.trim());
  return attributes
    .filter((attribute) => attribute !== '')
    .map((attribute) => ({
      attribute,
      forced: (cluster[`${AWARENESS}force.${attribute}.values`] ?? '')
        .split(',')
        .map((each) => each.trim())
        .filter((each) => each !== ''),
    }));
}

const TOTAL_SHARDS = `${INDEX}.total_shards_per_node`;

/** How many copies of an index a node may have; undefined for any number. */
export function mostPerNode(index: FlatSettings): number | undefined {
  const limit = Number.parseInt(ownValue(index, TOTAL_SHARDS) ?? '-1', 10);
  return limit > 0 ? limit : undefined;
}

/** What may be allocated: `all`, `primaries`, `new_primaries` or `none`; the index's setting counts more than the cluster's. */
export type AllocationEnabled = 'all' | 'primaries' | 'new_primaries' | 'none';

export function enabledAllocation(index: FlatSettings, cluster: Readonly<FlatSettings>): AllocationEnabled {
  const given = (index[`${INDEX}.enable`] ?? cluster[`${CLUSTER}.enable`] ?? 'all').toLowerCase();
  return given === 'none' || given === 'primaries' || given === 'new_primaries' ? given : 'all';
}
