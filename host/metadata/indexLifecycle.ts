/**
 * Indices from their creation to their deletion: they are loaded, made, adopted, closed and opened, one change after the other. Each is
 * one commit, seen whole or not at all.
 */

import type { AnalyzerRegistry } from '../analysis/registry.js';
import {
  type ElasticsearchError,
  indexAlreadyExists,
  indexClosed,
  indexCreationFailed,
  indexMissing,
  invalidIndexName,
  isRefusedMemory,
  toElasticsearchError,
} from '../errors.js';
import { partsOfMetadata, someAreLate } from '../latePart.js';
import type { AdmitFields } from '../mapping/model.js';
import { Passes } from '../passes.js';
import type { FlatSettings } from '../settings/indexSettings.js';
import { readSettings } from '../settings/indexSettings.js';
import { damagedMetadata } from '../shard/damage.js';
import { dropShards, sweepDropped, sweepShards } from '../shard/garbageCollection.js';
import { randomId } from '../shard/ids.js';
import type { ShardServices } from '../shard/shardIndex.js';
import { loadForPacked } from '../storage/compression.js';
import {
  decodeJson,
  encodeJson,
  INDEX_RANGE,
  indexKey,
  NODE_KEY,
  nameInKey,
  shardKey,
} from '../storage/records.js';
import type { DamagedRow, Entry } from '../storage/storage.js';
import { WorkLimit, WorkOver } from '../workLimit.js';
import { aliasFilterFailed, checkAlias } from './aliases.js';
import { addMappings, readWarmers } from './indexCreation.js';
import { IndexTable } from './indexTable.js';
import { type AdmitMetadata, MetadataSize } from './metadataSize.js';
import { checkIndexName, type NameOptions } from './names.js';
import { type IndexMetadata, OpenIndex } from './openIndex.js';
import { Stored } from './stored.js';
import { composeIndex, type IndexBody } from './templates.js';

/** What the cluster's metadata needs of the engine. */
export interface ClusterServices extends ShardServices {
  /** An index is there: after a start, a creation, an opening. */
  opened(index: OpenIndex): void;
  /** It is not any more. */
  gone(index: OpenIndex): void;
  /** It is closed, and its shards are there still: other nodes have copies of them. */
  shut(index: OpenIndex): void;
  /** The analyzers that an index's settings define. */
  analyzers(flat: FlatSettings): AnalyzerRegistry;
  checkFilter: CheckFilter;
  /** Asked before mappings get larger. */
  admitFields: AdmitFields;
  /** Asked before other metadata do. */
  admitMetadata: AdmitMetadata;
}

/** Throws if the index can't use the filter. */
export type CheckFilter = (index: OpenIndex, filter: unknown, limit: WorkLimit) => Promise<void>;

interface NodeMetadata {
  /** The number of the next shard. */
  nextShard: number;
  /** What the rows of the store mean; 1 where nothing is said. */
  format?: number;
  /** Whether there are shards of indices that were deleted when nobody could read which shards they have. */
  hasOrphans?: boolean;
}

/**
 * The newest meaning of the store's rows that is known; see storage/records.ts. Since 2 records of ids may be short, since 3 rows may
 * have checksums, since 4 sources of documents may be packed.
 */
const STORE_FORMAT = 4;

/** Loads the parts of the host that metadata ask for. */
export async function partsOf(metadata: readonly object[]): Promise<void> {
  if (someAreLate()) await partsOfMetadata(metadata.map((each) => JSON.stringify(each)));
}

/** The indices of the one node there is. */
export class IndexLifecycle extends IndexTable {
  protected readonly services: ClusterServices;
  /** The change that is going on, and those that wait. */
  #queue: Promise<unknown> = Promise.resolve();
  #node: NodeMetadata = { nextShard: 1 };
  /** Indices that are there, but whose metadata can't be read, with what is said of them. */
  readonly #damaged = new Map<string, ElasticsearchError>();
  #opening: Promise<void> = Promise.resolve();
  /** Every index that was there at the start is open. */
  #opened = false;
  /** What metadata take in memory beside the fields of mappings. */
  readonly size: MetadataSize;
  /** Templates, settings. */
  readonly stored: Stored;
  /** Grows with every change of the metadata. */
  version = 1;

  constructor(services: ClusterServices) {
    super();
    this.services = services;
    this.size = new MetadataSize(services.admitMetadata);
    this.size.load(services.storage);
    const keepsTransient = services.replication !== undefined;
    this.stored = new Stored(
      services.storage,
      this.size,
      (change) => this.exclusive(change),
      services.warn,
      keepsTransient,
    );
  }

