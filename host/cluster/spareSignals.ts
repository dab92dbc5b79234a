/** Signals that are used again: to make one, and to listen to it, takes longer than to read a short question. */
import { isListenedTo } from './onAbort.js';

/** Signals that are kept. */
const MOST_SPARE = 64;

/** Controllers of signals that nothing has aborted and nobody waits for, for one piece of work after the other. */
export class SpareSignals {
  readonly #spare: AbortController[] = [];

  /** A controller for work that begins. */
  take(): AbortController {
    return this.#spare.pop() ?? new AbortController();
  }

  /** The work has ended: whoever has got the controller aborts it no more. What still waits for its signal keeps it. */
  giveBack(abort: AbortController): void {
    const { signal } = abort;
    if (!signal.aborted && !isListenedTo(signal) && this.#spare.length < MOST_SPARE) this.#spare.push(abort);
  }
}
