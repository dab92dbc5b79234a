/** One shard as the engine sees it: an ordered queue of writes in front of the store and of the shard's client. */
import type { BatchWriter } from '../core/batch.js';
import type { CoreField } from '../core/instance.js';
import type { SearchResult } from '../core/result.js';
import type { Encoded } from '../mapping/documents.js';
import type { GivenTimes, Times } from '../mapping/documentTimes.js';
import { CoreError, CoreTrap, Status } from '../core/status.js';
import { ElasticsearchError, rejected, toElasticsearchError, writeFailed } from '../errors.js';
import {
  bytesOver,
  decodeDocument,
  decodeIdRecord,
  idKey,
  idRange,
  kindRange,
  MAX_UID_BYTES,
  seqKey,
  seqOfKey,
  type StoredDocument,
  uidOf,
  uidOfKey,
} from '../storage/records.js';
import { type Blobs, DiskFull, type Entry, type Storage } from '../storage/storage.js';
import { Capture } from './capture.js';
import { writeCheckpoint } from './checkpoint.js';
import { answer, type Chunk, ChunkBuilder, type Outcome } from './chunk.js';
import type { Clock } from './clock.js';
import { Counters } from './counters.js';
import type { Manifest } from './manifest.js';
import { type Operation, TOMBSTONE_MS } from './operation.js';
import { recoverShard } from './recovery.js';
import { RecoveryProgress } from './recoveryProgress.js';
import { Retirement } from './retirement.js';
import type { FlatSettings } from './settings.js';
import { SLOW_SOURCE, type SlowLog, slowLevel } from './slowlog.js';
import { type ShardClient, ShardLost, type ShardStats, type ShardTransport } from './shardClient.js';
import { forgetDeletions } from './tombstones.js';
import { gatherUids } from './uids.js';

/** What a shard needs of the engine. */
export interface ShardServices {
  storage: Storage;
  blobs: Blobs;
  clock: Clock;
  transport: ShardTransport;
  /** Calls back in the next turn of the event loop. */
  turn(callback: () => void): void;
  warn(message: string): void;
  /** Told of what took long. */
  slow?: SlowLog;
}

/** What of a document is indexed. */
export type EncodedDocument = Pick<StoredDocument, 'type' | 'id' | 'parent' | 'source'> & {
  routing?: string | undefined;
  times?: GivenTimes | Times;
};

/** What a shard needs of its index. */
export interface ShardIndex {
  readonly name: string;
  readonly settings: FlatSettings;
  /** How long after their acknowledgement writes may be durable, in milliseconds; undefined where they are at once. */
  readonly syncWithin: number | undefined;
  /** All fields, in the order they were defined; it only grows. */
  fields(): readonly CoreField[];
  /**
   * Parses a document and writes it into the batch; a bad one throws and leaves the batch as it was. Its hidden documents have the
   * numbers from `seq` on; the one behind is its own. `own` is given where it has that already.
   */
  encode(batch: BatchWriter, seq: number, doc: EncodedDocument, own?: number): Encoded;
  /** Whether the mapping has the type. */
  hasType(name: string): boolean;
  /** Refuses a document that is more than its fields, such as a query; called before it is encoded to be written. */
  check(doc: { type: string; id: string; source: Uint8Array }): void;
  /** A document was written or deleted. */
  written(shard: Shard, type: string, id: string): void;
  /** The index's metadata if it changed since it was last committed. */
  changedMetadata(): Entry | undefined;
  /** The metadata could not be committed: it is changed still. */
  metadataLost(): void;
}

/** A shard refreshes by itself when this much was indexed since the last time, as 1.7 flushes. */
const REFRESH_BYTES = 64 * 1024 * 1024;
/** A checkpoint is due after that much. */
const CHECKPOINT_OPS = 50_000;
const CHECKPOINT_BYTES = 32 * 1024 * 1024;
const MAX_RECOVERIES = 3;
/** Documents that are indexed anew at once. */
const AGAIN = 1000;
/** How often a search waits for uids of segments that weren't there before. */
const UIDS_TRIES = 5;

const utf8 = new TextDecoder();

