/** What the shards of a search are asked: the body compiled for each index. */
import { toElasticsearchError } from '../errors.js';
import type { OpenIndex } from '../metadata/openIndex.js';
import type { SearchTarget } from '../metadata/targets.js';
import { Passes } from '../passes.js';
import type { QueryContext } from '../query/compiler.js';
import { type Progress, searchContext } from '../query/searchContext.js';
import { type CompiledSearch, compileSearch } from '../searchBody/compile.js';
import type { Shard } from '../shard/shard.js';
import { type WorkLimit, WorkOver } from '../workLimit.js';
import { chosenShards } from './chosenShards.js';
import { Part } from './part.js';
import { aggregationError, brokenIn, objectField, parseError, windowError } from './searchFailures.js';
import type { SearchRequest } from './searchRequest.js';
import { type ShardSuggestions, suggestIn } from './suggesting.js';

/** The parts of a search, in the order that 1.7 asks them in. */
export interface Planned {
  parts: Part[];
  /** The body as it was compiled for the first index that it could be compiled for. */
  compiled: CompiledSearch | undefined;
}

/**
 * Plans a search. A body that can't be read for an index is an error of its shards.
 * @param all every hit is found, not only those of the first page, which then begins at the first of them
 * @param contextOf what a query is compiled with for an index
 * @param until when its time is over, shards aren't asked
 */
export async function planParts(
  targets: readonly SearchTarget[],
  request: SearchRequest,
  all: boolean,
  contextOf: (target: SearchTarget) => QueryContext,
  until: WorkLimit,
): Promise<Planned> {
  const planned: Planned = { parts: [], compiled: undefined };
  const chosen = targets.map(({ index, routing }) => chosenShards(index, routing, request.onlyShards));
  let count = 0;
  for (const shards of chosen) count += shards.length;
  const from = all ? 0 : undefined;
  const size = request.phase === 'query' ? 0 : undefined;
  const { types } = request;
  const passes = new Passes(until);
  for (const [i, target] of targets.entries()) {
    const { index, filter } = target;
    const shards = chosen[i]!;
    const context = contextOf(target);
    const progress: Progress = {};
    try {
      const asked = searchContext(context, { progress, shards: count, from, size, types, filter });
      const made = passes.run(() => compileSearch(request.body, asked));
      const search = made instanceof Promise ? await made : made;
      // What can be read of a broken body is read, as 1.7 does before it comes to the end.
      if (request.unreadable !== undefined) throw brokenIn(request.unreadable, index.name);
      planned.compiled ??= search;
      for (const shard of shards) {
        const part = new Part(index, shard, search, all, refusal(index, shard, search, types));
        if (search.suggest !== undefined)
          part.suggest = suggestion(shard, index.shards, search, context, until);
        planned.parts.push(part);
      }
    } catch (e) {
      // What is refused for one index is not answered of the others.
      if (target.confined && toElasticsearchError(e).exception === 'AuthorizationException') throw e;
      const timedOut = isLate(e, until);
      if (e instanceof WorkOver && !timedOut) throw e;
      for (const shard of shards) {
        const error = timedOut ? undefined : parseError(e, index, shard, request.text, progress, count);
        const part = new Part(index, shard, undefined, all, error);
        part.timedOut = timedOut;
        planned.parts.push(part);
      }
    }
  }
  // As 1.7 goes: the first shards of all indices, then the second ones.
  if (targets.length > 1) planned.parts.sort(byNumber);
  return planned;
}

/** Whether something ended because its time is over, and somebody still waits for the answer. */
export function isLate(thrown: unknown, limit: WorkLimit): boolean {
  return thrown instanceof WorkOver && limit.late && !limit.cancelled;
}

/** Why a shard isn't asked, although the body could be compiled. */
function refusal(
  index: OpenIndex,
  shard: Shard,
  search: CompiledSearch,
  types: readonly string[] | undefined,
) {
  return (
    windowError(index, shard, search) ??
    objectField(index, search.fields, types) ??
    aggregationError(index, shard, search)
  );
}

function suggestion(
  shard: Shard,
  shards: readonly Shard[],
  { suggest }: CompiledSearch,
  context: QueryContext,
  until: WorkLimit,
): () => Promise<ShardSuggestions> {
  return () => suggestIn(shard, shards, suggest!, context, until);
}

function byNumber(a: Part, b: Part): number {
  return a.shard.number - b.shard.number || (a.index.name < b.index.name ? -1 : 1);
}
