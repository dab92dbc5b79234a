/** Making, reading, deleting and restoring snapshots; one of them at a time is made. */
import { ElasticsearchError, toElasticsearchError } from '../errors.js';
import type { Cluster } from '../metadata/cluster.js';
import type { Clock } from '../time/clock.js';
import type { OpenIndex } from '../metadata/openIndex.js';
import type { SavedScript } from '../metadata/stored.js';
import type { Blobs, Storage } from '../storage/storage.js';
import { type Claim, SnapshotClaims } from './claims.js';
import { checkSnapshotName, invalidSnapshotName } from './names.js';
import type { RepositoryLocations } from './locations.js';
import { FORMAT, type ShardFailure, type ShardRecord, type SnapshotRecord } from './record.js';
import { Repositories, type RepositoryMetadata } from './repositories.js';
import type { Repository } from './repository.js';
import { fillShard, restoreInCluster } from './restoringCluster.js';
import { type RestoreRequest, type RestoreResult, restore } from './restoring.js';
import { parallel } from './parallel.js';
import { randomId } from '../shard/ids.js';
import type { NodeVerification, ShardTask, SnapshotNodes } from './snapshotNodes.js';
import { writeShard } from './writing.js';

/** What snapshots need of the engine. */
export interface SnapshotServices {
  storage: Storage;
  blobs: Blobs;
  clock: Clock;
  places: RepositoryLocations;
  cluster: Cluster;
  /** Takes over the scripts of an older snapshot. */
  moveScripts(scripts: Readonly<Record<string, SavedScript>>): Promise<void>;
  warn(message: string): void;
  /** The nodes of a cluster; undefined where this one is alone. */
  nodes?: SnapshotNodes | undefined;
}

/** What a snapshot is to hold. */
export interface SnapshotRequest {
  repository: string;
  snapshot: string;
  indices: readonly OpenIndex[];
  includeGlobalState: boolean;
  /** Shards that can't be kept may be left out. */
  partial: boolean;
}

/** A shard of a snapshot that is being made. */
export interface ShardProgress {
  stage: 'INIT' | 'STARTED' | 'DONE' | 'FAILURE';
  files: number;
  bytes: number;
  started: number;
  took: number;
}

/** The snapshot that is being made. */
export interface RunningSnapshot {
  repository: string;
  snapshot: string;
  started: number;
  /** By index, by number. */
  shards: Map<string, ShardProgress[]>;
  /** Gives it up. */
  abort: AbortController;
  /** Another one for each snapshot. */
  id: string;
  done: Promise<SnapshotRecord>;
}

/** Shards of a cluster that are written at once. */
const SHARDS_AT_ONCE = 4;

/** The snapshots of all repositories. */
export class Snapshots {
  readonly #services: SnapshotServices;
  readonly repositories: Repositories;
  #running: RunningSnapshot | undefined;
  #beginning: Promise<unknown> = Promise.resolve();
  #restoring = false;
  readonly #claims: SnapshotClaims | undefined;
  /** Shards that are being filled, and those that wait. */
  #filling: Promise<unknown> = Promise.resolve();
  /** The repository of the snapshot of which this node has written shards last. */
  #task: { id: string; repository: Promise<Repository> } | undefined;

