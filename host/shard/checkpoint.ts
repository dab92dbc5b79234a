/** Persists a shard's segments: blobs first, then the manifest that names them, then what neither needs any more. */
import { encodeJson, kindRange, liveKey, seqKey, seqOfKey, shardKey } from '../storage/records.js';
import type { Blobs, Entry, Storage } from '../storage/storage.js';
import { blobName, type Manifest } from './manifest.js';
import type { ShardClient } from './shardClient.js';

/** A shard about to be checkpointed. */
export interface CheckpointContext {
  storage: Storage;
  blobs: Blobs;
  uid: number;
  client: ShardClient;
  manifest: Manifest;
  names: Map<number, string>;
  /** Rows of documents that went with operations up to this one are gone already. */
  purged: number;
  /** Removes blobs that the store names no more. */
  forget(names: readonly string[]): Promise<void>;
}

const CHUNK = 5000;

/** Writes it all and returns the new manifest and the names of its segments. */
export async function writeCheckpoint(
  context: CheckpointContext,
): Promise<{ manifest: Manifest; names: Map<number, string> }> {
  const { storage, blobs, uid, client } = context;
  const checkpoint = await client.checkpoint([...context.names.keys()]);
  const names = new Map<number, string>();
  const manifest: Manifest = {
    seq: Math.max(checkpoint.seq, context.manifest.seq),
    next: context.manifest.next,
    segments: [],
  };
  const puts: Entry[] = [];
  for (const segment of checkpoint.segments) {
    let name = context.names.get(segment.id);
    if (name === undefined) {
      name = blobName(uid, manifest.next++);
      await blobs.put(name, segment.image!);
    }
    names.set(segment.id, name);
    manifest.segments.push({ name, documents: segment.documents, bytes: segment.bytes });
    if (segment.liveSet.length > 0) puts.push([liveKey(uid, name), segment.liveSet]);
  }
  const { syncId } = context.manifest;
  if (syncId !== undefined && manifest.seq === context.manifest.seq) manifest.syncId = syncId;
  puts.push([shardKey('c', uid), encodeJson(manifest)]);
  const kept = new Set(names.values());
  const gone = [...context.names.values()].filter((name) => !kept.has(name));
  await storage.commit(
    puts,
    gone.map((name) => liveKey(uid, name)),
    { freeing: true },
  );
  await dropKills(storage, uid, Math.min(manifest.seq, context.purged));
  await context.forget(gone);
  return { manifest, names };
}

/** The segments' own bitsets hold these by now. */
async function dropKills(storage: Storage, uid: number, upTo: number): Promise<void> {
  for (;;) {
    const keys: Uint8Array[] = [];
    for (const [key] of storage.range(kindRange('k', uid)[0], seqKey('k', uid, upTo + 1), {
      limit: CHUNK,
      keysOnly: true,
    })) {
      if (seqOfKey(key) <= upTo) keys.push(key);
    }
    if (keys.length === 0) return;
    await storage.commit([], keys, { freeing: true });
  }
}
