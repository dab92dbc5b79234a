/** Which segments a shard is made of when it is opened. */
import { decodeJson, encodeJson, shardKey } from '../storage/records.js';
import type { Storage } from '../storage/storage.js';

/** Which segments of a shard are kept as blobs. */
export interface Manifest {
  /** Every operation up to this one is in the segments. */
  seq: number;
  /** The number of the next blob. */
  next: number;
  segments: { name: string; documents: number; bytes: number }[];
  /** What a synced flush has marked it with; gone with the first checkpoint after a write. */
  syncId?: string;
}

/** Marks a manifest, in the store too. */
export async function markSynced(
  storage: Storage,
  uid: number,
  manifest: Manifest,
  syncId: string,
): Promise<Manifest> {
  const marked = { ...manifest, syncId };
  await storage.commit([[shardKey('c', uid), encodeJson(marked)]], []);
  return marked;
}

/** The name of a shard's blob. */
export function blobName(uid: number, number: number): string {
  return `${uid}-${number}.seg`;
}

/** The number of a blob of a shard; 0 if it is none. */
export function numberOfBlob(uid: number, name: string): number {
  const [, shard, number] = /^(\d+)-(\d+)\.seg$/.exec(name) ?? [];
  return Number(shard) === uid ? Number(number) : 0;
}

/** The manifest of a shard; undefined before its first checkpoint. */
export function readManifest(storage: Storage, uid: number): Manifest | undefined {
  const stored = storage.get(shardKey('c', uid));
  return stored === undefined ? undefined : decodeJson<Manifest>(stored);
}
