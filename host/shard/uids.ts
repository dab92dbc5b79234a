/** The uids of a segment's documents, from the rows of the store to the bytes that the core takes. */
import { documentUid } from '../storage/storedDocuments.js';
import { seqKey, seqOfKey } from '../storage/records.js';
import type { Storage } from '../storage/storage.js';
import { defaultTurn } from '../turn.js';

/** Rows that are read before others get a turn. */
const ROWS = 2000;

/**
 * The uids of the documents with these ascending keys: where each begins, u32 each and one more for the end, then all of them in
 * UTF-8. A document whose row is gone, or damaged, has an empty one.
 */
export async function gatherUids(storage: Storage, shard: number, keys: Float64Array): Promise<Uint8Array> {
  const turn = defaultTurn();
  const offsets = new Uint32Array(keys.length + 1);
  let bytes = new Uint8Array(keys.length * 16 + 64);
  let length = 0;
  let doc = 0;
  const end = keys.length === 0 ? 0 : keys[keys.length - 1]! + 1;
  for (let from = keys[0] ?? 0; from < end && doc < keys.length; ) {
    let rows = 0;
    let last = from;
    const range = storage.range(seqKey('d', shard, from), seqKey('d', shard, end), {
      limit: ROWS,
      damaged: ({ key }) => {
        rows++;
        last = seqOfKey(key);
      },
    });
    for (const [key, row] of range) {
      rows++;
      last = seqOfKey(key);
      for (; doc < keys.length && keys[doc]! < last; doc++) offsets[doc + 1] = length;
      if (keys[doc] !== last) continue;
      const uid = documentUid(row);
      if (length + uid.length > bytes.length) {
        const more = new Uint8Array(2 * bytes.length + uid.length);
        more.set(bytes);
        bytes = more;
      }
      bytes.set(uid, length);
      length += uid.length;
      offsets[++doc] = length;
    }
    if (rows < ROWS) break;
    from = last + 1;
    await new Promise<void>((resolve) => turn(resolve));
  }
  for (; doc < keys.length; doc++) offsets[doc + 1] = length;
  const out = new Uint8Array(offsets.byteLength + length);
  out.set(new Uint8Array(offsets.buffer));
  out.set(bytes.subarray(0, length), offsets.byteLength);
  return out;
}
