import type { Clock } from '../../../host/time/clock.js';

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly callback: () => void;
}

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

  constructor(now = 1_420_070_400_000) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  after(ms: number, callback: () => void): () => void {
    let pending = true;
    this.#push({
      at: this.#now + Math.max(0, ms),
      order: this.#order++,
      callback: () => {
        if (!pending) return;
        pending = false;
        callback();
      },
    });
    return () => {
      pending = false;
    };
  }

  /** Resolves after that many milliseconds of this clock. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  /** Lets time pass until `stop`, or until `done` says so, asked after each timer. */
  async run(done: () => boolean = () => false): Promise<void> {
    this.#stopped = false;
    while (!this.#stopped && !done()) {
      await settled();
      const next = this.#pop();
      if (!next) continue;
      this.#now = Math.max(this.#now, next.at);
      next.callback();
    }
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

/** Resolves when all promises that could settle have done so. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
