/** The one snapshot of a cluster that is being made or deleted: a row of its metadata says which process does that. */
import { ElasticsearchError } from '../errors.js';
import type { Cluster } from '../metadata/cluster.js';
import { decodeJson, encodeJson, SNAPSHOT_KEY } from '../storage/records.js';
import type { Storage } from '../storage/storage.js';
import type { NodeProcess, SnapshotNodes } from './snapshotNodes.js';

/** What a process does with a snapshot. */
export interface Claim extends NodeProcess {
  repository: string;
  snapshot: string;
  action: 'create' | 'delete';
  /** Another one for each. */
  id: string;
}

/** Claims one after the other; those of processes that are gone count for nothing. */
export class SnapshotClaims {
  readonly #storage: Storage;
  readonly #cluster: Pick<Cluster, 'exclusive' | 'commitRows'>;
  readonly #nodes: SnapshotNodes;

  constructor(storage: Storage, cluster: Pick<Cluster, 'exclusive' | 'commitRows'>, nodes: SnapshotNodes) {
    this.#storage = storage;
    this.#cluster = cluster;
    this.#nodes = nodes;
  }

  /** What is under way, as far as this node has followed the cluster's metadata. */
  get current(): Claim | undefined {
    const claim = this.#stored;
    return claim !== undefined && this.#nodes.lives(claim) ? claim : undefined;
  }

  get #stored(): Claim | undefined {
    const row = this.#storage.get(SNAPSHOT_KEY);
    return row === undefined ? undefined : decodeJson<Claim>(row);
  }

  /** Begins; throws where another process has begun something that it has not ended. */
  take(repository: string, snapshot: string, action: Claim['action'], id: string): Promise<void> {
    return this.#cluster.exclusive(async () => {
      const { current } = this;
      if (current !== undefined) throw taken(repository, snapshot, action, current);
      const claim: Claim = { ...this.#nodes.self, repository, snapshot, action, id };
      await this.#cluster.commitRows([[SNAPSHOT_KEY, encodeJson(claim)]]);
    });
  }

  /** Throws where others took this process for gone meanwhile, and have begun something. */
  confirm(id: string): Promise<void> {
    return this.#cluster.exclusive(async () => {
      if (this.#stored?.id !== id)
        throw new ElasticsearchError('SnapshotException', 'other nodes took this one for gone meanwhile');
    });
  }

  /** Ends. */
  async release(id: string): Promise<void> {
    await this.#cluster.exclusive(async () => {
      if (this.#stored?.id === id) await this.#cluster.commitRows([], [SNAPSHOT_KEY]);
    });
  }
}

function taken(
  repository: string,
  snapshot: string,
  action: Claim['action'],
  current: Claim,
): ElasticsearchError {
  const running = `${current.repository}:${current.snapshot}`;
  let problem = 'a snapshot is already running';
  if (action === 'delete') problem = 'another snapshot is currently running cannot delete';
  if (current.action === 'delete') problem = `the snapshot [${running}] is being deleted`;
  return new ElasticsearchError(
    'ConcurrentSnapshotExecutionException',
    `[${repository}:${snapshot}] ${problem}`,
  );
}
