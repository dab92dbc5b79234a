/** What the shards of a search are asked: the body compiled for each index. */
import { toElasticsearchError } from '../errors.js';
import type { OpenIndex } from '../metadata/openIndex.js';
import type { SearchTarget } from '../metadata/targets.js';
import { Passes } from '../passes.js';
import type { QueryContext } from '../query/compiler.js';
import { type Progress, searchContext, toldOften } from '../query/searchContext.js';
import { type CompiledSearch, compileSearch } from '../searchBody/compile.js';
import type { SearchedShard } from '../shard/searchedShard.js';
import { type WorkLimit, WorkOver } from '../workLimit.js';
import { chosenShards, searchedShards } from './chosenShards.js';
import { Part } from './part.js';
import { isRepeated, keepSearch, keptSearch, OtherReads } from './repeatedSearch.js';
import { aggregationError, brokenIn, objectField, parseError, windowError } from './searchFailures.js';
import type { SearchRequest } from './searchRequest.js';
import { type ShardSuggestions, suggestIn } from './suggesting.js';

/** The parts of a search, in the order that 1.7 asks them in. */
export interface Planned {
  parts: Part[];
  /** The body as it was compiled for the first index that it could be compiled for. */
  compiled: CompiledSearch | undefined;
}

/** What a compiled query takes in memory for each byte of its plan, about; one of fewer bytes isn't counted. */
const TREE = 20;
const SMALL_TREE = 100_000;

/** Plans a search. A body that can't be read for an index is an error of its shards. */
export class Planning {
  readonly #targets: readonly SearchTarget[];
  readonly #request: SearchRequest;
  readonly #all: boolean;
  readonly #contextOf: (target: SearchTarget) => QueryContext;
  readonly #until: WorkLimit;
  readonly #weigh: (bytes: number) => void;
  readonly #passes: Passes;
  /** The shards of each target, and how many there are in all. */
  readonly #shards: (readonly SearchedShard[])[] = [];
  #count = 0;
  /** Bytes of queries that haven't been counted yet. */
  #trees = 0;
  readonly #planned: Planned = { parts: [], compiled: undefined };

  /**
   * @param all every hit is found, not only those of the first page, which then begins at the first of them
   * @param contextOf what a query is compiled with for an index
   * @param until when its time is over, shards aren't asked
   * @param weigh told of the bytes that many tokens take, or a long query compiled for an index; throws when that is too much
   * @param chosen told of each shard at once when it is chosen
   */
  constructor(
    targets: readonly SearchTarget[],
    request: SearchRequest,
    all: boolean,
    contextOf: (target: SearchTarget) => QueryContext,
    until: WorkLimit,
    weigh: (bytes: number) => void,
    chosen: (shard: SearchedShard) => unknown,
  ) {
    this.#weigh = weigh;
    this.#targets = targets;
    this.#request = request;
    this.#all = all;
    this.#contextOf = contextOf;
    this.#until = until;
    this.#passes = new Passes(until, weigh);
    for (const { index, routing } of targets) {
      const shards = searchedShards(index, chosenShards(index, routing, request.onlyShards), request.copies);
      shards.forEach(chosen);
      this.#shards.push(shards);
      this.#count += shards.length;
    }
  }

