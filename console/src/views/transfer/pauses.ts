/** Pauses between tries, which grow: a tenth of a second, then twice as long each time, up to half a minute. */

const FIRST_MS = 100;
const LONGEST_MS = 30_000;
/** Of a pause, so much is left to chance: those who were refused together don't come back together. */
const CHANCE = 0.25;

/** Tries after which nothing is expected any more: about three minutes of pauses. */
export const TRIES = 12;

/** Waits before a try, the first of which has the number 1; returns early when it is stopped. */
export function pause(tries: number, stop: AbortSignal): Promise<void> {
  const ms = Math.min(LONGEST_MS, FIRST_MS * 2 ** (tries - 1)) * (1 - CHANCE * Math.random());
  return new Promise((done) => {
    const timer = setTimeout(ended, ms);
    function ended() {
      clearTimeout(timer);
      stop.removeEventListener('abort', ended);
      done();
    }
    stop.addEventListener('abort', ended);
  });
}
