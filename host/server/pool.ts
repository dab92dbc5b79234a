/** Shards in worker threads: a pool of data workers, each new shard going where the fewest are. */
import { availableParallelism } from 'node:os';
import { MessageChannel, Worker } from 'node:worker_threads';
import { SearchMemory, searchMemoryOf } from '../core/searchMemory.js';
import type { ShardClient, ShardTransport } from '../shard/shardClient.js';
import { WorkLimit } from '../workLimit.js';
import type { SequentialRequests } from './busyPolling.js';
import { CallChannel } from './callChannel.js';
import { newCancelled, type WorkerData, type WorkerPort } from './protocol.js';
import { CopiedSearches, type CopiedShard } from './searchCopies/copiedSearches.js';
import { type CopyPlace, CopyTable } from './searchCopies/copyTable.js';
import { ShardCopies } from './searchCopies/shardCopies.js';

/** Where a shard is: a data worker, the shard's number there, and where it is told of its copies, if it may have some. */
export interface ShardPlace {
  worker: number;
  shard: number;
  copies: CopyPlace | undefined;
}

/** What is had of a pool. */
export interface PoolOptions {
  /** Data workers; at least one. */
  threads: number;
  /**
   * Requests that the pool is used for: where they come one after the other, and others leave a processor for each thread, threads stay
   * awake between messages.
   */
  requests?: SequentialRequests | undefined;
  /** Bytes that each worker may keep of results, for searches that come again; 0. */
  resultCache?: number;
  /** Further data workers that search a shard, in copies of its segments; 0. */
  searchCopies?: number;
}

/** One worker thread. */
class DataWorker {
  readonly #worker: Worker;
  readonly channel: CallChannel;
  dead = false;
  shards = 0;