  /**
   * Plans for the targets from the one at that place on: a promise only where that takes long.
   * @param goesOn whether others have not had the event loop since something was planned
   */
  planFrom(first: number, goesOn = false): Planned | Promise<Planned> {
    for (let at = first; at < this.#targets.length; at++) {
      this.#weighTrees();
      const isLater = goesOn || at > first;
      if (isLater && this.#until.due) return this.#goOnLater(at);
      const target = this.#targets[at]!;
      const kept = this.#kept(target);
      const context = kept === undefined ? this.#contextOf(target) : undefined;
      const progress: Progress = {};
      try {
        const search = kept ?? this.#compile(target, context!, progress, isLater);
        if (search instanceof Promise) return this.#goOn(search, at, context!, progress);
        this.#take(search, at, context);
      } catch (e) {
        this.#refuse(e, at, progress);
      }
    }
    this.#weighTrees();
    // As 1.7 goes: the first shards of all indices, then the second ones.
    if (this.#targets.length > 1) this.#planned.parts.sort(byNumber);
    return this.#planned;
  }

  /** Counts the queries that have been compiled last. */
  #weighTrees(): void {
    if (this.#trees > SMALL_TREE) this.#weigh(this.#trees);
    this.#trees = 0;
  }

  /** Waits for a body that takes long to compile, and plans for the targets behind. */
  async #goOn(
    compiling: Promise<CompiledSearch>,
    at: number,
    context: QueryContext,
    progress: Progress,
  ): Promise<Planned> {
    try {
      this.#take(await compiling, at, context);
    } catch (e) {
      this.#refuse(e, at, progress);
    }
    return this.planFrom(at + 1, true);
  }

  /** Plans for the targets from the one at that place on in the next turn; what has no time left is found out there. */
  async #goOnLater(at: number): Promise<Planned> {
    try {
      await this.#until.yield();
    } catch (e) {
      if (!isLate(e, this.#until)) throw e;
    }
    return this.planFrom(at);
  }

  /** What the body was compiled to for the target when it came before. */
  #kept(target: SearchTarget): CompiledSearch | undefined {
    const { body } = this.#request;
    return isRepeated(body) && this.#isPlain(target)
      ? keptSearch(body, target.index, this.#count)
      : undefined;
  }

  #compile(
    target: SearchTarget,
    context: QueryContext,
    progress: Progress,
    goesOn: boolean,
  ): CompiledSearch | Promise<CompiledSearch> {
    const { body } = this.#request;
    if (!isRepeated(body) || !this.#isPlain(target)) return this.#compiled(target, context, progress, goesOn);
    const others = new OtherReads();
    const search = this.#compiled(target, others.of(context), progress, goesOn);
    if (!(search instanceof Promise) && !others.any) keepSearch(body, search, target.index, this.#count);
    return search;
  }

  /** Whether nothing but the body says what is searched for, in an index that is searched as a whole. */
  #isPlain({ filter, confined }: SearchTarget): boolean {
    const { phase, types } = this.#request;
    return (
      filter === undefined &&
      confined === undefined &&
      phase === undefined &&
      types === undefined &&
      !this.#all
    );
  }

  #compiled(
    { filter }: SearchTarget,
    context: QueryContext,
    progress: Progress,
    goesOn: boolean,
  ): CompiledSearch | Promise<CompiledSearch> {
    const { body, phase, types } = this.#request;
    const from = this.#all ? 0 : undefined;
    const size = phase === 'query' ? 0 : undefined;
    const asked = searchContext(context, { progress, shards: this.#count, from, size, types, filter });
    return this.#passes.run(() => compileSearch(body, asked), goesOn);
  }

  /** Plans for the shards of a target; `context`: what the search was compiled with, unless it was known. */
  #take(search: CompiledSearch, at: number, context: QueryContext | undefined): void {
    const { index } = this.#targets[at]!;
    const { unreadable, types } = this.#request;
    // What can be read of a broken body is read, as 1.7 does before it comes to the end.
    if (unreadable !== undefined) throw brokenIn(unreadable, index.name);
    this.#planned.compiled ??= search;
    this.#trees += TREE * search.planBytes;
    const all = search.suggest === undefined ? [] : searchedShards(index);
    for (const shard of this.#shards[at]!) {
      const part = new Part(index, shard, search, this.#all, refusal(index, shard, search, types));
      if (search.suggest !== undefined) part.suggest = suggestion(shard, all, search, context!, this.#until);
      this.#planned.parts.push(part);
    }
  }

  /** The shards of a target fail, or have no time. */
  #refuse(thrown: unknown, at: number, progress: Progress): void {
    const { index, confined } = this.#targets[at]!;
    const { exception } = toElasticsearchError(thrown);
    // What is refused for one index is not answered of the others; nor is what there is no memory for.
    if (exception === 'CircuitBreakingException' || (confined && exception === 'AuthorizationException'))
      throw thrown;
    const timedOut = isLate(thrown, this.#until);
    if (thrown instanceof WorkOver && !timedOut) throw thrown;
    const { text } = this.#request;
    const told = toldOften(progress);
    for (const shard of this.#shards[at]!) {
      const error = timedOut ? undefined : parseError(thrown, index, shard, text, told, this.#count);
      const part = new Part(index, shard, undefined, this.#all, error);
      part.timedOut = timedOut;
      this.#planned.parts.push(part);
    }
  }
}

/** Whether something ended because its time is over, and somebody still waits for the answer. */
export function isLate(thrown: unknown, limit: WorkLimit): boolean {
  return thrown instanceof WorkOver && limit.late && !limit.cancelled;
}

/** Why a shard isn't asked, although the body could be compiled. */
function refusal(
  index: OpenIndex,
  shard: SearchedShard,
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
  shard: SearchedShard,
  shards: readonly SearchedShard[],
  { suggest }: CompiledSearch,
  context: QueryContext,
  until: WorkLimit,
): () => Promise<ShardSuggestions> {
  return () => suggestIn(shard, shards, suggest!, context, until);
}

function byNumber(a: Part, b: Part): number {
  return a.shard.number - b.shard.number || (a.index.name < b.index.name ? -1 : 1);
}
