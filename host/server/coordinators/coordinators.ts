/**
 * The main thread's side of coordinators: threads that accept connections beside it. They answer what only reads; all else comes here. What
 * changes is sent to all of them before anybody is told that it has.
 */
import { Worker } from 'node:worker_threads';
import type { Engine } from '../../engine/engine.js';
import { parsedSizeInTurns, SMALL_JSON } from '../../json/parsedSize.js';
import type { ClusterSettings } from '../../metadata/stored.js';
import type { BodyStream } from '../../rest/bodyStream.js';
import { failure, type RestResponse } from '../../rest/request.js';
import type { Router } from '../../rest/router.js';
import { Principal } from '../../security/principal.js';
import type { ShardClient } from '../../shard/shardClient.js';
import { inTurns, WorkLimit } from '../../workLimit.js';
import { isSliced } from '../http.js';
import type { WorkerPool } from '../pool.js';
import { toWire } from '../protocol.js';
import { CoordinatorThread } from './coordinatorThread.js';
import type { Answered, Change, CoordinatorData, Counted, Forwarded, Tell } from './messages.js';
import { SharedNumbers } from './sharedNumbers.js';

/** What coordinators are told of the server, and tell it. */
export interface CoordinatorsContext {
  pool: WorkerPool;
  /** What each is started with. */
  data: Pick<
    CoordinatorData,
    'module' | 'store' | 'host' | 'names' | 'http' | 'access' | 'audited' | 'scripts' | 'debug'
  >;
  file: URL;
  warn(message: string): void;
  audit(entry: Extract<Tell, { tell: 'audit' }>['entry']): void;
  slow(entry: Extract<Tell, { tell: 'slow' }>['entry']): void;
  debug(fields: object, message: string): void;
  /** What was counted by one of them. */
  counted(counted: Counted): void;
}

/** Milliseconds that is waited for what coordinators have counted: one may be busy. */
const COUNTING_MS = 100;
/** Of the heap of a coordinator: it takes 40 MB in all where it would take 53 without a bound, and its searches take no longer. */
const YOUNG_MB = 24;
/** Bodies of so many bytes move to the other thread, shorter ones are copied. */
const MOVED_BYTES = 64 * 1024;
/** What the breakers call requests that come from coordinators. */
const LABEL = '<forwarded_request>';
/** Principals that are remembered. */
const MOST_PRINCIPALS = 1000;

/** Where requests are answered, when the engine is open. */
export interface Serving {
  engine: Engine;
  router: Router;
}

/** All coordinators beside the main thread. */
export class Coordinators {
  readonly numbers: SharedNumbers;
  readonly #context: CoordinatorsContext;
  readonly #all: (CoordinatorThread | undefined)[];
  #settings: ClusterSettings = { persistent: {}, transient: {} };
  #serving: Serving | undefined;
  #closing = false;
  #descriptors: (count: number) => Promise<number[]> = () => Promise.resolve([]);
  readonly #principals = new Map<string, Principal>();

