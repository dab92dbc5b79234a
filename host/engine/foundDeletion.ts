/** Deleting the documents that a plan finds in a shard. */
import { ElasticsearchError } from '../errors.js';
import type { Operation } from '../shard/operation.js';
import { fetchElsewhere, type SearchedShard } from '../shard/searchedShard.js';
import type { Shard } from '../shard/shard.js';
import { WorkLimit } from '../workLimit.js';

const BATCH = 1000;

/**
 * Deletes what is found, unless it has been written anew meanwhile.
 * @param forgotten whether nothing is remembered of it, so that its versions begin anew
 */
export async function deleteFound(
  shard: Shard,
  plan: (searched: SearchedShard) => Uint8Array,
  forgotten = false,
): Promise<void> {
  const searched = shard.searched();
  const release = searched.hold();
  try {
    const { keys } = await searched.searches.query(() => plan(searched), WorkLimit.none);
    for (let at = 0; at < keys.length; at += BATCH) {
      const ops: Operation[] = [];
      if (searched.elsewhere !== undefined) {
        for (const key of keys.subarray(at, at + BATCH)) searched.documents.byKey(key);
        await fetchElsewhere([searched], WorkLimit.none);
      }
      for (const key of keys.subarray(at, at + BATCH)) {
        const document = searched.documents.byKey(key);
        if (document === undefined) continue;
        const { type, id, routing, version } = document;
        ops.push({ kind: 'delete', type, id, routing, version, versionType: 'internal', forgotten });
      }
      for (const outcome of await shard.write(ops)) {
        if (outcome instanceof ElasticsearchError && outcome.status !== 409) throw outcome;
      }
    }
  } finally {
    release();
  }
}
