/**
 * The metadata of a cluster of several nodes. A change is made as on a single node, of the state that the log of metadata has come to, and is in
 * force when it is in the log and every living node has it; one before which another came is made anew.
 */
import { ElasticsearchError, indexMissing, notOffered, toElasticsearchError } from '../errors.js';
import { Cluster, plainly } from '../metadata/cluster.js';
import { type ClusterServices, partsOf } from '../metadata/indexLifecycle.js';
import type { ChosenByShard } from '../metadata/chosenNodes.js';
import { checkTypeName, type NameOptions } from '../metadata/names.js';
import type { IndexMetadata, OpenIndex } from '../metadata/openIndex.js';
import { randomId } from '../shard/ids.js';
import { analysisOf, isSameAnalysis } from '../settings/analysisSettings.js';
import type { IndexSettings } from '../settings/indexSettings.js';
import { placeRow, readPlace } from '../storage/logRows.js';
import {
  INDEX_RANGE,
  NODE_KEY,
  decodeJson,
  encodeJson,
  indexKey,
  loggedMappingKey,
  nameInKey,
  shardKey,
} from '../storage/records.js';
import { compareBytes, type Entry } from '../storage/storage.js';
import { logName, readLoggedMapping } from './indexLog.js';
import type { IndexMarks } from './indexMarks.js';
import type { MetadataCommand } from './metadataCommand.js';
import { metadataDifference } from './metadataDifference.js';
import { type CommitMetadata, type LoggedStorage, type MetadataLog, Outdated } from './metadataLog.js';

/** What the metadata need of the node. */
export interface ReplicatedContext {
  /** The id of this node. */
  self: string;
  storage: LoggedStorage;
  log(): MetadataLog;
  /** Makes, and deletes, the log of an index. */
  createLog(name: string): Promise<void>;
  deleteLog(name: string): Promise<void>;
  /** Resolves when every living node has a change. */
  everywhere(position: number): Promise<void>;
  /** Indices or settings may have changed. */
  changed(): void;
  /** Whether all living nodes know marks. */
  knowMarks(): boolean;
  /** See {@link IndexMarks}. */
  marks(): Pick<IndexMarks, 'put' | 'putAnywhere' | 'isMarked' | 'isFollowed'>;
  /** Changes the mapping of an index by way of its log; resolves when every living node has it. */
  changeMapping(index: OpenIndex, edit: (draft: OpenIndex) => void): Promise<void>;
}

/** What the row of a node says of its store alone. */
interface NodeRow {
  format?: number;
  hasOrphans?: boolean;
}

const MOST_ATTEMPTS = 100;
const BARRIER_MS = 30_000;

/** The metadata as this node knows and changes them. */
export class ReplicatedCluster extends Cluster {
  readonly #context: ReplicatedContext;
  /** Indices whose logs this node has made, by uuid, with the position of the metadata that they were made of. */
  readonly #announced = new Map<string, { name: string; position: number }>();

  constructor(services: ClusterServices, context: ReplicatedContext) {
    super({ ...services, storage: context.storage });
    this.#context = context;
  }

  /** A copy of an index whose mapping may be changed. */
  draft(index: OpenIndex): OpenIndex {
    return this.indexOf(index.saved());
  }

  override async exclusive<T>(change: () => Promise<T>): Promise<T> {
    const log = this.#context.log();
    for (let attempt = 1; ; attempt++) {
      await this.#current(log);
      let before = 0;
      try {
        const value = await super.exclusive(() => {
          this.#removeLost();
          before = log.position;
          return this.#logged(change);
        });
        this.#context.changed();
        if (log.position > before) await this.#context.everywhere(log.position);
        return value;
      } catch (e) {
        if (!(e instanceof Outdated)) throw e;
        if (attempt >= MOST_ATTEMPTS) throw lateChange();
      }
    }
  }

