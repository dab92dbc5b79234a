/** Suggestions: what each shard suggests, and one answer of all. */
import { compileQuery } from '../query/compileQuery.js';
import type { SearchContext } from '../query/searchContext.js';
import { encodePlan } from '../searchBody/encode.js';
import { ElasticsearchError, limitStatus, toElasticsearchError } from '../errors.js';
import type { Entry, Suggestion, SuggestShard } from '../suggest/context.js';
import { type Partial, reduceSuggestion } from '../suggest/reduce.js';
import { suggesters } from '../suggest/lateSuggesters.js';
import { Passes } from '../passes.js';
import type { QueryFailure } from './queryFailure.js';
import type { SearchedShard } from '../shard/searchedShard.js';
import { atMost } from './atMost.js';
import { type CopyChoice, chosenShards, searchedShards } from './chosenShards.js';
import type { SearchTarget } from '../metadata/targets.js';
import { inTurnsIfLong, type Turns, type WorkLimit } from '../workLimit.js';
import { TermReader } from '../shard/termReader.js';

/** What was suggested, by name. */
export type Suggestions = ReadonlyMap<string, readonly Entry[]>;

/** One shard's share. */
export type ShardSuggestions = ReadonlyMap<string, Partial>;

/** A shard as suggesters ask it. */
class ReadShard extends TermReader implements SuggestShard {
  readonly #all: readonly SearchedShard[];
  readonly #context: SearchContext;
  readonly #limit: WorkLimit;

  constructor(shard: SearchedShard, all: readonly SearchedShard[], context: SearchContext, limit: WorkLimit) {
    super(shard.searches, limit);
    this.#limit = limit;
    this.#all = all;
    this.#context = context;
  }

  async finds(query: unknown): Promise<boolean> {
    const plan = compileQuery(query, this.#context);
    const found = await Promise.all(
      this.#all
        .filter((shard) => shard.active)
        .map((shard) => shard.searches.query(() => encodePlan(plan, shard), this.#limit)),
    );
    return found.some(({ total }) => total > 0);
  }
}

/** Suggestions of one request that are made together. */
const SUGGESTIONS_AT_ONCE = 16;

/** What one shard of an index's suggests; a shard without documents has nothing to say, not even that it finds nothing. */
export async function suggestIn(
  shard: SearchedShard,
  all: readonly SearchedShard[],
  suggestions: ReadonlyMap<string, Suggestion>,
  context: SearchContext,
  limit: WorkLimit,
): Promise<ShardSuggestions> {
  const { counters } = shard;
  const started = performance.now();
  const reader = new ReadShard(shard, all, context, limit);
  const { live } = await reader.statistics([]);
  if (live === 0) return new Map();
  counters.suggestionsNow++;
  try {
    const found = await atMost(
      SUGGESTIONS_AT_ONCE,
      [...suggestions],
      async ([name, suggestion]): Promise<[string, Partial]> => {
        const { size, order } = suggestion;
        if (limit.due) await limit.yield();
        return [name, { size, order, entries: await suggestion.run(reader) }];
      },
    );
    return new Map(found);
  } finally {
    counters.suggestionsNow--;
    counters.suggestions++;
    counters.suggestTime += performance.now() - started;
  }
}

/** Steps of a work limit that a suggestion's answer takes, at least. */
const REDUCE_STEPS = 16;

/** One answer of those of the shards, in turns; `limit` counts the steps. */
export function* reduceSuggestions(parts: readonly ShardSuggestions[], limit: WorkLimit): Turns<Suggestions> {
  const names = new Set(parts.flatMap((part) => [...part.keys()]));
  const all: Map<string, Entry[]> = new Map();
  for (const name of names) {
    if (limit.isDue(REDUCE_STEPS)) yield;
    all.set(name, reduceSuggestion(parts.flatMap((part) => part.get(name) ?? [])));
  }
  return all;
}

/** Suggests without searching. */
export async function suggest(
  targets: readonly SearchTarget[],
  { body, unreadable }: { body: unknown; unreadable?: ElasticsearchError | undefined },
  contextOf: (target: SearchTarget) => SearchContext,
  limit: WorkLimit,
  only?: ReadonlySet<number>,
  copies?: CopyChoice,
): Promise<{ suggestions: Suggestions; total: number; failures: QueryFailure[] }> {
  const failures: QueryFailure[] = [];
  const parts: Promise<ShardSuggestions | undefined>[] = [];
  for (const target of targets) {
    const { index, routing } = target;
    const shards = searchedShards(index, chosenShards(index, routing, only), copies);
    const all = searchedShards(index);
    const context = contextOf(target);
    const failed = (shard: SearchedShard, thrown: unknown): undefined => {
      const nested = toElasticsearchError(thrown);
      const error = new ElasticsearchError('ElasticsearchException', 'failed to execute suggest', {
        status: limitStatus(nested) ?? 500,
        nested,
      });
      failures.push({ index: target.index.name, shard: shard.number, error });
    };
    let compiled: ReadonlyMap<string, Suggestion>;
    try {
      if (unreadable !== undefined) throw unreadable;
      compiled = await new Passes(limit).run(() => suggesters.loaded.compileSuggest(body, context));
    } catch (e) {
      for (const shard of shards) {
        failed(shard, e);
        parts.push(Promise.resolve(undefined));
      }
      continue;
    }
    for (const shard of shards)
      parts.push(suggestIn(shard, all, compiled, context, limit).catch((e) => failed(shard, e)));
  }
  const found = (await Promise.all(parts)).filter((part) => part !== undefined);
  const suggestions = await inTurnsIfLong(reduceSuggestions(found, limit), limit);
  return { suggestions, total: parts.length, failures };
}
