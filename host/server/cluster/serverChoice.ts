import type { NatsConnection } from '@nats-io/transport-node';
import { isPassing } from './passing.js';

/** Milliseconds from a request without an answer on, in which others of its kind have none, after which another server is tried. */
const UNANSWERED_MS = 3000;
/** The same for answers that there is no leader: it takes servers up to nine seconds to elect one. */
const LEADERLESS_MS = 12_000;

/** Milliseconds for which a server is kept: what it was asked may have to wait for a leader there too. */
const KEPT_MS = 12_000;

/** What is asked: a server that is cut off may answer reads from what it has, for a while. */
export type Asked = 'read' | 'write';

/**
 * Leaves a server that takes messages and whose JetStream doesn't answer, as one that is cut off from the others of its cluster: a client
 * would stay with it as long as the connection lasts.
 */
export class ServerChoice {
  readonly #connection: Pick<NatsConnection, 'isClosed' | 'reconnect'>;
  readonly #now: () => number;
  /** When what was asked first was sent, of all since the last that succeeded. */
  readonly #failingSince = new Map<Asked, number>();

  #chosenAt = Number.NEGATIVE_INFINITY;

  /** @param now milliseconds of a clock */
  constructor(
    connection: Pick<NatsConnection, 'isClosed' | 'reconnect'>,
    now: () => number = () => performance.now(),
  ) {
    this.#connection = connection;
    this.#now = now;
  }

  /** Asks JetStream something, and takes note of whether it answers. */
  async watched<T>(asked: Asked, ask: Promise<T>): Promise<T> {
    const sent = this.#now();
    try {
      const answer = await ask;
      this.#failingSince.delete(asked);
      return answer;
    } catch (error) {
      if (isPassing(error)) this.#failed(asked, sent, error);
      else this.#failingSince.delete(asked);
      throw error;
    }
  }

  #failed(asked: Asked, sent: number, error: unknown): void {
    const since = this.#failingSince.get(asked) ?? sent;
    this.#failingSince.set(asked, since);
    const limit = error instanceof Error && error.name === 'TimeoutError' ? UNANSWERED_MS : LEADERLESS_MS;
    const now = this.#now();
    if (now - since < limit || now - this.#chosenAt < KEPT_MS || this.#connection.isClosed()) return;
    this.#chosenAt = now;
    this.#failingSince.clear();
    this.#connection.reconnect().catch(() => {});
  }
}
