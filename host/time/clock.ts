/** Time, as the engine sees it; tests hand in one that they turn themselves. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds since any moment that go on whatever the clock on the wall is set to. Clocks that aren't set have none. */
  monotonic?(): number;
  /** Calls back once after that many milliseconds, or after 24 days if they are more; the returned function cancels it. */
  after(ms: number, callback: () => void): () => void;
}

/** Longer timers than this go off at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** The clock on the wall. Its timers don't keep a process alive. */
export const wallClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer: unknown = setTimeout(callback, Math.min(ms, LONGEST_MS));
    (timer as { unref?: () => void }).unref?.();
    return () => clearTimeout(timer as ReturnType<typeof setTimeout>);
  },
};
