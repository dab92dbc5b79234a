import type { Place } from '../checksum.js';
import type { AppendOptions, Log, LogExtent, LogMessage, ReadOptions } from '../log.js';
import { MAX_MESSAGE_BYTES, MessageTooLarge } from '../errors.js';
import { checkedSubject } from '../names.js';
import { onAbort } from '../onAbort.js';
import { ReadPlaces } from '../readPlaces.js';
import { logEndpoint } from './network.js';
import type { CallOptions, NodeProcess } from './nodeProcess.js';
import type { StoredLog } from './storedLog.js';

/** Milliseconds after which a reader looks for new messages without having been told of any. */
const POLL_MS = 1000;

/** A log, as one node uses it. */
export class NodeLog implements Log {
  readonly name: string;
  readonly #process: NodeProcess;
  readonly #stored: StoredLog;
  #appended = 0;
  /** What this node has read last. */
  #lastRead: Place | undefined;

  constructor(process: NodeProcess, stored: StoredLog) {
    this.name = stored.name;
    this.#process = process;
    this.#stored = stored;
  }

  async append(subject: string, bytes: Uint8Array, options: AppendOptions = {}): Promise<number> {
    checkedSubject(subject);
    if (bytes.length > MAX_MESSAGE_BYTES) throw new MessageTooLarge(bytes.length, MAX_MESSAGE_BYTES);
    const { id = `${this.#process.id}-${++this.#appended}`, expectLast, signal } = options;
    const message = { subject, id, bytes, link: this.#lastRead, expectLast };
    return this.#call((stored) => stored.append(message, this.#process.clock.now()), { signal });
  }

  async *read(after: number, signal: AbortSignal, options: ReadOptions = {}): AsyncGenerator<LogMessage> {
    const { checksum, subject: only } = options;
    const places = new ReadPlaces(
      this.name,
      checksum === undefined ? undefined : { position: after, checksum },
    );
    const news = new News(this.#process, this.#stored);
    let at = after;
    try {
      while (!signal.aborted) {
        news.forget();
        const messages = await this.#next(at, places.last?.checksum, only, signal);
        if (messages === undefined) return;
        for (const message of messages) {
          const { position, subject, id, bytes, after } = message;
          const sum = places.take(message);
          this.#lastRead = { position, checksum: sum };
          at = position;
          const expected = after === undefined ? {} : { after };
          yield { position, subject, id, bytes, checksum: sum, ...expected };
          if (signal.aborted) return;
        }
        if (messages.length === 0) await news.wait(signal);
      }
    } finally {
      news.end();
    }
  }

  lastPosition(subject?: string): Promise<number> {
    return this.#call((stored) =>
      subject === undefined ? stored.last : stored.lastOf(checkedSubject(subject)),
    );
  }

  firstPosition(): Promise<number> {
    return this.#call((stored) => stored.first);
  }

  extent(): Promise<LogExtent> {
    return this.#call((stored) => stored.extent);
  }

  trim(before: number): Promise<void> {
    return this.#call((stored) => stored.trim(before));
  }

  delete(): Promise<void> {
    return this.#call((stored) => stored.delete());
  }

  /** The messages after a place; nothing when the signal aborted meanwhile. */
  async #next(at: number, checksum: number | undefined, subject: string | undefined, signal: AbortSignal) {
    try {
      const options = { signal, untilAnswered: true };
      return await this.#call((stored) => stored.after(at, checksum, subject), options);
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }

  #call<T>(carryOut: (stored: StoredLog) => T, options?: CallOptions): Promise<T> {
    return this.#process.call(logEndpoint(this.name), () => carryOut(this.#stored), options);
  }
}

/** Wakes a reader when its log has changed. */
class News {
  readonly #process: NodeProcess;
  readonly #unwatch: () => void;
  #arrived = false;
  #wake = () => {};

  constructor(process: NodeProcess, stored: StoredLog) {
    this.#process = process;
    this.#unwatch = stored.watch(() =>
      process.receive(logEndpoint(stored.name), () => {
        this.#arrived = true;
        this.#wake();
      }),
    );
  }

  /** What has arrived before doesn't count any more. */
  forget(): void {
    this.#arrived = false;
  }

  /** Resolves when there may be something new, after a while in any case. */
  wait(signal: AbortSignal): Promise<void> {
    if (this.#arrived) return Promise.resolve();
    return new Promise((resolve) => {
      const unlisten = this.#process.onClose(() => this.#wake());
      const cancel = this.#process.clock.after(POLL_MS, () => this.#wake());
      this.#wake = () => {
        cancel();
        unlistenAbort();
        unlisten();
        resolve();
      };
      const unlistenAbort = onAbort(signal, this.#wake);
    });
  }

  end(): void {
    this.#unwatch();
  }
}
