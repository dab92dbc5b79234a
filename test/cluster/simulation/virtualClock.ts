import type { Clock } from '../../../host/time/clock.js';

interface Timer {
  readonly at: number;
  readonly order: number;
  /** Undefined when it was cancelled. */
  callback: (() => void) | undefined;
}

/** Timers that go off in one turn of the event loop; promises settle after each. */
const TIMERS_A_TURN = 16;

/**
 * Time that stands still while anything works, and then jumps to the next timer. Timers of the same moment go off in the order in which they
 * were set, so that a run is the same each time, provided that what runs waits for nothing but these timers and promises.
 */
export class VirtualClock implements Clock {
  #now: number;
  #order = 0;
  /** A binary heap: the next timer is the first. */
  readonly #timers: Timer[] = [];
  #stopped = false;
  #fired = 0;

  constructor(now = 1_420_070_400_000) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  after(ms: number, callback: () => void): () => void {
    const timer: Timer = { at: this.#now + Math.max(0, ms), order: this.#order++, callback };
    this.#push(timer);
    return () => {
      timer.callback = undefined;
    };
  }

  /** Timers that have gone off. */
  get fired(): number {
    return this.#fired;
  }

  /** Resolves after that many milliseconds of this clock. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  /** Lets time pass until `stop`, or until `done` says so, asked before each timer. */
  run(done: () => boolean = () => false): Promise<void> {
    this.#stopped = false;
    return new Promise((resolve, reject) => {
      let isOver = false;
      let left = 0;
      const step = () => {
        if (isOver) return;
        isOver = this.#stopped || done();
        if (isOver) return resolve();
        try {
          this.#fire();
        } catch (e) {
          isOver = true;
          reject(e);
        }
        if (--left === 0) turn();
      };
      // All promises that can settle do so after each of these.
      const turn = () => {
        for (; left < TIMERS_A_TURN; left++) setImmediate(step);
      };
      turn();
    });
  }

  #fire(): void {
    let next = this.#pop();
    while (next !== undefined && next.callback === undefined) next = this.#pop();
    if (next === undefined) return;
    this.#now = Math.max(this.#now, next.at);
    const { callback } = next;
    next.callback = undefined;
    this.#fired++;
    callback!();
  }

  stop(): void {
    this.#stopped = true;
  }

  #push(timer: Timer): void {
    const timers = this.#timers;
    let at = timers.push(timer) - 1;
    for (; at > 0; at = (at - 1) >> 1) {
      const parent = timers[(at - 1) >> 1]!;
      if (!before(timer, parent)) break;
      timers[at] = parent;
    }
    timers[at] = timer;
  }

  #pop(): Timer | undefined {
    const timers = this.#timers;
    const first = timers[0];
    const last = timers.pop();
    if (!first || !last || timers.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= timers.length) break;
      if (child + 1 < timers.length && before(timers[child + 1]!, timers[child]!)) child++;
      if (!before(timers[child]!, last)) break;
      timers[at] = timers[child]!;
      at = child;
    }
    timers[at] = last;
    return first;
  }
}

function before(a: Timer, b: Timer): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}