  /** Makes a change whose commits go by way of the log. */
  async #logged<T>(change: () => Promise<T>): Promise<T> {
    const { storage } = this.#context;
    const log = this.#context.log();
    storage.commits = (puts, deletes, options) => log.commit(puts, deletes, options);
    try {
      return await change();
    } finally {
      storage.commits = undefined;
      log.inForce();
    }
  }

  async #current(log: MetadataLog): Promise<void> {
    const timeout = new AbortController();
    const cancel = this.services.clock.after(BARRIER_MS, () => timeout.abort(lateChange()));
    try {
      await log.current(timeout.signal);
    } catch (e) {
      throw e instanceof ElasticsearchError ? e : lateChange(e);
    } finally {
      cancel();
    }
  }

  /**
   * Puts another index in the place of one: what this node has of it changes as on the others. It gets a uuid of its own.
   * @param made its metadata, by those that the one has then: it is called again where another change came first
   */
  async succeed(index: OpenIndex, made: () => IndexMetadata): Promise<void> {
    const log = this.#context.log();
    for (let attempt = 1; ; attempt++) {
      await this.#current(log);
      try {
        const position = await super.exclusive(async () => {
          if (this.find(index.name) !== index) throw indexMissing(index.name);
          const next = { ...made(), uuid: randomId() };
          await this.announce(next);
          return log.append([[indexKey(next.name), encodeJson(next)]], []);
        });
        await this.#current(log);
        await this.#context.everywhere(position);
        return;
      } catch (e) {
        if (!(e instanceof Outdated)) throw e;
        if (attempt >= MOST_ATTEMPTS) throw lateChange();
      }
    }
  }

  // ------------------------------------------------------------------------------------ mappings and settings

  override async putMapping(
    indices: readonly OpenIndex[],
    type: string,
    body: unknown,
    options: { ignoreConflicts?: boolean } = {},
  ): Promise<void> {
    if (type !== '_default_') checkTypeName(type);
    for (const index of indices) {
      index.checkBlock('metadata_write');
      await this.#context.changeMapping(index, (draft) => {
        try {
          draft.model.putMapping(type, body, options);
        } catch (e) {
          throw plainly(toElasticsearchError(e));
        }
      });
    }
  }

  override deleteTypes(index: OpenIndex, types: readonly string[]): Promise<void> {
    return this.#context.changeMapping(index, (draft) => {
      for (const type of types) draft.model.deleteType(type);
    });
  }

  /** Settings of analysis come to the log when the index is opened, or with the next change of its mapping; that has begun with others then. */
  protected override settingsOf(index: OpenIndex, settings: IndexSettings): Partial<IndexMetadata> {
    const { begun, settings: before } = index.metadata;
    if (isSameAnalysis(before.flat, settings.flat)) return { settings };
    if (!this.#context.knowMarks())
      throw notOffered('changing how an index is analyzed, among nodes of an older version,');
    return { settings, begun: begun ?? analysisOf(before.flat) };
  }

  /** Documents are parsed by the settings that the log has come to. */
  protected override found(metadata: IndexMetadata): OpenIndex {
    const { name, uuid, begun, settings } = metadata;
    const analysis = readLoggedMapping(this.services.storage, name, uuid)?.analysis ?? begun;
    if (analysis === undefined) return super.found(metadata);
    const index = this.indexOf({ ...metadata, settings: { ...settings, flat: analysis } });
    index.change({ settings });
    return index;
  }

  /** Its shards are those that it had. */
  protected override replace(): void {}

  /**
   * Nothing is written from when all living nodes know it on, and by those that don't from the mark in the log on. An index is closed when the
   * metadata say so: where no node can put the mark now, as on full disks, that is done later.
   */
  override async closeIndices(expression: string | undefined, options?: NameOptions): Promise<void> {
    const closed = await this.exclusive(async () => {
      const named = this.#named(expression, options);
      const indices = named.filter((index) => !index.closed);
      const changes = indices.map((index) => ({ closed: true, turn: nextTurn(index, true) }));
      const entries = indices.map((index, i) => index.metadataEntry(changes[i]!));
      await this.services.storage.commit(entries, [], { freeing: true });
      for (const [i, index] of indices.entries()) {
        index.change(changes[i]!);
        this.services.shut(index);
      }
      return named;
    });
    // One that was closed before may have no mark: whoever closed it may have been cut off.
    for (const index of closed) if (!index.filling) await this.#markClosed(index, index.metadata.turn ?? 0);
  }

  async #markClosed(index: OpenIndex, turn: number): Promise<void> {
    const marks = this.#context.marks();
    if (marks.isMarked(index, turn)) return;
    try {
      await marks.putAnywhere(index, turn);
    } catch (e) {
      this.services.warn(`[${index.name}] is closed, its log says so later: ${(e as Error).message}`);
    }
  }

  /**
   * Its log is open first: writes that are made when the metadata say so come to something. Where that can't be, the index stays closed; one whose
   * log is lost is opened without, and takes no writes until that is repaired.
   */
  override async openIndices(expression: string | undefined, options?: NameOptions): Promise<void> {
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
      await this.#current(this.#context.log());
      for (const index of this.#named(expression, options))
        if (index.closed) await this.#markOpen(index, nextTurn(index, false));
      if (await this.exclusive(() => this.#openMarked(expression, options))) return;
    }
    throw lateChange();
  }

  /** Opens indices whose logs are open; false where one isn't, or says nothing yet of what its settings have become. */
  async #openMarked(expression: string | undefined, options?: NameOptions): Promise<boolean> {
    const indices = this.#named(expression, options).filter(({ closed }) => closed);
    const changes = indices.map((index) => ({ closed: false, turn: nextTurn(index, false) }));
    const marks = this.#context.marks();
    const isReady = (index: OpenIndex, i: number) =>
      marks.isMarked(index, changes[i]!.turn) || !marks.isFollowed(index);
    if (!indices.every(isReady)) return false;
    if (indices.length > 0) await this.commit(indices.map((index, i) => index.metadataEntry(changes[i]!)));
    for (const [i, index] of indices.entries()) {
      index.change(changes[i]!);
      await this.#reopen(index);
    }
    return true;
  }

  /** Indices that are to be closed or opened. */
  #named(expression: string | undefined, options?: NameOptions): OpenIndex[] {
    const named = this.resolve(expression, options);
    for (const index of named) index.checkBlock('metadata_write');
    return named;
  }

  async #markOpen(index: OpenIndex, turn: number): Promise<void> {
    const marks = this.#context.marks();
    if (marks.isMarked(index, turn)) return;
    // Another node may follow its log; where none does, it says so when one does again.
    if (!marks.isFollowed(index)) return marks.putAnywhere(index, turn).catch(() => {});
    try {
      await marks.put(index, turn);
    } catch (e) {
      // As one that was deleted meanwhile.
      if (e instanceof ElasticsearchError && e.status !== 503) throw e;
      if (marks.isFollowed(index)) throw staysClosed(index.name, e as Error);
    }
  }

  /** An index that was closed is open. */
  async #reopen(index: OpenIndex): Promise<void> {
    await index.wake();
    this.services.opened(index);
  }

  /**
   * Keeps what commands have chosen for the copies of indices.
   * @param decide by the metadata of the moment: it is called again where another change came first
   */
  choose(decide: () => Promise<ReadonlyMap<OpenIndex, ChosenByShard>>): Promise<void> {
    return this.exclusive(async () => {
      const chosen = await decide();
      if (chosen.size === 0) return;
      await this.commit(Array.from(chosen, ([index, of]) => index.metadataEntry({ chosen: of })));
      for (const [index, of] of chosen) index.change({ chosen: of });
    });
  }

  protected override async announce({ name, uuid }: IndexMetadata): Promise<void> {
    this.#announced.set(uuid, { name, position: this.#context.log().position });
    await this.#context.createLog(logName(uuid));
  }

  protected override async departed(indices: readonly OpenIndex[]): Promise<void> {
    for (const { metadata } of indices) await this.#context.deleteLog(logName(metadata.uuid));
  }

  /** Removes logs of indices that don't come about: another change came first, and theirs was made of what was before that. */
  #removeLost(): void {
    const { log, deleteLog } = this.#context;
    for (const [uuid, { name, position }] of this.#announced) {
      if (!log().has(position + 1)) continue;
      this.#announced.delete(uuid);
      if (!this.#isStored(name, uuid)) void deleteLog(logName(uuid));
    }
  }

  /**
   * Removes those of these logs that no index has. A change that changes nothing is put behind all others before: an index that was to have one of them,
   * and isn't there by then, would have to be made of metadata that are the last no more.
   */
  async removeUnnamed(logs: readonly string[]): Promise<void> {
    const { log, deleteLog } = this.#context;
    await this.#current(log());
    const unnamed = await super.exclusive(async () => {
      const named = this.#storedLogs();
      const found = logs.filter((name) => named?.has(name) === false);
      if (found.length > 0) await log().append([], []);
      return found;
    });
    for (const name of unnamed) await deleteLog(name);
  }

  /** The logs of all indices; undefined where one can't be read. */
  #storedLogs(): Set<string> | undefined {
    let areAll = true;
    const damaged = () => {
      areAll = false;
    };
    const rows = this.services.storage.range(...INDEX_RANGE, { damaged });
    const names = new Set(Array.from(rows, ([, row]) => logName(decodeJson<IndexMetadata>(row).uuid)));
    return areAll ? names : undefined;
  }

  /** Whether the index of a name is that of a uuid; one that can't be read may be. */
  #isStored(name: string, uuid: string): boolean {
    try {
      const row = this.services.storage.get(indexKey(name));
      return row !== undefined && decodeJson<IndexMetadata>(row).uuid === uuid;
    } catch {
      return true;
    }
  }

  protected override keysOf(index: OpenIndex): Uint8Array[] {
    return [...super.keysOf(index), loggedMappingKey(index.name)];
  }

  /** The mapping is what the index's log has made of it. */
  protected override saved(): IndexMetadata[] {
    return super.saved().map((metadata) => this.#withLoggedMapping(metadata));
  }

  #withLoggedMapping(metadata: IndexMetadata): IndexMetadata {
    const logged = readLoggedMapping(this.services.storage, metadata.name, metadata.uuid);
    return logged === undefined ? metadata : { ...metadata, mapping: logged.mapping };
  }

  // ----------------------------------------------------------------------------------------- changes of others

  /** Carries out what the log says. */
  follow(position: number, { puts, deletes }: MetadataCommand, commit: CommitMetadata): Promise<void> {
    return super.exclusive(async () => {
      const log = this.#context.log();
      // This node's own: from now on its checksum is known, by which the node finds it again after a restart.
      if (position === log.position) return commit([], []);
      if (log.has(position)) return;
      await this.#follow(puts, deletes, commit);
      this.#context.changed();
    });
  }

  /** Has the metadata of another node from now on, as they were at a position. */
  refill(position: number, rows: readonly Entry[], commit: CommitMetadata): Promise<void> {
    return super.exclusive(async () => {
      if (this.#context.log().has(position)) return;
      const { storage } = this.#context;
      const { before, after } = metadataDifference(this.services.storage, this.all(), rows);
      // What has another index in its place goes first: a change knows one of a name.
      await this.#follow(before.puts, before.deletes, (puts, deletes) => storage.commit(puts, deletes));
      await this.#follow(after.puts, after.deletes, commit);
    });
  }

  async #follow(
    puts: readonly Entry[],
    deletes: readonly Uint8Array[],
    commit: CommitMetadata,
  ): Promise<void> {
    const given = puts.filter(([key]) => isOfIndex(key)).map(([, row]) => decodeJson<IndexMetadata>(row));
    await partsOf(given);
    const isOther = ({ name, uuid }: IndexMetadata) => this.find(name)?.metadata.uuid !== uuid;
    const removed = deletes.filter(isOfIndex).flatMap((key) => this.find(nameInKey(key)) ?? []);
    // What a snapshot is restored over is another index from then on.
    for (const metadata of given) {
      const index = this.find(metadata.name);
      if (index !== undefined && isOther(metadata)) removed.push(index);
    }
    const known = given.flatMap((metadata) => {
      const index = this.find(metadata.name);
      if (index === undefined || isOther(metadata)) return [];
      // Its log alone says what its mapping is.
      const { mapping: _, ...rest } = metadata;
      return [{ index, rest }];
    });
    const shut = known.filter(({ index, rest }) => rest.closed === true && !index.closed);
    const opened = known.filter(({ index, rest }) => rest.closed !== true && index.closed);
    const made = given.filter(isOther);
    const rows = new Map(known.map(({ index, rest }) => [index.name, index.metadataEntry(rest)]));
    const committed = puts.map((put): Entry => {
      if (isOfIndex(put[0])) return rows.get(nameInKey(put[0])) ?? put;
      return compareBytes(put[0], NODE_KEY) === 0 ? [NODE_KEY, this.#ownNodeRow(put[1])] : put;
    });
    const continued = made.filter((metadata) => metadata.continued !== undefined && this.find(metadata.name));
    await this.withoutWrites(removed, indexMissing, () =>
      commit([...committed, ...continued.flatMap((metadata) => this.#continuedRows(metadata))], deletes),
    );
    this.size.follow(committed, deletes);
    for (const [key, value] of puts) if (compareBytes(key, NODE_KEY) === 0) this.knowShards(value);
    for (const index of removed) {
      this.drop(index);
      this.services.gone(index);
      await index.close(false);
    }
    for (const { index, rest } of known) index.change(rest);
    for (const { index } of shut) this.services.shut(index);
    for (const { index } of opened) await this.#reopen(index);
    // Other copies are fetched in their place.
    await this.sweep(continued.flatMap((metadata) => this.#shardsOf(metadata, false)));
    for (const metadata of made) await this.bringIn(this.found(metadata));
    this.stored.followRows(puts, deletes);
    this.indexAliases();
    // What waits to be refreshed may have to wait no longer.
    for (const { index } of known) for (const shard of index.shards) if (shard.dirty) shard.onDirty();
    const kept = new Set(continued.flatMap(({ shardUids }) => shardUids));
    await this.sweep(removed.flatMap(({ metadata }) => metadata.shardUids).filter((uid) => !kept.has(uid)));
    for (const { metadata } of removed) await this.#context.deleteLog(logName(metadata.uuid));
  }

  /** What another node says of the numbers of shards, with what this one says of its own store: another version may write it in another format. */
  #ownNodeRow(row: Uint8Array): Uint8Array {
    const own = this.services.storage.get(NODE_KEY);
    const { format, hasOrphans } = own === undefined ? {} : decodeJson<NodeRow>(own);
    return encodeJson({ ...decodeJson<NodeRow>(row), format, hasOrphans });
  }

  /** The shards of a repaired index of which this node's copy counts, or those of which it doesn't. */
  #shardsOf({ continued, shardUids }: IndexMetadata, counts: boolean): number[] {
    return shardUids.filter((_, shard) => (continued?.[shard] === this.#context.self) === counts);
  }

  /** What becomes of the shards of a repaired index here: copies that count are at the beginning of the new log, others go. */
  #continuedRows(metadata: IndexMetadata): Entry[] {
    const { storage } = this.services;
    const begun = this.#shardsOf(metadata, true).map((uid) => {
      const place = readPlace(storage, uid) ?? { time: 0, horizon: 0 };
      return placeRow(uid, { ...place, position: 0, checksum: 0 });
    });
    const gone = this.#shardsOf(metadata, false).map((uid): Entry => [shardKey('g', uid), new Uint8Array(0)]);
    return [...begun, ...gone];
  }
}

/** The turn that an index is in when it is closed, or opened, the next time. */
function nextTurn({ metadata: { turn = 0 } }: OpenIndex, isClosing: boolean): number {
  return turn + 1 + ((turn + (isClosing ? 0 : 1)) % 2);
}

function staysClosed(name: string, cause: Error): ElasticsearchError {
  const why = `[${name}] stays closed; open it later, or at another node: ${cause.message}`;
  return new ElasticsearchError('UnavailableShardsException', why, { status: 503 });
}

function isOfIndex(key: Uint8Array): boolean {
  const [from, to] = INDEX_RANGE;
  return compareBytes(key, from) >= 0 && compareBytes(key, to) < 0;
}

function lateChange(cause?: unknown): ElasticsearchError {
  const why = cause === undefined ? '' : `: ${cause instanceof Error ? cause.message : cause}`;
  return new ElasticsearchError('MasterNotDiscoveredException', `waited for [${BARRIER_MS / 1000}s]${why}`, {
    status: 503,
  });
}
