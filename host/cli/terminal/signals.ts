/** Stopping when the user says so: once in order, the second time at once. */

const INTERRUPTED = 130;

export interface Stopped {
  /** The signal that came. */
  readonly signal: NodeJS.Signals | undefined;
  /** Signals do again what they do by themselves. */
  forget(): void;
}

/** Calls `stop` when SIGINT or SIGTERM comes; another one ends the process. */
export function stoppedBy(stop: (signal: NodeJS.Signals) => void): Stopped {
  let came: NodeJS.Signals | undefined;
  const take = (signal: NodeJS.Signals) => {
    if (came !== undefined) process.exit(INTERRUPTED);
    came = signal;
    stop(signal);
  };
  process.on('SIGINT', take);
  process.on('SIGTERM', take);
  return {
    get signal() {
      return came;
    },
    forget() {
      process.off('SIGINT', take);
      process.off('SIGTERM', take);
    },
  };
}
