/** Pauses between tries, which grow: a tenth of a second, then twice as long each time, up to half a minute. */
import { setTimeout as delay } from 'node:timers/promises';

const FIRST_MS = 100;
const LONGEST_MS = 30_000;
/** Of a pause, so much is left to chance: those who were refused together don't come back together. */
const CHANCE = 0.25;

/** Tries after which nothing is expected any more: about three minutes of pauses. */
export const TRIES = 12;

/** Waits before a try, the first of which has the number 1; returns early when it is stopped. */
export async function pause(tries: number, stop: AbortSignal): Promise<void> {
  const whole = Math.min(LONGEST_MS, FIRST_MS * 2 ** (tries - 1));
  const ms = whole * (1 - CHANCE * Math.random());
  // Stopped: whoever waits looks at the signal.
  await delay(ms, undefined, { signal: stop }).catch(() => {});
}
