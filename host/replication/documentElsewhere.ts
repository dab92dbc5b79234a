/** Documents of other nodes that a query needs to be compiled. */
import { ElasticsearchError } from '../errors.js';
import { awaitedPart } from '../passes.js';
import { type SearchedShard, withDocuments } from '../shard/searchedShard.js';
import type { StoredDocument } from '../storage/storedDocuments.js';

/**
 * The newest version of a document by its id, of the first type that has it: the work in passes that it is read in (passes.ts) begins anew
 * when it is there. 503 where work can't wait.
 */
export function documentElsewhere(
  shard: { searched(): SearchedShard },
  types: readonly string[],
  id: string,
): StoredDocument | undefined {
  const ids = types.map((type) => ({ type, id }));
  const found = awaitedPart(shard, JSON.stringify(ids), async (limit) => {
    const { documents } = await withDocuments(shard, ids, true, limit);
    for (const type of types) {
      const document = documents.get(type, id);
      if (document !== undefined) return document;
    }
    return undefined;
  });
  if (found !== undefined) return found.value;
  const detail = `[${types.join()}][${id}] is in a shard of another node, which can not be waited for here`;
  throw new ElasticsearchError('NoShardAvailableActionException', detail, { status: 503 });
}
