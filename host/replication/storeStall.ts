/** Commits of what logs say that fail and are tried again, as on a full disk: while there are any, the node takes no writes. */
import { withSignals } from './withSignals.js';

/** What is told when that begins and ends. */
export interface StallListener {
  /** Commits fail. @param reason as it is shown */
  stalled(reason: string): void;
  /** They succeed again. */
  resumed(): void;
}

/** What waits for commits ends with it when they begin to fail. */
export class StoreStalled extends Error {}

/** The commits of one node that are tried again. */
export class StoreStall {
  readonly #listener: StallListener;
  /** Reasons, by the shard's number in the store. */
  readonly #failing = new Map<number, string>();
  readonly #ending = new AbortController();
  #begun = new AbortController();
  #reason: string | undefined;

  constructor(listener: StallListener) {
    this.#listener = listener;
  }

  /** Why commits fail now; undefined where they don't. */
  get reason(): string | undefined {
    return this.#reason;
  }

  /** Aborts with a {@link StoreStalled} when commits begin to fail. It is another signal each time. */
  get begun(): AbortSignal {
    return this.#begun.signal;
  }

  /**
   * Waits for what this node carries out, but not while its store takes no commits: what it still has searched then is as new as what was
   * acknowledged.
   */
  async unlessStalled(work: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    const begun = this.begun;
    if (this.#reason !== undefined) return;
    await withSignals([signal, begun], work).catch((e) => {
      if (!begun.aborted) throw e;
    });
  }

  /** Aborts when nothing is tried again any more. */
  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  /** A commit of a shard has failed. */
  failed(uid: number, reason: string): void {
    this.#failing.set(uid, reason);
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#begun.abort(new StoreStalled(reason));
    this.#listener.stalled(reason);
  }

  /** A shard's commit has succeeded after all, or is given up. */
  over(uid: number): void {
    this.#failing.delete(uid);
    if (this.#failing.size > 0 || this.#reason === undefined) return;
    this.#reason = undefined;
    this.#begun = new AbortController();
    if (!this.#ending.signal.aborted) this.#listener.resumed();
  }

  /** Commits that fail are given up from now on: what the log says is read again at the next start. */
  close(): void {
    this.#ending.abort();
  }
}
