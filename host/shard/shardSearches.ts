/** Searches of one shard's core: counted, with the uids that they need, and with refusals in the engine's words. */
import type { SearchResult } from '../core/result.js';
import { CoreError, refusedField, Status, unpositioned } from '../core/status.js';
import { ElasticsearchError } from '../errors.js';
import type { Storage } from '../storage/storage.js';
import type { Counters } from './counters.js';
import type { ShardConnection } from './shardConnection.js';
import { type WorkLimit, WorkOver } from '../workLimit.js';
import { gatherUids } from './uids.js';

/** What searching a shard needs of it. */
export interface SearchesContext {
  storage: Storage;
  /** The shard's number in the store. */
  uid: number;
  connection: ShardConnection;
  counters: Counters;
  /** The name of a field by its number. */
  fieldName(number: number): string;
  /** What is said to a search that needs too much of a field's values. */
  refuseFielddata?: ((field: string) => ElasticsearchError) | undefined;
}

/** How often a search waits for uids of segments that weren't there before. */
const UIDS_TRIES = 5;

/** Searches one shard. */
export class ShardSearches {
  readonly #context: SearchesContext;
  #givingUids: Promise<void> | undefined;

  constructor(context: SearchesContext) {
    this.#context = context;
  }

  /**
   * The hits of a plan; the caller holds the shard until it has read them.
   * @param limit ends the search before it is through; see {@link ShardClient.search}
   * @param groups what the search is counted under besides
   */
  async query(
    plan: () => Uint8Array,
    limit: WorkLimit,
    groups: readonly string[] = [],
  ): Promise<SearchResult> {
    const { connection, counters: all } = this.#context;
    const counters = all.searching(groups);
    const started = performance.now();
    for (const each of counters) each.queriesNow++;
    try {
      // Segments that a search needs the uids of get them first; merges may make others meanwhile.
      for (let tries = UIDS_TRIES; ; tries--) {
        try {
          return await connection.ask(plan, (client, bytes) => client.search(bytes, limit));
        } catch (e) {
          if (!(e instanceof CoreError && e.code === Status.uids) || tries === 0) throw e;
        }
        this.#givingUids ??= this.#giveUids().finally(() => {
          this.#givingUids = undefined;
        });
        await this.#givingUids;
      }
    } catch (e) {
      if (!(e instanceof CoreError)) throw e;
      const { fieldName, refuseFielddata } = this.#context;
      const lacking = unpositioned(e.code);
      if (lacking !== undefined) throw withoutPositions(fieldName(lacking.field), lacking.query, e.detail);
      const field = refusedField(e.code);
      if (field === undefined) throw refusalOf(e);
      throw refuseFielddata?.(fieldName(field)) ?? e;
    } finally {
      const took = performance.now() - started;
      for (const each of counters) {
        each.queriesNow--;
        each.queries++;
        each.queryTime += took;
      }
    }
  }

  /** The answer to a read of dictionaries: `termReader.ts` writes and reads both. */
  async terms(request: Uint8Array, limit: WorkLimit): Promise<Uint8Array> {
    try {
      return await this.#context.connection.ask(
        () => request,
        (client, bytes) => client.terms(bytes, limit),
      );
    } catch (e) {
      throw e instanceof CoreError ? refusalOf(e) : e;
    }
  }

  async #giveUids(): Promise<void> {
    const { connection, storage, uid } = this.#context;
    for (const { id, keys } of await connection.call((client) => client.withoutUids())) {
      const uids = await gatherUids(storage, uid, keys);
      await connection.call((client) => client.giveUids(id, uids));
    }
  }
}

const TOO_LARGE =
  'the hits and buckets of this search need more memory than one search of a shard may use: ask for fewer of them';

const TOO_MUCH =
  'the search has more sort keys, points to sort by, words in a phrase or parts within parts of a script than can be handled';

/** What any read of a shard says that its core refuses, whatever it is for; the error itself where that takes more to be known. */
function refusalOf(e: CoreError): Error {
  switch (e.code) {
    case Status.interrupted:
      return new WorkOver();
    case Status.clauses:
      return new ElasticsearchError('TooManyClauses', 'maxClauseCount is set to 1024', { status: 400 });
    case Status.limit:
      return new ElasticsearchError('QueryPhaseExecutionException', TOO_MUCH, { status: 400 });
    case Status.memory:
      return new ElasticsearchError('CircuitBreakingException', TOO_LARGE, { status: 500 });
    default:
      return e;
  }
}

const utf8 = new TextDecoder();

/** 500: a word of a phrase, or of a span query, occurs where the field has no positions. */
function withoutPositions(field: string, query: string, term: Uint8Array | undefined): ElasticsearchError {
  const detail = `field "${field}" was indexed without position data; cannot run ${query} (term=${utf8.decode(term)})`;
  return new ElasticsearchError('IllegalStateException', detail, { status: 500 });
}
