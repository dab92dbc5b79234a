/** Milliseconds without a message after which it is looked whether there is one; twice as many each time. */
const FIRST_MS = 1000;
const MOST_MS = 30_000;
/** Milliseconds that one which is there may be on its way. */
const ON_ITS_WAY_MS = 500;

/** Somebody who waits for messages of a stream. */
export interface Waiting {
  /** The position that is waited for; undefined while a message is being taken. */
  next(): number | undefined;
  /** The last position that there is for it. */
  last(): Promise<number>;
  /** Told once when what is waited for is there, and doesn't come. */
  stuck(): void;
}

/**
 * Looks now and then whether what is waited for has long been there. A server that is asked for messages while it doesn't know the last one may
 * count it as sent: whoever reads gets it with the one after, if one comes. Returns what ends it.
 */
export function watchSilence({ next, last, stuck }: Waiting): () => void {
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const later = (ms: number, then: () => void) => {
    timer = setTimeout(then, ms);
    timer.unref();
  };
  const lookIn = (ms: number, before: number | undefined) => later(ms, () => void look(ms, before));
  const look = async (ms: number, before: number | undefined) => {
    const waitedFor = next();
    if (waitedFor === undefined || waitedFor !== before) return lookIn(FIRST_MS, waitedFor);
    const there = await last().catch(() => 0);
    if (isOver) return;
    if (there < waitedFor) return lookIn(Math.min(2 * ms, MOST_MS), waitedFor);
    // It may have been written a moment ago.
    later(ON_ITS_WAY_MS, () => (next() === waitedFor ? stuck() : lookIn(FIRST_MS, next())));
  };
  lookIn(FIRST_MS, next());
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