  constructor(services: SnapshotServices) {
    this.#services = services;
    const { storage, places, cluster, nodes } = services;
    this.repositories = new Repositories({
      storage,
      places,
      cluster,
      isShared: nodes !== undefined,
      warn: (message) => services.warn(message),
    });
    if (nodes === undefined) return;
    this.#claims = new SnapshotClaims(storage, cluster, nodes);
    nodes.serve({
      write: async (task, shard, progress, signal) =>
        writeShard(await this.#repositoryOf(task), shard, task.started, (bytes) => {
          signal.throwIfAborted();
          progress(bytes);
        }),
      verify: async (name, seed) => {
        const repository = await this.repositories.open(name);
        await repository.verifySeed(seed, this.repositories.isReadOnly(name));
      },
      fill: (origin, number, uid, signal) => {
        // One after the other: each reads as fast as it can.
        const filled = this.#filling.then(async () => {
          signal.throwIfAborted();
          const repository = await this.repositories.open(origin.repository, signal);
          await fillShard(repository, origin, number, uid, this.#services);
        });
        this.#filling = filled.catch(() => {});
        return filled;
      },
    });
  }

  /** What another living node makes or deletes. */
  get elsewhere(): Claim | undefined {
    const claim = this.#claims?.current;
    return claim?.node === this.#services.nodes?.self.node ? undefined : claim;
  }

  /** The repository of a shard's task: what is in it is listed once for all shards. */
  async #repositoryOf({ id, repository: name }: ShardTask): Promise<Repository> {
    if (this.#task?.id !== id) this.#task = { id, repository: this.repositories.openForWriting(name) };
    const task = this.#task;
    try {
      return await task.repository;
    } catch (e) {
      if (this.#task === task) this.#task = undefined;
      throw e;
    }
  }

  /** Makes a repository known, or another one in its place. Unless told not to, tries whether all nodes can write it. */
  async putRepository(name: string, metadata: RepositoryMetadata, verify: boolean): Promise<void> {
    await this.repositories.put(name, metadata);
    // What is far away may answer late: no other change waits for it.
    if (verify && !this.repositories.isReadOnly(name)) await this.#verify(name);
  }

  /** Tries whether all nodes can use a repository, and reads everything that is there. */
  async checkRepository(name: string): Promise<NodeVerification[]> {
    const nodes = await this.#verify(name);
    await this.repositories.check(name);
    return nodes;
  }

  async #verify(name: string): Promise<NodeVerification[]> {
    const { nodes } = this.#services;
    await this.repositories.verify(name);
    // Nothing is written where nothing may be.
    if (nodes === undefined || this.repositories.isReadOnly(name)) return [];
    const repository = await this.repositories.open(name);
    const seed = randomId();
    await repository.plant(seed);
    try {
      const told = await nodes.verify(name, seed);
      const failures = told.flatMap(({ node, failure }) =>
        failure === undefined ? [] : [`[${node}, '${failure}']`],
      );
      if (failures.length > 0)
        throw new ElasticsearchError('RepositoryVerificationException', `[${name}] [${failures.join(', ')}]`);
      return told;
    } finally {
      await repository.unplant(seed);
    }
  }

  /** The snapshot that is being made. */
  get running(): RunningSnapshot | undefined {
    return this.#running;
  }

  /** Begins a snapshot; `done` of what is returned is kept when it is there. */
  create(request: SnapshotRequest): Promise<RunningSnapshot> {
    // One after the other: who comes second finds the first running, however long a repository takes to be looked at.
    const begun = this.#beginning.then(() => this.#begin(request));
    this.#beginning = begun.catch(() => {});
    return begun;
  }

  async #begin(request: SnapshotRequest): Promise<RunningSnapshot> {
    const { repository: name, snapshot } = request;
    const abort = new AbortController();
    await this.repositories.open(name);
    checkSnapshotName(name, snapshot);
    this.#checkFree(name, snapshot);
    const repository = await this.repositories.openForWriting(name, abort.signal);
    if (await repository.has(snapshot))
      throw invalidSnapshotName(name, snapshot, 'snapshot with such name already exists');
    this.#checkFree(name, snapshot);
    const id = randomId();
    await this.#claims?.take(name, snapshot, 'create', id);
    const running: RunningSnapshot = {
      repository: name,
      snapshot,
      started: this.#services.clock.now(),
      shards: new Map(
        request.indices.map((index) => [index.name, index.metadata.shardUids.map(newProgress)]),
      ),
      abort,
      id,
      done: undefined as never,
    };
    this.#running = running;
    running.done = this.#make(repository, request, running).finally(async () => {
      this.#running = undefined;
      // What isn't said now counts until this process is gone.
      await this.#claims?.release(id).catch((e) => this.#services.warn(`[${name}:${snapshot}]: ${e}`));
    });
    running.done.catch((e) => this.#services.warn(`snapshot [${name}:${snapshot}]: ${e}`));
    return running;
  }

  /** Snapshots of a repository, all of them without names; 404 if one is missing. */
  async find(name: string, snapshots: readonly string[]): Promise<(SnapshotRecord | RunningSnapshot)[]> {
    const all = snapshots.length === 0 || (snapshots.length === 1 && snapshots[0] === '_all');
    if (!all) for (const snapshot of snapshots) checkSnapshotName(name, snapshot);
    const repository = await this.repositories.open(name);
    const running = this.#running?.repository === name ? this.#running : undefined;
    if (all) {
      const records = await repository.list();
      return running === undefined ? records : [...records, running];
    }
    const found: (SnapshotRecord | RunningSnapshot)[] = [];
    for (const snapshot of snapshots)
      found.push(running?.snapshot === snapshot ? running : await repository.read(snapshot));
    return found;
  }

  /** Deletes a snapshot; one that is being made is given up. */
  async delete(name: string, snapshot: string): Promise<void> {
    checkSnapshotName(name, snapshot);
    const repository = await this.repositories.openForWriting(name);
    const running = this.#running;
    if (running?.repository === name && running.snapshot === snapshot) {
      running.abort.abort();
      const record = await running.done.catch(() => undefined);
      if (record === undefined) {
        await repository.sweep();
        return;
      }
    } else if (running?.repository === name) this.#checkFree(name, snapshot);
    const claims = this.#claims;
    if (claims === undefined) return repository.delete(snapshot);
    const id = randomId();
    await claims.take(name, snapshot, 'delete', id);
    try {
      await this.#checkRestored(name, snapshot);
      await repository.delete(snapshot);
    } finally {
      await claims.release(id);
    }
  }

  /** Refuses to delete a snapshot of which nodes of the cluster read still. */
  async #checkRestored(name: string, snapshot: string): Promise<void> {
    const { nodes, cluster } = this.#services;
    for (const index of cluster.all()) {
      const { origin } = index;
      if (index.closed || origin?.repository !== name || origin.snapshot !== snapshot) continue;
      if ((await nodes?.isFilled(index)) === false)
        throw concurrent(name, snapshot, `cannot delete snapshot during a restore of [${index.name}]`);
    }
  }

  /** Brings indices back; nothing has changed if it fails. `accepted` is called once nothing speaks against it. */
  async restore(
    name: string,
    snapshot: string,
    request: RestoreRequest,
    accepted: () => void = () => {},
  ): Promise<RestoreResult> {
    const repository = await this.repositories.open(name);
    const found = await repository.readWithDigest(snapshot);
    if (this.#restoring)
      throw concurrent(name, snapshot, 'Restore process is already running in this cluster');
    this.#restoring = true;
    try {
      const { nodes } = this.#services;
      if (nodes !== undefined)
        return await restoreInCluster(repository, found, request, { ...this.#services, nodes }, accepted);
      return await restore(repository, found.record, request, this.#services, accepted);
    } finally {
      this.#restoring = false;
    }
  }

  /** Gives up what is being made. */
  async close(): Promise<void> {
    const running = this.#running;
    if (running === undefined) return;
    running.abort.abort();
    await running.done.catch(() => {});
  }

  #checkFree(name: string, snapshot: string): void {
    if (this.#running !== undefined) throw concurrent(name, snapshot, 'a snapshot is already running');
  }

  async #make(
    repository: Repository,
    { snapshot, indices, includeGlobalState, partial }: SnapshotRequest,
    running: RunningSnapshot,
  ): Promise<SnapshotRecord> {
    const { clock, cluster, nodes } = this.#services;
    const { stored } = cluster;
    const record: SnapshotRecord = {
      format: FORMAT,
      snapshot,
      state: 'SUCCESS',
      started: running.started,
      ended: 0,
      indices: [],
      failures: [],
    };
    if (includeGlobalState) {
      record.global = stored.global;
    }
    const isThere = (index: OpenIndex) => nodes?.hasAll(index) ?? index.active;
    const reason = partial ? undefined : whyNot(indices, isThere);
    if (reason !== undefined) Object.assign(record, { state: 'FAILED', reason });
    for (const index of indices) {
      const shards = await this.#keepIndex(repository, index, running, record.failures, reason !== undefined);
      // What the documents needed of the mapping is in it by now.
      if (!index.closed) await nodes?.current(index);
      const { origin: _, chosen: _chosen, ...metadata } = index.saved();
      record.indices.push({ metadata, shards });
    }
    if (running.abort.signal.aborted)
      throw new ElasticsearchError('SnapshotException', `[${repository.name}:${snapshot}] was given up`);
    if (reason === undefined && record.failures.length > 0) {
      const all = record.indices.reduce((sum, { shards }) => sum + shards.length, 0);
      record.state = partial && record.failures.length < all ? 'PARTIAL' : 'FAILED';
    }
    record.ended = clock.now();
    await this.#claims?.confirm(running.id);
    await repository.write(record);
    return record;
  }

  async #keepIndex(
    repository: Repository,
    index: OpenIndex,
    running: RunningSnapshot,
    failures: ShardFailure[],
    skip: boolean,
  ): Promise<(ShardRecord | null)[]> {
    const { nodes } = this.#services;
    const { signal } = running.abort;
    const failed = new Map<number, ShardFailure>();
    const keep = async (each: ShardProgress, number: number): Promise<ShardRecord | null> => {
      each.started = this.#services.clock.now();
      try {
        if (signal.aborted || skip) throw new Error('aborted');
        const shard = index.shards[number];
        if (shard === undefined) throw new Error('primary shard is not allocated');
        each.stage = 'STARTED';
        const task = { id: running.id, repository: repository.name, shard: number, started: each.started };
        const done =
          nodes === undefined
            ? await writeShard(repository, shard, each.started, (bytes) => {
                each.files++;
                each.bytes += bytes;
                if (signal.aborted) throw new Error('aborted');
              })
            : await nodes.write(index, task, (written) => void Object.assign(each, written), signal);
        each.stage = 'DONE';
        each.took = done.took;
        return done;
      } catch (e) {
        each.stage = 'FAILURE';
        const reason = toElasticsearchError(e).detail ?? String(e);
        failed.set(number, { index: index.name, shard: number, reason });
        return null;
      }
    };
    const progress = running.shards.get(index.name)!;
    const out = await parallel(progress, nodes === undefined ? 1 : SHARDS_AT_ONCE, keep);
    const inOrder = [...failed].sort(([a], [b]) => a - b);
    for (const [, failure] of inOrder) failures.push(failure);
    return out;
  }
}

function newProgress(): ShardProgress {
  return { stage: 'INIT', files: 0, bytes: 0, started: 0, took: 0 };
}

/** Why these indices can't be kept whole. */
function whyNot(indices: readonly OpenIndex[], isThere: (index: OpenIndex) => boolean): string | undefined {
  const closed = indices.filter((index) => index.closed).map(({ name }) => name);
  const missing = indices.filter((index) => !index.closed && !isThere(index)).map(({ name }) => name);
  const parts = [
    missing.length > 0 ? `Indices don't have primary shards [${missing.join(', ')}]` : '',
    closed.length > 0 ? `Indices are closed [${closed.join(', ')}]` : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? undefined : parts.join('; ');
}

function concurrent(name: string, snapshot: string, problem: string): ElasticsearchError {
  return new ElasticsearchError('ConcurrentSnapshotExecutionException', `[${name}:${snapshot}] ${problem}`);
}
