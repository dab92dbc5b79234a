/** The registered queries of an index, shard by shard. They are in force as soon as their documents are written. */
import { type CompilePercolated, PERCOLATOR, QuerySet, type Registered, readRegistered } from './queries.js';
import { QueryMemory } from './queryMemory.js';

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
  #memory = new QueryMemory(() => {});

  constructor(index: string) {
    this.#index = index;
  }

  /** How queries are compiled from now on, how others get a turn meanwhile, and where what they take is counted. */
  use(compile: CompilePercolated, turn: Turn, memory: QueryMemory): void {
    this.#compile = compile;
    this.#turn = turn;
    this.#memory = memory;
  }

  /** Lets go of all queries. */
  close(): void {
    for (const shard of [...this.#sets.keys()]) this.#drop(shard);
    this.#compile = undefined;
  }

  /** Refuses a document that holds no query that can be, or one for which there is no memory. */
  check(document: QueryDocument): void {
    if (this.#compile === undefined) return;
    const { size } = readRegistered(this.#index, document, this.#compile);
    this.#memory.check(size);
  }

  /** The queries of a shard; throws where they take too much memory. */
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
    const set = new QuerySet();
    try {
      await this.#fill(set, shard, ids);
      // Nobody would let go of them any more.
      if (this.#compile === undefined) this.#memory.add(-set.bytes);
      else this.#sets.set(shard, set);
      return set;
    } catch (e) {
      this.#memory.add(-set.bytes);
      throw e;
    } finally {
      this.#loading.delete(shard);
    }
  }

  async #fill(set: QuerySet, shard: QueryShard, ids: string[]): Promise<void> {
    let turnEnds = performance.now() + TURN_MS;
    // Ids of documents that change meanwhile are added at the end.
    for (let i = 0; i < ids.length; i++) {
      this.#renew(set, shard, ids[i]!);
      if (performance.now() < turnEnds) continue;
      await new Promise<void>((resolve) => this.#turn(resolve));
      turnEnds = performance.now() + TURN_MS;
    }
  }

  /** A document was written or deleted. */
  changed(shard: QueryShard, id: string): void {
    this.#loading.get(shard)?.ids.push(id);
    const set = this.#sets.get(shard);
    if (set === undefined) return;
    try {
      this.#renew(set, shard, id);
    } catch {
      // Without this one all would be wrong: whoever asks for them next is told that there is no memory.
      this.#drop(shard);
    }
  }

  #drop(shard: QueryShard): void {
    this.#memory.add(-(this.#sets.get(shard)?.bytes ?? 0));
    this.#sets.delete(shard);
  }

  /** Brings the query of a document up to date; throws, and changes nothing, without memory for it. */
  #renew(set: QuerySet, shard: QueryShard, id: string): void {
    const document = shard.documents.committed(PERCOLATOR, id);
    const query = document === undefined ? undefined : this.#read(document);
    this.#memory.add((query?.size ?? 0) - (set.get(id)?.size ?? 0));
    if (query === undefined) set.remove(id);
    else set.put(query);
  }

  /** A query that was good when it was written, and is not any more, matches nothing. */
  #read(document: QueryDocument): Registered | undefined {
    try {
      return this.#compile === undefined ? undefined : readRegistered(this.#index, document, this.#compile);
    } catch {
      return undefined;
    }
  }
}
