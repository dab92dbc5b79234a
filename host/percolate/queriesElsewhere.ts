/** Registered queries of shards that other nodes have: this node compiles them itself, and asks before each use whether they have changed. */
import type { SearchedShard } from '../shard/searchedShard.js';
import type { Version } from '../storage/versions.js';
import type { WorkLimit } from '../workLimit.js';
import { PERCOLATOR, type QuerySet, type QueryShard } from './queries.js';

type QueryDocument = NonNullable<ReturnType<QueryShard['documents']['committed']>>;

/** What is known of a shard. */
interface Known {
  /** What stands for the shard where queries are kept. */
  readonly shard: QueryShard;
  /** Documents that are about to be compiled. */
  readonly documents: Map<string, QueryDocument>;
  versions: ReadonlyMap<string, Version>;
  /** What the copy calls the state that it has told of. */
  stamp: string | undefined;
  /** One change is made after the other. */
  changing: Promise<unknown>;
}

/** Where queries are kept by shard. */
interface KeptQueries {
  of(shard: QueryShard): Promise<QuerySet>;
  has(shard: QueryShard): boolean;
  forget(shard: QueryShard): void;
  changed(shard: QueryShard, ids: readonly string[]): Promise<void>;
}

const all = new WeakMap<KeptQueries, QueriesElsewhere>();

/** The queries of an index's shards of other nodes. */
export class QueriesElsewhere {
  /** Those of the index whose queries are kept there. */
  static of(kept: KeptQueries): QueriesElsewhere {
    const those = all.get(kept) ?? new QueriesElsewhere(kept);
    all.set(kept, those);
    return those;
  }

  readonly #kept: KeptQueries;
  readonly #known = new Map<number, Known>();

  private constructor(kept: KeptQueries) {
    this.#kept = kept;
  }

  /** The queries that a shard has now. */
  async of(searched: SearchedShard, limit: WorkLimit): Promise<QuerySet> {
    const { number } = searched;
    let known = this.#known.get(number);
    if (known === undefined) {
      known = unknown();
      this.#known.set(number, known);
    }
    const own = known;
    const changed = own.changing.then(() => this.#renew(own, searched, limit));
    own.changing = changed.catch(() => {});
    await changed;
    return this.#kept.of(own.shard);
  }

  /** Lets go of the queries of a shard that this node has a copy of by now. */
  forget(number: number): void {
    const known = this.#known.get(number);
    if (known === undefined) return;
    this.#known.delete(number);
    this.#kept.forget(known.shard);
  }

  async #renew(known: Known, { elsewhere }: SearchedShard, limit: WorkLimit): Promise<void> {
    if (!this.#kept.has(known.shard)) {
      // There was no memory for them, or the index was closed: all are fetched again.
      known.versions = new Map();
      known.stamp = undefined;
    }
    const told = await elsewhere!.queries(known.stamp, limit);
    if (told === undefined) return;
    const { stamp, versions } = told;
    const isOther = (id: string) => versions.get(id) !== known.versions.get(id);
    const written = [...versions.keys()].filter(isOther);
    const deleted = [...known.versions.keys()].filter((id) => !versions.has(id));
    const found = await elsewhere!.read(
      written.map((id) => ({ type: PERCOLATOR, id })),
      limit,
    );
    known.documents.clear();
    for (const document of found) if (document !== undefined) known.documents.set(document.id, document);
    known.versions = versions;
    await this.#kept.changed(known.shard, [...written, ...deleted]);
    // The first time all are compiled, later those that have changed.
    await this.#kept.of(known.shard);
    known.documents.clear();
    known.stamp = stamp;
  }
}

function unknown(): Known {
  const documents = new Map<string, QueryDocument>();
  const shard: QueryShard = {
    documents: {
      idsOf: () => documents.keys(),
      committed: (_type, id) => documents.get(id),
    },
  };
  return { shard, documents, versions: new Map(), stamp: undefined, changing: Promise.resolve() };
}
