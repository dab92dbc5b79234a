/** The way from a shard to the core that hosts it: a core that is lost comes back from the store, and nothing is handed over twice. */
import type { CoreField } from '../core/instance.js';
import { CoreError, CoreTrap, Status } from '../core/status.js';
import { ElasticsearchError, rejected, toElasticsearchError } from '../errors.js';
import type { Chunk } from './chunk.js';
import { DefinedFields } from './definedFields.js';
import { RefusedRequests } from './refusedRequests.js';
import { type ShardClient, ShardLost } from './shardClient.js';

/** A client whose shard is what the store holds. */
export interface Connected {
  client: ShardClient;
  /** What it knows of the index's fields. */
  defined: DefinedFields;
  /** The newest operation in the store. */
  lastSeq: number;
}

/** What the connection needs of the shard. */
export interface ConnectionContext<C extends Connected> {
  /** The shard's name in messages. */
  name: string;
  /** Calls wait for it. */
  ready: Promise<void>;
  /** All fields of the index, in the order they were defined. */
  fields(): readonly CoreField[];
  /** Opens a client and fills it from the store. */
  recover(): Promise<C>;
  /** The shard is what the store held; `waiting` tells whether chunks follow that it didn't hold. */
  recovered(recovered: C, waiting: boolean): void;
  /** What is thrown where the shard can't be brought back, in place of the 503. */
  inactive?(): Error;
  /** What is said of a shard that nobody wants any more. */
  gone(): ElasticsearchError | undefined;
  warn(message: string): void;
}

const MAX_RECOVERIES = 3;
const ignored = (): void => {};

/** Calls to one shard's core, and the chunks that it doesn't have yet. */
export class ShardConnection<C extends Connected = Connected> {
  readonly #context: ConnectionContext<C>;
  /** Committed, but not yet known to be in the shard. */
  readonly #unapplied: Chunk[] = [];
  #client: ShardClient | undefined;
  /** Whether the client was let go of until it is needed. */
  #rests = false;
  /** Whether that is being brought back: calls wait, and nothing is missing. */
  #wakes = false;
  #recovering: Promise<void> | undefined;
  /** Calls need not wait for the shard to be opened. */
  #ready = false;
  #failures = 0;
  #defined = new DefinedFields();
  /** The core has no memory for what was committed; nothing more is until it has. */
  #full = false;
  /** The newest operation that the store held when the client was filled from it. */
  #stored = 0;
  /** The newest operation handed to the core. */
  applied = 0;
  /** The requests that have made the core trap. */
  readonly #trapped = new RefusedRequests();

  constructor(context: ConnectionContext<C>) {
    this.#context = context;
    void context.ready.then(() => {
      this.#ready = true;
    });
  }

  /** Undefined before the shard has been opened. */
  get client(): ShardClient | undefined {
    return this.#client;
  }

  /** True unless the shard could not be opened, or not be brought back after its core trapped. */
  get active(): boolean {
    return this.#failures < MAX_RECOVERIES;
  }

  /** It can't be opened. */
  giveUp(): void {
    this.#failures = MAX_RECOVERIES;
  }

  /** Why nothing can be written now. @param deletions whether it is deletions alone: they make room */
  refusal(deletions: boolean): ElasticsearchError | undefined {
    if (!this.active) return toElasticsearchError(this.inactive());
    return this.#full && !deletions ? this.#outOfMemory() : undefined;
  }

  inactive(): Error {
    const other = this.#context.inactive?.();
    if (other !== undefined) return other;
    const detail = `${this.#context.name} the shard could not be recovered`;
    return new ElasticsearchError('EngineClosedException', detail, { status: 503 });
  }

