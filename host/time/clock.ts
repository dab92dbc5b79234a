/** Time, as the engine sees it; tests hand in one that they turn themselves. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back once after that many milliseconds; the returned function cancels it. */
  after(ms: number, callback: () => void): () => void;
}

/** The clock on the wall. Its timers don't keep a process alive. */
export const wallClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer: unknown = setTimeout(callback, ms);
    (timer as { unref?: () => void }).unref?.();
    return () => clearTimeout(timer as ReturnType<typeof setTimeout>);
  },
};
