/** One shard's part of a search: what it is asked, and what it has answered. */
import type { SearchResult } from '../core/result.js';
import type { ElasticsearchError } from '../errors.js';
import type { OpenIndex } from '../metadata/openIndex.js';
import type { Statistics } from '../plan/statistics.js';
import type { CompiledSearch } from '../searchBody/compile.js';
import { encodePlan } from '../searchBody/encode.js';
import type { SearchedShard } from '../shard/searchedShard.js';
import { bounded } from './planBound.js';
import type { ShardSuggestions } from './suggesting.js';

/** Plans of fewer bytes aren't counted. */
const SMALL_PLAN = 4096;
/** A plan is copied into a message, and with it to another thread. */
const COPIES = 2;

/** What a shard is asked. */
export class Part {
  readonly index: OpenIndex;
  readonly shard: SearchedShard;
  /** Undefined where the body can't be read for its index. */
  readonly search: CompiledSearch | undefined;
  /** Whether every hit is found, not only those of the first page. */
  readonly #all: boolean;
  /** What the shard is asked to suggest. */
  suggest: (() => Promise<ShardSuggestions>) | undefined = undefined;
  /** Those of all shards, where it scores by them. */
  statistics: Statistics | undefined = undefined;
  result: SearchResult | undefined = undefined;
  suggestions: ShardSuggestions | undefined = undefined;
  /** It answered before it had found all, or was not asked because there was no time. */
  timedOut = false;
  error: ElasticsearchError | undefined;

  constructor(
    index: OpenIndex,
    shard: SearchedShard,
    search: CompiledSearch | undefined,
    all: boolean,
    error: ElasticsearchError | undefined,
  ) {
    this.index = index;
    this.shard = shard;
    this.search = search;
    this.#all = all;
    this.error = error;
  }

  /** Whether the shard is to be asked. */
  get isAsked(): boolean {
    return this.search !== undefined && this.error === undefined && !this.timedOut;
  }

  /** Whether the plan may end early. */
  get terminates(): boolean {
    return this.search?.tree.terminateAfter !== undefined;
  }

  /**
   * The plan as bytes, for a shard that is asked.
   * @param weigh told of those of a long one before they are copied on their way to the shard
   */
  plan(weigh: (bytes: number) => void): Uint8Array {
    const bytes = this.#encoded();
    if (bytes.length > SMALL_PLAN) weigh(COPIES * bytes.length);
    return bytes;
  }

  #encoded(): Uint8Array {
    const { shard, statistics } = this;
    const search = this.search!;
    if (statistics !== undefined)
      return bounded(encodePlan({ ...search.tree, statistics }, shard), shard, false);
    return bounded(search.plan(shard), shard, this.#all && search.size > 0);
  }
}
