/** Documents that a query needs to be compiled, and that other nodes have, or have written just now. */
import { ElasticsearchError } from '../errors.js';
import { awaitedPart } from '../passes.js';
import { type SearchedShard, withDocuments } from '../shard/searchedShard.js';
import type { StoredDocument } from '../storage/storedDocuments.js';

/**
 * The newest version of a document by its id, of the first type that has it: the work in passes that it is read in (passes.ts) begins anew
 * when it is there. Where work can't wait, what a copy of this node has is read as it is; 503 without a copy.
 * @param current resolves when this node's copy has all that was acknowledged before; undefined where it has none
 */
export function documentElsewhere(
  shard: { searched(): SearchedShard },
  types: readonly string[],
  id: string,
  current?: () => Promise<void>,
): StoredDocument | undefined {
  const ids = types.map((type) => ({ type, id }));
  const first = ({ documents }: SearchedShard) => {
    for (const type of types) {
      const document = documents.get(type, id);
      if (document !== undefined) return document;
    }
    return undefined;
  };
  const found = awaitedPart(shard, JSON.stringify(ids), async (limit) => {
    await current?.();
    return first(await withDocuments(shard, ids, true, limit));
  });
  if (found !== undefined) return found.value;
  if (current !== undefined) return first(shard.searched());
  const detail = `[${types.join()}][${id}] is in a shard of another node, which can not be waited for here`;
  throw new ElasticsearchError('NoShardAvailableActionException', detail, { status: 503 });
}
