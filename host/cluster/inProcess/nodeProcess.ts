import type { Clock } from '../../time/clock.js';
import { LogUnavailable, ServicesClosed } from '../errors.js';
import { onAbort } from '../onAbort.js';
import type { Network } from './network.js';

/** Milliseconds after which a message without an answer is sent again. */
const RESEND_MS = 500;
/** Milliseconds after which a caller is told that nothing answers. */
const DEADLINE_MS = 10_000;

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Asks until there is an answer. */
  untilAnswered?: boolean;
}

/** One process of a node: what it sends and waits for. When it ends, nothing of it goes on: no answer arrives, no timer goes off. */
export class NodeProcess {
  readonly name: string;
  /** Names this process among all of its cluster. */
  readonly id: string;
  readonly clock: Clock;
  readonly #base: Clock;
  readonly #network: Network;
  readonly #closeListeners = new Set<() => void>();
  #closed = false;
  #running = true;

  constructor(name: string, count: number, clock: Clock, network: Network) {
    this.name = name;
    this.id = `${name}-${count}`;
    this.#base = clock;
    this.#network = network;
    this.clock = {
      now: () => clock.now(),
      after: (ms, callback) => clock.after(ms, () => this.#running && callback()),
    };
  }

  get running(): boolean {
    return this.#running;
  }

  /** Calls back when the services are closed; the returned function ends that. */
  onClose(listener: () => void): () => void {
    this.#closeListeners.add(listener);
    return () => this.#closeListeners.delete(listener);
  }

  /** @throws ServicesClosed when the services were closed */
  throwIfClosed(): void {
    if (this.#closed) throw new ServicesClosed();
  }

  /** Stops it as `kill -9` does: what it waits for never comes. */
  kill(): void {
    this.#running = false;
  }

  /** Closes it: whoever waits is told. */
  close(): void {
    this.#closed = true;
    this.#running = false;
    for (const listener of [...this.#closeListeners]) listener();
  }

  /** Sends a message: `arrive` is called for each copy of it that gets there, even when this process has ended meanwhile. */
  send(to: string, arrive: () => void): void {
    this.#carry(this.name, to, arrive);
  }

  /** Sends this process a message, which is lost when it has ended. */
  receive(from: string, arrive: () => void): void {
    this.#carry(from, this.name, () => this.#running && arrive());
  }

  /**
   * Has something carried out at `to`, and brings back what it returned or threw. Sent again when nothing comes back, so that it may be
   * carried out several times.
   */
  call<T>(to: string, carryOut: () => T | Promise<T>, options: CallOptions = {}): Promise<T> {
    const { signal, untilAnswered } = options;
    return new Promise<T>((resolve, reject) => {
      this.throwIfClosed();
      if (signal?.aborted) return reject(signal.reason);
      const started = this.clock.now();
      let cancelTimer = () => {};
      const settle = (how: () => void) => {
        cancelTimer();
        unlistenAbort?.();
        unlisten();
        how();
      };
      const aborted = () => settle(() => reject(signal?.reason));
      const unlistenAbort = signal && onAbort(signal, aborted);
      const unlisten = this.onClose(() => settle(() => reject(new ServicesClosed())));
      const bringBack = (how: () => void) => this.receive(to, () => settle(how));
      const attempt = () => {
        if (!untilAnswered && this.clock.now() - started >= DEADLINE_MS)
          return settle(() => reject(new LogUnavailable(to, `no answer in ${DEADLINE_MS} ms`)));
        cancelTimer = this.clock.after(RESEND_MS, attempt);
        this.send(to, () => {
          const result = (async () => carryOut())();
          result.then(
            (value) => bringBack(() => resolve(value)),
            (error) => bringBack(() => reject(error)),
          );
        });
      };
      attempt();
    });
  }

  #carry(from: string, to: string, arrive: () => void): void {
    for (const ms of this.#network.deliveries(from, to))
      if (ms === 0) queueMicrotask(arrive);
      else this.#base.after(ms, arrive);
  }
}
