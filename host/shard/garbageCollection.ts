/** Deleting shards for good: the index goes at once, the rows of its shards follow in bounded pieces. */

import { type Manifest, readManifest } from './manifest.js';
import { kindRange, shardKey, shardOfKey, type Kind } from '../storage/records.js';
import { type Blobs, DamagedRow, type Storage } from '../storage/storage.js';

const CHUNK = 5000;
const KINDS: readonly Kind[] = ['d', 'i', 'k', 't', 'c', 'b', 'z', 'p', 'w', 'h', 'o'];
const EMPTY = new Uint8Array(0);

/** Forgets the shards together with `keys`; {@link sweepShards} does the rest. */
export async function dropShards(
  storage: Storage,
  uids: readonly number[],
  keys: readonly Uint8Array[],
): Promise<void> {
  await storage.commit(
    uids.map((uid) => [shardKey('g', uid), EMPTY]),
    keys,
    { freeing: true },
  );
}

/** Goes on with what an earlier process left, and removes blobs that no manifest of a living shard names. */
export async function sweepDropped(
  storage: Storage,
  blobs: Blobs,
  living: ReadonlySet<number>,
): Promise<void> {
  const from = shardKey('g', 0);
  const to = shardKey('g', 0xffff_ffff);
  const dropped = [...storage.range(from, to, { keysOnly: true })].map(([key]) => shardOfKey(key));
  await sweepShards(storage, blobs, dropped);
  const named = new Set([...living].flatMap((uid) => segmentsOf(storage, uid)).map(({ name }) => name));
  for (const name of await blobs.list()) if (!named.has(name)) await blobs.delete(name);
}

/** The segments of a shard's manifest; none if it is damaged: the shard is rebuilt then. */
function segmentsOf(storage: Storage, uid: number): Manifest['segments'] {
  try {
    return readManifest(storage, uid)?.segments ?? [];
  } catch (e) {
    if (e instanceof DamagedRow) return [];
    throw e;
  }
}

/** Removes the blobs and rows of dropped shards that are closed. */
export async function sweepShards(storage: Storage, blobs: Blobs, uids: readonly number[]): Promise<void> {
  if (uids.length === 0) return;
  const gone = new Set(uids);
  for (const name of await blobs.list()) {
    if (gone.has(shardOfBlob(name))) await blobs.delete(name);
  }
  for (const uid of uids) {
    for (const kind of KINDS) await sweepRows(storage, ...kindRange(kind, uid));
    await storage.commit([], [shardKey('g', uid)], { freeing: true });
  }
}

async function sweepRows(storage: Storage, from: Uint8Array, to: Uint8Array): Promise<void> {
  for (;;) {
    const keys = [...storage.range(from, to, { limit: CHUNK, keysOnly: true })].map(([key]) => key);
    if (keys.length === 0) return;
    await storage.commit([], keys, { freeing: true });
  }
}

/** Blobs are named `shard-number.seg`. */
function shardOfBlob(name: string): number {
  return Number(/^(\d+)-\d+\.seg$/.exec(name)?.[1] ?? Number.NaN);
}