/** A shard whose writes wait. */
export interface Frozen {
  /** They go on. */
  thaw(): void;
  /** They never do: each is refused with this. */
  end(error: ElasticsearchError): void;
}

/** A shard that is open. */
export class Shard {
  readonly uid: number;
  readonly number: number;
  readonly #index: ShardIndex;
  readonly #services: ShardServices;
  readonly #builder: ChunkBuilder;
  readonly #retirement: Retirement;
  /** Committed, but not yet known to be in the shard. */
  readonly #unapplied: Chunk[] = [];
  #pumping: Promise<void> | undefined;
  #client: ShardClient | undefined;
  #manifest!: Manifest;
  #names = new Map<number, string>();
  /** The index's fields as the shard knows them. */
  #defined: readonly CoreField[] = [];
  #dirty = false;
  #refreshing: Promise<void> | undefined;
  #givingUids: Promise<void> | undefined;
  #bytesSinceRefresh = 0;
  #bytesSinceCheckpoint = 0;
  #checkpointing: Promise<void> | undefined;
  #recovering: Promise<void> | undefined;
  #failures = 0;
  /** The core has no memory for what was committed; nothing more is until it has. */
  #full = false;
  #pruned = 0;
  /** The newest operation handed to the core, and the newest one that a refresh has shown. */
  #appliedSeq = 0;
  #visibleSeq = 0;
  /** The newest operation that is in the store. */
  #committedSeq = 0;
  /** Checkpoints wait for these captures to be let go of. */
  readonly #captures = new Set<Promise<void>>();
  #closed = false;
  /** Writes wait for it. */
  #frozen: Promise<void> | undefined;
  #committing: Promise<unknown> = Promise.resolve();
  /** Why nothing is written any more. */
  #ended: ElasticsearchError | undefined;
  readonly counters = new Counters();
  /** How the shard was opened. */
  readonly recovery = new RecoveryProgress();
  /** Resolves when the shard has been opened, or can't be. */
  readonly ready: Promise<void>;
  #setReady!: () => void;
  #opened = false;
  /** Called when there is something that the next refresh would show. */
  onDirty: () => void = () => {};

  /** A shard that is to be opened; writes wait until it is. */
  constructor(index: ShardIndex, uid: number, number: number, services: ShardServices) {
    this.#index = index;
    this.uid = uid;
    this.number = number;
    this.#services = services;
    this.#retirement = new Retirement(services.storage, uid);
    const { storage, clock, turn } = services;
    const encode = (batch: BatchWriter, seq: number, op: Operation): Encoded => {
      const { type, id, routing, parent, timestamp, ttl } = op;
      const document = { type, id, routing, parent, source: op.source! };
      const isFirst = !index.hasType(type);
      try {
        index.check(document);
        const times = op.times ?? { timestamp, ttl, now: clock.now() };
        return index.encode(batch, seq, { ...document, times });
      } catch (e) {
        throw isFirst && index.hasType(type) ? writeFailed(toElasticsearchError(e)) : e;
      }
    };
    const decided = (op: Operation, ms: number) => this.#tellIfSlow(op, ms);
    const chunks = { index: index.name, number, uid, storage, clock, turn, encode, decided };
    this.#builder = new ChunkBuilder(chunks);
    this.ready = new Promise((resolve) => {
      this.#setReady = resolve;
    });
  }

