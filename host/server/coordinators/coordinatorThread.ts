/** A thread that accepts connections, as the main thread sees it. */
import type { Worker } from 'node:worker_threads';
import type { BodyStream } from '../../rest/bodyStream.js';
import type { WorkLimit } from '../../workLimit.js';
import { BodyPieces } from './bodyPieces.js';
import type { Answered, Change, Tell, Told } from './messages.js';

/** Milliseconds that it has to answer what is under way when the server ends. */
const CLOSING_MS = 5000;

/** One coordinator, from the main thread. */
export class CoordinatorThread {
  readonly #worker: Worker;
  readonly #ended: Promise<void>;
  readonly listening: Promise<void>;
  /** The limits of requests that are under way, by number. */
  readonly limits = new Map<number, WorkLimit>();
  readonly streams = new Map<number, BodyPieces>();
  readonly #counts = new Map<number, () => void>();
  #nextCount = 1;

  constructor(worker: Worker, take: (message: Tell) => void, ended: (error: Error | undefined) => void) {
    this.#worker = worker;
    let error: Error | undefined;
    let listens: () => void;
    let fails: (error: Error) => void;
    this.listening = new Promise((resolve, reject) => {
      listens = resolve;
      fails = reject;
    });
    this.listening.catch(() => {});
    worker.on('message', (message: Tell) => {
      if ('tell' in message && message.tell === 'listening') listens();
      take(message);
    });
    worker.on('error', (e) => {
      error = e instanceof Error ? e : new Error(String(e));
    });
    this.#ended = new Promise((resolve) => {
      worker.on('exit', () => {
        fails(error ?? new Error('a coordinator ended before it listened'));
        for (const limit of this.limits.values()) limit.cancel();
        for (const stream of this.streams.values()) stream.end();
        for (const done of this.#counts.values()) done();
        ended(error);
        resolve();
      });
    });
  }

  /** @param answer an answer whose body moves */
  post(message: Told, answer?: unknown): void {
    const { body } = (answer ?? {}) as Partial<Answered>;
    this.#worker.postMessage(message, body === undefined ? [] : [body.buffer as ArrayBuffer]);
  }

  change(change: Change): void {
    this.#worker.postMessage(change, change.change === 'worker' ? [change.port.port] : []);
  }

  /** Resolves when it has told what it has counted. */
  count(): Promise<void> {
    return new Promise((resolve) => {
      const id = this.#nextCount++;
      this.#counts.set(id, resolve);
      this.post({ count: id });
    });
  }

  counted(id: number | undefined): void {
    if (id === undefined) return;
    this.#counts.get(id)?.();
    this.#counts.delete(id);
  }

  /** Sends a body piece by piece, as pieces are asked for. */
  stream(id: number, stream: BodyStream): void {
    const pieces = new BodyPieces(stream, (message) => this.post(message), id);
    this.streams.set(id, pieces);
    void pieces.done.finally(() => this.streams.delete(id));
  }

  async close(): Promise<void> {
    this.post({ close: true });
    const timer = setTimeout(() => void this.#worker.terminate(), CLOSING_MS);
    await this.#ended;
    clearTimeout(timer);
  }
}
