/** One shard as the engine sees it: writes on their way to the store and the core, searches, and what keeps both in order. */
import type { BatchWriter } from '../core/batch.js';
import type { Encoded } from '../mapping/documents.js';
import {
  ElasticsearchError,
  indexClosed,
  indexMissing,
  toElasticsearchError,
  writeFailed,
} from '../errors.js';
import { MappingNeeded } from '../mappingNeeded.js';
import { Dictionaries } from '../storage/dictionaries.js';
import type { LogPlace, ShardPlace } from '../storage/logRows.js';
import type { StoredDocument } from '../storage/storedDocuments.js';
import { idRange, uidOf, uidOfKey } from '../storage/records.js';
import { Capture } from './capture.js';
import { type Chunk, ChunkBuilder, type IndexOperation } from './chunk.js';
import { Counters } from './counters.js';
import { DefinedFields } from './definedFields.js';
import { randomId } from './ids.js';
import type { Operation } from './operation.js';
import { type Recovered, recoverShard } from './recovery.js';
import { RecoveryProgress } from './recoveryProgress.js';
import { DeferredReclamation } from './deferredReclamation.js';
import type { ShardLeader } from './shardLeader.js';
import { slowLevel, slowSource } from '../settings/slowlog.js';
import { ShardCheckpoints } from './shardCheckpoints.js';
import { type ShardClient, ShardLost, type ShardStats } from './shardClient.js';
import type { SearchedShard } from './searchedShard.js';
import { type Connected, ShardConnection } from './shardConnection.js';
import { ShardDocuments } from './shardDocuments.js';
import type { ShardIndex, ShardServices } from './shardIndex.js';
import { ShardSearches } from './shardSearches.js';
import { type Frozen, ShardWrites } from './shardWrites.js';
import type { Digest, DigestMark } from './digestMark.js';
import type { LogDigest } from './logDigest.js';
import type { ShardLog } from './shardLog.js';
import { forgetDeletions } from './tombstones.js';
import { type Outcome, type Span, settle } from './writeQueue.js';
import type { Entry } from '../storage/storage.js';
import { LeaderOnly } from '../leaderOnly.js';
import { inTurns, WorkLimit } from '../workLimit.js';

/** A shard refreshes by itself when this much was indexed since the last time, as 1.7 flushes. */
const REFRESH_BYTES = 64 * 1024 * 1024;
/** Old deletions are forgotten no more often than that, in milliseconds. */
const PRUNING_MS = 60_000;
/** Documents that are indexed anew at once. */
const AGAIN = 1000;
/** What is remembered of a replaced document takes about so many bytes. */
const VERSION_BYTES = 160;

const utf8 = new TextDecoder();

/** A shard that is open. */
export class Shard implements SearchedShard {
  readonly uid: number;
  readonly number: number;
  /** Whether this node has a copy of it, or is making one. One that isn't held has no core: copies of other nodes are searched and read. */
  readonly isHeld: boolean;
  readonly #index: ShardIndex;
  readonly #services: ShardServices;
  readonly #dictionaries: Dictionaries;
  readonly #builder: ChunkBuilder;
  readonly #reclamation: DeferredReclamation;
  readonly #connection: ShardConnection;
  readonly #checkpoints: ShardCheckpoints;
  readonly #writes: ShardWrites;
  /** What follows a log; undefined where nobody else has a copy. */
  readonly #log: ShardLog | undefined;
  readonly #digest: LogDigest | undefined;
  /** Of messages that are not in the store yet. */
  #mark: DigestMark | undefined;
  #dirty = false;
  #refreshing: Promise<void> | undefined;
  #bytesSinceRefresh = 0;
  #pruned = 0;
  /** The newest operation that a refresh has shown. */
  #visibleSeq = 0;
  #closed = false;
  readonly #closing = new AbortController();
  #filling = false;
  /** Whether it is there when it is closed. */
  #kept = true;
  readonly counters: Counters;
  /** Its documents as the store holds them. */
  readonly documents: ShardDocuments;
  /** What is asked of its segments. */
  readonly searches: ShardSearches;
  /** How the shard was opened. */
  readonly recovery = new RecoveryProgress();
  /** Resolves when the shard has been opened, or can't be. */
  readonly ready: Promise<void>;
  #setReady!: () => void;
  #opened = false;
  #holds = 0;
  #released = () => {};
  /** Called when there is something that the next refresh would show. */
  onDirty: () => void = () => {};

