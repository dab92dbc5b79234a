/** A coordinator's way to the main thread: what it asks and tells, and the changes that it follows. */
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { BodyStream } from '../../rest/bodyStream.js';
import type { RestResponse } from '../../rest/request.js';
import { Counters } from '../../shard/counters.js';
import { type ShardClient, ShardLost } from '../../shard/shardClient.js';
import type { ShardLeader } from '../../shard/shardLeader.js';
import type { CancelListener, WorkLimit } from '../../workLimit.js';
import type { AnswerStats } from '../answers.js';
import type { ShardPlace } from '../pool.js';
import { fromWire } from '../protocol.js';
import type { Answered, Ask, Change, Counted, Forwarded, MeasuredRoute, Tell, Told } from './messages.js';
import type { SharedNumbers } from './sharedNumbers.js';
import type { WorkerPorts } from './workerPorts.js';

/** Durations of requests that are kept before they are told. */
const MEASURED_AT_ONCE = 1000;

interface Pending {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** An ask without its number. */
type Question = Ask extends infer A ? (A extends Ask ? Omit<A, 'id'> : never) : never;

/** What the link needs of the coordinator. */
export interface LinkContext {
  /** Something has changed. */
  changed(change: Change): void;
  /** Nothing is wanted any more. */
  close(): void;
}

/** The main thread, as a coordinator sees it. */
export class LeaderLink implements ShardLeader {
  readonly #port: MessagePort;
  readonly #numbers: SharedNumbers;
  readonly #place: number;
  readonly #workers: WorkerPorts;
  readonly #context: LinkContext;
  /** How many changes have been followed. */
  #changes: number;
  readonly #pending = new Map<number, Pending>();
  #nextId = 1;
  /** The marks of searches that are going on, by number; the first is the oldest. */
  readonly #searches = new Map<number, number>();
  #nextSearch = 1;
  /** Who waits for pieces of a streamed body. */
  readonly #streams = new Map<number, Pending>();
  readonly #counters = new Map<number, Counters>();
  readonly #answers: AnswerStats;
  #opened = 0;
  #measured = new Map<MeasuredRoute, number[]>();
  #durations = 0;

