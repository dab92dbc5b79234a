import { isPassing } from './passing.js';
import type { Asked, ServerChoice } from './serverChoice.js';

/** Milliseconds of failing after which a log counts as not available. */
const FAILING_MS = 1000;
/** Milliseconds after the last failure from which nobody knows any more: whoever asked has given up. */
const KNOWN_MS = 15_000;

/** Whether a log's stream answers, as seen by those who ask it something. */
export class LogTrouble {
  readonly #log: string;
  readonly #choice: Pick<ServerChoice, 'watched'>;
  readonly #now: () => number;
  readonly #failing = new Map<Asked, { since: number; last: number; reason: string }>();

  /** @param now milliseconds of a clock */
  constructor(
    log: string,
    choice: Pick<ServerChoice, 'watched'>,
    now: () => number = () => performance.now(),
  ) {
    this.#log = log;
    this.#choice = choice;
    this.#now = now;
  }

  /** Why the log isn't available; nothing where it is, as far as is known. */
  get reason(): string | undefined {
    const now = this.#now();
    for (const { since, last, reason } of this.#failing.values())
      if (last - since >= FAILING_MS && now - last < KNOWN_MS)
        return `the log [${this.#log}] is not available: ${reason}`;
    return undefined;
  }

  /** Asks the stream something, and takes note of whether it answers. */
  async watched<T>(asked: Asked, ask: Promise<T>): Promise<T> {
    const sent = this.#now();
    try {
      const answer = await this.#choice.watched(asked, ask);
      this.#failing.delete(asked);
      return answer;
    } catch (error) {
      if (isPassing(error)) this.#failed(asked, sent, error);
      else this.#failing.delete(asked);
      throw error;
    }
  }

  #failed(asked: Asked, sent: number, error: unknown): void {
    const now = this.#now();
    const known = this.#failing.get(asked);
    const since = known !== undefined && now - known.last < KNOWN_MS ? known.since : sent;
    this.#failing.set(asked, { since, last: now, reason: String(error) });
  }
}
