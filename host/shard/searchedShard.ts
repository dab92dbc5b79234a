/** A shard as a search sees it, wherever its copies are. */
import type { StoredDocument } from '../storage/storedDocuments.js';
import type { Version } from '../storage/versions.js';
import type { WorkLimit } from '../workLimit.js';
import type { Counters } from './counters.js';
import type { ShardDocuments } from './shardDocuments.js';
import type { ShardSearches } from './shardSearches.js';

/** The documents of a shard as searches and requests for documents read them. */
export interface SearchedDocuments
  extends Pick<
    ShardDocuments,
    'areCold' | 'byKey' | 'get' | 'holder' | 'visible' | 'visibleKey' | 'visibleKeys'
  > {
  /** Brings documents nearer that are about to be read; undefined where there is nothing to wait for. */
  prefetch(keys: readonly number[], limit: WorkLimit): Promise<void> | undefined;
  /** Of a shard of another node: see `PlanShard`. */
  fillLater?(at: number, uids: readonly string[]): boolean;
}

/** A shard that is searched: `Shard` itself where this node has a copy, else a view of another node's for one request. */
export interface SearchedShard {
  readonly number: number;
  /** The shard's number in the store. */
  readonly uid: number;
  /** False where it can't be searched. */
  readonly active: boolean;
  readonly counters: Counters;
  readonly documents: SearchedDocuments;
  readonly searches: Pick<ShardSearches, 'query' | 'terms'>;
  /** No search can find more documents than this. */
  readonly documentBound: number;
  /** Keeps every row that a search may still name until the returned function is called. */
  hold(): () => void;
  /** The id of the node whose copy is searched; undefined where it is this one's. */
  readonly node?: string | undefined;
  /** Of a shard of another node: what was read of its documents and isn't here. */
  readonly elsewhere?: DocumentsElsewhere | undefined;
}

/**
 * Documents of another node. What is read of them and isn't here yet is as if it weren't there, and noted: whoever reads fetches it then, and
 * reads again from the beginning.
 */
export interface DocumentsElsewhere {
  /** Fetches what was read and wasn't here; false where all was. What can't be had is told to who reads it next. */
  fetch(limit: WorkLimit): Promise<boolean>;
  /** Fetches documents by their ids; why that failed is told to who reads them. @param realtime the newest versions, else those that searches find */
  fetchIds(ids: readonly DocumentId[], realtime: boolean, limit: WorkLimit): Promise<void>;
  /** Reads documents by their ids, in their order, for the node itself: no stats count that. Throws where they can't be had. */
  read(ids: readonly DocumentId[], limit: WorkLimit): Promise<(StoredDocument | undefined)[]>;
  /**
   * The registered queries that there are, by their ids.
   * @param known what the copy called what it told the last time; undefined is returned where nothing has changed since
   */
  queries(known: string | undefined, limit: WorkLimit): Promise<RegisteredVersions | undefined>;
  /** Why nothing can be read any more, if that is so. */
  readonly failure: Error | undefined;
  /** Lets go of all that was fetched. */
  forget(): void;
}

/** The versions of registered queries, and what their copy calls that state. */
export interface RegisteredVersions {
  stamp: string;
  versions: ReadonlyMap<string, Version>;
}

/** A document by its id. */
export interface DocumentId {
  type: string;
  id: string;
}

/** Fetches what was read of shards of other nodes and wasn't here; false where all was. */
export async function fetchElsewhere(shards: Iterable<SearchedShard>, limit: WorkLimit): Promise<boolean> {
  const asked = [...new Set(shards)].flatMap(({ elsewhere }) => elsewhere ?? []);
  if (asked.length === 0) return false;
  const fetched = await Promise.all(asked.map((each) => each.fetch(limit)));
  return fetched.includes(true);
}

/** So often what was read is fetched and read again: parts of a document lead to others a few times, not for ever. */
const MOST_READS = 16;

/** Reads until all is here that is read of shards of other nodes. `read` must be without effects but for what it returns. */
export async function readElsewhere<T>(
  shards: readonly SearchedShard[],
  limit: WorkLimit,
  read: () => T | Promise<T>,
): Promise<T> {
  for (let left = MOST_READS; ; left--) {
    let result: T | undefined;
    let error: unknown;
    let failed = false;
    try {
      result = await read();
    } catch (e) {
      failed = true;
      error = e;
    }
    if (left === 0 || !(await fetchElsewhere(shards, limit))) {
      if (failed) throw error;
      return result as T;
    }
  }
}

/** The newest versions of documents of a shard, by their ids, or those that searches find; for one request. */
export async function withDocuments(
  shard: { searched(): SearchedShard },
  ids: readonly DocumentId[],
  realtime: boolean,
  limit: WorkLimit,
): Promise<SearchedShard> {
  const searched = shard.searched();
  await searched.elsewhere?.fetchIds(ids, realtime, limit);
  return searched;
}