  /** @param changes how many changes were known from the beginning */
  constructor(
    port: MessagePort,
    numbers: SharedNumbers,
    place: number,
    changes: number,
    workers: WorkerPorts,
    answers: AnswerStats,
    context: LinkContext,
  ) {
    this.#answers = answers;
    this.#port = port;
    this.#numbers = numbers;
    this.#place = place;
    this.#changes = changes;
    this.#workers = workers;
    this.#context = context;
    port.on('message', (message: Told) => this.#take(message));
  }

  /** Follows every change that somebody may have been told of. */
  catchUp(): void {
    while (this.#changes !== this.#numbers.changes) {
      // A change is sent before it is counted.
      const next = receiveMessageOnPort(this.#port);
      if (next === undefined) return;
      this.#take(next.message as Told);
    }
  }

  #take(message: Told): void {
    if ('change' in message) {
      this.#changes = (this.#changes + 1) | 0;
      this.#context.changed(message);
      return;
    }
    if ('count' in message) {
      this.#tellCounted(message.count);
      return;
    }
    if ('close' in message) {
      this.#context.close();
      return;
    }
    if ('piece' in message) {
      const waiting = this.#streams.get(message.piece);
      if (message.error !== undefined) waiting?.reject(fromWire(message.error));
      else waiting?.resolve(message.bytes);
      return;
    }
    const pending = this.#pending.get(message.answer);
    this.#pending.delete(message.answer);
    if ('error' in message) pending?.reject(fromWire(message.error));
    else pending?.resolve(message.value);
  }

  tell(message: Tell): void {
    this.#port.postMessage(message);
  }

  #ask(question: Question): { id: number; answer: Promise<unknown> } {
    const id = this.#nextId++;
    const answer = new Promise<unknown>((resolve, reject) => this.#pending.set(id, { resolve, reject }));
    const transfer = question.ask === 'request' ? [question.request.body.buffer as ArrayBuffer] : [];
    this.#port.postMessage({ ...question, id } as Ask, transfer);
    return { id, answer };
  }

  /** Has the main thread answer a request; the body is a copy. */
  async forward(request: Forwarded, limit: WorkLimit): Promise<RestResponse> {
    const { id, answer } = this.#ask({ ask: 'request', request });
    const listener: CancelListener = { cancelled: () => this.tell({ tell: 'cancel', id }) };
    limit.onCancel(listener);
    try {
      const { status, contentType, body, streamed } = (await answer) as Answered;
      if (streamed === undefined) return { status, contentType, body };
      return { status, contentType, body, stream: this.#stream(id, streamed) };
    } finally {
      limit.removeListener(listener);
    }
  }

  /** A body that comes piece by piece, as it is taken. */
  #stream(id: number, bytes: number): BodyStream {
    const next = () =>
      new Promise<unknown>((resolve, reject) => {
        this.#streams.set(id, { resolve, reject });
        this.tell({ tell: 'take', id });
      }) as Promise<Uint8Array | undefined>;
    const release = () => {
      this.#streams.delete(id);
      this.tell({ tell: 'release', id });
    };
    return {
      bytes,
      release,
      write: async (put) => {
        try {
          for (let piece = await next(); piece !== undefined; piece = await next()) await put(piece);
        } finally {
          release();
        }
      },
    };
  }

  async connect(uid: number, lost: ShardClient | undefined): Promise<ShardClient> {
    const before = lost === undefined ? undefined : this.#workers.placeOf(lost);
    const { answer } = this.#ask({ ask: 'connect', uid, lost: before });
    const place = (await answer) as ShardPlace;
    // A worker that the shard was moved to is known by now.
    this.catchUp();
    const client = this.#workers.client(place);
    if (client === undefined) throw new ShardLost('a data worker ended');
    return client;
  }

  hold(): () => void {
    const search = this.#nextSearch++;
    if (this.#searches.size === 0) {
      const mark = this.#numbers.now;
      this.#searches.set(search, mark);
      this.#numbers.setOldest(this.#place, mark);
    } else this.#searches.set(search, this.#numbers.now);
    return () => this.#release(search);
  }

  #release(search: number): void {
    if (!this.#searches.delete(search)) return;
    const oldest = this.#searches.values().next();
    this.#numbers.setOldest(this.#place, oldest.done === true ? 0 : oldest.value);
    if (this.#numbers.takeWaits()) this.tell({ tell: 'released' });
  }

  counters(uid: number): Counters {
    let found = this.#counters.get(uid);
    if (found === undefined) {
      found = new Counters();
      this.#counters.set(uid, found);
    }
    return found;
  }

  /** A connection was opened. */
  opened(): void {
    this.#opened++;
  }

  /** A request of a route took so many seconds. */
  measured(route: MeasuredRoute, seconds: number): void {
    const list = this.#measured.get(route);
    if (list === undefined) this.#measured.set(route, [seconds]);
    else list.push(seconds);
    if (++this.#durations >= MEASURED_AT_ONCE) this.#tellCounted(undefined);
  }

  /** Tells what has been counted since the last time. */
  #tellCounted(id: number | undefined): void {
    const counted: Counted = {
      shards: [...this.#counters].map(([uid, counters]) => [uid, counters.take()]),
      answers: this.#answers.take(),
      opened: this.#opened,
      measured: [...this.#measured],
    };
    this.#opened = 0;
    this.#measured = new Map();
    this.#durations = 0;
    this.tell({ tell: 'counted', counted, id });
  }

  /** Tells what is left to tell, and nothing more. */
  close(): void {
    this.#tellCounted(undefined);
    this.tell({ tell: 'closed' });
    this.#port.close();
  }
}
