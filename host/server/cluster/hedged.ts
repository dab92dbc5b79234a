import { setTimeout as sleep } from 'node:timers/promises';
import { isPassing } from './passing.js';

/** Milliseconds without an answer after which a question is sent once more, each time to whoever leads by then. */
const AGAIN_MS = [400, 800];

/**
 * Asks again while there is no answer yet; the first answer counts. A question that was sent to a leader which is gone is never answered,
 * and waiting for its time to run out would cost more than an election. Only for what may be carried out twice.
 */
export async function hedged<T>(ask: () => Promise<T>, delays: readonly number[] = AGAIN_MS): Promise<T> {
  const tries: Promise<T>[] = [];
  const begin = () => {
    const one = ask();
    one.catch(() => {});
    tries.push(one);
  };
  begin();
  for (const ms of delays) {
    const timer = new AbortController();
    const late = sleep(ms, 'late' as const, { signal: timer.signal, ref: false }).catch(
      () => 'late' as const,
    );
    try {
      const first = await Promise.race([firstOf(tries).then((answer) => ({ answer })), late]);
      if (first !== 'late') return first.answer;
    } finally {
      timer.abort();
    }
    begin();
  }
  return firstOf(tries);
}

/** The first answer; an error when that is no passing one, or when all have failed. */
function firstOf<T>(tries: readonly Promise<T>[]): Promise<T> {
  return new Promise((resolve, reject) => {
    let left = tries.length;
    for (const one of tries)
      one.then(resolve, (error) => {
        if (--left === 0 || !isPassing(error)) reject(error);
      });
  });
}
