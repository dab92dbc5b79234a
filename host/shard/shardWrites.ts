/** A shard's writes on their way to the store: in the order they came, chunk by chunk, each chunk in one commit. */
import { ElasticsearchError, rejected, toElasticsearchError } from '../errors.js';
import type { Entry, Storage } from '../storage/storage.js';
import { DiskFull, StoreFailed } from '../storeErrors.js';
import type { Chunk, ChunkBuilder } from './chunk.js';
import type { Operation } from './operation.js';
import type { ChangedMetadata, CommitGate, LoggedCommits } from './shardIndex.js';
import { type LoggedGroup, type Outcome, type Span, settle } from './writeQueue.js';

/** What writing needs of the shard. */
export interface WritesContext {
  /** The shard's name in messages. */
  name: string;
  storage: Storage;
  /** Commits what a log says; undefined where none does. */
  logged: LoggedCommits | undefined;
  builder: ChunkBuilder;
  /** Chunks wait for it. */
  ready: Promise<void>;
  /** Why nothing can be written now; `deletions` tells whether it is deletions alone. */
  refusal(deletions: boolean): ElasticsearchError | undefined;
  /** How long after their acknowledgement writes may be durable, in milliseconds; undefined where they are at once. */
  syncWithin(): number | undefined;
  /** See `ShardIndex`. */
  changedMetadata(): Promise<ChangedMetadata> | undefined;
  takeMetadata(changed: ChangedMetadata): Entry | undefined;
  metadataKept(): void;
  /** The metadata could not be committed: it is changed still. */
  metadataLost(): void;
  /** Adds messages that are carried out with the next commit; returns a row that goes with them. */
  digest(spans: readonly Span[]): Entry | undefined;
  /** A chunk is durable: whoever is told settles it once the core has it. Chunks come in their order. */
  committed(chunk: Chunk): void;
}

/** A shard whose writes wait. */
export interface Frozen {
  /** They go on. */
  thaw(): void;
  /** They never do: each is refused with this. */
  end(error: ElasticsearchError): void;
}

/** The writes of one shard. */
export class ShardWrites {
  readonly #context: WritesContext;
  #pumping: Promise<void> | undefined;
  #committing: Promise<unknown> = Promise.resolve();
  /** Writes wait for it. */
  #frozen: Promise<void> | undefined;
  /** Why nothing is written any more. */
  #ended: ElasticsearchError | undefined;
  #closed = false;
  /** Why a message of a log is missing: nothing behind it may be carried out. */
  #gap: Error | undefined;
  /** The newest operation that is in the store. */
  committedSeq = 0;
  readonly #gate: CommitGate = {
    isOver: () => this.#closed || this.#ended !== undefined,
    frozen: () => this.#frozen,
  };

  constructor(context: WritesContext) {
    this.#context = context;
  }

  /** Writes in the given order; `answered` is called when all are durable and handed to the core, or can't be. One failing fails alone. */
  add(ops: readonly Operation[], answered: (outcomes: Outcome[]) => void, logged?: LoggedGroup): void {
    const group = { ops, outcomes: new Array<Outcome>(ops.length), left: ops.length, resolve: answered };
    this.#context.builder.add(logged === undefined ? group : { ...group, logged });
    this.#pumping ??= this.#pump();
  }

  /** Why nothing can be written now. @param deletions whether it is deletions alone */
  refusal(deletions: boolean): ElasticsearchError | undefined {
    if (this.#closed) return rejected(`${this.#context.name} is closing`);
    return this.#refusal(deletions);
  }

  #refusal(deletions: boolean): ElasticsearchError | undefined {
    return this.#ended ?? this.#context.refusal(deletions);
  }

  /** Takes no more; resolves when what waits is written. */
  async close(): Promise<void> {
    this.#closed = true;
    while (this.#pumping !== undefined) await this.#pumping;
  }

  /** Lets the commit that is under way end, and keeps others back: until then nothing of the shard changes in the store. */
  async freeze(): Promise<Frozen> {
    let release!: () => void;
    const frozen = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.#frozen = frozen;
    const paused = this.#context.logged?.paused();
    await (paused === undefined ? this.#committing : Promise.race([this.#committing, paused]));
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

  /** The shard could not be opened. It isn't known where its rows end: what a log says would be written over others. */
  unopened(error: Error): void {
    this.#gap = error;
  }

  async #pump(): Promise<void> {
    const { builder, ready } = this.#context;
    let committing: Promise<Error | undefined> = Promise.resolve(undefined);
    try {
      await ready;
      for (;;) {
        if (builder.empty) {
          await committing;
          if (builder.empty) return;
        }
        // The next chunk is parsed while the one before is being committed, but never committed beside it.
        const chunk = await builder.next();
        let failed = await committing;
        // What came while the commit before was under way goes along: single writes share a sync.
        if (failed === undefined) await builder.extend(chunk);
        while (this.#frozen !== undefined) await this.#frozen;
        // What a log says is carried out, whatever state the core is in once it was there, and after a commit that failed is tried again.
        if (chunk.isLogged) failed = this.#ended ?? this.#gap;
        else failed ??= this.#refusal(chunk.bytes === 0);
        committing =
          failed === undefined ? this.#commit(chunk) : Promise.resolve(this.#refuse(chunk, failed));
        this.#committing = committing;
      }
    } finally {
      // In the turn that found the queue empty: a write of a later one starts the pump anew.
      this.#pumping = undefined;
    }
  }

  /** Makes a chunk durable and hands it on. Returns what kept it from being durable. */
  async #commit(chunk: Chunk): Promise<Error | undefined> {
    const { builder, storage } = this.#context;
    builder.uncommitted = chunk;
    let metadata: Entry | undefined;
    try {
      const changed = this.#context.changedMetadata();
      if (changed !== undefined) metadata = this.#context.takeMetadata(await changed);
      if (metadata !== undefined) chunk.rows.push(...metadata);
      const within = this.#context.syncWithin();
      const options = { freeing: chunk.bytes === 0, ...(within === undefined ? {} : { within }) };
      if (chunk.isLogged) {
        const digest = this.#context.digest(chunk.spans);
        if (digest !== undefined) chunk.rows.push(...digest);
        await this.#context.logged!.commit(chunk.rows, chunk.spans, options, this.#gate);
      } else if (chunk.rows.length > 0) await storage.commit(chunk.rows, [], options);
    } catch (e) {
      if (metadata !== undefined) this.#context.metadataLost();
      const error = e instanceof Error ? e : new Error(String(e));
      if (chunk.isLogged) this.#gap = error;
      this.#refuse(chunk, error);
      return error;
    } finally {
      builder.uncommitted = undefined;
    }
    if (metadata !== undefined) this.#context.metadataKept();
    builder.committed(chunk);
    chunk.rows.release();
    this.committedSeq = chunk.lastSeq;
    this.#context.committed(chunk);
    return undefined;
  }

  /** Nothing of the chunk was written: each operation that would have been says so. */
  #refuse(chunk: Chunk, cause: Error): undefined {
    const error =
      cause instanceof ElasticsearchError || cause instanceof DiskFull || cause instanceof StoreFailed
        ? toElasticsearchError(cause)
        : new ElasticsearchError('WriteFailureException', cause.message, { status: 500 });
    settle(chunk.spans, error);
  }
}
