/** Deletions are remembered for a time, so that the versions of an id go on; then they are forgotten. */
import { decodeIdRecord, decodeText, idKey, kindRange, tombstoneKey } from '../storage/records.js';
import { DamagedRow, type Storage } from '../storage/storage.js';

const CHUNK = 1000;

/** Forgets some of the deletions of a shard that were made before a time; `busy` ids are being written right now. */
export async function forgetDeletions(
  storage: Storage,
  shard: number,
  before: number,
  busy: (uid: string) => boolean,
): Promise<void> {
  const until = tombstoneKey(shard, Math.max(0, before), 0);
  const gone: Uint8Array[] = [];
  // Of a damaged one nobody knows whose it was: the id's record stays, as if its deletion were still remembered.
  const damaged = ({ key }: DamagedRow) => gone.push(key);
  for (const [key, value] of storage.range(kindRange('t', shard)[0], until, { limit: CHUNK, damaged })) {
    const uid = decodeText(value);
    if (busy(uid)) continue;
    gone.push(key);
    const id = idKey(shard, uid);
    const bytes = readable(storage, id);
    if (bytes === undefined) continue;
    const record = decodeIdRecord(bytes);
    if (record.seq === 0 && record.deletedAt < before) gone.push(id);
  }
  if (gone.length > 0) await storage.commit([], gone, { freeing: true });
}

/** The record of an id; undefined if it is damaged too. */
function readable(storage: Storage, key: Uint8Array): Uint8Array | undefined {
  try {
    return storage.get(key);
  } catch (e) {
    if (e instanceof DamagedRow) return undefined;
    throw e;
  }
}