  /** A shard that is to be opened; writes wait until it is. */
  constructor(index: ShardIndex, uid: number, number: number, services: ShardServices, isHeld = true) {
    this.#index = index;
    this.isHeld = isHeld;
    this.uid = uid;
    this.number = number;
    this.#services = services;
    const { storage, blobs, clock, turn } = services;
    const { leader } = services;
    this.counters = leader?.counters(uid) ?? new Counters();
    const reclamation = new DeferredReclamation(storage, uid, services.followers);
    const dictionaries = new Dictionaries(storage, uid);
    this.#dictionaries = dictionaries;
    const logged = services.replication?.logged(storage, uid);
    this.#log = logged?.log;
    this.#digest = logged?.digest;
    this.#reclamation = reclamation;
    const times = ({ times, timestamp, ttl, now }: IndexOperation) =>
      times ?? { timestamp, ttl, now: now ?? clock.now() };
    const failed = (e: unknown, before: number) =>
      index.mappingVersion === before || e instanceof MappingNeeded
        ? e
        : writeFailed(toElasticsearchError(e));
    const encode = (batch: BatchWriter, seq: number, op: IndexOperation): Encoded => {
      const before = index.mappingVersion;
      try {
        return index.encode(batch, seq, op, times(op));
      } catch (e) {
        throw failed(e, before);
      }
    };
    const encodeInTurns = async (batch: BatchWriter, seq: number, op: IndexOperation): Promise<Encoded> => {
      const before = index.mappingVersion;
      const work = WorkLimit.of(Number.POSITIVE_INFINITY);
      try {
        // Of what a log says it was checked before.
        if (index.watches(op.type) && services.replication === undefined) await index.check(op, work);
        return await inTurns(index.encodeInTurns(batch, seq, op, work, times(op)), work);
      } catch (e) {
        throw failed(e, before);
      }
    };
    const decided = (op: Operation, ms: number) => this.#tellIfSlow(op, ms);
    const watches = (type: string) => index.watches(type);
    const gcDeletes = () => index.gcDeletes;
    const longFrom = () => index.longFrom;
    const chunks = {
      index: index.name,
      number,
      uid,
      storage,
      dictionaries,
      clock,
      gcDeletes,
      longFrom,
      turn,
      encode,
      encodeInTurns,
      decided,
      watches,
    };
    this.#builder = new ChunkBuilder(chunks);
    this.ready = new Promise((resolve) => {
      this.#setReady = resolve;
    });
    this.documents = new ShardDocuments({
      name: this.#name,
      storage,
      uid,
      dictionaries,
      reclamation: leader === undefined ? reclamation : { visible: leadersOnly },
      counters: this.counters,
      stored: (id) => (isHeld ? this.#builder.stored(id) : elsewhere(this.#name)),
      visible: leader === undefined ? () => this.#visibleSeq : leadersOnly,
    });
    const connection = {
      name: this.#name,
      ready: this.ready,
      gone: () => this.gone,
      warn: (message: string) => this.#warn(message),
    };
    this.#connection = !isHeld
      ? new ShardConnection({
          ...connection,
          fields: () => [],
          recover: async () => elsewhere(this.#name),
          inactive: () => notHere(this.#name),
          recovered: () => {},
        })
      : leader === undefined
        ? new ShardConnection<Recovered>({
            ...connection,
            fields: () => index.fields(),
            recover: () => this.#recover(),
            recovered: (recovered, waiting) => this.#recovered(recovered, waiting),
          })
        : new ShardConnection({
            ...connection,
            fields: () => [],
            recover: () => this.#connect(leader),
            inactive: () => new LeaderOnly(),
            recovered: () => {},
          });
    this.searches = new ShardSearches({
      storage,
      uid,
      connection: this.#connection,
      counters: this.counters,
      fieldName: (number) => index.fieldName(number),
      refuseFielddata: services.refuseFielddata,
    });
    this.#writes = new ShardWrites({
      name: this.#name,
      storage,
      logged: logged?.commits,
      builder: this.#builder,
      ready: this.ready,
      refusal: (deletions) => this.#connection.refusal(deletions),
      syncWithin: () => index.syncWithin,
      changedMetadata: () => index.changedMetadata(),
      takeMetadata: (changed) => index.takeMetadata(changed),
      metadataKept: () => index.metadataKept(),
      metadataLost: () => index.metadataLost(),
      digest: (spans) => this.#digested(spans),
      committed: (chunk) => void this.#committed(chunk),
    });
    this.#checkpoints = new ShardCheckpoints({
      storage,
      blobs,
      uid,
      counters: this.counters,
      client: () => this.#connection.client!,
      purged: () => reclamation.purged,
    });
  }

  /** What is said of it when it was closed or deleted: what its index says to a request that comes now. */
  get gone(): ElasticsearchError | undefined {
    if (!this.#closed) return undefined;
    const { name, closed } = this.#index;
    if (!this.#kept) return indexMissing(name);
    if (closed) return indexClosed(name);
    return new ElasticsearchError('EngineClosedException', `${this.#name} closed`, { status: 503 });
  }

  /** Recovers what the store holds of the shard. One that can't be is there, but not active. */
  async open(): Promise<void> {
    const { clock } = this.#services;
    this.recovery.started = clock.now();
    try {
      if (!this.isHeld) this.#connection.giveUp();
      else if (!this.#closed) {
        const filling = this.#fill();
        if (filling !== undefined) await filling;
        if (!this.#closed) await this.#connection.recover();
      }
    } catch (e) {
      this.#connection.giveUp();
      this.#writes.unopened(e as Error);
      // The leader tells of its own, and knows better what there still is.
      if (!this.#closed && this.#services.leader === undefined)
        this.#warn(`can't be opened: ${toElasticsearchError(e).detail}`);
    }
    this.recovery.stage = 'DONE';
    this.recovery.stopped = clock.now();
    this.#opened = true;
    this.#setReady();
  }

  #fill(): Promise<void> | undefined {
    if (this.#index.origin === undefined) return undefined;
    const filling = this.#services.replication?.fill(this.#index, this, this.#closing.signal);
    if (filling === undefined) return undefined;
    this.#filling = true;
    return filling.finally(() => {
      this.#filling = false;
      this.#log?.forget();
      this.#digest?.forget();
    });
  }

  /** Whether the store is being filled with what it begins with. */
  get filling(): boolean {
    return this.#filling;
  }

  /** Whether it is being opened still, or brought back after its core trapped. */
  get opening(): boolean {
    return !this.#opened || this.#connection.recovering;
  }

  #tellIfSlow({ type, id, routing, source }: Operation, took: number): void {
    const { slow } = this.#services;
    const { name: index, settings } = this.#index;
    const level = slow === undefined ? undefined : slowLevel(settings, 'index', took);
    if (slow === undefined || level === undefined) return;
    const shown = slowSource(settings, 'index', utf8.decode(source));
    const shard = this.number;
    slow({ kind: 'index', level, index, shard, took, source: shown, type, id, routing });
  }

  get #name(): string {
    return `[${this.#index.name}][${this.number}]`;
  }

  #warn(message: string): void {
    this.#services.warn(`${this.#name} ${message}`);
  }

  /** True unless the shard could not be opened, or not be brought back after its core trapped. */
  get active(): boolean {
    return !this.isHeld || this.#connection.active;
  }

  /** Something was written that no refresh has shown yet. */
  get dirty(): boolean {
    return this.#dirty;
  }

  /** Writes in the given order; resolves when all are durable and handed to the shard. One failing fails alone. */
  write(ops: readonly Operation[]): Promise<Outcome[]> {
    if (this.#services.leader !== undefined) throw new LeaderOnly();
    if (ops.length === 0) return Promise.resolve([]);
    const { replication } = this.#services;
    if (replication !== undefined) return replication.write(this.#index.name, this.number, ops);
    return this.#write(ops);
  }

  #write(ops: readonly Operation[]): Promise<Outcome[]> {
    const refusal = this.#writes.refusal(false);
    if (refusal !== undefined) return this.#delete(ops, refusal);
    return this.#add(ops);
  }

  /** Makes the deletions among operations if these can be made, since they make room; refuses the others. */
  async #delete(ops: readonly Operation[], refusal: ElasticsearchError): Promise<Outcome[]> {
    const deletions = ops.filter(({ kind }) => kind === 'delete');
    const refused = deletions.length === 0 ? refusal : this.#writes.refusal(true);
    if (refused !== undefined) return ops.map(() => refused);
    const done = await this.#add(deletions);
    return ops.map(({ kind }) => (kind === 'delete' ? done.shift()! : refusal));
  }

  #add(ops: readonly Operation[]): Promise<Outcome[]> {
    const { counters } = this;
    counters.writing(ops, 1);
    return new Promise((resolve) => {
      this.#writes.add(ops, (outcomes) => {
        counters.writing(ops, -1);
        resolve(outcomes);
      });
    });
  }

  /** Indexes the documents of a type anew, as they are. */
  async indexAgain(type: string): Promise<void> {
    // What was queued before is committed then.
    await this.#again([{ kind: 'again', type, id: '' }]);
    const range = idRange(this.uid, uidOf(type, ''));
    let from = range[0];
    const to = range[1];
    for (;;) {
      const ops: Operation[] = [];
      for (const [row] of this.#services.storage.range(from, to, { limit: AGAIN, keysOnly: true })) {
        ops.push({ kind: 'again', type, id: uidOfKey(row).slice(type.length + 1) });
        from = Uint8Array.of(...row, 0);
      }
      if (ops.length === 0) return;
      await this.#again(ops);
    }
  }

  async #again(ops: readonly Operation[]): Promise<void> {
    for (const outcome of await this.#write(ops)) if (outcome instanceof ElasticsearchError) throw outcome;
  }

  /** How far the shard has followed the log of its index; undefined where it has read nothing of it. */
  get logPlace(): ShardPlace | undefined {
    return this.isHeld ? this.#log?.place : undefined;
  }

  /** Whether a message of the log would be carried out, and is not left out. */
  lacks(message: Pick<LogPlace, 'position' | 'writer' | 'number'>): boolean {
    return this.#log!.lacks(message);
  }

  /**
   * Carries out a message of the log of its index. Messages come in their order, from {@link logPlace} on; one that is carried out already is
   * left out, and so is one that its writer sent twice.
   * @returns what became of it when it is durable, and handed to the core; undefined where it was left out. Rejects where the shard goes first
   */
  async apply(message: LogPlace, ops: readonly Operation[]): Promise<Outcome[] | undefined> {
    const place = this.#log!.admit(message);
    if (place === undefined || ops.length === 0) return undefined;
    // Each is this message's alone. Copies of them would be slow objects: a third of what carrying it out took.
    for (const op of ops) op.now = place.time;
    const { counters } = this;
    counters.writing(ops, 1);
    try {
      return await new Promise((resolve, reject) => {
        this.#writes.add(ops, resolve, { message: place, reject });
      });
    } finally {
      counters.writing(ops, -1);
    }
  }

  #digested(spans: readonly Span[]): Entry | undefined {
    const digest = this.#digest;
    if (digest === undefined) return undefined;
    for (const { group } of spans) {
      if (group.logged === undefined) continue;
      const { position, checksum, isCompared } = group.logged.message;
      this.#mark = digest.add(position, isCompared ? checksum : undefined, group.outcomes) ?? this.#mark;
    }
    return digest.row();
  }

  /** What copies of the shard are compared by, the newest last. */
  get marks(): readonly DigestMark[] {
    return (this.isHeld ? this.#digest?.marks : undefined) ?? [];
  }

  /** See {@link LogDigest.at}. */
  digestAt(position: number): DigestMark | undefined {
    return this.isHeld ? this.#digest?.at(position) : undefined;
  }

  /** See {@link LogDigest.after}. */
  digestAfter(messages: number): DigestMark | undefined {
    return this.isHeld ? this.#digest?.after(messages) : undefined;
  }

  /** See {@link LogDigest.compare}. */
  compareDigest(other: Digest): DigestMark | undefined {
    return this.isHeld ? this.#digest?.compare(other) : undefined;
  }

  /** No search can find more documents than this. */
  get documentBound(): number {
    return this.#services.leader === undefined ? this.#builder.lastSeq : this.documents.newest;
  }

  /** Bytes of the files of its segments. */
  get fileBytes(): number {
    return this.#checkpoints.manifest.segments.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Grows with every operation, and with those whose rows have gone. */
  get rowChanges(): number {
    return this.documentBound + this.#reclamation.purged;
  }

  /** Keeps every row that a search may still name until the returned function is called. */
  hold(): () => void {
    const { leader } = this.#services;
    if (leader !== undefined) return leader.hold();
    const release = this.#reclamation.hold();
    this.#holds++;
    return () => {
      release();
      if (--this.#holds === 0) this.#released();
      this.reclaim();
    };
  }

  /**
   * The shard as one request searches and reads it: itself where this node has a copy, else that of another node.
   * @param preferred ids of the only nodes whose copies may be asked, in their order
   */
  searched(preferred?: readonly string[]): SearchedShard {
    const { replication } = this.#services;
    if (replication === undefined) return this;
    if (preferred === undefined ? this.isHeld : preferred[0] === replication.self && this.isHeld) return this;
    return replication.shardElsewhere(this.#index.name, this, preferred);
  }

  /** The newest version of a document of another node, for a query that is compiled; see {@link ShardReplication.documentElsewhere}. */
  documentElsewhere(types: readonly string[], id: string): StoredDocument | undefined {
    return this.#services.replication!.documentElsewhere(this, types, id);
  }

  /** Changes when searches see something else. */
  get shown(): number {
    return this.#visibleSeq;
  }

  /** Resolves when no search is going on, nor anything else that holds it. */
  async released(): Promise<void> {
    while (this.#holds > 0)
      await new Promise<void>((resolve) => {
        this.#released = resolve;
      });
  }

  /** Deletes rows that nobody needs any more, if there are any. */
  reclaim(): void {
    if (this.#reclamation.due && !this.#closed && this.active) this.#sweep();
  }

  #sweep(): void {
    this.#reclamation.sweep().catch((e) => this.#warn(`upkeep: ${e}`));
  }

  /** Tells the core of fields whose mapping has changed without a document. */
  async tellFields(): Promise<void> {
    if (this.isHeld) return this.#connection.tellFields();
  }

  /** Makes everything acknowledged so far searchable; one that is under way already may do for that. */
  refresh(): Promise<void> {
    if (this.#services.leader !== undefined) throw new LeaderOnly();
    if (!this.#dirty) return this.#refreshing ?? Promise.resolve();
    const started = performance.now();
    const refreshing = this.#refresh().finally(() => {
      this.counters.refreshes++;
      this.counters.refreshTime += performance.now() - started;
      if (this.#refreshing === refreshing) this.#refreshing = undefined;
    });
    this.#refreshing = refreshing;
    return refreshing;
  }

  async #refresh(): Promise<void> {
    this.#dirty = false;
    this.#bytesSinceRefresh = 0;
    const seq = this.#reclamation.newest;
    const { applied } = this.#connection;
    try {
      await this.#connection.refresh();
    } catch (e) {
      this.#dirty = true;
      throw e;
    }
    this.#reclamation.refreshed(seq);
    this.#visibleSeq = Math.max(this.#visibleSeq, applied);
    this.#background();
  }

  /** Operations that the last checkpoint doesn't hold. */
  get uncheckpointed(): number {
    return this.isHeld && this.active && !this.opening
      ? this.#builder.lastSeq - this.#checkpoints.manifest.seq
      : 0;
  }

  /** Bytes of their sources. */
  get uncheckpointedBytes(): number {
    return this.uncheckpointed === 0 ? 0 : this.#checkpoints.written;
  }

  /** Bytes of what is remembered of documents that were replaced since the last refresh, about. */
  get versionMapBytes(): number {
    return this.#reclamation.remembered * VERSION_BYTES;
  }

  /** @param fields numbers of fields whose bytes are wanted */
  async stats(fields: readonly number[] = []): Promise<ShardStats> {
    const stats = await this.#connection.call((client) => client.stats(fields));
    const { merges } = stats.stats;
    this.counters.merges = merges.total;
    this.counters.mergeTime = stats.mergeTime;
    this.counters.mergedDocuments = merges.totalDocs;
    this.counters.mergedBytes = merges.totalBytes;
    return stats;
  }

  /** Drops what is made again when it is needed. @param what parts of `Cache` */
  clearCaches(what: number): Promise<void> {
    return this.#connection.call((client) => client.clear(what));
  }

  /** Merges down to that many segments. */
  async forceMerge(maxSegments: number): Promise<void> {
    await this.refresh();
    await this.#connection.call((client) => client.forceMerge(maxSegments));
    this.#checkpoints.merged();
    this.#background();
  }

  /** Persists the segments, so that a restart need not index their documents again. */
  checkpoint(): Promise<void> {
    return this.#connection.call(() => this.#checkpoints.write());
  }

  /** The same, marked as what all copies of the shard have. */
  syncedFlush(): Promise<void> {
    return this.#connection.call(() => this.#checkpoints.sync(randomId()));
  }

  /** The mark of the last synced flush; undefined where a flush came after it that had something to write. */
  get syncId(): string | undefined {
    return this.#checkpoints.manifest.syncId;
  }

  /** Lets the commit that is under way end, and keeps others back: until then nothing of the shard changes in the store. */
  freeze(): Promise<Frozen> {
    return this.#writes.freeze();
  }

  /** What the shard holds now, with as much of it in segments as can be; must be released. */
  async capture(): Promise<Capture> {
    if (!this.isHeld || !this.active || this.#closed) throw this.gone ?? this.#connection.inactive();
    await this.refresh();
    await this.checkpoint();
    await this.#checkpoints.settled();
    const letFilesGo = this.#checkpoints.hold();
    const letRowsGo = this.hold();
    const release = () => {
      letFilesGo();
      letRowsGo();
    };
    const check = () => {
      if (this.#closed) throw this.gone ?? this.#connection.inactive();
    };
    const { storage, blobs } = this.#services;
    const moment = {
      storage,
      blobs,
      uid: this.uid,
      dictionaries: this.#dictionaries,
      manifest: this.#checkpoints.manifest,
      seq: this.#writes.committedSeq,
      check,
    };
    try {
      return new Capture(moment, release);
    } catch (e) {
      release();
      throw e;
    }
  }

  /**
   * Persists what the shard holds, where that can be done, and keeps the files of its segments until the returned function is called, for a
   * copy that is made of the store.
   */
  async holdFiles(): Promise<() => void> {
    if (!this.isHeld || !this.active || this.#closed) throw this.gone ?? this.#connection.inactive();
    // Otherwise whoever opens the copy indexes more again.
    if (!this.rests)
      await this.refresh()
        .then(() => this.checkpoint())
        .catch(() => {});
    await this.#checkpoints.settled();
    return this.#checkpoints.hold();
  }

  /** Whether its core was let go of, and nothing has needed it since. */
  get rests(): boolean {
    return this.#connection.rests;
  }

  /**
   * Persists what the shard holds, and lets go of its core until something needs it: nobody searches its index. Not while something uses
   * it.
   */
  async rest(): Promise<void> {
    const isBusy = () => this.opening || !this.active || this.#closed || this.#holds > 0;
    if (!this.isHeld || this.rests || isBusy()) return;
    await this.#persist();
    if (!isBusy() && !this.#dirty && !this.#checkpoints.behind) await this.#connection.rest();
  }

  /** Brings its core back, where it was let go of. */
  async wake(): Promise<void> {
    if (this.rests) await this.#connection.call(async () => {});
  }

  /** Persists what the shard holds, and lets go of its core, whoever uses it: it is brought back with other analyzers. */
  async letGo(): Promise<void> {
    await this.#persist();
    await this.#connection.rest();
  }

  /** Has everything that was written in its segments, and those in the store. */
  async #persist(): Promise<void> {
    if (!this.isHeld || !this.active || this.rests) return;
    await this.refresh();
    await this.#reclamation.sweep();
    if (this.#checkpoints.behind) await this.checkpoint();
    await this.#checkpoints.settled();
  }

  /** Finishes what is queued and lets go; with `keep`, checkpoints first. */
  async close(keep: boolean): Promise<void> {
    this.#closed = true;
    this.#kept = keep;
    this.#closing.abort();
    // Nothing of it is here.
    if (this.#services.leader !== undefined || !this.isHeld) return;
    const written = this.#writes.close();
    await this.ready;
    await written;
    try {
      await this.#checkpoints.running;
      if (keep && this.active) {
        await this.refresh().catch((e) => {
          // Without memory for a refresh, what the segments hold is still worth keeping.
          if (!(e instanceof ElasticsearchError)) throw e;
        });
        await this.#reclamation.sweep();
        if (this.#checkpoints.behind && !this.rests) await this.#checkpoints.write();
      }
      await this.#connection.client?.close();
    } catch (e) {
      if (!(e instanceof ShardLost)) throw e;
    }
  }

  /** Hands a durable chunk to the core, and answers. */
  async #committed(chunk: Chunk): Promise<void> {
    this.#bytesSinceRefresh += chunk.bytes;
    this.#checkpoints.wrote(chunk.bytes);
    for (const kill of chunk.kills) this.#reclamation.kill(kill);
    let failure: ElasticsearchError | undefined;
    if (chunk.batch.length > 0) {
      this.#dirty = true;
      failure = await this.#connection.apply(chunk);
    }
    const { done, ms } = chunk;
    if (done.watched.length > 0) await this.#index.written(this, done.watched);
    this.counters.wrote(done.types, ms);
    // What a log says has been carried out when it is durable; the core comes after.
    settle(chunk.spans, chunk.isLogged ? undefined : failure);
    const mark = this.#mark;
    this.#mark = undefined;
    if (mark !== undefined && !this.#closed)
      this.#services.replication?.marked(this.#index, this.number, mark);
    if (this.#dirty && !this.#closed) this.onDirty();
    if (this.#bytesSinceRefresh > REFRESH_BYTES && !this.#closed)
      this.refresh().catch((e) => this.#services.warn(String(e)));
  }

  /** What is due after a refresh: old rows, old deletions, a checkpoint. */
  #background(): void {
    const due = this.#checkpoints.due(this.#builder.lastSeq);
    this.#reclamation
      .sweep()
      .then(() => this.#prune())
      .then(() => (due && !this.#closed ? this.#checkpoints.write() : undefined))
      .catch((e) => {
        if (!(e instanceof ShardLost)) this.#warn(`upkeep: ${e}`);
      });
  }

  /** Now and then, forgets deletions that are old enough. */
  async #prune(): Promise<void> {
    const now = this.#services.clock.now();
    if (now - this.#pruned < PRUNING_MS) return;
    this.#pruned = now;
    const isLogged = this.#services.replication !== undefined;
    await forgetDeletions(
      this.#services.storage,
      this.uid,
      isLogged ? this.#log!.horizon : now - this.#index.gcDeletes,
      (uid) => this.#builder.uncommitted?.ids.has(uid) ?? false,
    );
  }

  /**
   * The way to the shard for those that follow this engine.
   * @param lost whether a way leads nowhere any more: then the shard is brought back first
   */
  async connected(lost: (client: ShardClient) => boolean): Promise<ShardClient> {
    await this.ready;
    const client = () => {
      const own = this.#connection.client;
      if (own === undefined || this.#closed || !this.active) throw this.gone ?? this.#connection.inactive();
      return own;
    };
    // Whatever is asked finds out that the core is gone.
    if (lost(client())) await this.#connection.call((each) => each.stats([]));
    return client();
  }

  /** Asks the leader for the way to the shard. */
  async #connect(leader: ShardLeader): Promise<Connected> {
    const client = await leader.connect(this.uid, this.#connection.client);
    return { client, defined: new DefinedFields(), lastSeq: 0 };
  }

  /** Fills a client from the store. */
  #recover(): Promise<Recovered> {
    return recoverShard({
      ...this.#services,
      uid: this.uid,
      dictionaries: this.#dictionaries,
      fields: () => this.#index.fields(),
      encode: (batch, from, doc, seq) => void this.#index.encode(batch, from, doc, doc, seq),
      warn: (message) => this.#warn(message),
      progress: this.recovery,
      ended: () => this.#closed,
    });
  }

  /** The shard is what the store held, and perhaps not all of what was committed since. */
  #recovered(recovered: Recovered, waiting: boolean): void {
    const { lastSeq, lastKill, purged } = recovered;
    this.#checkpoints.recovered(recovered);
    this.#builder.lastSeq = Math.max(this.#builder.lastSeq, lastSeq);
    this.#reclamation.recovered(lastKill, purged);
    this.#visibleSeq = lastSeq;
    this.#writes.committedSeq = Math.max(this.#writes.committedSeq, lastSeq);
    this.#dirty = waiting;
    this.recovery.stage = 'DONE';
  }
}

/** 503: what only a copy of the shard can answer. */
function notHere(name: string): ElasticsearchError {
  const detail = `${name} this node has no copy of the shard`;
  return new ElasticsearchError('NoShardAvailableActionException', detail, { status: 503 });
}

function elsewhere(name: string): never {
  throw notHere(name);
}

/** Which version a refresh has shown: only the leader knows. */
function leadersOnly(): never {
  throw new LeaderOnly();
}
