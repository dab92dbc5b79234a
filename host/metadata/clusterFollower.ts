/** The metadata of an engine that follows another one: the leader changes them, here they are read again from the store. */
import { LeaderOnly } from '../leaderOnly.js';
import { decodeJson, indexKey } from '../storage/records.js';
import { Cluster } from './cluster.js';
import type { NameTable } from './names.js';
import { type IndexMetadata, OpenIndex } from './openIndex.js';

/** Indices, aliases and settings as the leader has committed them. Nothing is changed here. */
export class ClusterFollower extends Cluster {
  /** Reads what the store holds. */
  override async load(): Promise<void> {
    const indices = this.saved().map((metadata) => this.indexOf(metadata));
    for (const index of indices) this.introduce(index);
    this.indexAliases();
    this.open(indices);
  }

  /** Indices whose metadata the leader has committed since they were read. */
  readonly #stale = new Set<string>();

  /**
   * The leader has committed the metadata of an index, or its end. It is read when an index is asked for: that may take long, and whoever asks
   * for something else doesn't wait. Searches that are under way go on with what they have.
   */
  renew(name: string): void {
    this.#stale.add(name);
    this.version++;
  }

  override all(): OpenIndex[] {
    this.#readStale();
    return super.all();
  }

  override find(name: string): OpenIndex | undefined {
    this.#readStale();
    return super.find(name);
  }

  override index(name: string): OpenIndex {
    this.#readStale();
    return super.index(name);
  }

  override get names(): NameTable {
    this.#readStale();
    return super.names;
  }

  override behind(alias: string): readonly string[] | undefined {
    this.#readStale();
    return super.behind(alias);
  }

  #readStale(): void {
    if (this.#stale.size === 0) return;
    const names = [...this.#stale];
    this.#stale.clear();
    for (const name of names) this.#read(name);
    this.indexAliases();
  }

  #read(name: string): void {
    const row = this.services.storage.get(indexKey(name));
    const old = this.find(name);
    if (row !== undefined) {
      const index = this.#indexOf(decodeJson<IndexMetadata>(row), old);
      this.introduce(index);
      void index.open();
    } else if (old !== undefined) {
      this.drop(old);
      this.services.gone(old);
    }
  }

  /** An index with other metadata; its analyzers are those that it had where its settings are. */
  #indexOf(metadata: IndexMetadata, old: OpenIndex | undefined): OpenIndex {
    if (old === undefined || JSON.stringify(old.metadata.settings) !== JSON.stringify(metadata.settings))
      return this.indexOf(metadata);
    return new OpenIndex(metadata, old.registry, this.stored.blocks);
  }

  override exclusive<T>(_change: () => Promise<T>): Promise<T> {
    return Promise.reject(new LeaderOnly());
  }
}
