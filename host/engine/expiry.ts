/** Deletes documents whose time to live is over. */

import type { OpenIndex } from '../metadata/openIndex.js';
import { compileQuery } from '../query/compileQuery.js';
import type { SearchContext } from '../query/searchContext.js';
import { encodePlan } from '../searchBody/encode.js';
import { deleteFound } from './foundDeletion.js';

/** How long documents may stay after their time, in milliseconds, where `indices.ttl.interval` doesn't say. */
export const EXPIRY_MS = 60_000;

/** Whether documents of an index may expire. */
export function mayExpire({ closed, metadata, model }: OpenIndex): boolean {
  if (closed || metadata.settings.flat['index.ttl.disable_purge'] === 'true') return false;
  return model.typeNames().some((type) => model.type(type)!.meta.ttl.enabled === true);
}

/**
 * Deletes what searches find of an index's documents that had expired at `now`; they are gone with the next refresh.
 * @param copies knows of which shards this node's copy is the first; of all without
 */
export async function deleteExpired(
  index: OpenIndex,
  context: SearchContext,
  now: number,
  copies?: { isFirstCopy(index: OpenIndex, shard: number): boolean },
): Promise<void> {
  const tree = compileQuery({ range: { _ttl: { lte: now } } }, context);
  for (const shard of index.shards) {
    if (!shard.active || copies?.isFirstCopy(index, shard.number) === false) continue;
    await deleteFound(shard, () => {
      const k = Math.max(1, shard.documentBound);
      return encodePlan({ ...tree, k }, shard);
    });
  }
}