  /** Recovers what the store holds of the shard. One that can't be is there, but not active. */
  async open(): Promise<void> {
    const { clock, warn } = this.#services;
    this.recovery.started = clock.now();
    try {
      if (!this.#closed) await this.#recover();
    } catch (e) {
      this.#failures = MAX_RECOVERIES;
      if (!this.#closed) warn(`${this.#name} can't be opened: ${toElasticsearchError(e).detail}`);
    }
    this.recovery.stage = 'DONE';
    this.recovery.stopped = clock.now();
    this.#opened = true;
    this.#setReady();
  }

  /** Whether it is being opened still. */
  get opening(): boolean {
    return !this.#opened;
  }

  #tellIfSlow({ type, id, source }: Operation, took: number): void {
    const { slow } = this.#services;
    const level = slow === undefined ? undefined : slowLevel(this.#index.settings, 'index', took);
    if (slow === undefined || level === undefined) return;
    const shown = new TextDecoder().decode(source?.subarray(0, SLOW_SOURCE));
    slow({
      kind: 'index',
      level,
      index: this.#index.name,
      shard: this.number,
      took,
      source: shown,
      type,
      id,
    });
  }

  get #name(): string {
    return `[${this.#index.name}][${this.number}]`;
  }

  /** True unless the shard could not be opened, or not be brought back after its core trapped. */
  get active(): boolean {
    return this.#failures < MAX_RECOVERIES;
  }

  /** Something was written that no refresh has shown yet. */
  get dirty(): boolean {
    return this.#dirty;
  }

  /** Writes in the given order; resolves when all are durable and handed to the shard. One failing fails alone. */
  write(ops: readonly Operation[]): Promise<Outcome[]> {
    if (ops.length === 0) return Promise.resolve([]);
    const refusal = this.#closed ? rejected(`${this.#name} is closing`) : this.#refusal();
    if (refusal !== undefined) return Promise.resolve(ops.map(() => refusal));
    return new Promise((resolve) => {
      this.#builder.add({ ops, outcomes: new Array(ops.length), left: ops.length, resolve });
      this.#pumping ??= this.#pump();
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
    for (const outcome of await this.write(ops)) if (outcome instanceof ElasticsearchError) throw outcome;
  }

  /** Why nothing can be written now. */
  #refusal(): ElasticsearchError | undefined {
    if (this.#ended !== undefined) return this.#ended;
    if (!this.active) return this.#inactive();
    return this.#full ? this.#outOfMemory() : undefined;
  }

  #inactive(): ElasticsearchError {
    const detail = `${this.#name} the shard could not be recovered`;
    return new ElasticsearchError('EngineClosedException', detail, { status: 503 });
  }

  #outOfMemory(): ElasticsearchError {
    return rejected(
      `${this.#name} has no memory left: what was acknowledged is stored, but not all of it can be searched yet`,
    );
  }

  /** The newest committed version of a document, whether searchable yet or not. */
  get(type: string, id: string): StoredDocument | undefined {
    const record = this.#builder.stored(uidOf(type, id));
    const there = record !== undefined && record.seq > 0;
    if (there) this.counters.found++;
    else this.counters.missing++;
    return there ? this.document(record.seq) : undefined;
  }

  /** The same, uncounted. */
  committed(type: string, id: string): StoredDocument | undefined {
    const record = this.#builder.stored(uidOf(type, id));
    return record === undefined || record.seq === 0 ? undefined : this.document(record.seq);
  }

  /** The ids of a type's documents. */
  *idsOf(type: string): Generator<string> {
    const { storage } = this.#services;
    const [from, to] = [idKey(this.uid, `${type}#`), idKey(this.uid, `${type}$`)];
    // Ids are kept by type; behind the sign that ends a type comes the next one.
    for (const [key, record] of storage.range(from, to))
      if (decodeIdRecord(record).seq > 0) yield utf8.decode(key.subarray(from.length));
  }

  /** The version of a document that searches find. */
  visibleDocument(type: string, id: string): StoredDocument | undefined {
    const key = this.visibleKey(uidOf(type, id));
    return key === undefined || key > this.#visibleSeq ? undefined : this.document(key);
  }

  /** The document of a key that a search returned. */
  document(key: number): StoredDocument | undefined {
    const bytes = this.#services.storage.get(seqKey('d', this.uid, key));
    return bytes === undefined ? undefined : decodeDocument(bytes);
  }

  /** The document that the hidden one of a key is a part of, and its own key: the next one there is. */
  holder(key: number): { key: number; document: StoredDocument } | undefined {
    for (const [row, value] of this.#services.storage.range(...kindRange('d', this.uid, key), { limit: 1 }))
      return { key: seqOfKey(row), document: decodeDocument(value) };
    return undefined;
  }

  /** The key under which searches find a document now: until a refresh that is the one before the newest write. */
  visibleKey(uid: string): number | undefined {
    const old = this.#retirement.visible(uid);
    if (old !== undefined) return old;
    const seq = this.#builder.stored(uid)?.seq;
    return seq === undefined || seq === 0 ? undefined : seq;
  }

  /** The keys under which searches find the documents whose uid begins so. */
  visibleKeys(prefix: string): number[] {
    if (bytesOver(MAX_UID_BYTES, prefix) > 0) return [];
    const keys: number[] = [];
    for (const [row, record] of this.#services.storage.range(...idRange(this.uid, prefix))) {
      const key = this.#retirement.visible(uidOfKey(row)) ?? decodeIdRecord(record).seq;
      if (key > 0) keys.push(key);
    }
    return keys;
  }

  /** No search can find more documents than this. */
  get documentBound(): number {
    return this.#builder.lastSeq;
  }

  /** Keeps every row that a search may still name until the returned function is called. */
  hold(): () => void {
    const release = this.#retirement.hold();
    return () => {
      release();
      if (this.#retirement.due && !this.#closed && this.active) this.#sweep();
    };
  }

  /** Deletes rows that nobody needs any more. */
  #sweep(): void {
    this.#retirement.sweep().catch((e) => this.#services.warn(`${this.#name} upkeep: ${e}`));
  }

  /** The hits of a plan; the caller holds the shard until it has read them. */
  async query(plan: () => Uint8Array): Promise<SearchResult> {
    const { counters } = this;
    const started = performance.now();
    counters.queriesNow++;
    try {
      return await this.#search(plan, UIDS_TRIES);
    } finally {
      counters.queriesNow--;
      counters.queries++;
      counters.queryTime += performance.now() - started;
    }
  }

  /** The answer to a read of dictionaries: `termReader.ts` writes and reads both. */
  terms(request: Uint8Array): Promise<Uint8Array> {
    return this.#withClient((client) => client.terms(request));
  }

  /** Segments that a search needs the uids of get them first; merges may make others meanwhile. */
  async #search(plan: () => Uint8Array, tries: number): Promise<SearchResult> {
    try {
      return await this.#withClient((client) => client.search(plan()));
    } catch (e) {
      if (!(e instanceof CoreError && e.code === Status.uids) || tries === 0) throw e;
    }
    this.#givingUids ??= this.#giveUids().finally(() => {
      this.#givingUids = undefined;
    });
    await this.#givingUids;
    return this.#search(plan, tries - 1);
  }

  async #giveUids(): Promise<void> {
    const { storage } = this.#services;
    for (const { id, keys } of await this.#withClient((client) => client.withoutUids())) {
      const uids = await gatherUids(storage, this.uid, keys);
      await this.#withClient((client) => client.giveUids(id, uids));
    }
  }

  /** Makes everything acknowledged so far searchable; one that is under way already may do for that. */
  refresh(): Promise<void> {
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
    const seq = this.#retirement.newest;
    const applied = this.#appliedSeq;
    try {
      await this.#withClient(async (client) => {
        // A definition may have been what there was no memory for.
        if (this.#full) await client.define(this.#index.fields());
        await client.refresh();
      });
    } catch (e) {
      this.#dirty = true;
      throw e instanceof CoreError ? this.#outOfMemory() : e;
    }
    if (this.#full) this.#services.warn(`${this.#name} has memory again`);
    this.#full = false;
    this.#retirement.refreshed(seq);
    this.#visibleSeq = Math.max(this.#visibleSeq, applied);
    this.#background();
  }

  /** Operations that the last checkpoint doesn't hold. */
  get uncheckpointed(): number {
    return this.active && !this.opening ? this.#builder.lastSeq - this.#manifest.seq : 0;
  }

  stats(): Promise<ShardStats> {
    return this.#withClient((client) => client.stats());
  }

  /** Merges down to that many segments. */
  async forceMerge(maxSegments: number): Promise<void> {
    await this.refresh();
    const started = performance.now();
    await this.#withClient((client) => client.forceMerge(maxSegments));
    this.counters.merges++;
    this.counters.mergeTime += performance.now() - started;
    this.#bytesSinceCheckpoint += CHECKPOINT_BYTES;
    this.#background();
  }

  /** Persists the segments, so that a restart need not index their documents again. */
  checkpoint(): Promise<void> {
    const started = performance.now();
    this.#checkpointing ??= this.#checkpoint().finally(() => {
      this.#checkpointing = undefined;
      this.counters.flushes++;
      this.counters.flushTime += performance.now() - started;
    });
    return this.#checkpointing;
  }

  /** Lets the commit that is under way end, and keeps others back: until then nothing of the shard changes in the store. */
  async freeze(): Promise<Frozen> {
    let release!: () => void;
    const frozen = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.#frozen = frozen;
    await this.#committing;
    const thaw = () => {
      if (this.#frozen === frozen) this.#frozen = undefined;
      release();
    };
    const end = (error: ElasticsearchError) => {
      this.#ended = error;
      thaw();
    };
    return { thaw, end };
  }

  /** What the shard holds now, with as much of it in segments as can be; must be released. */
  async capture(): Promise<Capture> {
    if (!this.active || this.#closed) throw this.#inactive();
    await this.refresh();
    await this.checkpoint();
    let done!: () => void;
    const held = new Promise<void>((resolve) => {
      done = resolve;
    });
    this.#captures.add(held);
    const letRowsGo = this.hold();
    const release = () => {
      this.#captures.delete(held);
      letRowsGo();
      done();
    };
    const check = () => {
      if (this.#closed) throw this.#inactive();
    };
    const { storage, blobs } = this.#services;
    const moment = {
      storage,
      blobs,
      uid: this.uid,
      manifest: this.#manifest,
      seq: this.#committedSeq,
      check,
    };
    try {
      return new Capture(moment, release);
    } catch (e) {
      release();
      throw e;
    }
  }

  /** Finishes what is queued and lets go; with `keep`, checkpoints first. */
  async close(keep: boolean): Promise<void> {
    this.#closed = true;
    await this.ready;
    while (this.#pumping !== undefined) await this.#pumping;
    try {
      await this.#checkpointing;
      if (keep && this.active) {
        await this.refresh().catch((e) => {
          // Without memory for a refresh, what the segments hold is still worth keeping.
          if (!(e instanceof ElasticsearchError)) throw e;
        });
        await this.#retirement.sweep();
        if (this.#bytesSinceCheckpoint > 0) await this.checkpoint();
      }
      await this.#client?.close();
    } catch (e) {
      if (!(e instanceof ShardLost)) throw e;
    }
  }

  // ---------------------------------------------------------------------------------------------- writing

  async #pump(): Promise<void> {
    let committing: Promise<Error | undefined> = Promise.resolve(undefined);
    try {
      await this.ready;
      for (;;) {
        if (this.#builder.empty) {
          await committing;
          if (this.#builder.empty) return;
        }
        // The next chunk is parsed while the one before is being committed, but never committed beside it.
        const chunk = await this.#builder.next();
        let failed = await committing;
        // What came while the commit before was under way goes along: single writes share a sync.
        if (failed === undefined) await this.#builder.extend(chunk);
        while (this.#frozen !== undefined) await this.#frozen;
        failed ??= this.#refusal();
        committing =
          failed === undefined ? this.#commit(chunk) : Promise.resolve(this.#refuse(chunk, failed));
        this.#committing = committing;
      }
    } finally {
      // In the turn that found the queue empty: a write of a later one starts the pump anew.
      this.#pumping = undefined;
    }
  }

  /** Makes a chunk durable, hands it to the shard, and answers. Returns what kept it from being durable. */
  async #commit(chunk: Chunk): Promise<Error | undefined> {
    const metadata = this.#index.changedMetadata();
    if (metadata !== undefined) chunk.puts.push(metadata);
    this.#builder.uncommitted = chunk;
    this.#bytesSinceRefresh += chunk.bytes;
    this.#bytesSinceCheckpoint += chunk.bytes;
    try {
      if (chunk.puts.length > 0) {
        const within = this.#index.syncWithin;
        const options = { freeing: chunk.bytes === 0, ...(within === undefined ? {} : { within }) };
        await this.#services.storage.commit(chunk.puts, [], options);
      }
    } catch (e) {
      if (metadata !== undefined) this.#index.metadataLost();
      const error = e instanceof Error ? e : new Error(String(e));
      this.#refuse(chunk, error);
      return error;
    } finally {
      this.#builder.uncommitted = undefined;
    }
    this.#committedSeq = chunk.lastSeq;
    for (const kill of chunk.kills) this.#retirement.kill(kill);
    void this.#apply(chunk);
    return undefined;
  }

  /** Nothing of the chunk was written: each operation that would have been says so. */
  #refuse(chunk: Chunk, cause: Error): undefined {
    const error =
      cause instanceof ElasticsearchError || cause instanceof DiskFull
        ? toElasticsearchError(cause)
        : new ElasticsearchError('WriteFailureException', cause.message, { status: 500 });
    for (const { group, at, outcome } of chunk.items) {
      answer(group, at, outcome instanceof ElasticsearchError ? outcome : error);
    }
  }

  async #apply(chunk: Chunk): Promise<void> {
    let failure: ElasticsearchError | undefined;
    if (chunk.batch.length > 0) {
      this.#dirty = true;
      this.#unapplied.push(chunk);
      try {
        // While the shard is being brought back, the recovery applies what is waiting, in its order.
        await (this.#recovering ?? this.#hand(chunk));
      } catch (e) {
        failure = await this.#repair(e);
      }
      this.#unapplied.splice(this.#unapplied.indexOf(chunk), 1);
    }
    this.#count(chunk);
    for (const { group, at, outcome } of chunk.items) {
      answer(group, at, outcome instanceof ElasticsearchError ? outcome : (failure ?? outcome));
    }
    if (this.#dirty && !this.#closed) this.onDirty();
    if (this.#bytesSinceRefresh > REFRESH_BYTES && !this.#closed)
      this.refresh().catch((e) => this.#services.warn(String(e)));
  }

  #count(chunk: Chunk): void {
    const { counters } = this;
    const before = counters.indexed + counters.deleted;
    let deletions = 0;
    for (const { group, at, outcome } of chunk.items) {
      if (outcome instanceof ElasticsearchError) continue;
      const { kind, type, id } = group.ops[at]!;
      this.#index.written(this, type, id);
      if (kind === 'delete') deletions++;
      else if (outcome.noop) counters.noops++;
      else counters.indexed++;
    }
    counters.deleted += deletions;
    const done = counters.indexed + counters.deleted - before;
    const share = done === 0 ? 0 : deletions / done;
    counters.deleteTime += chunk.ms * share;
    counters.indexTime += chunk.ms * (1 - share);
  }

  /**
   * Both calls are made at once, so that chunks reach the shard in their order. Where the core has no memory for it, the
   * chunk is durable all the same: it is acknowledged, the shard will index it with a later refresh, and nothing more is
   * written until then.
   */
  async #hand(chunk: Chunk): Promise<void> {
    const client = this.#client!;
    const fields = this.#undefined();
    const defined = fields.length > 0 ? client.define(fields) : undefined;
    const applied = client.apply(chunk.batch, chunk.lastSeq);
    this.#appliedSeq = Math.max(this.#appliedSeq, chunk.lastSeq);
    try {
      await Promise.all([defined, applied]);
    } catch (e) {
      if (!(e instanceof CoreError)) throw e;
      if (!this.#full)
        this.#services.warn(`${this.#name} ${e.message}; it takes no writes until it has some`);
      this.#full = true;
    }
  }

  /** The fields that are new to the shard, or have lost something since it was told of them. */
  #undefined(): CoreField[] {
    const [known, fields] = [this.#defined, this.#index.fields()];
    if (known === fields) return [];
    this.#defined = fields;
    return fields.filter(({ flags }, i) => flags !== known[i]?.flags);
  }

  // ---------------------------------------------------------------------------------------------- upkeep

  /** What is due after a refresh: old rows, old deletions, a checkpoint. */
  #background(): void {
    const due =
      this.#builder.lastSeq - this.#manifest.seq > CHECKPOINT_OPS ||
      this.#bytesSinceCheckpoint > CHECKPOINT_BYTES;
    this.#retirement
      .sweep()
      .then(() => this.#prune())
      .then(() => (due && !this.#closed ? this.checkpoint() : undefined))
      .catch((e) => {
        if (!(e instanceof ShardLost)) this.#services.warn(`${this.#name} upkeep: ${e}`);
      });
  }

  /** Now and then, forgets deletions that are old enough. */
  async #prune(): Promise<void> {
    const now = this.#services.clock.now();
    if (now - this.#pruned < TOMBSTONE_MS) return;
    this.#pruned = now;
    await forgetDeletions(
      this.#services.storage,
      this.uid,
      now,
      (uid) => this.#builder.uncommitted?.ids.has(uid) ?? false,
    );
  }

  async #checkpoint(): Promise<void> {
    while (this.#captures.size > 0) await Promise.all(this.#captures);
    const bytes = this.#bytesSinceCheckpoint;
    const { storage, blobs } = this.#services;
    const context = {
      storage,
      blobs,
      uid: this.uid,
      client: this.#client!,
      manifest: this.#manifest,
      names: this.#names,
      purged: this.#retirement.purged,
    };
    const { manifest, names } = await writeCheckpoint(context);
    this.#manifest = manifest;
    this.#names = names;
    this.#bytesSinceCheckpoint -= bytes;
  }

  /** Calls the client; if its instance of the core is gone, brings the shard back and calls once more. */
  async #withClient<T>(call: (client: ShardClient) => Promise<T>): Promise<T> {
    await this.ready;
    await this.#recovering;
    if (!this.active) throw this.#inactive();
    try {
      return await call(this.#client!);
    } catch (e) {
      if (e instanceof CoreError) throw e;
      const failure = await this.#repair(e);
      if (failure !== undefined || e instanceof CoreTrap) throw failure ?? e;
      return call(this.#client!);
    }
  }

  /** After a loss, recovers; returns what is left to report. */
  async #repair(e: unknown): Promise<ElasticsearchError | undefined> {
    if (!(e instanceof ShardLost || e instanceof CoreTrap)) return toElasticsearchError(e);
    if (this.#closed) {
      return new ElasticsearchError('EngineClosedException', `${this.#name} closed`, { status: 503 });
    }
    this.#services.warn(`${this.#name} ${e.message}; reopening from storage`);
    this.#recovering ??= this.#recover();
    try {
      await this.#recovering;
      return undefined;
    } catch (again) {
      return toElasticsearchError(again);
    }
  }

  /** Opens a client and fills it from the store; what was committed meanwhile follows in its order. */
  async #recover(): Promise<void> {
    try {
      if (!this.active) throw this.#inactive();
      this.#failures++;
      const fields = this.#index.fields();
      const recovered = await recoverShard({
        ...this.#services,
        uid: this.uid,
        fields,
        encode: (batch, from, doc, seq) => void this.#index.encode(batch, from, { ...doc, times: doc }, seq),
        warn: (message) => this.#services.warn(`${this.#name} ${message}`),
        progress: this.recovery,
        ended: () => this.#closed,
      });
      this.#client = recovered.client;
      this.#defined = fields;
      this.#manifest = recovered.manifest;
      this.#names = recovered.names;
      this.#builder.lastSeq = Math.max(this.#builder.lastSeq, recovered.lastSeq);
      this.#retirement.recovered(recovered.lastKill, recovered.purged);
      this.#appliedSeq = this.#visibleSeq = recovered.lastSeq;
      this.#committedSeq = Math.max(this.#committedSeq, recovered.lastSeq);
      this.#bytesSinceCheckpoint += recovered.lastSeq - recovered.manifest.seq;
      this.#dirty = false;
      this.#full = false;
      for (let i = 0; i < this.#unapplied.length; i++) {
        const chunk = this.#unapplied[i]!;
        if (chunk.lastRow <= recovered.lastSeq) continue;
        this.#dirty = true;
        await this.#hand(chunk);
      }
      this.#failures = 0;
      this.recovery.stage = 'DONE';
    } finally {
      this.#recovering = undefined;
    }
  }
}
