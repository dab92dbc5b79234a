import { LogUnavailable } from '../cluster/errors.js';
import type { Log, Logs } from '../cluster/log.js';

/** A log that is opened when it is needed first; one that can't be opened is opened again. */
export class FollowedLog {
  readonly #logs: Logs;
  readonly #name: string;
  #opening: Promise<Log> | undefined;
  #opened: Log | undefined;
  /** Why it couldn't be opened. */
  #unopened: string | undefined;

  constructor(logs: Logs, name: string) {
    this.#logs = logs;
    this.#name = name;
  }

  open(): Promise<Log> {
    if (this.#opening !== undefined) return this.#opening;
    const opening = this.#logs.open(this.#name);
    this.#opening = opening;
    opening.then(
      (log) => {
        this.#opened = log;
      },
      (e) => {
        this.#opening = undefined;
        this.#unopened = e instanceof LogUnavailable ? e.message : undefined;
      },
    );
    return opening;
  }

  /** Why the log isn't available at the moment; undefined where it is, as far as is known. */
  get trouble(): string | undefined {
    return this.#opened === undefined ? this.#unopened : this.#opened.trouble;
  }
}
