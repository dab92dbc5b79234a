/** Deleting what a query finds. */

import type { OpenIndex } from '../metadata/openIndex.js';
import type { SearchTarget } from '../metadata/targets.js';
import { compileQuery } from '../query/compileQuery.js';
import { Passes } from '../passes.js';
import { WorkLimit } from '../workLimit.js';
import type { SearchContext } from '../query/searchContext.js';
import { chosenShards } from '../search/chosenShards.js';
import type { SearchedShard } from '../shard/searchedShard.js';
import { encodePlan } from '../searchBody/encode.js';
import type { Engine } from './engine.js';
import { deleteFound } from './foundDeletion.js';

/**
 * Deletes every document of a target that the query finds, so that nothing finds them any more; those written meanwhile stay. Errors
 * of the query are thrown before anything is deleted.
 * @param query as JSON; undefined finds all
 */
export async function deleteByQuery(
  engine: Engine,
  target: SearchTarget,
  query: unknown,
  types?: readonly string[],
): Promise<void> {
  const { index, filter, routing } = target;
  index.checkBlock('write');
  const context = engine.context(index, {
    ...(types === undefined ? {} : { types: [...types] }),
    ...(filter === undefined ? {} : { filter }),
  }) as SearchContext;
  const tree = await new Passes(WorkLimit.none).run(() => compileQuery(query, context));
  await engine.current(index.name);
  if (engine.replication !== undefined) await engine.refresh([index]);
  await Promise.all(
    chosenShards(index, routing).map(async (shard) => {
      // What was written just now counts too.
      if (engine.replication === undefined) await shard.refresh();
      const plan = (searched: SearchedShard) =>
        encodePlan({ ...tree, k: Math.max(1, searched.documentBound) }, searched);
      await deleteFound(shard, plan, true);
      // 1.7 refreshes here too.
      if (engine.replication === undefined) await shard.refresh();
    }),
  );
  if (engine.replication !== undefined) await engine.refresh([index]);
}

/** Deletes the documents of types. */
export async function deleteByType(
  engine: Engine,
  index: OpenIndex,
  types: readonly string[],
): Promise<void> {
  await deleteByQuery(engine, { index }, undefined, types);
}
