/** What is to be called when a signal aborts: all of it by one listener of the signal, since Node takes more than ten for a leak. */
const waiting = new WeakMap<AbortSignal, Set<{ callback: () => void }>>();

/**
 * Calls back when a signal aborts; never for one that has aborted already. The returned function ends that: what waits on a signal that lives
 * for long must call it.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const all = waiting.get(signal) ?? listening(signal);
  const own = { callback };
  all.add(own);
  return () => {
    all.delete(own);
  };
}

/** Whether anything is to be called back when a signal aborts. */
export function isListenedTo(signal: AbortSignal): boolean {
  return (waiting.get(signal)?.size ?? 0) > 0;
}

function listening(signal: AbortSignal): Set<{ callback: () => void }> {
  const all = new Set<{ callback: () => void }>();
  waiting.set(signal, all);
  signal.addEventListener(
    'abort',
    () => {
      for (const own of all) {
        all.delete(own);
        own.callback();
      }
    },
    { once: true },
  );
  return all;
}
