/** Where the copies of shards on this node stand, by the uuid of their index and their number. */

export class CopyStates {
  readonly #searchable = new Map<string, Set<number>>();
  readonly #arriving = new Map<string, Set<number>>();

  /** Whether a copy has caught up once, and may be searched while it is open. */
  isSearchable(uuid: string, shard: number): boolean {
    return this.#searchable.get(uuid)?.has(shard) === true;
  }

  /** These copies of an index may be searched, and no others. */
  setSearchable(uuid: string, shards: readonly number[]): void {
    this.#searchable.set(uuid, new Set(shards));
  }

  addSearchable(uuid: string, shard: number): void {
    setOf(this.#searchable, uuid).add(shard);
  }

  removeSearchable(uuid: string, shard: number): void {
    this.#searchable.get(uuid)?.delete(shard);
  }

  /** Copies that have nearly caught up: what is asked of all copies is asked of them too. */
  arriving(uuid: string): readonly number[] {
    return [...(this.#arriving.get(uuid) ?? [])];
  }

  addArriving(uuid: string, shard: number): void {
    setOf(this.#arriving, uuid).add(shard);
  }

  removeArriving(uuid: string, shard: number): void {
    this.#arriving.get(uuid)?.delete(shard);
  }

  /** The index has no open shards any more. */
  gone(uuid: string): void {
    this.#searchable.delete(uuid);
    this.#arriving.delete(uuid);
  }
}

function setOf(all: Map<string, Set<number>>, uuid: string): Set<number> {
  const known = all.get(uuid) ?? new Set();
  all.set(uuid, known);
  return known;
}
