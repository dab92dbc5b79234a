/** What a principal may do: with indices, and with the cluster. */

/** With documents and indices; each level includes those before it. */
export const INDEX_LEVELS = ['read', 'write', 'manage'] as const;
export type IndexLevel = (typeof INDEX_LEVELS)[number];

/**
 * With the cluster: nothing; see its state and its stats, those of all indices too; change settings, templates and scripts,
 * and keep and bring back snapshots. Each includes those before it.
 */
export const CLUSTER_LEVELS = ['none', 'monitor', 'manage'] as const;
export type ClusterLevel = (typeof CLUSTER_LEVELS)[number];

/**
 * Indices that no pattern grants, only their name in full: that of stored scripts and search templates, which run in searches of
 * others and have endpoints of their own.
 */
export const RESTRICTED_INDICES: readonly string[] = ['.scripts'];

/** A level over the indices and aliases of these names; `*` in one stands for any run of characters. */
export interface IndexGrant {
  indices: readonly string[];
  access: IndexLevel;
}

/** Everything that a principal may do. */
export interface Grants {
  grants: readonly IndexGrant[];
  cluster: ClusterLevel;
}

/**
 * What an endpoint asks of its callers:
 * - `authenticated`: that they are known; they see nothing of any index.
 * - `read`, `write`, `manage`: that level over every index that the request names.
 * - `metadata`, of settings, mappings and stats: `read` over the indices, or `cluster:monitor`, which sees those of all indices.
 * - `cluster:monitor`, `cluster:manage`: that level over the cluster.
 */
export type Privilege = 'authenticated' | IndexLevel | 'metadata' | 'cluster:monitor' | 'cluster:manage';
