import { onAbort } from '../cluster/onAbort.js';
import type { Clock } from '../time/clock.js';

/** Resolves after so many milliseconds, or when the signal aborts. */
export function pause(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      cancel();
      unlisten?.();
      resolve();
    };
    const cancel = clock.after(ms, end);
    const unlisten = signal && onAbort(signal, end);
  });
}