  /** The index of these metadata, its shards closed. Throws if its analyzers or its mapping can't be made. */
  protected indexOf(metadata: IndexMetadata): OpenIndex {
    const analyzers = this.services.analyzers(metadata.settings.flat);
    const index = new OpenIndex(metadata, analyzers, this.stored.blocks);
    // What is there already is taken as it is.
    index.model.admit = this.services.admitFields;
    return index;
  }

  /** The index of metadata that it has already. */
  protected found(metadata: IndexMetadata): OpenIndex {
    return this.indexOf(metadata);
  }

  /** Reads what the storage holds; {@link ready} tells when all of its shards are open. */
  async load(): Promise<void> {
    const { storage, blobs } = this.services;
    const node = storage.get(NODE_KEY);
    if (node !== undefined) this.#node = decodeJson<NodeMetadata>(node);
    const { format = 1 } = this.#node;
    if (format > STORE_FORMAT) {
      throw new Error(
        `the store has the format ${format}, and this version knows those up to ${STORE_FORMAT}: open it with the version that wrote it, or a newer one`,
      );
    }
    if (node === undefined || format < STORE_FORMAT) {
      // Said before anything is written that servers of the older format would misread.
      this.#node = { ...this.#node, format: STORE_FORMAT };
      await this.commit([[NODE_KEY, encodeJson(this.#node)]]);
    }
    const found = this.saved();
    // Numbers that are given away twice would mix shards.
    const uids = found.flatMap(({ shardUids }) => shardUids);
    this.#node.nextShard = Math.max(this.#node.nextShard, 1 + Math.max(0, ...uids));
    await sweepDropped(storage, blobs, new Set(uids));
    await this.#sweepOrphans(new Set(uids));
    await partsOf([...found, ...this.stored.templates.values()]);
    await loadForPacked(storage);
    const indices = found.map((metadata) => this.found(metadata));
    for (const index of indices) this.introduce(index);
    this.indexAliases();
    this.open(indices);
  }

  /** The indices as the store holds them; those that can't be read are noted. */
  protected saved(): IndexMetadata[] {
    const damaged = (row: DamagedRow) => {
      const name = nameInKey(row.key);
      this.#damaged.set(name, damagedMetadata(name, row));
      this.services.warn(`[${name}] can't be opened: ${row.message}`);
    };
    const rows = [...this.services.storage.range(...INDEX_RANGE, { damaged })];
    return rows.map(([, value]) => decodeJson<IndexMetadata>(value));
  }

  /** Opens the shards of indices that were there at the start. */
  protected open(indices: readonly OpenIndex[]): void {
    this.#opening = this.#openAll(indices);
  }

  /** Removes what is there of shards of no index, as soon as the shards of all indices are known. */
  async #sweepOrphans(living: ReadonlySet<number>): Promise<void> {
    if (this.#node.hasOrphans !== true || this.#damaged.size > 0) return;
    const { storage, blobs } = this.services;
    const all = Array.from({ length: this.#node.nextShard }, (_, uid) => uid);
    await sweepShards(
      storage,
      blobs,
      all.filter((uid) => !living.has(uid)),
    );
    this.#node = { ...this.#node, hasOrphans: false };
    await this.commit([[NODE_KEY, encodeJson(this.#node)]]);
  }

  /** One index after the other, so that no more than one is read at a time. */
  async #openAll(indices: readonly OpenIndex[]): Promise<void> {
    for (const index of indices) await this.#openUnlessFilling(index);
    this.#opened = true;
  }

  /** Opens an index; one whose shards are filled from elsewhere first is opened meanwhile. */
  async #openUnlessFilling(index: OpenIndex): Promise<void> {
    const opening = index.open();
    if (index.filling) return;
    await opening;
    // What follows its log while it is closed is not searched.
    if (index.closed) await index.rest();
  }

  /** Whether shards that were there at the start are being opened still. */
  get opening(): boolean {
    return !this.#opened && this.all().some((index) => index.opening);
  }

  /** Resolves when the shards that were there at the start are open. */
  ready(): Promise<void> {
    return this.#opening;
  }

  /** Makes a change when those before it are done. */
  exclusive<T>(change: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(change);
    this.#queue = done.catch(() => {});
    return done.finally(() => void this.version++);
  }

  /** Commits rows of metadata that somebody else keeps, within {@link exclusive}. */
  commitRows(puts: readonly Entry[], deletes: readonly Uint8Array[] = []): Promise<void> {
    return this.services.storage.commit(puts, deletes);
  }

  /** Makes an index from the body of a create request; nothing is there if it fails. */
  async create(
    name: string,
    body: IndexBody = {},
    limit: WorkLimit = WorkLimit.of(Number.POSITIVE_INFINITY),
    check?: CheckFilter,
  ): Promise<void> {
    await this.exclusive(async () => {
      if (this.find(name) !== undefined) throw indexAlreadyExists(name);
      await this.#make(name, body, limit, check);
    });
  }

  /** The index of that name, made if need be. */
  ensure(name: string): Promise<OpenIndex> {
    return this.exclusive(
      async () => this.find(name) ?? this.#make(name, {}, WorkLimit.of(Number.POSITIVE_INFINITY)),
    );
  }

  /** Lets others have the event loop. */
  #turn(): Promise<void> {
    return new Promise((resolve) => this.services.turn(resolve));
  }

  async #make(name: string, body: IndexBody, limit: WorkLimit, check?: CheckFilter): Promise<OpenIndex> {
    this.stored.blocks.check('metadata_write');
    const damaged = this.#damaged.get(name);
    if (damaged !== undefined) throw damaged;
    checkIndexName(name);
    if (this.behind(name) !== undefined) throw invalidIndexName(name, 'already exists as alias');
    const passes = new Passes(limit);
    const parts = await passes.run(() => composeIndex(name, this.stored.templates.values(), body));
    // Lists of words may have a million entries, which each of these goes through.
    await this.#turn();
    const taken = { has: (each: string) => each === name || this.find(each) !== undefined };
    for (const [alias, metadata] of Object.entries(parts.aliases)) checkAlias(name, alias, metadata, taken);
    const settings = readSettings(name, parts.settings);
    await this.#turn();
    const first = this.#node.nextShard;
    const metadata: IndexMetadata = {
      name,
      uuid: randomId(),
      created: this.services.clock.now(),
      settings,
      shardUids: Array.from({ length: settings.shards }, (_, i) => first + i),
      aliases: parts.aliases,
      warmers: readWarmers(parts.warmers),
    };
    const index = await passes.run(() => this.#newIndex(metadata));
    await this.#turn();
    addMappings(index, parts.mappings);
    await this.#turn();
    for (const [alias, { filter }] of Object.entries(parts.aliases)) {
      if (filter !== undefined) await this.checkFilter(index, alias, filter, limit, check);
    }
    this.#node = { ...this.#node, nextShard: first + settings.shards, format: STORE_FORMAT };
    const entry = await index.firstMetadata();
    await this.size.measure(entry[1]);
    await this.announce(metadata);
    await this.commit([entry, [NODE_KEY, encodeJson(this.#node)]]);
    await this.bringIn(index);
    this.indexAliases();
    return index;
  }

  /** Called before an index is in the store. */
  protected async announce(_metadata: IndexMetadata): Promise<void> {}

  /** Indices have gone for good. */
  protected async departed(_indices: readonly OpenIndex[]): Promise<void> {}

  /** Rows that go with an index, beside its own. */
  protected keysOf({ name }: OpenIndex): Uint8Array[] {
    return [indexKey(name)];
  }

  #newIndex(metadata: IndexMetadata): OpenIndex {
    try {
      return this.indexOf(metadata);
    } catch (e) {
      throw indexCreationFailed(metadata.name, toElasticsearchError(e));
    }
  }

  /** Deletes the indices that an expression means; one that is missing leaves all as they are. */
  delete(expression: string | undefined, options?: NameOptions): Promise<void> {
    return this.exclusive(async () => {
      this.stored.checkNamed(expression);
      const names = expression?.split(',') ?? [];
      const damaged = names.filter((name) => this.#damaged.has(name));
      const others =
        damaged.length === 0 ? expression : names.filter((name) => !damaged.includes(name)).join();
      const { security } = options ?? {};
      for (const name of damaged) if (security?.covers(name) === false) throw security.refusal();
      const indices = others === '' && damaged.length > 0 ? [] : this.resolve(others, options);
      for (const index of indices) index.checkBlock('metadata_write');
      await this.#remove(indices);
      await this.#removeDamaged(damaged);
    });
  }

  /** Forgets indices whose metadata can't be read. Their rows go at a start at which there is no other one like them. */
  async #removeDamaged(names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    this.stored.blocks.check('metadata_write');
    const node = { ...this.#node, hasOrphans: true };
    const keys = names.map(indexKey);
    await this.size.commit([], keys, () =>
      this.services.storage.commit([[NODE_KEY, encodeJson(node)]], keys, { freeing: true }),
    );
    this.#node = node;
    for (const name of names) this.#damaged.delete(name);
  }

  /** Forgets indices, in the store first; their rows are swept after that. */
  async #remove(indices: readonly OpenIndex[]): Promise<void> {
    const { storage } = this.services;
    const uids = indices.flatMap((index) => index.metadata.shardUids);
    const keys = indices.flatMap((index) => this.keysOf(index));
    await this.withoutWrites(indices, indexMissing, () =>
      this.size.commit([], keys, () => dropShards(storage, uids, keys)),
    );
    for (const index of indices) this.drop(index);
    this.indexAliases();
    for (const index of indices) {
      this.services.gone(index);
      await index.close(false);
    }
    await this.sweep(uids);
    await this.departed(indices);
  }

  /** Removes the rows of shards that have gone; what is not swept now is at the next start. */
  protected async sweep(uids: readonly number[]): Promise<void> {
    const { storage, blobs } = this.services;
    await sweepShards(storage, blobs, uids).catch((e) => this.services.warn(`sweeping: ${e}`));
  }

  /** The numbers of shards that another node has given. */
  protected knowShards(node: Uint8Array): void {
    const { nextShard } = decodeJson<NodeMetadata>(node);
    this.#node = { ...this.#node, nextShard: Math.max(nextShard, this.#node.nextShard) };
  }

  /** Commits a change after which nothing is written to these indices; if it fails, writes go on. */
  protected async withoutWrites(
    indices: readonly OpenIndex[],
    refusal: (name: string) => ElasticsearchError,
    commit: () => Promise<void>,
  ): Promise<void> {
    const frozen = await Promise.all(indices.map((index) => index.freeze()));
    try {
      await commit();
    } catch (e) {
      for (const each of frozen) each.thaw();
      throw e;
    }
    frozen.forEach((each, i) => {
      each.end(refusal(indices[i]!.name));
    });
  }

  /**
   * Numbers for new shards whose rows are about to be written. Until they are adopted they count as dropped: the next start
   * sweeps what is there of them.
   */
  reserveShards(count: number): Promise<number[]> {
    return this.exclusive(async () => {
      const first = this.#node.nextShard;
      const uids = Array.from({ length: count }, (_, i) => first + i);
      const node = { ...this.#node, nextShard: first + count, format: STORE_FORMAT };
      await this.commit([
        [NODE_KEY, encodeJson(node)],
        ...uids.map((uid): Entry => [shardKey('g', uid), new Uint8Array(0)]),
      ]);
      this.#node = node;
      return uids;
    });
  }

  /** Removes what is there of reserved shards. */
  abandonShards(uids: readonly number[]): Promise<void> {
    return sweepShards(this.services.storage, this.services.blobs, uids);
  }

  /**
   * Adds indices whose shards are reserved and filled, or puts them in the place of closed ones; in one commit, together
   * with the rows given. `check` may refuse, given the indices that are replaced.
   */
  adopt(
    indices: readonly IndexMetadata[],
    more: readonly Entry[],
    check: () => void,
    mark: (index: OpenIndex) => void,
  ): Promise<void> {
    return this.exclusive(async () => {
      check();
      await partsOf(indices);
      const made = indices.map((metadata) => this.indexOf(metadata));
      this.#checkAliases(made);
      const replaced = made.flatMap(({ name }) => this.find(name)?.metadata.shardUids ?? []);
      const puts = [
        ...more,
        ...made.map((index) => index.metadataEntry()),
        ...replaced.map((uid): Entry => [shardKey('g', uid), new Uint8Array(0)]),
      ];
      const adopted = indices.flatMap(({ shardUids }) => shardUids.map((uid) => shardKey('g', uid)));
      await this.size.commit(puts, [], () => this.services.storage.commit(puts, adopted));
      for (const index of made) {
        mark(index);
        await this.bringIn(index);
      }
      this.indexAliases();
      const { storage, blobs } = this.services;
      await sweepShards(storage, blobs, replaced).catch((e) => this.services.warn(`sweeping: ${e}`));
    });
  }

  /**
   * Adds indices whose shards begin with what their origins have, or puts them in the place of closed ones; in one commit, together with the
   * rows given. Their shards are filled when they are opened, on each node. `check` may refuse, given the indices that are replaced. Each gets a
   * uuid of its own, by which other nodes tell it from the one that it replaces, and from one that did not come about.
   */
  begin(
    indices: readonly IndexMetadata[],
    more: readonly Entry[],
    check: () => void,
  ): Promise<readonly OpenIndex[]> {
    return this.exclusive(async () => {
      check();
      await partsOf(indices);
      let { nextShard } = this.#node;
      const made = indices.map((metadata) => {
        const shardUids = Array.from({ length: metadata.settings.shards }, () => nextShard++);
        return this.indexOf({ ...metadata, uuid: randomId(), shardUids });
      });
      this.#checkAliases(made);
      const replaced = made.flatMap(({ name }) => this.find(name) ?? []);
      const uids = replaced.flatMap(({ metadata }) => metadata.shardUids);
      const node = { ...this.#node, nextShard, format: STORE_FORMAT };
      const puts: Entry[] = [
        ...more,
        ...made.map((index) => index.metadataEntry()),
        [NODE_KEY, encodeJson(node)],
        ...uids.map((uid): Entry => [shardKey('g', uid), new Uint8Array(0)]),
      ];
      for (const { metadata } of made) await this.announce(metadata);
      await this.size.commit(puts, [], () => this.services.storage.commit(puts, []));
      this.#node = node;
      for (const index of replaced) {
        this.drop(index);
        this.services.gone(index);
        await index.close(false);
      }
      for (const index of made) await this.bringIn(index);
      this.indexAliases();
      await this.sweep(uids);
      await this.departed(replaced);
      return made;
    });
  }

  #checkAliases(made: readonly OpenIndex[]): void {
    for (const { name, aliases } of made) {
      if (this.behind(name) !== undefined) throw invalidIndexName(name, 'already exists as alias');
      for (const [alias, metadata] of Object.entries(aliases))
        checkAlias(name, alias, metadata, this.names.indices);
    }
  }

  /** Closes indices: their shards go, their documents stay. */
  closeIndices(expression: string | undefined, options?: NameOptions): Promise<void> {
    return this.exclusive(async () => {
      const named = this.resolve(expression, options);
      for (const index of named) index.checkBlock('metadata_write');
      const indices = named.filter((index) => !index.closed);
      const { storage } = this.services;
      await this.withoutWrites(indices, indexClosed, () =>
        storage.commit(
          indices.map((index) => index.metadataEntry({ closed: true })),
          [],
          { freeing: true },
        ),
      );
      for (const index of indices) {
        index.change({ closed: true });
        this.services.gone(index);
        await this.warnOf(index, index.close(true));
      }
      // Analyzers and fields are made anew from the settings when the index is opened again.
      for (const index of indices) this.replace(index);
    });
  }

  /** Opens closed indices. */
  openIndices(expression: string | undefined, options?: NameOptions): Promise<void> {
    return this.exclusive(async () => {
      const named = this.resolve(expression, options);
      for (const index of named) index.checkBlock('metadata_write');
      for (const closed of named.filter((index) => index.closed)) {
        const index = this.indexOf({ ...closed.saved(), closed: false });
        await this.commit([index.metadataEntry()]);
        await this.bringIn(index);
      }
    });
  }

  protected async checkFilter(
    index: OpenIndex,
    alias: string,
    filter: unknown,
    limit: WorkLimit,
    check: CheckFilter = this.services.checkFilter,
  ): Promise<void> {
    try {
      await check(index, filter, limit);
    } catch (e) {
      if (e instanceof WorkOver || isRefusedMemory(e)) throw e;
      throw aliasFilterFailed(alias, toElasticsearchError(e));
    }
  }

  /** Finishes the changes that wait, then persists and lets go of every index. */
  async close(): Promise<void> {
    await this.#queue;
    for (const index of this.all()) await this.warnOf(index, index.close(true));
  }

  protected async warnOf(index: OpenIndex, closing: Promise<PromiseSettledResult<void>[]>): Promise<void> {
    for (const result of await closing) {
      if (result.status === 'rejected') this.services.warn(`[${index.name}] closing: ${result.reason}`);
    }
  }

  protected commit(puts: readonly Entry[]): Promise<void> {
    return this.size.commit(puts, [], () => this.services.storage.commit(puts, []));
  }

  /** An index is there from now on, with its shards open. */
  protected async bringIn(index: OpenIndex): Promise<void> {
    index.prepare(this.services);
    await this.#openUnlessFilling(index);
    this.enter(index);
    this.services.opened(index);
  }

  /** An index whose shards are opened later. */
  protected introduce(index: OpenIndex): void {
    index.prepare(this.services);
    this.enter(index);
    this.services.opened(index);
  }

  /** A closed index as it would be read from the store. */
  protected replace(index: OpenIndex): void {
    this.enter(this.indexOf(index.saved()));
  }
}