  /**
   * @param requests those that calls are made for, if threads may stay awake between them
   * @param fielddataLimit what a worker's searches may need of fields' values
   */
  constructor(
    url: URL,
    data: Omit<WorkerData, 'cancelled'>,
    requests: SequentialRequests | undefined,
    onDeath: (error: Error | undefined) => void,
    fielddataLimit: (own: number) => number,
  ) {
    const cancelled = newCancelled();
    this.#worker = new Worker(url, { workerData: { ...data, cancelled } satisfies WorkerData });
    this.channel = new CallChannel(this.#worker, cancelled, requests, fielddataLimit);
    let error: Error | undefined;
    this.#worker.on('error', (e) => {
      error = e instanceof Error ? e : new Error(String(e));
    });
    this.#worker.on('exit', () => {
      this.dead = true;
      this.channel.lose(`a data worker ended: ${error?.message ?? 'without an error'}`);
      onDeath(error);
    });
  }

  /** A way to the worker for another thread. */
  connect(): WorkerPort {
    const { port1, port2 } = new MessageChannel();
    const cancelled = newCancelled();
    this.#worker.postMessage({ port: port2, cancelled } satisfies WorkerPort, [port2]);
    return { port: port1, cancelled };
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** The pool. Workers that die are replaced; their shards are reopened by whoever uses them. */
export class WorkerPool implements ShardTransport {
  readonly #url: URL;
  readonly #module: WebAssembly.Module;
  readonly #requests: SequentialRequests | undefined;
  readonly #workers: DataWorker[];
  readonly #warn: (message: string) => void;
  readonly #searchMemory: Int32Array;
  readonly #resultCache: number;
  /** What is known of copies of shards. */
  readonly copies: CopyTable;
  /** Where searches of shards with copies go. */
  readonly copied: CopiedSearches;
  readonly #copies = new Set<ShardCopies>();
  /** What the searches of all workers take. */
  readonly searchMemory: SearchMemory;
  readonly #places = new WeakMap<ShardClient, ShardPlace>();
  /** Told of the number of a worker that has taken the place of another one. */
  onReplaced: (worker: number) => void = () => {};
  #closed = false;
  #fielddataLimit = Number.POSITIVE_INFINITY;

  /**
   * @param url the compiled `worker.js`
   */
  constructor(
    module: WebAssembly.Module,
    url: URL,
    warn: (message: string) => void,
    { threads, requests, resultCache = 0, searchCopies = 0 }: PoolOptions,
  ) {
    this.#resultCache = resultCache;
    this.copies = CopyTable.of(Math.max(1, threads), searchCopies);
    this.copied = new CopiedSearches(this.copies, (worker) => this.#workers[worker]?.channel);
    this.#url = url;
    this.#requests = threads < availableParallelism() ? requests : undefined;
    this.#module = module;
    this.#warn = warn;
    this.#searchMemory = searchMemoryOf(Math.max(1, threads));
    this.searchMemory = new SearchMemory(this.#searchMemory);
    this.#workers = Array.from({ length: Math.max(1, threads) }, (_, i) => this.#start(i));
  }

  async open(): Promise<ShardClient> {
    const worker = this.#workers.reduce((least, each) => (each.shards < least.shards ? each : least));
    worker.shards++;
    const owner = this.#workers.indexOf(worker);
    const place = this.copies.take();
    const { channel } = worker;
    const shard = (await channel.call(
      'open',
      place === undefined ? [] : [place.slot],
      WorkLimit.none,
    )) as number;
    const copies = place && this.#keepCopies({ owner, shard, place }, channel);
    const client = channel.client(
      shard,
      async () => {
        copies?.end();
        worker.shards--;
        if (!worker.dead) await channel.call('close', [shard], WorkLimit.none);
      },
      place && ((plan, limit) => this.copied.search(channel, { owner, shard, place }, plan, limit)),
      copies && ((fields) => copies.defined(fields)),
    );
    this.#places.set(client, { worker: owner, shard, copies: place });
    return client;
  }

  #keepCopies(shard: CopiedShard, owner: CallChannel): ShardCopies {
    const copies = new ShardCopies(shard, owner, {
      table: this.copies,
      channelOf: (worker) => this.#workers[worker]!.channel,
      warn: this.#warn,
    });
    this.#copies.add(copies);
    void copies.keep().finally(() => this.#copies.delete(copies));
    return copies;
  }

  /** Where a shard is that was opened here. */
  placeOf(client: ShardClient): ShardPlace | undefined {
    return this.#places.get(client);
  }

  /** A way to a worker for another thread. */
  connect(worker: number): WorkerPort {
    return this.#workers[worker]!.connect();
  }

  /** Ways to all of them. */
  connectAll(): WorkerPort[] {
    return this.#workers.map((worker) => worker.connect());
  }

  get fielddata(): number {
    return this.#workers.reduce((sum, { channel }) => sum + channel.fielddata, 0);
  }

  limitFielddata(bytes: number): void {
    this.#fielddataLimit = bytes;
  }

  /** Ends a worker, as a fault would; for tests. Resolves when another one has its place. */
  kill(worker: number): Promise<void> {
    return this.#workers[worker]!.end();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#workers.map((worker) => worker.end()));
  }

  #start(i: number): DataWorker {
    const memory = new SearchMemory(this.#searchMemory, i);
    const died = (error: Error | undefined) => {
      memory.clear();
      if (this.#closed) return;
      for (const copies of this.#copies) copies.lost(i);
      this.#warn(
        `data worker ${i} ended${error === undefined ? '' : `: ${error.message}`}; starting another`,
      );
      this.#workers[i] = this.#start(i);
      this.onReplaced(i);
    };
    // What the others don't need.
    const left = (own: number) => this.#fielddataLimit - this.fielddata + own;
    const { numbers, workers, copies } = this.copies;
    const data = {
      module: this.#module,
      searchMemory: this.#searchMemory,
      thread: i,
      resultCache: this.#resultCache,
      copies: { numbers, workers, copies },
    };
    return new DataWorker(this.#url, data, this.#requests, died, left);
  }
}
