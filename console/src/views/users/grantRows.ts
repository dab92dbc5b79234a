/** Grants as they are typed: a row for each. */
import type { ClusterLevel, Grants, IndexGrant, IndexLevel } from '../../app/whoAmI';

export const INDEX_LEVELS: readonly IndexLevel[] = ['read', 'write', 'manage'];
export const CLUSTER_LEVELS: readonly ClusterLevel[] = ['none', 'monitor', 'manage'];

/** What levels mean, for people. */
export const INDEX_MEANINGS: Readonly<Record<IndexLevel, string>> = {
  read: 'read: search and get documents',
  write: 'write: read, and write documents',
  manage: 'manage: write, and create, change and delete indices',
};
export const CLUSTER_MEANINGS: Readonly<Record<ClusterLevel, string>> = {
  none: 'none',
  monitor: 'monitor: see states and statistics of all',
  manage: 'manage: monitor, and settings, snapshots, users',
};

export interface GrantRow {
  id: number;
  /** Names and patterns with commas between. */
  names: string;
  access: IndexLevel;
}

let next = 1;

export function newRow(names = '', access: IndexLevel = 'read'): GrantRow {
  return { id: next++, names, access };
}

export function rowsOf(grants: readonly IndexGrant[]): GrantRow[] {
  return grants.map(({ indices, access }) => newRow(indices.join(', '), access));
}

/** Rows without names are none. */
export function grantsOf(rows: readonly GrantRow[]): IndexGrant[] {
  return rows.flatMap(({ names, access }) => {
    const indices = names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
    return indices.length === 0 ? [] : [{ indices, access }];
  });
}

/** `read logs-*, metrics; manage the cluster`. */
export function describeGrants({ grants, cluster }: Grants): string {
  const parts = grants.map(({ indices, access }) => `${access} ${indices.join(', ')}`);
  if (cluster !== 'none') parts.push(`${cluster} the cluster`);
  return parts.length === 0 ? 'nothing' : parts.join('; ');
}