  /** @param count how many there are beside the main thread */
  constructor(count: number, context: CoordinatorsContext) {
    this.numbers = SharedNumbers.of(count);
    this.#context = context;
    this.#all = Array.from({ length: count }, () => undefined);
    context.pool.onReplaced = (worker) => {
      for (const each of this.#all)
        each?.change({ change: 'worker', worker, port: context.pool.connect(worker) });
      this.numbers.changed();
    };
  }

  /** Rows were committed. */
  committed(indices: readonly string[]): void {
    for (const name of indices) this.#publish({ change: 'index', name });
    this.numbers.committed();
  }

  /** The settings of the cluster are these. */
  configured(settings: ClusterSettings): void {
    this.#settings = settings;
    this.#publish({ change: 'settings', settings });
  }

  /** The files of users and TLS are to be read again. */
  accessChanged(): void {
    this.#publish({ change: 'access' });
  }

  /** A request has changed the file of users. */
  usersChanged(): void {
    this.#publish({ change: 'users' });
  }

  #publish(change: Change): void {
    for (const each of this.#all) each?.change(change);
    this.numbers.changed();
  }

  /** Starts them. Resolves when all of them answer. @param descriptors so many of the socket that all of them listen to */
  async start(serving: Serving, descriptors: (count: number) => Promise<number[]>): Promise<void> {
    this.#serving = serving;
    this.#descriptors = descriptors;
    const all = await descriptors(this.#all.length);
    await Promise.all(all.map((fd, i) => this.#start(i, fd)));
  }

  /** Starts another one in the place of one that is gone. */
  async #startAgain(i: number): Promise<void> {
    try {
      const [fd] = await this.#descriptors(1);
      if (!this.#closing) await this.#start(i, fd!);
    } catch (e) {
      if (!this.#closing)
        this.#context.warn(`coordinator ${1 + i} can't be started again: ${(e as Error).message}`);
    }
  }

  #start(i: number, fd: number): Promise<void> {
    const { pool, data, file } = this.#context;
    const workers = pool.connectAll();
    const worker = new Worker(file, {
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
      workerData: {
        ...data,
        place: 1 + i,
        numbers: this.numbers.numbers,
        changes: this.numbers.changes,
        searchMemory: pool.searchMemory.numbers,
        copies: { numbers: pool.copies.numbers, workers: pool.copies.workers, copies: pool.copies.copies },
        workers,
        settings: this.#settings,
        nodeId: this.#serving!.engine.nodeId,
        fd,
      } satisfies CoordinatorData,
      transferList: workers.map(({ port }) => port),
    });
    let listens = false;
    const ended = (error: Error | undefined) => {
      this.#all[i] = undefined;
      this.numbers.clear(1 + i);
      this.#reclaim();
      if (this.#closing || !listens) return;
      this.#context.warn(
        `coordinator ${1 + i} ended${error === undefined ? '' : `: ${error.message}`}; starting another`,
      );
      void this.#startAgain(i);
    };
    const coordinator: CoordinatorThread = new CoordinatorThread(
      worker,
      (message) => this.#take(coordinator, message),
      ended,
    );
    this.#all[i] = coordinator;
    return coordinator.listening.then(() => {
      listens = true;
    });
  }

  #take(from: CoordinatorThread, message: Tell): void {
    if ('ask' in message) {
      const { id } = message;
      const answer =
        message.ask === 'request' ? this.#answer(from, id, message.request) : this.#connect(message);
      answer.then(
        (value) => from.post({ answer: id, value }, value),
        (e) => from.post({ answer: id, error: toWire(e) }),
      );
      return;
    }
    switch (message.tell) {
      case 'cancel':
        from.limits.get(message.id)?.cancel();
        break;
      case 'take':
        from.streams.get(message.id)?.take();
        break;
      case 'release':
        from.streams.get(message.id)?.end();
        break;
      case 'released':
        this.#reclaim();
        break;
      case 'counted':
        this.#context.counted(message.counted);
        from.counted(message.id);
        break;
      case 'warn':
        this.#context.warn(message.message);
        break;
      case 'audit':
        this.#context.audit(message.entry);
        break;
      case 'slow':
        this.#context.slow(message.entry);
        break;
      case 'debug':
        this.#context.debug(message.fields, message.message);
        break;
      case 'listening':
      case 'closed':
        break;
    }
  }

  /** Answers a request that came to a coordinator. */
  async #answer(from: CoordinatorThread, id: number, request: Forwarded): Promise<Answered> {
    const { engine, router } = this.#serving!;
    const { method, uri, body, format, asker } = request;
    const limit = WorkLimit.of(Number.POSITIVE_INFINITY, undefined, asker);
    from.limits.set(id, limit);
    const held = engine.breakers.hold('request', 0, LABEL);
    const weigh = (bytes: number) => engine.breakers.grow('request', held, bytes, LABEL);
    try {
      weigh(body.length);
      if (body.length >= SMALL_JSON && !isSliced(uri))
        weigh(await inTurns(parsedSizeInTurns(body, limit), limit));
      const principal = this.#principal(request.principal);
      const response = await router.handle(method, uri, body, principal, limit, format, weigh);
      return answered(response, (stream) => from.stream(id, stream));
    } catch (e) {
      // There is no memory for it.
      const asked = { method, uri, query: new Map<string, string>(), body, limit };
      return answered(failure(asked, e), () => {});
    } finally {
      from.limits.delete(id);
      held.release();
    }
  }

  /** Deletes rows that have only waited for searches of coordinators. */
  #reclaim(): void {
    for (const { shards } of this.#serving?.engine.cluster.all() ?? [])
      for (const shard of shards) shard.reclaim();
  }

  #principal(identity: string | undefined): Principal {
    if (identity === undefined) return Principal.unrestricted;
    let principal = this.#principals.get(identity);
    if (principal === undefined) {
      principal = Principal.of(identity);
      if (this.#principals.size >= MOST_PRINCIPALS) this.#principals.clear();
      this.#principals.set(identity, principal);
    }
    return principal;
  }

  async #connect({ uid, lost }: Extract<Tell, { ask: 'connect' }>): Promise<unknown> {
    const { pool } = this.#context;
    const shard = await this.#serving!.engine.shard(uid);
    if (shard === undefined) throw new Error(`there is no shard ${uid} any more`);
    const isLost = (client: ShardClient) => {
      const place = pool.placeOf(client);
      return lost !== undefined && place?.worker === lost.worker && place.shard === lost.shard;
    };
    return pool.placeOf(await shard.connected(isLost));
  }

  /** Resolves when what the coordinators have counted is counted here, or takes too long. */
  async counted(): Promise<void> {
    const all = this.#all.flatMap((each) => each?.count() ?? []);
    if (all.length === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, COUNTING_MS);
    });
    await Promise.race([Promise.all(all), late]);
    clearTimeout(timer);
  }

  /** Lets them answer what is under way, and end. */
  async close(): Promise<void> {
    this.#closing = true;
    await Promise.all(this.#all.map((each) => each?.close()));
  }
}

/** The answer as it goes to the other thread, which takes the buffer of its body. */
function answered(response: RestResponse, send: (stream: BodyStream) => void): Answered {
  const { status, contentType, body, stream } = response;
  if (stream !== undefined) send(stream);
  // Short ones may be kept by whoever answered.
  const whole = body.byteLength >= MOVED_BYTES && body.byteLength === body.buffer.byteLength;
  return { status, contentType, body: whole ? body : body.slice(), streamed: stream?.bytes };
}