  #outOfMemory(): ElasticsearchError {
    return rejected(
      `${this.#context.name} has no memory left: what was acknowledged is stored, but not all of it can be searched yet`,
    );
  }

  /**
   * Calls the client; if its instance of the core is gone, brings the shard back and calls once more.
   * @param failed told of what is thrown in the end
   */
  call<T>(call: (client: ShardClient) => Promise<T>, failed: (e: unknown) => void = ignored): Promise<T> {
    this.#wake();
    if (!this.#ready || this.#recovering !== undefined || !this.active) return this.#callLater(call, failed);
    try {
      return call(this.#client!).catch((e) => this.#callAgain(call, e, failed));
    } catch (e) {
      return this.#callAgain(call, e, failed);
    }
  }

  /**
   * Calls the client for a request of which these are the bytes. One that has made the core trap time and again is refused: each time
   * takes all shards of the instance with it.
   */
  ask<T>(
    request: () => Uint8Array,
    call: (client: ShardClient, request: Uint8Array) => Promise<T>,
  ): Promise<T> {
    let asked: Uint8Array | undefined;
    return this.call(
      (client) => {
        asked = request();
        this.#trapped.check(asked, this.#context.name);
        return call(client, asked);
      },
      (e) => {
        if (e instanceof CoreTrap && asked !== undefined) this.#trapped.note(asked);
      },
    );
  }

  /** Whether it is being brought back after its core was lost: until then nothing of it can be searched. */
  get recovering(): boolean {
    return this.#recovering !== undefined && !this.#wakes;
  }

  /** Whether the client was let go of, and nothing has needed it since. */
  get rests(): boolean {
    return this.#rests;
  }

  /** Lets go of a client that has nothing to do, and of which the store has all; the next call brings it back. */
  async rest(): Promise<void> {
    const client = this.#client;
    const isBusy = this.#recovering !== undefined || this.#unapplied.length > 0;
    if (client === undefined || isBusy || !this.#ready || !this.active) return;
    this.#client = undefined;
    this.#rests = true;
    await client.close();
  }

  /** Brings the client back that was let go of. */
  #wake(): void {
    if (!this.#rests) return;
    this.#rests = false;
    this.#wakes = true;
    this.#recovering = this.recover();
    const over = () => {
      this.#wakes = false;
      // Whoever calls is told of what went wrong; the next call tries again.
      this.#rests = this.#client === undefined;
    };
    this.#recovering.then(over, over);
  }

  async #callLater<T>(call: (client: ShardClient) => Promise<T>, failed: (e: unknown) => void): Promise<T> {
    await this.#context.ready;
    if (this.#recovering !== undefined) await this.#recovering;
    if (!this.active) throw this.inactive();
    try {
      return await call(this.#client!);
    } catch (e) {
      return this.#callAgain(call, e, failed);
    }
  }

  async #callAgain<T>(
    call: (client: ShardClient) => Promise<T>,
    e: unknown,
    failed: (e: unknown) => void,
  ): Promise<T> {
    try {
      if (e instanceof CoreError) throw e;
      const failure = await this.#repair(e);
      if (failure !== undefined || e instanceof CoreTrap) throw failure ?? e;
      return await call(this.#client!);
    } catch (last) {
      failed(last);
      throw last;
    }
  }

  /** Makes searchable what was handed over; a core that had no memory has some again when it resolves. */
  async refresh(): Promise<void> {
    try {
      await this.call(async (client) => {
        // A definition may have been what there was no memory for.
        if (this.#full) await client.define(this.#context.fields());
        await client.refresh();
      });
    } catch (e) {
      throw this.#lacksMemory(e) ? this.#outOfMemory() : e;
    }
    if (this.#full) this.#context.warn('has memory again');
    this.#full = false;
  }

  /** Tells the core of fields that have changed without a document, so that searches know it. */
  async tellFields(): Promise<void> {
    // It hears of all fields when it is brought back.
    if (!this.#ready || this.#recovering !== undefined || this.#rests) return;
    const fields = this.#defined.changed(this.#context.fields());
    if (fields.length === 0) return;
    try {
      await this.call((client) => client.define(fields));
    } catch (e) {
      // It hears of all fields again when it has memory.
      if (!(e instanceof CoreError)) throw e;
      this.#full = true;
    }
  }

  /** Hands a durable chunk to the core; returns what kept it from getting there. */
  async apply(chunk: Chunk): Promise<ElasticsearchError | undefined> {
    let failure: ElasticsearchError | undefined;
    this.#unapplied.push(chunk);
    this.#wake();
    try {
      // While the shard is being brought back, the recovery applies what is waiting, in its order.
      await (this.#recovering ?? this.#hand(chunk));
    } catch (e) {
      failure = await this.#repair(e);
    }
    this.#unapplied.splice(this.#unapplied.indexOf(chunk), 1);
    return failure;
  }

  /**
   * Both calls are made at once, so that chunks reach the shard in their order. Where the core has no memory for it, the
   * chunk is durable all the same: it is acknowledged, the shard will index it with a later refresh, and nothing more is
   * written until then.
   */
  async #hand(chunk: Chunk): Promise<void> {
    // A commit is seen in the store before whoever made it is told.
    if (!this.#isNew(chunk)) return;
    const client = this.#client!;
    const fields = this.#defined.changed(this.#context.fields());
    const defined = fields.length > 0 ? client.define(fields) : undefined;
    const applied = client.apply(chunk.batch, chunk.lastSeq);
    this.applied = Math.max(this.applied, chunk.lastSeq);
    try {
      await Promise.all([defined, applied]);
    } catch (e) {
      if (!(e instanceof CoreError)) throw e;
      if (!this.#lacksMemory(e)) {
        // The core has something else than the store.
        void client.close().catch(ignored);
        throw new ShardLost(e.message);
      }
      if (!this.#full) this.#context.warn(`${e.message}; it takes no writes until it has some`);
      this.#full = true;
    }
  }

  /** Whether the core refuses something for want of memory, for itself or for what came before. */
  #lacksMemory(e: unknown): boolean {
    return e instanceof CoreError && (this.#full || e.code === Status.memory);
  }

  /** Whether the store didn't hold a chunk when the client was filled from it. */
  #isNew(chunk: Chunk): boolean {
    return chunk.lastRow > this.#stored;
  }

  /** After a loss, recovers; returns what is left to report. */
  async #repair(e: unknown): Promise<ElasticsearchError | undefined> {
    if (!(e instanceof ShardLost || e instanceof CoreTrap)) return toElasticsearchError(e);
    const gone = this.#context.gone();
    if (gone !== undefined) return gone;
    const { warn } = this.#context;
    warn(`${e.message}; reopening from storage`);
    this.#recovering ??= this.recover();
    try {
      await this.#recovering;
      return undefined;
    } catch (again) {
      return toElasticsearchError(again);
    }
  }

  /** Opens a client and fills it from the store; what was committed meanwhile follows in its order. */
  async recover(): Promise<void> {
    try {
      if (!this.active) throw this.inactive();
      this.#failures++;
      const recovered = await this.#context.recover();
      this.#client = recovered.client;
      this.#defined = recovered.defined;
      this.#stored = this.applied = recovered.lastSeq;
      this.#full = false;
      const waiting = this.#unapplied.some((chunk) => this.#isNew(chunk));
      this.#context.recovered(recovered, waiting);
      // More may come while these are handed over.
      for (let i = 0; i < this.#unapplied.length; i++) await this.#hand(this.#unapplied[i]!);
      this.#failures = 0;
    } finally {
      this.#recovering = undefined;
    }
  }
}
