/** Polling that stops while nobody sees the page. */

/** Does something now and again and again, each time that many milliseconds after it was done. Returns what ends it. */
export function whileVisible(intervalMs: number, work: () => Promise<void>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isEnded = false;
  let isRunning = false;
  const run = async () => {
    if (isRunning || isEnded || document.hidden) return;
    isRunning = true;
    try {
      await work();
    } finally {
      isRunning = false;
      if (!isEnded) timer = setTimeout(() => void run(), intervalMs);
    }
  };
  const seen = () => {
    clearTimeout(timer);
    if (!document.hidden) void run();
  };
  document.addEventListener('visibilitychange', seen);
  void run();
  return () => {
    isEnded = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', seen);
  };
}
