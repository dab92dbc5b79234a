/** Restoring into a cluster: its metadata say what the shards of an index begin with, and each node with a copy reads that for itself. */
import type { ShardOrigin } from '../shard/shardIndex.js';
import { sweepShards } from '../shard/garbageCollection.js';
import type { Manifest } from '../shard/manifest.js';
import { encodeJson, shardKey } from '../storage/records.js';
import type { Blobs, Storage } from '../storage/storage.js';
import { readerOf, readShard } from './reading.js';
import type { SnapshotRecord } from './record.js';
import type { Repository } from './repository.js';
import {
  metadataOf,
  type RestoreRequest,
  type RestoreResult,
  type RestoreServices,
  whatComes,
} from './restoring.js';
import type { SnapshotNodes } from './snapshotNodes.js';

/**
 * Restores; resolves when some node has each shard. The indices are there before that.
 * @param digest of the snapshot's record
 * @param accepted called when nothing speaks against it any more
 */
export async function restoreInCluster(
  repository: Repository,
  { record, digest }: { record: SnapshotRecord; digest: string },
  request: RestoreRequest,
  { cluster, moveScripts, nodes }: RestoreServices & { nodes: SnapshotNodes },
  accepted: () => void,
): Promise<RestoreResult> {
  const { failed, coming, check } = await whatComes(repository, record, request, cluster);
  const made = coming.map(({ name, from }) => {
    const index = from.metadata.name;
    const origin: ShardOrigin = { repository: repository.name, snapshot: record.snapshot, index, digest };
    return { ...metadataOf(name, from.metadata, request, cluster, failed), origin };
  });
  const { stored } = cluster;
  const global = request.includeGlobalState ? record.global : undefined;
  const rows = global === undefined ? [] : stored.globalEntries(global);
  const begun = made.length === 0 && rows.length === 0 ? [] : await cluster.begin(made, rows, check);
  if (coming.length > 0) accepted();
  if (global !== undefined) stored.adoptGlobal(global);
  await Promise.all(begun.map((index) => nodes.filled(index)));
  if (global?.scripts !== undefined) await moveScripts(global.scripts);
  const total = coming.reduce((sum, { from }) => sum + from.shards.length, 0);
  return { snapshot: record.snapshot, indices: coming.map(({ name }) => name), shards: total };
}

/** Fills a shard with what its origin has; what was there of it, by an attempt that was cut off, goes first. */
export async function fillShard(
  repository: Repository,
  origin: ShardOrigin,
  number: number,
  uid: number,
  { storage, blobs }: { storage: Storage; blobs: Blobs },
): Promise<void> {
  const { record, digest } = await repository.readWithDigest(origin.snapshot);
  const index = record.indices.find(({ metadata }) => metadata.name === origin.index);
  if (digest !== origin.digest || index === undefined)
    throw repository.error(origin.snapshot, 'it is another one than the index was restored from');
  await sweepShards(storage, blobs, [uid]);
  const shard = index.shards[number] ?? null;
  if (shard !== null) return readShard(shard, readerOf(repository, origin.snapshot), uid, { storage, blobs });
  const manifest: Manifest = { seq: 0, next: 1, segments: [] };
  await storage.commit([[shardKey('c', uid), encodeJson(manifest)]], []);
}
