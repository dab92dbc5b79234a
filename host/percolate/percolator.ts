/** The registered queries of an index, shard by shard. They are in force as soon as their documents are written. */
import { type CompilePercolated, PERCOLATOR, QuerySet, readRegistered } from './queries.js';

interface QueryDocument {
  id: string;
  source: Uint8Array;
}

/** What is needed of a shard. */
export interface QueryShard {
  readonly documents: {
    /** The ids of a type's documents. */
    idsOf(type: string): Iterable<string>;
    /** One of them as it was last committed. */
    committed(type: string, id: string): QueryDocument | undefined;
  };
}

/** Calls back in another turn of the event loop. */
type Turn = (callback: () => void) => void;

/** Queries that are being compiled. */
interface Loading {
  ids: string[];
  set: Promise<QuerySet>;
}

/** Others get a turn after that many milliseconds. */
const TURN_MS = 4;

/** Keeps the queries of shards from when they are first asked for. */
export class Percolator {
  readonly #index: string;
  readonly #sets = new Map<QueryShard, QuerySet>();
  readonly #loading = new Map<QueryShard, Loading>();
  #compile: CompilePercolated | undefined;
  #turn: Turn = (callback) => callback();

  constructor(index: string) {
    this.#index = index;
  }

  /** How queries are compiled from now on, and how others get a turn meanwhile. */
  use(compile: CompilePercolated, turn: Turn): void {
    this.#compile = compile;
    this.#turn = turn;
  }

  /** Refuses a document that holds no query that can be. */
  check(document: QueryDocument): void {
    if (this.#compile !== undefined) readRegistered(this.#index, document, this.#compile);
  }

  /** The queries of a shard. */
  async of(shard: QueryShard): Promise<QuerySet> {
    const known = this.#sets.get(shard);
    if (known !== undefined) return known;
    let loading = this.#loading.get(shard);
    if (loading === undefined) {
      loading = { ids: [...shard.documents.idsOf(PERCOLATOR)], set: Promise.resolve(new QuerySet()) };
      this.#loading.set(shard, loading);
      loading.set = this.#load(shard, loading.ids);
    }
    return loading.set;
  }

  /** How many queries a shard has. */
  count(shard: QueryShard): number {
    return this.#sets.get(shard)?.size ?? [...shard.documents.idsOf(PERCOLATOR)].length;
  }

  async #load(shard: QueryShard, ids: string[]): Promise<QuerySet> {
    try {
      return await this.#loaded(shard, ids);
    } finally {
      this.#loading.delete(shard);
    }
  }

  async #loaded(shard: QueryShard, ids: string[]): Promise<QuerySet> {
    const set = new QuerySet();
    let turnEnds = performance.now() + TURN_MS;
    // Ids of documents that change meanwhile are added at the end.
    for (let i = 0; i < ids.length; i++) {
      this.#renew(set, shard, ids[i]!);
      if (performance.now() < turnEnds) continue;
      await new Promise<void>((resolve) => this.#turn(resolve));
      turnEnds = performance.now() + TURN_MS;
    }
    this.#sets.set(shard, set);
    return set;
  }

  /** A document was written or deleted. */
  changed(shard: QueryShard, id: string): void {
    this.#loading.get(shard)?.ids.push(id);
    const set = this.#sets.get(shard);
    if (set !== undefined) this.#renew(set, shard, id);
  }

  #renew(set: QuerySet, shard: QueryShard, id: string): void {
    const document = shard.documents.committed(PERCOLATOR, id);
    if (document === undefined) set.remove(id);
    else this.#put(set, document);
  }

  /** A query that was good when it was written, and is not any more, matches nothing. */
  #put(set: QuerySet, document: QueryDocument): void {
    try {
      if (this.#compile !== undefined) set.put(readRegistered(this.#index, document, this.#compile));
    } catch {
      set.remove(document.id);
    }
  }
}
