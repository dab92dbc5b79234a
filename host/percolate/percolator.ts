/** The registered queries of an index, shard by shard. They are in force as soon as their documents are written. */
import {
  PERCOLATOR,
  type QueryDocument,
  type QueryCompiler,
  QuerySet,
  type QueryShard,
  type Registered,
  readRegistered,
} from './queries.js';
import { QueryMemory } from './queryMemory.js';
import { isRefusedMemory } from '../errors.js';
import { WorkLimit } from '../workLimit.js';

/** Queries that are being compiled. */
interface Loading {
  ids: string[];
  set: Promise<QuerySet>;
}

/** Keeps the queries of shards from when they are first asked for. */
export class Percolator {
  readonly #index: string;
  readonly #sets = new Map<QueryShard, QuerySet>();
  readonly #loading = new Map<QueryShard, Loading>();
  /** Changes of sets: those of a shard are made one after the other. */
  readonly #changes = new Map<QueryShard, Promise<void>>();
  /** How often the queries of shards have changed. */
  readonly #counts = new WeakMap<QueryShard, number>();
  #compiler: QueryCompiler | undefined;
  #memory = new QueryMemory(() => {});

  constructor(index: string) {
    this.#index = index;
  }

  /** How queries are compiled from now on, and where what they take is counted. */
  use(compiler: QueryCompiler, memory: QueryMemory): void {
    this.#compiler = compiler;
    this.#memory = memory;
  }

  /** Lets go of all queries. */
  close(): void {
    for (const shard of [...this.#sets.keys()]) this.#drop(shard);
    this.#compiler = undefined;
  }

  /** See {@link QueryCompiler.run}. */
  readonly run: QueryCompiler['run'] = (work, limit, goesOn) =>
    this.#compiler === undefined ? work() : this.#compiler.run(work, limit, goesOn);

  /** Refuses, in turns, a document that holds no query that can be, or one for which there is no memory. */
  async check(document: QueryDocument, limit: WorkLimit): Promise<void> {
    if (this.#compiler === undefined) return;
    const { size } = await readRegistered(this.#index, document, this.#compiler, limit);
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
    const limit = WorkLimit.of(Number.POSITIVE_INFINITY);
    try {
      // Ids of documents that change meanwhile are added at the end.
      for (let i = 0; i < ids.length; i++) {
        if (limit.due) await limit.yield();
        await this.#renew(set, shard, ids[i]!, limit, i > 0);
      }
      // Nobody would let go of them any more.
      if (this.#compiler === undefined) this.#memory.add(-set.bytes);
      else this.#sets.set(shard, set);
      return set;
    } catch (e) {
      this.#memory.add(-set.bytes);
      throw e;
    } finally {
      this.#loading.delete(shard);
    }
  }

  /** Grows with each change of a shard's queries. */
  changesOf(shard: QueryShard): number {
    return this.#counts.get(shard) ?? 0;
  }

  /** Whether the queries of a shard are kept. */
  has(shard: QueryShard): boolean {
    return this.#sets.has(shard);
  }

  /** Lets go of the queries of a shard. */
  forget(shard: QueryShard): void {
    this.#drop(shard);
  }

  /** Documents were written or deleted; resolves when what they hold now is in force. */
  async changed(shard: QueryShard, ids: readonly string[]): Promise<void> {
    this.#counts.set(shard, this.changesOf(shard) + 1);
    this.#loading.get(shard)?.ids.push(...ids);
    if (!this.#sets.has(shard)) return;
    const change = this.#change(shard, ids, this.#changes.get(shard));
    this.#changes.set(shard, change);
    await change;
    if (this.#changes.get(shard) === change) this.#changes.delete(shard);
  }

  async #change(shard: QueryShard, ids: readonly string[], before: Promise<void> | undefined): Promise<void> {
    await before;
    const set = this.#sets.get(shard);
    if (set === undefined) return;
    const limit = WorkLimit.of(Number.POSITIVE_INFINITY);
    try {
      for (const id of ids) {
        if (limit.due) await limit.yield();
        await this.#renew(set, shard, id, limit, true);
      }
    } catch {
      // Without this one all would be wrong: whoever asks for them next is told that there is no memory.
      if (this.#sets.get(shard) === set) this.#drop(shard);
    }
  }

  #drop(shard: QueryShard): void {
    const set = this.#sets.get(shard);
    if (set === undefined) return;
    this.#memory.add(-set.bytes);
    this.#sets.delete(shard);
    set.dropped = true;
  }

  /** Brings the query of a document up to date; throws, and changes nothing, without memory for it. */
  async #renew(
    set: QuerySet,
    shard: QueryShard,
    id: string,
    limit: WorkLimit,
    goesOn: boolean,
  ): Promise<void> {
    const document = shard.documents.committed(PERCOLATOR, id);
    const query = document === undefined ? undefined : await this.#read(document, limit, goesOn);
    if (set.dropped) return;
    this.#memory.add((query?.size ?? 0) - (set.get(id)?.size ?? 0));
    if (query === undefined) set.remove(id);
    else set.put(query);
  }

  /** A query that was good when it was written, and is not any more, matches nothing. */
  async #read(document: QueryDocument, limit: WorkLimit, goesOn: boolean): Promise<Registered | undefined> {
    const compiler = this.#compiler;
    try {
      return compiler && (await readRegistered(this.#index, document, compiler, limit, goesOn));
    } catch (e) {
      if (isRefusedMemory(e)) throw e;
      return undefined;
    }
  }
}
