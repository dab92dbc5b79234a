/** Making, reading, deleting and restoring snapshots; one of them at a time is made. */
import { ElasticsearchError, toElasticsearchError } from '../errors.js';
import type { Cluster } from '../metadata/cluster.js';
import type { Clock } from '../time/clock.js';
import type { OpenIndex } from '../metadata/openIndex.js';
import type { SavedScript } from '../metadata/stored.js';
import type { Blobs, Storage } from '../storage/storage.js';
import { checkSnapshotName, invalidSnapshotName } from './names.js';
import type { RepositoryLocations } from './locations.js';
import { FORMAT, type ShardFailure, type ShardRecord, type SnapshotRecord } from './record.js';
import { Repositories } from './repositories.js';
import type { Repository } from './repository.js';
import { type RestoreRequest, type RestoreResult, restore } from './restoring.js';
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
  done: Promise<SnapshotRecord>;
}

/** The snapshots of all repositories. */
export class Snapshots {
  readonly #services: SnapshotServices;
  readonly repositories: Repositories;
  #running: RunningSnapshot | undefined;
  #beginning: Promise<unknown> = Promise.resolve();
  #restoring = false;

  constructor(services: SnapshotServices) {
    this.#services = services;
    const { storage, places, cluster } = services;
    const exclusive = <T>(change: () => Promise<T>) => cluster.exclusive(change);
    this.repositories = new Repositories({
      storage,
      places,
      exclusive,
      warn: (message) => services.warn(message),
    });
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
    const running: RunningSnapshot = {
      repository: name,
      snapshot,
      started: this.#services.clock.now(),
      shards: new Map(
        request.indices.map((index) => [index.name, index.metadata.shardUids.map(newProgress)]),
      ),
      abort,
      done: undefined as never,
    };
    this.#running = running;
    running.done = this.#make(repository, request, running).finally(() => {
      this.#running = undefined;
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
    await repository.delete(snapshot);
  }

  /** Brings indices back; nothing has changed if it fails. `accepted` is called once nothing speaks against it. */
  async restore(
    name: string,
    snapshot: string,
    request: RestoreRequest,
    accepted: () => void = () => {},
  ): Promise<RestoreResult> {
    const repository = await this.repositories.open(name);
    const record = await repository.read(snapshot);
    if (this.#restoring)
      throw concurrent(name, snapshot, 'Restore process is already running in this cluster');
    this.#restoring = true;
    try {
      return await restore(repository, record, request, this.#services, accepted);
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
    const { clock, cluster } = this.#services;
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
    const reason = partial ? undefined : whyNot(indices);
    if (reason !== undefined) Object.assign(record, { state: 'FAILED', reason });
    for (const index of indices) {
      const shards = await this.#keepIndex(repository, index, running, record.failures, reason !== undefined);
      // What the documents needed of the mapping is in it by now.
      record.indices.push({ metadata: index.saved(), shards });
    }
    if (running.abort.signal.aborted)
      throw new ElasticsearchError('SnapshotException', `[${repository.name}:${snapshot}] was given up`);
    if (reason === undefined && record.failures.length > 0) {
      const all = record.indices.reduce((sum, { shards }) => sum + shards.length, 0);
      record.state = partial && record.failures.length < all ? 'PARTIAL' : 'FAILED';
    }
    record.ended = clock.now();
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
    const out: (ShardRecord | null)[] = [];
    const progress = running.shards.get(index.name)!;
    for (const [number, each] of progress.entries()) {
      each.started = this.#services.clock.now();
      try {
        if (running.abort.signal.aborted || skip) throw new Error('aborted');
        const shard = index.shards[number];
        if (shard === undefined) throw new Error('primary shard is not allocated');
        each.stage = 'STARTED';
        const done = await writeShard(repository, shard, each.started, (bytes) => {
          each.files++;
          each.bytes += bytes;
          if (running.abort.signal.aborted) throw new Error('aborted');
        });
        each.stage = 'DONE';
        each.took = done.took;
        out.push(done);
      } catch (e) {
        each.stage = 'FAILURE';
        const reason = toElasticsearchError(e).detail ?? String(e);
        failures.push({ index: index.name, shard: number, reason });
        out.push(null);
      }
    }
    return out;
  }
}

function newProgress(): ShardProgress {
  return { stage: 'INIT', files: 0, bytes: 0, started: 0, took: 0 };
}

/** Why these indices can't be kept whole. */
function whyNot(indices: readonly OpenIndex[]): string | undefined {
  const closed = indices.filter((index) => index.closed).map(({ name }) => name);
  const missing = indices.filter((index) => !index.closed && !index.active).map(({ name }) => name);
  const parts = [
    missing.length > 0 ? `Indices don't have primary shards [${missing.join(', ')}]` : '',
    closed.length > 0 ? `Indices are closed [${closed.join(', ')}]` : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? undefined : parts.join('; ');
}

function concurrent(name: string, snapshot: string, problem: string): ElasticsearchError {
  return new ElasticsearchError('ConcurrentSnapshotExecutionException', `[${name}:${snapshot}] ${problem}`);
}
